//! A loop closed by a universal joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a universal joint in a loop. Four rows: no displacement, an axis of the first
/// frame perpendicular to one of the second.
#[derive(Clone, PartialEq, Debug)]
pub struct UniversalClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// Joint axis fixed in the first frame.
    pub first: AxisVector,
    /// Joint axis fixed in the second frame, kept perpendicular to the first.
    pub second: AxisVector,
}

impl ConstraintForm for UniversalClosure {
    fn kind_name(&self) -> &'static str {
        "universal"
    }

    fn row_count(&self) -> usize {
        4
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let mut rows = names.describe_force_components();
        let axis = format!(
            "the common normal of both axes, {} {} × {} {}",
            axis_text(self.second),
            names.second_axes_text(),
            axis_text(self.first),
            names.first_axes_text(),
        );
        rows.push(names.describe_moment("", &axis));
        rows
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Universal, axis: self.first.to_f64() }
    }
}

impl ConstraintMechanics for UniversalClosure {
    const WORD: &'static str = "universal";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (first, second) = (keys.read_axis(0), keys.read_axis(1));
        Some(UniversalClosure { ends: keys.read_ends()?, first, second })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        rows.forbid_displacement();
        let [a, b] = [self.first, self.second].map(|axis| unit_vector_along(axis, env.number));
        rows.keep_perpendicular(b, a, "");
    }
}
