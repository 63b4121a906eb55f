// Drives the page in Chromium: node tests/page.mjs --dqdt BINARY [--page FILE] [--shots FOLDER]
// [--edits COUNT] [--seed NUMBER] [--only NAME,NAME]
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { accessibility } from "./accessibility.mjs";
import { fileUrl, launch } from "./browser.mjs";
import { proofs, tooLarge } from "./capacity.mjs";
import { code } from "./code.mjs";
import { edits } from "./edits.mjs";
import { address, advice, gallery, hidden, long, mistake, rename, robots, sketch } from "./equations.mjs";
import { firstView, server, typing } from "./limits.mjs";
import { linearised } from "./linear.mjs";
import { completion, help, keyboard, menu } from "./keyboard.mjs";
import { slider, stop } from "./motion.mjs";
import { values as sliderValues } from "./values.mjs";
import { races } from "./races.mjs";
import { screenshots } from "./shots.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    dqdt: { type: "string" },
    page: { type: "string", default: join(here, "../dist/index.html") },
    shots: { type: "string" },
    edits: { type: "string", default: "500" },
    seed: { type: "string", default: "47" },
    only: { type: "string" },
  },
});
const TESTS = {
  firstView,
  server,
  gallery,
  mistake,
  hidden,
  long,
  races,
  robots,
  address,
  rename,
  sketch,
  advice,
  slider,
  values: sliderValues,
  code,
  linearised,
  stop,
  completion,
  keyboard,
  menu,
  help,
  typing,
  tooLarge,
  proofs,
  accessibility,
  screenshots,
  edits,
};

const chosen = values.only ? values.only.split(",") : Object.keys(TESTS);
const needsCommand = ["gallery", "mistake", "robots", "proofs"].some((name) => chosen.includes(name));
if (needsCommand && !values.dqdt) {
  console.error("give the command to compare with: --dqdt BINARY");
  process.exit(2);
}
const file = resolve(values.page),
  browser = await launch();
const context = {
  browser,
  file,
  url: fileUrl(file),
  dqdt: values.dqdt && resolve(values.dqdt),
  root: resolve(here, "../.."),
  shots: values.shots && resolve(values.shots),
  edits: Number(values.edits),
  seed: Number(values.seed),
};
let failed = 0;
for (const name of chosen) {
  try {
    console.log(`ok ${name}: ${await TESTS[name](context)}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
