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
    fn kind_name(&self) -> &'static str {
        "weld"
    }

    fn row_count(&self) -> usize {
        6
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.0);
        let mut rows = names.describe_force_components();
        rows.extend(XYZ.map(|l| names.describe_moment_about(l, l)));
        rows
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Fixed, axis: Vec3::unit_vector(2) }
    }
}

impl ConstraintMechanics for Weld {
    const WORD: &'static str = "weld";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        Some(Weld(keys.read_ends()?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, _env: &Environment<'_, S>) {
        let xyz = [0, 1, 2].map(Vec3::unit_vector);
        rows.forbid_displacement();
        rows.keep_axes_parallel(xyz, XYZ);
        rows.keep_perpendicular(xyz[0], xyz[1], "z");
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        coordinate_axis_cosines(frame)
    }
    fn attitude_differences<S: Scalar>(&self, frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        rotation_minus_identity(frame, [0, 1, 2].map(Vec3::unit_vector))
    }
}
