import { announce, h } from "./dom.js";
import { createSliders } from "./sliders.js";
import { findEdits } from "./write.js";

/**
 * The sliders of a tab: groups of its own and the parameters, which tabs share. A line above them
 * writes their values into the text, or takes those of the text again.
 * @param {import("./app.js").App} app
 * @param {ReturnType<typeof createSliders>} parameters
 * @param {{start: string, onchange: () => void}} tab title of the group of starts
 */
export function createValues(app, parameters, { start: title, onchange }) {
  const start = createSliders(title, onchange),
    inputs = createSliders("Inputs", onchange);
  const all = [parameters, start, inputs];
  let shown = null;
  const groups = h("div", { class: "slider-groups" }, start.element, inputs.element);
  const note = h("span", { class: "soft" });
  const writer = h("button", { type: "button", onclick: () => write() }, "Write into the text");
  const reset = () => {
    all.forEach((group) => group.reset());
    count();
    app.outdate(["motion", "linear"]);
  };
  const line = h(
    "div",
    { class: "toolbar" },
    h("span", { class: "soft" }, "Sliders do not change the text."),
    writer,
    h("button", { type: "button", onclick: reset }, "Reset"),
    note,
  );
  const changes = () => Object.assign({}, ...all.map((group) => group.values()));
  const report = (text) => {
    note.textContent = text;
    announce(text);
  };
  const write = () => {
    if (app.messages.some((m) => m.severity === "error")) return report("Not written: the text has errors.");
    const { edits, written, left } = findEdits(app.mechanism.text, app.loaded.layout, changes());
    app.onwrite(edits);
    const parts = [
      written.length && `Written: ${written.join(", ")}.`,
      left.length && `Not written: ${left.map(({ name, reason }) => `${name} (${reason})`).join(", ")}.`,
    ];
    report(parts.filter(Boolean).join(" ") || "No value differs from the text.");
  };
  const count = () => {
    const n = Object.keys(changes()).length;
    note.textContent = n ? `${n} ${n === 1 ? "value differs" : "values differ"} from it (*).` : "";
  };
  groups.addEventListener("input", count);
  return {
    elements: [line, groups],
    /** Takes the sliders of the parameters to this tab. */
    show() {
      groups.prepend(parameters.element);
      count();
    },
    update() {
      const { q, v, z, u, p } = app.loaded.layout,
        { mechanism } = app;
      parameters.update(
        p.filter((x) => x.value !== null),
        mechanism,
      );
      start.update([...q, ...v, ...z], mechanism);
      inputs.update(u, mechanism);
      if (mechanism !== shown) count();
      shown = mechanism;
      writer.hidden = !mechanism.name.endsWith(".toml");
    },
    parameters: parameters.values,
    start: start.values,
    inputs: inputs.values,
  };
}
