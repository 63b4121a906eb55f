//! Measure: a component of the velocity of a frame's origin, the rate of its position.

use super::kind::{AXES, MeasureContext, MeasureForm, MeasureMechanics, MeasureText};
use dqdt_algebra::{Dimension, Scalar};

/// Measure: component of the velocity of a frame's origin along one axis of the observing frame
/// \[m/s\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VelocityComponent {
    /// Axis of the component: 0, 1, 2 for x, y, z.
    pub axis: usize,
}

impl MeasureForm for VelocityComponent {
    fn function(&self) -> String {
        format!("velocity_{}", AXES[self.axis])
    }

    fn value_dimension(&self, _of_speed: Dimension) -> Dimension {
        Dimension::VELOCITY
    }

    fn depends_on_speeds(&self) -> bool {
        true
    }

    fn uses_origin_only(&self) -> bool {
        true
    }
}

impl MeasureMechanics for VelocityComponent {
    const TEXT: MeasureText = MeasureText {
        function: "velocity_x",
        arguments: &["p"],
        value: "x component of the velocity of the origin of frame p [m/s]; functions ending in `_y` and `_z` return the other components",
        domain: "all numbers",
        derivative: "exact, computed from the motion",
    };

    fn all() -> Vec<Self> {
        (0..3).map(|axis| VelocityComponent { axis }).collect()
    }

    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
        subject.velocity()[self.axis]
    }
}
