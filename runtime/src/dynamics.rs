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

/// Trait of models with the emitted function `mass_matrix`.
pub trait MassMatrix<T: Real, const NX: usize, const NV: usize> {
    /// Writes the mass matrix `M` of shape NV×NV, symmetric.
    fn mass_matrix(&self, t: T, x: &[T; NX], mass: &mut [[T; NV]; NV]);
}

/// Trait of models with the emitted function `bias`.
pub trait Bias<T: Real, const NX: usize, const NV: usize> {
    /// Writes the bias: all terms of the equations except `M v̇`, at zero inputs (Coriolis,
    /// centrifugal, gravity, loads).
    fn bias(&self, t: T, x: &[T; NX], bias: &mut [T; NV]);
}

/// Trait of models with the emitted function `inverse_dynamics`.
pub trait InverseDynamics<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts `M dv + bias` that cause the accelerations `dv` of the speeds.
    fn inverse_dynamics(&self, t: T, x: &[T; NX], dv: &[T; NV], effort: &mut [T; NV]);
}

/// Trait of models with the emitted function `energy`.
pub trait MechanicalEnergy<T: Real, const NX: usize> {
    /// Returns kinetic and potential energy in joules.
    fn kinetic_and_potential(&self, t: T, x: &[T; NX]) -> [T; 2];
}

/// Trait of models with the emitted function `gravity`.
pub trait Gravity<T: Real, const NX: usize, const NV: usize> {
    /// Writes the efforts that hold the tree at rest against gravity, one per speed.
    fn gravity(&self, t: T, x: &[T; NX], g: &mut [T; NV]);
}

/// Trait of models with the emitted function `saturate`, which limits inputs.
pub trait Saturate<T: Real, const NX: usize, const NU: usize> {
    /// Writes the inputs within their limits to `limited`. Returns a flag for each input: true if a
    /// limit acts.
    fn saturate(&self, t: T, x: &[T; NX], u: &[T; NU], limited: &mut [T; NU]) -> [T::Mask; NU];
}

/// Trait of models with the emitted function `input_matrix`.
pub trait Actuated<T: Real, const NX: usize, const NU: usize, const NV: usize> {
    /// Writes the input matrix `B`: derivatives of the generalised forces by the inputs at `u = 0`,
    /// before input limits.
    fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]);
}

/// Trait of models with the emitted function `inverse_dynamics_constrained`: inverse dynamics of
/// mechanisms with dependent speeds.
pub trait ConstrainedDynamics<T: Real, const NX: usize, const NI: usize> {
    /// Indices of the independent speeds among all speeds; the others follow from the constraints.
    const INDEPENDENT: [usize; NI];

    /// Writes the efforts along the independent speeds that cause their accelerations `dv`, under
    /// the constraints.
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

/// Equations of motion with their terms, for controllers: the sum of the traits of the default
/// functions. Every model with these implements it.
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
