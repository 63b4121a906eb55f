//! The emitted function `input_matrix`.

use super::{Definition, Derivation, Derive};
use crate::derive::input_force_column;
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role, Vector};
use dqdt_graph::ir::{FunctionOutput, Tracer};

/// The emitted function `input_matrix`: `B = ∂Q/∂u` at `u = 0`, for inputs before their limits, nv
/// × nu, in units of effort per unit of the input.
pub const INPUT_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "input_matrix",
        summary: "Input matrix B = ∂Q/∂u at u = 0, ignoring the limits of the inputs. If the forces are \
                  linear in the inputs, M v̇ + bias = B u.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "b", dims: &[Vector::Speeds, Vector::Inputs] },
        role: Some(Role::InputMatrix),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.inputs.is_empty() {
        return Vec::new();
    }
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let env = d.environment(&silent);
    let columns: Vec<Vec<Tracer<'g>>> = (0..m.inputs.len()).map(|k| input_force_column(m, &env, k)).collect();
    let entries: Vec<Tracer<'g>> = (0..m.nv()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
    vec![FunctionOutput::matrix(
        "b",
        "coefficients of the inputs",
        (m.nv(), m.inputs.len()),
        d.node_ids(&entries),
    )]
}
