//! Tests of lower-level crates that need crates above them.

mod articulated;
mod passes;
mod pose;
mod selection;
mod size;
mod tree_columns;
mod tree_factors;
mod turned;
mod values;
mod zeros;
