//! A limit of work, counted in operations on coefficients: the same on every machine.

use std::cell::Cell;

/// A budget of work for one or more computations with polynomials, in operations on coefficients.
#[derive(Debug)]
pub struct Budget {
    /// Operations on coefficients that may still be spent.
    remaining: Cell<u64>,
}

/// Error: a computation needs more work than its budget allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("more work than the budget allows")
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// A budget of this many operations on coefficients.
    pub fn new(operations: u64) -> Self {
        Budget { remaining: Cell::new(operations) }
    }

    /// A budget that no computation exhausts.
    pub fn unlimited() -> Self {
        Budget::new(u64::MAX)
    }

    /// Number of operations that may still be spent.
    pub fn left(&self) -> u64 {
        self.remaining.get()
    }

    /// Deducts operations from the budget.
    ///
    /// # Errors
    /// If fewer operations remain.
    pub fn spend(&self, operations: usize) -> Result<(), Exhausted> {
        let left = self.remaining.get().checked_sub(operations as u64);
        self.remaining.set(left.unwrap_or(0));
        left.map(drop).ok_or(Exhausted)
    }
}
