//! A function whole: its declaration, and how its outputs are derived.

use std::fmt;
use std::ops::Deref;

use super::derivation::Derivation;
use super::solution::Solved;
use dqdt_graph::ir::declaration::{Declaration, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism::Pivot;

/// A function, defined. One a file in the folder `functions`.
pub struct Definition {
    /// All that is read by whoever does not derive.
    pub declaration: Declaration,
    /// The outputs of a mechanism; none where it has nothing of the kind, and then there is no such function.
    #[doc(hidden)]
    pub derive: Derive,
}

/// How the outputs of a function are derived.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub enum Derive {
    /// From the state, the inputs and what kinematics makes of them.
    State(for<'g, 'm> fn(&Derivation<'g, 'm>) -> Vec<FunctionOutput>),
    /// The same, and they are divided by more than kinematics divides by.
    Divided(for<'g, 'm> fn(&Derivation<'g, 'm>) -> Quotients<'g>),
    /// From the motion too.
    Motion(for<'g, 'm> fn(&Derivation<'g, 'm>, &Solved<'g>) -> Vec<FunctionOutput>),
    /// From the motion too, and they are divided by more than the motion and kinematics divide by.
    MotionDivided(for<'g, 'm> fn(&Derivation<'g, 'm>, &Solved<'g>) -> Quotients<'g>),
    /// They are those of these functions, in one call.
    Joint(&'static [&'static Definition]),
}

/// Outputs, and what they were divided by.
#[derive(Default)]
#[doc(hidden)]
pub struct Quotients<'g> {
    /// The outputs; none where the mechanism has nothing of the kind.
    pub outputs: Vec<FunctionOutput>,
    /// What the function checks for them.
    pub divisors: Vec<Pivot<Tracer<'g>>>,
}

impl Derive {
    /// True if accelerations or multipliers are asked for.
    pub fn asks_for_motion(&self) -> bool {
        match self {
            Derive::State(_) | Derive::Divided(_) => false,
            Derive::Motion(_) | Derive::MotionDivided(_) => true,
            Derive::Joint(parts) => parts.iter().any(|f| f.derive.asks_for_motion()),
        }
    }
}

impl Definition {
    /// True if it divides by inertia, and so is undefined where a motion has none.
    pub fn divides_by_inertia(&self) -> bool {
        match self.derive {
            Derive::Joint(parts) => parts.iter().any(|part| part.divides_by_inertia()),
            _ => self.solves != Solves::Nothing,
        }
    }

    /// True if it divides by the mass matrix of the tree, whatever constraints hold.
    pub fn inverts_tree(&self) -> bool {
        match self.derive {
            Derive::Joint(parts) => parts.iter().any(|part| part.inverts_tree()),
            _ => self.solves == Solves::MassMatrix,
        }
    }

    /// True for the function itself, and for joint calls of it.
    pub fn includes(&self, f: &Definition) -> bool {
        match self.derive {
            Derive::Joint(parts) => parts.iter().any(|part| part.includes(f)),
            _ => self == f,
        }
    }
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
