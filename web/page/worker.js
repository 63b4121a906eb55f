// The worker: one workbench of the engine, one request at a time. The build puts the glue of wasm-
// bindgen before this script.
/* global wasm_bindgen */

function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const bytes = atob(text),
    out = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) out[i] = bytes.charCodeAt(i);
  return out;
}

/** Compiles the module while it is decompressed. */
function compile(base64) {
  const stream = new Blob([decodeBase64(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(
    new Response(stream, { headers: { "content-type": "application/wasm" } }),
  );
}

/**
 * True if the engine ended because its memory is used up: a failed allocation ends in a trap, while
 * a panic throws its message.
 */
function isOutOfMemory(error) {
  const isTrap = error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message);
  return isTrap || error.message.includes("capacity overflow");
}

/**
 * Waits for the end of the worker that was stopped before this one: two of them would need twice the
 * memory, and Chromium lets a worker run on for up to two seconds. Pages of servers without TLS
 * have no locks, and do not wait.
 */
function takeTurn(name) {
  return new Promise((resolve) => {
    const keep = () => {
      resolve();
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(name, keep).catch(resolve);
    else resolve();
  });
}

let workbench, memory;

async function start({ base64, module, lock }) {
  await takeTurn(lock);
  if (base64) {
    postMessage({ module: await compile(base64) });
    return;
  }
  const exports = await wasm_bindgen({ module_or_path: module });
  memory = exports.memory;
  workbench = new wasm_bindgen.Workbench();
  postMessage({ ready: true });
}

onmessage = async ({ data }) => {
  if (!workbench) {
    try {
      await start(data);
    } catch (error) {
      postMessage({ failure: String(error) });
    }
    return;
  }
  try {
    const answer = workbench.request(data.json);
    postMessage({ id: data.id, answer, memory: memory.buffer.byteLength });
  } catch (error) {
    postMessage({ id: data.id, trap: error.message, reason: isOutOfMemory(error) ? "memory" : "trap" });
  }
};
