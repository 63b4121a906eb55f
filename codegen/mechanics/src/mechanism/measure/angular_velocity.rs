//! Measure: a component of the angular velocity of a frame.

use super::kind::{AXES, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: component of the angular velocity of a frame along one axis of the observing frame
/// \[rad/s\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AngularVelocity {
    /// Axis of the component: 0, 1, 2 for x, y, z.
    pub axis: usize,
}

impl MeasureForm for AngularVelocity {
    fn function(&self) -> String {
        format!("angular_velocity_{}", AXES[self.axis])
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::TIME.power(-1)
    }

    fn depends_on_speeds(&self) -> bool {
        true
    }
}

impl MeasureMechanics for AngularVelocity {
    const TEXT: MeasureText = MeasureText {
        function: "angular_velocity_x",
        arguments: &["p"],
        value: "x component of the angular velocity of frame p [rad/s], in ground axes; functions ending in `_y` and `_z` return the other components",
        domain: "all numbers",
        derivative: "exact, computed from the motion",
    };

    fn all() -> Vec<Self> {
        (0..3).map(|axis| AngularVelocity { axis }).collect()
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        subject.angular_velocity()[self.axis]
    }
}
