//! Forces and moments of loads and constraints, for figures.
//!
//! Problem: point, size and direction of the force of a load or a constraint on a body.
//! Method:  the wrenches of `actions` and `constraint_wrenches`, separately for each load or
//!          constraint and each body. The force acts at the point that the load or constraint
//!          names, else at the centre of mass; the rest is a moment. For a wheel or ball, the force
//!          acts at the contact. An effort on a speed acts on the child about the joint.
//! Frames:  ground axes, points from the ground's origin.
//! Units:   m, N, N·m.
//! Cost:    O(bodies + loads · depth + rows · depth).
//!
//! Not handled: gravity; constraints that are formulas; the opposite of an effort between bodies.

use crate::formalism::dynamics::actions;
use crate::kinematics::{
    Kinematics, constraint_rows, constraint_wrenches, evaluate_rotation, evaluate_vector,
    kinematics_without_jacobians,
};
use crate::mechanism::constraint::Picture;
use crate::mechanism::load::ActsOn;
use crate::mechanism::{BodyId, Ends, Environment, Mechanism, Placement};
use dqdt_algebra::{Scalar, Vec3, Wrench};

/// Force and moment of a load or a constraint on one body, in ground axes, to be drawn in figures
/// and animations.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrow {
    /// Name of the load or constraint.
    pub name: String,
    /// Body on which the force acts.
    pub body: BodyId,
    /// Point of action from the ground's origin, in ground axes \[m\].
    pub at: Vec3<f64>,
    /// Force \[N\] in ground axes.
    pub force: Vec3<f64>,
    /// Moment in addition to the force at `at`, in ground axes [N·m].
    pub moment: Vec3<f64>,
}

/// Arrows of all loads of the spec, for figures. Their number is the same in every pose.
pub fn load_arrows(m: &Mechanism, env: &Environment<'_, f64>) -> Vec<Arrow> {
    let k = kinematics_without_jacobians(m, env);
    let mut out = Vec::new();
    for load in &m.loads {
        let (points, speed): (Vec<(Option<BodyId>, &Placement)>, _) = match load.kind.form().acts_on() {
            ActsOn::Point(body, point) => (vec![(Some(body), point)], None),
            ActsOn::Ends(ends) => (both_ends(ends), None),
            ActsOn::Body(_) => (Vec::new(), None),
            ActsOn::Speed(speed) => (Vec::new(), Some(speed)),
        };
        let mut on_bodies: Vec<(BodyId, Wrench<f64>)> = Vec::new();
        let mut add = |body: BodyId, w: Wrench<f64>| match on_bodies.iter_mut().find(|(b, _)| *b == body) {
            Some((_, sum)) => *sum = *sum + w,
            None => on_bodies.push((body, w)),
        };
        for action in actions::single_load_actions(m, &k, env, load) {
            action.wrenches.into_iter().for_each(|(body, w)| add(body, w));
            for (speed, effort) in action.efforts {
                let child = m.speeds[speed].joint.child();
                let column = k.bodies[child].columns.iter().find(|c| c.speed == Some(speed));
                column.into_iter().for_each(|c| {
                    add(child, Wrench { f: c.dual.f.scale(effort), m: c.dual.m.scale(effort) });
                });
            }
        }
        for (body, w) in on_bodies {
            // The point on this body, else the first one, since the opposite acts at the same
            // place.
            let application = points.iter().find(|(b, _)| *b == Some(body)).or(points.first());
            let joint = speed.map(|_| k.bodies[body].origin);
            let at = application.map(|(b, point)| point_in_ground_axes(&k, *b, point, env)).or(joint);
            out.push(arrow_from_wrench(&k, &load.name, body, w, at));
        }
    }
    out
}

/// Arrows of the geometric constraints, for figures. `multiplier` returns the multiplier of a row
/// by its name. The number of arrows is the same in every pose.
pub fn constraint_arrows(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    multiplier: &dyn Fn(&str) -> f64,
) -> Vec<Arrow> {
    let k = kinematics_without_jacobians(m, env);
    let rows = constraint_rows(m, env);
    let mut sums: Vec<(usize, BodyId, Wrench<f64>)> = Vec::new();
    for row_wrenches in constraint_wrenches(m, env) {
        let row =
            rows.iter().find(|r| (r.constraint, r.index) == (row_wrenches.constraint, row_wrenches.index));
        let size = row.map_or(0.0, |r| multiplier(&r.name));
        for (body, w) in row_wrenches.wrenches {
            let w = Wrench { f: w.f.scale(size), m: w.m.scale(size) };
            match sums.iter_mut().find(|(c, b, _)| (*c, *b) == (row_wrenches.constraint, body)) {
                Some((.., sum)) => *sum = *sum + w,
                None => sums.push((row_wrenches.constraint, body, w)),
            }
        }
    }
    let shown = sums.into_iter().filter_map(|(constraint, body, w)| {
        let c = &m.constraints[constraint];
        let ends = c.kind.form().ends()?;
        let (_, point) = both_ends(ends).into_iter().find(|(b, _)| *b == Some(body))?;
        let mut arrow =
            arrow_from_wrench(&k, &c.name, body, w, Some(point_in_ground_axes(&k, Some(body), point, env)));
        if let Picture::Rims { normal, .. } = c.kind.form().drawing_symbol() {
            let plane = point_in_ground_axes(&k, ends.from.0, &ends.from.1, env);
            let turn = evaluate_rotation(&ends.from.1.rotation, env).apply(normal.to_f64());
            let normal = ends.from.0.map_or(turn, |b| k.bodies[b].rotation.apply(turn));
            move_arrow_to_contact(&mut arrow, plane, normal);
        }
        Some(arrow)
    });
    shown.collect()
}

/// Moves an arrow's force along its line of action, which passes through the contact, into the
/// plane.
fn move_arrow_to_contact(arrow: &mut Arrow, plane: Vec3<f64>, normal: Vec3<f64>) {
    let (square, across) = (arrow.force.dot(arrow.force), arrow.force.dot(normal));
    if square == 0.0 || across == 0.0 {
        return;
    }
    let on_line = arrow.at + arrow.force.cross(arrow.moment).scale(1.0 / square);
    let contact = on_line + arrow.force.scale((plane - on_line).dot(normal) / across);
    arrow.moment = arrow.moment - (contact - arrow.at).cross(arrow.force);
    arrow.at = contact;
}

/// Body and point of both ends.
fn both_ends(ends: &Ends) -> Vec<(Option<BodyId>, &Placement)> {
    [&ends.from, &ends.to].map(|(body, point)| (*body, point)).to_vec()
}

/// Position of a point of a body (`None`: the ground) in ground axes \[m\].
fn point_in_ground_axes<S: Scalar>(
    k: &Kinematics<S>,
    body: Option<BodyId>,
    point: &Placement,
    env: &Environment<'_, S>,
) -> Vec3<S> {
    let r = evaluate_vector(&point.origin, env);
    body.map_or(r, |b| k.bodies[b].origin + k.bodies[b].rotation.apply(r - k.bodies[b].pole))
}

/// Arrow of the wrench `w` about the pole of a body, in body axes; by default at the centre of
/// mass.
fn arrow_from_wrench(
    k: &Kinematics<f64>,
    name: &str,
    body: BodyId,
    w: Wrench<f64>,
    at: Option<Vec3<f64>>,
) -> Arrow {
    let b = &k.bodies[body];
    let mass = b.inertia.mass;
    let center = if mass > 0.0 { b.inertia.first.scale(1.0 / mass) } else { Vec3::ZERO };
    let at = at.unwrap_or_else(|| b.origin + b.rotation.apply(center));
    let (force, moment) = (b.rotation.apply(w.f), b.rotation.apply(w.m));
    Arrow { name: name.to_owned(), body, at, force, moment: moment - (at - b.origin).cross(force) }
}
