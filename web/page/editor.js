import {
  autocompletion,
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { xml } from "@codemirror/legacy-modes/mode/xml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { h } from "./dom.js";

const LANGUAGES = { toml: StreamLanguage.define(toml), xml: StreamLanguage.define(xml) };

/** The part of a message below its first line, in the tooltip and in the list of messages. */
export function messageDetails(message) {
  return [message.label && message.label !== message.message ? message.label : null, message.help].filter(
    Boolean,
  );
}

function toDiagnostic(message, length) {
  const from = Math.min(message.from, length),
    to = Math.min(Math.max(message.to, from), length);
  return {
    from,
    to,
    severity: message.severity === "note" ? "info" : message.severity,
    message: message.message,
    renderMessage: () =>
      h(
        "div",
        { class: "tooltip-message" },
        h("p", {}, h("strong", {}, `${message.severity} `), h("code", {}, message.code)),
        h("p", {}, message.message),
        ...messageDetails(message).map((text) => h("p", { class: "soft" }, text)),
      ),
  };
}

/**
 * Creates the editor of the mechanism.
 * @param {HTMLElement} parent
 * @param {{text: string, label: string, onchange: (text: string) => void,
 *   complete: (text: string, pos: number) => {from: number, options: object[]}|null}} options
 */
export function createEditor(parent, { text, label, onchange, complete }) {
  const language = new Compartment();
  let kind = "toml",
    silent = false;
  const source = (context) => {
    if (kind !== "toml") return null;
    const word = context.matchBefore(/[\w."[{.=\s-]$/);
    if (!context.explicit && !word) return null;
    const found = complete(context.state.doc.toString(), context.pos);
    if (!found || !found.options.length) return null;
    if (!context.explicit && found.from === context.pos && !/["[.]$/.test(word.text)) return null;
    // Options of equal rank keep their order.
    const ranked = found.options.map((option, i) => ({ ...option, boost: (option.boost ?? 0) - 0.01 * i }));
    const options = ranked.map((option) =>
      option.snippet ? snippetCompletion(option.snippet, option) : option,
    );
    return { from: found.from, options, validFor: /^[\w.*/^-]*$/ };
  };
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    search({ top: true }),
    highlightSelectionMatches(),
    lintGutter(),
    syntaxHighlighting(classHighlighter),
    autocompletion({ override: [source], icons: false }),
    language.of(LANGUAGES.toml),
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      tabindex: "0",
      "aria-label": label,
      "aria-describedby": "editor-help",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !silent) onchange(update.state.doc.toString());
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  // Keep the cursor in view when the list of messages makes the editor smaller.
  new ResizeObserver(() => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
  }).observe(parent);

  return {
    view,
    getText: () => view.state.doc.toString(),

    /** Replaces the text without a call of `onchange`; the language follows from the file name. Returns the text with the line ends of the editor. */
    setText(next, name) {
      silent = true;
      kind = name.endsWith(".toml") ? "toml" : "xml";
      view.setState(EditorState.create({ doc: next, extensions }));
      view.dispatch({ effects: language.reconfigure(LANGUAGES[kind]) });
      silent = false;
      return view.state.doc.toString();
    },

    /** Edits the text as the user does. */
    edit: (changes) => view.dispatch({ changes, userEvent: "input" }),

    /** Underlines the places of messages in the text. */
    setMessages(messages) {
      const length = view.state.doc.length;
      const placed = messages.filter((m) => m.from !== null && m.from !== undefined);
      view.dispatch(
        setDiagnostics(
          view.state,
          placed.map((m) => toDiagnostic(m, length)).sort((a, b) => a.from - b.from),
        ),
      );
    },

    /** Selects the place of a message and moves the focus there. */
    showPlace(from, to) {
      const length = view.state.doc.length;
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      });
      view.focus();
    },
  };
}
