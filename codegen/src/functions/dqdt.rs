//! The state derivative.

use super::{Definition, Derivation, Derive, Solved};
use crate::ir::FunctionOutput;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector};

/// `ẋ = [q̇, v̇, ż]` of a state.
pub const DQDT: &Definition = &Definition {
    declaration: Declaration {
        name: "dqdt",
        summary: "State derivative of {mechanism}: writes ẋ = (q̇, v̇, ż) to `dx`.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: true,
            undetermined: None,
            ..ConstraintNote::new("The constraints are obeyed: M v̇ + c = Q + Aᵀ λ with A v̇ = γ.")
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Array { name: "dx", dims: &[Vector::State] },
        entries: EntryNames::Each(Vector::State, "{}_dot"),
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::StateDerivative),
        by_default: true,
        in_eval: true,
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let env = d.environment(motion.inputs());
    let states: Vec<_> = d.mechanism().states.iter().map(|s| s.rate.eval(&env)).collect();
    let dx = [d.rates(), motion.accelerations(), &states].concat();
    vec![FunctionOutput::vector("dx", "", "state derivative", d.ids(&dx))]
}
