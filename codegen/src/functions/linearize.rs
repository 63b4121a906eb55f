//! The motion linearised at a state.

use super::{Definition, Derivation, Derive, Solved};
use crate::derive::{directions, linear};
use crate::ir::declaration::{Argument, Declaration, Returns, Role, Solves};
use crate::ir::{FunctionOutput, Tracer};

/// `δẋ = A δx + B δu` and `δy = C δx + D δu` around a state, which need not be an equilibrium: there `dqdt` is what is added.
///
/// `δx` holds plain differences of coordinates, speeds and user states; of a unit quaternion `e` three, `e ⊗ (1, δ/2)` with δ in the
/// axes of the child \[rad\]. Where a limit of an input acts its column of B is zero. For mechanisms without constraints;
/// `dqdt linearize` handles constraints too. Where a formula has no slope, as a root at zero, entries are not finite. Method: inverse
/// dynamics is differentiated with the accelerations held, and M is factored once (Carpentier and Mansard 2018).
pub const LINEARIZE: &Definition = &Definition {
    declaration: Declaration {
        name: "linearize",
        summary: "Linearises {mechanism} around a state: δẋ = A δx + B δu, δy = C δx + D δu; what is added in ẋ away from an \
                  equilibrium is `dqdt`. Where a limit of an input acts its column of B is zero.",
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Linearization",
            about: "The motion around a state, by rows. `δx` counts plain differences of coordinates, speeds and user states; of a \
                    unit quaternion `e` three angles δ, `e ⊗ (1, δ/2)`, in the axes of the child.",
        },
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::Linearization),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 || !d.rows().is_empty() || !m.realising_inputs().is_empty() {
        return Vec::new();
    }
    let (states, inputs) = (directions::of_state(d), directions::of_inputs(d));
    let by_state = linear::columns(d, motion, &states);
    let by_input = linear::columns(d, motion, &inputs);
    let names =
        |x: &[directions::Direction<'g>]| x.iter().map(|x| x.name.clone()).collect::<Vec<_>>().join(", ");
    let matrix = |name: &str, about: String, columns: Vec<&[Tracer<'g>]>| {
        let rows = columns.first().map_or(0, |c| c.len());
        let entries: Vec<_> = (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        (rows * columns.len() > 0)
            .then(|| FunctionOutput::matrix(name, about, (rows, columns.len()), d.ids(&entries)))
    };
    let state = |x: &'_ [linear::Column<'g>]| x.iter().map(|c| c.state.clone()).collect::<Vec<_>>();
    let outputs = |x: &'_ [linear::Column<'g>]| x.iter().map(|c| c.outputs.clone()).collect::<Vec<_>>();
    let parts = [
        ("a", format!("∂ẋ/∂x, for the differences of: {}", names(&states)), state(&by_state)),
        ("b", format!("∂ẋ/∂u, columns: {}", names(&inputs)), state(&by_input)),
        ("c", "∂y/∂x, rows as the entries of the outputs in their order".to_owned(), outputs(&by_state)),
        ("d", "∂y/∂u".to_owned(), outputs(&by_input)),
    ];
    let part = |(name, about, columns): (&str, String, Vec<Vec<Tracer<'g>>>)| {
        matrix(name, about, columns.iter().map(Vec::as_slice).collect())
    };
    parts.into_iter().filter_map(part).collect()
}
