// Equations, messages, files and addresses: what the page shows is what the command prints.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { check, chooseExample, equationsHtml, openPage, settled, typeText } from "./browser.mjs";

const run = promisify(execFile);

async function commandHtml(dqdt, spec) {
  const { stdout } = await run(dqdt, ["inspect", spec, "--sections", "equations", "--format", "html"], {
    encoding: "buffer",
    maxBuffer: 1e9,
  });
  return stdout;
}

/**
 * Each example of the gallery is typed in; its page of equations is that of the command, byte for
 * byte.
 */
export async function gallery({ browser, url, dqdt, root }) {
  const page = await openPage(browser, url),
    folder = join(root, "examples/specs");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".toml")).sort(),
    different = [];
  for (const name of names) {
    await chooseExample(page, name);
    await typeText(page, await readFile(join(folder, name), "utf8"));
    const since = Date.now();
    await settled(page);
    console.log(`  ${name}: ${Date.now() - since} ms`);
    const [here, there] = [await equationsHtml(page), await commandHtml(dqdt, join(folder, name))];
    if (!here.equals(there)) different.push(name);
  }
  check(!different.length, `equations that differ from those of the command: ${different}`);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${names.length} examples typed in, equal byte for byte`;
}

/** A mistake is underlined where the command reports it, and listed with its text. */
export async function mistake({ browser, url, dqdt, root }) {
  const text = (await readFile(join(root, "examples/specs/cart_pole.toml"), "utf8")).replace(
    'mass = "m_pole"',
    'mas = "m_pole"',
  );
  const spec = join(await mkdtemp(join(tmpdir(), "dqdt-page-")), "cart_pole.toml");
  await writeFile(spec, text);
  const failure = await run(dqdt, ["inspect", spec]).catch((error) => error);
  const [, line, column] = /-->.*?:(\d+):(\d+)/.exec(failure.stderr),
    [, code, message] = /error\[(.*?)\]: (.*)/.exec(failure.stderr);
  const page = await openPage(browser, url);
  await settled(page);
  const before = await page.frameLocator("iframe").locator("math").count();
  await typeText(page, text);
  await settled(page);
  await page.click("#messages button");
  const mark = page.locator(".cm-lintRange-error").first();
  check((await mark.textContent()) === "mas", "the unknown key is not underlined");
  const listed = await page.locator("#messages li").first().innerText();
  check(listed.includes(code) && listed.includes(message), `the list lacks \`${message}\`: ${listed}`);
  check(
    listed.includes(`line ${line}, column ${column}`),
    `not at line ${line}, column ${column}: ${listed}`,
  );
  check(
    (await page.frameLocator("iframe").locator("math").count()) === before,
    "the last good equations are gone",
  );
  check(await page.locator(".stale-note").isVisible(), "the old equations are not marked");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${code} at line ${line}, column ${column}`;
}

/** A new text empties the hidden tabs; when opened they show the last text without errors. */
export async function hidden({ browser, url, root }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.click("#tab-motion");
  await settled(page);
  const frame = page.frameLocator("iframe"),
    text = await readFile(join(root, "examples/specs/cart_pole.toml"), "utf8");
  check((await frame.locator("math").count()) > 0, "the equations are gone without a new text");
  await typeText(page, text.replaceAll("theta", "alpha"));
  await settled(page);
  check((await frame.locator("math").count()) === 0, "the hidden tab keeps the old equations");
  await typeText(page, "mas = 1\n" + text);
  await settled(page);
  await page.click("#tab-equations");
  await settled(page);
  await frame.locator("math").first().waitFor();
  const html = (await equationsHtml(page)).toString();
  check(html.includes("α") && !html.includes("θ"), "the equations are not those of the last good text");
  check(!(await page.locator("#equations .problem:visible").count()), "the tab reports a problem");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "equations of the last text without errors";
}

/** The sketch is as wide as its place allows, up to 320 px, in its proportions. */
export async function sketch({ browser, url }) {
  const report = [];
  for (const width of [375, 1280]) {
    const page = await openPage(browser, url, { viewport: { width, height: 800 } });
    await settled(page);
    const size = await page.locator(".sketch .drawing svg").evaluate((svg) => {
      const { width, height } = svg.getBoundingClientRect();
      return [width, height, svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
    });
    check(Math.max(size[0], size[1]) >= 310, `the sketch has ${size[0]} × ${size[1]} px`);
    check(Math.abs(size[0] / size[1] - size[2] / size[3]) < 0.03, `the sketch is distorted: ${size}`);
    check(!page.faults.length, page.faults.join("\n"));
    await page.context().close();
    report.push(`${size[0]} × ${size[1]} px`);
  }
  return report.join(", ");
}

/** Without a body the page leads to its gallery, not to the command. */
export async function advice({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  for (const text of ["", 'name = "a"\n']) {
    await typeText(page, text);
    await settled(page);
    const listed = await page.locator("#messages").textContent();
    check(listed.includes("choose “start of your own” in the gallery"), `no advice: ${listed}`);
    check(!listed.includes("dqdt new"), `advice of the command: ${listed}`);
  }
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "an empty text, no bodies";
}

async function dropFiles(page, paths) {
  const files = await Promise.all(paths.map(async (path) => [basename(path), await readFile(path, "utf8")]));
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, text] of all) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent("#editor", "drop", { dataTransfer: transfer });
  await page.waitForFunction(
    (name) => document.getElementById("file").textContent.startsWith(name),
    basename(paths[0]),
  );
  await settled(page);
}

/** A text with its long decimals rounded: sines of the platforms differ in the last digit. */
const roundDecimals = (bytes) =>
  bytes.toString().replaceAll(/\d+\.\d{13,}(e-?\d+)?/g, (x) => Number(x).toPrecision(12));

/** A URDF, and an MJCF with the files that it includes, are dropped. */
export async function robots({ browser, url, dqdt, root }) {
  const page = await openPage(browser, url),
    data = join(root, "tests/data");
  const sets = [
    ["urdf/finger.urdf"],
    ["mjcf/all_kinds.xml", "mjcf/parts/settings.xml", "mjcf/parts/floating.xml"],
  ];
  await settled(page);
  for (const set of sets) {
    await dropFiles(
      page,
      set.map((path) => join(data, path)),
    );
    const [here, there] = [await equationsHtml(page), await commandHtml(dqdt, join(data, set[0]))];
    check(
      roundDecimals(here) === roundDecimals(there),
      `the equations of ${set[0]} differ from those of the command`,
    );
  }
  await page.click("#convert");
  await settled(page);
  check(
    (await page.textContent("#file")).startsWith("all_kinds.toml"),
    "the spec of the robot is not in the editor",
  );
  check((await page.locator("#status.bad").count()) === 0, "the spec of the robot has errors");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return sets.map((set) => basename(set[0])).join(", ");
}

/** The file of an example has the name of the mechanism that replaces it, also in the code and the address. */
export async function rename({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  const text = await page.evaluate(() => JSON.parse(document.getElementById("examples").textContent)[0].text);
  await typeText(page, text.replace('name = "pendulum"', 'name = "crane"'));
  await settled(page);
  check((await page.textContent("#file")) === "crane.toml", `the file is ${await page.textContent("#file")}`);
  await page.click("#tab-code");
  await settled(page);
  check(
    (await page.locator("#code pre").first().textContent()).includes("from crane.toml"),
    "the code has another file",
  );
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#m="));
  const other = await openPage(browser, page.url());
  await settled(other);
  check((await other.textContent("#file")) === "crane.toml", "the address has another file");
  check(!page.faults.length && !other.faults.length, [...page.faults, ...other.faults].join("\n"));
  await other.context().close();
  await page.context().close();
  return "crane.toml";
}

/** The address opens the same mechanism in another window; a damaged one gives a message. */
export async function address({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("# a comment of mine, with ü and 🛷\n");
  await settled(page);
  const html = await equationsHtml(page);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#m="));
  const link = page.url();
  const other = await openPage(browser, link);
  await settled(other);
  check(
    (await other.textContent(".cm-content")).startsWith("# a comment of mine, with ü and 🛷"),
    "the text is not that of the address",
  );
  check(html.equals(await equationsHtml(other)), "the equations are not those of the address");
  await other.context().close();
  const damaged = await openPage(browser, link.slice(0, -40));
  await settled(damaged);
  check((await damaged.textContent("#problem")).includes("damaged"), "no message about a damaged address");
  check(!damaged.faults.length && !page.faults.length, [...damaged.faults, ...page.faults].join("\n"));
  await damaged.context().close();
  await page.context().close();
  return `${link.length - url.length} characters for the cart-pole`;
}

/** A long report lays out only what is visible from its first layout on, and has its height. */
export async function long({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.click("#tab-checks");
  await chooseExample(page, "snowboarder5.toml");
  await page.click("#tab-equations");
  await settled(page);
  const frame = page.locator("#equations iframe");
  const start = /<html[^>]*>/.exec(await frame.getAttribute("srcdoc"))[0];
  check(start.includes("data-long"), `the report starts with ${start}`);
  await page.waitForFunction(() => parseFloat(document.querySelector("#equations iframe").style.height) > 5000);
  const before = (await frame.boundingBox()).height;
  await page.evaluate(() => {
    document.querySelector("#equations iframe").contentDocument.documentElement.removeAttribute("data-long");
  });
  await page.waitForTimeout(500);
  const after = (await frame.boundingBox()).height;
  check(Math.abs(before - after) < 0.2 * after, `height ${before} px, with all formulas ${after} px`);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `height ${before} px, with all formulas ${after} px`;
}
