//! What the printers of code share: names of numbers and places, headings, what words in names mean, which sums are fused.

pub(super) mod constants;
pub(super) mod equal_part;
pub mod headings;
pub(super) mod indices;
pub mod leaves;
pub(super) mod legend;
pub(super) mod notes;
pub mod numbers;
pub(super) mod places;
pub(super) mod sums;
pub(super) mod tables;
