//! A constraint that keeps axes of two bodies parallel.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// The constraint of type `parallel_axes`. Two rows: an axis has the same
/// components in both frames.
#[derive(Clone, PartialEq, Debug)]
pub struct ParallelAxes(pub Ends, pub AxisVector);

impl ConstraintForm for ParallelAxes {
    fn name(&self) -> &'static str {
        "parallel axes"
    }

    fn rows(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.names(&self.0).forces_and_moments(self.1, &[], &[0, 1])
    }

    fn picture(&self) -> Picture<'_> {
        let axis: Vec3<f64> = self.1.to_f64();
        Picture::Joint { symbol: JointSymbol::Free, axis }
    }
}

impl ConstraintMechanics for ParallelAxes {
    const WORD: &'static str = "parallel_axes";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.axis(0);
        Some(ParallelAxes(keys.ends()?, axis))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.1, env);
        rows.parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![cosine_of_axis(frame, self.1, env)]
    }
}
