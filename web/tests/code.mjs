// The tab of the code.
import { check, chooseExample, openPage, settled } from "./browser.mjs";

/** Links lead to functions, the source comes first, boxes choose functions that the mechanism has. */
export async function code({ browser, url }) {
  const page = await openPage(browser, url),
    report = [];
  await settled(page);
  await page.click("#tab-code");
  for (const name of ["cart_pole.toml", "four_bar.toml", "bouncing_pendulum.toml"]) {
    await chooseExample(page, name);
    for (const language of ["rust", "c", "cuda"]) {
      await page.getByLabel("Language").selectOption(language);
      await settled(page);
      const links = await page.locator("#code nav a").allTextContents();
      check(links[0] === "dqdt", `${name}, ${language}: the first link is ${links[0]}`);
      const ticked = await page.locator("#code .choices label:has(input:checked)").allTextContents();
      check(
        ticked.map((text) => text.trim()).join() === links.join(),
        `${name}: ticked ${ticked}, links ${links}`,
      );
      report.push(links.length);
    }
  }
  await chooseExample(page, "cart_pole.toml");
  await page.getByLabel("Language").selectOption("c");
  await settled(page);
  const names = await page.locator("#code h3").allTextContents();
  check(names.join() === "cart_pole.c,cart_pole.h", `files: ${names}`);
  const before = page.url();
  await page.locator("#code nav a", { hasText: "energy" }).click();
  const focus = await page.evaluate(() => ({
    text: document.activeElement.textContent,
    top:
      document.activeElement.getBoundingClientRect().top -
      document.activeElement.closest("pre").getBoundingClientRect().top,
  }));
  check(
    focus.text.startsWith("int cart_pole_energy(") && focus.top >= 0 && focus.top < 100,
    JSON.stringify(focus),
  );
  check(page.url() === before, "a link changes the address");
  await page.getByText("Functions", { exact: true }).click();
  check(await page.getByLabel("multipliers", { exact: true }).isDisabled(), "multipliers are offered");
  await page.getByLabel("energy", { exact: true }).uncheck();
  await settled(page);
  const text = await page.locator("#code pre").first().textContent();
  check(text.includes("int cart_pole_dqdt(") && !text.includes("int cart_pole_energy("), "energy is emitted");
  await page.getByLabel("linearize", { exact: true }).check();
  await settled(page);
  check((await page.locator("#code nav a").allTextContents()).includes("linearize"), "no link to linearize");
  const boxes = page.locator("#code input:checked");
  while (await boxes.count()) await boxes.first().uncheck();
  await settled(page);
  check((await page.locator("#code .problem:visible").textContent()) === "Choose a function.", "no message");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `links: ${report.join(", ")}`;
}
