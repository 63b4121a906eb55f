// Size, times and requests.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { check, chooseExample, launch, openPage, settled, TABS } from "./browser.mjs";

/** Bytes of the compressed page, below which it has to stay. */
const LARGEST_PAGE = 5e6;
/** The first view from disk, and the size of the page. */
export async function firstView({ url, file }) {
  const browser = await launch(),
    since = performance.now();
  const page = await openPage(browser, url);
  await page.frameLocator("iframe").locator(".relation").first().waitFor();
  const time = performance.now() - since,
    size = gzipSync(await readFile(file), { level: 9 }).length;
  check(!page.faults.length, page.faults.join("\n"));
  await browser.close();
  check(
    size < LARGEST_PAGE,
    `the page has ${(size / 1e6).toFixed(2)} MB compressed, more than ${LARGEST_PAGE / 1e6} MB`,
  );
  return `${time.toFixed(0)} ms to the first equations, ${(size / 1e6).toFixed(2)} MB compressed`;
}

/** The page works from a server as from disk, and requests nothing else. */
export async function server({ browser, file }) {
  const html = await readFile(file),
    asked = [];
  const http = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const page = await openPage(browser, `http://127.0.0.1:${http.address().port}/`);
  await settled(page);
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    await settled(page);
  }
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  http.close();
  check(asked.length === 1, `requests: ${asked}`);
  return "one request";
}

/** Time from a key to new equations, for mechanisms with two degrees of freedom. */
export async function typing({ browser, url }) {
  const page = await openPage(browser, url),
    report = [];
  await settled(page);
  for (const name of [
    "cart_pole.toml",
    "double_pendulum.toml",
    "furuta_pendulum.toml",
    "spherical_pendulum.toml",
  ]) {
    await chooseExample(page, name);
    await page.click(".cm-content");
    await page.keyboard.press("Control+Home");
    await page
      .locator(".cm-line", { hasText: /^description = / })
      .first()
      .click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    const times = [];
    for (const letter of "abcdefghijklmno") {
      await page.evaluate(() => {
        const subtitle = () =>
          document.querySelector("iframe").contentDocument.querySelector(".subtitle")?.textContent;
        const before = subtitle();
        window.latency = new Promise((resolve) =>
          addEventListener(
            "keydown",
            () => {
              const since = performance.now();
              const look = () =>
                subtitle() === before
                  ? requestAnimationFrame(look)
                  : requestAnimationFrame(() => resolve(performance.now() - since));
              look();
            },
            { once: true, capture: true },
          ),
        );
      });
      await page.keyboard.press(letter);
      times.push(await page.evaluate(() => window.latency));
      await settled(page);
    }
    times.sort((a, b) => a - b);
    report.push(`${name} ${times[7].toFixed(0)} ms (${times[14].toFixed(0)} at most)`);
  }
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return report.join(", ");
}
