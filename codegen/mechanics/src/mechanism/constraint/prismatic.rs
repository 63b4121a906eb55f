//! A loop closed by a prismatic joint.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a prismatic joint in a loop. Five rows: no displacement perpendicular to the axis,
/// no rotation.
#[derive(Clone, PartialEq, Debug)]
pub struct PrismaticClosure {
    /// The two frames, each fixed on a body or the ground.
    pub ends: Ends,
    /// The axis, with the same components in both frames.
    pub axis: AxisVector,
}

impl ConstraintForm for PrismaticClosure {
    fn name(&self) -> &'static str {
        "prismatic"
    }

    fn rows(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        words.names(&self.ends).triple(self.axis, &[0, 1], &[0, 1, 2])
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Prismatic, axis: self.axis.to_f64() }
    }
}

impl ConstraintMechanics for PrismaticClosure {
    const WORD: &'static str = "prismatic";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let axis = written.axis(0);
        Some(PrismaticClosure { ends: written.ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = triple(self.axis, env);
        rows.along_triple(axes, letters, &[0, 1]);
        rows.parallel(axes, letters);
        rows.square(axes[0], axes[1], letters[2]);
    }

    fn alignments<S: Scalar>(&self, seen: &Seen<S>, _env: &Environment<'_, S>) -> Vec<S> {
        same_axes(seen)
    }
    fn attitude_differences<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<S> {
        other_differences(seen, triple(self.axis, env).0)
    }
}
