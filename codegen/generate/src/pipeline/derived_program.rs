//! The result of the derivation.

use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;

/// Derived functions, with the formalism that derived them; result of
/// [`derive()`](super::derive()).
#[derive(Debug)]
pub struct Derived {
    /// The formalism that was requested or chosen.
    pub formalism: Formalism,
    /// Program of the derived functions, after all passes.
    pub program: Program,
}
