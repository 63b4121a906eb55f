// Accessibility, as far as axe-core finds faults.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { check, openPage, settled, TABS } from "./browser.mjs";

/** axe-core finds no violation on any tab, light and dark, with errors and with the help open. */
export async function accessibility({ browser, url }) {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    found = [];
  const inspect = async (page, place) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
    for (const v of violations)
      found.push(
        `${place}: ${v.id} (${v.help}) at ${v.nodes
          .slice(0, 3)
          .map((n) => n.target.join(" "))
          .join("; ")}`,
      );
  };
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 375]) {
      const page = await openPage(browser, url, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: "reduce",
      });
      await settled(page);
      const report = await page.locator("iframe").getAttribute("srcdoc");
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        await settled(page);
        await inspect(page, `${tab}, ${colorScheme}, ${width}`);
      }
      await page.click(".cm-content");
      await page.keyboard.insertText("mas = 1\n");
      await settled(page);
      await inspect(page, `errors, ${colorScheme}, ${width}`);
      await page.click("#show-help");
      await inspect(page, `help, ${colorScheme}, ${width}`);
      check(!page.faults.length, page.faults.join("\n"));
      await page.setContent(report.replace(" data-compact", ""));
      await inspect(page, `report, ${colorScheme}, ${width}`);
      await page.context().close();
    }
  }
  check(!found.length, found.join("\n"));
  return `${TABS.length + 3} views, light and dark, two widths`;
}
