//! The controller of a cart with a pole, as it runs on a microcontroller: no operating system, no allocator, no panic.
//!
//! [`Controller::step`] takes an estimate of the state and returns the force for the motor, within its limits, and the
//! state that the generated equations predict for the end of the period. The force acts one period after the estimate
//! was made, as it does where a timer latches the output: so it is computed from the state that is predicted for then.
//!
//! The crate builds for any target that Rust has:
//!
//! ```text
//! cargo build -p embedded --target thumbv7em-none-eabihf --release
//! ```
//!
//! The code is generic over the scalar. On a Cortex-M4F or M7 with an FPU of single precision take [`step_f32`]; with
//! one of double precision, or where time is plenty, [`step_f64`]. The tests run both on the host, against each other
//! and against the interpreter of the generator.
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
/// Linear-quadratic, with weights 10, 10, 1, 1 on the state and 1 on the force, at the default parameters.
const GAIN: [f64; NX] = [2.96, 36.5, 4.09, 7.05];

/// What a step of the controller gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command<T: Real> {
    /// The force on the cart in N, within its limits.
    pub force: T,
    /// Whether a limit acted on the force, or the estimate gave none that is a finite number: then there is no force.
    pub limited: T::Mask,
    /// The state at the end of the period, with the force of the step before: what the next estimate should be.
    pub predicted: [T; NX],
    /// The equations could not be solved; the command was then made from the estimate as it stands.
    pub singular: bool,
}

/// The controller: model, gains and the force that acts now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controller<T> {
    model: Model<T>,
    gain: [T; NX],
    period: T,
    force: T,
}

impl<T: Real> Controller<T> {
    /// A controller that is called every `period` seconds. What depends on parameters only is computed here, once.
    pub fn new(params: Params<T>, period: T) -> Self {
        Self { model: Model::new(params), gain: GAIN.map(T::from_f64), period, force: T::ZERO }
    }

    /// One step: estimate of the state in, saturated force out.
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
        // NaN passes the limits, but infinity becomes full force: so what is wanted is asked, not only what is left of it.
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

/// [`Controller::step`] in single precision, compiled once, here.
#[inline(never)]
pub fn step_f32(controller: &mut Controller<f32>, estimate: &[f32; NX]) -> Command<f32> {
    controller.step(estimate)
}

/// [`Controller::step`] in double precision, compiled once, here.
#[inline(never)]
pub fn step_f64(controller: &mut Controller<f64>, estimate: &[f64; NX]) -> Command<f64> {
    controller.step(estimate)
}

/// The loop of the firmware, without the hardware: `sense` waits for the timer and returns the estimate, or `None` to
/// stop; `drive` hands the force to the motor. Returns the number of steps.
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
    // The motor is left without a force.
    drive(0.0);
    steps
}
