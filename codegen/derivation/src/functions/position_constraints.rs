//! The emitted function `position_constraints`.

use super::velocity_constraints::residual_outputs;
use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::kinematics;

/// The emitted function `position_constraints`: residuals `Φ(q, t)`, one value for each row that
/// constrains coordinates, and `∂Φ/∂q`, with nq derivatives for each row.
pub const POSITION_CONSTRAINTS: &Definition = &Definition {
    declaration: Declaration {
        name: "position_constraints",
        summary: "Residuals Φ(q, t) of the constraints, and their Jacobian ∂Φ/∂q.",
        constraints: Some(ConstraintNote::new(
            "Includes all constraint rows, even those that follow from others.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "PositionConstraints",
            about: "Constraints on the coordinates, in the order of [`POSITION_ROWS`].",
        },
        entries: EntryNames::Numbered,
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::PositionConstraints),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    d.evaluate_at_state_speeds(|d, m, env| {
        let residual = kinematics::constraint_rows(m, env).iter().filter_map(|r| r.position).collect();
        residual_outputs(d, residual, m.nq(), "coordinates", || {
            let jacobian = kinematics::position_jacobian(m, env);
            let rows = d.rows().iter().filter(|r| r.position.is_some());
            for (row, derivatives) in rows.zip(&jacobian) {
                for (x, c) in derivatives.iter().zip(&m.coordinates) {
                    x.suggest_name(&|| format!("phi_{}_by_{}", row.name, c.name));
                }
            }
            jacobian
        })
    })
}
