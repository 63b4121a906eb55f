//! A loop closed by a prismatic joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a prismatic joint in a loop. Five rows: no displacement perpendicular to the axis,
/// no rotation.
#[derive(Clone, PartialEq, Debug)]
pub struct PrismaticClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// Axis along which the frames may slide, with the same components in both.
    pub axis: AxisVector,
}

impl ConstraintForm for PrismaticClosure {
    fn kind_name(&self) -> &'static str {
        "prismatic"
    }

    fn row_count(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.ends).describe_forces_and_moments(self.axis, &[0, 1], &[0, 1, 2])
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Prismatic, axis: self.axis.to_f64() }
    }
}

impl ConstraintMechanics for PrismaticClosure {
    const WORD: &'static str = "prismatic";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let axis = keys.read_axis(0);
        Some(PrismaticClosure { ends: keys.read_ends()?, axis })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.forbid_displacement_along_axes(axes, letters, &[0, 1]);
        rows.keep_axes_parallel(axes, letters);
        rows.keep_perpendicular(axes[0], axes[1], letters[2]);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        coordinate_axis_cosines(frame)
    }
    fn attitude_differences<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        rotation_minus_identity(frame, right_handed_triple(self.axis, env).0)
    }
}
