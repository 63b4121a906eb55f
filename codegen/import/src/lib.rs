//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the conversion of URDF and MJCF robots to specs, the builder of specs, and `read` with
//! support for robots.

pub mod builder;
pub mod mjcf;
pub mod read;
pub mod robot;
pub mod urdf;
