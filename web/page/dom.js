/**
 * Creates an element. Keys of `props` that start with `on` are listeners, those of JavaScript
 * properties of the element are set as such, all others are attributes.
 * @param {string} tag
 * @param {Record<string, unknown>} [props]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const DRAWING_STYLE = `<style>
svg { display: block; box-sizing: border-box; max-width: 100%; max-height: var(--highest, none); height: auto;
  margin: 0 auto; border: 1px solid var(--rule); border-radius: .5rem; }
</style>`;

/**
 * A place for drawings of the engine. They are elements, since browsers keep images of old drawings
 * for some time.
 */
export function createDrawing() {
  const element = h("div", { class: "drawing" });
  const root = element.attachShadow({ mode: "open" });
  let shown = "";
  return {
    element,
    /**
     * @param {string} svg
     * @param {string} label for readers who do not see it
     */
    show(svg, label) {
      element.role = "img";
      element.ariaLabel = label;
      if (svg === shown) return;
      shown = svg;
      root.innerHTML = DRAWING_STYLE + svg;
      root.querySelector("svg").setAttribute("aria-hidden", "true");
    },
    clear() {
      shown = "";
      element.role = element.ariaLabel = null;
      root.replaceChildren();
    },
  };
}

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Runs `action` after `delay` milliseconds without another call.
 * @param {number} delay
 * @param {(...args: unknown[]) => void} action
 */
export function debounce(delay, action) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
}

let announcement;

/** Announces `text` to screen readers, unless another announcement follows at once. */
export function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    byId("live").textContent = text;
  }, 400);
}

/** Starts the download of a text as a file. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text, also where the clipboard is not available to a page from a folder. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "offscreen", readOnly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies what `text()` returns, and says so. */
export function copyButton(label, text) {
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        await copyText(await text());
        button.textContent = "Copied";
        announce(`${label}: copied`);
        setTimeout(() => {
          button.textContent = label;
        }, 1500);
      },
    },
    label,
  );
  return button;
}

/** A menu that Escape, a click elsewhere and the focus elsewhere close. */
export function createMenu(label, ...items) {
  const summary = h("summary", {}, label),
    menu = h("details", { class: "menu" }, summary, h("div", {}, ...items));
  const close = () => {
    menu.open = false;
  };
  const closeUnlessInside = (event) => {
    if (!menu.contains(event.target)) close();
  };
  document.addEventListener("pointerdown", closeUnlessInside);
  document.addEventListener("focusin", closeUnlessInside);
  // A click in a frame takes the focus from this window.
  addEventListener("blur", close);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    close();
    summary.focus();
  });
  return menu;
}

/** A number with few digits, with a real minus sign. */
export function formatNumber(x, digits = 5) {
  if (x === null || !Number.isFinite(x)) return "–";
  return String(Number(x.toPrecision(digits))).replaceAll("-", "−");
}

/** A unit as in print, "kg·m²" for "kg*m^2"; "" for a number without a unit. */
export function formatUnit(unit) {
  if (!unit || unit === "1") return "";
  return unit.replaceAll("*", "·").replaceAll("^2", "²").replaceAll("^3", "³");
}
