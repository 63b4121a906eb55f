//! Jacobian of the rates by the state, for implicit integrators.
//!
//! Problem: `∂ẋ/∂x`, with the four components of a quaternion as plain states, and as last row the
//! derivative of the power whose integral is the work.
//! Method:  the functions of the motion are differentiated node by node, including the linear
//! solve.

use dqdt_algebra::Scalar;
use dqdt_derivation::derive::{Definition, Derivation, Derive, Solved};
use dqdt_derivation::functions::powers;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns, Solves};
use dqdt_graph::ir::{FunctionOutput, Tangents, Tracer};
use dqdt_mechanics::kinematics::evaluate_formula;

/// Declaration of the internal function from which implicit integrators get their Jacobian: one
/// column for each state entry, with derivatives of the rates, then of the power.
pub(super) const RATES_BY_STATE: &Definition = &Definition {
    declaration: Declaration {
        name: "rates_by_state",
        summary: "Derivatives of the rates and of the power with respect to the state.",
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "RatesByState",
            about: "Derivatives of the rates and of the power with respect to the state.",
        },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive_rates_by_state),
};

fn derive_rates_by_state<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let (m, env) = (d.mechanism(), d.environment(motion.inputs()));
    let states: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
    let power = powers(d, motion).into_iter().fold(Tracer::ZERO, |sum, p| sum + p.value);
    let tangents =
        Tangents::new(d.graph(), &[d.coordinate_rates(), motion.accelerations(), &states, &[power]].concat());
    d.state_symbols()
        .iter()
        .map(|x| {
            let column = tangents.derivatives_along(&[(d.node_id(*x), Tracer::ONE)], "");
            FunctionOutput::vector("column", "", "", d.node_ids(&column))
        })
        .collect()
}
