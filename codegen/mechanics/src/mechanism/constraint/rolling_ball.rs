//! A ball that rolls on a plane.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Scalar, Vec3};

/// Rolling without slip of a ball, centred at the second origin, on a plane of the first frame.
/// Three rows: two velocity rows in the plane, one position row along the normal.
#[derive(Clone, PartialEq, Debug)]
pub struct RollingBall {
    /// The frame with the plane, and the frame at the centre of the ball.
    pub ends: Ends,
    /// The normal of the plane towards the ball, in the first frame.
    pub normal: AxisVector,
    /// Radius of the ball \[m\]: a formula of numbers and parameters.
    pub radius: Formula,
}

impl ConstraintForm for RollingBall {
    fn kind_name(&self) -> &'static str {
        "rolling ball"
    }

    fn row_count(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let mut rows: Vec<Multiplier> = (0..2)
            .map(|k| {
                let along = format!("{} {}", triple_axis_text(self.normal, k), names.first_axes_text());
                names.describe_force(&format!("f{}", self.normal.triple_axis_names()[k]), CONTACT, &along)
            })
            .collect();
        rows.push(describe_normal_force(&names, self.normal));
        rows
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Rims { radius: &self.radius, axle: None, normal: self.normal }
    }
}

impl ConstraintMechanics for RollingBall {
    const WORD: &'static str = "rolling_ball";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (normal, ends) = (keys.read_axis(0), keys.read_ends());
        let radius = keys.read_positive_length("radius", false);
        Some(RollingBall { ends: ends?, normal, radius: radius? })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        // Rows along two axes of the plane and along its normal, at the contact.
        let (normal, radius) = (self.normal, self.radius.eval(env));
        let up = unit_vector_along(normal, env.number);
        let (axes, letters) = right_handed_triple(normal, env);
        let arm = -up.scale(radius);
        for (axis, letter) in [axes[0], axes[1]].into_iter().zip(letters) {
            rows.push_row(format!("f{letter}"), None, axis, arm.cross(axis));
        }
        let above = rows.frame.origin.dot(up) - radius;
        rows.push_row("fn".to_owned(), Some(above), up, Vec3::ZERO);
    }
}
