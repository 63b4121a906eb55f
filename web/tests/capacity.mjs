// Mechanisms and proofs that need much memory.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { check, chooseExample, editText, openPage, readText, settled } from "./browser.mjs";
import { watchMemory } from "./memory.mjs";

const MESSAGE = "needs more memory than the page allows";

/** Changes the number of links of the snowboarder. */
async function setLinks(page, count) {
  const match = /(?<=set = \{ n = )\d+/.exec(await readText(page));
  await editText(page, [{ from: match.index, to: match.index + match[0].length, insert: String(count) }]);
  await settled(page);
}

/**
 * A request that needs too much memory gives one message in its place, is not repeated, and the
 * next text works.
 */
export async function tooLarge({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await chooseExample(page, "snowboarder2.toml");
  await setLinks(page, 400);
  const listed = await page.locator("#messages li").allTextContents();
  check(listed.length === 1 && listed[0].includes(MESSAGE), `messages: ${listed}`);
  check(listed[0].includes("`dqdt inspect`"), `no advice: ${listed}`);
  await setLinks(page, 22);
  check((await page.locator("#equations .problem:visible").textContent()).includes("too much to show"), "no note");
  await setLinks(page, 15);
  check((await page.locator("#equations .problem:visible").count()) === 0, "the note remains");
  check((await page.locator("#messages li").count()) === 0, "15 links have messages");
  const workers = [];
  page.on("worker", (worker) => workers.push(worker));
  await page.click("#tab-linear");
  await settled(page);
  const problem = page.locator("#linear .problem");
  check((await problem.textContent()).includes(MESSAGE), `no message: ${await problem.textContent()}`);
  check((await problem.textContent()).includes("`dqdt linearize`"), "no advice");
  check((await problem.locator("button").count()) === 0, "the same request is offered again");
  await page.waitForTimeout(2500);
  check(workers.length === 1, `${workers.length} workers were started`);
  await setLinks(page, 3);
  check(await problem.isHidden(), "the message remains");
  check(await page.locator("#linear caption", { hasText: "Poles" }).isVisible(), "no poles");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "400 links, then the poles of 15, then those of 3";
}

/** Titles and results of the claims that the command decides. */
async function commandResults(dqdt, spec) {
  const { stdout } = await promisify(execFile)(dqdt, ["prove", spec], { maxBuffer: 1e9 });
  const lines = stdout.replace(/\n {11}/g, " ").matchAll(/^(proved|checked|undecided) +(.*?) \(\d+ entr/gm);
  return new Map([...lines].map(([, result, title]) => [title, result]));
}

/** Titles and results of the claims on the page. */
const pageResults = (page) =>
  page
    .locator(".claims li:has(.claim)")
    .evaluateAll((rows) =>
      rows.map((row) => [".claim", ".status"].map((part) => row.querySelector(part).textContent)),
    );

/**
 * All claims of the examples that need most memory are decided within the memory of the page, as by
 * the command.
 */
export async function proofs({ browser, url, dqdt, root }) {
  const page = await openPage(browser, url),
    memory = await watchMemory(browser, page),
    report = [];
  await settled(page);
  for (const name of ["bricard.toml", "stewart_platform.toml"]) {
    memory.doing = name;
    await chooseExample(page, name);
    await page.click("#tab-checks");
    await settled(page);
    await page.getByRole("button", { name: "Prove all" }).click();
    await page.locator("#checks button.primary:enabled").waitFor({ timeout: 300_000 });
    const total = await page.locator("#checks .toolbar .soft").textContent(),
      [, good, all] = /^(\d+) of (\d+) claims are true$/.exec(total) ?? [];
    check(good && good === all, `${name}: ${total}`);
    const expected = await commandResults(dqdt, join(root, "examples/specs", name));
    const different = (await pageResults(page)).filter(([title, result]) => expected.get(title) !== result);
    check(!different.length, `${name}: not as the command decides: ${different.join("; ")}`);
    const texts = await page.locator(".claims ul:not([hidden])").allTextContents();
    const compared = texts.filter((text) => text.includes("needs more memory")).length;
    report.push(`${name}: ${total}, ${compared} without an exact proof for want of memory`);
    await page.click("#tab-equations");
    await settled(page);
  }
  await memory.stop();
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${report.join("; ")}; ${(memory.most / 1e6).toFixed(0)} MB at most (${memory.cause})`;
}
