//! A loop of a planar mechanism closed by a slide.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a prismatic joint in a planar mechanism. Two rows: no displacement across the
/// slide in the plane, no rotation about the normal.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarPrismatic {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// The direction of the slide, with the same components in both frames.
    pub along: AxisVector,
    /// The normal of the plane, with the same components in both frames.
    pub normal: AxisVector,
}

/// Largest dot product at which slide and normal count as orthogonal, if it has no exact value.
const TOLERANCE: f64 = 1e-9;

impl ConstraintForm for PlanarPrismatic {
    fn kind_name(&self) -> &'static str {
        "planar prismatic"
    }

    fn row_count(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let across = format!("{} × {}", axis_text(self.normal), axis_text(self.along));
        vec![
            names.describe_force_along("", &across),
            names.describe_moment_about("", &axis_text(self.normal)),
        ]
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Prismatic, axis: self.along.to_f64() }
    }

    fn data_error(&self) -> Option<InvalidData> {
        let numeric = self.along.to_f64().dot(self.normal.to_f64());
        self.along.dot(self.normal).map_or(numeric.abs() > TOLERANCE, |d| !d.is_zero()).then_some(
            InvalidData {
                code: "axes-not-orthogonal",
                before: "the slide axis of ",
                after: " is not in its plane",
                key: None,
                label: "this axis is not perpendicular to the normal",
                help: "make the slide axis perpendicular to the normal, which is z by default, or set another `normal`",
            },
        )
    }
}

impl ConstraintMechanics for PlanarPrismatic {
    const WORD: &'static str = "planar_prismatic";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (along, normal) = (keys.read_axis(0), keys.read_axis(1));
        Some(PlanarPrismatic { ends: keys.read_ends()?, along, normal })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let [along, normal] = [self.along, self.normal].map(|a| unit_vector_along(a, env.number));
        let across = normal.cross(along);
        rows.forbid_displacement_along(across, "");
        rows.keep_perpendicular(along, across, "");
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![axis_cosine(frame, self.along, env)]
    }
}
