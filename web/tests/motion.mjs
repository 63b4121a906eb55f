// Sliders, the player and the stop button.
import { check, chooseExample, openPage, settled } from "./browser.mjs";

/** The picture of the player, drawn anew at the same time. */
const picture = (page) =>
  page.evaluate(() => document.querySelector(".player-host").shadowRoot.getElementById("canvas").toDataURL());
/** The values of the signals at the time of the player. */
const readouts = (page) =>
  page.evaluate(
    () => document.querySelector(".player-host").shadowRoot.getElementById("signals").textContent,
  );
const clock = (page) =>
  page.evaluate(() => document.querySelector(".player-host").shadowRoot.getElementById("clock").textContent);

async function countListeners(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((m) => m.name === "JSEventListeners").value;
}

/** A slider changes the motion, keeps time and view, and leaves no listeners. */
export async function slider({ browser, url }) {
  const page = await openPage(browser, url, { reducedMotion: "reduce" });
  await settled(page);
  await page.click("#tab-motion");
  await settled(page);
  const scrub = page.locator("#scrub");
  await scrub.focus();
  for (let i = 0; i < 3; i++) await scrub.press("PageUp");
  const [before, values, time] = [await picture(page), await readouts(page), await clock(page)];
  const length = page.getByRole("slider", { name: "l in m" });
  await length.focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const times = [],
    listeners = [];
  for (let i = 0; i < 60; i++) {
    const since = performance.now();
    await length.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
    await settled(page);
    times.push(performance.now() - since);
    if (i === 9) check((await picture(page)) !== before, "the slider does not change the motion");
    if (i % 20 === 19) listeners.push(await countListeners(session));
  }
  check((await clock(page)) === time, `the time changed from ${time} to ${await clock(page)}`);
  check(listeners[2] <= listeners[0], `listeners grow: ${listeners}`);
  await page.click("text=Reset");
  await settled(page);
  check((await readouts(page)) === values, "the reset does not bring the motion back");
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  times.sort((a, b) => a - b);
  return `a new motion ${times[30].toFixed(0)} ms after the key, ${times[57].toFixed(0)} ms at worst of twenty; ${listeners.at(-1)} listeners`;
}

/** A long request is stopped; a new worker waits for the end of the old one; the page goes on. */
export async function stop({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.selectOption("#gallery", {
    label: await page.locator("#gallery option", { hasText: "panda arm" }).textContent(),
  });
  await settled(page);
  await page.click("#tab-checks");
  await page.waitForSelector(".claims li");
  await settled(page);
  await page.click("text=Prove all");
  await page.waitForSelector("#busy.on", { timeout: 20_000 });
  await page.click("#stop");
  await page.waitForFunction(async () => {
    const { held, pending } = await navigator.locks.query();
    return held.length === 1 && pending.length === 1;
  });
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".status")].some((s) => s.textContent === "stopped"),
  );
  await page.click("#tab-equations");
  await chooseExample(page, "cart_pole.toml");
  const first = await page.frameLocator("iframe").locator(".relation").first().getAttribute("aria-label");
  check(first.includes("m_cart"), `no equations after the stop: ${first}`);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "stopped, then the next mechanism";
}
