// Motion of a mechanism as the player draws it: decoded tracks, extents, floor and initial side.
"use strict";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Vector `v` rotated about a unit `axis` by `angle` radians. */
const rotate = (v, axis, angle) => {
  const c = Math.cos(angle), s = Math.sin(angle), k = dot(axis, v) * (1 - c);
  const x = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return v.map((e, i) => e * c + x[i] * s + axis[i] * k);
};

/**
 * Positions over the frames. Encoded: first value, first difference, second differences, in whole
 * units.
 */
function decodeTracks(data) {
  const count = data.times.length;
  return data.tracks.map((axes) => axes.map((d) => {
    const out = new Float64Array(count);
    if (d.length === 1) return out.fill(d[0] * data.unit);
    for (let i = 0, x = 0, rate = 0; i < count; i++) {
      rate = i < 2 ? d[i] : rate + d[i];
      x += rate;
      out[i] = x * data.unit;
    }
    return out;
  }));
}

/** Indices of the tracks of all bodies; those of transparent solids only `withGhosts`. */
function bodyTracks(data, withGhosts) {
  const all = data.bodies.flatMap((b) => {
    const shapes = b.shapes.filter((s) => withGhosts || !s.ghost);
    return [...b.lines.flat(), ...b.points, b.center, ...shapes.flatMap((s) => s.at)];
  });
  return [...new Set(all)].filter((k) => k >= 0);
}

/**
 * Extents of everything at all times. A spatial mechanism gets the volume that it sweeps when the
 * view is turned about the top axis, seen from 35 degrees above, so that turning the view does not
 * change the scale.
 */
function measureExtents(data, tracks) {
  const count = data.times.length, planar = data.view.planar;
  // Floors and walls are excluded.
  const along = (a, b) => Math.hypot(...[0, 1, 2].map((k) => tracks[a][k][0] - tracks[b][k][0]));
  const small = data.standing.filter((s) => count && s.at.slice(1).every((k) => along(k, s.at[0]) < data.size));
  const used = new Set([
    ...bodyTracks(data, true), ...small.flatMap((s) => s.at), ...data.arrows.flatMap((a) => [a.at, a.tip]),
    ...data.joints.map((j) => j.at), ...data.ground.flat(),
  ]);
  used.delete(-1);
  const probes = [...used].map((k) => (a, i) => tracks[k][a][i]);
  // The opposite ends of the half axes of solids.
  for (const s of [...small, ...data.bodies.flatMap((b) => b.shapes)]) {
    const [c, ...half] = s.at;
    half.forEach((k) => probes.push((a, i) => 2 * tracks[c][a][i] - tracks[k][a][i]));
  }
  const low = [1e300, 1e300, 1e300], high = [-1e300, -1e300, -1e300];
  const frame = planar ? [data.view.right, data.view.up, data.view.eye] : [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (const at of probes) for (let i = 0; i < count; i++) {
    const p = [at(0, i), at(1, i), at(2, i)];
    frame.forEach((f, a) => { const v = dot(f, p); low[a] = Math.min(low[a], v); high[a] = Math.max(high[a], v); });
  }
  const home = [0, 1, 2].map((i) => frame.reduce((sum, f, a) => sum + f[i] * (low[a] + high[a]) / 2, 0));
  const span = high.map((h, a) => Math.max(h - low[a], 1e-9 * data.size));
  let reach = 1e-9 * data.size, rise = 0;
  for (const at of probes) for (let i = 0; i < count; i++) {
    const p = [0, 1, 2].map((a) => at(a, i) - home[a]), up = dot(p, data.view.top);
    rise = Math.max(rise, Math.abs(up));
    reach = Math.max(reach, Math.sqrt(Math.max(0, dot(p, p) - up * up)));
  }
  return { home, span, reach, rise };
}

/** Extents of the mechanism about its own middle, which set the scale while the view follows it. */
function measureOwnSize(data, tracks, held) {
  const count = data.times.length;
  let own = 1e-9 * data.size, wide = own, tall = 0;
  for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 200))) {
    const c = [0, 1, 2].map((a) => held.reduce((sum, k) => sum + tracks[k][a][i], 0) / Math.max(1, held.length));
    for (const k of held) {
      const p = [0, 1, 2].map((a) => tracks[k][a][i] - c[a]), up = dot(p, data.view.top);
      own = Math.max(own, Math.hypot(...p));
      tall = Math.max(tall, Math.abs(up));
      wide = Math.max(wide, Math.sqrt(Math.max(0, dot(p, p) - up * up)));
    }
  }
  return { own, wide, tall };
}

/**
 * The floor: that of wheels or of a plane to slide on. Otherwise, a mechanism attached to the
 * ground stands on the plane of the origin, or as much lower as it reaches later, and a free one
 * flies above a floor below its lowest point. A mechanism that hangs from the ground has no floor.
 * In a planar picture the floor of wheels is a line, `edge`.
 */
function findFloor(data, tracks) {
  const count = data.times.length, planar = data.view.planar, given = data.floor;
  const attached = data.ground.length > 0, normal = given ? given.normal : data.view.top;
  const level = (k, i) => dot(normal, [0, 1, 2].map((a) => tracks[k][a][i]));
  let floor = attached ? 0 : Infinity, lowest = Infinity;
  for (const k of bodyTracks(data, false)) {
    if (count) lowest = Math.min(lowest, level(k, 0));
    for (let i = 0; i < count; i++) floor = Math.min(floor, level(k, i));
  }
  if (given) floor = dot(normal, given.point);
  const hasLevel = Math.hypot(...data.gravity) > 0 && Number.isFinite(floor) && (!attached || lowest >= -.02 * data.size);
  const across = [1, 2, 0].map((b, a) => normal[b] * data.view.eye[(a + 2) % 3] - normal[(a + 2) % 3] * data.view.eye[b]);
  const edge = planar && given && Math.hypot(...across) > .99 ? across : null;
  return { attached, normal, floor, hasFloor: !planar && Boolean(given || hasLevel), edge };
}

/**
 * The side, of four, that shows most at the start; that of the sketch unless another shows much
 * more.
 */
function findSide(data, tracks, held, normal) {
  if (data.view.planar || !data.times.length) return 0;
  const shown = (yaw) => {
    const [x, y] = [data.view.right, data.view.up].map((v) => {
      const axis = rotate(v, data.view.top, yaw);
      return held.map((k) => dot(axis, [0, 1, 2].map((a) => tracks[k][a][0])));
    });
    const n = x.length || 1, mean = (v) => v.reduce((s, e) => s + e, 0) / n;
    const mx = mean(x), my = mean(y);
    const xx = mean(x.map((e) => (e - mx) ** 2)), yy = mean(y.map((e) => (e - my) ** 2));
    const xy = mean(x.map((e, i) => (e - mx) * (y[i] - my)));
    // A slope is not looked at along its surface.
    const seen = data.floor ? Math.max(.1, dot(rotate(data.view.eye, data.view.top, yaw), normal)) : 1;
    return seen * Math.sqrt(Math.max(0, xx * yy - xy * xy));
  };
  const first = shown(0);
  let side = 0;
  for (const k of [1, 2, 3]) {
    const here = shown(k * Math.PI / 2);
    if (here > 1.5 * shown(side * Math.PI / 2) && here > 1.5 * first) side = k;
  }
  return side;
}

/** All that the player derives from the data of an animation before it draws. */
function measureMotion(data) {
  const times = data.times, count = times.length, planar = data.view.planar;
  const tracks = decodeTracks(data), held = bodyTracks(data, true);
  const extents = measureExtents(data, tracks), size = measureOwnSize(data, tracks, held);
  const farthest = Math.max(extents.reach, extents.rise, planar ? Math.max(...extents.span.slice(0, 2)) / 2 : 0);
  const ground = findFloor(data, tracks);
  return {
    data, times, count, planar, tracks, held, ...ground,
    start: count ? times[0] : 0, duration: count ? times[count - 1] - times[0] : 0,
    framing: { ...extents, ...size },
    leaves: held.length > 0 && farthest > 2.2 * size.own,
    side: findSide(data, tracks, held, ground.normal),
  };
}

/**
 * The framing `before`, as long as the new motion fits into it and fills half of it; otherwise
 * that of the new motion.
 */
function keepFraming(before, next, size) {
  const sizes = (f) => [f.reach, f.rise, f.own, ...f.span.slice(0, 2)];
  const limits = sizes(before), shift = Math.hypot(...next.home.map((x, i) => x - before.home[i]));
  const fits = sizes(next).every((x, i) => x <= 1.02 * limits[i] + 1e-9 * size) && shift < .1 * before.reach;
  return fits && next.reach >= .5 * before.reach ? before : next;
}
