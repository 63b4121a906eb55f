//! Traits of controllers over equations of motion.
//!
//! A module implements what its functions suffice for: [`Dynamics`] wherever it has the default ones, [`Actuated`] and
//! [`ConstrainedDynamics`] where `input_matrix` and `inverse_dynamics_constrained` were asked for. So a controller is
//! written once, over the traits that it needs.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// The terms of `M v̇ + bias = B u + Aᵀ λ`, of the tree: constraints are not in them.
///
/// `NV` is the number of speeds; efforts are by speed.
pub trait Dynamics<T: Real, const NX: usize, const NU: usize, const NV: usize>: System<T, NX, NU> {
    /// The mass matrix `M`.
    fn mass_matrix(&self, t: T, x: &[T; NX], m: &mut [[T; NV]; NV]);

    /// `bias`: what stands beside `M v̇` where no input acts.
    fn bias(&self, t: T, x: &[T; NX], bias: &mut [T; NV]);

    /// The efforts `M a + bias` for accelerations `a`.
    fn inverse_dynamics(&self, t: T, x: &[T; NX], a: &[T; NV], effort: &mut [T; NV]);

    /// Kinetic and potential energy, in joules.
    fn energy(&self, t: T, x: &[T; NX], energy: &mut [T; 2]);
}

/// How inputs enter.
pub trait Actuated<T: Real, const NX: usize, const NU: usize, const NV: usize>:
    Dynamics<T, NX, NU, NV>
{
    /// `B`, the derivatives of the generalised forces along the inputs, before their limits, at `u = 0`.
    fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]);
}

/// A mechanism whose speeds follow from `NI` independent ones.
pub trait ConstrainedDynamics<T: Real, const NX: usize, const NU: usize, const NV: usize, const NI: usize>:
    Dynamics<T, NX, NU, NV>
{
    /// Index among the speeds of the independent ones.
    const INDEPENDENT: [usize; NI];

    /// The efforts along the independent speeds for their accelerations `a`; the constraints are obeyed.
    ///
    /// # Errors
    /// [`Singular`] where the dependent speeds do not follow; `effort` is zero there.
    fn inverse_dynamics_constrained(
        &self,
        t: T,
        x: &[T; NX],
        a: &[T; NI],
        effort: &mut [T; NI],
    ) -> Result<(), Singular<T::Mask>>;
}
