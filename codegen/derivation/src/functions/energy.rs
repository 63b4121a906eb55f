//! The emitted function `energy`: kinetic and potential energy.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::formalism;
use dqdt_mechanics::mechanism::Mechanism;

/// The emitted function `energy`: kinetic and potential energy of a state \[J\]. The potential
/// energy is that of gravity and of springs.
pub const ENERGY: &Definition = &Definition {
    declaration: Declaration {
        name: "energy",
        summary: "Kinetic and potential energy.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: Some("Computes the dependent speeds from the independent ones."),
            names_dependent_speeds: true,
            undetermined: None,
            ..ConstraintNote::new(
                "Uses the state as given, without checking that it satisfies the constraints.",
            )
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
    let energy = formalism::energy(d.mechanism(), &d.environment(d.saturated_inputs()));
    let (kinetic, potential) = (d.node_id(energy.kinetic), d.node_id(energy.potential));
    vec![
        FunctionOutput::scalar("kinetic", "J", "kinetic energy", kinetic),
        FunctionOutput::scalar("potential", "J", describe_potential(d.mechanism()), potential),
    ]
}

/// Description of the potential energy in the emitted documentation, by its sources.
fn describe_potential(m: &Mechanism) -> String {
    let falls = m.gravity.iter().any(|g| !g.as_number().is_some_and(|n| n.is_zero()));
    match (falls, m.loads.iter().any(|load| load.kind.parts()[0].is_some())) {
        (true, true) => "potential energy of gravity and springs",
        (true, false) => "potential energy of gravity",
        (false, true) => "potential energy of springs",
        (false, false) => "potential energy, which is zero without gravity and springs",
    }
    .to_owned()
}
