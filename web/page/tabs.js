/**
 * Makes tabs of the buttons with `role="tab"` in a list: arrow keys, Home and End move, the panel
 * is that of `aria-controls`.
 * @param {HTMLElement} list
 * @param {(id: string) => void} onselect called with the id of the panel that is shown
 */
export function createTabs(list, onselect) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const select = (tab) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    }
    onselect(tab.getAttribute("aria-controls"));
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target.closest("[role=tab]"));
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    tab.focus();
    select(tab);
  });
  return { select: (panel) => select(tabs.find((tab) => tab.getAttribute("aria-controls") === panel)) };
}
