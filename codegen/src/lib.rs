//! Symbolic generator of equations of motion: from the description of a mechanism to flat,
//! allocation-free Rust.
//!
//! # From a spec to a call
//!
//! The equations are derived in a build script and compiled into your crate, which needs only the
//! small crate `dqdt` at run time.
//!
//! ```toml
//! # Cargo.toml
//! [package]
//! name = "pendulum"
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
//! A spec describes the mechanism: bodies with their masses, joints between them, and loads. Here
//! `theta` is the angle of the rod from the horizontal; gravity points along −y of the ground.
//!
//! ```toml
//! # mechanisms/pendulum.toml
//! name = "pendulum"
//! gravity = [0, "-g", 0]
//!
//! [parameters]
//! g = { value = 9.81, unit = "m/s^2", description = "acceleration of gravity" }
//! m = { value = 1, unit = "kg", description = "mass of the rod" }
//! l = { value = 0.5, unit = "m", description = "length of the rod" }
//!
//! [bodies.rod]
//! mass = "m"
//! inertia = [0, "m*l^2/12", "m*l^2/12"]
//! points = { pivot = ["-l/2", 0, 0] }
//!
//! [joints.hinge]
//! type = "revolute"
//! axis = "z"
//! parent = "ground"
//! child = { body = "rod", at = "pivot" }
//! coordinates = { names = ["theta"], start = ["-60 deg"] }
//!
//! [inputs]
//! torque = { unit = "N*m", limits = [-5, 5], description = "of the motor in the hinge" }
//!
//! [loads.motor]
//! type = "actuator"
//! joint = "hinge"
//! effort = "torque"
//! ```
//!
//! A build script derives its equations and writes them as `$OUT_DIR/pendulum.rs`:
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), dqdt_codegen::ConfigError> {
//!     dqdt_codegen::compile(&["mechanisms/pendulum.toml"])
//! }
//! ```
//!
//! The crate includes that module and calls it. All values are in SI units and radians. The state
//! `x` has first the coordinates, then the speeds; the index of every entry is a constant.
//!
//! ```rust,ignore
//! // src/main.rs
//! dqdt::include_mechanism!(mod pendulum = "pendulum");
//!
//! use pendulum::{Model, NX, Params, Q_THETA, START, V_THETA_DOT};
//!
//! fn main() -> Result<(), dqdt::Singular> {
//!     // A longer rod, all else as in the spec.
//!     let rod = Model::new(Params { l: 0.75, ..Params::default() });
//!     let mut dx = [0.0; NX];
//!     rod.dqdt(0.0, &START, &[0.0], &mut dx)?;
//!     println!("let go at {:.3} rad: {:.3} rad/s²", START[Q_THETA], dx[V_THETA_DOT]);
//!
//!     // The torque that holds it there.
//!     let mut bias = [0.0];
//!     rod.bias(0.0, &START, &mut bias);
//!     println!("held by {:.3} N·m", bias[0]);
//!     Ok(())
//! }
//! ```
//!
//! `cargo run` prints
//!
//! ```text
//! let go at -1.047 rad: -9.810 rad/s²
//! held by 1.839 N·m
//! ```
//!
//! A test of this project extracts these files from this text, runs them and compares the output.
//!
//! # What is emitted
//!
//! By default `dqdt` (the derivative of the state), `rates`, `mass_matrix`, `bias`,
//! `inverse_dynamics`, `energy`, `outputs`, `positions`, `saturate`, and the functions of
//! constraints or events if there are any. [`functions`] lists all functions with their results and
//! units. `Model<T>` has them as methods over `f64`, `f32`, SIMD lanes and dual numbers;
//! controllers are written over the traits of `dqdt`.
//!
//! If a mechanism cannot be derived, [`Errors`] has the place in the spec, the problem and the
//! remedy. In a build script these become a compiler error in the module that includes the
//! mechanism.
//!
//! # Options
//!
//! [`Config`] sets the formalism ([`Formalism`]), the functions, sizes of repeated parts, single
//! precision and the output folder. All formalisms derive the same equations, with different
//! operation counts.
//!
//! # Stages one by one
//!
//! [`pipeline`] has each stage as a function, for tools that inspect equations or modify them on
//! the way; [`spec::SpecBuilder`] builds a spec in Rust. A program can also be interpreted, without
//! compilation:
//!
//! ```
//! use dqdt_codegen::pipeline::program::{Arguments, Machine, count};
//! use dqdt_codegen::pipeline::{self, Request};
//! use dqdt_codegen::{Formalism, functions, read};
//!
//! let text = r#"
//!     name = "sled"
//!     [bodies.sled]
//!     mass = "2 kg"
//!     [joints.rail]
//!     type = "prismatic"
//!     axis = "x"
//!     parent = "ground"
//!     child = "sled"
//!     coordinates = { names = ["s"] }
//!     [inputs]
//!     push = { unit = "N" }
//!     [loads.engine]
//!     type = "actuator"
//!     joint = "rail"
//!     effort = "push"
//! "#;
//! let sled = pipeline::build(&read::parse("sled.toml", text)?, "sled.toml")?;
//! let program = pipeline::program(&sled, &Request::all(Formalism::Kane));
//!
//! let mut arguments = Arguments::defaults(&program);
//! arguments.u = vec![3.0]; // N
//! let mut machine = Machine::new(&program, functions::DQDT).ok_or("no such function")?;
//! assert_eq!(machine.call(&arguments)?, [0.0, 1.5]); // m/s, m/s²
//!
//! let dqdt = program.function(functions::DQDT).ok_or("no such function")?;
//! assert_eq!(count(&program, dqdt).call.total(), 1);
//! assert!(pipeline::rust(&program)?.contains("pub fn dqdt"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! None is on by default: a build script needs none.
//!
//! | feature | |
//! |---|---|
//! | `c` | C99: `languages::C`, `pipeline::c` |
//! | `pictures` | plots, sketches and animations: the module `pictures` |
//! | `simulate` | the modules `simulate` and `linearize`, by interpretation; with `pictures` |
//!
//! The command `dqdt` is the crate `dqdt-command`.

mod config;
pub mod identify;
pub mod languages;
#[cfg(feature = "pictures")]
pub mod pictures;
pub mod pipeline;
pub mod read;
pub mod spec;

pub use config::{Config, ConfigError, compile};
pub use dqdt_derivation::functions;
pub use dqdt_diagnostics::error;
#[doc(no_inline)]
pub use dqdt_diagnostics::error::Errors;
pub use dqdt_mechanics::formalism::{ConstraintsBy, Facts, Formalism, Lean, SolvedSystem};
#[cfg(feature = "simulate")]
pub use dqdt_motion::{linearize, simulate};
