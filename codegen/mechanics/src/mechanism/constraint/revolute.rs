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
    fn kind_name(&self) -> &'static str {
        "revolute"
    }

    fn row_count(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let axes = [self.ends.first_axis_dependence(self.axis), self.ends.second_axis_dependence(self.axis)];
        self.ends.origin_dependences().into_iter().chain(axes).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let mut rows = names.describe_force_components();
        rows.extend(names.describe_forces_and_moments(self.axis, &[], &[0, 1]));
        rows
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Revolute, axis: self.axis.to_f64() }
    }
}

impl ConstraintMechanics for RevoluteClosure {
    const WORD: &'static str = "revolute";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(RevoluteClosure { ends: keys.read_ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        rows.forbid_displacement();
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.keep_axes_parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![axis_cosine(frame, self.axis, env)]
    }
}
