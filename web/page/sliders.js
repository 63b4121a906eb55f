import { formatNumber, formatUnit, h } from "./dom.js";

/** Range of a slider: angles turn once, other values go from a tenth to three times their value. */
function range({ value, unit }) {
  if (unit === "rad") return [Math.min(-Math.PI, value - Math.PI), Math.max(Math.PI, value + Math.PI)];
  if (!value) return [-5, 5];
  const ends = [0.1 * value, 3 * value];
  return value > 0 ? ends : ends.reverse();
}

/**
 * A group of sliders, each with a field for the exact number.
 * @param {string} title
 * @param {{name: string, unit: string, description: string, value: number}[]} quantities
 * @param {() => void} onchange
 */
export function createSliders(title, quantities, onchange) {
  const changed = new Map();
  const rows = quantities.map((quantity) => {
    const { name, unit, description } = quantity,
      initial = quantity.value ?? 0,
      [min, max] = range({ unit, value: initial });
    const label = unit && unit !== "1" ? `${name} in ${unit}` : name;
    const slider = h("input", { type: "range", min, max, step: "any", "aria-label": label });
    const field = h("input", { type: "number", step: "any", "aria-label": `${label}, exact` });
    const set = (value) => {
      if (value === initial) changed.delete(name);
      else changed.set(name, value);
      slider.setAttribute("aria-valuetext", `${formatNumber(value, 4)} ${unit ?? ""}`);
    };
    const show = (value) => {
      slider.value = value;
      field.value = String(Number(value.toPrecision(4)));
    };
    slider.addEventListener("input", () => {
      field.value = String(Number(Number(slider.value).toPrecision(4)));
      set(Number(slider.value));
      onchange();
    });
    field.addEventListener("input", () => {
      if (field.value === "" || !Number.isFinite(field.valueAsNumber)) return;
      slider.value = field.value;
      set(field.valueAsNumber);
      onchange();
    });
    show(initial);
    set(initial);
    const element = h(
      "div",
      { class: "slider", title: description || undefined },
      h("span", { class: "name", "aria-hidden": "true" }, name),
      slider,
      field,
      h("span", { class: "unit soft", "aria-hidden": "true" }, formatUnit(unit)),
    );
    return {
      element,
      reset: () => {
        show(initial);
        set(initial);
      },
    };
  });
  const element = h(
    "details",
    { class: "sliders", open: quantities.length <= 12 },
    h("summary", {}, title),
    ...rows.map((r) => r.element),
  );
  return {
    element,
    values: () => Object.fromEntries(changed),
    reset: () => rows.forEach((r) => r.reset()),
  };
}
