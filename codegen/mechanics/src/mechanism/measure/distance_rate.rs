//! Measure: rate of the distance between two origins, which is their relative velocity along the
//! line.

use super::kind::{MeasureArguments, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: rate of the distance between the origins of two frames \[m/s\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DistanceRate;

impl MeasureForm for DistanceRate {
    fn function(&self) -> String {
        "distance_rate".to_owned()
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::VELOCITY
    }

    fn depends_on_speeds(&self) -> bool {
        true
    }

    fn argument_kind(&self) -> MeasureArguments {
        MeasureArguments::Points
    }
}

impl MeasureMechanics for DistanceRate {
    const TEXT: MeasureText = MeasureText {
        function: "distance_rate",
        arguments: &["a", "b"],
        value: "rate of change of the distance between two points [m/s]",
        domain: "undefined where the distance is zero",
        derivative: "exact; undefined where the distance is zero",
    };

    fn all() -> Vec<Self> {
        vec![DistanceRate]
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        let span = subject.origin();
        span.dot(subject.velocity()) / span.dot(span).sqrt()
    }
}
