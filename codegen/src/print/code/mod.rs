//! What the printers of code share: names of numbers, headings, what words in names mean, which sums are fused.

pub(super) mod constants;
pub(super) mod headings;
pub(super) mod legend;
pub(super) mod notes;
pub(super) mod numbers;
pub(super) mod sums;
