//! Tests of lower-level crates that need crates above them.

mod articulated;
mod passes;
mod pose;
mod rotated_matrices;
mod selection;
mod size;
mod tree_columns;
mod tree_factors;
mod values;
mod zeros;
