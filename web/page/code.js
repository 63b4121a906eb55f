import { byId, copyButton, download, h } from "./dom.js";

const LANGUAGES = { rust: "Rust", c: "C", cuda: "CUDA", latex: "LaTeX" };

function fileView(file) {
  const lines = file.text.split("\n").length - 1;
  return h(
    "section",
    { class: "file" },
    h(
      "div",
      { class: "toolbar" },
      h("h3", {}, file.name),
      h("span", { class: "soft" }, `${lines} lines`),
      h(
        "span",
        { class: "group" },
        copyButton("Copy", () => file.text),
        h("button", { type: "button", onclick: () => download(file.name, file.text) }, "Download"),
      ),
    ),
    h("pre", { tabIndex: 0, "aria-label": `Text of ${file.name}`, role: "region" }, file.text),
  );
}

/** The tab of the code. */
export function createCode(app) {
  const language = h(
    "select",
    { "aria-label": "Language", onchange: () => update() },
    ...Object.entries(LANGUAGES).map(([value, text]) => h("option", { value }, text)),
  );
  const boxes = h("div", { class: "choices", role: "group", "aria-label": "Functions" });
  const choice = h(
    "details",
    {},
    h("summary", {}, "Functions"),
    h("p", { class: "soft" }, "Without a choice the code has the functions that suit most programs."),
    boxes,
  );
  const files = h("div");
  let offered = "";
  byId("code").append(h("div", { class: "toolbar" }, language), choice, files);

  const chosen = () => [...boxes.querySelectorAll("input:checked")].map((box) => box.value);
  const offer = (functions) => {
    if (functions.join() === offered) return;
    offered = functions.join();
    boxes.replaceChildren(
      ...functions.map((name) =>
        h(
          "label",
          {},
          h("input", { type: "checkbox", value: name, onchange: () => update() }),
          " ",
          h("code", {}, name),
        ),
      ),
    );
  };

  const update = app.guard("code", async () => {
    offer(app.loaded.functions);
    choice.hidden = language.value === "latex";
    const name = app.loaded.name;
    const answer =
      language.value === "latex"
        ? {
            files: [
              {
                name: `${name}.tex`,
                text: (await app.request({ do: "equations", forms: [], sections: [], formalism: null }))
                  .latex,
              },
            ],
          }
        : await app.request({ do: "code", language: language.value, functions: chosen() });
    files.replaceChildren(...answer.files.map(fileView));
    return `${LANGUAGES[language.value]} code`;
  });
  return { update };
}
