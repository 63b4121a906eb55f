// The page without a mouse: completion, tabs, messages, leaving the editor.
import { check, chooseExample, openPage, settled } from "./browser.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.className);
const line = (page) => page.locator(".cm-activeLine").textContent();

async function completeLine(page, text, expected) {
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type(text);
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li[aria-selected]");
  // The editor ignores keys for a moment after the list opens.
  await page.waitForTimeout(120);
  await page.keyboard.press("Enter");
  const found = (await line(page)).trim();
  check(found === expected, `\`${text}\` completes to \`${found}\`, not \`${expected}\``);
  await page.keyboard.press("Control+Shift+k");
  await page.keyboard.press("ArrowUp");
}

/** Keys, names, units and functions are completed. */
export async function completion({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.waitForTimeout(500);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n\n[bodies.disc]");
  await completeLine(page, "mas", "mass =");
  await completeLine(page, 'mass = "m_c', 'mass = "m_cart"');
  await completeLine(page, 'mass = "1 k', 'mass = "1 kg"');
  await completeLine(page, 'center_of_mass = [0, "sq', 'center_of_mass = [0, "sqrt(x)"]');
  await page.keyboard.type("\n[joints.disc]");
  await completeLine(page, "type = ", 'type = "fixed"');
  await completeLine(page, 'parent = "ca', 'parent = "cart"');
  await completeLine(page, 'child = { body = "pole", at = "t', 'child = { body = "pole", at = "tip"}');
  await page.keyboard.press("End");
  await page.keyboard.type("\n[");
  const list = page.locator(".cm-tooltip-autocomplete ul");
  await list.waitFor();
  const labels = await list.locator(".cm-completionLabel").allTextContents();
  const first = "bodies,joints,loads,inputs,parameters,outputs,constraints,events";
  check(labels.join().startsWith(first), `the sections are ${labels}`);
  const visible = await list.evaluate(
    (ul) =>
      [...ul.querySelectorAll("li")].filter(
        (li) => li.getBoundingClientRect().bottom <= ul.getBoundingClientRect().bottom + 1,
      ).length,
  );
  check(visible === 12, `${visible} sections are visible`);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return "keys, parameters, units, functions, types, bodies, points";
}

/** The help lists the types of the schema; the start of one's own has a start of the speed. */
export async function help({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  await page.click("#show-help");
  await page.locator("#types").waitFor();
  const [joints, loads] = await page.locator("#types span").allTextContents();
  check(joints.startsWith("fixed, revolute, prismatic, ") && joints.endsWith("free, direction"), joints);
  check(loads.startsWith("force, torque, spring, ") && loads.endsWith("friction"), loads);
  await page.keyboard.press("Escape");
  await chooseExample(page, "pendulum.toml");
  check((await page.textContent("#status")) === "No errors", "the start of one's own has messages");
  await page.click("#tab-motion");
  await settled(page);
  await page.getByLabel("theta_dot in rad/s, exact").fill("2");
  await page.locator("#motion").getByText("Write into the text").click();
  const line = await page.locator("#motion").getByText("Written").textContent();
  check(line === "Written: theta_dot.", line);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${joints}; ${loads}`;
}

/** Escape and a click elsewhere, also in the equations, close the menu of exports. */
export async function menu({ browser, url }) {
  const page = await openPage(browser, url),
    item = page.getByText("Download .html");
  await settled(page);
  const ways = {
    Escape: () => page.keyboard.press("Escape"),
    "a click on the page": () => page.click("h1"),
    "a click in the equations": () =>
      page
        .frameLocator("iframe")
        .locator("body")
        .click({ position: { x: 5, y: 5 } }),
    Tab: async () => {
      for (let i = 0; i < 6; i++) await page.keyboard.press("Tab");
    },
  };
  for (const [way, leave] of Object.entries(ways)) {
    await page.getByText("Export", { exact: true }).click();
    check(await item.isVisible(), "the menu does not open");
    await leave();
    check(!(await item.isVisible()), `${way} does not close the menu`);
  }
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return Object.keys(ways).join(", ");
}

/**
 * Tab goes through the page, Escape and Tab leave the editor, arrow keys choose tabs, F8 goes to
 * an error.
 */
export async function keyboard({ browser, url }) {
  const page = await openPage(browser, url);
  await settled(page);
  const order = [];
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("Tab");
    order.push(await focused(page));
  }
  check(order.slice(0, 5).join() === "skip,gallery,open,share,show-help", `order of the focus: ${order}`);
  check(order[5].startsWith("cm-content"), `no focus in the editor: ${order}`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  check((await focused(page)) === "tab-equations", `Escape and Tab lead to ${await focused(page)}`);
  await page.keyboard.press("ArrowRight");
  check(await page.locator("#motion").isVisible(), "the arrow key does not choose the next tab");
  await page.keyboard.press("End");
  check((await focused(page)) === "tab-linear", "End does not choose the last tab");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("[bodies.x]\nmas = 1\n");
  await settled(page);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");
  check((await line(page)).startsWith("[bodies.x]"), `F8 leads to \`${await line(page)}\``);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return order.join(", ");
}
