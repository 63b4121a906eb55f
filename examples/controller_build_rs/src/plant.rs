//! The plant: what would be a real cart on a rail.

use dqdt::{Real, Singular, rk4_step};

use crate::cart_pole::{Model, NU, NX};

/// Period of the controller \[s\]: 200 Hz.
pub const PERIOD: f64 = 0.005;
/// Steps of the integrator in a period.
const STEPS: u32 = 5;

/// Moves the state over one period of the controller, which holds the force.
///
/// Generic, so that the same lines run over doubles to simulate and over dual numbers to linearise.
///
/// # Errors
/// [`Singular`] where the equations cannot be solved.
pub fn period<T: Real>(model: &Model<T>, x: &mut [T; NX], u: &[T; NU]) -> Result<(), Singular<T::Mask>> {
    let h = T::from_f64(PERIOD / f64::from(STEPS));
    // Nothing depends on the time.
    (0..STEPS).try_for_each(|_| rk4_step(model, T::ZERO, h, x, u))
}
