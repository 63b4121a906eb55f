/**
 * Style of the page in the frame: without the margins of a page of its own; `compact` also without
 * title and contents.
 */
const FRAME_STYLE = `
body { padding: 0 .1rem 1rem; }
header { padding: .5rem 0 1rem; }
[data-compact] header, [data-compact] nav { display: none; }
[data-compact] .page { display: block; }
[data-compact] section { padding-top: .6rem; }
`;

/**
 * Shows pages of the engine in a frame without scripts, as high as its content. A page with the
 * style of the one before only replaces the body, so that nothing flickers while the user types.
 * @param {HTMLIFrameElement} frame
 */
export function createReport(frame) {
  let style = null,
    compact = true;
  const fit = () => {
    const body = frame.contentDocument?.body;
    if (body) frame.style.height = `${Math.ceil(body.getBoundingClientRect().height) + 2}px`;
  };
  const observer = new ResizeObserver(fit);
  const watch = () => {
    const page = frame.contentDocument;
    if (!page.getElementById("frame-style")) {
      const style = page.createElement("style");
      style.id = "frame-style";
      style.textContent = FRAME_STYLE;
      page.head.append(style);
    }
    page.documentElement.toggleAttribute("data-compact", compact);
    observer.disconnect();
    observer.observe(page.body);
    fit();
  };
  frame.addEventListener("load", watch);
  return {
    /**
     * @param {string} html a whole page
     * @param {boolean} isCompact whether to leave out its title and contents
     */
    show(html, isCompact) {
      compact = isCompact;
      const next = /<style>[\s\S]*?<\/style>/.exec(html)?.[0] ?? "";
      const current = frame.contentDocument;
      if (style === null || next !== style || !current?.body) {
        style = next;
        frame.srcdoc = html;
        return;
      }
      const page = new DOMParser().parseFromString(html, "text/html");
      current.title = page.title;
      current.body.replaceWith(current.adoptNode(page.body));
      watch();
    },
  };
}
