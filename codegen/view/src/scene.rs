//! Scenes for pictures: a mechanism in a pose, a motion as curves, a motion as frames.

mod constraints;
mod geometry;
mod rails;
mod solids;

use geometry::{distance, is_massless_slider};

use crate::animation::{Animation, Signal, Trace};
use crate::figure::{Line, Panel, Plot, Scene, SceneBody, SceneJoint, Series, SolidPicture, View};
use dqdt_algebra::{Number, Vec3};
use dqdt_derivation::derive;
use dqdt_diagnostics::base::JointSymbol;
use dqdt_document::report::Math;
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Body, BodyId, Environment, Formula, Joint, Mechanism};

/// Distance below which the picture of a mechanism connects two points by no line \[m\].
const NEAR: f64 = 1e-9;

/// Scene of a mechanism for a picture, at the free parameters `p` (missing ones have their
/// defaults), time `t` and coordinates `q`.
pub fn pose_scene(m: &Mechanism, p: &[f64], t: f64, q: &[f64]) -> Scene {
    let mut scene = scene_with_inertia(m, p, t, q);
    // Inertia ellipsoids do not show the appearance of a body.
    scene.solids.retain(|solid| !solid.ghost);
    rails::add_rails(m, std::slice::from_mut(&mut scene));
    scene
}

/// Scene of a mechanism in a pose, including inertia ellipsoids but without rails.
fn scene_with_inertia(m: &Mechanism, p: &[f64], t: f64, q: &[f64]) -> Scene {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, p);
    let v = vec![0.0; m.nv()];
    let start = kinematics::initial_instant(m, &Number::to_f64, &p);
    let env = Environment { t, q, v: &v, ..start.as_environment(&Number::to_f64) };
    let motion = kinematics::kinematics(m, &env);
    let vector = |f: &[Formula; 3]| kinematics::evaluate_vector(f, &env);
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(&motion.bodies)) {
        let place = |r: Vec3<f64>| (b.origin + b.rotation.apply(r - b.pole)).0;
        let center = vector(&body.center_of_mass);
        let points: Vec<(String, [f64; 3])> =
            body.points.iter().map(|p| (p.name.clone(), place(vector(&p.placement.origin)))).collect();
        let outboard =
            m.joints.iter().filter(|j| j.parent == Some(i)).map(|j| place(vector(&j.parent_frame.origin)));
        let mut ends: Vec<[f64; 3]> = outboard.chain(points.iter().map(|p| p.1)).collect();
        if ends.iter().all(|e| distance(*e, b.origin.0) < NEAR) {
            ends.push(place(center));
        }
        let mut lines: Vec<Line> = Vec::new();
        for end in ends {
            if distance(end, b.origin.0) > NEAR && lines.iter().all(|l| distance(l[1], end) > NEAR) {
                lines.push([b.origin.0, end]);
            }
        }
        // Added in every frame, however short: all frames of a motion have the lines of the first.
        lines.extend(
            (m.joints.iter().zip(&motion.bodies))
                .filter(|(j, _)| j.parent == Some(i) && is_sliding_joint(j) && !is_massless_slider(m, i))
                .map(|(j, child)| [place(vector(&j.parent_frame.origin)), child.origin.0]),
        );
        bodies.push(SceneBody {
            name: body.name.clone(),
            lines,
            points,
            center_of_mass: has_inertia(body).then(|| place(center)),
        });
        let joint = &m.joints[i.inboard_joint()];
        let frame = kinematics::evaluate_rotation(&joint.child_frame.rotation, &env);
        joints.push(SceneJoint {
            name: joint.name.clone(),
            kind: joint.kind.form().drawing_symbol(),
            position: b.origin.0,
            axis: b.rotation.apply(frame.apply(joint.kind.form().drawn_axis())).0,
        });
    }
    // The ground is drawn where joints are attached to it.
    let ground = (m.joints.iter().filter(|j| j.parent.is_none()))
        .map(|j| vector(&j.parent_frame.origin).0)
        .map(|p| [p, p])
        .collect();
    let solids = solids::body_solids(m, &env, &motion.bodies);
    let mut scene = Scene { bodies, joints, ground, solids, gravity: vector(&m.gravity).0 };
    constraints::add_constraint_pictures(m, &env, &motion.bodies, &mut scene);
    scene
}

/// Returns `true` if a body has mass or rotational inertia, so that its centre of mass is drawn.
fn has_inertia(body: &Body) -> bool {
    !body.mass.is_zero() || body.inertia.iter().any(|f| !f.is_zero())
}

/// Returns `true` if a joint slides and so extends its parent in the picture, like a telescope, a
/// rope or a spring along a guide.
fn is_sliding_joint(joint: &Joint) -> bool {
    matches!(
        joint.kind.form().drawing_symbol(),
        JointSymbol::Prismatic | JointSymbol::Helical | JointSymbol::Cylindrical
    )
}

/// Scene of the mechanism in the start pose of its spec, for sketches.
pub fn start_scene(m: &Mechanism) -> Scene {
    pose_scene(m, &[], 0.0, &derive::start_at_defaults(m).q)
}

/// Plot of a motion: one panel per unit for coordinates and for speeds, one for user states, one
/// for the energy.
pub fn motion_plot(name: &str, l: &Layout, times: &[f64], states: &[Vec<f64>], energy: &[[f64; 2]]) -> Plot {
    let mut panels: Vec<Panel> = Vec::new();
    let groups: [(&str, &[Slot], usize); 3] =
        [("coordinates", &l.q, 0), ("speeds", &l.v, l.q.len()), ("states", &l.z, l.q.len() + l.v.len())];
    for (label, slots, offset) in groups {
        let mut units: Vec<&str> = Vec::new();
        for s in slots {
            if !units.contains(&s.unit.as_str()) {
                units.push(&s.unit);
            }
        }
        for unit in units {
            let series = (slots.iter().enumerate().filter(|(_, s)| s.unit == unit))
                .map(|(i, s)| Series {
                    name: Math::identifier(&s.name).text(),
                    values: states.iter().map(|x| x[offset + i]).collect(),
                })
                .collect();
            panels.push(Panel { label: label.to_owned(), unit: unit.to_owned(), series });
        }
    }
    let energy_series = |name: &str, f: fn(&[f64; 2]) -> f64| Series {
        name: name.to_owned(),
        values: energy.iter().map(f).collect(),
    };
    panels.push(Panel {
        label: "energy".to_owned(),
        unit: "J".to_owned(),
        series: vec![
            energy_series("kinetic", |e| e[0]),
            energy_series("potential", |e| e[1]),
            energy_series("total", |e| e[0] + e[1]),
        ],
    });
    Plot {
        title: name.to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: times.to_vec(),
        panels,
    }
}

/// Animation of a motion at the free parameters `p` (missing ones have their defaults), with at
/// most 1,500 frames to keep the file small.
pub fn motion_animation(
    m: &Mechanism,
    layout: &Layout,
    p: &[f64],
    times: &[f64],
    states: &[Vec<f64>],
) -> Animation {
    let rows = frame_rows(times.len());
    let mut scenes: Vec<Scene> =
        (rows.iter()).map(|k| scene_with_inertia(m, p, times[*k], &states[*k][..m.nq()])).collect();
    rails::add_rails(m, &mut scenes);
    // Bodies that fly or move on a plane are not attached to the ground.
    let roots = m.joints.iter().filter(|j| j.parent.is_none());
    let free: Vec<bool> = roots
        .map(|j| matches!(j.kind.form().drawing_symbol(), JointSymbol::Free | JointSymbol::Planar))
        .collect();
    for scene in &mut scenes {
        let mut carried = free.iter().map(|free| !free).chain(std::iter::repeat(true));
        scene.ground.retain(|_| carried.next().unwrap_or(true));
    }
    // In planar motion, inertia ellipsoids would hide more than they show.
    let planar = scenes.first().is_some_and(|s| View::of_scene(s).planar);
    let is_drawn: Vec<bool> = (scenes.iter().take(1))
        .flat_map(|scene| scene.solids.iter().map(move |solid| (scene, solid)))
        .map(|(scene, solid)| !solid.ghost || !planar && is_ellipsoid_shown(scene, solid))
        .collect();
    for scene in &mut scenes {
        let mut kept = is_drawn.iter();
        scene.solids.retain(|_| kept.next().is_none_or(|kept| *kept));
    }
    let traces = m
        .body_ids()
        .filter(|i| m.joints.iter().all(|j| j.parent != Some(*i)))
        .map(|body| (&m.bodies[body], body.index()))
        .map(|(leaf, body)| (leaf, Trace { body, point: leaf.points.len().checked_sub(1) }))
        .filter(|(leaf, t)| t.point.is_some() || !leaf.mass.is_zero())
        .map(|(_, trace)| trace)
        .collect();
    let signals = (layout.q.iter().enumerate().take(8))
        .map(|(i, s)| Signal {
            name: Math::identifier(&s.name).text(),
            unit: s.unit.clone(),
            values: rows.iter().map(|k| states[*k][i]).collect(),
        })
        .collect();
    let values = kinematics::evaluate_parameters(m, &Number::to_f64, p);
    let start = kinematics::initial_instant(m, &Number::to_f64, &values);
    let floor = constraints::floor_plane(m, &start.as_environment(&Number::to_f64));
    Animation {
        title: m.name.clone(),
        subtitle: m.description.clone(),
        times: rows.iter().map(|k| times[*k]).collect(),
        scenes,
        floor,
        traces,
        signals,
        arrows: Vec::new(),
        rests: Vec::new(),
    }
}

/// Returns `false` for an inertia ellipsoid that a picture omits: on a body with a drawn rim, or
/// far larger than its body, as of identified inertias that no real body has.
fn is_ellipsoid_shown(scene: &Scene, solid: &SolidPicture) -> bool {
    let body = solid.body.map(|body| &scene.bodies[body]);
    let ends = body.iter().flat_map(|b| b.lines.iter().flatten().chain(b.points.iter().map(|p| &p.1)));
    let reach = ends.map(|e| distance(*e, solid.center)).fold(0.0, f64::max);
    let longest = solid.axes.iter().map(|a| distance(*a, [0.0; 3])).fold(0.0, f64::max);
    body.is_none_or(|b| b.lines.len() <= MAX_LINES) && (reach < NEAR || longest <= 2.0 * reach)
}

/// Maximum number of lines of a body's skeleton; a body with more has the rim of a wheel.
const MAX_LINES: usize = 12;

/// Indices of the rows of a motion that an animation shows as frames, at most 1,500.
pub fn frame_rows(rows: usize) -> Vec<usize> {
    (0..rows).step_by(rows.div_ceil(1500).max(1)).collect()
}
