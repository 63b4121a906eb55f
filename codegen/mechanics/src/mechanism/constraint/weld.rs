//! Weld: two frames that coincide.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Constraint that two frames on different bodies coincide. Six rows: no displacement, no rotation.
#[derive(Clone, PartialEq, Debug)]
pub struct Weld(pub Ends);

impl ConstraintForm for Weld {
    fn name(&self) -> &'static str {
        "weld"
    }

    fn rows(&self) -> usize {
        6
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.names(&self.0);
        let mut rows = names.force_components();
        rows.extend(XYZ.map(|l| names.moment_about(l, l)));
        rows
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Fixed, axis: Vec3::unit(2) }
    }
}

impl ConstraintMechanics for Weld {
    const WORD: &'static str = "weld";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        Some(Weld(keys.ends()?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, _env: &Environment<'_, S>) {
        let xyz = [0, 1, 2].map(Vec3::unit);
        rows.no_displacement();
        rows.parallel(xyz, XYZ);
        rows.perpendicular(xyz[0], xyz[1], "z");
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        cosines_of_axes(frame)
    }
    fn attitude_differences<S: Scalar>(&self, frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        rotation_differences(frame, [0, 1, 2].map(Vec3::unit))
    }
}
