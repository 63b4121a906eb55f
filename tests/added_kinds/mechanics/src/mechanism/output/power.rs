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
    fn meaning(&self) -> OutputDescription<'_> {
        OutputDescription::OfLoad("power", &self.load, "W")
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        Vec::new()
    }
}

impl OutputMechanics for LoadPower {
    const WORD: &'static str = "power";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        Some(LoadPower { load: keys.load()? })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        ValueWithUnit::one("W", state.power(&self.load))
    }
}
