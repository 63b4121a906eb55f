//! Geometric constraints as functionals of a relative twist.
//!
//! Problem: residual, and the vectors `n`, `h` of `Φ̇ = n · v + h · w + Φ_t`, of every row of a constraint between two
//! frames; `v`, `w`: velocity of the second frame's origin and its angular velocity, seen from the first frame.
//! Method:  residuals are components of the vector between the origins and of unit vectors of one frame along those of
//! the other, arranged so that near zero they are displacements \[m\] and small angles \[rad\] about the axes of the first
//! frame; so multipliers are forces \[N\] and moments [N·m] of the first body on the second. The cosine rows are zero for
//! opposite axes too: another way to assemble, which `assemble` tells apart by the alignments of each kind.
//! Frames:  components in the first frame; of a knife edge in the second.
//! Cost:    O(1) a row.

use crate::mechanism::axis::{AxisVector, unit};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// The second frame of a constraint seen from the first.
pub struct Seen<S> {
    /// Axes of the second frame, in the first.
    pub rotation: Mat3<S>,
    /// Origin of the second frame, in the first.
    pub origin: Vec3<S>,
    /// The first frame in its body.
    pub first: Mat3<S>,
    /// The second frame in its body.
    pub second: Mat3<S>,
    /// Origin of the second frame, from the pole of its body in its axes.
    pub arm: Vec3<S>,
}

/// A scalar row.
pub struct Pattern<S> {
    /// What is added to the name of the constraint; empty if it has one row.
    pub suffix: String,
    /// `Φ`; `None` for a constraint of speeds.
    pub position: Option<S>,
    /// Along the velocity of the origin.
    pub n: Vec3<S>,
    /// Along the angular velocity.
    pub h: Vec3<S>,
    /// `Φ_t`.
    pub drift: S,
    /// True if `n` and `h` are in the second frame.
    pub in_second: bool,
}

impl<S: Scalar> Seen<S> {
    /// An axis of the second frame, seen from the first.
    pub(super) fn turned(&self, axis: Vec3<S>) -> Vec3<S> {
        self.rotation.apply(axis)
    }
}

/// A right-handed triple with its third axis along `axis`; of `±x`, `±y`, `±z` the plain axes. And their letters.
pub(super) fn triple<S: Scalar>(
    axis: AxisVector,
    env: &Environment<'_, S>,
) -> ([Vec3<S>; 3], [&'static str; 3]) {
    let letters = axis.letters();
    let plain = |letter: &str| ["x", "y", "z"].iter().position(|x| *x == letter);
    if let [Some(i), Some(j), Some(k)] = letters.map(plain) {
        return ([i, j, k].map(Vec3::unit), letters);
    }
    let a = unit(axis, env.number);
    let b = unit(axis.across(), env.number);
    ([b, a.cross(b), a], letters)
}

/// The letters of the axes.
pub(super) const XYZ: [&str; 3] = ["x", "y", "z"];

/// Cosines between the coordinate axes of the two frames.
pub(super) fn same_axes<S: Scalar>(seen: &Seen<S>) -> Vec<S> {
    (0..3).map(|i| seen.rotation.0[i][i]).collect()
}

/// The cosine between an axis in both frames.
pub(super) fn same_axis<S: Scalar>(seen: &Seen<S>, axis: AxisVector, env: &Environment<'_, S>) -> S {
    let a = unit(axis, env.number);
    seen.turned(a).dot(a)
}

/// Entries of `R − I` in a triple of axes without those that the rows [`Rows::parallel`] and [`Rows::square`] of the first two
/// axes are.
pub(super) fn other_differences<S: Scalar>(seen: &Seen<S>, [b, c, a]: [Vec3<S>; 3]) -> Vec<S> {
    let diagonal = [b, c, a].map(|axis| seen.turned(axis).dot(axis) - S::ONE);
    let products = [(b, a), (c, a), (c, b)].map(|(turned, fixed)| seen.turned(turned).dot(fixed));
    diagonal.into_iter().chain(products).collect()
}

/// Rows under construction.
pub struct Rows<'s, S> {
    /// What they are functionals of.
    pub seen: &'s Seen<S>,
    /// Those that are there.
    pub rows: Vec<Pattern<S>>,
}

impl<S: Scalar> Rows<'_, S> {
    pub(super) fn push(&mut self, suffix: String, position: Option<S>, n: Vec3<S>, h: Vec3<S>) {
        self.rows.push(Pattern { suffix, position, n, h, drift: S::ZERO, in_second: false });
    }

    /// No displacement along `axis`.
    pub(super) fn along(&mut self, axis: Vec3<S>, letter: &str) {
        self.push(format!("f{letter}"), Some(self.seen.origin.dot(axis)), axis, Vec3::ZERO);
    }

    /// `a` of the second frame stays at right angles to `b` of the first; the residual is the angle about `a × b`.
    pub(super) fn square(&mut self, a: Vec3<S>, b: Vec3<S>, letter: &str) {
        let turned = self.seen.turned(a);
        self.push(format!("m{letter}"), Some(turned.dot(b)), Vec3::ZERO, turned.cross(b));
    }

    /// No displacement at all.
    pub(super) fn everywhere(&mut self) {
        XYZ.iter().enumerate().for_each(|(i, letter)| self.along(Vec3::unit(i), letter));
    }

    /// No displacement along these axes of a triple.
    pub(super) fn along_triple(&mut self, axes: [Vec3<S>; 3], letters: [&str; 3], which: &[usize]) {
        which.iter().for_each(|k| self.along(axes[*k], letters[*k]));
    }

    /// The third axes stay parallel.
    pub(super) fn parallel(&mut self, [b, c, a]: [Vec3<S>; 3], letters: [&str; 3]) {
        self.square(a, -c, letters[0]);
        self.square(a, b, letters[1]);
    }
}

/// `f` with its derivative along t.
pub(super) fn with_rate<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> Jet<S> {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    env.with_jets(S::ONE, &dq, &dv, |env| f.eval(env))
}

/// Vectors of a row in the axes of the body that it is resolved in.
pub(crate) fn in_body<S: Scalar>(row: &Pattern<S>, seen: &Seen<S>) -> (Vec3<S>, Vec3<S>) {
    let turn = if row.in_second { &seen.second } else { &seen.first };
    (turn.apply(row.n), turn.apply(row.h))
}
