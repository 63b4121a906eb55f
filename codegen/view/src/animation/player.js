// The player of animations: pictures of a moving mechanism, with controls, read-outs and curves.
"use strict";

// Colours of bodies. Beyond seven the same hues again, mixed with black (below zero) or white, as
// in sketches.
const shadeColors = (list) => [0, -.35, .4, -.55, .6, -.2, .22, -.45, .5].flatMap((s) => list.map((c) =>
  "#" + [1, 3, 5].map((k) => {
    const x = parseInt(c.slice(k, k + 2), 16);
    return Math.round(s < 0 ? x * (1 + s) : x + s * (255 - x)).toString(16).padStart(2, "0");
  }).join("")));
const LIGHT_COLORS = shadeColors(["#0072b2", "#d55e00", "#009e73", "#aa4499", "#3a9fd6", "#c98500", "#5a5a5a"]);
const DARK_COLORS = shadeColors(["#56b4e9", "#ff8c4a", "#2ec796", "#dd7fd0", "#9ad0f5", "#f0b430", "#b0b0b0"]);

/**
 * Starts the player in the elements of `root`, a document or a shadow root, with the data of an
 * animation. It plays at once, unless `options.time` sets a time in seconds to show, or motion is
 * to be reduced. Returns `setData`, which replaces the motion but keeps the view, the time and
 * whether it plays if the mechanism is the same, `play` and `isPlaying`.
 */
function createPlayer(root, initial, options = {}) {
  const by = (id) => root.getElementById(id);
  const canvas = by("canvas"), pen = canvas.getContext("2d"), curves = createCurves(by("curves"));
  let data, times, count, planar, start, duration, tracks, held, leaves, side;
  let attached, normal, floor, hasFloor, edge, motion = null, follow = false, framing;

  // The eye: the right, the up and the direction towards the eye of the picture, in ground axes.
  let eye, zoom, pan, middle = [0, 0, 0];
  const reset = () => {
    eye = { right: data.view.right, up: data.view.up, eye: data.view.eye };
    zoom = 1;
    pan = [0, 0];
  };
  const orbit = (yaw, pitch) => {
    const about = (axis, angle) => { for (const k in eye) eye[k] = rotate(eye[k], axis, angle); };
    about(data.view.top, yaw);
    const height = Math.asin(Math.max(-1, Math.min(1, dot(eye.eye, data.view.top))));
    const limit = 1.55;
    about(eye.right, -(Math.max(-limit, Math.min(limit, height + pitch)) - height));
  };
  const showWhole = () => {
    framing = motion.framing;
    reset();
    orbit(side * Math.PI / 2, 0);
  };
  const center = () => [0, 1, 2].map((a) => held.reduce((sum, k) => sum + mix(tracks[k][a]), 0) / Math.max(1, held.length));
  const plane = (p) => { const up = dot(normal, p) - floor; return p.map((v, i) => v - up * normal[i]); };

  let width = 0, height = 0, scale = 1, theme = {}, colors = LIGHT_COLORS;
  const measure = () => {
    const ratio = window.devicePixelRatio || 1, box = canvas.parentElement.getBoundingClientRect();
    width = box.width;
    height = box.height;
    const size = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (canvas.width === size[0] && canvas.height === size[1]) return;
    [canvas.width, canvas.height] = size;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  };
  const readTheme = () => {
    const style = getComputedStyle(canvas);
    for (const name of ["text", "soft", "rule", "faint", "back", "floor"]) theme[name] = style.getPropertyValue("--" + name).trim();
    colors = matchMedia("(prefers-color-scheme: dark)").matches ? DARK_COLORS : LIGHT_COLORS;
    by("legend").querySelectorAll("i").forEach((chip, i) => { chip.style.background = colors[i % colors.length]; });
  };

  // The pose at a time, between the two frames around it.
  let now = 0, at = 0, share = 0;
  const seek = (t) => {
    now = Math.max(start, Math.min(start + duration, t));
    let a = 0, b = count - 1;
    while (b - a > 1) { const m = (a + b) >> 1; if (times[m] <= now) a = m; else b = m; }
    at = Math.max(0, a);
    share = count > 1 ? (now - times[at]) / (times[at + 1] - times[at]) : 0;
  };
  const mix = (values) => at + 1 < values.length ? values[at] + share * (values[at + 1] - values[at]) : values[at];
  const place = (k) => { const t = tracks[k]; return [mix(t[0]), mix(t[1]), mix(t[2])]; };
  const flat = (p) => {
    const d = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
    return [width / 2 + pan[0] + dot(eye.right, d) * scale, height / 2 + pan[1] - dot(eye.up, d) * scale, dot(eye.eye, d)];
  };
  const spot = (k) => flat(place(k));

  const stroke = (points, color, w, dash) => {
    pen.beginPath();
    points.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
    pen.strokeStyle = color;
    pen.lineWidth = w;
    pen.setLineDash(dash || []);
    pen.stroke();
  };
  const disc = (p, r, fill, line, w) => {
    pen.beginPath();
    pen.arc(p[0], p[1], r, 0, 2 * Math.PI);
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    if (line) { pen.strokeStyle = line; pen.lineWidth = w || 1.6; pen.setLineDash([]); pen.stroke(); }
  };

  const down = () => {
    const g = data.gravity, v = [dot(eye.right, g), -dot(eye.up, g)], n = Math.hypot(v[0], v[1]);
    return n > 1e-9 ? [v[0] / n, v[1] / n] : [0, 1];
  };
  const ground = (a, b) => {
    const d = [b[0] - a[0], b[1] - a[1]], n = Math.hypot(d[0], d[1]), g = down();
    if (n < 2) {
      const foot = [a[0] + 15 * g[0], a[1] + 15 * g[1]], shift = (s) => [foot[0] - s * g[1], foot[1] + s * g[0]];
      stroke([a, shift(-10), shift(10), a], theme.soft, 1.4);
      return ground(shift(-18), shift(18));
    }
    const t = [d[0] / n, d[1] / n], side = -t[1] * g[0] + t[0] * g[1] >= 0 ? [-t[1], t[0]] : [t[1], -t[0]];
    stroke([a, b], theme.soft, 1.4);
    const steps = Math.max(1, Math.min(400, Math.floor(n / 8)));
    for (let i = 0; i <= steps; i++) {
      const p = [a[0] + d[0] * i / steps, a[1] + d[1] * i / steps];
      stroke([p, [p[0] + 7 * (side[0] - .7 * t[0]), p[1] + 7 * (side[1] - .7 * t[1])]], theme.soft, .8);
    }
  };
  const trail = (trace) => {
    const mode = by("trace").value;
    if (mode === "none") return;
    const first = mode === "all" ? 0 : times.findIndex((t) => t >= now - Math.min(3, duration));
    const t = tracks[trace.track], points = [];
    for (let i = Math.max(0, first); i <= at; i++) points.push(flat([t[0][i], t[1][i], t[2][i]]));
    points.push(spot(trace.track));
    pen.lineCap = "butt";
    const pieces = mode === "all" ? 1 : 24, step = Math.max(1, Math.ceil((points.length - 1) / pieces));
    for (let i = 0; i < points.length - 1; i += step) {
      pen.globalAlpha = mode === "all" ? .45 : .08 + .62 * (i + step) / (points.length + step);
      stroke(points.slice(i, i + step + 1), colors[trace.body % colors.length], 1.7);
    }
    pen.globalAlpha = 1;
    pen.lineCap = "round";
  };
  const joint = (j) => {
    const c = spot(j.at), kind = j.kind;
    if (j.axis >= 0) {
      const e = spot(j.axis), angle = Math.hypot(e[0] - c[0], e[1] - c[1]) > 1 ? Math.atan2(e[1] - c[1], e[0] - c[0]) : 0;
      pen.save();
      pen.translate(c[0], c[1]);
      pen.rotate(angle);
      pen.beginPath();
      pen.rect(-11, -6.5, 22, 13);
      pen.fillStyle = theme.back;
      pen.fill();
      pen.restore();
      const s = Math.sin(angle), o = Math.cos(angle), corner = (x, y) => [c[0] + x * o - y * s, c[1] + x * s + y * o];
      stroke([corner(-11, -6.5), corner(11, -6.5), corner(11, 6.5), corner(-11, 6.5), corner(-11, -6.5)], theme.text, 1.6);
      if (kind !== "prismatic") disc(c, 3, theme.back, theme.text);
      return;
    }
    if (kind === "free") return;
    if (kind === "fixed") return disc(c, 3.2, theme.text);
    disc(c, 6, theme.back, theme.text);
    if (kind === "spherical" || kind === "universal") disc(c, 3.4, theme.text);
    else if (kind === "revolute") disc(c, 1.5, theme.text);
  };
  // The floor as a grid that does not move with the eye.
  const grid = () => {
    const top = normal, side = Math.abs(top[0]) < .9 ? [1, 0, 0] : [0, 1, 0];
    const d = dot(side, top), e1 = side.map((v, i) => v - d * top[i]), n = Math.hypot(...e1);
    const a = e1.map((v) => v / n), b = [top[1] * a[2] - top[2] * a[1], top[2] * a[0] - top[0] * a[2], top[0] * a[1] - top[1] * a[0]];
    const extent = 1.35 * (follow ? 2 * framing.own : framing.reach), power = 10 ** Math.floor(Math.log10(extent / 3));
    const cell = power * [1, 2, 5, 10].reduce((best, k) => k * power <= extent / 3 ? k : best, 1);
    const m = [Math.round(dot(a, middle) / cell), Math.round(dot(b, middle) / cell)], cells = Math.ceil(extent / cell);
    const at = (i, j) => flat([0, 1, 2].map((k) => (m[0] + i) * cell * a[k] + (m[1] + j) * cell * b[k] + floor * top[k]));
    const corners = [at(-cells, -cells), at(cells, -cells), at(cells, cells), at(-cells, cells)];
    pen.beginPath();
    corners.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
    pen.closePath();
    pen.fillStyle = theme.floor;
    pen.fill();
    for (let i = -cells; i <= cells; i++) {
      stroke([at(i, -cells), at(i, cells)], theme.rule, 1);
      stroke([at(-cells, i), at(cells, i)], theme.rule, 1);
    }
  };
  // A post between the floor and a joint above it.
  const stand = (l) => {
    const p = place(l[0]), up = dot(normal, p) - floor, foot = flat([0, 1, 2].map((i) => p[i] - up * normal[i])), head = flat(p);
    if (data.floor && Math.abs(up) < 1e-6 * data.size) return;
    stroke([foot, head], theme.soft, 9);
    stroke([foot, head], theme.rule, 6);
    pen.beginPath();
    pen.ellipse(foot[0], foot[1], 15, 15 * Math.abs(dot(eye.eye, normal)), 0, 0, 2 * Math.PI);
    pen.fillStyle = theme.rule;
    pen.fill();
    pen.strokeStyle = theme.soft;
    pen.lineWidth = 1.2;
    pen.setLineDash([]);
    pen.stroke();
  };
  // Solids. `v`: half axes in the picture, with the depth as the third component.
  // Solids of the ground have the colour of soft text.
  const hue = (i) => i < 0 ? theme.soft : colors[i % colors.length];
  const tint = (i, light) => {
    const mix = (x, y) => Math.round(x + light * (y - x)), hex = (c, k) => parseInt(c.slice(1 + 2 * k, 3 + 2 * k), 16);
    return `rgb(${[0, 1, 2].map((k) => mix(hex(hue(i), k), hex(theme.faint, k))).join(",")})`;
  };
  const outline = (points, fill, line, w) => {
    pen.beginPath();
    points.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
    pen.closePath();
    pen.fillStyle = fill;
    pen.fill();
    if (line) { pen.strokeStyle = line; pen.lineWidth = w || 1.2; pen.setLineDash([]); pen.stroke(); }
  };
  const ring = (c, a, b, from, to, steps) => {
    const out = [];
    for (let i = 0; i <= steps; i++) {
      const t = from + (to - from) * i / steps, s = Math.sin(t), o = Math.cos(t);
      out.push([c[0] + o * a[0] + s * b[0], c[1] + o * a[1] + s * b[1], c[2] + o * a[2] + s * b[2]]);
    }
    return out;
  };
  const hull = (points) => {
    const p = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turnOf = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => list.reduce((out, q) => {
      while (out.length > 1 && turnOf(out[out.length - 2], out[out.length - 1], q) <= 0) out.pop();
      out.push(q);
      return out;
    }, []);
    return [...half(p).slice(0, -1), ...half(p.reverse()).slice(0, -1)];
  };
  const plus = (c, ...list) => list.reduce((s, [k, v]) => [s[0] + k * v[0], s[1] + k * v[1], s[2] + k * v[2]], c);
  const solid = (i, s) => {
    const c = spot(s.at[0]), v = s.at.slice(1).map((k) => { const p = spot(k); return [p[0] - c[0], p[1] - c[1], (p[2] - c[2]) * scale]; });
    const color = hue(i);
    if (s.kind === "ellipsoid") {
      const xx = v.reduce((m, a) => m + a[0] * a[0], 0), xy = v.reduce((m, a) => m + a[0] * a[1], 0), yy = v.reduce((m, a) => m + a[1] * a[1], 0);
      const mean = (xx + yy) / 2, off = Math.hypot((xx - yy) / 2, xy), angle = Math.atan2(xy, (xx - yy) / 2) / 2;
      pen.beginPath();
      pen.ellipse(c[0], c[1], Math.sqrt(mean + off), Math.sqrt(Math.max(0, mean - off)), angle, 0, 2 * Math.PI);
      pen.globalAlpha = s.ghost ? .16 : 1;
      pen.fillStyle = s.ghost ? color : tint(i, .62);
      pen.fill();
      pen.globalAlpha = s.ghost ? .45 : .9;
      pen.strokeStyle = color;
      pen.lineWidth = 1.2;
      pen.setLineDash([]);
      pen.stroke();
      // Its orientation: the near halves of its principal sections.
      pen.globalAlpha = s.ghost ? .3 : .7;
      for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
        const near = Math.atan2(v[b][2], v[a][2]);
        stroke(ring(c, v[a], v[b], near - Math.PI / 2, near + Math.PI / 2, 24), color, 1);
      }
      pen.globalAlpha = 1;
      return;
    }
    if (s.kind === "box") {
      for (let k = 0; k < 3; k++) {
        const n = v[k], a = v[(k + 1) % 3], b = v[(k + 2) % 3], sign = n[2] >= 0 ? 1 : -1;
        const face = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([p, q]) => plus(c, [sign, n], [p, a], [q, b]));
        const size = Math.hypot(...n), light = size > 0 ? Math.abs(n[2]) / size : 0;
        outline(face, tint(i, .4 + .35 * light), color, 1.2);
      }
      return;
    }
    // A cylinder along its third axis.
    const ends = [1, -1].map((k) => ring(plus(c, [k, v[2]]), v[0], v[1], 0, 2 * Math.PI, 36));
    outline(hull(ends.flat()), tint(i, .5), color, 1.2);
    const front = v[2][2] >= 0 ? 0 : 1, cap = ends[front];
    outline(cap, tint(i, .72), color, 1.2);
    const hub = plus(c, [front ? -1 : 1, v[2]]);
    for (const k of [0, 9, 18, 27]) stroke([hub, cap[k]], color, k ? .7 : 1.8);
  };
  // 1 if b is nearer than a, -1 if a is nearer, 0 if undecided. The depths of middles would
  // mislead for long boxes, so a
  // side of one solid decides if the other is wholly beyond it.
  const nearer = (a, b) => {
    for (const [p, q, sign] of [[a, b, 1], [b, a, -1]]) {
      for (const n of p.axes) {
        const size = Math.hypot(...n);
        if (size < 1e-9 || Math.abs(n[2]) < 1e-6 * size) continue;
        const u = n.map((x) => x / size), d = dot([0, 1, 2].map((k) => q.middle[k] - p.middle[k]), u);
        const reach = q.axes.reduce((sum, axis) => sum + Math.abs(dot(axis, u)), 0);
        // A solid that stands on another may penetrate it a little.
        if (Math.abs(d) > .98 * (size + reach)) return sign * (d * u[2] > 0 ? 1 : -1);
      }
    }
    return 0;
  };
  const inFront = (drawn) => {
    const solids = drawn.filter((d) => !d[3]);
    if (solids.length < 2 || solids.length > 60) return drawn;
    const cells = new Map(solids.map((d) => {
      const [c, ...ends] = d[2].at.map(spot);
      return [d, { middle: [c[0], c[1], c[2] * scale], axes: ends.map((p) => [p[0] - c[0], p[1] - c[1], (p[2] - c[2]) * scale]) }];
    }));
    // The farthest first, unless another remaining solid is behind it.
    const out = [], left = [...drawn];
    while (left.length) {
      const free = left.findIndex((d) => !cells.has(d) || left.every((o) => o === d || !cells.has(o) || nearer(cells.get(d), cells.get(o)) >= 0));
      out.push(...left.splice(Math.max(0, free), 1));
    }
    return out;
  };
  // A force; a moment has two heads and a dashed shaft.
  const arrow = (a) => {
    const p = spot(a.at), q = spot(a.tip), x = q[0] - p[0], y = q[1] - p[1], length = Math.hypot(x, y);
    if (length < 3) return;
    const [ux, uy] = [x / length, y / length], head = Math.min(10, .6 * length);
    stroke([p, q], theme.faint, 5);
    pen.setLineDash(a.moment ? [5, 4] : []);
    stroke([p, q], theme.text, 2);
    pen.setLineDash([]);
    for (const back of a.moment ? [0, .7 * head] : [0]) {
      const tip = [q[0] - back * ux, q[1] - back * uy];
      pen.beginPath();
      pen.moveTo(tip[0], tip[1]);
      for (const side of [1, -1]) pen.lineTo(tip[0] - head * ux - side * .4 * head * uy, tip[1] - head * uy + side * .4 * head * ux);
      pen.closePath();
      pen.fillStyle = theme.text;
      pen.fill();
    }
    if (length < 24) return;
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = theme.soft;
    pen.textAlign = ux < -.3 ? "right" : ux > .3 ? "left" : "center";
    pen.textBaseline = "middle";
    pen.fillText(a.name, q[0] + 8 * ux, q[1] + 10 * uy);
  };
  const triad = () => {
    const o = [38, height - 38];
    pen.font = "italic 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    ["x", "y", "z"].forEach((name, i) => {
      const a = [0, 0, 0];
      a[i] = 1;
      const v = [dot(eye.right, a), -dot(eye.up, a)];
      if (Math.hypot(v[0], v[1]) < .1) return;
      stroke([o, [o[0] + 24 * v[0], o[1] + 24 * v[1]]], theme.soft, 1.4);
      pen.fillStyle = theme.soft;
      pen.fillText(name, o[0] + 33 * v[0], o[1] + 33 * v[1]);
    });
  };
  const ruler = () => {
    const rough = 90 / scale, power = 10 ** Math.floor(Math.log10(rough));
    const length = power * [1, 2, 5, 10].reduce((best, k) => k * power <= rough ? k : best, 1);
    const x = width - 16 - length * scale, y = 22;
    stroke([[x, y - 4], [x, y], [width - 16, y], [width - 16, y - 4]], theme.soft, 1.3);
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.fillStyle = theme.soft;
    pen.fillText(Number(length.toPrecision(2)) + " m", x + length * scale / 2, y + 4);
  };

  const draw = () => {
    pen.clearRect(0, 0, width, height);
    if (!count || width < 2) {
      pen.fillStyle = theme.soft;
      pen.font = "15px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.fillText("nothing to play", width / 2, height / 2);
      return;
    }
    const room = [Math.max(40, width - 90), Math.max(40, height - 90)];
    const { home, span, reach, rise, own, wide, tall } = framing;
    middle = follow ? center() : home;
    if (follow && planar) scale = Math.min(room[0], room[1]) / (2.4 * own);
    else if (follow) scale = Math.min(room[0] / (2.3 * wide), room[1] / (2.3 * (.82 * tall + .57 * wide)));
    else if (planar) scale = Math.min(room[0] / span[0], room[1] / span[1]);
    else scale = Math.min(room[0] / (2 * reach), room[1] / (2 * (.82 * rise + .57 * reach)));
    scale *= zoom;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    if (hasFloor && dot(eye.eye, normal) > 0) grid();
    if (edge) {
      const foot = plane(middle), far = 3 * (width + height) / scale;
      ground(flat(foot.map((v, i) => v - far * edge[i])), flat(foot.map((v, i) => v + far * edge[i])));
    }
    data.ground.forEach((l) => hasFloor && attached ? stand(l) : ground(spot(l[0]), spot(l[1])));
    data.traces.forEach(trail);
    const drawn = [];
    data.bodies.forEach((b, i) => {
      // A body with shapes has only the lines that its shapes do not cover.
      const bare = b.shapes.some((s) => !s.ghost) ? b.bare.map((k) => b.lines[k]) : b.lines;
      bare.forEach((l) => { const a = spot(l[0]), e = spot(l[1]); drawn.push([(a[2] + e[2]) / 2, i, a, e]); });
      b.shapes.forEach((s) => drawn.push([spot(s.at[0])[2], i, s]));
    });
    data.standing.forEach((s) => drawn.push([spot(s.at[0])[2], -1, s]));
    drawn.sort((a, b) => a[0] - b[0]);
    for (const [, i, a, b] of inFront(drawn)) {
      if (!b) { solid(i, a); continue; }
      // Short pieces, such as those of a rim or a path, are thin and have no outline, which would
      // cover the piece before.
      const length = Math.hypot(b[0] - a[0], b[1] - a[1], scale * (b[2] - a[2])), many = data.bodies[i].lines.length > 12;
      const w = many ? 2.4 : Math.max(1.8, Math.min(5.5, length / 3));
      if (length > 16 && !many) stroke([a, b], theme.faint, w + 3.5);
      stroke([a, b], colors[i % colors.length], w);
    }
    data.bodies.forEach((b, i) => {
      b.points.forEach((k) => disc(spot(k), 3, colors[i % colors.length]));
      // A point mass.
      if (!b.lines.length && !b.shapes.length && !b.points.length && b.center >= 0) disc(spot(b.center), 6, colors[i % colors.length]);
      if (b.center >= 0) disc(spot(b.center), 3.6, theme.back, colors[i % colors.length], 1.8);
    });
    data.joints.forEach(joint);
    data.arrows.forEach(arrow);
    triad();
    ruler();
    curves.draw({ now, at, share }, theme, colors);
  };

  // Read-outs.
  let cells = [], decimals = 2;
  const addBodies = () => data.bodies.forEach((b) => {
    const item = document.createElement("li");
    item.append(document.createElement("i"), b.name);
    // A body without mass may have nothing to draw.
    if (b.center < 0 && !b.lines.length && !b.points.length && !b.shapes.length) item.style.display = "none";
    by("legend").append(item);
  });
  // The lengths of arrows are relative to the longest ones.
  const addLongestArrows = () => [["force", "N", "→"], ["moment", "N·m", "⇢"]].forEach(([word, unit, sign], k) => {
    if (!data.arrows.some((a) => a.moment === !!k)) return;
    const item = document.createElement("li");
    item.textContent = `${sign} longest ${word} ${Number(data.largest[k].toPrecision(3))} ${unit}`;
    by("legend").append(item);
  });
  const addSignal = (s) => {
    const row = by("signals").tBodies[0].insertRow(), finite = s.values.filter((v) => v !== null);
    row.insertCell().textContent = s.name.replaceAll("_", "_\u200b");
    const cell = row.insertCell();
    row.insertCell().textContent = s.unit.replaceAll("*", "·");
    const most = (all) => all.reduce((m, v) => v === null ? m : Math.max(m, Math.abs(v)), 0);
    // A rounding error next to values of the same unit is zero.
    const largest = most(finite), all = most(data.signals.filter((o) => o.unit === s.unit).map((o) => most(o.values)));
    const top = largest > 1e-9 * all ? largest : all, order = top > 1e-12 ? Math.floor(Math.log10(top)) : 0;
    const print = order < -4 || order > 6 ? (v) => v.toExponential(3) : (v) => v.toFixed(Math.max(0, Math.min(8, 3 - order)));
    cells.push([cell, s.values, (v) => print(v).replace(/^-(?=[0.]*$)/, "").replaceAll("-", "−")]);
  };
  const fillReadouts = () => {
    cells = [];
    by("legend").replaceChildren();
    by("signals").tBodies[0].replaceChildren();
    addBodies();
    addLongestArrows();
    data.signals.forEach(addSignal);
    decimals = duration > 100 ? 1 : duration > 1 || !duration ? 2 : 2 + Math.ceil(-Math.log10(duration));
  };
  const updateReadouts = () => {
    const rests = data.rests.filter((r) => r.from <= now && now <= r.until).map((r) => r.name);
    const resting = rests.length ? `, rests on ${rests.join(", ")}` : "";
    by("clock").textContent = now.toFixed(decimals) + " s" + resting;
    const scrub = by("scrub");
    scrub.value = duration ? 1000 * (now - start) / duration : 0;
    scrub.setAttribute("aria-valuetext", now.toFixed(decimals) + " seconds");
    for (const [cell, values, print] of cells) {
      const a = values[at], b = values[Math.min(at + 1, count - 1)];
      cell.textContent = a == null ? "–" : print(b == null ? a : a + share * (b - a));
    }
  };
  const show = () => { draw(); updateReadouts(); };

  let playing = false, last = 0;
  // A motion that would be over in a blink plays slowly at first.
  const chooseSpeed = () => {
    const speeds = [...by("speed").options].map((o) => Number(o.value)).filter((v) => v <= 1);
    by("speed").value = String(Math.max(Math.min(...speeds), ...speeds.filter((v) => !duration || duration / v >= .5)));
  };
  const tick = (stamp) => {
    if (!playing) return;
    const passed = Math.min(.1, (stamp - last) / 1000) * Number(by("speed").value);
    last = stamp;
    seek(now >= start + duration ? start : now + passed);
    show();
    requestAnimationFrame(tick);
  };
  const play = (on) => {
    const was = playing;
    playing = on && duration > 0;
    by("play").classList.toggle("playing", playing);
    by("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (playing && !was) requestAnimationFrame((stamp) => { last = stamp; tick(stamp); });
  };
  const zoomBy = (k) => { zoom = Math.max(.2, Math.min(50, zoom * k)); draw(); };
  const seekAt = (e) => {
    const t = curves.timeAt(e);
    if (t === null) return;
    play(false);
    seek(t);
    show();
  };

  by("curves").addEventListener("pointerdown", (e) => { by("curves").setPointerCapture(e.pointerId); seekAt(e); });
  by("curves").addEventListener("pointermove", (e) => { if (e.buttons) seekAt(e); });
  by("controls").addEventListener("submit", (e) => e.preventDefault());
  by("play").addEventListener("click", () => play(!playing));
  by("scrub").addEventListener("input", (e) => { play(false); seek(start + duration * e.target.value / 1000); show(); });
  by("trace").addEventListener("change", () => draw());
  by("follow").addEventListener("change", (e) => { follow = e.target.checked; draw(); });
  by("fit").addEventListener("click", () => { showWhole(); draw(); });
  by("in").addEventListener("click", () => zoomBy(1.25));
  by("out").addEventListener("click", () => zoomBy(.8));
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoomBy(Math.exp(-e.deltaY * .0015)); }, { passive: false });

  // One pointer turns (or moves, in a planar picture), two zoom.
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    by("hint").textContent = "";
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const here = [e.clientX, e.clientY], dx = here[0] - before[0], dy = here[1] - before[1];
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== e.pointerId)[1];
      const gap = (p) => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
      zoom = Math.max(.2, Math.min(50, zoom * gap(here) / gap(before)));
    } else if (planar || e.shiftKey) {
      pan = [pan[0] + dx, pan[1] + dy];
    } else {
      orbit(-dx * .008, dy * .008);
    }
    pointers.set(e.pointerId, here);
    draw();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => pointers.delete(e.pointerId));

  root.addEventListener("keydown", (e) => {
    const usesKeys = ["SELECT", "BUTTON"].includes(e.target.tagName) || e.target.type === "checkbox";
    if (e.ctrlKey || e.metaKey || e.altKey || usesKeys || !root.contains(e.target)) return;
    const step = (k) => { play(false); seek(now + k * duration / 200); show(); };
    const onCanvas = e.target === canvas && !planar;
    const actions = {
      " ": () => play(!playing),
      "0": () => { showWhole(); draw(); },
      "+": () => zoomBy(1.25),
      "-": () => zoomBy(.8),
      ArrowLeft: () => onCanvas ? (orbit(.1, 0), draw()) : step(-1),
      ArrowRight: () => onCanvas ? (orbit(-.1, 0), draw()) : step(1),
      ArrowUp: () => { if (onCanvas) { orbit(0, .1); draw(); } },
      ArrowDown: () => { if (onCanvas) { orbit(0, -.1); draw(); } },
      Home: () => { seek(start); show(); },
      End: () => { seek(start + duration); show(); },
    };
    if (actions[e.key] && !(e.target.id === "scrub" && e.key !== " ")) { e.preventDefault(); actions[e.key](); }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); draw(); });
  new ResizeObserver(() => { measure(); curves.layout(); draw(); }).observe(canvas.parentElement);

  const assign = (next) => {
    motion = next;
    ({ data, times, count, planar, start, duration, tracks, held, leaves, side } = motion);
    ({ attached, normal, floor, hasFloor, edge } = motion);
  };
  const structure = () => JSON.stringify([planar, data.bodies.map((b) => b.name), data.joints.map((j) => j.name)]);

  const setData = (next) => {
    const before = motion, known = before && structure();
    assign(measureMotion(next));
    const same = known === structure();
    if (same) {
      framing = keepFraming(framing, motion.framing, data.size);
      if (leaves !== before.leaves) follow = leaves;
    } else {
      showWhole();
      follow = leaves;
      now = start;
      chooseSpeed();
      by("hint").textContent = count ? (planar ? "drag to move, wheel to zoom" : "drag to turn, wheel to zoom") : "";
    }
    by("follow").checked = follow;
    by("followbox").hidden = !leaves;
    by("tracebox").hidden = !data.traces.length;
    curves.setMotion(motion);
    fillReadouts();
    measure();
    readTheme();
    seek(now);
    show();
    play(playing);
  };

  setData(initial);
  if (options.time !== undefined) { seek(options.time); show(); }
  else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
  return { setData, play, isPlaying: () => playing };
}
