//! Weld: two frames that coincide.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Constraint that two frames coincide. Six rows: no displacement, no rotation.
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

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        let names = words.names(&self.0);
        let mut rows = names.everywhere();
        rows.extend(XYZ.map(|l| names.about(l, l)));
        rows
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Fixed, axis: Vec3::unit(2) }
    }
}

impl ConstraintMechanics for Weld {
    const WORD: &'static str = "weld";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        Some(Weld(written.ends()?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, _env: &Environment<'_, S>) {
        let xyz = [0, 1, 2].map(Vec3::unit);
        rows.everywhere();
        rows.parallel(xyz, XYZ);
        rows.square(xyz[0], xyz[1], "z");
    }

    fn alignments<S: Scalar>(&self, seen: &Seen<S>, _env: &Environment<'_, S>) -> Vec<S> {
        same_axes(seen)
    }
    fn attitude_differences<S: Scalar>(&self, seen: &Seen<S>, _env: &Environment<'_, S>) -> Vec<S> {
        other_differences(seen, [0, 1, 2].map(Vec3::unit))
    }
}
