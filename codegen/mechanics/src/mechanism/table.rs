//! Functions through points, as the spec lists them.

use std::sync::Arc;

use dqdt_algebra::PiecewiseCubic;

/// A table that formulas call.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// What formulas compute with, in SI.
    pub function: Arc<PiecewiseCubic>,
    /// A natural spline; else straight lines.
    pub cubic: bool,
    /// The units of argument and value, of SI without a factor; empty where none was given.
    pub units: [String; 2],
}
