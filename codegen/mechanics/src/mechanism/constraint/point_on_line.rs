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
    fn name(&self) -> &'static str {
        "point on line"
    }

    fn rows(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        let axis = self.ends.first_axis(self.axis);
        self.ends.places().into_iter().chain([axis]).collect()
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.names(&self.ends).forces_and_moments(self.axis, &[0, 1], &[])
    }
}

impl ConstraintMechanics for PointOnLine {
    const WORD: &'static str = "point_on_line";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.axis(0);
        Some(PointOnLine { ends: keys.ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.no_displacement_along_axes(axes, letters, &[0, 1]);
    }
}
