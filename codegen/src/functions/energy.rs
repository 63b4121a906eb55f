//! Kinetic and potential energy.

use super::{Definition, Derivation, Derive};
use crate::formalism;
use crate::ir::FunctionOutput;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};

/// Kinetic and potential energy of a state.
pub const ENERGY: &Definition = &Definition {
    declaration: Declaration {
        name: "energy",
        summary: "Kinetic and potential energy.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: Some("Of the speeds with the dependent ones computed from the others."),
            names_dependent_speeds: true,
            undetermined: None,
            ..ConstraintNote::new("Of the state as it is; that it fulfils the constraints is not checked.")
        }),
        arguments: &[Argument::STATE],
        returns: Returns::Struct { name: "Energy", about: "Energies." },
        entries: EntryNames::Numbered,
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::Energy),
        by_default: true,
        in_eval: true,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let energy = formalism::energy(d.mechanism(), &d.environment(d.limited_inputs()));
    let (kinetic, potential) = (d.id(energy.kinetic), d.id(energy.potential));
    vec![
        FunctionOutput::scalar("kinetic", "J", "kinetic energy", kinetic),
        FunctionOutput::scalar("potential", "J", "potential energy of gravity and springs", potential),
    ]
}
