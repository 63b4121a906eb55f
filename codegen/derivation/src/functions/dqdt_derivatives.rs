//! The emitted function `dqdt_derivatives`: the state derivative and its partial derivatives by
//! each entry of the state.

use super::{Definition, Derivation, Derive, Solved};
use crate::derive::linear;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role, Solves};

/// The emitted function `dqdt_derivatives`: `ẋ`, `∂ẋ/∂x` and `∂ẋ/∂u`, for steps with exact
/// derivatives (`dqdt::discrete`) and implicit integrators.
///
/// Derivatives are by each entry of the state: by the four components of a quaternion, and by
/// dependent speeds as if they were independent. They are the derivatives of the result of `dqdt`,
/// on and off the constraints. `linearize` uses three rotations for a quaternion instead, and is
/// meant for equilibria and trims.
pub const DQDT_DERIVATIVES: &Definition = &Definition {
    declaration: Declaration {
        name: "dqdt_derivatives",
        summary: "The state derivative ẋ of {mechanism} and its derivatives with respect to each entry of the \
                  state and of the inputs. The column of an input that exceeds a limit is zero.",
        constraints: Some(ConstraintNote::new(
            "The constraints are enforced. The derivatives are those of `dqdt`, even at states that violate \
             the constraints; a step along them may violate the constraints.",
        )),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "DqdtDerivatives",
            about: "The state derivative and its derivatives, in row-major order. A quaternion has four columns, one for each component.",
        },
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::Derivatives),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let derivatives = linear::derivatives_by_state_entries(d, motion);
    let names = m.coordinates.iter().map(|c| &c.name).chain(m.speeds.iter().map(|s| &s.name));
    let names: Vec<_> = names.chain(m.states.iter().map(|s| &s.name)).map(String::as_str).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let inputs: Vec<_> = m.inputs.iter().map(|u| u.name.as_str()).collect();
    let rows = derivatives.rates.len();
    let matrix = |name: &str, about: String, columns: &[Vec<_>]| {
        let entries: Vec<_> = (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        FunctionOutput::matrix(name, about, (rows, columns.len()), d.node_ids(&entries))
    };
    let mut out = vec![
        FunctionOutput::vector("rate", "", "ẋ", d.node_ids(&derivatives.rates)),
        matrix("by_state", format!("∂ẋ/∂x; rows and columns: {}", names.join(", ")), &derivatives.by_state),
    ];
    if !inputs.is_empty() {
        out.push(matrix("by_input", format!("∂ẋ/∂u, columns: {}", inputs.join(", ")), &derivatives.by_input));
    }
    out
}
