//! A loop closed by a revolute joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a revolute joint in a loop. Five rows: no displacement, axes parallel.
#[derive(Clone, PartialEq, Debug)]
pub struct RevoluteClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// Axis about which the frames may turn, with the same components in both.
    pub axis: AxisVector,
}

impl ConstraintForm for RevoluteClosure {
    fn name(&self) -> &'static str {
        "revolute"
    }

    fn rows(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        let axes = [self.ends.first_axis(self.axis), self.ends.second_axis(self.axis)];
        self.ends.places().into_iter().chain(axes).collect()
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.names(&self.ends);
        let mut rows = names.force_components();
        rows.extend(names.forces_and_moments(self.axis, &[], &[0, 1]));
        rows
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Revolute, axis: self.axis.to_f64() }
    }
}

impl ConstraintMechanics for RevoluteClosure {
    const WORD: &'static str = "revolute";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.axis(0);
        Some(RevoluteClosure { ends: keys.ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        rows.no_displacement();
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![cosine_of_axis(frame, self.axis, env)]
    }
}
