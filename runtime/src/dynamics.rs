//! Traits of equations of motion for controllers.
//!
//! There is one trait for each emitted function, which the model implements if the module has that
//! function. [`Dynamics`] combines the four traits of the default functions. So a controller can be
//! generic over exactly the traits that it needs.
//!
//! Shapes: `NX` entries of the state, `NU` inputs, `NV` speeds, `NI` independent speeds; efforts
//!         have one entry per speed. The terms are those of `M v̇ + bias = B u + Aᵀ λ` for the
//!         tree, without constraints.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// Access to the mass matrix, by the function `mass_matrix`.
pub trait MassMatrix<T: Real, const NX: usize, const NV: usize> {
    /// Writes the mass matrix `M`.
    fn mass_matrix(&self, t: T, x: &[T; NX], mass: &mut [[T; NV]; NV]);
}

/// Access to the bias, by the function `bias`.
pub trait Bias<T: Real, const NX: usize, const NV: usize> {
    /// Writes the bias: all terms of the equations except `M v̇`, at zero inputs (Coriolis,
    /// centrifugal, gravity, loads).
    fn bias(&self, t: T, x: &[T; NX], bias: &mut [T; NV]);
}

/// Inverse dynamics, by the function `inverse_dynamics`.
pub trait InverseDynamics<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts `M dv + bias` for accelerations `dv` of the speeds.
    fn inverse_dynamics(&self, t: T, x: &[T; NX], dv: &[T; NV], effort: &mut [T; NV]);
}

/// Mechanical energy, by the function `energy`.
pub trait MechanicalEnergy<T: Real, const NX: usize> {
    /// Returns kinetic and potential energy in joules.
    fn kinetic_and_potential(&self, t: T, x: &[T; NX]) -> [T; 2];
}

/// Gravity efforts, by the function `gravity`.
pub trait Gravity<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts that hold the tree at rest against gravity.
    fn gravity(&self, t: T, x: &[T; NX], g: &mut [T; NV]);
}

/// Limits of inputs, by the function `saturate`.
pub trait Saturate<T: Real, const NX: usize, const NU: usize> {
    /// Writes the inputs within their limits to `limited`. Returns for each input whether a limit
    /// acts.
    fn saturate(&self, t: T, x: &[T; NX], u: &[T; NU], limited: &mut [T; NU]) -> [T::Mask; NU];
}

/// Input matrix, by the function `input_matrix`.
pub trait Actuated<T: Real, const NX: usize, const NU: usize, const NV: usize> {
    /// Writes the input matrix `B`: derivatives of the generalised forces by the inputs at `u = 0`,
    /// before input limits.
    fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]);
}

/// Inverse dynamics with dependent speeds, by the function `inverse_dynamics_constrained`.
pub trait ConstrainedDynamics<T: Real, const NX: usize, const NI: usize> {
    /// Indices of the independent speeds among all speeds.
    const INDEPENDENT: [usize; NI];

    /// Writes the efforts along the independent speeds for their accelerations `dv`, under the
    /// constraints.
    ///
    /// # Errors
    /// [`Singular`] where the dependent speeds are not determined; `effort` is zero there.
    fn inverse_dynamics_constrained(
        &self,
        t: T,
        x: &[T; NX],
        dv: &[T; NI],
        effort: &mut [T; NI],
    ) -> Result<(), Singular<T::Mask>>;
}

/// The equations of motion and their terms. Every model with the default functions implements it.
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
