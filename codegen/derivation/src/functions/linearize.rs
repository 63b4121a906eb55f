//! The emitted function `linearize`.

use super::{Definition, Derivation, Derive, Quotients, Solved};
use crate::derive::independent::IndependentDifferences;
use crate::derive::{directions, linear, reduced};
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};

/// The emitted function `linearize`: `δẋ = A δx + B δu` and `δy = C δx + D δu` around a state. If
/// the state is no equilibrium, the constant term is the result of `dqdt`.
///
/// `δx` consists of differences of coordinates, speeds and user states; a unit quaternion `e` has
/// three, `e ⊗ (1, δ/2)` with δ in the axes of the child \[rad\]. A saturated input has a zero
/// column in B. With constraints, `δx` consists of the independent differences, and the state must
/// fulfil the constraints. Where a formula has no derivative, such as a root at zero, entries are
/// not finite.
///
/// Method: inverse dynamics is differentiated at constant accelerations, and M is factored once
/// (Carpentier and Mansard 2018); with constraints, `BᵀMB` is factored and the multipliers are
/// constant too.
pub const LINEARIZE: &Definition = &Definition {
    declaration: Declaration {
        name: "linearize",
        summary: "Linearises {mechanism} around a state: δẋ = A δx + B δu, δy = C δx + D δu; away from an \
                  equilibrium, the value of `dqdt` is added to δẋ. The column of B for an input that exceeds a \
                  limit is zero.",
        constraints: Some(ConstraintNote::new(IN_INDEPENDENT_DIFFERENCES)),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Linearization",
            about: "Linearised equations around a state, with matrices in row-major order. `δx` contains the differences \
                    of coordinates, speeds and user states, and, for a unit quaternion `e`, three angles δ, \
                    as in `e ⊗ (1, δ/2)`, in the axes of the child.",
        },
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::Linearization),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::MotionDivided(derive),
};

/// Constraint note of functions whose derivatives are by independent differences.
pub(super) const IN_INDEPENDENT_DIFFERENCES: &str = "The constraints are enforced if the state satisfies \
                                                     them: `δx` contains the differences at \
                                                     [`INDEPENDENT_DIFFERENCES`], which determine the others. \
                                                     Returns `Singular` if they do not determine the others.";

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Quotients::default();
    }
    let inputs = directions::input_directions(d);
    let of_inputs = join_names(&inputs);
    let (states, by_state, by_input, divisors) =
        if d.rows().is_empty() && m.inputs_realising_constraints().is_empty() {
            let states = directions::state_directions(d);
            let (by_state, by_input) = (
                linear::tree_motion_derivatives(d, motion, &states),
                linear::tree_motion_derivatives(d, motion, &inputs),
            );
            (join_names(&states), by_state, by_input, Vec::new())
        } else {
            let Some(free) = IndependentDifferences::new(d) else { return Quotients::default() };
            let mut along = free.complete_state_directions();
            let count = along.len();
            along.extend(inputs.into_iter().map(|x| free.complete_direction(x)));
            let reduced = reduced::constrained_motion_derivatives(d, motion, &free, &along);
            let mut by_state = reduced.columns;
            let by_input = by_state.split_off(count);
            (free.independent_difference_names(), by_state, by_input, reduced.divisors)
        };
    let parts = [
        ("a", format!("∂ẋ/∂x; rows and columns: the differences of {states}"), state_columns(&by_state)),
        ("b", format!("∂ẋ/∂u; columns: {of_inputs}"), state_columns(&by_input)),
        ("c", "∂y/∂x; rows: the entries of the outputs, in order".to_owned(), output_columns(&by_state)),
        ("d", "∂y/∂u".to_owned(), output_columns(&by_input)),
    ];
    let mut outputs = Vec::new();
    for (name, about, columns) in parts {
        let rows = columns.first().map_or(0, |c| c.len());
        let entries: Vec<_> = (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        if !entries.is_empty() {
            outputs.push(FunctionOutput::matrix(name, about, (rows, columns.len()), d.node_ids(&entries)));
        }
    }
    Quotients { outputs, divisors }
}

/// Derivatives of the state's rates, one slice for each column.
fn state_columns<'c, 'g>(columns: &'c [linear::MotionColumn<'g>]) -> Vec<&'c [Tracer<'g>]> {
    columns.iter().map(|c| c.state.as_slice()).collect()
}

/// Derivatives of the outputs, one slice for each column.
fn output_columns<'c, 'g>(columns: &'c [linear::MotionColumn<'g>]) -> Vec<&'c [Tracer<'g>]> {
    columns.iter().map(|c| c.outputs.as_slice()).collect()
}

/// Names of directions as one text, separated by commas.
fn join_names(x: &[directions::Direction<'_>]) -> String {
    x.iter().map(|x| x.name.as_str()).collect::<Vec<_>>().join(", ")
}
