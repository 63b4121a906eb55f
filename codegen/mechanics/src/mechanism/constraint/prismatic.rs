//! A loop closed by a prismatic joint.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::environment::Environment;
use crate::mechanism::load::Ends;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Five rows: no displacement across the axis, no turn.
#[derive(Clone, PartialEq, Debug)]
pub struct PrismaticClosure(pub Ends, pub AxisVector);

impl ConstraintForm for PrismaticClosure {
    fn name(&self) -> &'static str {
        "prismatic"
    }

    fn rows(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        words.names(&self.0).triple(self.1, &[0, 1], &[0, 1, 2])
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint(JointSymbol::Prismatic, self.1.to_f64())
    }
}

impl ConstraintMechanics for PrismaticClosure {
    const WORD: &'static str = "prismatic";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let axis = written.axis(0);
        Some(PrismaticClosure(written.ends()?, axis))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = triple(self.1, env);
        rows.along_triple(axes, letters, &[0, 1]);
        rows.parallel(axes, letters);
        rows.square(axes[0], axes[1], letters[2]);
    }

    fn alignments<S: Scalar>(&self, seen: &Seen<S>, _env: &Environment<'_, S>) -> Vec<S> {
        same_axes(seen)
    }
    fn attitude_differences<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<S> {
        other_differences(seen, triple(self.1, env).0)
    }
}
