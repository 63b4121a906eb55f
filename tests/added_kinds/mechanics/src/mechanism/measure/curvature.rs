//! Curvature of the arc that starts along the x axis of one frame and passes through the origin of
//! another: 2 y / l² at the distance l (Coulter, Implementation of the pure pursuit path tracking
//! algorithm, 1992, section 2).

use super::kind::*;
use dqdt_algebra::{Dimension, Scalar};

/// Curvature of the arc towards y or z of the first frame \[1/m\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Curvature {
    /// Index of the axis: 1 for y, 2 for z.
    pub axis: usize,
}

impl MeasureForm for Curvature {
    fn function(&self) -> String {
        format!("curvature_{}", AXES[self.axis])
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::LENGTH.power(-1)
    }

    fn uses_origin_only(&self) -> bool {
        true
    }
}

impl MeasureMechanics for Curvature {
    const TEXT: MeasureText = MeasureText {
        function: "curvature_y",
        arguments: &["p"],
        value: "curvature of the arc along x that passes through p [1/m]; also `_z`",
        domain: "undefined where the distance is zero",
        derivative: "exact; undefined where the distance is zero",
    };

    fn all() -> Vec<Self> {
        vec![Curvature { axis: 1 }, Curvature { axis: 2 }]
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        let span = subject.origin();
        (span[self.axis] + span[self.axis]) / span.dot(span)
    }
}
