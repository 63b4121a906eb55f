//! The result of the derivation.

use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;

/// Derived functions, with the formalism that derived them; result of
/// [`derive()`](super::derive()).
#[derive(Debug)]
pub struct Derived {
    /// Formalism that derived the functions, requested or chosen by the search.
    pub formalism: Formalism,
    /// Program of the derived functions, after all passes.
    pub program: Program,
}
