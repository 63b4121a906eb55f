// Screenshots of every tab, to look at.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { check, openPage, settled, TABS } from "./browser.mjs";

/** Every tab at three widths, light and dark; no page scrolls sideways. */
export async function screenshots({ browser, url, shots }) {
  if (!shots) return "skipped: no folder (--shots)";
  await mkdir(shots, { recursive: true });
  for (const width of [375, 768, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await openPage(browser, url, {
        colorScheme,
        viewport: { width, height: width < 500 ? 760 : 800 },
      });
      await settled(page);
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        await settled(page);
        if (tab === "motion") await page.waitForTimeout(600);
        if (tab === "checks") {
          await page.click("text=Prove all");
          await page.waitForFunction(() => !document.querySelector("#checks .primary").disabled);
        }
        await page.screenshot({ path: join(shots, `${tab}-${width}-${colorScheme}.png`), fullPage: true });
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        check(excess <= 0, `${tab} scrolls sideways at ${width} px`);
      }
      await page.click("#tab-equations");
      await page.click(".cm-content");
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("mas = 1\n");
      await settled(page);
      await page.locator("#messages").waitFor();
      await page.screenshot({ path: join(shots, `error-${width}-${colorScheme}.png`), fullPage: true });
      await page.context().close();
    }
  }
  return shots;
}
