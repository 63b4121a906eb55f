//! Gravity effort: the effort of one speed that holds the tree at rest against gravity.
//!
//! Controllers that compensate gravity use it in the formula of an effort. Constraints do not
//! count: for a closed loop it is the effort of the opened tree.

use super::kind::{MeasureArguments, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: effort of one speed that holds the tree at rest against gravity \[N or N·m\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GravityEffort;

impl MeasureForm for GravityEffort {
    fn function(&self) -> String {
        "gravity_effort".to_owned()
    }

    fn value_dimension(&self, of_speed: Dimension) -> Dimension {
        Dimension::MOMENT.over(of_speed.times(Dimension::TIME))
    }

    fn depends_on_gravity(&self) -> bool {
        true
    }

    fn argument_kind(&self) -> MeasureArguments {
        MeasureArguments::Speed
    }
}

impl MeasureMechanics for GravityEffort {
    const TEXT: MeasureText = MeasureText {
        function: "gravity_effort",
        arguments: &["q"],
        value: "effort that keeps the tree of joints at rest against gravity [N, N m], along the rate of coordinate q or along the speed q; constraints, springs and other loads are ignored",
        domain: "all numbers",
        derivative: "exact, computed from the poses",
    };

    fn all() -> Vec<Self> {
        vec![GravityEffort]
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        subject.gravity_effort()
    }
}
