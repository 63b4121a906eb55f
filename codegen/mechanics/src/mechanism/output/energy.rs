//! Output: energy of the mechanism.

use super::kind::*;
use dqdt_algebra::Scalar;

/// Output: kinetic, potential and total energy of the mechanism \[J\].
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Energy;

impl OutputForm for Energy {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::Whole("kinetic, potential and total energy [J]")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }
}

impl OutputMechanics for Energy {
    const WORD: &'static str = "energy";

    fn read(_written: &mut dyn OutputKeys) -> Option<Self> {
        Some(Energy)
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let [kinetic, potential] = state.kinetic_and_potential_energy();
        ValueWithUnit::with_entries(
            "J",
            ["kinetic", "potential", "total"],
            [kinetic, potential, kinetic + potential],
        )
    }
}
