//! The function `output_derivatives` of functional mock-up units: derivatives of the outputs by
//! each entry of the state.

use super::{Definition, Derivation, Derive, OUTPUTS, Solved};
use crate::derive::directions::{differentiate_along, input_directions, state_entry_directions};
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};

/// The function `output_derivatives`: `∂y/∂x` and `∂y/∂u` of the outputs of the spec, by each
/// entry of the state (four of a quaternion) and each input.
///
/// The counterpart of [`DQDT_DERIVATIVES`](super::DQDT_DERIVATIVES) for the outputs; `linearize`
/// has three rotations for a quaternion instead. It is not in [`ALL`](super::ALL), because only
/// functional mock-up units need it.
pub const OUTPUT_DERIVATIVES: &Definition = &Definition {
    declaration: Declaration {
        name: "output_derivatives",
        summary: "Derivatives of the outputs of {mechanism} with respect to each entry of the state and of the \
                  inputs. The column of an input that exceeds a limit is zero.",
        constraints: Some(ConstraintNote::new("Accelerations in the outputs satisfy the constraints.")),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "OutputDerivatives",
            about: "Derivatives of the outputs, in row-major order. A quaternion has four columns, one for each component.",
        },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let Derive::Motion(outputs) = OUTPUTS.derive else { return Vec::new() };
    let values: Vec<Tracer<'g>> =
        outputs(d, motion).iter().flat_map(|o| &o.nodes).map(|id| Tracer::new(d.graph(), *id)).collect();
    let matrix = |name: &str, about: &str, columns: Vec<Vec<Tracer<'g>>>| {
        let rows = values.len();
        let entries: Vec<_> = (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        (!entries.is_empty())
            .then(|| FunctionOutput::matrix(name, about, (rows, columns.len()), d.node_ids(&entries)))
    };
    let by_state = differentiate_along(d, &values, &state_entry_directions(d));
    let by_input = differentiate_along(d, &values, &input_directions(d));
    let parts = [matrix("by_state", "∂y/∂x", by_state), matrix("by_input", "∂y/∂u", by_input)];
    parts.into_iter().flatten().collect()
}
