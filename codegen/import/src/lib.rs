//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds URDF and MJCF robots as the text of a spec, the builder of specs, and `read` with all of them.

pub mod builder;
pub mod mjcf;
pub mod read;
pub mod robot;
pub mod urdf;
