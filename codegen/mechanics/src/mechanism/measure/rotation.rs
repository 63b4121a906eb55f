//! Measure: one entry of a rotation matrix (direction cosine).

use super::kind::{AXES, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: component, along axis `row` of the observing frame, of axis `column` of the observed
/// frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RotationElement {
    /// Axis of the observing frame: 0, 1, 2 for x, y, z.
    pub row: usize,
    /// Axis of the observed frame: 0, 1, 2 for x, y, z.
    pub column: usize,
}

impl MeasureForm for RotationElement {
    fn function(&self) -> String {
        format!("rotation_{}{}", AXES[self.row], AXES[self.column])
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::NONE
    }
}

impl MeasureMechanics for RotationElement {
    const TEXT: MeasureText = MeasureText {
        function: "rotation_xy",
        arguments: &["p"],
        value: "component along the x axis of the ground of the y axis of frame p; in the nine functions of this form, the first letter names the axis of the ground, and the second names the axis of p",
        domain: "all numbers",
        derivative: "exact, computed from the poses",
    };

    fn all() -> Vec<Self> {
        (0..9).map(|i| RotationElement { row: i / 3, column: i % 3 }).collect()
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        subject.rotation().0[self.row][self.column]
    }
}
