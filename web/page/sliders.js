import { formatNumber, formatUnit, h } from "./dom.js";

/** Range of a slider: angles turn once, other values go from a tenth to three times their value. */
function range({ value, unit }) {
  if (unit === "rad") return [Math.min(-Math.PI, value - Math.PI), Math.max(Math.PI, value + Math.PI)];
  if (!value) return [-5, 5];
  const ends = [0.1 * value, 3 * value];
  return value > 0 ? ends : ends.reverse();
}

const round = (value) => Number(value.toPrecision(4));

/**
 * A slider with a field for the exact number; it is marked while it differs from the text.
 * @param {{name: string, unit: string, description: string, value: number}} quantity
 * @param {Map<string, number>} changed values that differ from the text, by name
 * @param {() => void} onchange
 */
function createSlider({ name, unit, description, value: initial }, changed, onchange) {
  const [min, max] = range({ unit, value: initial });
  const label = unit && unit !== "1" ? `${name} in ${unit}` : name;
  const slider = h("input", { type: "range", min, max, step: "any", "aria-label": label });
  const field = h("input", { type: "number", step: "any", "aria-label": `${label}, exact` });
  const element = h(
    "div",
    { class: "slider" },
    h("span", { class: "name", "aria-hidden": "true" }, name),
    slider,
    field,
    h("span", { class: "unit soft", "aria-hidden": "true" }, formatUnit(unit)),
  );
  const withUnit = (value) => `${formatNumber(value, 4)} ${formatUnit(unit)}`.trim();
  const set = (value) => {
    const differs = value !== initial,
      note = differs ? `in the text: ${withUnit(initial)}` : "";
    if (differs) changed.set(name, value);
    else changed.delete(name);
    element.classList.toggle("changed", differs);
    element.title = [description, note].filter(Boolean).join("; ");
    slider.setAttribute("aria-valuetext", [withUnit(value), note].filter(Boolean).join(", "));
  };
  const show = (value) => {
    slider.value = value;
    field.value = String(round(value));
    set(value);
  };
  slider.addEventListener("input", () => {
    field.value = String(round(Number(slider.value)));
    set(field.valueAsNumber);
    onchange();
  });
  field.addEventListener("input", () => {
    if (field.value === "" || !Number.isFinite(field.valueAsNumber)) return;
    slider.value = field.value;
    set(field.valueAsNumber);
    onchange();
  });
  show(changed.get(name) ?? initial);
  return { element, reset: () => show(initial) };
}

/**
 * A group of sliders.
 * @param {string} title
 * @param {() => void} onchange
 */
export function createSliders(title, onchange) {
  const changed = new Map();
  const element = h("details", { class: "sliders", hidden: true });
  let rows = [],
    quantities = [],
    mechanism = null;
  return {
    element,
    /**
     * Shows these quantities. Values that differ from the text stay while the mechanism and the
     * value in the text do.
     */
    update(next, nextMechanism) {
      if (mechanism !== nextMechanism) {
        changed.clear();
        element.open = next.length <= 12;
      } else if (JSON.stringify(next) === JSON.stringify(quantities)) return;
      for (const name of [...changed.keys()]) {
        const value = (all) => all.find((quantity) => quantity.name === name)?.value;
        if (value(next) !== value(quantities)) changed.delete(name);
      }
      mechanism = nextMechanism;
      quantities = next;
      rows = next.map((quantity) =>
        createSlider({ ...quantity, value: quantity.value ?? 0 }, changed, onchange),
      );
      element.hidden = !next.length;
      element.replaceChildren(h("summary", {}, title), ...rows.map((r) => r.element));
    },
    values: () => Object.fromEntries(changed),
    reset: () => rows.forEach((r) => r.reset()),
  };
}
