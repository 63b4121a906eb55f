import { debounce, h } from "./dom.js";
import { messageDetails } from "./editor.js";

/** Messages with the advice of the command in the words of this page. */
export function adaptMessages(messages) {
  const adapt = (help) =>
    help?.replace(
      /`dqdt new NAME` writes a \w* ?spec to start from/,
      "choose “start of your own” in the gallery",
    );
  return messages.map((message) => ({ ...message, help: adapt(message.help) }));
}

function place(message) {
  if (!message.line) return "";
  const position = `line ${message.line}, column ${message.column}`;
  return message.from === null && message.file ? `${message.file}, ${position}` : position;
}

function item(message, showPlace) {
  const head = [
    h("strong", { class: message.severity }, message.severity),
    " ",
    h("code", {}, message.code),
    " ",
    h("span", { class: "soft" }, place(message)),
    h("br"),
    message.message,
  ];
  const reachable = message.from !== null && message.from !== undefined;
  const first = reachable
    ? h(
        "button",
        { type: "button", class: "message", onclick: () => showPlace(message.from, message.to) },
        ...head,
      )
    : h("div", { class: "message" }, ...head);
  return h("li", {}, first, ...messageDetails(message).map((text) => h("p", { class: "soft" }, text)));
}

/** Shows a list once the user pauses, so that the editor does not change its size at every key. */
const showLater = debounce(600, (list) => {
  list.hidden = !list.children.length;
});

/**
 * Fills the list of messages below the editor.
 * @param {HTMLElement} list
 * @param {object[]} messages messages of the engine
 * @param {(from: number, to: number) => void} showPlace
 */
export function listMessages(list, messages, showPlace) {
  list.replaceChildren(...messages.map((message) => item(message, showPlace)));
  if (messages.length) showLater(list);
  else list.hidden = true;
}

/** "2 errors, 1 warning", or "" without messages. */
export function countMessages(messages) {
  const count = (severity) => messages.filter((m) => m.severity === severity).length;
  return [
    ["error", "errors"],
    ["warning", "warnings"],
    ["note", "notes"],
  ]
    .map(([severity, plural]) => [count(severity), severity, plural])
    .filter(([n]) => n > 0)
    .map(([n, one, many]) => `${n} ${n === 1 ? one : many}`)
    .join(", ");
}
