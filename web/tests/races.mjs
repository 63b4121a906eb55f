// Texts and tabs that follow each other faster than the engine answers.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, chooseExample, openPage, settled, typeText } from "./browser.mjs";

/** What a tab says of its mechanism. */
const SIGNS = {
  equations: () => document.querySelector(".sketch .drawing").ariaLabel,
  motion: () => [...document.querySelectorAll("#motion .slider .name")].map((e) => e.textContent).join(),
  code: () => document.querySelector("#code pre")?.textContent,
  checks: () => `${document.querySelectorAll("#checks .claims li").length} ${document.querySelector(".balance").textContent}`,
  linear: () => document.querySelector("#linear table:last-of-type")?.textContent,
};

/** The sign of each tab for an example. */
async function signsOf(page, example) {
  await chooseExample(page, example);
  const signs = {};
  for (const tab of Object.keys(SIGNS)) {
    await page.click(`#tab-${tab}`);
    await settled(page);
    signs[tab] = await page.evaluate(SIGNS[tab]);
  }
  return signs;
}

/** Adds a line with an error at the end of the text. */
async function breakText(page) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n[[[bad");
}

/** Hides a tab of another mechanism, and gives the page its text. */
async function hideOld(page, tab) {
  await chooseExample(page, "double_pendulum.toml");
  await page.click(`#tab-${tab}`);
  await settled(page);
  await page.click(tab === "checks" ? "#tab-code" : "#tab-checks");
  await settled(page);
  await chooseExample(page, "panda_arm.toml");
}

/** Each tab shows the last text without errors, whenever texts and tabs change. */
export async function races({ browser, url, root }) {
  const page = await openPage(browser, url);
  await settled(page);
  const expected = await signsOf(page, "panda_arm.toml");
  const different = [];
  const compare = async (tab, name) => {
    await settled(page);
    if ((await page.evaluate(SIGNS[tab])) !== expected[tab]) different.push(`${tab}: ${name}`);
  };
  for (const tab of Object.keys(SIGNS)) {
    await hideOld(page, tab);
    await breakText(page);
    await page.click(`#tab-${tab}`);
    await compare(tab, "opened right after an error");
    for (const pause of [0, 50, 200]) {
      await hideOld(page, tab);
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(pause);
      await breakText(page);
      await compare(tab, `opened ${pause} ms before an error`);
    }
  }
  const text = await readFile(join(root, "examples/specs/panda_arm.toml"), "utf8");
  for (const pause of [45, 60, 120, 250]) {
    await chooseExample(page, "double_pendulum.toml");
    await page.click("#tab-motion");
    await settled(page);
    await typeText(page, text);
    await page.waitForTimeout(pause);
    await breakText(page);
    await settled(page);
    const isTaken = (await page.evaluate(SIGNS.motion)) === expected.motion;
    await page.click("#tab-equations");
    await settled(page);
    const isShown = (await page.evaluate(SIGNS.equations)) === expected.equations;
    if (isTaken !== isShown) different.push(`motion and equations are not about one text (${pause} ms)`);
  }
  await chooseExample(page, "double_pendulum.toml");
  await page.click("#tab-linear");
  await settled(page);
  await chooseExample(page, "panda_arm.toml");
  await settled(page);
  for (const tab of ["checks", "code", "motion"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(20);
  }
  await compare("motion", "opened right after another tab");
  check(await page.locator("#motion details .drawing[role=img]").count(), "the plot is missing");
  await page.click("#tab-checks");
  await compare("checks", "left at once, and opened again");
  check(!different.length, different.join("; "));
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "tabs are about the last text without errors";
}
