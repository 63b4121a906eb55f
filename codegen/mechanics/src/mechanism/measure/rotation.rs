//! Rotation: one element of the matrix of direction cosines.

use super::kind::{AXES, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Component along axis `row` of axis `column` of the seen frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// An axis of the frame that it is seen from: 0, 1, 2 for x, y, z.
    pub row: usize,
    /// An axis of the seen frame.
    pub column: usize,
}

impl MeasureForm for Rotation {
    fn function(&self) -> String {
        format!("rotation_{}{}", AXES[self.row], AXES[self.column])
    }

    fn dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::NONE
    }
}

impl MeasureMechanics for Rotation {
    const TEXT: MeasureText = MeasureText {
        function: "rotation_xy",
        arguments: &["p"],
        value: "component along x of the y axis of p; nine of them: first letter the ground's axis, second that of p",
        domain: "all numbers",
        derivative: "exact, by the poses",
    };

    fn all() -> Vec<Self> {
        (0..9).map(|i| Rotation { row: i / 3, column: i % 3 }).collect()
    }

    fn value<S: Scalar>(&self, seen: &dyn MeasureContext<S>) -> S {
        seen.rotation().0[self.row][self.column]
    }
}
