import { scanToml } from "./scan.js";

const NUMBER = String.raw`[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?`;
const PLAIN = new RegExp(`^${NUMBER}$`);
const WITH_UNIT = new RegExp(
  String.raw`^(["'])\s*(${NUMBER})\s*(\[[^\]]*\]|[A-Za-z%°µΩ][\w*/^.·%°µΩ-]*)?\s*\1$`,
);
const TOKEN = /"(?:\\.|[^"\\])*"|'[^']*'|#[^\n]*|[[\]{},]|[^\s,[\]{}#"']+/g;

/** Items of an array with their places; null if one is not a number or a string. */
function readItems({ raw, from }) {
  const tokens = [...raw.matchAll(TOKEN)].filter(([token]) => token[0] !== "#");
  const items = tokens.slice(1, -1).filter(([token]) => token !== ",");
  if (tokens[0]?.[0] !== "[" || items.some(([token]) => /^[[\]{}]/.test(token))) return null;
  return items.map((match) => ({ raw: match[0], from: from + match.index }));
}

/** The joint of a coordinate or speed, as the layout describes it. */
function jointOf({ description }, coordinates) {
  const coordinate = coordinates.find((q) => description === `rate of ${q.name}`);
  return /joint `(.*?)`/.exec((coordinate ?? { description }).description)?.[1];
}

/** Place of the value of a quantity; null if the text has none. */
function findPlace(find, { q, v, z, p }, name) {
  if (p.some((x) => x.name === name)) return find("parameters", name, "value") ?? find("parameters", name);
  if (z.some((x) => x.name === name)) return find("states", name, "start");
  for (const [key, quantities] of [
    ["coordinates", q],
    ["speeds", v],
  ]) {
    const quantity = quantities.find((x) => x.name === name);
    if (!quantity) continue;
    const joint = jointOf(quantity, q),
      siblings = quantities.filter((x) => jointOf(x, q) === joint);
    const array = find("joints", joint, key, "start"),
      items = array && readItems(array);
    if (items?.length === siblings.length) return items[siblings.indexOf(quantity)];
    return find("joints", joint, key, "start", name);
  }
  return null;
}

const isClose = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);

/**
 * Text for `value` in place of `raw`, with the unit there; null if `raw` is not the number whose
 * value in SI units is `initial`.
 * @param {string} raw
 * @param {{value: number, initial: number, unit: string, isScaled: boolean}} quantity `isScaled` if
 *   a number without a unit is not in SI units
 */
function rewrite(raw, { value, initial, unit, isScaled }) {
  const [, , quoted, written] = WITH_UNIT.exec(raw) ?? [];
  const digits = quoted ?? (PLAIN.test(raw) ? raw : null);
  if (digits === null) return null;
  const number = Number(digits.replaceAll("_", ""));
  if (!written && !isScaled && !isClose(number, initial)) return null;
  if ((number === 0) !== (initial === 0)) return null;
  if (number === 0 && (written || isScaled)) return `"${value} ${/[*/^]/.test(unit) ? `[${unit}]` : unit}"`;
  const next = isClose(number, initial) ? value : Number(((value / initial) * number).toPrecision(10));
  return raw.replace(digits, () => String(next));
}

/**
 * Edits of a spec that give quantities new values where the text has a number, and no other edits.
 * @param {string} text
 * @param {Record<string, {name: string, unit: string, description: string, value: number}[]>} layout
 * @param {Record<string, number>} values new values by name, in SI units
 * @returns {{edits: {from: number, to: number, insert: string}[], written: string[],
 *   left: {name: string, reason: string}[]}}
 */
export function findEdits(text, layout, values) {
  const entries = new Map(scanToml(`${text}\n`).entries.map((entry) => [entry.path.join("\n"), entry]));
  const find = (...path) => entries.get(path.join("\n")) ?? null;
  const quantities = Object.values(layout).flat();
  const edits = [],
    written = [],
    left = [];
  for (const [name, value] of Object.entries(values)) {
    const place = findPlace(find, layout, name);
    if (!place) {
      left.push({ name, reason: "no value in the text" });
      continue;
    }
    const { unit, value: initial } = quantities.find((x) => x.name === name);
    const ownUnit = find("parameters", name, "unit")?.raw.slice(1, -1) ?? unit;
    const insert = rewrite(place.raw, { value, initial, unit, isScaled: ownUnit !== unit });
    if (insert === null) {
      left.push({ name, reason: "a formula" });
      continue;
    }
    edits.push({ from: place.from, to: place.from + place.raw.length, insert });
    written.push(name);
  }
  return { edits, written, left };
}
