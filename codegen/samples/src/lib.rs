//! Random mechanisms and states for the tests of this project.

pub mod random;
