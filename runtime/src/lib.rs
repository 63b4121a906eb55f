//! Runtime of generated equations of motion: support for the code that `dqdt-codegen` emits.
//!
//! No allocation, no `unsafe`, no panics; `no_std` without the feature `std`. The crate has the
//! name of the central function: `dqdt(t, x)`.
//!
//! # From a spec to a controlled motion
//!
//! The crate `dqdt-codegen` derives the equations of a mechanism in a build script.
//!
//! ```toml
//! # Cargo.toml
//! [package]
//! name = "cart"
//! version = "0.1.0"
//! edition = "2024"
//!
//! [dependencies]
//! dqdt = "0.1"
//!
//! [build-dependencies]
//! dqdt-codegen = "0.1"
//! ```
//!
//! The description of the mechanism; its keys are explained in the documentation of `dqdt-codegen`:
//!
//! ```toml
//! # mechanisms/cart.toml
//! name = "cart"
//!
//! [parameters]
//! m = { value = 2, unit = "kg", description = "mass of the cart" }
//! d = { value = 0.5, unit = "N*s/m", description = "friction of the rail" }
//! f_max = { value = 4, unit = "N", description = "largest force of the motor" }
//!
//! [bodies.cart]
//! mass = "m"
//!
//! [joints.rail]
//! type = "prismatic"
//! axis = "x"
//! parent = "ground"
//! child = "cart"
//! coordinates = { names = ["s"] }
//!
//! [inputs]
//! force = { unit = "N", limits = ["-f_max", "f_max"], description = "of the motor, along the rail" }
//!
//! [loads.motor]
//! type = "actuator"
//! joint = "rail"
//! effort = "force"
//!
//! [loads.friction]
//! type = "friction"
//! joint = "rail"
//! viscous = "d"
//! ```
//!
//! ```rust,ignore
//! // build.rs
//! fn main() -> Result<(), dqdt_codegen::ConfigError> {
//!     dqdt_codegen::compile(&["mechanisms/cart.toml"])
//! }
//! ```
//!
//! The program drives the cart to s = 1 m: a controller that reads the state every 10 ms, and the
//! equations integrated in between. The model itself keeps the input within the limits of the spec.
//!
//! ```rust,ignore
//! // src/main.rs
//! dqdt::include_mechanism!(mod cart = "cart");
//!
//! use cart::{Model, NU, Q_S, START, V_S_DOT};
//! use dqdt::rk4_step;
//!
//! fn main() -> Result<(), dqdt::Singular> {
//!     let cart = Model::default();
//!     let (mut t, mut x, period) = (0.0, START, 0.01);
//!     let mut at_limit = 0;
//!     while t < 6.0 {
//!         let u = [6.0 * (1.0 - x[Q_S]) - 5.0 * x[V_S_DOT]];
//!         let mut acting = [0.0; NU];
//!         let [limited] = cart.saturate(t, &x, &u, &mut acting);
//!         at_limit += u32::from(limited);
//!         rk4_step(&cart, t, period, &mut x, &u)?;
//!         t += period;
//!     }
//!     println!("s = {:.3} m, at the limit for {at_limit} periods", x[Q_S]);
//!     Ok(())
//! }
//! ```
//!
//! `cargo run` prints
//!
//! ```text
//! s = 1.000 m, at the limit for 19 periods
//! ```
//!
//! A test of this project writes these files from this text, runs them and compares the output.
//!
//! # Contents
//!
//! | what | where |
//! |---|---|
//! | the scalar of emitted functions, and its comparisons | [`Real`], [`Mask`] |
//! | several states at once | [`Lanes`], [`LaneMask`], [`transpose_in`], [`transpose_out`] |
//! | any number of states | [`dqdt_batch`]; with run-time detection, the crate `dqdt-simd` |
//! | many steps of many samples | [`rollout()`], [`mod@rollout`]; also in `dqdt-simd` |
//! | exact derivatives | [`Dual`] |
//! | singular poses | [`Singular`], [`Cause`] |
//! | checks of pivots | [`check_pivots`], [`check_denominators`], [`Pivot`], [`Verdict`] |
//! | equations of motion for integrators | [`System`], [`ConstrainedSystem`], [`HybridSystem`] |
//! | equations of motion for controllers | [`Dynamics`], the sum of [`System`] and the next row |
//! | terms of the equations | [`MassMatrix`], [`Bias`], [`InverseDynamics`], [`MechanicalEnergy`] |
//! | further functions | [`Gravity`], [`Saturate`], [`Actuated`], [`ConstrainedDynamics`] |
//! | fixed steps for controllers | [`rk4_step`], [`semi_implicit_euler_step`] |
//! | steps with exact derivatives | [`discrete`] |
//! | differences of states with quaternions | [`differences`] |
//! | projection onto constraints | [`project_constraints`], [`normalise_quaternion`] |
//! | adaptive integration | `integrate` (feature `differential-equations`) |
//! | rotations, dense solves, trigonometry | [`rotation`], [`solve`], [`sin_cos`] |
//! | limited inputs | [`saturate()`] |
//! | names and units at run time | [`Quantity`], [`Labelled`], [`index_of`] |
//! | parameters by name | `Params::get` and `Params::set` of a module |
//! | validation of parameters | `Params::check` of a module: [`Senseless`], [`Conditions`] |
//! | parameters in files | `Params` of a module (feature `serde`) |
//! | nalgebra | `views` (feature `nalgebra`) |
//! | including generated files | [`include_mechanism!`] |
//!
//! # Conventions
//!
//! SI units, radians, right-handed frames. The state is `x = [q, v, z]`: coordinates, speeds, user
//! states. Matrices are nested arrays, row by row. Quaternions are of unit norm, scalar first, body
//! to parent.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `std` | on by default: elementary functions of the standard library |
//! | `libm` | elementary functions in pure Rust, for bare metal, if `std` is off |
//! | `nalgebra` | views of arrays as vectors and matrices |
//! | `serde` | `Params` of emitted modules in files, by the names of the spec |
//! | `differential-equations` | adaptive integration by the crate of that name; brings `std` |
//!
//! # A mechanism by hand
//!
//! A pendulum written by hand, and a controller that steps it. Emitted code has the same form.
//!
//! ```
//! use dqdt::{Real, Singular, System, rk4_step};
//!
//! /// A point mass on a rod: x = [angle from below, its rate], u = [torque].
//! struct Pendulum<T> {
//!     /// kg
//!     mass: T,
//!     /// m
//!     length: T,
//!     /// m/s²
//!     gravity: T,
//! }
//!
//! impl<T: Real> System<T, 2, 1> for Pendulum<T> {
//!     const NQ: usize = 1;
//!     const NV: usize = 1;
//!
//!     fn dqdt(&self, t: T, x: &[T; 2], u: &[T; 1], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
//!         let ([sine], _) = T::sin_cos_n([x[0]]);
//!         let inertia = self.mass * self.length * self.length;
//!         let torque = u[0] - self.mass * self.gravity * self.length * sine;
//!         *dx = [x[1], torque / inertia];
//!         dqdt::check_pivots([inertia], [inertia], T::default_epsilon()).finish(&[], dx)
//!     }
//! }
//!
//! let pendulum = Pendulum { mass: 1.0, length: 0.5, gravity: 9.81 };
//! let mut x = [0.1_f64, 0.0];
//! let h = 1e-3;
//! for step in 0..1000 {
//!     let damping = -0.2 * x[1];
//!     let (torque, limited) = dqdt::saturate(damping, -1.0, 1.0);
//!     assert!(!limited);
//!     rk4_step(&pendulum, f64::from(step) * h, h, &mut x, &[torque])?;
//! }
//! assert!(x[0].abs() < 0.1 && x[1].abs() < 0.5);
//!
//! // Without a mass there is no motion to be had: an error and zeros, never NaN.
//! let nothing = Pendulum { mass: 0.0, ..pendulum };
//! let mut dx = [f64::NAN; 2];
//! let error = nothing.dqdt(0.0, &x, &[0.0], &mut dx);
//! assert!(error.is_err() && dx == [0.0, 0.0]);
//! # Ok::<(), Singular>(())
//! ```
#![no_std]
#![allow(clippy::needless_range_loop, reason = "formulas of linear algebra are written with their indices")]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "dqdt requires elementary functions: enable the feature `std` (system library) or `libm` (pure Rust, for bare metal)"
);

mod batch;
#[cfg(test)]
mod batch_tests;
mod constrained;
pub mod differences;
pub mod discrete;
#[cfg(test)]
mod discrete_tests;
mod dual;
#[cfg(test)]
mod dual_tests;
mod dynamics;
#[doc(hidden)]
pub mod emitted;
mod events;
mod format;
mod include;
#[cfg(feature = "differential-equations")]
pub mod integrate;
#[cfg(all(test, feature = "differential-equations"))]
mod integrate_tests;
mod invalid_parameters;
mod lanes;
pub mod loops;
mod mask;
mod math;
mod part;
mod quantity;
mod real;
#[cfg(all(feature = "registers", any(target_feature = "sse2", target_feature = "neon")))]
mod registers;
pub mod rollout;
#[cfg(test)]
mod rollout_tests;
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

pub use batch::{Lift, Pack, WrongLength, dqdt_batch, dqdt_batch_by};
pub use constrained::{ConstrainedSystem, NotAssembled, project_constraints};
pub use dual::Dual;
pub use dynamics::{
    Actuated, Bias, ConstrainedDynamics, Dynamics, Gravity, InverseDynamics, MassMatrix, MechanicalEnergy,
    Saturate,
};
pub use events::{Crossing, Effect, EventRule, HybridSystem, StopTerms};
pub use format::format;
pub use invalid_parameters::{Conditions, Senseless};
pub use lanes::{Lanes, transpose_in, transpose_out};
pub use mask::{LaneMask, Mask};
pub use part::{Arithmetic, Part, Together};
pub use quantity::{Labelled, Quantity, UnknownName, index_of, quantity, set_value, value_of};
pub use real::Real;
pub use rollout::rollout;
pub use rotation::{normalise_quaternion, normalise_quaternion_at};
pub use saturate::saturate;
pub use singular::{Cause, Pivot, Singular, Verdict, check_denominators, check_pivots};
pub use step::{rk4_step, semi_implicit_euler_step};
pub use system::System;
