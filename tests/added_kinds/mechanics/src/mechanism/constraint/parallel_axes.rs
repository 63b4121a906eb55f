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
    fn kind_name(&self) -> &'static str {
        "parallel axes"
    }

    fn row_count(&self) -> usize {
        2
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.0).describe_forces_and_moments(self.1, &[], &[0, 1])
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        let axis: Vec3<f64> = self.1.to_f64();
        Picture::Joint { symbol: JointSymbol::Free, axis }
    }
}

impl ConstraintMechanics for ParallelAxes {
    const WORD: &'static str = "parallel_axes";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(ParallelAxes(keys.read_ends()?, axis))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.1, env);
        rows.keep_axes_parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![axis_cosine(frame, self.1, env)]
    }
}
