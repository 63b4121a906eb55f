// Memory of the page.
import { readFile } from "node:fs/promises";

/** Milliseconds between samples. */
const INTERVAL = 50;
/** Bytes above which garbage is collected: Chromium may leave hundreds of megabytes of it. */
const PRESSURE = 200e6;
/** Milliseconds between two collections. */
const PAUSE = 400;

/** Bytes of private memory of a process of Linux; 0 if it has ended. */
async function privateMemory(pid) {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    const sizes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
    return 1024 * sizes.reduce((sum, [, size]) => sum + Number(size), 0);
  } catch {
    return 0;
  }
}

/**
 * Samples the private memory of the process of the page, also while requests run: engine, script,
 * documents, and what Chromium itself adds. `most` is the largest sample, `cause` the value of
 * `doing` at that time.
 * @param {import("playwright-core").Browser} browser with one page
 * @param {import("playwright-core").Page} page
 */
export async function watchMemory(browser, page) {
  const session = await browser.newBrowserCDPSession(),
    pageSession = await page.context().newCDPSession(page);
  let collected = 0;
  const watch = { most: 0, cause: "", doing: "", samples: 0 };
  let isRunning = true;
  const sample = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    const { doing } = watch;
    const bytes = Math.max(0, ...(await Promise.all(pages.map(({ id }) => privateMemory(id)))));
    watch.samples++;
    if (bytes > watch.most) Object.assign(watch, { most: bytes, cause: doing });
    if (bytes > PRESSURE && performance.now() > collected + PAUSE) {
      await pageSession.send("HeapProfiler.collectGarbage");
      collected = performance.now();
    }
  };
  const run = async () => {
    while (isRunning) {
      await sample();
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
    await session.detach();
  };
  const done = run();
  // A test that fails ends without `stop`, and its browser closes.
  done.catch(() => {});
  watch.stop = () => {
    isRunning = false;
    return done;
  };
  return watch;
}
