import { announce, byId, formatNumber, h } from "./dom.js";
import { describeFailure } from "./app.js";
import { NoAnswer } from "./engine.js";

const MARKS = { proved: "good", checked: "good", refuted: "bad" };
const WITHOUT_PROOF =
  "Compared at random points with 100 digits: an exact proof needs more memory than the page allows. `dqdt prove` has no such limit.";

/**
 * Energy balance of a motion in a sentence: total energy less the work of loads is constant except
 * for rounding.
 */
function describeBalance({ signals }) {
  const values = (name) =>
    signals.find((s) => s.kind === "energies" && s.name === name)?.values.filter((v) => v !== null) ?? [];
  const balance = values("balance"),
    kinetic = values("kinetic_energy");
  if (!balance.length) return "This motion has no balance of energy.";
  const error = balance.reduce((m, v) => Math.max(m, Math.abs(v - balance[0])), 0);
  const largest = kinetic.reduce((m, v) => Math.max(m, v), 0);
  return `Total energy less the work of loads is constant to within ${formatNumber(error, 2)} J. The largest kinetic energy is ${formatNumber(largest, 3)} J.`;
}

/**
 * The tab of the checks: claims that the engine proves, and the balance of energy along the
 * motion.
 */
export function createChecks(app) {
  const all = h("button", { type: "button", class: "primary", onclick: () => proveAll() }, "Prove all");
  const total = h("span", { class: "soft" });
  const list = h("ol", { class: "claims" });
  const balance = h("p", { class: "balance" });
  byId("checks").append(
    h(
      "p",
      {},
      "Each formalism derives the equations in its own way. If all results are equal, and equal to the code, a mistake that remains is in the mechanism.",
    ),
    h("div", { class: "toolbar" }, all, total),
    list,
    h("h3", {}, "Energy along the motion"),
    balance,
  );
  let rows = [],
    round = 0;

  const row = (title, index) => {
    const status = h("span", { class: "status" });
    const open = h("ul", { class: "soft", hidden: true });
    const button = h(
      "button",
      { type: "button", "aria-label": `Prove: ${title}`, onclick: () => prove(index) },
      "Prove",
    );
    return {
      item: h("li", {}, h("span", { class: "claim" }, title), status, button, open),
      status,
      open,
      button,
    };
  };
  const count = () => {
    const done = rows.filter((r) => r.status.textContent && !r.status.classList.contains("working"));
    const good = done.filter((r) => r.status.classList.contains("good"));
    total.textContent = done.length ? `${good.length} of ${rows.length} claims are true` : "";
  };
  const setStatus = (r, text) => {
    r.status.textContent = text;
    r.status.className = `status ${MARKS[text] ?? (text === "proving…" ? "working" : "")}`;
  };

  /** Decision on a claim, numerically if the exact proof needs more memory than the page allows. */
  const decide = async (index) => {
    const request = { do: "decide", index },
      key = `decide ${index}`;
    try {
      return await app.request(request, key);
    } catch (error) {
      if (error.reason !== "memory") throw error;
      const answer = await app.request({ ...request, numerically: true }, key);
      return { ...answer, open: [WITHOUT_PROOF, ...answer.open] };
    }
  };
  /** Decides one claim; false if the user stopped it or the mechanism changed. */
  const prove = async (index) => {
    const mine = round,
      r = rows[index];
    setStatus(r, "proving…");
    try {
      const answer = await decide(index);
      if (mine !== round) return false;
      setStatus(r, answer.status);
      r.open.replaceChildren(...(answer.open ?? []).map((text) => h("li", {}, text)));
      r.open.hidden = !answer.open?.length;
    } catch (error) {
      if (mine !== round) return false;
      const isStopped = error.reason === "stopped" || error.reason === "superseded";
      setStatus(r, isStopped ? "stopped" : describeFailure(error));
      count();
      return !(error instanceof NoAnswer);
    }
    count();
    return true;
  };
  const proveAll = async () => {
    const mine = round;
    all.disabled = true;
    for (let index = 0; index < rows.length && mine === round; index++) if (!(await prove(index))) break;
    all.disabled = false;
    if (mine === round) announce(total.textContent);
  };

  /** Titles of the claims; a list that takes long shows so at once. */
  const listClaims = async () => {
    all.disabled = true;
    const timer = setTimeout(() => list.replaceChildren(h("li", { class: "soft" }, "Listing the claims…")), 300);
    try {
      return (await app.request({ do: "claims" })).claims;
    } catch (error) {
      if (error.reason !== "superseded") list.replaceChildren();
      throw error;
    } finally {
      clearTimeout(timer);
      all.disabled = false;
    }
  };

  const update = app.guard("checks", async () => {
    round++;
    total.textContent = "";
    const claims = await listClaims();
    rows = claims.map((claim, index) => row(claim, index));
    list.replaceChildren(...rows.map((r) => r.item));
    balance.textContent = "";
    const request = { do: "simulate", duration: app.loaded.duration, start: {}, parameters: {}, inputs: {} };
    const motion = await app.request(request, "balance");
    balance.textContent = [describeBalance(motion), motion.note].filter(Boolean).join("\n");
    return "Checks";
  });
  return { update };
}
