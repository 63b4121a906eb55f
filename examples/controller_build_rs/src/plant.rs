//! The simulated plant, in place of a real cart on a rail.

use dqdt::{Real, Singular, rk4_step};

use crate::cart_pole::{Model, NU, NX};

/// Period of the controller \[s\]: 200 Hz.
pub const PERIOD: f64 = 0.005;
/// Integration steps per period.
const STEPS: u32 = 5;

/// Advances the state by one period of the controller, at constant force.
///
/// Generic over the scalar: doubles simulate, dual numbers linearise.
///
/// # Errors
/// [`Singular`] where the equations cannot be solved.
pub fn period<T: Real>(model: &Model<T>, x: &mut [T; NX], u: &[T; NU]) -> Result<(), Singular<T::Mask>> {
    let h = T::from_f64(PERIOD / f64::from(STEPS));
    // The equations do not depend on time.
    (0..STEPS).try_for_each(|_| rk4_step(model, T::ZERO, h, x, u))
}
