//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds URDF and MJCF robots as the text of a spec.

pub mod mjcf;
pub mod robot;
pub mod urdf;
