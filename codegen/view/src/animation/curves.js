// Curves of the signals below the picture, one strip for each unit, with a marker at the time.
"use strict";

const LINE_DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/**
 * Signals of one unit in one or two strips: two if they differ in size by more than twenty times.
 */
function splitBySize(list) {
  const size = (s) => s.values.reduce((m, v) => (v === null ? m : Math.max(m, Math.abs(v))), 0);
  const largest = Math.max(...list.map(size));
  const sizes = list.map(size).filter((x) => x > 1e-6 * largest).sort((a, b) => a - b);
  let limit = -1, gap = 20;
  for (let i = 0; i + 1 < sizes.length; i++) {
    if (sizes[i + 1] / sizes[i] > gap) { gap = sizes[i + 1] / sizes[i]; limit = sizes[i]; }
  }
  const small = (s) => size(s) <= limit && size(s) > 1e-6 * largest;
  return limit < 0 ? [list] : [list.filter((s) => !small(s)), list.filter(small)];
}

/**
 * The words in which a name differs from the one before it, where both begin with the same words.
 */
function shortenName(name, before) {
  const words = name.split("_"), other = before.split("_");
  let same = 0;
  while (same < words.length - 1 && words[same] === other[same]) same++;
  return same ? "…" + words.slice(same).join("_") : name;
}

/**
 * Lowest and highest value of a strip, apart even if the signals are constant or only rounding
 * errors.
 */
function valueRange(list) {
  let least = Infinity, most = -Infinity;
  for (const s of list) for (const v of s.values) if (v !== null) { least = Math.min(least, v); most = Math.max(most, v); }
  if (least > most) return null;
  const size = Math.max(Math.abs(least), Math.abs(most));
  if (size < 1e-15) return [-1, 1];
  return most - least <= 1e-9 * size ? [least - 1, most + 1] : [least, most];
}

/** Strips of curves on the canvas `sheet`; `setMotion` gives them their data. */
function createCurves(sheet) {
  const ink = sheet.getContext("2d");
  let motion = null, cards = [], slots = [];

  const setMotion = (next) => {
    motion = next;
    const signals = motion.data.signals, units = [...new Set(signals.map((s) => s.unit))];
    cards = units.flatMap((unit) => {
      const list = signals.filter((s) => s.unit === unit);
      return (unit === "J" ? [list] : splitBySize(list)).map((part) => ({ unit, list: part, range: valueRange(part) }));
    });
    sheet.hidden = !cards.length;
    layout();
  };

  const layout = () => {
    const box = sheet.parentElement.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const columns = Math.max(1, Math.min(cards.length, Math.floor(box.width / 300))), rows = Math.ceil(cards.length / columns);
    const w = box.width / columns, h = 118;
    slots = cards.map((c, k) => ({ ...c, x: (k % columns) * w, y: Math.floor(k / columns) * h, w, h }));
    const size = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(rows * h * ratio))];
    if (sheet.width === size[0] && sheet.height === size[1] && sheet.style.height) return;
    sheet.style.height = rows * h + "px";
    [sheet.width, sheet.height] = size;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  };

  const drawLegend = (c, left, right, colors, theme) => {
    let x = left;
    const room = c.list.reduce((sum, s) => sum + ink.measureText(s.name).width + 34, 0) < right - 30 - left;
    c.list.forEach((s, k) => {
      const name = room || !k ? s.name : shortenName(s.name, c.list[k - 1].name), wide = ink.measureText(name).width;
      if (x + wide + 24 >= right - 30) return;
      ink.strokeStyle = colors[k % colors.length];
      ink.lineWidth = 2;
      ink.setLineDash(LINE_DASHES[k % 4]);
      ink.beginPath();
      ink.moveTo(x, c.y + 11);
      ink.lineTo(x + 16, c.y + 11);
      ink.stroke();
      ink.fillStyle = theme.text;
      ink.fillText(name, x + 20, c.y + 15);
      x += wide + 34;
    });
  };

  const drawStrip = (c, { now, at, share }, theme, colors) => {
    const { times, count, start, duration } = motion, [least, most] = c.range;
    const left = c.x + 52, right = c.x + c.w - 14, top = c.y + 22, bottom = c.y + c.h - 8;
    const px = (t) => left + (right - left) * (duration ? (t - start) / duration : 0);
    const py = (v) => bottom - (bottom - top) * (v - least) / (most - least);
    ink.setLineDash([]);
    ink.strokeStyle = theme.rule;
    ink.lineWidth = 1;
    ink.strokeRect(left, top, right - left, bottom - top);
    ink.fillStyle = theme.soft;
    ink.textAlign = "right";
    const digits = (v) => (Math.abs(v) >= 1e4 || (v && Math.abs(v) < 1e-2) ? v.toExponential(1).replace("e+", "e") : String(Number(v.toPrecision(2)))).replaceAll("-", "−");
    // A rounding error next to the other end of the axis is zero.
    const whole = (v) => Math.abs(v) < 1e-9 * (most - least) ? 0 : v;
    ink.fillText(digits(whole(most)), left - 5, top + 9);
    ink.fillText(digits(whole(least)), left - 5, bottom);
    if (least < 0 && most > 0) { ink.beginPath(); ink.moveTo(left, py(0)); ink.lineTo(right, py(0)); ink.stroke(); }
    ink.textAlign = "left";
    drawLegend(c, left, right, colors, theme);
    c.list.forEach((s, k) => {
      ink.strokeStyle = colors[k % colors.length];
      ink.lineWidth = 1.5;
      ink.setLineDash(LINE_DASHES[k % 4]);
      ink.beginPath();
      let up = true;
      s.values.forEach((v, i) => {
        if (v === null) { up = true; return; }
        if (up) ink.moveTo(px(times[i]), py(v)); else ink.lineTo(px(times[i]), py(v));
        up = false;
      });
      ink.stroke();
    });
    ink.fillStyle = theme.soft;
    ink.textAlign = "right";
    ink.fillText(c.unit === "1" ? "" : c.unit.replaceAll("*", "·"), right, c.y + 15);
    ink.setLineDash([]);
    ink.strokeStyle = theme.text;
    ink.lineWidth = 1;
    ink.beginPath();
    ink.moveTo(px(now), top);
    ink.lineTo(px(now), bottom);
    ink.stroke();
    c.list.forEach((s, k) => {
      const a = s.values[at], b = s.values[Math.min(at + 1, count - 1)];
      if (a == null) return;
      ink.beginPath();
      ink.arc(px(now), py(b == null ? a : a + share * (b - a)), 3, 0, 2 * Math.PI);
      ink.fillStyle = colors[k % colors.length];
      ink.fill();
    });
  };

  /**
   * Draws all strips at a time: `now`, between the frames `at` and `at + 1`, at the fraction
   * `share`.
   */
  const draw = (time, theme, colors) => {
    if (!motion || !motion.count || !cards.length) return;
    ink.clearRect(0, 0, sheet.width, sheet.height);
    ink.font = "12px system-ui, sans-serif";
    ink.textBaseline = "alphabetic";
    for (const c of slots) if (c.range) drawStrip(c, time, theme, colors);
  };

  /** Time under a pointer, or null between the strips. */
  const timeAt = (e) => {
    const box = sheet.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    const c = slots.find((k) => x >= k.x && x < k.x + k.w && y >= k.y && y < k.y + k.h);
    return c ? motion.start + motion.duration * (x - c.x - 52) / (c.w - 66) : null;
  };

  return { setMotion, layout, draw, timeAt };
}
