//! The choices of a formulation that are open for a formalism, and their defaults.

use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::REFERS_TO_JOINT_ORIGINS;
use dqdt_mechanics::formalism::{Formalism, Lean};
use dqdt_mechanics::mechanism::{BodyAxes, EliminationGroups, Formulation, JointOrigins, Mechanism};

/// The default formulation, without any search: axes and origins of the spec, and groups of three
/// joints.
pub fn default_formulation(m: &Mechanism) -> Formulation {
    Formulation {
        elimination_groups: Some(default_elimination_groups(m)),
        body_axes: Some(BodyAxes::from_joints(&m.joints)),
        joint_origins: Some(JointOrigins::default()),
        stand_ins: 0,
    }
}

/// Default elimination groups of the mixed formalism: chains of three joints.
pub(super) fn default_elimination_groups(m: &Mechanism) -> EliminationGroups {
    EliminationGroups::from_leaves(&m.joints, EliminationGroups::DEFAULT_CHAIN_LENGTH)
}

/// True if a search for the formulation has something to choose for this request.
pub(super) fn has_open_choices(m: &Mechanism, partial: &Formulation, request: &Request) -> bool {
    let lean = request.formalism.facts().lean != Lean::No;
    groups_are_open(partial, request.formalism)
        || (lean && (axes_are_open(m, partial) || origins_are_open(m, partial, request)))
}

/// True if the search for the formulation has to choose elimination groups.
pub(super) fn groups_are_open(partial: &Formulation, formalism: Formalism) -> bool {
    formalism == Formalism::Mixed && partial.elimination_groups.is_none()
}

/// True if the search for the formulation has to choose body axes.
pub(super) fn axes_are_open(m: &Mechanism, partial: &Formulation) -> bool {
    let own_axes = BodyAxes::from_joints(&m.joints);
    partial.body_axes.is_none() && m.body_ids().any(|i| own_axes.may_be_unrotated(&m.joints, i))
}

/// True if the search for the formulation has to choose joint origins. They stay as in the spec if
/// a requested function refers to them.
pub(super) fn origins_are_open(m: &Mechanism, partial: &Formulation, request: &Request) -> bool {
    partial.joint_origins.is_none()
        && !REFERS_TO_JOINT_ORIGINS
            .iter()
            .any(|f| request.functions.iter().any(|requested| requested.includes(f)))
        && JointOrigins::all_level(&m.joints).level.contains(&true)
}
