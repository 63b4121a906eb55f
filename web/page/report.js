/**
 * Shows pages of the engine in a frame without scripts, as high as its content. A page with the style of the one before
 * only replaces the body, so that nothing flickers while the user types.
 * @param {HTMLIFrameElement} frame
 */
export function createReport(frame) {
  let style = null;
  const fit = () => {
    const body = frame.contentDocument?.body;
    if (body) frame.style.height = `${Math.ceil(body.getBoundingClientRect().height) + 2}px`;
  };
  const observer = new ResizeObserver(fit);
  const watch = () => {
    observer.disconnect();
    observer.observe(frame.contentDocument.body);
    fit();
  };
  frame.addEventListener("load", watch);
  return {
    /** @param {string} html a whole page */
    show(html) {
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
