//! A loop closed by a spherical joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a spherical joint in a loop. Three rows: no displacement.
#[derive(Clone, PartialEq, Debug)]
pub struct SphericalClosure(pub Ends);

impl ConstraintForm for SphericalClosure {
    fn kind_name(&self) -> &'static str {
        "spherical"
    }

    fn row_count(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        self.0.origin_dependences().to_vec()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.0).describe_force_components()
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Spherical, axis: Vec3::unit_vector(2) }
    }
}

impl ConstraintMechanics for SphericalClosure {
    const WORD: &'static str = "spherical";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        Some(SphericalClosure(keys.read_ends()?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, _env: &Environment<'_, S>) {
        rows.forbid_displacement();
    }
}
