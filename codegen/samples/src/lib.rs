//! Random mechanisms and states for the tests of this project, and the tiers of these tests.

pub mod random;
pub mod tier;
