// Opens HTML files in a real browser at a phone's, a tablet's and a desktop's width, light and dark, and fails on a script
// error, on a console error, on any request that leaves the page, and on a page that scrolls sideways. Writes screenshots.
//
//     node tests/browser/check.mjs OUT_DIR FILE.html...        (Chromium: $CHROMIUM, or `chromium` in the PATH)
//
// $AXE: the file axe.min.js of the package axe-core; then each page must be without violation in its eyes too.
//
// Plain Node: the browser is driven over a pipe (--remote-debugging-pipe), messages end with a zero byte.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [out, ...files] = process.argv.slice(2);
if (!out || !files.length) {
  console.error("usage: check.mjs OUT_DIR FILE.html...");
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), "dqdt-browser-"));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-default-apps", "--hide-scrollbars", "--remote-debugging-pipe",
  `--user-data-dir=${profile}`, "about:blank"];
const browser = spawn(process.env.CHROMIUM ?? "chromium", flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
browser.on("error", (e) => fail(`cannot start the browser: ${e.message}`));
const axe = process.env.AXE ? readFileSync(process.env.AXE, "utf8") : "";
const clock = setTimeout(() => fail("the browser did not answer in time"), 60_000 + 120_000 * files.length);

let over = false;
browser.on("exit", () => over || fail("the browser ended"));
browser.stdio[3].on("error", () => {});

function fail(message) {
  if (over) return;
  over = true;
  console.error(message);
  browser.kill("SIGKILL");
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  process.exit(1);
}

// Messages.
let next = 1, buffer = "";
const waiting = new Map(), listeners = [];
browser.stdio[4].setEncoding("utf8").on("data", (chunk) => {
  buffer += chunk;
  for (let end; (end = buffer.indexOf("\0")) >= 0;) {
    const message = JSON.parse(buffer.slice(0, end));
    buffer = buffer.slice(end + 1);
    if (message.id) {
      const { done, name } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) fail(`${name}: ${message.error.message}`);
      done(message.result);
    } else {
      listeners.forEach((l) => l(message));
    }
  }
});
const call = (name, params = {}, sessionId) => new Promise((done) => {
  waiting.set(next, { done, name });
  browser.stdio[3].write(JSON.stringify({ id: next++, method: name, params, sessionId }) + "\0");
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const faults = [];
const sizes = [[375, 812], [768, 1024], [1280, 800]];
for (const file of files) for (const [width, height, dark] of [false, true].flatMap((dark) => sizes.map((s) => [...s, dark]))) {
  const name = `${basename(file, ".html")}-${width}${dark ? "-dark" : ""}`, calm = dark && width < 500, url = pathToFileURL(resolve(file)).href;
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  const page = (method, params) => call(method, params, sessionId);
  const fault = (text) => faults.push(`${name}: ${text}`);
  let loaded;
  const load = new Promise((done) => { loaded = done; });
  listeners.push((m) => {
    if (m.sessionId !== sessionId) return;
    const p = m.params;
    if (m.method === "Page.loadEventFired") loaded();
    if (m.method === "Runtime.exceptionThrown") fault(`script error: ${p.exceptionDetails.exception?.description ?? p.exceptionDetails.text}`);
    if (m.method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(p.type)) fault(`console: ${p.args.map((a) => a.value ?? a.description).join(" ")}`);
    if (m.method === "Log.entryAdded" && ["error", "warning"].includes(p.entry.level)) fault(`log: ${p.entry.text}`);
    if (m.method === "Network.requestWillBeSent" && p.request.url !== url && !p.request.url.startsWith("data:")) fault(`request: ${p.request.url}`);
  });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await page(`${domain}.enable`);
  await page("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: width < 500 ? 2 : 1, mobile: width < 500 });
  await page("Emulation.setEmulatedMedia", { features: [
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: calm ? "reduce" : "no-preference" },
  ] });
  await page("Page.navigate", { url });
  await load;
  await pause(200);
  const ask = async (expression) => (await page("Runtime.evaluate", { expression, returnByValue: true })).result.value;
  const wide = await ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  if (wide > 0) fault(`the page is ${wide} px wider than the screen`);
  if (axe) {
    await page("Runtime.evaluate", { expression: axe });
    const run = "axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.length}, first: ${v.nodes[0].target})`)))";
    const { result } = await page("Runtime.evaluate", { expression: run, awaitPromise: true, returnByValue: true });
    JSON.parse(result.value ?? '["axe gave no answer"]').forEach((violation) => fault(`axe: ${violation}`));
  }
  // Touch what can be touched: play and pause, the scrubber, drag.
  if (await ask("!!document.getElementById('play')")) {
    await pause(1000);
    const text = () => ask("document.getElementById('clock').textContent");
    const moving = await ask("JSON.parse(document.getElementById('data').textContent).times.length > 1");
    const before = await text();
    await pause(300);
    const plays = before !== await text();
    if (moving && !calm && !plays) fault("the animation does not play");
    if (calm && plays) fault("the animation plays although less motion was asked for");
    if (moving && calm) {
      await ask("document.getElementById('play').click()");
      await pause(300);
      if (before === await text()) fault("the button does not start the animation");
    }
    await ask("const s = document.getElementById('scrub'); s.value = 400; s.dispatchEvent(new Event('input'))");
    const still = await text();
    await pause(200);
    if (still !== await text()) fault("the scrubber does not stop the animation");
    const at = { x: width / 2, y: 260, button: "left", clickCount: 1 };
    await page("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
    await page("Input.dispatchMouseEvent", { type: "mouseMoved", ...at, x: at.x + 20 });
    await page("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, x: at.x + 20 });
    for (const key of ["ArrowUp", "ArrowLeft", "+", "-", "0", "Home", " "]) {
      await page("Input.dispatchKeyEvent", { type: "keyDown", key, text: key.length === 1 ? key : undefined });
      await page("Input.dispatchKeyEvent", { type: "keyUp", key });
    }
    await ask("document.getElementById('scrub').value = 400; document.getElementById('scrub').dispatchEvent(new Event('input'))");
  }
  if (process.env.SHOTS === "0") {
    await call("Target.closeTarget", { targetId });
    continue;
  }
  const { cssContentSize: size } = await page("Page.getLayoutMetrics");
  const clip = { x: 0, y: 0, width, height: Math.min(size.height, 8000), scale: 1 };
  const { data } = await page("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
  writeFileSync(join(out, `${name}.png`), Buffer.from(data, "base64"));
  await call("Target.closeTarget", { targetId });
}
clearTimeout(clock);
over = true;
await Promise.race([call("Browser.close"), pause(3000)]);
browser.kill("SIGKILL");
await pause(200);
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
faults.forEach((f) => console.error(f));
console.error(faults.length ? `${faults.length} faults` : `${files.length} files: no error, no request, nothing too wide`);
process.exit(faults.length ? 1 : 0);
