import { byId, copyButton, createDrawing, createMenu, download, h } from "./dom.js";
import { createReport } from "./report.js";

const FORMS = {
  "": "suitable form",
  scalar: "scalar: one equation for each speed",
  constrained: "constrained: with multipliers",
  implicit: "implicit: M v̇ + c = Q",
  robot: "robot: M q̈ + C q̇ + g = B u + f",
  recursive: "recursive: step by step",
};

/** Characters of a report above which it is not shown: it would take hundreds of megabytes. */
const LONGEST_REPORT = 3e6;

function options(words) {
  return Object.entries(words).map(([value, text]) => h("option", { value }, text));
}

/** The tab of the equations. */
export function createEquations(app) {
  const form = h(
    "select",
    { "aria-label": "Form of the equations", onchange: () => update() },
    ...options(FORMS),
  );
  const sections = h(
    "select",
    { "aria-label": "Parts of the report", onchange: () => update() },
    ...options({ equations: "equations", "": "whole report" }),
  );
  const drawing = createDrawing();
  const frame = h("iframe", { title: "Equations of motion", sandbox: "allow-same-origin" });
  const report = createReport(frame);
  const tooLong = h("p", { class: "problem", hidden: true });
  let answer = null,
    name = "mechanism";
  const save = (extension, type, key) =>
    h(
      "button",
      { type: "button", onclick: () => download(`${name}.${extension}`, answer[key], type) },
      `Download .${extension}`,
    );
  const copyLatex = copyButton("Copy LaTeX", () => answer.latex);
  const exports = [
    copyButton("Copy text", () => answer.text),
    save("html", "text/html", "html"),
    save("tex", "text/x-tex", "latex"),
    save("txt", "text/plain", "text"),
  ];
  const setAnswer = (next) => {
    answer = next;
    for (const button of [copyLatex, ...exports]) button.disabled = !answer;
  };
  setAnswer(null);
  const figure = h("figure", { class: "sketch" }, drawing.element);
  byId("equations").append(
    h(
      "div",
      { class: "toolbar" },
      form,
      sections,
      copyLatex,
      createMenu("Export", ...exports),
    ),
    figure,
    tooLong,
    frame,
  );

  const update = app.guard("equations", async () => {
    const message = {
      do: "equations",
      forms: form.value ? [form.value] : [],
      sections: sections.value ? [sections.value] : [],
      formalism: null,
    };
    setAnswer(await app.request(message));
    name = app.loaded.name;
    const length = answer.html.length;
    tooLong.hidden = length <= LONGEST_REPORT;
    tooLong.textContent = `This report has ${(length / 1e6).toFixed(1)} MB, too much to show here. Download it from the menu Export.`;
    frame.hidden = !tooLong.hidden;
    if (tooLong.hidden) report.show(answer.html, Boolean(sections.value));
    figure.hidden = !sections.value;
    const { svg } = await app.request({ do: "sketch" });
    drawing.show(svg, `Sketch of ${name.replaceAll("_", " ")} at the start`);
    return sections.value ? "Equations" : "Report";
  });
  const clear = () => {
    setAnswer(null);
    report.clear();
    drawing.clear();
  };
  return { update, clear };
}
