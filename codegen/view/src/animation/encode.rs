//! Encodes a motion as compact JSON.
//!
//! Every point of the skeleton is a track over the frames. Coordinates are integer multiples of
//! 1e-5 of the scene's size. A track consists of the first value, the first difference, and second
//! differences, which are small for a smooth motion. A coordinate that never changes is one number.
//! Points that move together share one track.

use std::collections::BTreeMap;

use super::arrows::Arrows;
use super::model::Animation;
use crate::figure::SolidPicture;
use crate::figure::{Scene, SceneBody, View};
use dqdt_diagnostics::base::JointSymbol;

/// Maximum number of frames of an animation, about two minutes on a screen. From a longer one,
/// evenly spaced frames are kept.
const FRAMES: usize = 4000;
/// Resolution of encoded coordinates: number of steps per size of the scene.
const STEPS: f64 = 1e5;

/// Data of the animation player as one JSON object that is safe within a `<script>` element.
pub fn encode_animation(animation: &Animation) -> String {
    let arrows = Arrows::from_motion(animation);
    let frames = valid_frames(animation);
    let first = animation.scenes.first().cloned().unwrap_or_default();
    let all: Vec<Vec<[f64; 3]>> = frames.iter().map(|i| frame_points(animation, *i, 0.0)).collect();
    // Solids on the ground are excluded: next to a large floor or wall the mechanism would be
    // small.
    let standing = 4 * frame_solids(animation, 0).iter().filter(|s| s.body.is_none()).count();
    let before = 4 * frame_solids(animation, 0).len() - standing;
    let moving: Vec<Vec<[f64; 3]>> =
        all.iter().map(|frame| [&frame[..before], &frame[before + standing..]].concat()).collect();
    let size = scene_size(&moving);
    let all: Vec<Vec<[f64; 3]>> = (frames.iter())
        .map(|i| {
            let mut all = frame_points(animation, *i, 0.05 * size);
            all.extend(animation.arrows.get(*i).into_iter().flat_map(|frame| arrows.end_points(frame, size)));
            all
        })
        .collect();
    let mut tracks = Tracks { unit: size / STEPS, ..Tracks::default() };
    let count = all.first().map_or(0, Vec::len);
    let index: Vec<usize> = (0..count).map(|k| tracks.add_track(all.iter().map(|frame| frame[k]))).collect();

    let times: Vec<String> = frames.iter().map(|i| short_number(animation.times[*i])).collect();
    let signals: Vec<String> = animation
        .signals
        .iter()
        .map(|s| {
            let values: Vec<String> =
                frames.iter().map(|i| s.values.get(*i).map_or("null".into(), |v| short_number(*v))).collect();
            format!(
                "{{\"name\":{},\"unit\":{},\"values\":[{}]}}",
                json_string(&s.name),
                json_string(&s.unit),
                values.join(",")
            )
        })
        .collect();
    let rests: Vec<String> = (animation.rests.iter())
        .map(|(name, [from, until])| {
            let name = json_string(name);
            format!("{{\"name\":{name},\"from\":{},\"until\":{}}}", short_number(*from), short_number(*until))
        })
        .collect();
    let view = View::of_scene(&first);
    format!(
        "{{\"times\":[{}],\n\"unit\":{:e},\"size\":{:e},\"tracks\":[{}],\n{},\n\"signals\":[{}],\"rests\":[{}],\n\
         \"view\":{{\"planar\":{},\"right\":{},\"up\":{},\"eye\":{},\"top\":{}}},\"floor\":{},\"gravity\":{}}}",
        times.join(","),
        tracks.unit,
        size,
        tracks.encoded.join(",\n"),
        skeleton_json(&first, animation, &arrows, &mut index.into_iter()),
        signals.join(",\n"),
        rests.join(","),
        view.planar,
        vector_json(view.right),
        vector_json(view.up),
        vector_json(view.eye),
        vector_json(view.top),
        animation.floor.map_or("null".to_owned(), |(normal, point)| {
            format!("{{\"normal\":{},\"point\":{}}}", vector_json(normal), vector_json(point))
        }),
        vector_json(first.gravity),
    )
}

/// Indices of the frames to show: finite, in ascending order of time, with the structure of the
/// first frame.
fn valid_frames(animation: &Animation) -> Vec<usize> {
    let Some(first) = animation.scenes.first() else { return Vec::new() };
    let (shape, mut last) = (scene_structure(first), f64::NEG_INFINITY);
    let mut good: Vec<usize> = Vec::new();
    for (i, (time, scene)) in animation.times.iter().zip(&animation.scenes).enumerate() {
        let finite = frame_points(animation, i, 0.0).iter().flatten().all(|x| x.abs() < 1e100);
        let same = self::scene_structure(scene) == shape
            && frame_solids(animation, i).len() == frame_solids(animation, 0).len();
        if time.is_finite() && *time > last && finite && same {
            last = *time;
            good.push(i);
        }
    }
    let n = good.len();
    if n <= FRAMES {
        return good;
    }
    (0..FRAMES).map(|k| good[k * (n - 1) / (FRAMES - 1)]).collect()
}

fn scene_structure(scene: &Scene) -> Vec<usize> {
    let bodies = scene
        .bodies
        .iter()
        .flat_map(|b| [b.lines.len(), b.points.len(), usize::from(b.center_of_mass.is_some())]);
    bodies.chain([scene.ground.len()]).chain(scene.joints.iter().map(|j| j.kind as usize)).collect()
}

/// Solids (boxes, cylinders, ellipsoids) of a frame of an animation.
fn frame_solids(animation: &Animation, frame: usize) -> &[SolidPicture] {
    animation.scenes.get(frame).map_or(&[], |scene| scene.solids.as_slice())
}

/// All points of a frame in the order in which [`skeleton_json`] consumes their tracks. The axis of
/// a sliding joint is a point at distance `reach` metres from the joint.
fn frame_points(animation: &Animation, frame: usize, reach: f64) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    for solid in frame_solids(animation, frame) {
        out.push(solid.center);
        out.extend(solid.axes.map(|a| [0, 1, 2].map(|k| solid.center[k] + a[k])));
    }
    let Some(scene) = animation.scenes.get(frame) else { return out };
    for body in &scene.bodies {
        out.extend(body.lines.iter().flatten());
        out.extend(body.points.iter().map(|(_, p)| *p));
        out.extend(body.center_of_mass);
    }
    for joint in &scene.joints {
        out.push(joint.position);
        if is_sliding_joint(joint.kind) {
            let [p, a] = [joint.position, joint.axis];
            let length = a[0].hypot(a[1]).hypot(a[2]);
            let k = if length > 0.0 && length.is_finite() { reach / length } else { 0.0 };
            out.push([p[0] + k * a[0], p[1] + k * a[1], p[2] + k * a[2]]);
        }
    }
    out.extend(scene.ground.iter().flatten());
    out
}

fn is_sliding_joint(kind: JointSymbol) -> bool {
    matches!(kind, JointSymbol::Prismatic | JointSymbol::Cylindrical | JointSymbol::Helical)
}

/// Largest extent of all points along a ground axis in metres; 1 if it is zero. Encoded coordinates
/// are multiples of a fraction of it.
fn scene_size(frames: &[Vec<[f64; 3]>]) -> f64 {
    let extents = (0..3).map(|k| {
        let values = frames.iter().flatten().map(|p| p[k]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        high - low
    });
    let size = extents.fold(0.0, f64::max);
    if size > 1e-12 && size.is_finite() { size } else { 1.0 }
}

#[derive(Default)]
struct Tracks {
    unit: f64,
    known: BTreeMap<String, usize>,
    encoded: Vec<String>,
}

impl Tracks {
    fn add_track(&mut self, positions: impl Iterator<Item = [f64; 3]>) -> usize {
        let mut whole: [Vec<i64>; 3] = Default::default();
        for p in positions {
            for k in 0..3 {
                whole[k].push((p[k] / self.unit).round() as i64);
            }
        }
        let [x, y, z] = whole.map(|values| second_differences_text(&values));
        let text = format!("[[{x}],[{y}],[{z}]]");
        let next = self.encoded.len();
        let index = *self.known.entry(text.clone()).or_insert(next);
        if index == next {
            self.encoded.push(text);
        }
        index
    }
}

fn second_differences_text(values: &[i64]) -> String {
    let Some(first) = values.first() else { return String::new() };
    if values.iter().all(|v| v == first) {
        return first.to_string();
    }
    let (mut last, mut rate, mut out) = (0i64, 0i64, Vec::with_capacity(values.len()));
    for (i, v) in values.iter().enumerate() {
        let d = v.wrapping_sub(last);
        out.push(if i < 2 { d } else { d.wrapping_sub(rate) }.to_string());
        (last, rate) = (*v, d);
    }
    out.join(",")
}

/// A body as JSON for the player, with the indices of its tracks as text.
struct BodySkeleton {
    json: String,
    /// Tracks of the points of the body.
    points: Vec<String>,
    /// Track of the centre of mass; -1 without one.
    center: String,
}

impl BodySkeleton {
    /// A body with these solid shapes and their JSON; `next` draws the next track.
    fn new(body: &SceneBody, firm: &[&SolidPicture], shapes: &str, next: &mut dyn FnMut() -> String) -> Self {
        // A line with both ends inside shapes of the body is hidden.
        let bare: Vec<usize> = (0..body.lines.len())
            .filter(|k| !body.lines[*k].into_iter().all(|p| firm.iter().any(|s| s.contains_point(p))))
            .collect();
        let lines: Vec<String> = body.lines.iter().map(|_| format!("[{},{}]", next(), next())).collect();
        let points: Vec<String> = body.points.iter().map(|_| next()).collect();
        let names: Vec<String> = body.points.iter().map(|(name, _)| json_string(name)).collect();
        let center = body.center_of_mass.map_or("-1".to_owned(), |_| next());
        let json = format!(
            "{{\"name\":{},\"lines\":[{}],\"points\":[{}],\"labels\":[{}],\"center\":{center},\"bare\":{bare:?},\"shapes\":[{shapes}]}}",
            json_string(&body.name),
            lines.join(","),
            points.join(","),
            names.join(","),
        );
        BodySkeleton { json, points, center }
    }
}

/// Structure of the scene as JSON for the player: each solid, body and joint with the indices of
/// its tracks.
fn skeleton_json(
    scene: &Scene,
    animation: &Animation,
    arrows: &Arrows,
    tracks: &mut impl Iterator<Item = usize>,
) -> String {
    // Without a valid frame there are no tracks and no skeleton.
    let mut next = || tracks.next().map_or("-1".to_owned(), |i| i.to_string());
    let pictures = frame_solids(animation, 0);
    let solids = pictures.iter().map(|s| {
        let kind = format!("{:?}", s.kind).to_lowercase();
        let at = [next(), next(), next(), next()].join(",");
        (s.body, format!("{{\"kind\":\"{kind}\",\"ghost\":{},\"at\":[{at}]}}", s.ghost))
    });
    let solids: Vec<(Option<usize>, String)> = solids.collect();
    let shapes = |body: Option<usize>| {
        let all: Vec<&str> = solids.iter().filter(|s| s.0 == body).map(|s| s.1.as_str()).collect();
        all.join(",")
    };
    let bodies: Vec<BodySkeleton> = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(i, body)| {
            let firm = pictures.iter().filter(|s| s.body == Some(i) && !s.ghost);
            BodySkeleton::new(body, &firm.collect::<Vec<_>>(), &shapes(Some(i)), &mut next)
        })
        .collect();
    let joints: Vec<String> = scene
        .joints
        .iter()
        .map(|j| {
            let kind = format!("{:?}", j.kind).to_lowercase();
            let at = next();
            let axis = if is_sliding_joint(j.kind) { next() } else { "-1".to_owned() };
            format!("{{\"name\":{},\"kind\":\"{kind}\",\"at\":{at},\"axis\":{axis}}}", json_string(&j.name))
        })
        .collect();
    let ground: Vec<String> = scene.ground.iter().map(|_| format!("[{},{}]", next(), next())).collect();
    let named = animation.arrows.first().map_or(&[][..], Vec::as_slice);
    let shown = arrows.shown.iter().filter_map(|(k, is_moment)| Some((named.get(*k)?, is_moment)));
    let arrow_list: Vec<String> = shown
        .map(|(arrow, is_moment)| {
            let (name, at, tip) = (json_string(&arrow.name), next(), next());
            format!("{{\"name\":{name},\"moment\":{is_moment},\"at\":{at},\"tip\":{tip}}}")
        })
        .collect();
    let traces: Vec<String> = animation
        .traces
        .iter()
        .filter_map(|t| {
            let BodySkeleton { points, center, .. } = bodies.get(t.body)?;
            let track = t.point.map_or(Some(center), |p| points.get(p)).filter(|t| *t != "-1")?;
            Some(format!("{{\"body\":{},\"track\":{track}}}", t.body))
        })
        .collect();
    format!(
        "\"bodies\":[{}],\n\"standing\":[{}],\n\"joints\":[{}],\n\"ground\":[{}],\"traces\":[{}],\n\"arrows\":[{}],\"largest\":[{},{}]",
        bodies.iter().map(|b| b.json.as_str()).collect::<Vec<_>>().join(",\n"),
        shapes(None),
        joints.join(",\n"),
        ground.join(","),
        traces.join(","),
        arrow_list.join(",\n"),
        short_number(arrows.largest[0]),
        short_number(arrows.largest[1])
    )
}

fn vector_json(v: [f64; 3]) -> String {
    format!("[{}]", v.map(|x| if x.is_finite() { format!("{x}") } else { "0".to_owned() }).join(","))
}

/// Text of a number with seven digits, enough for a read-out and for the time of a frame; `null` if
/// not finite.
fn short_number(x: f64) -> String {
    if !x.is_finite() {
        return "null".to_owned();
    }
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// JSON string that can neither end the enclosing script nor start a comment in it.
fn json_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if dqdt_diagnostics::base::is_display_control(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Signal, Trace};
    use crate::figure::SceneBody;

    /// A pendulum at an angle.
    fn pendulum(angle: f64) -> Scene {
        let tip = [angle.sin(), 0.0, -angle.cos()];
        Scene {
            bodies: vec![SceneBody {
                name: "</script><b>\u{2028}\"\\".into(),
                lines: vec![[[0.0; 3], tip]],
                points: vec![("tip".into(), tip)],
                center_of_mass: None,
            }],
            ..Scene::default()
        }
    }

    fn swinging(n: usize) -> Animation {
        Animation {
            times: (0..n).map(|i| i as f64 * 0.01).collect(),
            scenes: (0..n).map(|i| pendulum(i as f64 * 0.01)).collect(),
            traces: vec![
                Trace { body: 0, point: Some(0) },
                Trace { body: 7, point: None },
                Trace { body: 0, point: None },
            ],
            signals: vec![Signal { name: "e".into(), unit: String::new(), values: vec![f64::NAN, 1.0] }],
            ..Animation::default()
        }
    }

    #[test]
    fn the_data_is_json_that_cannot_leave_its_script() {
        for animation in
            [swinging(3), swinging(1), Animation::default(), Animation { scenes: vec![], ..swinging(4) }]
        {
            let text = encode_animation(&animation);
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
            assert!(!text.contains('<'));
        }
    }

    #[test]
    fn points_that_move_together_are_one_track_and_wrong_traces_are_left_out() {
        let value: serde_json::Value =
            serde_json::from_str(&encode_animation(&swinging(50))).unwrap_or_default();
        assert_eq!(value["tracks"].as_array().map(Vec::len), Some(2));
        assert_eq!(value["traces"].as_array().map(Vec::len), Some(1));
        assert_eq!(value["tracks"][0][0].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn tracks_come_back_to_five_digits() {
        let value: serde_json::Value =
            serde_json::from_str(&encode_animation(&swinging(400))).unwrap_or_default();
        let unit = value["unit"].as_f64().unwrap_or(f64::NAN);
        let (mut x, mut rate) = (0, 0);
        for (i, d) in value["tracks"][1][0].as_array().into_iter().flatten().enumerate() {
            let d = d.as_i64().unwrap_or(0);
            rate = if i < 2 { d } else { rate + d };
            x += rate;
            assert!((x as f64 * unit - (i as f64 * 0.01).sin()).abs() < 2e-5);
        }
    }

    #[test]
    fn broken_frames_are_left_out_and_many_are_thinned() {
        let mut animation = swinging(10);
        animation.times[4] = f64::NAN;
        animation.scenes[5].bodies[0].lines[0][1][0] = f64::INFINITY;
        animation.scenes[6].bodies.clear();
        assert_eq!(valid_frames(&animation), [0, 1, 2, 3, 7, 8, 9]);
        assert_eq!(valid_frames(&swinging(10_001)).len(), FRAMES);
    }
}
