//! Traits of controllers over equations of motion.
//!
//! One trait per function: the model of a module implements those whose functions it has, whatever
//! else was emitted. [`Dynamics`] is the sum of the four default ones. So a controller is written
//! once, over the traits that it needs.
//!
//! Shapes: `NX` entries of the state, `NU` inputs, `NV` speeds, `NI` independent speeds; efforts
//!         have
//! one entry per speed. The terms are those of `M v̇ + bias = B u + Aᵀ λ`, of the tree: constraints
//! are not in them.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// The mass matrix, the function `mass_matrix`.
pub trait MassMatrix<T: Real, const NX: usize, const NV: usize> {
    /// Writes the mass matrix `M`.
    fn mass_matrix(&self, t: T, x: &[T; NX], mass: &mut [[T; NV]; NV]);
}

/// The bias, the function `bias`.
pub trait Bias<T: Real, const NX: usize, const NV: usize> {
    /// Writes `bias`: the terms beside `M v̇` at zero inputs.
    fn bias(&self, t: T, x: &[T; NX], bias: &mut [T; NV]);
}

/// Inverse dynamics, the function `inverse_dynamics`.
pub trait InverseDynamics<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts `M dv + bias` for accelerations `dv` of the speeds.
    fn inverse_dynamics(&self, t: T, x: &[T; NX], dv: &[T; NV], effort: &mut [T; NV]);
}

/// Energy, the function `energy`.
pub trait MechanicalEnergy<T: Real, const NX: usize> {
    /// Kinetic and potential energy, in joules.
    fn kinetic_and_potential(&self, t: T, x: &[T; NX]) -> [T; 2];
}

/// Weight, the function `gravity`.
pub trait Gravity<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts that hold the tree at rest against gravity.
    fn gravity(&self, t: T, x: &[T; NX], g: &mut [T; NV]);
}

/// Limits of inputs, the function `saturate`.
pub trait Saturate<T: Real, const NX: usize, const NU: usize> {
    /// Writes the inputs within their limits, and returns for each whether a limit acts.
    fn saturate(&self, t: T, x: &[T; NX], u: &[T; NU], limited: &mut [T; NU]) -> [T::Mask; NU];
}

/// The way in which inputs act, the function `input_matrix`.
pub trait Actuated<T: Real, const NX: usize, const NU: usize, const NV: usize> {
    /// Writes `B`, the derivatives of the generalised forces by the inputs, before their limits, at
    /// `u = 0`.
    fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]);
}

/// A mechanism with dependent speeds, the function `inverse_dynamics_constrained`.
pub trait ConstrainedDynamics<T: Real, const NX: usize, const NI: usize> {
    /// Index among the speeds of the independent ones.
    const INDEPENDENT: [usize; NI];

    /// Writes the efforts along the independent speeds for their accelerations `dv`; the
    /// constraints are obeyed.
    ///
    /// # Errors [`Singular`] where the dependent speeds do not follow; `effort` is zero there.
    fn inverse_dynamics_constrained(
        &self,
        t: T,
        x: &[T; NX],
        dv: &[T; NI],
        effort: &mut [T; NI],
    ) -> Result<(), Singular<T::Mask>>;
}

/// The equations of motion and their terms: every model with the default functions is one.
pub trait Dynamics<T: Real, const NX: usize, const NU: usize, const NV: usize>:
    System<T, NX, NU>
    + MassMatrix<T, NX, NV>
    + Bias<T, NX, NV>
    + InverseDynamics<T, NX, NV>
    + MechanicalEnergy<T, NX>
{
}

impl<S, T: Real, const NX: usize, const NU: usize, const NV: usize> Dynamics<T, NX, NU, NV> for S where
    S: System<T, NX, NU>
        + MassMatrix<T, NX, NV>
        + Bias<T, NX, NV>
        + InverseDynamics<T, NX, NV>
        + MechanicalEnergy<T, NX>
        + ?Sized
{
}
