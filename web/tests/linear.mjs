// The tab of the linearised equations.
import { check, chooseExample, openPage, settled } from "./browser.mjs";

/** A point that is no equilibrium is named so, and no number is rounding noise. */
export async function linearised({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.click("#tab-linear");
  await settled(page);
  for (const name of ["ball_on_turntable.toml", "spherical_pendulum.toml", "cart_pole.toml"]) {
    await chooseExample(page, name);
    const kind = await page.locator("#linear > p:not(.problem)").textContent();
    check(kind.startsWith("Not an equilibrium: accelerations are not zero here"), `${name}: ${kind}`);
    const numbers = await page.locator("#linear td.number").allTextContents();
    const noise = numbers.filter((text) => /e−1[2-9]|e−[2-9]\d/.test(text));
    check(!noise.length, `${name}: ${noise}`);
  }
  await page.getByText("Equilibrium", { exact: true }).click();
  await page.getByLabel("theta", { exact: true }).check();
  await settled(page);
  const kind = await page.getByText("Operating point").textContent();
  check(kind === "Operating point: equilibrium; theta = 0", kind);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return kind;
}
