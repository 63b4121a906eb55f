//! Sweeps that eliminate a group of joints at once: composite bodies within a group, articulated bodies between groups.
//!
//! Problem: `v̇` of a tree where neither M as a whole nor one joint after the other is the least work.
//! Method:  block elimination of `M v̇ = Q − c` from the leaves to the root, a group of neighbouring joints a block. Within a group
//! inertias of subtrees are rigid as long as no other group hangs on them, columns are carried to the group's first body as in
//! 6.2 of Featherstone 2008, and what the group gives way with is taken off the inertia there:
//! `M* = Mᶜ − H D⁻¹ Hᵀ` with the columns H after `LᵀDL` of the group's own rows of M. The group hands M* on as an articulated
//! body does (`sweep`). With groups of one joint this is the sweep of articulated bodies, with one group it is `LᵀDL` of the
//! composite-body form; that the order and the blocks of elimination are a choice: Nori 2017 (arXiv 1705.04658).
//! Accelerations are differences to those that bodies have with `v̇ = 0`, which start anew at a joint whose parent's acceleration
//! is not carried on: there the group is given `M* w` instead.
//! Rotors:  a joint that drives one is a group of its own.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   SI.
//! Cost:    between those of the two forms.
//! Not handled: right sides; `group_motion`.

use super::giving_way::{GivenWay, give_way, handed_on};
use crate::kinematics::Kinematics;
use crate::mechanism::EliminationGroups;
use crate::mechanism::{BodyId, JointId, Mechanism, SpeedId, may_join};
use dqdt_algebra::{ArticulatedInertia, Hanging, Scalar, Twist, Wrench};

/// A column that has given way.
#[derive(Clone, Debug)]
pub(super) struct Released<S> {
    pub(super) speed: SpeedId,
    /// Its body, and its motion there.
    pub(super) body: BodyId,
    pub(super) column: Twist<S>,
    /// What the first body of the group feels of it: `M* a + κ`, after what was eliminated before.
    pub(super) wrench: Wrench<S>,
    /// Columns of later bodies than the first: rows of M that are eliminated after this one, as places in the group, over the pivot.
    pub(super) lower: Vec<(usize, S)>,
    /// κ of a rotor, and whether it rides on the child.
    pub(super) rotor: Option<(Wrench<S>, bool)>,
    /// One over the pivot.
    pub(super) reciprocal: S,
    /// The component of twists that it is, where nothing but `M*` resists it.
    pub(super) alone: Option<usize>,
}

/// The inertia part of the sweeps: all right sides share it.
#[derive(Clone, Debug)]
pub(crate) struct GroupSweep<S> {
    /// The first body of the group of each body.
    pub(super) first: Vec<BodyId>,
    /// For each first body of a group, in the order of elimination.
    pub(super) released: Vec<Vec<Released<S>>>,
    /// `M*` of first bodies after their group gave way.
    pub(super) left: Vec<Option<ArticulatedInertia<S>>>,
    /// Accelerations at `v̇ = 0`, from where they start anew.
    pub(super) bias: Vec<Twist<S>>,
    /// And what starts anew there.
    pub(super) start: Vec<Option<Twist<S>>>,
    /// Speeds and pivots, in the order of elimination.
    pub pivots: Vec<(SpeedId, S)>,
}

impl<S: Scalar> GroupSweep<S> {
    /// Inertias from the leaves to the root.
    pub fn new(m: &Mechanism, k: &Kinematics<S>, groups: &EliminationGroups, ground: Twist<S>) -> Self {
        let n = k.bodies.len();
        let (bias, start) = biases(m, k, groups, ground);
        let mut hanging: Vec<Hanging<S>> = k.bodies.iter().map(|b| Hanging::Rigid(b.inertia)).collect();
        let first = first_bodies(m, groups);
        let mut sweep = GroupSweep {
            first: first.clone(),
            released: vec![Vec::new(); n],
            left: vec![None; n],
            bias,
            start,
            pivots: Vec::new(),
        };
        // The columns of each group, in the order of elimination: of every body but the first.
        let mut columns: Vec<Vec<Carried<S>>> = vec![Vec::new(); n];
        for (i, body) in BodyId::enumerate(&k.bodies).rev() {
            if first[i] == i {
                let gathered = std::mem::take(&mut columns[i]);
                let left = sweep.release(m, k, i, gathered, hanging[i].general());
                sweep.left[i] = Some(left);
                let Some(parent) = m.parent(i) else { continue };
                let share = handed_on(m, k, (i, parent), &left);
                let parents = &m.bodies[parent].name;
                hanging[parent] = Hanging::Articulated(
                    (hanging[parent].general() + share).named("art", &|| parents.clone()),
                );
            } else if let Some(parent) = m.parent(i) {
                columns[first[i]].extend(carry_columns(m, k, first[i], i, &hanging[i]));
                let (own, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
                let (o, r) = (&body.relative_rotation, body.offset);
                let share = named(hanging[i].moved(o, r), &|| format!("{own}_in_{parents}"));
                hanging[parent] = named(hanging[parent].with(share), &|| parents.clone());
            }
        }
        sweep
    }

    /// Eliminates the columns of a group, and gives what its first body still resists with.
    fn release(
        &mut self,
        m: &Mechanism,
        k: &Kinematics<S>,
        first: BodyId,
        mut columns: Vec<Carried<S>>,
        mut inertia: ArticulatedInertia<S>,
    ) -> ArticulatedInertia<S> {
        let mut released = Vec::new();
        for at in 0..columns.len() {
            let Carried { speed, body, column, wrench, pivot, row } = columns[at].clone();
            let name = || m.stem_of_speed(speed).to_owned();
            let reciprocal = S::ONE / pivot.named(&|| format!("D_{}", name()));
            let mut lower = Vec::new();
            // What is zero now may be filled by another column, but gives nothing itself.
            let entries: Vec<(SpeedId, S)> = row.into_iter().filter(|x| !x.1.is_zero()).collect();
            for (a, (other, entry)) in entries.iter().enumerate() {
                let Some(place) = columns.iter().position(|c| c.speed == *other) else { continue };
                let scaled = *entry * reciprocal;
                lower.push((place, scaled));
                let target = &mut columns[place];
                target.pivot = target.pivot - scaled * *entry;
                target.wrench = target.wrench - wrench.scale(scaled);
                for (speed, entry) in &entries[a + 1..] {
                    if let Some(x) = target.row.iter_mut().find(|x| x.0 == *speed) {
                        x.1 = x.1 - scaled * *entry;
                    }
                }
            }
            inertia = inertia.released(wrench, reciprocal);
            self.pivots.push((speed, pivot));
            released.push(Released {
                speed,
                body,
                column,
                wrench,
                lower,
                rotor: None,
                reciprocal,
                alone: None,
            });
        }
        for column in k.bodies[first].columns.iter().rev() {
            let Some(speed) = column.speed else { continue };
            let GivenWay { wrench, rotor, pivot, reciprocal, alone } =
                give_way(m, k, first, (speed, column), &mut inertia);
            self.pivots.push((speed, pivot));
            let (body, column, lower) = (first, column.twist, Vec::new());
            released.push(Released { speed, body, column, wrench, lower, rotor, reciprocal, alone });
        }
        self.released[first] = released;
        inertia
    }
}

fn named<S: Scalar>(inertia: Hanging<S>, name: &dyn Fn() -> String) -> Hanging<S> {
    match inertia {
        Hanging::Rigid(x) => Hanging::Rigid(x.named("tree_", name)),
        Hanging::Articulated(x) => Hanging::Articulated(x.named("art", name)),
    }
}

/// A column of a group that has not given way yet.
#[derive(Clone)]
struct Carried<S> {
    speed: SpeedId,
    body: BodyId,
    column: Twist<S>,
    /// What the first body of the group feels.
    wrench: Wrench<S>,
    /// Its own entry of M.
    pivot: S,
    /// Entries with speeds that are eliminated later.
    row: Vec<(SpeedId, S)>,
}

/// The columns of a body that is not the first of its group, from the last to the first: carried to the first body, where
/// every body between takes its entries of M.
fn carry_columns<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    first: BodyId,
    body: BodyId,
    inertia: &Hanging<S>,
) -> Vec<Carried<S>> {
    let own = &k.bodies[body].columns;
    let mut carried = Vec::new();
    for (position, column) in own.iter().enumerate().rev() {
        let Some(speed) = column.speed else { continue };
        let name = m.stem_of_speed(speed);
        let mut wrench = inertia.apply(column.twist).named("group_column", &|| name.to_owned());
        let pivot = wrench.power(column.twist) + column.armature;
        let mut row = Vec::new();
        for other in own[..position].iter().rev() {
            row.extend(other.speed.map(|s| (s, wrench.power(other.twist))));
        }
        let mut at = body;
        while at != first {
            let Some(parent) = m.parent(at) else { break };
            let parents = &m.bodies[parent].name;
            wrench = k.bodies[at].gather(wrench).named("group_column", &|| format!("{name}_in_{parents}"));
            if parent != first {
                for other in k.bodies[parent].columns.iter().rev() {
                    row.extend(other.speed.map(|s| (s, wrench.power(other.twist))));
                }
            }
            at = parent;
        }
        carried.push(Carried { speed, body, column: column.twist, wrench, pivot, row });
    }
    carried
}

fn is_joined(m: &Mechanism, groups: &EliminationGroups, joint: JointId) -> bool {
    groups.is_joined(joint) && may_join(&m.joints, joint)
}

/// The first body of the group of each body.
fn first_bodies(m: &Mechanism, groups: &EliminationGroups) -> Vec<BodyId> {
    let mut first: Vec<BodyId> = m.body_ids().collect();
    for (i, joint) in JointId::enumerate(&m.joints) {
        if let Some(p) = joint.parent.filter(|_| is_joined(m, groups, i)) {
            first[i.child()] = first[p];
        }
    }
    first
}

/// Accelerations at `v̇ = 0` from where they start anew, and what starts anew there.
fn biases<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    groups: &EliminationGroups,
    ground: Twist<S>,
) -> (Vec<Twist<S>>, Vec<Option<Twist<S>>>) {
    let mut bias: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    let mut start = Vec::with_capacity(k.bodies.len());
    for (i, (joint, body)) in JointId::enumerate(m.joints.iter().zip(&k.bodies)) {
        let whole = body.acceleration(joint.parent.map(|p| (k.bodies[p].twist.w, bias[p])), ground);
        let carried = is_joined(m, groups, i) || (groups.is_carried(i) && joint.rotor.is_none());
        let anew = !carried;
        bias.push(if anew { Twist::ZERO } else { whole });
        start.push(anew.then_some(whole));
    }
    (bias, start)
}
