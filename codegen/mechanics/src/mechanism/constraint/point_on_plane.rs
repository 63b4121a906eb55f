//! A point of one body on a plane of another.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};

/// Constraint that the second origin stays in the plane through the first origin. One row.
#[derive(Clone, PartialEq, Debug)]
pub struct PointOnPlane {
    /// The frame with the plane, and the frame whose origin is on it.
    pub ends: Ends,
    /// Normal of the plane in which the point stays, in the first frame.
    pub normal: AxisVector,
}

impl ConstraintForm for PointOnPlane {
    fn kind_name(&self) -> &'static str {
        "point on plane"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let normal = self.ends.first_axis_dependence(self.normal);
        self.ends.origin_dependences().into_iter().chain([normal]).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let along = describer
            .name_ends(&self.ends)
            .describe_force_along("", &format!("the normal {}", axis_text(self.normal)));
        vec![Multiplier { suffix: String::new(), ..along }]
    }
}

impl ConstraintMechanics for PointOnPlane {
    const WORD: &'static str = "point_on_plane";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let normal = keys.read_axis(0);
        Some(PointOnPlane { ends: keys.read_ends()?, normal })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let n = unit_vector_along(self.normal, env.number);
        rows.push_row(String::new(), Some(rows.frame.origin.dot(n)), n, Vec3::ZERO);
    }
}
