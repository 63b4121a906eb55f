// Values of the sliders: shared by the tabs, marked, written into the text.
import { check, openPage, settled } from "./browser.mjs";
import { decodeMechanism } from "../page/address.js";
import { findEdits } from "../page/write.js";

const TEXT = `[parameters]
l = 0.3
m = { value = "20 g", unit = "kg" } # 20 g
w = { value = 30, unit = "cm" }
k = { value = 0, unit = "N/cm" }
d = { value = "2*0.1", unit = "m" }
[parameters.g]
value = 9.81
[joints.ball]
coordinates = { names = ["a", "b"], start = ["5 deg", # the first
  0] }
speeds = { start = { b_dot = "1.5 [rad/s]" } }
`;
const parameter = (name, value, unit) => ({ name, value, unit, description: "" });
const LAYOUT = {
  q: ["first", "second"].map((word, i) => ({
    name: "ab"[i],
    unit: "rad",
    value: [Math.PI / 36, 0][i],
    description: `${word} angle of joint \`ball\``,
  })),
  v: ["a", "b"].map((name, i) => ({
    name: `${name}_dot`,
    unit: "rad/s",
    value: [0, 1.5][i],
    description: `rate of ${name}`,
  })),
  z: [],
  u: [parameter("force", 0, "N")],
  p: [
    parameter("l", 0.3, "m"),
    parameter("m", 0.02, "kg"),
    parameter("w", 0.3, "m"),
    parameter("k", 0, "N/m"),
    parameter("d", 0.2, "m"),
    parameter("g", 9.81, "m/s^2"),
  ],
};
const VALUES = {
  l: 0.4,
  m: 0.03,
  w: 0.4,
  k: 2,
  d: 1,
  g: 1.62,
  a: Math.PI / 18,
  b: 1,
  a_dot: 1,
  b_dot: 2,
  force: 3,
};
const WRITTEN = TEXT.replace("l = 0.3", "l = 0.4")
  .replace('"20 g"', '"30 g"')
  .replace("value = 30", "value = 40")
  .replace("value = 0,", 'value = "2 [N/m]",')
  .replace("9.81", "1.62")
  .replace("5 deg", "10 deg")
  .replace("0] }", "1] }")
  .replace("1.5 [", "2 [");

function applyEdits(text, edits) {
  const last = [...edits].sort((a, b) => b.from - a.from);
  return last.reduce((t, { from, to, insert }) => t.slice(0, from) + insert + t.slice(to), text);
}

/** The text in the editor, as the link contains it. */
async function editorText(page) {
  await page.click("#share");
  await page.waitForFunction(() => document.getElementById("share").textContent === "Link copied");
  await page.waitForFunction(() => document.getElementById("share").textContent === "Copy link");
  return (await decodeMechanism(new URL(page.url()).hash)).text;
}

/**
 * A parameter has one value in Motion and Linearised. It is marked, written into the text where
 * the text has a number, and undone in the editor.
 */
export async function values({ browser, url }) {
  const { edits, left } = findEdits(TEXT, LAYOUT, VALUES);
  check(applyEdits(TEXT, edits) === WRITTEN, `written:\n${applyEdits(TEXT, edits)}`);
  const reasons = left.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  check(
    reasons === "d: a formula; a_dot: no value in the text; force: no value in the text",
    `not written: ${reasons}`,
  );

  const page = await openPage(browser, url, { reducedMotion: "reduce" });
  await settled(page);
  const before = await editorText(page);
  await page.click("#tab-motion");
  await settled(page);
  await page.getByLabel("l in m, exact").fill("0.45");
  await page.getByLabel("theta in rad, exact").fill("0.5");
  await page.getByLabel("force in N, exact").fill("2");
  await settled(page);
  await page.click("#tab-linear");
  await settled(page);
  check((await page.getByLabel("l in m, exact").inputValue()) === "0.45", "Linearised has another value");
  check((await page.locator("#linear .changed").count()) === 1, "the value is not marked");
  await page.click("#tab-motion");
  await settled(page);
  check((await page.locator("#motion .changed").count()) === 3, "the values are not marked");
  await page.locator("#motion").getByText("Write into the text").click();
  await settled(page);
  const after = await editorText(page);
  const expected = before
    .replace("l = { value = 0.3,", "l = { value = 0.45,")
    .replace("5 deg", "28.64788976 deg");
  check(after === expected, `the text is\n${after}`);
  const line = await page.locator("#motion").getByText("Not written: force").textContent();
  check(line.startsWith("Written: l, theta."), line);
  check((await page.locator("#motion .changed").count()) === 1, "marks other than that of the force");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  await settled(page);
  check((await editorText(page)) === before, "the text after undo is not that before");
  await page.locator("#motion").getByRole("button", { name: "Reset", exact: true }).click();
  await settled(page);
  check((await page.locator("#motion .changed").count()) === 0, "a mark remains after the reset");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return line;
}
