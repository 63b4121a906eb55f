/** Files that may be a mechanism or a part of one. */
const TEXT = /\.(toml|urdf|xml|mjcf|csv)$/i;

async function readEntry(entry, path, out) {
  const name = path + entry.name;
  if (entry.isFile) {
    if (!TEXT.test(name)) return;
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    out[name] = await file.text();
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return;
    for (const child of batch) await readEntry(child, `${name}/`, out);
  }
}

/** Texts of dropped files and folders by path. */
export async function readDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const out = {};
  if (entries.length) for (const entry of entries) await readEntry(entry, "", out);
  else Object.assign(out, await readFiles(transfer.files));
  return out;
}

/** Texts of chosen files by name. */
export async function readFiles(files) {
  const texts = [...files].filter((file) => TEXT.test(file.name));
  return Object.fromEntries(
    await Promise.all(texts.map(async (file) => [file.webkitRelativePath || file.name, await file.text()])),
  );
}

const baseName = (path) => path.split("/").at(-1);

/** Paths to which some texts refer, as they are written there. */
function findReferences(texts) {
  return texts.flatMap((text) =>
    [...text.matchAll(/(?:file|template)\s*=\s*["']([^"']+)["']/g)].map((m) => m[1]),
  );
}

/** Path of a file as the mechanism refers to it; else relative to the mechanism. */
function includePath(path, main, references) {
  const from = main.split("/").slice(0, -1),
    to = path.split("/");
  while (from.length && to.length > 1 && from[0] === to[0]) {
    from.shift();
    to.shift();
  }
  const relative = [...from.map(() => ".."), ...to].join("/");
  return references.includes(relative)
    ? relative
    : (references.find((r) => baseName(r) === baseName(path)) ?? relative);
}

/**
 * The mechanism among some files: a file that no other includes before one that is included, and a
 * spec before a robot. The other files are its includes, with paths relative to it.
 * @param {Record<string, string>} texts
 * @returns {{name: string, text: string, files: Record<string, string>}|null}
 */
export function findMechanism(texts) {
  const references = findReferences(Object.values(texts));
  const rank = (path) =>
    (references.some((r) => baseName(r) === baseName(path)) ? 10 : 0) +
    [/\.toml$/i, /\.urdf$/i, /\.(xml|mjcf)$/i].findIndex((r) => r.test(path));
  const isMain = (path) => /\.(toml|urdf|mjcf)$/i.test(path) || /<(mujoco|robot)\b/.test(texts[path]);
  const [main] = Object.keys(texts)
    .filter(isMain)
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length);
  if (!main) return null;
  const others = Object.keys(texts).filter((path) => path !== main);
  const files = Object.fromEntries(others.map((path) => [includePath(path, main, references), texts[path]]));
  return { name: baseName(main), text: texts[main], files };
}
