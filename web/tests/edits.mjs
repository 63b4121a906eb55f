// Random edits of the examples.
import { check, chooseExample, openPage, settled, TABS } from "./browser.mjs";

/**
 * Bytes of memory of the engine and the heap of the script during random edits, below which it has
 * to stay.
 */
const MOST_MEMORY = 300e6;
/** Random edits of one example before the next one. */
const ROUND = 20;

/** Pseudo-random numbers below 1 from a seed (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const NUMBERS = ["0", "1", "2", "-1", "0.5", "1e-9", "1e9", "3.7", "100", "1e300", "-0.001"];
const PIECES = [
  "0",
  "1",
  "-",
  ".",
  "e9",
  "1e300",
  '"',
  "'",
  "[",
  "]",
  "{",
  "}",
  "=",
  ",",
  "#",
  "\n",
  " ",
  "x",
  "theta",
  "m*l^2",
  "sin(",
  ")",
  "^",
  "/0",
  "/",
  "deg",
  "[bodies.a]\n",
  "[joints.j]\n",
  'type = "free"\n',
  'mass = "m"\n',
  "ü",
  "🛷",
  "\u0000",
  "\u202e",
  "n = 3\n",
  "{i}",
  "ground",
  "inf",
  "nan",
];

/**
 * Puts the cursor at a random visible place; `number` selects a number instead, if the line has
 * one.
 */
async function placeCursor(page, random, number) {
  await page.evaluate(
    ([line, offset, wanted]) => {
      const scroller = document.querySelector(".cm-scroller"),
        lines = [...document.querySelectorAll(".cm-line")];
      const usable = wanted ? lines.filter((l) => l.querySelector(".tok-number")) : lines;
      const target = usable[Math.floor(line * usable.length)] ?? lines[0];
      if (line < 0.1) scroller.scrollTop = offset * scroller.scrollHeight;
      const numbers = target.querySelectorAll(".tok-number");
      if (wanted && numbers.length) {
        getSelection().selectAllChildren(numbers[Math.floor(offset * numbers.length)]);
        return;
      }
      const walker = document.createTreeWalker(target, NodeFilter.SHOW_TEXT),
        texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      const text = texts[Math.floor(offset * texts.length)];
      getSelection().collapse(text ?? target, text ? Math.floor(((offset * 97) % 1) * text.length) : 0);
    },
    [random(), random(), number],
  );
}

/**
 * Waits for the results as a user would: after ten seconds with the stop button. True if it was
 * needed.
 */
async function settledOrStopped(page) {
  try {
    await settled(page, 10_000);
    return false;
  } catch {
    await page.click("#stop");
    await settled(page, 10_000);
    return true;
  }
}

async function editOnce(page, random) {
  const kind = random(),
    number = kind < 0.5;
  await placeCursor(page, random, number);
  if (number) await page.keyboard.insertText(NUMBERS[Math.floor(random() * NUMBERS.length)]);
  else if (kind < 0.6) await page.keyboard.insertText(PIECES[Math.floor(random() * PIECES.length)]);
  else if (kind < 0.65) await page.keyboard.press("Backspace");
  else if (kind < 0.68) await page.keyboard.press("Control+Backspace");
  else if (kind < 0.95) await page.keyboard.press("Control+z");
  else if (kind < 0.98) await page.keyboard.press("Shift+Alt+ArrowDown");
  else await page.keyboard.press("Control+Shift+k");
}

/**
 * Random edits of the examples, one every few milliseconds or one after the other, cause no panic.
 */
export async function edits({ browser, url, edits: count }) {
  const page = await openPage(browser, url),
    random = createRandom(47);
  page.on("crash", () => page.faults.push("the page crashed"));
  await settled(page);
  const examples = await page.evaluate(() =>
    JSON.parse(document.getElementById("examples").textContent).map((e) => e.name),
  );
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  let most = 0,
    good = 0,
    stops = 0;
  for (let i = 0; i < count; i++) {
    if (i % ROUND === 0) {
      await page.click(`#tab-${TABS[Math.floor(random() * TABS.length)]}`);
      stops += await settledOrStopped(page);
      await chooseExample(page, examples[Math.floor(random() * examples.length)]);
      await page.locator(".cm-content").focus();
    }
    await editOnce(page, random);
    if (random() < 0.3) stops += await settledOrStopped(page);
    const failed = await page.evaluate(() =>
      [...document.querySelectorAll("#messages, .problem")]
        .map((e) => e.textContent)
        .find((t) => t.includes("engine failed")),
    );
    check(!failed, `edit ${i}: ${failed}\n${await page.locator(".cm-content").innerText()}`);
    if (i % ROUND === ROUND - 1) {
      stops += await settledOrStopped(page);
      most = Math.max(most, (await engineMemory(page)) + (await heapSize(session)));
      good += (await page.locator("#status.bad").count()) ? 0 : 1;
      if (i % 1000 === 999) console.log(`  ${i + 1} edits, ${(most / 1e6).toFixed(0)} MB at most`);
    }
  }
  check(most < MOST_MEMORY, `engine and script used ${(most / 1e6).toFixed(0)} MB`);
  check(!page.faults.length, page.faults.join("\n"));
  await page.context().close();
  return `${count} edits, ${(most / 1e6).toFixed(0)} MB at most; ${good} of ${Math.floor(count / ROUND)} texts without errors at the end, ${stops} stops`;
}

async function heapSize(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((m) => m.name === "JSHeapUsedSize").value;
}

/** Bytes of memory of the engine; 0 while its worker starts anew. */
async function engineMemory(page) {
  const worker = page.workers().at(-1);
  if (!worker) return 0;
  return worker
    .evaluate("wasm_bindgen().then((exports) => exports.memory.buffer.byteLength)")
    .catch((error) => {
      if (page.isClosed()) throw error;
      return 0;
    });
}
