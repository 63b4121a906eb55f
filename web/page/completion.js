import { scanToml } from "./scan.js";
import { collectNames } from "./names.js";

/** Kinds of names that the value of a key refers to. */
const REFERENCES = {
  parent: ["bodies"],
  child: ["bodies"],
  body: ["bodies"],
  on: ["bodies"],
  reaction: ["bodies"],
  frame: ["bodies"],
  from: ["bodies"],
  to: ["bodies"],
  joint: ["joints"],
  coordinate: ["coordinates"],
  speed: ["speeds"],
  hold: ["coordinates"],
  free: ["speeds"],
  dependent: ["speeds", "coordinates"],
  input: ["inputs"],
};
/** Sections that most mechanisms have, as the list of completions shows them first. */
const SECTIONS = ["bodies", "joints", "loads", "inputs", "parameters", "outputs", "constraints", "events"];
const GROUND = ["parent", "body", "from", "to", "frame"];
const UNITS = ["unit", "x_unit", "y_unit"];
/** Kinds of names that formulas use, with the words that the list of completions shows. */
const FORMULA_KINDS = {
  parameters: "parameter",
  coordinates: "coordinate",
  speeds: "speed",
  states: "state",
  inputs: "input",
  definitions: "definition",
};

const bare = (raw) => raw?.replace(/^["']|["']$/g, "");

const unitOptions = (words) =>
  words.units.map((unit) => ({ label: unit.name, type: "unit", detail: unit.description }));

/** Value of a key next to a place, in the table there or one around it. */
function neighbour(frames, key) {
  for (const frame of [...frames].reverse()) if (frame.values[key]) return bare(frame.values[key]);
  return undefined;
}

function completeKey(schema, scan, text, pos) {
  const all = schema.at(scan.frame.path, scan.frame.values),
    present = scan.frame.values;
  const equals = /^\s*=/.test(text.slice(pos)) ? "" : " = ";
  return schema
    .keys(all)
    .filter((k) => !(k.name in present))
    .map((k) => ({
      label: k.name,
      type: "property",
      apply: k.name + equals,
      boost: k.required ? 2 : 0,
      detail: k.required ? "required" : undefined,
      info: k.description || undefined,
    }));
}

function completeHeader(schema, names, typed) {
  const path = typed.replace(/^\[+/, "").split(".").slice(0, -1);
  const options = schema
    .keys(schema.at(path))
    .filter((k) => k.alternatives.some((a) => a.properties || a.additionalProperties));
  const rank = ({ name }) => (path.length ? 0 : SECTIONS.indexOf(name) + 1 || SECTIONS.length + 1);
  options.sort((a, b) => rank(a) - rank(b));
  const sections = options.map((k) => ({
    label: [...path, k.name].join("."),
    type: "namespace",
    info: k.description || undefined,
  }));
  const known = names[path[0]];
  if (path.length === 1 && known instanceof Set) {
    for (const name of known) sections.push({ label: `${path[0]}.${name}`, type: "variable" });
  }
  return sections;
}

/** Schemas and key of the value at a place; an array belongs to the key before it. */
function valueAt(schema, scan) {
  const frame = scan.frame,
    inArray = frame.kind === "array";
  const path = inArray ? frame.path : [...frame.path, frame.key];
  const outer = inArray ? scan.frames[scan.frames.length - 2] : frame;
  let schemas = schema.at(path);
  if (inArray) schemas = schema.items(schemas);
  if (
    path.length === 3 &&
    ["joints", "loads", "constraints", "outputs", "events"].includes(path[0]) &&
    outer
  ) {
    const parent = schema.at(path.slice(0, -1), outer.values);
    const own = schema.keys(parent).find((k) => k.name === path.at(-1))?.alternatives ?? [];
    if (own.length) schemas = inArray ? schema.items(own) : own;
  }
  const types = path.at(-1) === "type" ? schema.types(schema.at(path.slice(0, -1))) : new Map();
  return { key: path.at(-1), schemas, words: types.size ? types : schema.words(schemas), path };
}

function completeFormula(names, words, before) {
  const unitPlace = /(\d\s+|\[\s*|\d\s*[*/]?\s*\[[^\]]*)$/.exec(before);
  const options = [];
  if (unitPlace) return unitOptions(words);
  for (const [kind, word] of Object.entries(FORMULA_KINDS)) {
    for (const name of names[kind]) options.push({ label: name, type: "variable", detail: word });
  }
  for (const f of words.functions) {
    const fields = f.arguments.map((name) => `\${${name}}`).join(", ");
    options.push({
      label: f.name,
      type: "function",
      snippet: `${f.name}(${fields})`,
      detail: `(${f.arguments.join(", ")})`,
      info: f.description || undefined,
    });
  }
  for (const name of names.tables)
    options.push({ label: name, type: "function", snippet: `${name}(\${x})`, detail: "table" });
  for (const [body, points] of names.points) {
    for (const point of points)
      options.push({ label: `${body}.${point}`, type: "variable", detail: "frame" });
  }
  for (const body of names.bodies) options.push({ label: body, type: "variable", detail: "body" });
  return options;
}

function completeString(names, words, scan, value, before) {
  const { key } = value;
  if (UNITS.includes(key)) return unitOptions(words);
  if (value.words.size)
    return [...value.words].map(([word, info]) => ({
      label: String(word),
      type: "enum",
      info: info || undefined,
    }));
  if (key === "at" || key === "point") {
    const body = neighbour(scan.frames, "body") ?? "ground";
    return ["com", ...(names.points.get(body) ?? [])].map((label) => ({
      label,
      type: "variable",
      detail: `point of ${body}`,
    }));
  }
  const kinds = REFERENCES[key];
  if (kinds) {
    const all = kinds.flatMap((kind) => [...names[kind]].map((label) => ({ label, type: "variable" })));
    return GROUND.includes(key) ? [{ label: "ground", type: "keyword" }, ...all] : all;
  }
  if (["name", "description", "names", "template"].includes(key)) return [];
  return completeFormula(names, words, before);
}

function completeValue(value, names) {
  const quoted = [...value.words].map(([word, info]) => ({
    label: typeof word === "string" ? `"${word}"` : String(word),
    type: "enum",
    info: info || undefined,
  }));
  const references = (REFERENCES[value.key] ?? []).flatMap((kind) => [...names[kind]]);
  if (references.length && GROUND.includes(value.key)) references.unshift("ground");
  return [...quoted, ...references.map((name) => ({ label: `"${name}"`, type: "variable" }))];
}

/**
 * Completions at a position of a spec.
 * @param {import("./schema.js").Schema} schema
 * @param {{functions: {name: string, arguments: string[], description: string}[],
 *   units: {name: string, description: string}[]}} words
 * @param {Record<string, {name: string}[]>|null} layout layout of the last text without errors
 * @param {string} text
 * @param {number} pos
 * @returns {{from: number, options: object[]}|null} completions; some have a `snippet` with fields
 */
export function complete(schema, words, layout, text, pos) {
  const scan = scanToml(text, pos),
    names = collectNames(text, layout);
  if (scan.place === "comment") return null;
  if (scan.place === "header") {
    const typed = text.slice(scan.from, pos);
    return { from: scan.from + /^\[*/.exec(typed)[0].length, options: completeHeader(schema, names, typed) };
  }
  if (scan.place === "key") return { from: scan.from, options: completeKey(schema, scan, text, pos) };
  const value = valueAt(schema, scan);
  if (scan.place === "value") return { from: scan.from, options: completeValue(value, names) };
  const before = text.slice(scan.from + 1, pos);
  const word = UNITS.includes(value.key) ? before : (/[A-Za-z_][\w.]*$/.exec(before)?.[0] ?? "");
  return {
    from: pos - word.length,
    options: completeString(names, words, scan, value, before.slice(0, before.length - word.length)),
  };
}
