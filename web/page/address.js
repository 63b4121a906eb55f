/** Longest address that the page writes, in characters. */
export const LONGEST_ADDRESS = 30_000;

async function pipe(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toBase64url(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/**
 * Fragment of the address that contains a mechanism.
 * @param {{name: string, text: string, files?: Record<string, string>, base?: string}} mechanism
 * @returns {Promise<string>} for example `#m=bY5B…`
 */
export async function encodeMechanism({ name, text, files, base }) {
  const json = JSON.stringify({
    name,
    text,
    files: files && Object.keys(files).length ? files : undefined,
    base,
  });
  const bytes = await pipe(new TextEncoder().encode(json), new CompressionStream("deflate-raw"));
  return "#m=" + toBase64url(bytes);
}

/**
 * The mechanism in a fragment; null if there is none.
 * @param {string} fragment
 * @throws {Error} with a text for the user if the fragment is damaged
 */
export async function decodeMechanism(fragment) {
  if (!fragment.startsWith("#m=")) return null;
  let value;
  try {
    const bytes = await pipe(fromBase64url(fragment.slice(3)), new DecompressionStream("deflate-raw"));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error(
      "The mechanism in this address is damaged: the address was probably cut. Copy the whole link again.",
    );
  }
  if (typeof value?.name !== "string" || typeof value?.text !== "string") {
    throw new Error("This address does not contain a mechanism.");
  }
  const files = Object.entries(value.files ?? {}).filter(([, text]) => typeof text === "string");
  return {
    name: value.name,
    text: value.text,
    files: Object.fromEntries(files),
    base: value.base === "free" ? "free" : "fixed",
  };
}
