//! Definition of an emitted function: its declaration, and the derivation of its outputs.

use std::fmt;
use std::ops::Deref;

use super::derivation::Derivation;
use super::solution::Solved;
use dqdt_graph::ir::declaration::{Declaration, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism::Pivot;

/// Definition of a function that can be emitted. Each file in the folder `functions` has one.
pub struct Definition {
    /// Name, signature and documentation, for all stages that do not derive, such as printers.
    pub declaration: Declaration,
    /// Derives the outputs for a mechanism. If there are none, the function is not emitted.
    #[doc(hidden)]
    pub derive: Derive,
}

/// Function that derives the outputs of a [`Definition`], by what it uses: the state alone or the
/// solved motion too.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub enum Derive {
    /// Derives from the state, the inputs and the kinematics.
    State(for<'g, 'm> fn(&Derivation<'g, 'm>) -> Vec<FunctionOutput>),
    /// Like `State`, with divisors in addition to those of the kinematics.
    Divided(for<'g, 'm> fn(&Derivation<'g, 'm>) -> Quotients<'g>),
    /// Derives from the solved motion too (accelerations, multipliers).
    Motion(for<'g, 'm> fn(&Derivation<'g, 'm>, &Solved<'g>) -> Vec<FunctionOutput>),
    /// Like `Motion`, with divisors in addition to those of the motion and the kinematics.
    MotionDivided(for<'g, 'm> fn(&Derivation<'g, 'm>, &Solved<'g>) -> Quotients<'g>),
    /// Combines the outputs of several functions in one call.
    Joint(&'static [&'static Definition]),
}

/// Outputs of a function, with the divisors that it checks.
#[derive(Default)]
#[doc(hidden)]
pub struct Quotients<'g> {
    /// The outputs; empty if the function does not apply to the mechanism.
    pub outputs: Vec<FunctionOutput>,
    /// Pivots by which the outputs were divided. The emitted function checks them against zero.
    pub divisors: Vec<Pivot<Tracer<'g>>>,
}

impl Derive {
    /// True if the derivation needs accelerations or multipliers.
    pub fn needs_motion(&self) -> bool {
        match self {
            Derive::State(_) | Derive::Divided(_) => false,
            Derive::Motion(_) | Derive::MotionDivided(_) => true,
            Derive::Joint(parts) => parts.iter().any(|f| f.derive.needs_motion()),
        }
    }
}

impl Definition {
    /// True if the function divides by inertia, so that it is undefined for motions without
    /// inertia.
    pub fn divides_by_inertia(&self) -> bool {
        match self.derive {
            Derive::Joint(parts) => parts.iter().any(|part| part.divides_by_inertia()),
            _ => self.solves != Solves::Nothing,
        }
    }

    /// True if the function divides by the mass matrix of the tree, even with constraints.
    pub fn inverts_tree(&self) -> bool {
        match self.derive {
            Derive::Joint(parts) => parts.iter().any(|part| part.inverts_tree()),
            _ => self.solves == Solves::MassMatrix,
        }
    }

    /// True if `self` is the function `f`, or a joint call of several functions that contains `f`.
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
