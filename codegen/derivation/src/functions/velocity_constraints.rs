//! The emitted function `velocity_constraints`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::kinematics;

/// The emitted function `velocity_constraints`: residuals `A v + a₀` at the speeds of the state,
/// and A, one value and nv entries for each row. Includes the rates of holonomic constraints.
pub const VELOCITY_CONSTRAINTS: &Definition = &Definition {
    declaration: Declaration {
        name: "velocity_constraints",
        summary: "Residuals A v + a₀ of the constraint rows at the speeds of the state, and the Jacobian A.",
        constraints: Some(ConstraintNote::new(
            "Includes all constraint rows, even those that follow from others.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "VelocityConstraints",
            about: "Constraints on the speeds, in the order of [`VELOCITY_ROWS`].",
        },
        entries: EntryNames::Numbered,
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::VelocityConstraints),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    d.evaluate_at_state_speeds(|d, m, env| {
        let rows = kinematics::constraint_rows(m, env);
        let residual = rows.iter().map(|r| r.velocity).collect();
        residual_outputs(d, residual, m.nv(), "speeds", || rows.into_iter().map(|r| r.jacobian).collect())
    })
}

/// Function outputs of constraint residuals and their Jacobian; empty without rows. `by` names the
/// columns. Shared by `position_constraints` and `velocity_constraints`.
pub(super) fn residual_outputs<'g>(
    d: &Derivation<'g, '_>,
    residual: Vec<Tracer<'g>>,
    columns: usize,
    by: &str,
    jacobian: impl FnOnce() -> Vec<Vec<Tracer<'g>>>,
) -> Vec<FunctionOutput> {
    if residual.is_empty() {
        return Vec::new();
    }
    let shape = (residual.len(), columns);
    let residual = d.node_ids(&residual);
    let jacobian = d.node_ids(&jacobian().concat());
    vec![
        FunctionOutput::vector("residual", "", "violation of each row, in the unit of the row", residual),
        FunctionOutput::matrix(
            "jacobian",
            format!(
                "derivatives of the residuals with respect to the {by}, in the unit of the row divided by that of the {by}"
            ),
            shape,
            jacobian,
        ),
    ]
}
