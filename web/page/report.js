/**
 * Style of the page in the frame: without the margins of a page of its own; `compact` also without
 * title and contents. Of a long page only the formulas near the visible part are laid out: a layout
 * of all takes ten times the memory.
 */
const FRAME_STYLE = `
html { overflow-y: hidden; }
[data-long] :is(.equation, .relation) { content-visibility: auto; contain-intrinsic-size: auto 12rem auto 2.2rem; }
body { padding: 0 .1rem 1rem; }
header { padding: .5rem 0 1rem; }
[data-compact] header, [data-compact] nav { display: none; }
[data-compact] .page { display: block; }
[data-compact] section { padding-top: .6rem; }
`;

/** Characters above which a page is long. */
const LONG = 150e3;

/** The page with the style of the frame, and the marks that are on, before its first layout. */
function addStyle(html, marks) {
  const names = Object.keys(marks).filter((name) => marks[name]);
  return html
    .replace("<html", ["<html", ...names].join(" "))
    .replace("</head>", `<style>${FRAME_STYLE}</style></head>`);
}

/**
 * Makes an element equal to one of another document, and keeps the parts that are equal already:
 * the layout of many formulas takes time, and tens of megabytes.
 * @param {Element} current
 * @param {Element} next
 */
function replaceDifferences(current, next) {
  if (current.isEqualNode(next)) return;
  const isContainer = (element) => element.children.length > 0 && element.namespaceURI.endsWith("xhtml");
  if (current.nodeName !== next.nodeName || !isContainer(current) || !isContainer(next)) {
    current.replaceWith(current.ownerDocument.adoptNode(next));
    return;
  }
  for (const { name } of [...current.attributes])
    if (!next.hasAttribute(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes) current.setAttribute(name, value);
  const before = [...current.childNodes],
    after = [...next.childNodes];
  const isSame = (i, j) => before.at(i).isEqualNode(after.at(j));
  const length = Math.min(before.length, after.length);
  let start = 0,
    end = 0;
  while (start < length && isSame(start, start)) start++;
  while (end < length - start && isSame(-1 - end, -1 - end)) end++;
  const [old, added] = [before, after].map((nodes) => nodes.slice(start, nodes.length - end));
  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  if (old.length === added.length && [...old, ...added].every(isElement)) {
    old.forEach((node, i) => replaceDifferences(node, added[i]));
    return;
  }
  for (const node of old) node.remove();
  const place = current.childNodes[start] ?? null;
  for (const node of added) current.insertBefore(current.ownerDocument.adoptNode(node), place);
}

/**
 * Shows pages of the engine in a frame without scripts, as high as its content. A page with the
 * style of the one before only replaces what differs in the body, so that nothing flickers while
 * the user types.
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
    /**
     * @param {string} html a whole page
     * @param {boolean} isCompact whether to leave out its title and contents
     */
    show(html, isCompact) {
      const marks = { "data-compact": isCompact, "data-long": html.length > LONG };
      const next = /<style>[\s\S]*?<\/style>/.exec(html)?.[0] ?? "";
      const current = frame.contentDocument;
      if (style === null || next !== style || !current?.body) {
        style = next;
        frame.srcdoc = addStyle(html, marks);
        return;
      }
      const page = new DOMParser().parseFromString(html, "text/html");
      current.title = page.title;
      for (const [name, isOn] of Object.entries(marks)) current.documentElement.toggleAttribute(name, isOn);
      replaceDifferences(current.body, page.body);
      watch();
    },
    clear() {
      if (style === null) return;
      style = null;
      observer.disconnect();
      frame.srcdoc = "";
    },
  };
}
