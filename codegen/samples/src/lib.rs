//! Random mechanisms and states for the tests of this project, and test tiers.

pub mod random;
pub mod tier;
