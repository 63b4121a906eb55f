//! What derivation gives.

use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;

/// What was derived, and by which formalism.
#[derive(Debug)]
pub struct Derived {
    /// The one that was asked for, or that was found.
    pub formalism: Formalism,
    /// Its functions, after every pass.
    pub program: Program,
}
