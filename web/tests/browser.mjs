// Chromium and the page in it, as the tests use them.
import { chromium } from "playwright-core";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Ids of the panels of all tabs. */
export const TABS = ["equations", "motion", "code", "checks", "linear"];

/** Starts Chromium without a window. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
}

/**
 * Opens the page in a window of its own. Requests other than for the page itself, errors of
 * scripts and violations of the content security policy are collected in `faults`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {object} [options] options of the window, such as its size and colour scheme
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.faults = [];
  context.on("request", (request) => {
    const target = request.url();
    if (target.split("#")[0] !== url.split("#")[0] && !/^(blob|data):/.test(target))
      page.faults.push(`request of ${target}`);
  });
  page.on("pageerror", (error) => page.faults.push(error.stack));
  page.on("console", (message) => {
    if (message.type() === "error") page.faults.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** URL of the page as a file. */
export const fileUrl = (path) => pathToFileURL(path).href;

/** Waits until the results belong to the text in the editor. */
export function settled(page, timeout = 120_000) {
  return page.waitForFunction(
    () => document.getElementById("results").getAttribute("aria-busy") === "false",
    null,
    { timeout, polling: "raf" },
  );
}

/** Replaces the text of the editor by typing. */
export async function typeText(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** The text of the editor. */
export const readText = (page) =>
  page.evaluate(() => document.querySelector(".cm-content").cmTile.root.view.state.doc.toString());

/** Replaces parts of the text of the editor, as pasting does. */
export const editText = (page, changes) =>
  page.evaluate((all) => {
    const { view } = document.querySelector(".cm-content").cmTile.root;
    view.dispatch({ changes: all, userEvent: "input", scrollIntoView: true });
  }, changes);

/** Chooses an example of the gallery by its file name. */
export async function chooseExample(page, name) {
  await page.selectOption("#gallery", { index: await exampleIndex(page, name) });
  await settled(page);
}

async function exampleIndex(page, name) {
  // The first entry of the menu is its prompt.
  return (
    1 +
    (await page.evaluate(
      (file) => JSON.parse(document.getElementById("examples").textContent).findIndex((e) => e.name === file),
      name,
    ))
  );
}

/** The bytes that a button downloads. */
export async function downloadFrom(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFile(await download.path());
}

/** The page of equations that the engine gave. */
export async function equationsHtml(page) {
  await page.locator("#equations details.menu").evaluate((menu) => {
    menu.open = true;
  });
  return downloadFrom(page, () => page.click("text=Download .html"));
}

/** Fails unless `condition` holds. */
export function check(condition, text) {
  if (!condition) throw new Error(text);
}
