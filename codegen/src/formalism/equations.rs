//! The contract of a formalism.

use super::{kane, lagrange};
use crate::algebra::Scalar;
use crate::mechanism::{Environment, Mechanism};

/// `M v̇ + c = Q`; speeds in spec order.
#[derive(Clone, Debug)]
pub struct Implicit<S> {
    /// M, symmetric, nv × nv.
    pub mass: Vec<Vec<S>>,
    /// All velocity-dependent (and rheonomic) inertia terms.
    pub c: Vec<S>,
    /// Q: applied generalised forces, gravity included.
    pub force: Vec<S>,
}

/// What a formalism gives.
#[derive(Clone, Debug)]
pub enum Equations<S> {
    /// `M v̇ + c = Q`
    Implicit(Implicit<S>),
}

/// A method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Formalism {
    /// Partial velocities.
    Kane,
    /// Second kind, by differentiation of T and V.
    Lagrange,
}

impl Formalism {
    /// All of them.
    pub const ALL: [Formalism; 2] = [Formalism::Kane, Formalism::Lagrange];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Formalism::Kane => "kane",
            Formalism::Lagrange => "lagrange",
        }
    }
}

/// Equations of motion by the method `f`.
pub fn equations<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Equations<S> {
    match f {
        Formalism::Kane => Equations::Implicit(kane::kane(m, env)),
        Formalism::Lagrange => Equations::Implicit(lagrange::lagrange(m, env)),
    }
}
