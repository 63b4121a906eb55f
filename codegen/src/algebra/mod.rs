//! Scalars and what is built over them: exact numbers, jets, vectors, rotations, spatial vectors.
//!
//! Mechanics is written once, generic over [`Scalar`]. Nothing here knows a mechanism or a graph.

mod jet;
mod number;
mod piecewise;
mod pivots;
mod ratio;
mod rotation;
mod scalar;
mod spatial;
mod units;
mod vector;

pub use jet::Jet;
pub use number::Number;
pub use piecewise::PiecewiseCubic;
pub use pivots::pivot_order;
pub use ratio::Ratio;
pub use rotation::{Axis, Mat3};
pub use scalar::{Cmp, Func, Func2, Scalar};
pub use spatial::{Inertia, Twist, Wrench};
pub use units::{Dimension, Unit, UnitError};
pub use vector::Vec3;
