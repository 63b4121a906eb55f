//! A point of one body on a line of another.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;

/// Constraint that the second origin stays on the line through the first origin, along an axis of
/// the first frame. Two rows.
#[derive(Clone, PartialEq, Debug)]
pub struct PointOnLine {
    /// The frame with the line, and the frame whose origin is on it.
    pub ends: Ends,
    /// Direction of the line on which the point stays, in the first frame.
    pub axis: AxisVector,
}

impl ConstraintForm for PointOnLine {
    fn kind_name(&self) -> &'static str {
        "point on line"
    }

    fn row_count(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let axis = self.ends.first_axis_dependence(self.axis);
        self.ends.origin_dependences().into_iter().chain([axis]).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.ends).describe_forces_and_moments(self.axis, &[0, 1], &[])
    }
}

impl ConstraintMechanics for PointOnLine {
    const WORD: &'static str = "point_on_line";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(PointOnLine { ends: keys.read_ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.forbid_displacement_along_axes(axes, letters, &[0, 1]);
    }
}
