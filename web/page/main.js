import { App } from "./app.js";
import { decodeMechanism, encodeMechanism, LONGEST_ADDRESS } from "./address.js";
import { createChecks } from "./checks.js";
import { createCode } from "./code.js";
import { complete } from "./completion.js";
import { announce, byId, copyText, debounce, h } from "./dom.js";
import { createEditor } from "./editor.js";
import { Engine } from "./engine.js";
import { createEquations } from "./equations.js";
import { findMechanism, readDrop, readFiles } from "./files.js";
import { fillGallery } from "./gallery.js";
import { createLinear } from "./linear.js";
import { createMotion } from "./motion.js";
import { Schema } from "./schema.js";
import { createSliders } from "./sliders.js";
import { createTabs } from "./tabs.js";

/** Text of a script element, which is removed: the engine has six million characters. */
function takeText(id) {
  const element = byId(id);
  element.remove();
  return element.textContent;
}
const examples = JSON.parse(byId("examples").textContent);
const engine = new Engine(takeText("worker"), takeText("wasm"));
const app = new App(engine);
let words = null,
  schema = null;

const editor = createEditor(byId("editor"), {
  text: "",
  label: "Mechanism",
  onchange: (text) => {
    app.mechanism.text = text;
    byId("gallery").value = "";
    app.expectLoad();
    reload();
  },
  complete: (text, pos) => (schema ? complete(schema, words, app.loaded?.layout ?? null, text, pos) : null),
});
const reload = debounce(40, () => {
  app.load();
  writeAddress();
});

const writeAddress = debounce(500, async () => {
  const fragment = await encodeMechanism(app.mechanism);
  history.replaceState(null, "", fragment.length > LONGEST_ADDRESS ? "#" : fragment);
});

/** Opens a mechanism in place of the one in the editor. */
function open({ name, text, files = {}, base = "fixed" }, { address = true } = {}) {
  app.mechanism = { name, text, files, base };
  byId("base").value = base;
  byId("problem").hidden = true;
  app.mechanism.text = editor.setText(text, name);
  showFile();
  if (address) writeAddress();
  return app.load();
}

function showFile() {
  const { name, files } = app.mechanism,
    included = Object.keys(files).length;
  byId("file").textContent = included
    ? `${name}, with ${included} more ${included === 1 ? "file" : "files"}`
    : name;
}

function showProblem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = false;
}

function openFiles(texts) {
  const mechanism = findMechanism(texts);
  if (!mechanism)
    return showProblem(
      "None of these files is a mechanism. Drop a spec (.toml), a URDF (.urdf) or an MJCF (.xml), with the files that it includes.",
    );
  byId("gallery").value = "";
  open(mechanism);
  announce(`${mechanism.name} opened`);
}

/** Lists the types of joints and loads in the help. */
function listTypes() {
  for (const [id, section] of [
    ["joint-types", "joints"],
    ["load-types", "loads"],
  ]) {
    const types = [...schema.types(schema.at([section, "name"])).keys()];
    byId(id).replaceChildren(...types.flatMap((type, i) => [i ? ", " : "", h("code", {}, type)]));
  }
  byId("types").hidden = false;
}

/** Opens the mechanism in the address, or the cart-pole if there is none or it is damaged. */
async function openAddress() {
  let mechanism,
    problem = null;
  try {
    mechanism = await decodeMechanism(location.hash);
  } catch (error) {
    problem = error.message;
  }
  await open(mechanism ?? examples.find((example) => example.name === "cart_pole.toml"), { address: false });
  if (problem) showProblem(problem);
}

function connectFiles() {
  byId("open").addEventListener("click", () => byId("chooser").click());
  byId("chooser").addEventListener("change", async (event) => {
    openFiles(await readFiles(event.target.files));
    event.target.value = "";
  });
  addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener(
    "drop",
    async (event) => {
      document.body.classList.remove("dropping");
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      openFiles(await readDrop(event.dataTransfer));
    },
    true,
  );
}

function connectButtons() {
  byId("share").addEventListener("click", async () => {
    const fragment = await encodeMechanism(app.mechanism);
    if (fragment.length > LONGEST_ADDRESS)
      return showProblem("This mechanism is too long for an address. Send its file instead.");
    history.replaceState(null, "", fragment);
    await copyText(location.href);
    byId("share").textContent = "Link copied";
    announce("Link copied");
    setTimeout(() => {
      byId("share").textContent = "Copy link";
    }, 1500);
  });
  byId("base").addEventListener("change", (event) => {
    app.mechanism.base = event.target.value;
    app.load();
    writeAddress();
  });
  byId("convert").addEventListener("click", () => {
    open({ name: app.mechanism.name.replace(/\.\w+$/, ".toml"), text: app.loaded.spec });
    editor.view.focus();
  });
  const help = byId("help");
  byId("show-help").addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => {
    if (event.target === help) help.close();
  });
}

app.onwrite = (edits) => editor.edit(edits);
app.onplace = (from, to) => editor.showPlace(from, to);
app.onrename = () => {
  showFile();
  writeAddress();
};
app.onload = (answer) => {
  editor.setMessages(app.messages);
  const robot = !app.mechanism.name.endsWith(".toml");
  byId("robot").hidden = !robot;
  byId("base-choice").hidden = !app.mechanism.name.endsWith(".urdf");
  byId("convert").hidden = !(answer.ok && answer.spec);
};
const parameters = createSliders("Parameters", () => app.outdate(["motion", "linear"]));
app.setPanels({
  equations: createEquations(app),
  motion: createMotion(app, parameters),
  code: createCode(app),
  checks: createChecks(app),
  linear: createLinear(app, parameters),
});
createTabs(byId("tabs"), (id) => app.show(id));
fillGallery(byId("gallery"), examples, (example) => open(example));
connectFiles();
connectButtons();
addEventListener("hashchange", openAddress);

/** Gets the words of completions, also if the engine is stopped meanwhile. */
async function learnWords() {
  try {
    words = await app.request({ do: "words" });
  } catch (error) {
    if (["stopped", "superseded"].includes(error.reason)) return learnWords();
    announce("No completions");
    return;
  }
  schema = new Schema(words.schema);
  listTypes();
}

await openAddress();
learnWords();
