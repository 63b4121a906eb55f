//! Measure: distance between the origins of two frames.

use super::kind::{MeasureArguments, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: distance between the origins of two frames \[m\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance;

impl MeasureForm for Distance {
    fn function(&self) -> String {
        "distance".to_owned()
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::LENGTH
    }

    fn argument_kind(&self) -> MeasureArguments {
        MeasureArguments::Points
    }
}

impl MeasureMechanics for Distance {
    const TEXT: MeasureText = MeasureText {
        function: "distance",
        arguments: &["a", "b"],
        value: "distance between two points [m]",
        domain: "all numbers",
        derivative: "exact; undefined where the distance is zero",
    };

    fn all() -> Vec<Self> {
        vec![Distance]
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        let span = subject.origin();
        span.dot(span).sqrt()
    }
}
