/**
 * @typedef {object} Frame a table, inline table or array that is open at a place in a TOML text
 * @property {"table"|"inline"|"array"} kind
 * @property {string[]} path keys from the root
 * @property {string|null} key key whose value is being written
 * @property {Record<string, string>} values raw texts of the values of the keys before
 */

const BARE = /[A-Za-z0-9_-]/;
const unquote = (text) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

/** Keys of a dotted key, such as `bodies.rod."a b"`. */
export function splitKey(text) {
  const keys = [];
  for (const match of text.matchAll(/\s*("[^"]*"|'[^']*'|[A-Za-z0-9_{}+-]+)\s*(\.|$)/g))
    keys.push(unquote(match[1]));
  return keys;
}

/** Position after the string that starts at `i`. An unclosed string ends with its line. */
function stringEnd(text, i) {
  const quote = text[i],
    triple = text.startsWith(quote.repeat(3), i);
  if (triple) {
    const end = text.indexOf(quote.repeat(3), i + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let k = i + 1; k < text.length && text[k] !== "\n"; k++) {
    if (text[k] === "\\" && quote === '"') k++;
    else if (text[k] === quote) return k + 1;
  }
  const line = text.indexOf("\n", i);
  return line < 0 ? text.length : line;
}

/**
 * Reads a TOML text, which may be incomplete, up to `limit`.
 * @param {string} text
 * @param {number} [limit]
 * @returns {{entries: {path: string[], raw: string, from: number}[], place: "header"|"key"|"value"|"string"|"comment",
 *   from: number, frame: Frame, frames: Frame[]}} the keys and values so far, and the place at `limit`; `from` is the
 *   start of the header, string or word there
 */
export function scanToml(text, limit = text.length) {
  const entries = [],
    table = (path) => ({ kind: "table", path, key: null, values: {} });
  let frames = [table([])],
    i = 0,
    valueStart = -1;
  const top = () => frames[frames.length - 1];
  const result = (place, from) => ({ entries, place, from, frame: top(), frames });
  const endValue = (end) => {
    const frame = top();
    if (frame.kind === "array" || frame.key === null) return;
    const value = text.slice(valueStart, end),
      raw = value.trim(),
      from = valueStart + value.length - value.trimStart().length;
    frame.values[frame.key] = raw;
    entries.push({ path: [...frame.path, ...splitKey(frame.key)], raw, from });
    frame.key = null;
  };
  const open = (kind) => {
    const frame = top(),
      path = frame.key === null ? frame.path : [...frame.path, ...splitKey(frame.key)];
    frames.push({ kind, path, key: null, values: {}, outerStart: valueStart });
  };
  while (i < limit) {
    const c = text[i],
      frame = top();
    if (c === "#") {
      const line = text.indexOf("\n", i);
      if (line < 0 || line >= limit) return result("comment", i);
      if (frame.kind === "table") endValue(i);
      i = line;
    } else if (c === "\n") {
      if (frame.kind === "table") {
        endValue(i);
        frame.key = null;
      }
      // A header at the start of a line ends tables and arrays that were left open.
      const header = /^\n[ \t]*\[+([A-Za-z_][^\]\n=,]*)(\]+[ \t]*(#.*)?(?=\n|$))/.exec(
        text.slice(i, i + 400),
      );
      if (header && frames.length > 1) frames = [table(frames[0].path)];
      i++;
    } else if (c === '"' || c === "'") {
      const end = stringEnd(text, i);
      const closed = end > i + 1 && text[end - 1] === c;
      if (end > limit || (end === limit && !closed)) return result("string", i);
      if (frame.kind !== "array" && frame.key === null) i = readKey(i);
      else i = end;
    } else if (c === "[" && frame.kind === "table" && frame.key === null) {
      const from = i;
      while (text[i] === "[") i++;
      const start = i;
      while (i < text.length && text[i] !== "]" && text[i] !== "\n")
        i = text[i] === '"' || text[i] === "'" ? stringEnd(text, i) : i + 1;
      if (i >= limit) return result("header", from);
      frames = [table(splitKey(text.slice(start, i)))];
      entries.push({ path: top().path, raw: "", from: i });
      while (text[i] === "]") i++;
    } else if (c === "[" || c === "{") {
      open(c === "[" ? "array" : "inline");
      i++;
    } else if ((c === "]" && frame.kind === "array") || (c === "}" && frame.kind === "inline")) {
      if (c === "}") endValue(i);
      const { outerStart } = frames.pop();
      valueStart = outerStart;
      i++;
    } else if (c === "," && frame.kind === "inline") {
      endValue(i);
      i++;
    } else if (BARE.test(c) && frame.kind !== "array" && frame.key === null) {
      i = readKey(i);
    } else i++;
  }
  const word = /[A-Za-z0-9_.+-]*$/.exec(text.slice(Math.max(0, limit - 200), limit))[0];
  const inValue = top().kind === "array" || top().key !== null;
  return result(inValue ? "value" : "key", limit - word.length);

  /** Reads `key =` at `at`; without the equals sign the rest of the word is skipped. */
  function readKey(at) {
    const match =
      /^((?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+))*)[ \t]*(=?)/.exec(
        text.slice(at, at + 300),
      );
    if (!match) return at + 1;
    const end = at + match[0].length;
    if (!match[2] || end > limit) return Math.min(end, limit) || at + 1;
    top().key = match[1];
    valueStart = end;
    return end;
  }
}
