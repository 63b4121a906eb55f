import { scanToml } from "./scan.js";

const strings = (raw) => [...raw.matchAll(/"([^"]*)"|'([^']*)'/g)].map((m) => m[1] ?? m[2]);

/**
 * Names that a spec defines, by kind. Coordinates and other names that follow from defaults come
 * from the `layout` of the last text without errors.
 * @param {string} text
 * @param {Record<string, {name: string}[]>|null} layout
 */
export function collectNames(text, layout) {
  const names = {
    parameters: new Set(),
    bodies: new Set(),
    joints: new Set(),
    coordinates: new Set(),
    speeds: new Set(),
    states: new Set(),
    inputs: new Set(),
    definitions: new Set(),
    tables: new Set(),
    points: new Map(),
    loads: new Set(),
    constraints: new Set(),
    outputs: new Set(),
    events: new Set(),
    repeat: new Set(),
  };
  for (const { path, raw } of scanToml(text).entries) {
    const [section, name] = path;
    if (path.length >= 2 && names[section] instanceof Set) names[section].add(name);
    const points =
      section === "bodies" ? path.indexOf("points") : section === "ground" && path[1] === "points" ? 1 : -1;
    if (points > 0 && path.length > points + 1) {
      const body = section === "ground" ? "ground" : name,
        all = names.points.get(body) ?? new Set();
      names.points.set(body, all.add(path[points + 1]));
    }
    if (section === "joints" && path.at(-1) === "names") {
      const kind = path.at(-2) === "speeds" ? names.speeds : names.coordinates;
      strings(raw).forEach((s) => kind.add(s));
    }
  }
  const kinds = {
    q: names.coordinates,
    v: names.speeds,
    z: names.states,
    u: names.inputs,
    p: names.parameters,
  };
  for (const [key, kind] of Object.entries(kinds)) layout?.[key]?.forEach((entry) => kind.add(entry.name));
  return names;
}
