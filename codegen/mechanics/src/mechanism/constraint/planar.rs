//! A loop closed by a planar joint.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::environment::Environment;
use crate::mechanism::load::Ends;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Three rows; the normal.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarClosure(pub Ends, pub AxisVector);

impl ConstraintForm for PlanarClosure {
    fn name(&self) -> &'static str {
        "planar"
    }

    fn rows(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        words.names(&self.0).triple(self.1, &[2], &[0, 1])
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint(JointSymbol::Planar, self.1.to_f64())
    }
}

impl ConstraintMechanics for PlanarClosure {
    const WORD: &'static str = "planar";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let axis = written.axis(0);
        Some(PlanarClosure(written.ends()?, axis))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = triple(self.1, env);
        rows.along_triple(axes, letters, &[2]);
        rows.parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![same_axis(seen, self.1, env)]
    }
}
