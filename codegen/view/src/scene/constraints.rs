//! Constraints in a picture: joints that close loops, massless rods, wheels and balls.

use super::NEAR;
use super::geometry::distance;
use crate::figure::{Line, Scene, SceneBody, SceneJoint};
use dqdt_algebra::{Mat3, Vec3};
use dqdt_diagnostics::base::JointSymbol;
use dqdt_mechanics::kinematics::{self, BodyMotion};
use dqdt_mechanics::mechanism::constraint::Picture;
use dqdt_mechanics::mechanism::{AxisVector, BodyId, Ends, Environment, Mechanism, Placement};

/// Name of the contact point of a wheel in a scene.
const CONTACT: &str = "contact";

/// Number of sides of the polygon that depicts the rim of a wheel in a scene.
const SIDES: u32 = 24;

/// Adds the pictures of the constraints of `m` (joints, rods, rims) in a pose to the scene. The
/// number of elements does not depend on the pose.
pub(super) fn add_constraint_pictures(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    bodies: &[BodyMotion<f64>],
    scene: &mut Scene,
) {
    for c in m.constraints.iter().filter(|c| !c.is_program()) {
        let Some(ends) = c.kind.form().ends() else { continue };
        match c.kind.form().drawing_symbol() {
            Picture::None => {}
            Picture::Joint { symbol: kind, axis } => {
                let place = FramePose::new(&ends.from, env, bodies);
                for end in [&ends.from, &ends.to] {
                    let at = FramePose::new(end, env, bodies).origin.0;
                    match end.0 {
                        Some(body) => add_line(&mut scene.bodies[body], bodies[body].origin.0, at),
                        None => scene.ground.push([at, at]),
                    }
                }
                scene.joints.push(SceneJoint {
                    name: c.name.clone(),
                    kind,
                    // The position of the sliding block, not the end of its guide.
                    position: FramePose::new(&ends.to, env, bodies).origin.0,
                    axis: place.to_ground_axes(axis).0,
                });
            }
            Picture::Rod => scene.bodies.push(rod_between_ends(&c.name, ends, env, bodies)),
            Picture::Rims { radius, axle, normal } => {
                let Some(body) = ends.to.0 else { continue };
                let place = FramePose::new(&ends.to, env, bodies);
                let radius = radius.eval(env);
                let normal =
                    unit_vector(FramePose::new(&ends.from, env, bodies).to_ground_axes(normal.to_f64()));
                scene.bodies[body]
                    .points
                    .push((CONTACT.to_owned(), contact_point(&place, axle, normal, radius).0));
                let lines = &mut scene.bodies[body].lines;
                match axle {
                    Some(axle) => {
                        let rim = rim_polygon(&place, axle.to_f64(), radius);
                        // A spoke makes the rotation visible.
                        lines.push([place.origin.0, rim[0][0]]);
                        lines.extend(rim);
                    }
                    None => {
                        let rings = [1, 2].map(|k| rim_polygon(&place, Vec3::unit_vector(k), radius));
                        lines.extend(rings.into_iter().flatten());
                    }
                }
            }
        }
    }
}

/// Point where a wheel or ball of radius `radius` touches its plane, in ground coordinates.
fn contact_point(
    place: &FramePose<'_>,
    axle: Option<AxisVector>,
    normal: Vec3<f64>,
    radius: f64,
) -> Vec3<f64> {
    let down = match axle {
        None => normal,
        Some(axle) => {
            let axle = unit_vector(place.to_ground_axes(axle.to_f64()));
            normal - axle.scale(normal.dot(axle))
        }
    };
    let length = down.dot(down).sqrt();
    // A disc that lies flat touches with its whole face.
    if length > NEAR { place.origin - down.scale(radius / length) } else { place.origin }
}

fn unit_vector(v: Vec3<f64>) -> Vec3<f64> {
    v.scale(1.0 / v.dot(v).sqrt())
}

/// Plane on which a mechanism moves, in ground axes: below wheels and balls, or of a planar joint
/// on the ground. Its normal, and a point on it.
pub(super) fn floor_plane(m: &Mechanism, env: &Environment<'_, f64>) -> Option<([f64; 3], [f64; 3])> {
    let joints = m.joints.iter().filter(|j| j.parent.is_none()).filter_map(|j| {
        let form = j.kind.form();
        (form.drawing_symbol() == JointSymbol::Planar).then(|| (&j.parent_frame, form.drawn_axis()))
    });
    let wheels = m.constraints.iter().filter(|c| !c.is_program()).filter_map(|c| {
        let from = &c.kind.form().ends()?.from;
        match c.kind.form().drawing_symbol() {
            Picture::Rims { normal, .. } if from.0.is_none() => Some((&from.1, normal.to_f64())),
            _ => None,
        }
    });
    let (placement, normal) = wheels.chain(joints).next()?;
    let turn = kinematics::evaluate_rotation(&placement.rotation, env);
    Some((unit_vector(turn.apply(normal)).0, kinematics::evaluate_vector(&placement.origin, env).0))
}

/// Pose of a frame that is fixed on a body or on the ground, for the pictures of constraints.
struct FramePose<'m> {
    origin: Vec3<f64>,
    body: Option<&'m BodyMotion<f64>>,
    turn: Mat3<f64>,
}

impl<'m> FramePose<'m> {
    fn new(
        (body, placement): &(Option<BodyId>, Placement),
        env: &Environment<'_, f64>,
        bodies: &'m [BodyMotion<f64>],
    ) -> Self {
        let local = kinematics::evaluate_vector(&placement.origin, env);
        let turn = kinematics::evaluate_rotation(&placement.rotation, env);
        let body = body.map(|b| &bodies[b]);
        let origin = body.map_or(local, |b| b.origin + b.rotation.apply(local - b.pole));
        FramePose { origin, body, turn }
    }

    /// Converts a vector from the axes of the frame to ground axes.
    fn to_ground_axes(&self, v: Vec3<f64>) -> Vec3<f64> {
        let turned = self.turn.apply(v);
        self.body.map_or(turned, |b| b.rotation.apply(turned))
    }
}

/// Adds a line from a body's inboard joint to a point on the body, unless there is one.
fn add_line(body: &mut SceneBody, origin: [f64; 3], at: [f64; 3]) {
    if distance(origin, at) > NEAR && body.lines.iter().all(|l| distance(l[1], at) > NEAR) {
        body.lines.push([origin, at]);
    }
}

fn rod_between_ends(
    name: &str,
    ends: &Ends,
    env: &Environment<'_, f64>,
    bodies: &[BodyMotion<f64>],
) -> SceneBody {
    let line = [&ends.from, &ends.to].map(|end| FramePose::new(end, env, bodies).origin.0);
    SceneBody { name: name.to_owned(), lines: vec![line], ..SceneBody::default() }
}

/// Circle around an axis of a frame as the lines of a polygon, in ground coordinates; the rim of a
/// wheel.
fn rim_polygon(place: &FramePose<'_>, axis: Vec3<f64>, radius: f64) -> Vec<Line> {
    let least = (0..3).min_by(|a, b| axis.0[*a].abs().total_cmp(&axis.0[*b].abs())).unwrap_or(0);
    let first = unit_vector(axis.cross(Vec3::unit_vector(least)));
    let second = unit_vector(axis.cross(first));
    let point = |k: u32| {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / f64::from(SIDES)).sin_cos();
        (place.origin + place.to_ground_axes((first.scale(c) + second.scale(s)).scale(radius))).0
    };
    (0..SIDES).map(|k| [point(k), point(k + 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::start_scene;
    use dqdt_generate::pipeline;

    fn start(spec: &str) -> Scene {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(spec);
        start_scene(&pipeline::load(&path).unwrap().mechanism)
    }

    #[test]
    fn a_joint_that_closes_a_loop_is_drawn_and_stands_on_the_ground_where_it_does() {
        let bricard = start("bricard.toml");
        assert_eq!((bricard.joints.len(), bricard.ground.len()), (6, 2));
        let (last, tip) = (&bricard.joints[5], bricard.bodies[4].lines[0][1]);
        assert_eq!((last.name.as_str(), last.kind), ("hinge6", JointSymbol::Revolute));
        assert!(distance(last.position, tip) < 1e-9 && distance(bricard.ground[1][0], tip) < 1e-9);
        let four_bar = start("four_bar.toml");
        assert_eq!((four_bar.joints.len(), four_bar.ground.len()), (4, 2));
    }

    #[test]
    fn wheels_and_balls_have_rims_of_their_radius() {
        for (spec, body, radius, lines) in
            [("rolling_disc.toml", 0, 0.2, SIDES + 1), ("ball_on_turntable.toml", 1, 0.05, 2 * SIDES)]
        {
            let scene = start(spec);
            let wheel = &scene.bodies[body];
            let center = wheel.center_of_mass.unwrap();
            assert_eq!(wheel.lines.len(), lines as usize, "{spec}");
            assert!(wheel.lines.iter().all(|l| (distance(l[1], center) - radius).abs() < 1e-12));
            let lowest = wheel.lines.iter().map(|l| l[1][2]).fold(f64::INFINITY, f64::min);
            assert!(lowest.abs() < 0.02 * radius, "{spec}: it stands on the plane");
            let (name, contact) = wheel.points.last().unwrap();
            assert_eq!(name, "contact");
            assert!(contact[2].abs() < 1e-12 && (distance(*contact, center) - radius).abs() < 1e-12);
        }
    }
}
