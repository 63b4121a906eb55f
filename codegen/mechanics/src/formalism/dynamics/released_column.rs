//! Release of joint columns in articulated inertias, the step that all ABA sweeps share.
//!
//! Problem: with `h = M* a + κ` and `U = aᵀ M* a + I`, `M* ← M* − h hᵀ / U`; then `Cᵀ M* C` on the
//!          parent.
//! Method:  Featherstone 2008, section 7.2; rotors as in `articulated_sweep`.
//! Frames:  body axes, about the pole.
//! Cost:    O(1).

use super::rotors;
use crate::kinematics::{Column, Kinematics};
use crate::mechanism::{BodyId, Mechanism, SpeedId};
use dqdt_algebra::{ArticulatedInertia, Scalar, Wrench};

/// Quantities of a joint column released from an articulated inertia: its wrench h and pivot U.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReleasedColumn<S> {
    /// Wrench `h = M* a + κ` of the column.
    pub wrench: Wrench<S>,
    /// Moment κ of a rotor, and true if the rotor is mounted on the child; `None` without a rotor.
    pub rotor: Option<(Wrench<S>, bool)>,
    /// Pivot `U = aᵀ M* a + I` of the column.
    pub pivot: S,
    /// Reciprocal of the column's pivot.
    pub reciprocal: S,
    /// Index of the twist component that the column equals, if only `M*` resists it (no armature,
    /// no rotor).
    pub unit_axis: Option<usize>,
}

/// Releases a joint column of body `i`: subtracts `h hᵀ / U` from its articulated inertia
/// `inertia`.
pub(super) fn release_column<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    i: BodyId,
    (speed, column): (SpeedId, &Column<S>),
    inertia: &mut ArticulatedInertia<S>,
) -> ReleasedColumn<S> {
    let name = || m.speed_name_stem(speed).to_owned();
    let mut wrench = inertia.apply_to_twist(column.twist).name_parts("art_column", &name);
    let mut pivot = wrench.power_on_twist(column.twist) + column.armature;
    let rotor = rotors::unit_rotor_moment(k, i, speed);
    if let Some((kappa, on_child)) = rotor {
        wrench = wrench + kappa;
        if on_child {
            pivot = pivot + S::ratio(2, 1) * kappa.power_on_twist(column.twist);
        }
    }
    let reciprocal = S::ONE / pivot.suggest_name(&|| format!("D_{}", name()));
    *inertia = inertia.subtract_free_column(wrench, reciprocal);
    // An armature or a rotor leaves inertia along the column.
    let pure = column.armature.is_zero() && rotor.is_none();
    let unit_axis = column.twist.sole_unit_component().filter(|_| pure);
    if let Some(axis) = unit_axis {
        *inertia = inertia.without_component(axis);
    }
    inertia.name_blocks("left", &name);
    ReleasedColumn { wrench, rotor, pivot, reciprocal, unit_axis }
}

/// Remaining articulated inertia of body `i` after the release, transformed to its parent.
pub(super) fn released_inertia_on_parent<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    (i, parent): (BodyId, BodyId),
    released_inertia: &ArticulatedInertia<S>,
) -> ArticulatedInertia<S> {
    let body = &k.bodies[i];
    let share = if body.absolute {
        released_inertia.transform_without_rotation(&body.relative_rotation, body.offset)
    } else {
        released_inertia.transform_to_frame(&body.relative_rotation, body.offset)
    };
    share.name_blocks("art", &|| format!("{}_in_{}", m.bodies[i].name, m.bodies[parent].name))
}
