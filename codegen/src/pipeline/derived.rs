//! What derivation gives.

use crate::formalism::Formalism;
use crate::ir::Program;

/// What was derived, and by which formalism.
#[derive(Debug)]
pub struct Derived {
    /// The one that was asked for, or that was found.
    pub formalism: Formalism,
    /// Its functions, after every pass.
    pub program: Program,
}
