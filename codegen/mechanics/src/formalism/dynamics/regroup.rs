//! Base inertial parameters: inertia that a joint cannot distinguish from inertia of its parent is
//! moved to the parent.
//!
//! Problem: the motion of a joint reveals only some of the ten inertial parameters of its body. The
//!          others cost operations without effect.
//! Method:  parts that are rigid with both bodies may belong to either (Gautier and Khalil 1990;
//!          Mayeda, Yoshida and Osuka 1990). A joint that keeps its pole in place shares a point
//!          mass there; if it rotates about one axis k of the child, also a first moment along k
//!          and the tensor `E − k kᵀ`; if it does not rotate, everything. A joint that moves its
//!          pole shares no mass, but the part of the tensor that its rotation permits, since a
//!          tensor without mass does not depend on velocity. The shared part of a joint on the
//!          ground is dropped. Bodies are processed from the leaves to the root, so that parameters
//!          move as far as possible. This holds for any motion of the bodies in space, so M, c and
//!          the efforts keep their values. Momenta, energies and reactions of single joints do not,
//!          and do not use it.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies); with parameters that can change, in the constructor of the model.
//!
//! Not handled: further parameters that parallel axes share; joints with absolute angles share the
//! mass alone.

use crate::kinematics::{BodyMotion, Kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism, group_equivalent_joints};
use dqdt_algebra::{Inertia, Mat3, Scalar, Vec3};

/// Rotation of a child by its joint relative to the parent, as far as shared inertia depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turning {
    /// No rotation of the child relative to the parent.
    None,
    /// Rotation about one axis of the child, with its index.
    About(usize),
    /// Rotation about several axes, or about an oblique one.
    Other,
}

/// Rotation that the joint columns of a body allow.
fn classify_joint_rotation<S: Scalar>(body: &BodyMotion<S>) -> Turning {
    match [0, 1, 2].map(|i| body.columns.iter().any(|c| !c.twist.w[i].is_zero())) {
        [false, false, false] => Turning::None,
        [true, false, false] => Turning::About(0),
        [false, true, false] => Turning::About(1),
        [false, false, true] => Turning::About(2),
        _ => Turning::Other,
    }
}

/// Part of a body's inertia that may equally belong to the parent, since the joint's motion does
/// not reveal it.
fn inertia_shared_with_parent<S: Scalar>(body: &BodyMotion<S>, inertia: &Inertia<S>) -> Inertia<S> {
    let nothing = Inertia { mass: S::ZERO, first: Vec3::ZERO, second: Mat3([[S::ZERO; 3]; 3]) };
    let keeps_pole = body.columns.iter().all(|c| c.twist.v.is_zero());
    let mass = if keeps_pole { inertia.mass } else { S::ZERO };
    if body.absolute {
        return Inertia { mass, ..nothing };
    }
    match classify_joint_rotation(body) {
        Turning::None if keeps_pole => *inertia,
        Turning::None => Inertia { second: inertia.second, ..nothing },
        Turning::About(k) => {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            let (mut first, mut second) = (Vec3::ZERO, nothing.second);
            let across = inertia.second.0[b][b];
            (second.0[a][a], second.0[b][b]) = (across, across);
            if keeps_pole {
                first.0[k] = inertia.first[k];
            }
            Inertia { mass, first, second }
        }
        Turning::Other => Inertia { mass, ..nothing },
    }
}

/// A shared inertia about the parent's pole, in parent axes.
///
/// If the joint rotates about one axis, the inertia is symmetric about this axis, which is fixed in
/// the parent. A general rotation of the tensor would contain the sine and cosine of the joint
/// angle, which cancel only if everything else is numeric.
fn shared_inertia_on_parent<S: Scalar>(body: &BodyMotion<S>, shared: &Inertia<S>) -> Inertia<S> {
    let rotation = &body.relative_rotation;
    let Turning::About(k) = classify_joint_rotation(body) else {
        return shared.transform_to_frame(rotation, body.offset);
    };
    let axis = Vec3([0, 1, 2].map(|i| rotation.0[i][k]));
    let across = shared.second.0[(k + 1) % 3][(k + 1) % 3];
    // E − a aᵀ of the unit vector a.
    let second = Mat3([0, 1, 2].map(|i| {
        [0, 1, 2].map(|j| match i == j {
            true => across * (axis[(i + 1) % 3].squared() + axis[(i + 2) % 3].squared()),
            false => -across * (axis[i.min(j)] * axis[i.max(j)]),
        })
    }));
    Inertia { mass: shared.mass, first: axis.scale(shared.first[k]), second }.shift_to_pole(body.offset)
}

/// Difference `a − b` of two inertias about the same pole.
fn subtract_inertia<S: Scalar>(a: &Inertia<S>, b: &Inertia<S>) -> Inertia<S> {
    Inertia {
        mass: a.mass - b.mass,
        first: a.first - b.first,
        second: Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| a.second.0[i][j] - b.second.0[i][j]))),
    }
}

/// Kinematics with base inertial parameters: the joints selected by `env.regrouped` move inertia to
/// their parents. Forces and M keep their values.
pub fn regroup_inertias<S: Scalar>(
    m: &Mechanism,
    mut k: Kinematics<S>,
    env: &Environment<'_, S>,
) -> Kinematics<S> {
    for i in m.body_ids().rev().filter(|i| env.regrouped.get(i.index()) == Some(&true)) {
        let body = &k.bodies[i];
        let moved = inertia_shared_with_parent(body, &body.inertia);
        let to_parent = shared_inertia_on_parent(body, &moved);
        k.bodies[i].inertia =
            subtract_inertia(&body.inertia, &moved).name_parts("base_", &|| m.bodies[i].name.clone());
        if let Some(parent) = m.parent_body(i) {
            k.bodies[parent].inertia =
                (k.bodies[parent].inertia + to_parent).name_parts("base_", &|| m.bodies[parent].name.clone());
        }
    }
    k
}

/// Number of inertial parameters that cost operations: those that are non-zero and that the motion
/// of the body reveals.
///
/// A body that rotates about one axis k only reveals the entry kk of its tensor and no first moment
/// along k; a body that never rotates reveals its mass only.
fn count_revealed_parameters<S: Scalar>(body: &BodyMotion<S>, inertia: &Inertia<S>) -> usize {
    let turns = [0, 1, 2].map(|i| !body.twist.w[i].is_zero());
    let axes = turns.iter().filter(|x| **x).count();
    let tensor = (0..3).flat_map(|i| (i..3).map(move |j| (i, j)));
    let entries = tensor.filter(|(i, j)| axes > 1 || (turns[*i] && turns[*j]));
    let first = (0..3).filter(|i| axes > 1 || (axes == 1 && !turns[*i])).map(|i| inertia.first[i]);
    let entries = entries.map(|(i, j)| inertia.second.0[i][j]);
    entries.chain(first).chain([inertia.mass]).filter(|x| !x.is_zero()).count()
}

/// State of the search for joints whose inertia is regrouped.
#[derive(Clone)]
struct RegroupSearch<S> {
    /// Inertias of the bodies after the regrouping so far.
    inertias: Vec<Inertia<S>>,
    /// Flags by joint: true if it moves inertia to its parent.
    regrouped: Vec<bool>,
    /// Change of the number of parameters by the regrouping so far. A body that becomes force-free
    /// counts as one less.
    parameter_change: isize,
}

/// State before a joint was regrouped, for undoing it.
struct RegroupUndo<S> {
    /// Body whose inboard joint was regrouped.
    joint: BodyId,
    /// Inertia of the body before.
    inertia: Inertia<S>,
    /// Parent with its inertia before; `None` for the ground.
    parent: Option<(BodyId, Inertia<S>)>,
    /// True if the joint was regrouped before.
    was_regrouped: bool,
    /// Value of the search's `parameter_change` before.
    parameter_change: isize,
}

impl<S: Scalar> RegroupSearch<S> {
    /// Regroups a joint, even if that is not worthwhile. Returns the argument of
    /// [`Self::undo_regrouping`].
    fn regroup_joint(&mut self, m: &Mechanism, k: &Kinematics<S>, i: BodyId) -> RegroupUndo<S> {
        let body = &k.bodies[i];
        let parent = m.parent_body(i).map(|p| (p, self.inertias[p]));
        let before = RegroupUndo {
            joint: i,
            inertia: self.inertias[i],
            parent,
            was_regrouped: self.regrouped[i],
            parameter_change: self.parameter_change,
        };
        let shared = inertia_shared_with_parent(body, &self.inertias[i]);
        let left = subtract_inertia(&self.inertias[i], &shared);
        let count =
            |b: BodyId, inertia: &Inertia<S>| count_revealed_parameters(&k.bodies[b], inertia) as isize;
        // A body without mass and first moment needs no force, which would have to be rotated to
        // parent axes.
        let forceless = left.mass.is_zero() && left.first.is_zero() && !self.inertias[i].mass.is_zero();
        self.parameter_change += count(i, &left) - count(i, &self.inertias[i]) - isize::from(forceless);
        if let Some(p) = m.parent_body(i) {
            let new = self.inertias[p] + shared_inertia_on_parent(body, &shared);
            self.parameter_change += count(p, &new) - count(p, &self.inertias[p]);
            self.inertias[p] = new;
        }
        self.inertias[i] = left;
        self.regrouped[i] = true;
        before
    }

    /// Undoes the last [`Self::regroup_joint`].
    fn undo_regrouping(&mut self, before: RegroupUndo<S>) {
        self.inertias[before.joint] = before.inertia;
        if let Some((parent, inertia)) = before.parent {
            self.inertias[parent] = inertia;
        }
        self.regrouped[before.joint] = before.was_regrouped;
        self.parameter_change = before.parameter_change;
    }
}

/// Flags by joint: true if regrouping removes more parameters than it adds to the parent. Equal
/// joints of one body are also tried together, since their contributions may cancel, such as the
/// first moments of four legs.
pub fn select_regrouped_joints<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<bool> {
    let mut now = RegroupSearch {
        inertias: k.bodies.iter().map(|b| b.inertia).collect(),
        regrouped: vec![false; k.bodies.len()],
        parameter_change: 0,
    };
    let classes = group_equivalent_joints(&m.joints);
    for i in m.body_ids().rev() {
        let equal_joints: Vec<BodyId> = classes.iter().find(|c| c.contains(&i.inboard_joint())).map_or_else(
            || vec![i],
            |c| c.iter().map(|j| j.child()).filter(|j| m.parent_body(*j) == m.parent_body(i)).collect(),
        );
        // All outboard joints have been decided when the first of them is reached.
        if equal_joints.iter().any(|j| *j < i) {
            continue;
        }
        // A joint without equals is tried once.
        let mut together = (equal_joints.len() > 1).then(|| now.clone());
        for j in equal_joints.iter().rev() {
            let parameter_change = now.parameter_change;
            let before = now.regroup_joint(m, k, *j);
            if now.parameter_change >= parameter_change {
                now.undo_regrouping(before);
            }
        }
        if let Some(together) = &mut together {
            for j in equal_joints.iter().rev() {
                let _ = together.regroup_joint(m, k, *j);
            }
        }
        now = together.filter(|together| together.parameter_change < now.parameter_change).unwrap_or(now);
    }
    now.regrouped
}
