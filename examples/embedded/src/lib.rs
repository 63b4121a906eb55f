//! Controller of a cart-pole for a microcontroller: no operating system, no allocator, no panic.
//!
//! [`Controller::step`] takes an estimate of the state. It returns the force for the motor, within
//! its limits, and the state that the generated equations predict for the end of the period. The
//! force acts one period after the estimate, as if a timer latched the output, so it is computed
//! from the predicted state.
//!
//! The crate builds for any target that Rust has:
//!
//! ```text
//! cargo build -p embedded --target thumbv7em-none-eabihf --release
//! ```
//!
//! The code is generic over the scalar. On a Cortex-M4F or M7 with a single-precision FPU use
//! [`step_f32`]; with a double-precision FPU, or if time permits, [`step_f64`]. The tests run both
//! on the host and compare them with each other and with the interpreter of the generator.
//!
//! ```
//! use embedded::{Controller, step_f32};
//!
//! let mut controller = Controller::<f32>::new(Default::default(), 0.01);
//! // 3 degrees to the right, at rest: the cart must go to the right.
//! let command = step_f32(&mut controller, &[0.0, 0.05, 0.0, 0.0]);
//! assert!(command.force > 0.0 && !command.limited && !command.singular);
//! ```
#![no_std]

use dqdt::{Mask, Real, rk4_step};
use dqdt_generated::cart_pole::{Model, NU, NX, Params, saturate};

/// State feedback `force = gain · x` about the upright pose, in N/m, N/rad, N·s/m and N·s/rad.
///
/// Linear-quadratic, with weights 10, 10, 1, 1 on the state and 1 on the force, at the default
/// parameters.
const GAIN: [f64; NX] = [2.96, 36.5, 4.09, 7.05];

/// Result of a step of the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command<T: Real> {
    /// Force on the cart in N, within its limits.
    pub force: T,
    /// True if a limit acts on the force, or the estimate gives no finite force, which is then set
    /// to zero.
    pub limited: T::Mask,
    /// State predicted for the end of the period, at the force of the previous step. Compare the
    /// next estimate with it.
    pub predicted: [T; NX],
    /// True if the equations were singular; the command is then computed from the estimate itself.
    pub singular: bool,
}

/// Controller with its model, gains and the force that currently acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controller<T> {
    model: Model<T>,
    gain: [T; NX],
    period: T,
    force: T,
}

impl<T: Real> Controller<T> {
    /// Creates a controller that is called every `period` seconds. Values that depend only on
    /// parameters are computed here, once.
    pub fn new(params: Params<T>, period: T) -> Self {
        Self { model: Model::new(params), gain: GAIN.map(T::from_f64), period, force: T::ZERO }
    }

    /// One step of the controller: from an estimate of the state to the limited force.
    #[inline]
    pub fn step(&mut self, estimate: &[T; NX]) -> Command<T> {
        let mut predicted = *estimate;
        // The mechanism does not depend on time.
        let result = rk4_step(&self.model, T::ZERO, self.period, &mut predicted, &[self.force]);
        let mut wanted = T::ZERO;
        for (gain, x) in self.gain.iter().zip(&predicted) {
            wanted = gain.mul_add(*x, wanted);
        }
        let input: [T; NU] = [wanted];
        let mut within = [T::ZERO; NU];
        let [limited] = saturate(&self.model, T::ZERO, &predicted, &input, &mut within);
        let [force] = within;
        // NaN passes the limits, but infinity becomes the maximum force. So the force before the
        // limits must be finite as well.
        let healthy = wanted.is_finite().and(force.is_finite());
        self.force = T::select(healthy, force, T::ZERO);
        Command {
            force: self.force,
            limited: limited.or(healthy.not()),
            predicted,
            singular: result.is_err(),
        }
    }
}

/// [`Controller::step`] in single precision, compiled in this crate.
#[inline(never)]
pub fn step_f32(controller: &mut Controller<f32>, estimate: &[f32; NX]) -> Command<f32> {
    controller.step(estimate)
}

/// [`Controller::step`] in double precision, compiled in this crate.
#[inline(never)]
pub fn step_f64(controller: &mut Controller<f64>, estimate: &[f64; NX]) -> Command<f64> {
    controller.step(estimate)
}

/// Main loop of the firmware, without the hardware. `sense` waits for the timer and returns the
/// estimate, or `None` to stop; `drive` sends the force to the motor. Returns the number of steps.
pub fn run(
    controller: &mut Controller<f32>,
    mut sense: impl FnMut() -> Option<[f32; NX]>,
    mut drive: impl FnMut(f32),
) -> u32 {
    let mut steps: u32 = 0;
    while let Some(estimate) = sense() {
        drive(step_f32(controller, &estimate).force);
        steps = steps.wrapping_add(1);
    }
    // Stop the motor.
    drive(0.0);
    steps
}
