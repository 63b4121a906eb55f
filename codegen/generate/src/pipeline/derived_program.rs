//! The result of the derivation.

use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;

/// Derived functions, with the formalism that derived them.
#[derive(Debug)]
pub struct Derived {
    /// The formalism that was requested or chosen.
    pub formalism: Formalism,
    /// The functions, after all passes.
    pub program: Program,
}
