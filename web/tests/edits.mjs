// Random edits of the examples.
import { check, chooseExample, editText, openPage, readText, settled, TABS } from "./browser.mjs";
import { chooseChange, createRandom, pick } from "./changes.mjs";
import { watchMemory } from "./memory.mjs";

/** Bytes of private memory of the process of the page, below which every sample has to stay. */
const MOST_MEMORY = 300e6;
/** Random edits of one example before the next one. */
const ROUND = 20;
/** Share of the edits after which the test waits for the results. */
const WAIT = 0.2;
/** Share of texts without errors among those for which the test waits, at least. */
const LEAST_VALID = 0.4;

/**
 * Waits for the results as a user would: after ten seconds with the stop button. True if it was
 * needed.
 */
async function settledOrStopped(page) {
  try {
    await settled(page, 10_000);
    return false;
  } catch {
    // The results may have come at this moment.
    await page.evaluate(() => document.getElementById("stop").click());
    await settled(page, 10_000);
    return true;
  }
}

/**
 * One edit of the text, or steps back: mostly, after errors, to the text without errors some edits
 * ago. Returns its kind.
 */
async function editOnce(page, random, { hasErrors, since }) {
  if (random() < (hasErrors ? 0.8 : 0.1)) {
    for (let i = 0; i < (hasErrors ? since : 1); i++) await page.keyboard.press("Control+z");
    return "undo";
  }
  const { kind, changes } = chooseChange(await readText(page), random);
  await editText(page, changes);
  return kind;
}

/** Messages of the page about the engine. */
const engineMessages = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#messages, .problem:not([hidden])")]
      .map((e) => e.textContent)
      .filter((text) => /engine failed|more memory than/.test(text)),
  );

/**
 * Random edits of the examples, one every few milliseconds or one after the other, cause no panic.
 */
export async function edits({ browser, url, edits: count, seed }) {
  const page = await openPage(browser, url),
    random = createRandom(seed);
  page.on("crash", () => page.faults.push("the page crashed"));
  await settled(page);
  const examples = await page.evaluate(() =>
    JSON.parse(document.getElementById("examples").textContent).map((e) => e.name),
  );
  const memory = await watchMemory(browser, page);
  const result = { valid: 0, awaited: 0, stops: 0, tooLarge: 0 };
  let last = { hasErrors: false, since: 0 },
    example = "",
    tab = "";
  const wait = async () => {
    result.stops += await settledOrStopped(page);
    last.hasErrors = (await page.locator("#status.bad").count()) > 0;
    if (!last.hasErrors) last.since = 0;
    result.awaited++;
    result.valid += last.hasErrors ? 0 : 1;
  };
  for (let i = 0; i < count; i++) {
    if (i % ROUND === 0) {
      [tab, example] = [pick(random, TABS), pick(random, examples)];
      memory.doing = `edit ${i}: ${example} opened, ${tab}`;
      await page.click(`#tab-${tab}`);
      result.stops += await settledOrStopped(page);
      await chooseExample(page, example);
      await page.locator(".cm-content").focus();
      last = { hasErrors: false, since: 0 };
    }
    const kind = await editOnce(page, random, last);
    last = { hasErrors: last.hasErrors && kind !== "undo", since: kind === "undo" ? 0 : last.since + 1 };
    memory.doing = `edit ${i}: ${kind} in ${example}, ${tab}`;
    if (random() < WAIT) await wait();
    const messages = await engineMessages(page);
    const failed = messages.find((text) => text.includes("engine failed"));
    check(!failed, `edit ${i}: ${failed}\n${await readText(page)}`);
    result.tooLarge += messages.length ? 1 : 0;
    if (i % ROUND === ROUND - 1) await wait();
    if (i % 1000 === 999) console.log(`  ${i + 1} edits: ${describe(result, memory)}`);
  }
  await memory.stop();
  check(memory.most < MOST_MEMORY, `the process used ${megabytes(memory.most)} (${memory.cause})`);
  check(
    result.valid > LEAST_VALID * result.awaited,
    `only ${result.valid} of ${result.awaited} texts have no errors`,
  );
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${count} edits: ${describe(result, memory)}`;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** The results in a sentence. */
function describe({ valid, awaited, stops, tooLarge }, { most, cause, samples }) {
  return `${megabytes(most)} at most (${cause}; ${samples} samples); ${valid} of ${awaited} texts without errors; ${stops} stops; ${tooLarge} edits with a message about memory`;
}
