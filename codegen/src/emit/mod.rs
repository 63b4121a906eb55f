//! Printers, one a target, and nothing clever in them.

pub mod animation;
pub mod figure;
pub mod report;
