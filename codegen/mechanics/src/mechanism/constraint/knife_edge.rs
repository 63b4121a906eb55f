//! A knife edge: a blade, a ski, or a wheel whose spin is not modelled.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};

/// Nonholonomic constraint of a blade or ski: the second origin has no velocity, relative to the
/// first body, along an axis of the second frame.
#[derive(Clone, PartialEq, Debug)]
pub struct KnifeEdge {
    /// The frame on the body relative to which the velocity is measured, and the frame of the
    /// blade.
    pub ends: Ends,
    /// Direction across the blade, along which there is no velocity, in the second frame.
    pub axis: AxisVector,
}

impl ConstraintForm for KnifeEdge {
    fn kind_name(&self) -> &'static str {
        "knife edge"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn constrains_positions(&self) -> bool {
        false
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        vec![names.describe_force(
            "",
            ORIGIN,
            &format!("{} {}", axis_text(self.axis), names.second_axes_text()),
        )]
    }
}

impl ConstraintMechanics for KnifeEdge {
    const WORD: &'static str = "knife_edge";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(KnifeEdge { ends: keys.read_ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let n = unit_vector_along(self.axis, env.number);
        rows.push_row(String::new(), None, n, Vec3::ZERO);
        rows.rows[0].in_second = true;
    }
}
