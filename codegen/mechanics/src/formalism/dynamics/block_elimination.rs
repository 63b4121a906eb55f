//! Elimination of groups of joints: CRBA within a group, ABA between groups.
//!
//! Problem: `v̇` of a tree for which neither factoring the whole of M nor eliminating single joints
//!          needs the fewest operations.
//! Method:  block elimination of `M v̇ = Q − c` from the leaves to the root; a block is a group of
//!          neighbouring joints. Within a group, subtree inertias are rigid unless another group is
//!          attached, and columns are transformed to the group's first body as in section 6.2 of
//!          Featherstone 2008. There the inertia is reduced: `M* = Mᶜ − H D⁻¹ Hᵀ`, with the columns
//!          H after `LᵀDL` of the group's rows of M. The group passes M* to its parent as an
//!          articulated body does (`articulated_sweep`). Groups of one joint give ABA, a single
//!          group gives `LᵀDL` of CRBA; order and blocks of the elimination are free choices (Nori
//!          2017, arXiv 1705.04658). Accelerations are relative to those at `v̇ = 0`, which restart
//!          at a joint across which the parent's acceleration is not propagated: there the group is
//!          loaded with `M* w` instead.
//! Rotors:  a joint with a rotor is a group of its own.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   SI.
//! Cost:    between those of CRBA and ABA.
//!
//! Not handled: right-hand sides, see `block_solution`.

use super::released_column::{ReleasedColumn, release_column, released_inertia_on_parent};
use crate::kinematics::Kinematics;
use crate::mechanism::EliminationGroups;
use crate::mechanism::{BodyId, JointId, Mechanism, SpeedId, may_join_parent_group};
use dqdt_algebra::{ArticulatedInertia, Hanging, Scalar, Twist, Wrench};

/// Joint column after its elimination in a group, for the sweeps of right-hand sides.
#[derive(Clone, Debug)]
pub(super) struct EliminatedColumn<S> {
    /// Speed of the column.
    pub(super) speed: SpeedId,
    /// Body of the column, whose inboard joint it belongs to.
    pub(super) body: BodyId,
    /// Partial velocity of the column, in axes of its body.
    pub(super) column: Twist<S>,
    /// Wrench on the first body of the group, `M* a + κ`, after earlier eliminations.
    pub(super) wrench: Wrench<S>,
    /// Entries of L below the pivot, by position in the group; empty for columns of the first body.
    pub(super) lower: Vec<(usize, S)>,
    /// Moment κ of a rotor, and true if the rotor is mounted on the child; `None` without a rotor.
    pub(super) rotor: Option<(Wrench<S>, bool)>,
    /// Reciprocal of the column's pivot.
    pub(super) reciprocal: S,
    /// Index of the twist component that the column equals, if only `M*` resists it (no armature,
    /// no rotor).
    pub(super) unit_axis: Option<usize>,
}

/// Inertias of a tree eliminated by groups of joints, shared by all right-hand sides. CRBA within a
/// group, ABA between groups.
#[derive(Clone, Debug)]
pub(crate) struct BlockElimination<S> {
    /// First body (nearest the root) of each body's elimination group, by body.
    pub(super) first: Vec<BodyId>,
    /// Eliminated columns by first body of a group, in the order of elimination.
    pub(super) released: Vec<Vec<EliminatedColumn<S>>>,
    /// Articulated inertia `M*` of first bodies after the elimination of their group.
    pub(super) left: Vec<Option<ArticulatedInertia<S>>>,
    /// Bias accelerations of the bodies (at `v̇ = 0`) relative to the last restart; zero where they
    /// restart.
    pub(super) bias: Vec<Twist<S>>,
    /// Bias accelerations of the bodies where they restart; `None` elsewhere.
    pub(super) start: Vec<Option<Twist<S>>>,
    /// Pivots of the eliminated columns with their speeds, in the order of elimination.
    pub pivots: Vec<(SpeedId, S)>,
}

impl<S: Scalar> BlockElimination<S> {
    /// Sweeps inertias from the leaves to the root, group by group. `ground` is the acceleration of
    /// the ground.
    pub fn new(m: &Mechanism, k: &Kinematics<S>, groups: &EliminationGroups, ground: Twist<S>) -> Self {
        let n = k.bodies.len();
        let (bias, start) = bias_accelerations(m, k, groups, ground);
        let mut hanging: Vec<Hanging<S>> = k.bodies.iter().map(|b| Hanging::Rigid(b.inertia)).collect();
        let first = group_first_bodies(m, groups);
        let mut sweep = BlockElimination {
            first: first.clone(),
            released: vec![Vec::new(); n],
            left: vec![None; n],
            bias,
            start,
            pivots: Vec::new(),
        };
        // Columns of each group in the order of elimination, except those of its first body.
        let mut columns: Vec<Vec<GroupColumn<S>>> = vec![Vec::new(); n];
        for (i, body) in BodyId::enumerate(&k.bodies).rev() {
            if first[i] == i {
                let group_columns = std::mem::take(&mut columns[i]);
                let left = sweep.eliminate_group(m, k, i, group_columns, hanging[i].articulated_form());
                sweep.left[i] = Some(left);
                let Some(parent) = m.parent_body(i) else { continue };
                let share = released_inertia_on_parent(m, k, (i, parent), &left);
                let parents = &m.bodies[parent].name;
                hanging[parent] = Hanging::Articulated(
                    (hanging[parent].articulated_form() + share).name_blocks("art", &|| parents.clone()),
                );
            } else if let Some(parent) = m.parent_body(i) {
                columns[first[i]].extend(transform_columns_to_group(m, k, first[i], i, &hanging[i]));
                let (child, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
                let (o, r) = (&body.relative_rotation, body.offset);
                let share = name_hanging_inertia(hanging[i].transform_to_frame(o, r), &|| {
                    format!("{child}_in_{parents}")
                });
                hanging[parent] =
                    name_hanging_inertia(hanging[parent].combined_with(share), &|| parents.clone());
            }
        }
        sweep
    }

    /// Eliminates the columns of a group, and returns the remaining inertia of its first body.
    fn eliminate_group(
        &mut self,
        m: &Mechanism,
        k: &Kinematics<S>,
        first: BodyId,
        mut columns: Vec<GroupColumn<S>>,
        mut inertia: ArticulatedInertia<S>,
    ) -> ArticulatedInertia<S> {
        let mut released = Vec::new();
        for at in 0..columns.len() {
            let GroupColumn { speed, body, column, wrench, pivot, row } = columns[at].clone();
            let reciprocal = S::ONE / pivot.suggest_name(&|| format!("D_{}", m.speed_name_stem(speed)));
            let mut lower = Vec::new();
            // A zero entry may be filled in by another column, but causes no fill-in itself.
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
            inertia = inertia.subtract_free_column(wrench, reciprocal);
            self.pivots.push((speed, pivot));
            released.push(EliminatedColumn {
                speed,
                body,
                column,
                wrench,
                lower,
                rotor: None,
                reciprocal,
                unit_axis: None,
            });
        }
        for column in k.bodies[first].columns.iter().rev() {
            let Some(speed) = column.speed else { continue };
            let ReleasedColumn { wrench, rotor, pivot, reciprocal, unit_axis } =
                release_column(m, k, first, (speed, column), &mut inertia);
            self.pivots.push((speed, pivot));
            let (body, column, lower) = (first, column.twist, Vec::new());
            released.push(EliminatedColumn {
                speed,
                body,
                column,
                wrench,
                lower,
                rotor,
                reciprocal,
                unit_axis,
            });
        }
        self.released[first] = released;
        inertia
    }
}

/// Names the entries of an inertia for emitted code.
fn name_hanging_inertia<S: Scalar>(inertia: Hanging<S>, name: &dyn Fn() -> String) -> Hanging<S> {
    match inertia {
        Hanging::Rigid(x) => Hanging::Rigid(x.name_parts("tree_", name)),
        Hanging::Articulated(x) => Hanging::Articulated(x.name_blocks("art", name)),
    }
}

/// Joint column of a group before its elimination.
#[derive(Clone)]
struct GroupColumn<S> {
    /// Speed of the column.
    speed: SpeedId,
    /// Body whose inboard joint the column belongs to.
    body: BodyId,
    /// Partial velocity of the column, in axes of its body.
    column: Twist<S>,
    /// Wrench on the first body of the group for a unit acceleration of the column.
    wrench: Wrench<S>,
    /// Diagonal entry of M for the column, reduced by earlier eliminations.
    pivot: S,
    /// Entries of M with speeds of the group that are eliminated later.
    row: Vec<(SpeedId, S)>,
}

/// Columns of a body other than the first of its group, in reverse order, transformed to the
/// group's first body. Entries of M are computed at each body on the path.
fn transform_columns_to_group<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    first: BodyId,
    body: BodyId,
    inertia: &Hanging<S>,
) -> Vec<GroupColumn<S>> {
    let body_columns = &k.bodies[body].columns;
    let mut carried = Vec::new();
    for (position, column) in body_columns.iter().enumerate().rev() {
        let Some(speed) = column.speed else { continue };
        let name = m.speed_name_stem(speed);
        let mut wrench = inertia.apply_to_twist(column.twist).name_parts("group_column", &|| name.to_owned());
        let pivot = wrench.power_on_twist(column.twist) + column.armature;
        let mut row = Vec::new();
        for other in body_columns[..position].iter().rev() {
            row.extend(other.speed.map(|s| (s, wrench.power_on_twist(other.twist))));
        }
        let mut at = body;
        while at != first {
            let Some(parent) = m.parent_body(at) else { break };
            let parents = &m.bodies[parent].name;
            wrench = k.bodies[at]
                .transmit_wrench_to_parent(wrench)
                .name_parts("group_column", &|| format!("{name}_in_{parents}"));
            if parent != first {
                for other in k.bodies[parent].columns.iter().rev() {
                    row.extend(other.speed.map(|s| (s, wrench.power_on_twist(other.twist))));
                }
            }
            at = parent;
        }
        carried.push(GroupColumn { speed, body, column: column.twist, wrench, pivot, row });
    }
    carried
}

/// True if a joint is in the group of its parent and may be.
fn is_grouped_with_parent(m: &Mechanism, groups: &EliminationGroups, joint: JointId) -> bool {
    groups.is_grouped_with_parent(joint) && may_join_parent_group(&m.joints, joint)
}

/// First body of the group of each body.
fn group_first_bodies(m: &Mechanism, groups: &EliminationGroups) -> Vec<BodyId> {
    let mut first: Vec<BodyId> = m.body_ids().collect();
    for (i, joint) in JointId::enumerate(&m.joints) {
        if let Some(p) = joint.parent.filter(|_| is_grouped_with_parent(m, groups, i)) {
            first[i.child()] = first[p];
        }
    }
    first
}

/// Bias accelerations of the bodies (at `v̇ = 0`) relative to the last restart, and the values at
/// restarts.
fn bias_accelerations<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    groups: &EliminationGroups,
    ground: Twist<S>,
) -> (Vec<Twist<S>>, Vec<Option<Twist<S>>>) {
    let mut bias: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    let mut start = Vec::with_capacity(k.bodies.len());
    for (i, (joint, body)) in JointId::enumerate(m.joints.iter().zip(&k.bodies)) {
        let bias_acceleration =
            body.carry_parent_acceleration(joint.parent.map(|p| (k.bodies[p].twist.w, bias[p])), ground);
        let is_carried = is_grouped_with_parent(m, groups, i)
            || (groups.carries_bias_acceleration(i) && joint.rotor.is_none());
        let restarts = !is_carried;
        bias.push(if restarts { Twist::ZERO } else { bias_acceleration });
        start.push(restarts.then_some(bias_acceleration));
    }
    (bias, start)
}
