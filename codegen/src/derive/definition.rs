//! A function whole: its declaration, and how its outputs are derived.

use std::fmt;
use std::ops::Deref;

use super::Derivation;
use crate::ir::FunctionOutput;
use crate::ir::declaration::Declaration;

/// A function, defined. One a file in the folder `functions`.
pub struct Definition {
    /// All that is read by whoever does not derive.
    pub declaration: Declaration,
    /// The outputs of a mechanism; none where it has nothing of the kind, and then there is no such function.
    pub(crate) derive: Derive,
}

/// How the outputs of a function are derived.
#[derive(Clone, Copy)]
pub enum Derive {
    /// By this.
    Outputs(for<'g, 'm> fn(&mut Derivation<'g, 'm>) -> Vec<FunctionOutput>),
    /// They are those of these functions, in one call.
    Joint(&'static [&'static Definition]),
}

impl Deref for Definition {
    type Target = Declaration;

    fn deref(&self) -> &Declaration {
        &self.declaration
    }
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.declaration == other.declaration
    }
}

impl Eq for Definition {}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
