//! Tests of inner crates that need crates above theirs.

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
