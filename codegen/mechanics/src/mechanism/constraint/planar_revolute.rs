//! A loop of a planar mechanism closed by a hinge.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a revolute joint in a planar mechanism. Two rows: no displacement in the plane.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarRevolute {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// The normal of the plane, with the same components in both frames.
    pub normal: AxisVector,
}

impl ConstraintForm for PlanarRevolute {
    fn kind_name(&self) -> &'static str {
        "planar revolute"
    }

    fn row_count(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let normal = self.ends.first_axis_dependence(self.normal);
        self.ends.origin_dependences().into_iter().chain([normal]).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.ends).describe_forces_and_moments(self.normal, &[0, 1], &[])
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Revolute, axis: self.normal.to_f64() }
    }
}

impl ConstraintMechanics for PlanarRevolute {
    const WORD: &'static str = "planar_revolute";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let normal = keys.read_axis(0);
        Some(PlanarRevolute { ends: keys.read_ends()?, normal })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.normal, env);
        rows.forbid_displacement_along_axes(axes, letters, &[0, 1]);
    }
}
