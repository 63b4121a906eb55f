//! A user state that counts how often a formula crosses zero.

use super::kind::*;
use crate::mechanism::environment::Variable;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// The function that crosses zero.
    pub when: Formula,
    /// Its dimension, as far as it is known.
    pub dimension: Option<Dimension>,
    /// The direction.
    pub crossing: Crossing,
    /// The user state that counts.
    pub counter: usize,
}

impl EventForm for Count {
    fn condition(&self) -> Condition<'_> {
        Condition::Formula(&self.when)
    }

    fn dimension(&self) -> Option<Dimension> {
        self.dimension
    }

    fn crossing(&self) -> Crossing {
        self.crossing
    }

    fn outcome(&self) -> Outcome<'_> {
        let before = Formula::Variable(Variable::State(self.counter));
        Outcome::Passes(vec![(self.counter, Formula::Add(Box::new(before), Box::new(Formula::ONE)))])
    }
}

impl EventMechanics for Count {
    const WORD: &'static str = "count";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let (when, dimension) = written.when();
        let counter = written.state("counter")?;
        Some(Count { when, dimension, crossing: written.crossing(), counter })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when)
    }
}
