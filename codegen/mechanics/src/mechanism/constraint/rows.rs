//! Geometric constraints as functionals of a relative twist.
//!
//! Problem: residual, and the vectors `n`, `h` of `Φ̇ = n · v + h · w + Φ_t`, of every row of a
//! constraint between two frames; `v`, `w`: velocity of the second frame's origin and its angular
//! velocity, relative to the first frame.
//! Method:  residuals are components of the vector between the origins, and dot products of unit
//! vectors of both frames. Near zero they are displacements \[m\] and small angles \[rad\] about
//! the axes of the first frame, so multipliers are forces \[N\] and moments \[N·m\] of the first
//! body on the second. The cosine rows are zero for opposite axes too, which is another way to
//! assemble; `assemble` distinguishes the two by the alignments of each kind.
//! Frames:  components in the first frame; for a knife edge in the second.
//! Cost:    O(1) a row.

use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// Pose of a constraint's second frame relative to its first, with the placements of both in their
/// bodies. Every row is formed from it.
pub struct RelativeFrame<S> {
    /// Rotation matrix from axes of the second frame to the first.
    pub rotation: Mat3<S>,
    /// Position of the second frame's origin from the first's, in axes of the first \[m\].
    pub origin: Vec3<S>,
    /// Rotation matrix from axes of the first frame to its body.
    pub first: Mat3<S>,
    /// Rotation matrix from axes of the second frame to its body.
    pub second: Mat3<S>,
    /// Vector from the pole of the second body to the second frame's origin, in body axes \[m\].
    pub arm: Vec3<S>,
}

/// A scalar row of a geometric constraint: residual, and coefficients `n`, `h` of the relative
/// twist.
pub struct RowFunctional<S> {
    /// Suffix to the name of the constraint, such as `fx`; empty if it has one row.
    pub suffix: String,
    /// Position residual `Φ`; `None` for a velocity constraint.
    pub position: Option<S>,
    /// Coefficients `n` of the relative velocity of the second origin.
    pub n: Vec3<S>,
    /// Coefficients `h` of the relative angular velocity.
    pub h: Vec3<S>,
    /// Partial derivative `Φ_t` of the residual by time: value of the row at rest.
    pub drift: S,
    /// True if `n` and `h` are components in the second frame, false if in the first.
    pub in_second: bool,
}

impl<S: Scalar> RelativeFrame<S> {
    /// Rotates a vector from axes of the second frame to the first.
    pub(super) fn rotate_to_first(&self, axis: Vec3<S>) -> Vec3<S> {
        self.rotation.apply(axis)
    }
}

/// A right-handed triple whose third axis is along `axis`, with the letters of its axes. For `±x`,
/// `±y`, `±z` it consists of coordinate axes.
pub(super) fn right_handed_triple<S: Scalar>(
    axis: AxisVector,
    env: &Environment<'_, S>,
) -> ([Vec3<S>; 3], [&'static str; 3]) {
    let letters = axis.triple_axis_names();
    if let [Some(i), Some(j), Some(k)] = letters.map(|letter| XYZ.iter().position(|x| *x == letter)) {
        return ([i, j, k].map(Vec3::unit_vector), letters);
    }
    let a = unit_vector_along(axis, env.number);
    let b = unit_vector_along(axis.perpendicular_axis(), env.number);
    ([b, a.cross(b), a], letters)
}

/// Letters of the coordinate axes.
pub(super) const XYZ: [&str; 3] = ["x", "y", "z"];

/// Cosines between corresponding coordinate axes of the two frames.
pub(super) fn coordinate_axis_cosines<S: Scalar>(frame: &RelativeFrame<S>) -> Vec<S> {
    (0..3).map(|i| frame.rotation.0[i][i]).collect()
}

/// Cosine between the directions that `axis` has in the two frames.
pub(super) fn axis_cosine<S: Scalar>(
    frame: &RelativeFrame<S>,
    axis: AxisVector,
    env: &Environment<'_, S>,
) -> S {
    let a = unit_vector_along(axis, env.number);
    frame.rotate_to_first(a).dot(a)
}

/// Entries of `R − I` in a triple of axes, except those that are residuals of
/// [`RowBuilder::keep_axes_parallel`] and of [`RowBuilder::keep_perpendicular`] of the first two
/// axes. Added by assembly.
pub(super) fn rotation_minus_identity<S: Scalar>(
    frame: &RelativeFrame<S>,
    [b, c, a]: [Vec3<S>; 3],
) -> Vec<S> {
    let diagonal = [b, c, a].map(|axis| frame.rotate_to_first(axis).dot(axis) - S::ONE);
    let products = [(b, a), (c, a), (c, b)].map(|(turned, fixed)| frame.rotate_to_first(turned).dot(fixed));
    diagonal.into_iter().chain(products).collect()
}

/// Collects the rows of a geometric constraint; each kind adds its rows with the methods below.
pub struct RowBuilder<'s, S> {
    /// The relative pose from which residuals and coefficients are formed.
    pub frame: &'s RelativeFrame<S>,
    /// Rows of the constraint added so far.
    pub rows: Vec<RowFunctional<S>>,
}

impl<S: Scalar> RowBuilder<'_, S> {
    /// Adds a row with residual `position` and coefficients `n`, `h` in the first frame.
    pub(super) fn push_row(&mut self, suffix: String, position: Option<S>, n: Vec3<S>, h: Vec3<S>) {
        self.rows.push(RowFunctional { suffix, position, n, h, drift: S::ZERO, in_second: false });
    }

    /// Adds the row "no displacement along `axis`"; its multiplier is a force.
    pub(super) fn forbid_displacement_along(&mut self, axis: Vec3<S>, letter: &str) {
        self.push_row(format!("f{letter}"), Some(self.frame.origin.dot(axis)), axis, Vec3::ZERO);
    }

    /// Adds the row "`a` of the second frame is perpendicular to `b` of the first". The residual is
    /// the angle about `a × b`; its multiplier is a moment.
    pub(super) fn keep_perpendicular(&mut self, a: Vec3<S>, b: Vec3<S>, letter: &str) {
        let turned = self.frame.rotate_to_first(a);
        self.push_row(format!("m{letter}"), Some(turned.dot(b)), Vec3::ZERO, turned.cross(b));
    }

    /// Adds three rows: no displacement of the second origin from the first.
    pub(super) fn forbid_displacement(&mut self) {
        XYZ.iter()
            .enumerate()
            .for_each(|(i, letter)| self.forbid_displacement_along(Vec3::unit_vector(i), letter));
    }

    /// Adds rows "no displacement" along the axes of a triple with these indices.
    pub(super) fn forbid_displacement_along_axes(
        &mut self,
        axes: [Vec3<S>; 3],
        letters: [&str; 3],
        indices: &[usize],
    ) {
        indices.iter().for_each(|k| self.forbid_displacement_along(axes[*k], letters[*k]));
    }

    /// Adds two rows: the third axes of the triple in both frames are parallel.
    pub(super) fn keep_axes_parallel(&mut self, [b, c, a]: [Vec3<S>; 3], letters: [&str; 3]) {
        self.keep_perpendicular(a, -c, letters[0]);
        self.keep_perpendicular(a, b, letters[1]);
    }
}

/// Value of formula `f` and its partial derivative by time, as a jet.
pub(super) fn value_and_time_derivative<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> Jet<S> {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    env.with_jets(S::ONE, &dq, &dv, |env| f.eval(env))
}

/// The vectors `n` and `h` of a row, rotated to the axes of the body on which its frame is.
pub(crate) fn functional_in_body_axes<S: Scalar>(
    row: &RowFunctional<S>,
    frame: &RelativeFrame<S>,
) -> (Vec3<S>, Vec3<S>) {
    let turn = if row.in_second { &frame.second } else { &frame.first };
    (turn.apply(row.n), turn.apply(row.h))
}
