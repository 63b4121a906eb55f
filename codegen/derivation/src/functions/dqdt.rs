//! The emitted function `dqdt`: the state derivative.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector,
};
use dqdt_mechanics::kinematics::evaluate_formula;

/// The emitted function `dqdt`: the state derivative `ẋ = [q̇, v̇, ż]`, NX values, each in the unit
/// of its entry of `x` per second.
///
/// Arguments are `t` \[s\], `x` and the inputs `u`, which are limited to their bounds. The
/// accelerations obey the constraints. Where a divisor of the solution vanishes (gimbal lock, no
/// inertia, constraints that lose rank) or the result is not finite, the function returns
/// `dqdt::Singular` and zeros.
pub const DQDT: &Definition = &Definition {
    declaration: Declaration {
        name: "dqdt",
        summary: "State derivative of {mechanism}: writes ẋ = (q̇, v̇, ż) to `dx`.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: true,
            undetermined: None,
            ..ConstraintNote::new(
                "The constraints are enforced: M v̇ + c = Q + Aᵀ λ with A v̇ = γ. At a state that violates them, \
                 v̇ depends on the form of the constraint rows, and therefore on the axes of `from`.",
            )
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
    let states: Vec<_> =
        d.mechanism().states.iter().map(|s| evaluate_formula(d.mechanism(), &env, &s.rate)).collect();
    let dx = [d.coordinate_rates(), motion.accelerations(), &states].concat();
    vec![FunctionOutput::vector("dx", "", "state derivative", d.node_ids(&dx))]
}
