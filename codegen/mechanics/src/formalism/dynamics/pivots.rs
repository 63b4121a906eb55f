//! Pivots of a formalism, and detection of those that vanish.
//!
//! Problem: detect where the equations are singular, independently of units, for each pivot with a
//!          name and a hint.
//! Method:  a pivot is a sum; it counts as zero if it is below the rounding error of its largest
//!          term. For a pivot of `M = LᵀDL` that term is the entry of the diagonal,
//!          `d_k = m_kk − Σ l² d`. The sparse formalisms and ABA find the same pivots without M;
//!          there the scale is the composite inertia of the rigid subtree along the column, which
//!          is the same number. Pivots of constraint rows that are single terms (the sine of an
//!          angle) have no such sum; they are compared with their values at other poses.
//! Certain: a pivot is the inertia that a motion of its joint meets while outboard joints are free
//!          and inboard ones locked. It is at least the resistance of the joint's own body. If the
//!          joint's motions keep their lengths and angles in all poses and the body resists all of
//!          them, the pivot cannot vanish in any pose. Masses or moments of inertia that are
//!          parameters may be set to zero after the spec was read, so only resistance without them
//!          is certain.

use super::mass_matrix;
use super::sparse_system::unit_twists;
use crate::kinematics::{
    BodyMotion, Kinematics, evaluate_parameters, initial_instant, kinematics_without_jacobians,
};
use crate::mechanism::Environment;
use crate::mechanism::Formulation;
use crate::mechanism::joint::InertiaRequirement;
use crate::mechanism::{
    BodyId, JointId, JointKind, JointVariable, Mechanism, ParameterKind, Partition, SpeedId, joint,
};
use dqdt_algebra::{Number, Scalar, TreeFactors, Wrench};

/// A divisor of the equations that emitted functions check against zero; they return `Singular`
/// with its name.
#[derive(Clone, Debug)]
pub struct Pivot<S> {
    /// Name of the pivot for error messages, formed from names of the spec.
    pub name: String,
    /// Meaning of a zero pivot and a remedy, for error messages.
    pub hint: String,
    /// Value of the divisor.
    pub value: S,
    /// Largest term of the divisor's sum, with which it is compared. `None`: it is compared with
    /// its values at other poses.
    pub scale: Option<S>,
    /// True if the value is the square of the quantity that vanishes, so that the tolerance is
    /// squared too.
    pub squared: bool,
    /// Speed of a pivot of `M = LᵀDL` of the tree; `None` for other pivots.
    pub speed: Option<SpeedId>,
}

impl<S: Scalar> Pivot<S> {
    /// Creates a pivot of the tree's mass matrix, for this speed.
    pub fn tree_pivot(m: &Mechanism, speed: SpeedId, value: S, scale: Option<S>) -> Self {
        Pivot { speed: Some(speed), scale, ..Pivot::speed_pivot(m, speed, value, value) }
    }

    /// Creates a pivot of the mass matrix of independent speeds.
    pub fn speed_pivot(m: &Mechanism, speed: SpeedId, value: S, scale: S) -> Self {
        Pivot {
            name: format!("pivot of {}", m.speeds[speed].name),
            hint: speed_pivot_hint(m, speed),
            value,
            scale: Some(scale),
            squared: false,
            speed: None,
        }
    }

    /// Creates the check of a constraint row's squared length, which vanishes if no speed changes
    /// the row.
    pub fn row_length_pivot(name: &str, value: S) -> Self {
        let name = format!("squared row length of constraint {name}");
        Pivot { name, squared: true, ..Pivot::row_pivot("", value, None) }
    }

    /// Creates the check of a constraint row's independence from others, between 0 and 1.
    pub fn row_independence_pivot(name: &str, value: S) -> Self {
        let name = format!("independence measure of constraint {name}");
        Pivot { name, ..Pivot::row_pivot("", value, Some(S::ONE)) }
    }

    /// Creates a pivot of a contact row, compared with those of all rows of the contact.
    pub fn contact_pivot(name: &str, value: S, scale: S) -> Self {
        let (name, hint) = (format!("pivot of contact {name}"), CONTACT_NOT_CARRIED.to_owned());
        Pivot { name, hint, ..Pivot::row_pivot("", value, Some(scale)) }
    }

    /// Creates a pivot of a position row that determines a dependent coordinate.
    pub fn coordinate_pivot(name: &str, value: S) -> Self {
        Pivot { hint: NOT_FOLLOWING.to_owned(), ..Pivot::row_pivot(name, value, None) }
    }

    /// Creates a pivot of a constraint row that determines a dependent speed.
    pub fn row_pivot(name: &str, value: S, scale: Option<S>) -> Self {
        Pivot {
            name: format!("pivot of constraint {name}"),
            hint: LOST_RANK.to_owned(),
            value,
            scale,
            squared: false,
            speed: None,
        }
    }
}

/// Hint, for error messages, on vanishing pivots of constraint rows.
pub const LOST_RANK: &str = "the constraints lose rank in this pose, or the speeds that were chosen as dependent do not \
                             follow from the others; choose lengths or an initial state that avoid this pose, add a constraint that \
                             selects one branch, or choose other dependent speeds";

/// Hint, for error messages, on vanishing pivots of contact rows.
const CONTACT_NOT_CARRIED: &str = "no speed moves the contact in this direction, or another active contact \
                                   constrains the same motion, so that the contact force is not determined; set the \
                                   flag of one of the contacts to 0, or let the body of the contact move in this \
                                   direction";

/// Hint, for error messages, on vanishing pivots of dependent coordinates.
const NOT_FOLLOWING: &str = "the constraints lose rank in this pose, or the coordinates that were chosen as dependent do not \
                             follow from the others; choose lengths or an initial state that avoid this pose";

/// Name of the free coordinate `i` of a joint; `None` if it is prescribed.
fn free_coordinate_name(m: &Mechanism, joint: JointId, i: usize) -> Option<String> {
    let coordinate = m.joints[joint].coordinates.get(i)?.free_index()?;
    Some(m.coordinates[coordinate].name.clone())
}

/// Hint on gimbal lock, where the angles of a joint do not determine all angular velocities; `None`
/// for other joints.
pub fn gimbal_lock_hint(m: &Mechanism, joint: JointId) -> Option<String> {
    joint::gimbal_lock_message(&m.joints[joint], &|i| free_coordinate_name(m, joint, i))
}

/// Hint on a vanishing pivot of a speed: a singular pose of its joint, or missing inertia.
fn speed_pivot_hint(m: &Mechanism, speed: SpeedId) -> String {
    let joint = m.speeds[speed].joint;
    let singular = m.joints[joint]
        .kind
        .form()
        .singular_pose_message(&m.joints[joint].name, &|i| free_coordinate_name(m, joint, i));
    singular.unwrap_or_else(|| {
        format!(
            "no inertia resists {} in this pose: give mass or inertia to the bodies that it moves, add a rotor, or use another joint",
            m.speeds[speed].name
        )
    })
}

/// Diagonal entry with which a speed's pivot is compared: its own, or, if all speeds of the joint
/// are free, that of another one.
pub fn speed_pivot_scale<S: Copy>(m: &Mechanism, speed: SpeedId, diagonal: impl Fn(SpeedId) -> S) -> S {
    let joint = &m.joints[m.speeds[speed].joint];
    let speeds: Option<Vec<SpeedId>> = joint.speeds.iter().map(JointVariable::free_index).collect();
    let other = speeds.and_then(|all| {
        let position = all.iter().position(|s| *s == speed)?;
        all.get(joint.kind.form().pivot_scale_speed(position)).copied()
    });
    diagonal(other.unwrap_or(speed))
}

/// Pivots of speeds computed without a mass matrix, each compared with the diagonal entry that the
/// matrix would have.
pub(crate) fn pivots_with_diagonal<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    values: impl Iterator<Item = (SpeedId, S)>,
) -> Vec<Pivot<S>> {
    let certain = find_nonvanishing_pivots(m, env.formulation);
    let diagonal = if certain.iter().all(|c| *c) { Vec::new() } else { mass_matrix::mass_diagonal(m, k) };
    values
        .map(|(speed, value)| {
            let scale = (!certain[speed]).then(|| speed_pivot_scale(m, speed, |s| diagonal[s]));
            Pivot::tree_pivot(m, speed, value, scale)
        })
        .collect()
}

/// Pivots of the projected mass matrix `BᵀMB`, by the speeds after which the columns of B are
/// named. If M of the tree is singular, a whole diagonal entry can vanish, so the entries are
/// checked too, against their values at other poses.
pub(crate) fn projected_pivots<S: Scalar>(
    m: &Mechanism,
    partition: &Partition,
    names: &[SpeedId],
    factors: &TreeFactors<S>,
) -> Vec<Pivot<S>> {
    let of_speeds = names.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
    let mut pivots: Vec<Pivot<S>> =
        of_speeds.map(|(s, (d, whole))| Pivot::speed_pivot(m, *s, *d, *whole)).collect();
    if partition.tree_is_singular {
        pivots.extend(names.iter().zip(&factors.diagonal).map(|(s, x)| {
            let pivot = Pivot::speed_pivot(m, *s, *x, *x);
            Pivot { name: format!("inertia of {}", m.speeds[*s].name), scale: None, squared: true, ..pivot }
        }));
    }
    pivots
}

/// Flags by speed: true if the speed's pivot of `M = LᵀDL` cannot vanish, so that no check is
/// emitted.
pub fn find_nonvanishing_pivots(m: &Mechanism, formulation: Option<&Formulation>) -> Vec<bool> {
    let free = m.parameters.iter().filter(|p| matches!(p.kind, ParameterKind::Free(_))).count();
    // Stand-ins for numbers keep their values.
    let free = free.saturating_sub(formulation.map_or(0, |f| f.stand_ins));
    // Positive and distinct values of the parameters.
    let other: Vec<f64> = (1..=free).map(|k| 0.5 + (0.618_034 * k as f64) % 1.0).collect();
    // All zeros are the worst case: if one of several masses or moments of inertia suffices, it may
    // be a number.
    let zero = vec![0.0; free];
    let mut certain = vec![true; m.nv()];
    for values in [&[][..], &other, &zero] {
        let p = evaluate_parameters(m, &Number::to_f64, values);
        let s = initial_instant(m, &Number::to_f64, &p);
        let k = kinematics_without_jacobians(m, &s.as_environment(&Number::to_f64));
        for (i, body) in BodyId::enumerate(&k.bodies) {
            // Inertia about the axis of a carried rotor can be compensated by the rotor, so it is
            // not certain.
            let carries = k.rotors.iter().any(|r| r.carrier == i);
            let resists = !carries && body_alone_resists_motion(&m.joints[i.inboard_joint()].kind, body);
            body.columns.iter().filter_map(|c| c.speed).for_each(|s| certain[s] &= resists);
        }
    }
    certain
}

/// True if the body alone resists every motion of its joint in every pose, at these values of the
/// parameters.
fn body_alone_resists_motion(kind: &JointKind, body: &BodyMotion<f64>) -> bool {
    let unit = unit_twists::<f64>();
    let motions: Vec<_> = match kind.form().inertia_requirement() {
        InertiaRequirement::Unsatisfiable => return false,
        InertiaRequirement::AllRotations => unit[3..].iter().map(|t| (*t, 0.0)).collect(),
        InertiaRequirement::AllMotions => unit.iter().map(|t| (*t, 0.0)).collect(),
        InertiaRequirement::Columns => {
            let free = body.columns.iter().filter(|c| c.speed.is_some());
            free.map(|c| (c.twist, c.armature)).collect()
        }
    };
    let wrenches: Vec<Wrench<f64>> = motions.iter().map(|(t, _)| body.inertia.momentum(*t)).collect();
    let n = motions.len();
    let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&chain, |i, j| {
        wrenches[i].power_on_twist(motions[j].0) + if i == j { motions[i].1 } else { 0.0 }
    });
    (0..n).all(|i| factors.pivots[i] > 1e-9 * factors.diagonal[i])
}
