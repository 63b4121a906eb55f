//! Functions given by points in the spec.

use std::sync::Arc;

use dqdt_algebra::PiecewiseCubic;

/// An interpolation table of the spec, which formulas call as a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The interpolating function, in SI units.
    pub function: Arc<PiecewiseCubic>,
    /// True for a natural cubic spline, false for linear interpolation.
    pub cubic: bool,
    /// SI units of argument and value, without a factor; empty if the spec gives none.
    pub units: [String; 2],
}
