//! A limit of work, counted in operations on coefficients: the same on every machine.

use std::cell::Cell;

/// Work that may be done.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
}

/// The work is not done: it would take more than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("more work than the budget allows")
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// A budget of operations on coefficients.
    pub fn new(operations: u64) -> Self {
        Budget { left: Cell::new(operations) }
    }

    /// No limit.
    pub fn unlimited() -> Self {
        Budget::new(u64::MAX)
    }

    /// Operations that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes operations from the budget.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn spend(&self, operations: usize) -> Result<(), Exhausted> {
        let left = self.left.get().checked_sub(operations as u64);
        self.left.set(left.unwrap_or(0));
        left.map(drop).ok_or(Exhausted)
    }
}
