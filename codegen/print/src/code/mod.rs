//! Helpers for all printers of code: names of numbers and arguments, headings, legends.

pub mod constants;
pub mod equal_part;
pub mod headings;
pub mod indices;
pub mod leaves;
pub mod legend;
pub mod notes;
pub mod numbers;
pub mod origin;
pub mod result_arguments;
pub mod tables;
