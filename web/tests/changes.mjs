// Random changes of a spec. A change is a kind and replacements of parts of the text, as an editor
// takes them.

/** Pseudo-random numbers below 1 from a seed (mulberry32). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of several values. */
export const pick = (random, all) => all[Math.floor(random() * all.length)];

const NUMBERS = ["0", "1", "2", "-1", "0.5", "1e-9", "1e9", "3.7", "100", "1e300", "-0.001"];
const PIECES = [
  "0",
  "1",
  "-",
  ".",
  "e9",
  "1e300",
  '"',
  "'",
  "[",
  "]",
  "{",
  "}",
  "=",
  ",",
  "#",
  "\n",
  " ",
  "x",
  "theta",
  "m*l^2",
  "sin(",
  ")",
  "^",
  "/0",
  "/",
  "deg",
  "[bodies.a]\n",
  "[joints.j]\n",
  'type = "free"\n',
  'mass = "m"\n',
  "ü",
  "🛷",
  "\u0000",
  "\u202e",
  "n = 3\n",
  "{i}",
  "ground",
  "inf",
  "nan",
];

/** Numbers of a text, not the digits of names. */
const NUMBER = /(?<![\w.])\d+(?:\.\d+)?/g;
/** Names that a spec gives: of tables, and of parameters in one line. */
const NAME = /^\[\w+\.(\w+)\]|^(\w+) = \{ value/gm;

const replacement = (match, insert) => ({ from: match.index, to: match.index + match[0].length, insert });

/** Lines of a text with their line ends. */
const lines = (text) => [...text.matchAll(/.+\n|\n|.+$/g)];

/** Tables of a text: a header and the lines up to the next one. */
const tables = (text) => [...text.matchAll(/^\[[^\]]+\]\n(?:(?!\[).*\n)*/gm)];

/** Another digit in a number: of a value, or of a count of bodies. */
function changeDigit(text, random) {
  const number = pick(random, [...text.matchAll(NUMBER)]);
  if (!number) return [];
  const places = [...number[0].matchAll(/\d/g)],
    at = number.index + pick(random, places).index;
  return [{ from: at, to: at + 1, insert: String(1 + Math.floor(9 * random())) }];
}

/** Another name in all its places. */
function rename(text, random) {
  const match = pick(random, [...text.matchAll(NAME)]);
  if (!match) return [];
  const name = match[1] ?? match[2],
    next = name + pick(random, ["a", "b", "_c", "2"]);
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].map((place) => replacement(place, next));
}

function addLine(text, random) {
  const line = pick(random, lines(text));
  if (!line) return [];
  return [{ from: line.index, to: line.index, insert: pick(random, ["\n", "# a comment\n", line[0]]) }];
}

function removeLine(text, random) {
  const line = pick(random, lines(text));
  return line ? [replacement(line, "")] : [];
}

/** A copy of a table under another name. */
function copyTable(text, random) {
  const table = pick(random, tables(text));
  if (!table) return [];
  const end = table.index + table[0].length;
  return [{ from: end, to: end, insert: table[0].replace("]", "_2]") }];
}

function removeTable(text, random) {
  const table = pick(random, tables(text));
  return table ? [replacement(table, "")] : [];
}

function replaceNumber(text, random) {
  const number = pick(random, [...text.matchAll(NUMBER)]);
  return number ? [replacement(number, pick(random, NUMBERS))] : [];
}

function insertPiece(text, random) {
  const at = Math.floor(random() * (text.length + 1));
  return [{ from: at, to: at, insert: pick(random, PIECES) }];
}

function removePart(text, random) {
  const from = Math.floor(random() * text.length);
  return [{ from, to: Math.min(text.length, from + 1 + Math.floor(12 * random())), insert: "" }];
}

/** Kinds of changes with their shares; the first ones keep most specs without errors. */
const KINDS = [
  [0.45, "digit", changeDigit],
  [0.15, "name", rename],
  [0.15, "line added", addLine],
  [0.02, "table copied", copyTable],
  [0.06, "line removed", removeLine],
  [0.04, "table removed", removeTable],
  [0.06, "number", replaceNumber],
  [0.04, "piece", insertPiece],
  [0.03, "part removed", removePart],
];

/**
 * A random change of a text.
 * @param {string} text
 * @param {() => number} random
 * @returns {{kind: string, changes: {from: number, to: number, insert: string}[]}}
 */
export function chooseChange(text, random) {
  let rest = random();
  const [, kind, change] = KINDS.find(([share]) => (rest -= share) < 0) ?? KINDS[0];
  return { kind, changes: change(text, random) };
}
