//! Runtime of generated equations of motion.
#![no_std]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "dqdt needs elementary functions: enable the feature `std` (system library) or `libm` (pure Rust, for bare metal)"
);

mod constrained;
mod dual;
#[cfg(test)]
mod dual_tests;
mod include;
#[cfg(feature = "differential-equations")]
pub mod integrate;
#[cfg(all(test, feature = "differential-equations"))]
mod integrate_tests;
mod lanes;
mod mask;
mod math;
mod real;
pub mod rotation;
mod saturate;
mod scalar;
pub mod sin_cos;
#[cfg(test)]
mod sin_cos_tests;
mod singular;
pub mod solve;
mod step;
#[cfg(test)]
mod step_tests;
mod system;
mod table;
#[cfg(test)]
mod testing;
#[cfg(feature = "nalgebra")]
pub mod views;

pub use constrained::{ConstrainedSystem, NotAssembled, project_constraints};
pub use dual::Dual;
pub use lanes::{Lanes, transpose_in, transpose_out};
pub use mask::{LaneMask, Mask};
pub use real::Real;
pub use rotation::{normalise_quaternion, normalise_quaternion_at};
pub use saturate::saturate;
pub use singular::{Singular, Verdict, check_denominators, check_pivots};
pub use step::{rk4_step, semi_implicit_euler_step};
pub use system::System;
