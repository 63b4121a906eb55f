//! The emitted function `inverse_dynamics_constrained`.

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Vector};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::ConstraintRow;

/// The emitted function `inverse_dynamics_constrained`: efforts `Bᵀ (M v̇ + bias)` along the
/// independent speeds, one value each (N or N·m). `v̇` follows from the accelerations of the
/// independent speeds and the constraints. Not available for mechanisms whose independent speeds
/// change with the pose.
pub const INVERSE_DYNAMICS_CONSTRAINED: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_dynamics_constrained",
        summary: "Inverse dynamics with constraints: computes the efforts Bᵀ (M v̇ + bias) along the \
                  independent speeds from their accelerations `dv`, in the order of [`INDEPENDENT`].",
        constraints: Some(ConstraintNote {
            names_dependent_speeds: true,
            ..ConstraintNote::new(
                "The constraints are enforced: v̇ follows from `dv` by A v̇ = γ, and Aᵀ λ does no work along the \
                 independent speeds. Inputs that satisfy Bᵀ B_u u = effort produce this motion; a row of Bᵀ \
                 contains all speeds for a unit of one independent speed, and B_u is the input matrix.",
            )
        }),
        arguments: &[Argument::STATE, Argument::INDEPENDENT_ACCELERATIONS],
        returns: Returns::Array { name: "effort", dims: &[Vector::IndependentAccelerations] },
        entries: EntryNames::Each(Vector::IndependentAccelerations, "effort_{}"),
        checked: true,
        role: Some(Role::InverseDynamicsConstrained),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let accelerations = d.acceleration_symbols();
    let env = d.environment(&silent);
    let rows: Vec<_> = (d.active_constraint_rows().iter())
        .map(|row| ConstraintRow { gamma: row.stabilised_gamma(m, &env), ..row.clone() })
        .collect();
    let Some(inverse) = formalism::inverse_dynamics_constrained(m, &env, &rows, &|s| accelerations[s]) else {
        return Quotients::default();
    };
    let effort = d.node_ids(&inverse.efforts);
    let about = "Bᵀ (M v̇ + c − Q) at u = 0, one entry for each independent speed";
    Quotients { outputs: vec![FunctionOutput::vector("effort", "", about, effort)], divisors: inverse.pivots }
}
