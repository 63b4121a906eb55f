//! What the printers of code share: names of numbers and places, headings, what words in names
//! mean.

pub mod constants;
pub mod equal_part;
pub mod headings;
pub mod indices;
pub mod leaves;
pub mod legend;
pub mod notes;
pub mod numbers;
pub mod origin;
pub mod places;
pub mod tables;
