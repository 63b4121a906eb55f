//! The emitted function `inverse_dynamics`, for the tree.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector,
};
use dqdt_mechanics::formalism;

/// The emitted function `inverse_dynamics`: efforts `M a + bias` of the tree for given
/// accelerations `a`, ignoring constraints, nv values (N or N·m).
pub const INVERSE_DYNAMICS: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_dynamics",
        summary: "Inverse dynamics: the efforts M v̇ + bias for accelerations v̇.",
        constraints: Some(ConstraintNote {
            instead: Some((
                Role::InverseDynamicsConstrained,
                [
                    " [`inverse_dynamics_constrained()`] needs only the accelerations of the independent speeds.",
                    " `inverse_dynamics_constrained`, emitted on request, needs only the accelerations of the independent speeds.",
                ],
            )),
            ..ConstraintNote::new(
                "Ignores the constraints: `dv` need not satisfy them. If `dv` satisfies the constraints, the \
                 result includes their efforts: it equals B u + Aᵀ λ.",
            )
        }),
        arguments: &[Argument::STATE, Argument::ACCELERATIONS],
        returns: Returns::Array { name: "effort", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "effort_{}"),
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::InverseDynamics),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let accelerations = d.acceleration_symbols();
    let effort = formalism::inverse_dynamics(m, &d.environment(&silent), &accelerations);
    vec![FunctionOutput::vector("effort", "", "efforts M v̇ + c − Q at u = 0", d.node_ids(&effort))]
}
