//! The contract of a formalism.

use crate::algebra::{Scalar, Vec3};
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

/// Kinetic energy by degree in the speeds, `T = T₂ + T₁ + T₀`, and potential energy [J].
#[derive(Clone, Copy, Debug)]
pub struct Energy<S> {
    /// T
    pub kinetic: S,
    /// ½ vᵀ M v
    pub t2: S,
    /// Linear in the speeds: with prescribed motion only.
    pub t1: S,
    /// Of the prescribed motion alone.
    pub t0: S,
    /// Gravity and springs.
    pub potential: S,
}

/// Momentum in ground axes.
#[derive(Clone, Copy, Debug)]
pub struct Momentum<S> {
    /// [kg·m/s]
    pub linear: Vec3<S>,
    /// About the ground's origin [kg·m²/s].
    pub angular: Vec3<S>,
}

/// The power of one load.
#[derive(Clone, Debug)]
pub struct Power<S> {
    /// Name of the load; `gravity`; or the joint, for the drive of a prescribed one.
    pub name: String,
    /// [W]
    pub value: S,
    /// True if it is the rate of a potential (for gravity and stiffness that do not depend on time).
    pub potential: bool,
}

/// Equations of motion by the method `f`.
pub fn equations<S: Scalar>(_f: Formalism, _m: &Mechanism, _env: &Environment<'_, S>) -> Equations<S> {
    todo!()
}

/// `M v̇ + c − Q` by one sweep out and one back; loads at the inputs of `env`.
pub fn inverse_dynamics<S: Scalar>(
    _m: &Mechanism,
    _env: &Environment<'_, S>,
    _accelerations: &[S],
) -> Vec<S> {
    todo!()
}

/// Kinetic and potential energy.
pub fn energy<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Energy<S> {
    todo!()
}

/// Momentum and angular momentum.
pub fn momentum<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Momentum<S> {
    todo!()
}

/// Kinetic and potential energy as functions of `q`, `q̇` and `t`, by derivatives of the pose; `env.v` is not used.
pub fn lagrangian<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>, _rates: &[S]) -> (S, S) {
    todo!()
}

/// The power of gravity, of each load and of each drive of a prescribed joint; their sum is dT/dt.
pub fn powers<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>, _accelerations: &[S]) -> Vec<Power<S>> {
    todo!()
}
