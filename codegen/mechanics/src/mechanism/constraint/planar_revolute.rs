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
    fn name(&self) -> &'static str {
        "planar revolute"
    }

    fn rows(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        let normal = self.ends.first_axis(self.normal);
        self.ends.places().into_iter().chain([normal]).collect()
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.names(&self.ends).forces_and_moments(self.normal, &[0, 1], &[])
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Revolute, axis: self.normal.to_f64() }
    }
}

impl ConstraintMechanics for PlanarRevolute {
    const WORD: &'static str = "planar_revolute";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let normal = keys.axis(0);
        Some(PlanarRevolute { ends: keys.ends()?, normal })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.normal, env);
        rows.no_displacement_along_axes(axes, letters, &[0, 1]);
    }
}
