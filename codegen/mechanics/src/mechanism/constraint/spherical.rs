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
    fn name(&self) -> &'static str {
        "spherical"
    }

    fn rows(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        self.0.places().to_vec()
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.names(&self.0).force_components()
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Spherical, axis: Vec3::unit(2) }
    }
}

impl ConstraintMechanics for SphericalClosure {
    const WORD: &'static str = "spherical";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        Some(SphericalClosure(keys.ends()?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, _env: &Environment<'_, S>) {
        rows.no_displacement();
    }
}
