//! Output of the power of a load.

use super::kind::*;
use dqdt_algebra::Scalar;

/// Power of a load on the mechanism \[W\], positive if the load does work on it.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadPower {
    /// Name of the load.
    pub load: String,
}

impl OutputForm for LoadPower {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfLoad("power", &self.load, "W")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }
}

impl OutputMechanics for LoadPower {
    const WORD: &'static str = "power";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        Some(LoadPower { load: keys.read_load_name()? })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        ValueWithUnit::with_single_entry("W", state.load_power(&self.load))
    }
}
