//! Base inertial parameters: what a joint cannot tell from inertia of its parent is added to it there.
//!
//! Problem: of the ten inertial parameters of a body the motion of its joint shows only some. The others take operations and
//!          change nothing.
//! Method:  what is rigid with both bodies may belong to either (Gautier and Khalil 1990; Mayeda, Yoshida and Osuka 1990).
//!          A joint that keeps its pole in place shares a point mass there; if it turns about one axis k of the child, also
//!          a first moment along k and the tensor `E − k kᵀ`; if it does not turn at all, everything. A joint that moves its
//!          pole shares no mass, but of the tensor as much as its turning allows, since a tensor without mass feels no
//!          velocity. Of a joint on the ground what it shares is left out. From the leaves to the root, so that what is
//!          handed on goes as far as it can. All of it holds for the motion of every body in space, so M, c and the
//!          efforts keep their values; momenta, energies and reactions of single joints do not, and do not use it.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies); with parameters that can change, in the constructor of the model.
//! Not handled: parameters that axes in parallel share besides; angles measured from the ground share the mass alone.

use crate::kinematics::{BodyMotion, Kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism, classes};
use dqdt_algebra::{Inertia, Mat3, Scalar, Vec3};

/// How a joint turns its child, seen from its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turning {
    /// Not at all.
    None,
    /// About this axis of the child.
    About(usize),
    /// In any other way.
    Other,
}

fn turning<S: Scalar>(body: &BodyMotion<S>) -> Turning {
    let turned = |i: usize| body.columns.iter().any(|c| !c.twist.w[i].is_zero());
    match [0, 1, 2].map(turned) {
        [false, false, false] => Turning::None,
        [true, false, false] => Turning::About(0),
        [false, true, false] => Turning::About(1),
        [false, false, true] => Turning::About(2),
        _ => Turning::Other,
    }
}

/// The part of an inertia that the parent can have just as well.
fn shared<S: Scalar>(body: &BodyMotion<S>, inertia: &Inertia<S>) -> Inertia<S> {
    let nothing = Inertia { mass: S::ZERO, first: Vec3::ZERO, second: Mat3([[S::ZERO; 3]; 3]) };
    let keeps_pole = body.columns.iter().all(|c| c.twist.v.is_zero());
    let mass = if keeps_pole { inertia.mass } else { S::ZERO };
    if body.absolute {
        return Inertia { mass, ..nothing };
    }
    match turning(body) {
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

/// What a body shares, about the parent's pole in the parent's axes.
///
/// Where the joint turns about one axis it is symmetric about that, and the axis stands still in the parent. Turned as any
/// other tensor it would have the sine and cosine of the joint in it, which cancel only where all else is numbers.
fn on_parent<S: Scalar>(body: &BodyMotion<S>, shared: &Inertia<S>) -> Inertia<S> {
    let rotation = &body.relative_rotation;
    let Turning::About(k) = turning(body) else { return shared.moved(rotation, body.offset) };
    let axis = Vec3([0, 1, 2].map(|i| rotation.0[i][k]));
    let across = shared.second.0[(k + 1) % 3][(k + 1) % 3];
    // E − a aᵀ of the unit vector a.
    let entry = |i: usize, j: usize| match i == j {
        true => across * (axis[(i + 1) % 3].squared() + axis[(i + 2) % 3].squared()),
        false => -across * (axis[i.min(j)] * axis[i.max(j)]),
    };
    let second = Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))));
    Inertia { mass: shared.mass, first: axis.scale(shared.first[k]), second }.shifted(body.offset)
}

fn without<S: Scalar>(a: &Inertia<S>, b: &Inertia<S>) -> Inertia<S> {
    let entry = |i: usize, j: usize| a.second.0[i][j] - b.second.0[i][j];
    Inertia {
        mass: a.mass - b.mass,
        first: a.first - b.first,
        second: Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))),
    }
}

/// The motion with inertias of which the joints told by `env.regrouped` hand on what they can.
pub fn regrouped<S: Scalar>(m: &Mechanism, mut k: Kinematics<S>, env: &Environment<'_, S>) -> Kinematics<S> {
    for i in m.body_ids().rev().filter(|i| env.regrouped.get(i.index()) == Some(&true)) {
        let body = &k.bodies[i];
        let moved = shared(body, &body.inertia);
        let to_parent = on_parent(body, &moved);
        k.bodies[i].inertia = without(&body.inertia, &moved).named("base_", &|| m.bodies[i].name.clone());
        if let Some(parent) = m.parent(i) {
            let name = || m.bodies[parent].name.clone();
            k.bodies[parent].inertia = (k.bodies[parent].inertia + to_parent).named("base_", &name);
        }
    }
    k
}

/// The parameters of an inertia that take operations: those that are not zero and that the motion of the body shows.
///
/// A body that turns about one axis k alone shows of its tensor kk and no first moment along k; one that never turns its mass.
fn seen<S: Scalar>(body: &BodyMotion<S>, inertia: &Inertia<S>) -> usize {
    let turns = [0, 1, 2].map(|i| !body.twist.w[i].is_zero());
    let axes = turns.iter().filter(|x| **x).count();
    let tensor = (0..3).flat_map(|i| (i..3).map(move |j| (i, j)));
    let entries = tensor.filter(|(i, j)| axes > 1 || (turns[*i] && turns[*j]));
    let first = (0..3).filter(|i| axes > 1 || (axes == 1 && !turns[*i])).map(|i| inertia.first[i]);
    let entries = entries.map(|(i, j)| inertia.second.0[i][j]);
    entries.chain(first).chain([inertia.mass]).filter(|x| !x.is_zero()).count()
}

/// What bodies have, joint by joint, while it is decided who hands on.
#[derive(Clone)]
struct Tried<S> {
    inertias: Vec<Inertia<S>>,
    worth: Vec<bool>,
    /// Parameters that this leaves less those before; one less for each body that takes no force then.
    more: isize,
}

/// Changes that a joint made by handing on.
struct Before<S> {
    joint: BodyId,
    inertia: Inertia<S>,
    parent: Option<(BodyId, Inertia<S>)>,
    was: bool,
    more: isize,
}

impl<S: Scalar> Tried<S> {
    /// Lets a joint hand on, whether or not it is worth it. Returns what [`Self::take_back`] needs.
    fn hand_on(&mut self, m: &Mechanism, k: &Kinematics<S>, i: BodyId) -> Before<S> {
        let body = &k.bodies[i];
        let parent = m.parent(i).map(|p| (p, self.inertias[p]));
        let before =
            Before { joint: i, inertia: self.inertias[i], parent, was: self.worth[i], more: self.more };
        let moved = shared(body, &self.inertias[i]);
        let left = without(&self.inertias[i], &moved);
        let count = |b: BodyId, inertia: &Inertia<S>| seen(&k.bodies[b], inertia) as isize;
        // A body without mass and first moment takes no force, which would have to be turned into the parent's axes.
        let forceless = left.mass.is_zero() && left.first.is_zero() && !self.inertias[i].mass.is_zero();
        self.more += count(i, &left) - count(i, &self.inertias[i]) - isize::from(forceless);
        if let Some(p) = m.parent(i) {
            let new = self.inertias[p] + on_parent(body, &moved);
            self.more += count(p, &new) - count(p, &self.inertias[p]);
            self.inertias[p] = new;
        }
        self.inertias[i] = left;
        self.worth[i] = true;
        before
    }

    /// Undoes the last [`Self::hand_on`].
    fn take_back(&mut self, before: Before<S>) {
        self.inertias[before.joint] = before.inertia;
        if let Some((parent, inertia)) = before.parent {
            self.inertias[parent] = inertia;
        }
        self.worth[before.joint] = before.was;
        self.more = before.more;
    }
}

/// For each joint whether handing on leaves fewer parameters than it adds to the parent. Joints of a body that look alike are
/// also tried together: what they add may cancel, as the first moments of four legs.
pub fn worth_regrouping<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> Vec<bool> {
    let mut now = Tried {
        inertias: k.bodies.iter().map(|b| b.inertia).collect(),
        worth: vec![false; k.bodies.len()],
        more: 0,
    };
    let classes = classes(&m.joints);
    let of_class = |i: BodyId| classes.iter().find(|c| c.contains(&i.inboard_joint()));
    for i in m.body_ids().rev() {
        let alike: Vec<BodyId> = of_class(i).map_or_else(
            || vec![i],
            |c| c.iter().map(|j| j.child()).filter(|j| m.parent(*j) == m.parent(i)).collect(),
        );
        // All that is beyond them has been decided when the first of them comes.
        if alike.iter().any(|j| *j < i) {
            continue;
        }
        // A joint that has no other like it is tried once.
        let mut together = (alike.len() > 1).then(|| now.clone());
        for j in alike.iter().rev() {
            let more = now.more;
            let before = now.hand_on(m, k, *j);
            if now.more >= more {
                now.take_back(before);
            }
        }
        if let Some(together) = &mut together {
            for j in alike.iter().rev() {
                let _ = together.hand_on(m, k, *j);
            }
        }
        now = together.filter(|together| together.more < now.more).unwrap_or(now);
    }
    now.worth
}
