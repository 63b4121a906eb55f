import { announce, byId, debounce, h } from "./dom.js";
import { NoAnswer } from "./engine.js";
import { adaptMessages, countMessages, listMessages } from "./messages.js";

const WORK = {
  load: "Reading the mechanism",
  equations: "Deriving the equations",
  sketch: "Drawing",
  simulate: "Simulating",
  code: "Writing the code",
  claims: "Listing the claims",
  decide: "Proving",
  linearize: "Linearising",
  words: "Starting",
};

/** Commands that do the work of requests. */
const COMMANDS = {
  simulate: "simulate",
  code: "emit",
  claims: "prove",
  decide: "prove",
  linearize: "linearize",
};

/**
 * The mechanism on the page, and the requests about it.
 * @param {import("./engine.js").Engine} engine
 */
export class App {
  #engine;
  #loads = 0;
  #panels = {};
  #problems = {};
  #versions = {};
  #version = 0;
  #active = "equations";
  #updates = 0;
  #isTyping = false;
  #edits = 0;
  /** Answer to the last `load` without errors; null before the first one. */
  loaded = null;
  /** The mechanism in the editor; `title` is the name in the last text without errors. */
  mechanism = { name: "mechanism.toml", text: "", files: {}, base: "fixed" };
  /** Messages about the text in the editor. */
  messages = [];
  /** Called after the file was given the new name of its mechanism. */
  onrename = () => {};
  /** Called after each answer to `load`. */
  onload = () => {};
  /** Called with edits of the text, as an editor takes them. */
  onwrite = () => {};
  /** Called with the place of a message that the user follows. */
  onplace = () => {};

  constructor(engine) {
    this.#engine = engine;
    engine.onbusy = this.#createBusySign();
    byId("stop").addEventListener("click", () => engine.stop());
  }

  /** Adds the tabs, by the ids of their panels. */
  setPanels(panels) {
    this.#panels = panels;
  }

  /** Shows the tab with this id, up to date. */
  show(id) {
    if (id !== this.#active) {
      this.#panels[this.#active].hide?.();
      this.#panels[id].show?.();
    }
    this.#active = id;
    this.#refresh();
  }

  /** The answer to a request; throws an error with the text of the engine if it has none. */
  async request(message, key) {
    const answer = await this.#engine.request(message, key);
    if (!answer.ok) throw new Error(answer.error ?? "The engine gave no reason.");
    return answer;
  }

  /**
   * An update of the panel `id` that shows its errors there. The text that `action` returns is
   * announced after an update that took long.
   */
  guard(id, action) {
    const problem = h("p", { class: "problem", role: "alert", hidden: true });
    byId(id).prepend(problem);
    this.#problems[id] = problem;
    let runs = 0;
    const run = async () => {
      if (!this.loaded) return;
      const since = performance.now(),
        serial = ++runs;
      this.#count(1);
      try {
        const done = await action();
        problem.hidden = true;
        if (performance.now() - since > 1000) announce(`${done}: up to date`);
      } catch (error) {
        const reason = error instanceof NoAnswer ? error.reason : "";
        if (reason === "superseded") {
          // By a new text: if that has errors, or the tab is hidden, it has to be computed again.
          if (serial === runs) delete this.#versions[id];
          return;
        }
        problem.replaceChildren(describeFailure(error), " ");
        if (reason && reason !== "memory")
          problem.append(h("button", { type: "button", onclick: run }, "Try again"));
        problem.hidden = false;
      } finally {
        this.#count(-1);
      }
    };
    return run;
  }

  /** Marks the results as old until the next `load` is done. */
  expectLoad() {
    this.#edits++;
    this.#isTyping = true;
    this.#count(0);
  }

  #count(change) {
    this.#updates += change;
    byId("results").setAttribute("aria-busy", String(this.#isTyping || this.#updates > 0));
  }

  /** Loads the mechanism in the editor and shows the result. */
  async load() {
    const serial = ++this.#loads,
      { name, text, files, base } = this.mechanism;
    this.expectLoad();
    const edits = this.#edits;
    let answer;
    try {
      answer = await this.#engine.request({ do: "load", name, text, files, base });
    } catch (error) {
      if (error.reason === "superseded" || serial !== this.#loads) return;
      answer = { ok: false, messages: [failureMessage(error)] };
    }
    // Also if there is a newer text, which may have errors: the engine has this one now.
    if (answer.ok) this.#take(answer);
    if (serial !== this.#loads) return;
    this.messages = adaptMessages(answer.messages ?? []);
    if (!answer.ok && !this.messages.length) {
      this.messages = [
        {
          severity: "error",
          code: "engine",
          message: answer.error ?? "no reason given",
          help: null,
          from: null,
        },
      ];
    }
    if (answer.ok && this.#rename(answer.name)) {
      this.onrename();
      return this.load();
    }
    this.#report(answer.ok);
    this.onload(answer);
    await this.#refresh();
    if (serial !== this.#loads || edits !== this.#edits) return;
    this.#isTyping = false;
    this.#count(0);
  }

  /** Renames a file named after its mechanism when the text gives the mechanism another name. */
  #rename(name) {
    const { mechanism } = this,
      isNamedSo = mechanism.name === `${mechanism.title}.toml` && name !== mechanism.title;
    mechanism.title = name;
    if (isNamedSo) mechanism.name = `${name}.toml`;
    return isNamedSo;
  }

  /** Computes tabs again, now or when they are shown, because a value that they share changed. */
  outdate(ids) {
    for (const id of ids) delete this.#versions[id];
    return this.#refresh();
  }

  /**
   * Takes a text without errors as the one that the tabs are about, and removes what hidden tabs
   * show of an old one: a report can take a hundred megabytes.
   */
  #take(answer) {
    this.loaded = answer;
    this.#version++;
    for (const [id, panel] of Object.entries(this.#panels)) {
      if (id === this.#active) continue;
      this.#problems[id].hidden = true;
      panel.clear?.();
    }
  }

  async #refresh() {
    const id = this.#active;
    if (!this.loaded || this.#versions[id] === this.#version) return;
    this.#versions[id] = this.#version;
    await this.#panels[id].update();
  }

  #report(ok) {
    const counts = countMessages(this.messages);
    const old = !ok && this.loaded !== null;
    const text = `${counts || "No errors"}${old ? "; the tabs show the last text without errors" : ""}`;
    const status = byId("status");
    if (status.textContent !== text) {
      status.textContent = text;
      announce(text);
    }
    status.classList.toggle("bad", !ok);
    byId("results").classList.toggle("stale", old);
    listMessages(byId("messages"), this.messages, (from, to) => this.onplace(from, to));
  }

  #createBusySign() {
    const sign = byId("busy"),
      stop = byId("stop");
    const showSign = debounce(300, (work) => {
      byId("work").textContent = work ? `${WORK[work]}…` : "";
      sign.classList.toggle("on", Boolean(work));
      stop.disabled = !work;
    });
    return (work) => showSign(work);
  }
}

/** The remedy if a request needs more memory than the page allows. */
const memoryHelp = (error) =>
  `make the mechanism smaller, or use \`dqdt ${COMMANDS[error.request] ?? "inspect"}\`, which has no such limit`;

/** A message about a text that the engine could not load. */
function failureMessage(error) {
  const message = (code, text, help = null) => ({ severity: "error", code, message: text, help, from: null });
  if (error.reason === "stopped") return message("engine", "stopped; type to try again");
  if (error.reason === "memory")
    return message("memory", "this mechanism needs more memory than the page allows", memoryHelp(error));
  return message("engine", describeFailure(error));
}

/** Reason why a request has no answer, in a sentence. */
export function describeFailure(error) {
  if (!(error instanceof NoAnswer)) return error.message;
  switch (error.reason) {
    case "stopped":
      return "Stopped.";
    case "memory":
      return `This needs more memory than the page allows: ${memoryHelp(error)}.`;
    case "start":
      return `The engine cannot start in this browser: ${error.message}`;
    default:
      return `The engine failed (${error.message}) and was started again. Please report the mechanism.`;
  }
}
