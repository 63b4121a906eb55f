const SPACE = "http://www.w3.org/2000/svg";
const SIZE = 240;

function svg(tag, attributes, text) {
  const element = document.createElementNS(SPACE, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/** Smallest 1, 2 or 5 times a power of ten that is at least `x`. */
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].find((k) => k * power >= x * 0.999) * power;
}

/**
 * Picture of poles in the complex plane, with the stable half shaded.
 * @param {{re: number, im: number}[]} poles
 */
export function drawPoles(poles) {
  const finite = poles.filter((p) => Number.isFinite(p.re) && Number.isFinite(p.im));
  const largest = finite.reduce((m, p) => Math.max(m, Math.abs(p.re), Math.abs(p.im)), 0);
  const limit = roundUp(largest > 0 ? 1.1 * largest : 1),
    half = SIZE / 2,
    k = (half - 14) / limit;
  const unstable = finite.filter((p) => p.re > 1e-9 * limit).length;
  const root = svg("svg", {
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    class: "pole-plot",
    role: "img",
    "aria-label": `${finite.length} poles in the complex plane, ${unstable} with a positive real part`,
  });
  root.append(
    svg("rect", { x: 0, y: 0, width: half, height: SIZE, class: "stable" }),
    svg("line", { x1: 0, y1: half, x2: SIZE, y2: half, class: "axis" }),
    svg("line", { x1: half, y1: 0, x2: half, y2: SIZE, class: "axis" }),
    svg("text", { x: SIZE - 4, y: half - 5, "text-anchor": "end" }, `${limit} 1/s`),
    svg("text", { x: half + 5, y: 12 }, `${limit} rad/s`),
  );
  for (const { re, im } of finite) {
    const x = half + k * re,
      y = half - k * im;
    root.append(
      svg("path", {
        d: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}`,
        class: re > 1e-9 * limit ? "pole unstable" : "pole",
      }),
    );
  }
  return root;
}
