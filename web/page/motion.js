import { createPlayer } from "player";
import playerStyle from "player.css";
import playerMarkup from "player.html";
import { byId, createDrawing, download, h } from "./dom.js";
import { createValues } from "./values.js";

/** The player in a shadow root, with a place for the sliders below its controls. */
const SHADOW_STYLE = `
.player { grid-template: "stage" auto "controls" auto "sliders" auto "strips" auto "readouts" auto / minmax(0, 1fr); }
#stage { height: clamp(14rem, 38vh, 30rem); min-height: 0; border: 1px solid var(--rule); border-radius: .4rem; }
#controls { padding: .5rem 0; gap: .4rem .5rem; }
#scrub { flex-basis: 5rem; }
#clock { min-width: 4em; }
select { padding: .2rem; }
#readouts { padding: .6rem 0; }
slot { grid-area: sliders; display: block; }
`;

function createHost() {
  const host = h("div", { class: "player-host" });
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${playerStyle}${SHADOW_STYLE}</style><div class="player">${playerMarkup}<slot></slot></div>`;
  return { host, root };
}

/** The tab of the motion. */
export function createMotion(app, parameters) {
  const { host, root } = createHost();
  const duration = h("input", {
    type: "number",
    min: "0.01",
    step: "any",
    "aria-label": "Duration in seconds",
    oninput: () => simulate(),
  });
  const values = createValues(app, parameters, { start: "Start", onchange: () => simulate() });
  const note = h("p", { class: "soft", hidden: true });
  const plot = createDrawing();
  const save = h(
    "button",
    {
      type: "button",
      disabled: true,
      onclick: () => download(`${app.loaded.name}.svg`, svg, "image/svg+xml"),
    },
    "Download .svg",
  );
  const plotBox = h(
    "details",
    {},
    h("summary", {}, "Plot"),
    save,
    plot.element,
  );
  let player = null,
    resume = false,
    mechanism = null,
    svg = "";
  host.append(...values.elements);
  byId("motion").append(
    h("div", { class: "toolbar" }, h("label", {}, "Duration ", duration, " s"), note),
    host,
    plotBox,
  );

  const simulate = app.guard("motion", async () => {
    const seconds = duration.valueAsNumber > 0 ? duration.valueAsNumber : app.loaded.duration;
    const answer = await app.request({
      do: "simulate",
      duration: seconds,
      start: values.start(),
      parameters: values.parameters(),
      inputs: values.inputs(),
    });
    if (player) player.setData(answer.animation);
    else player = createPlayer(root, answer.animation);
    const notes = [
      answer.stopped,
      answer.note,
      ...answer.events.slice(0, 3).map((e) => `${e.name} at ${e.t.toPrecision(4)} s`),
    ].filter(Boolean);
    note.textContent = notes.join("; ");
    note.hidden = !notes.length;
    svg = answer.plot;
    save.disabled = false;
    plot.show(svg, "Coordinates, speeds and energies over time");
    return "Motion";
  });

  const update = () => {
    values.update();
    if (app.mechanism !== mechanism) duration.value = String(app.loaded.duration);
    mechanism = app.mechanism;
    return simulate();
  };
  const hide = () => {
    resume = player?.isPlaying() ?? false;
    player?.play(false);
  };
  const show = () => {
    values.show();
    if (resume) player.play(true);
  };
  const clear = () => {
    svg = "";
    save.disabled = true;
    plot.clear();
  };
  return { update, hide, show, clear };
}
