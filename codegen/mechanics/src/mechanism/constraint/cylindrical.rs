//! A loop closed by a cylindrical joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a cylindrical joint in a loop. Four rows: no displacement perpendicular to the
/// axis, axes parallel.
#[derive(Clone, PartialEq, Debug)]
pub struct CylindricalClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// The joint axis, with the same components in both frames.
    pub axis: AxisVector,
}

impl ConstraintForm for CylindricalClosure {
    fn kind_name(&self) -> &'static str {
        "cylindrical"
    }

    fn row_count(&self) -> usize {
        4
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let axes = [self.ends.first_axis_dependence(self.axis), self.ends.second_axis_dependence(self.axis)];
        self.ends.origin_dependences().into_iter().chain(axes).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.ends).describe_forces_and_moments(self.axis, &[0, 1], &[0, 1])
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Cylindrical, axis: self.axis.to_f64() }
    }
}

impl ConstraintMechanics for CylindricalClosure {
    const WORD: &'static str = "cylindrical";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(CylindricalClosure { ends: keys.read_ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.forbid_displacement_along_axes(axes, letters, &[0, 1]);
        rows.keep_axes_parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![axis_cosine(frame, self.axis, env)]
    }
}
