//! The emitted function `rates`: rates of the coordinates.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector,
};

/// The emitted function `rates`: `q̇ = N(q) v + n₀(q, t)`, NQ values, each in the unit of its
/// coordinate per second. Does not solve for accelerations.
pub const RATES: &Definition = &Definition {
    declaration: Declaration {
        name: "rates",
        summary: "Rates of the coordinates: writes q̇ to `dq`.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: true,
            undetermined: None,
            ..ConstraintNote::new(
                "Uses the speeds as given, without checking that they satisfy the constraints.",
            )
        }),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "dq", dims: &[Vector::Coordinates] },
        entries: EntryNames::Each(Vector::Coordinates, "{}_dot"),
        solves: Solves::Nothing,
        checked: true,
        role: Some(Role::Rates),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    vec![FunctionOutput::vector(
        "rates",
        "",
        "rates of the coordinates, q̇ = N(q) v",
        d.node_ids(d.coordinate_rates()),
    )]
}
