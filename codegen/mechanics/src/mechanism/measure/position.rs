//! Measure: a component of the position of a frame's origin.

use super::kind::{AXES, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: component of the position of a frame's origin along one axis of the observing frame
/// \[m\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionComponent {
    /// Axis of the component: 0, 1, 2 for x, y, z.
    pub axis: usize,
}

impl MeasureForm for PositionComponent {
    fn function(&self) -> String {
        format!("position_{}", AXES[self.axis])
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::LENGTH
    }

    fn uses_origin_only(&self) -> bool {
        true
    }
}

impl MeasureMechanics for PositionComponent {
    const TEXT: MeasureText = MeasureText {
        function: "position_x",
        arguments: &["p"],
        value: "x component of the position of the origin of frame p [m]; functions ending in `_y` and `_z` return the other components",
        domain: "all numbers",
        derivative: "exact, computed from the poses",
    };

    fn all() -> Vec<Self> {
        (0..3).map(|axis| PositionComponent { axis }).collect()
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        subject.origin()[self.axis]
    }
}
