import { byId, copyButton, download, h } from "./dom.js";
import { NoAnswer } from "./engine.js";

const LANGUAGES = { rust: "Rust", c: "C", cuda: "CUDA", latex: "LaTeX" };

/** Position of the definition of a function in a file; -1 if there is none. */
function findDefinition({ name: fileName, text }, name) {
  const stem = fileName.replace(/\.\w+$/, "");
  return text.search(new RegExp(`^(?:pub fn |DQDT_FUNCTION \\w+ |int )(?:${stem}_)?${name}[<(]`, "m"));
}

/** Text of a file with links to the functions in it, in their order. */
function createListing(file, functions) {
  const found = functions
    .map((name) => ({ name, from: findDefinition(file, name) }))
    .filter(({ from }) => from >= 0);
  const places = found.map(({ name, from }) => {
    const to = file.text.indexOf("\n", from);
    const element = h("span", { id: `code-${name}`, tabIndex: -1 }, file.text.slice(from, to));
    return { name, from, to, element };
  });
  const parts = [];
  let end = 0;
  for (const { from, to, element } of [...places].sort((a, b) => a.from - b.from)) {
    parts.push(file.text.slice(end, from), element);
    end = to;
  }
  parts.push(file.text.slice(end));
  const links = places.map(({ name, element }) =>
    h(
      "a",
      {
        href: `#${element.id}`,
        onclick: (event) => {
          // The fragment of the address contains the mechanism.
          event.preventDefault();
          element.scrollIntoView();
          element.focus({ preventScroll: true });
        },
      },
      h("code", {}, name),
    ),
  );
  return {
    links: links.length
      ? h("nav", { class: "choices", "aria-label": `Functions in ${file.name}` }, ...links)
      : null,
    text: h("pre", { tabIndex: 0, "aria-label": `Text of ${file.name}`, role: "region" }, ...parts),
  };
}

function fileView(file, functions) {
  const lines = file.text.split("\n").length - 1,
    listing = createListing(file, functions);
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
    listing.links,
    listing.text,
  );
}

const wholeReport = { do: "equations", forms: [], sections: [], formalism: null };

const isHeader = (file) => Number(file.name.endsWith(".h"));

/** The tab of the code. */
export function createCode(app) {
  const language = h(
    "select",
    { "aria-label": "Language", onchange: () => update() },
    ...Object.entries(LANGUAGES).map(([value, text]) => h("option", { value }, text)),
  );
  const boxes = h("div", { class: "choices", role: "group", "aria-label": "Functions" });
  const extraBoxes = h("div", { class: "choices", role: "group", "aria-label": "Functions on request" });
  const refusal = h("p", { class: "problem", role: "alert", hidden: true });
  const choice = h(
    "details",
    {},
    h("summary", {}, "Functions"),
    h("p", { class: "soft" }, "This mechanism does not need the functions in grey."),
    boxes,
    h("p", { class: "soft" }, "On request:"),
    extraBoxes,
    refusal,
  );
  const files = h("div");
  /** Functions that the user does not want. */
  const unwanted = new Set();
  /** Functions on request that the user wants. */
  const requested = new Set();
  let offered = "";
  byId("code").append(h("div", { class: "toolbar" }, language), choice, files);

  const offer = (functions, available) => {
    const next = JSON.stringify([functions, available]);
    if (next === offered) return;
    offered = next;
    offerOnRequest(app.loaded.on_request);
    boxes.replaceChildren(
      ...functions.map((name) => {
        const isAvailable = available.includes(name);
        const toggle = (event) => {
          if (event.target.checked) unwanted.delete(name);
          else unwanted.add(name);
          update();
        };
        const box = h("input", {
          type: "checkbox",
          checked: isAvailable && !unwanted.has(name),
          disabled: !isAvailable,
          onchange: toggle,
        });
        return h("label", {}, box, " ", h("code", {}, name));
      }),
    );
  };

  const offerOnRequest = (functions) =>
    extraBoxes.replaceChildren(
      ...functions.map(({ name, summary }) => {
        const toggle = (event) => {
          if (event.target.checked) requested.add(name);
          else requested.delete(name);
          update();
        };
        const box = h("input", { type: "checkbox", checked: requested.has(name), onchange: toggle });
        return h("label", { title: summary }, box, " ", h("code", {}, name));
      }),
    );

  /** The code with the functions that the user wants. */
  const emit = async () => {
    const { functions, on_request: onRequest } = app.loaded;
    const request = (names) => app.request({ do: "code", language: language.value, functions: names });
    const all = (await request([])).files.sort((a, b) => isHeader(a) - isHeader(b));
    const available = functions.filter((name) => findDefinition(all[0], name) >= 0);
    offer(functions, available);
    refusal.hidden = true;
    const wanted = available.filter((name) => !unwanted.has(name));
    wanted.push(...onRequest.map((f) => f.name).filter((name) => requested.has(name)));
    if (wanted.join() === available.join()) return all;
    try {
      if (!wanted.length) throw new Error("Choose a function.");
      return (await request(wanted)).files.sort((a, b) => isHeader(a) - isHeader(b));
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      refusal.textContent = error.message;
      refusal.hidden = false;
      return [];
    }
  };

  const update = app.guard("code", async () => {
    const { name, functions, on_request: onRequest } = app.loaded,
      isLatex = language.value === "latex";
    choice.hidden = isLatex;
    const emitted = isLatex
      ? [
          {
            name: `${name}.tex`,
            text: (await app.request(wholeReport, "code")).latex,
          },
        ]
      : await emit();
    const linked = [...functions, ...onRequest.map((f) => f.name)];
    files.replaceChildren(...emitted.map((file, i) => fileView(file, i || isLatex ? [] : linked)));
    return `${LANGUAGES[language.value]} code`;
  });
  return { update, clear: () => files.replaceChildren() };
}
