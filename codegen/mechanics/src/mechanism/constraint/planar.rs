//! A loop closed by a planar joint.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a planar joint in a loop. Three rows: no displacement along the normal, normals
/// parallel.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// The normal of the plane, with the same components in both frames.
    pub normal: AxisVector,
}

impl ConstraintForm for PlanarClosure {
    fn kind_name(&self) -> &'static str {
        "planar"
    }

    fn row_count(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let axes =
            [self.ends.first_axis_dependence(self.normal), self.ends.second_axis_dependence(self.normal)];
        self.ends.origin_dependences().into_iter().chain(axes).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        describer.name_ends(&self.ends).describe_forces_and_moments(self.normal, &[2], &[0, 1])
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Planar, axis: self.normal.to_f64() }
    }
}

impl ConstraintMechanics for PlanarClosure {
    const WORD: &'static str = "planar";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let normal = keys.read_axis(0);
        Some(PlanarClosure { ends: keys.read_ends()?, normal })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.normal, env);
        rows.forbid_displacement_along_axes(axes, letters, &[2]);
        rows.keep_axes_parallel(axes, letters);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        vec![axis_cosine(frame, self.normal, env)]
    }
}
