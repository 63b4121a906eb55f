import { h } from "./dom.js";

/**
 * Fills the menu of examples.
 * @param {HTMLSelectElement} menu
 * @param {{name: string, title: string, text: string, files?: Record<string, string>}[]} examples
 * @param {(example: object) => void} onchoose
 */
export function fillGallery(menu, examples, onchoose) {
  menu.append(
    h("option", { value: "", disabled: true }, "Choose an example"),
    ...examples.map((example, i) => h("option", { value: String(i) }, example.title)),
  );
  menu.value = String(examples.findIndex((example) => example.name === "cart_pole.toml"));
  menu.addEventListener("change", () => onchoose(examples[Number(menu.value)]));
}
