//! A planar loop closed by a hinge.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::environment::Environment;
use crate::mechanism::load::Ends;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Two rows of a planar mechanism; the normal.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarRevolute(pub Ends, pub AxisVector);

impl ConstraintForm for PlanarRevolute {
    fn name(&self) -> &'static str {
        "planar revolute"
    }

    fn rows(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        words.names(&self.0).triple(self.1, &[0, 1], &[])
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint(JointSymbol::Revolute, self.1.to_f64())
    }
}

impl ConstraintMechanics for PlanarRevolute {
    const WORD: &'static str = "planar_revolute";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let axis = written.axis(0);
        Some(PlanarRevolute(written.ends()?, axis))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = triple(self.1, env);
        rows.along_triple(axes, letters, &[0, 1]);
    }
}
