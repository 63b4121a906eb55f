import { byId, formatNumber, h } from "./dom.js";
import { drawPoles } from "./poles.js";
import { createValues } from "./values.js";

/** A kind of operating point in words. */
const describeKind = (kind) =>
  kind === "moving" ? "Not an equilibrium: accelerations are not zero here" : `Operating point: ${kind}`;

/** The numbers with zero in place of rounding noise. */
function removeNoise(rows) {
  const largest = Math.max(0, ...rows.flat().map(Math.abs));
  return rows.map((row) => row.map((x) => (Math.abs(x) < 1e-12 * largest ? 0 : x)));
}

function matrixTable(name, rows, rowNames, columnNames) {
  if (!rows.length || !columnNames.length) return null;
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "region", "aria-label": `Matrix ${name}` },
    h(
      "table",
      {},
      h("caption", {}, name),
      h("thead", {}, h("tr", {}, h("td"), ...columnNames.map((c) => h("th", { scope: "col" }, c)))),
      h(
        "tbody",
        {},
        ...removeNoise(rows).map((row, i) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, rowNames[i]),
            ...row.map((x) => h("td", { class: "number" }, formatNumber(x))),
          ),
        ),
      ),
    ),
  );
}

function poleTable(eigenvalues) {
  const rows = removeNoise(eigenvalues.map(({ re, im }) => [re, im])).map(([re, im]) => {
    const size = Math.hypot(re, im);
    return [re, im, size, size > 0 ? -re / size : null];
  });
  const heads = ["real part, 1/s", "imaginary part, rad/s", "frequency, rad/s", "damping ratio"];
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Poles" },
    h(
      "table",
      {},
      h("caption", {}, "Poles"),
      h("thead", {}, h("tr", {}, ...heads.map((t) => h("th", { scope: "col" }, t)))),
      h(
        "tbody",
        {},
        ...rows.map((row) => h("tr", {}, ...row.map((x) => h("td", { class: "number" }, formatNumber(x))))),
      ),
    ),
  );
}

/** The tab of the linearised equations. */
export function createLinear(app, parameters) {
  const values = createValues(app, parameters, { start: "State", onchange: () => linearize() });
  const trims = h("div", { class: "choices", role: "group", "aria-label": "Values to solve for" });
  const trimBox = h(
    "details",
    {},
    h("summary", {}, "Equilibrium"),
    h("p", { class: "soft" }, "The values that you choose here are changed until the mechanism is at rest."),
    trims,
  );
  const kind = h("p"),
    results = h("div", { class: "results" });
  let offered = "";
  byId("linear").append(kind, trimBox, results, ...values.elements);

  const offerTrims = ({ q, u }) => {
    const names = [...q, ...u].map(({ name }) => name);
    if (names.join() === offered) return;
    offered = names.join();
    trims.replaceChildren(
      ...names.map((name) =>
        h(
          "label",
          {},
          h("input", { type: "checkbox", value: name, onchange: () => linearize() }),
          " ",
          h("code", {}, name),
        ),
      ),
    );
    trimBox.hidden = !trims.children.length;
  };

  const linearize = app.guard("linear", async () => {
    const trim = [...trims.querySelectorAll("input:checked")].map((box) => box.value);
    const answer = await app.request({
      do: "linearize",
      at: values.start(),
      parameters: values.parameters(),
      inputs: values.inputs(),
      trim,
    });
    const [[, ...trimmed]] = removeNoise([[1, ...Object.values(answer.trim ?? {})]]);
    const solved = Object.keys(answer.trim ?? {}).map((name, i) => `${name} = ${formatNumber(trimmed[i])}`);
    const hint = answer.kind === "moving" ? ["choose values under Equilibrium to linearise at rest"] : [];
    kind.textContent = [describeKind(answer.kind), ...hint, ...solved].join("; ");
    results.replaceChildren(
      ...[
        answer.note ? h("p", { class: "soft" }, answer.note) : null,
        h("div", { class: "poles" }, drawPoles(answer.eigenvalues), poleTable(answer.eigenvalues)),
        matrixTable("A", answer.a, answer.states, answer.states),
        matrixTable("B", answer.b, answer.states, answer.inputs),
        matrixTable("C", answer.c, answer.outputs, answer.states),
        matrixTable("D", answer.d, answer.outputs, answer.inputs),
      ].filter(Boolean),
    );
    return "Linearised equations";
  });

  const update = () => {
    values.update();
    offerTrims(app.loaded.layout);
    return linearize();
  };
  return { update, show: values.show };
}
