//! Geometric constraints as functionals of a relative twist.
//!
//! Problem: residual, and the vectors `n`, `h` of `Φ̇ = n · v + h · w + Φ_t`, of every row of a constraint between two
//! frames; `v`, `w`: velocity of the second frame's origin and its angular velocity, seen from the first frame.
//! Method:  residuals are components of the vector between the origins and of unit vectors of one frame along those of
//! the other, arranged so that near zero they are displacements \[m\] and small angles \[rad\] about the axes of the first
//! frame; so multipliers are forces \[N\] and moments [N·m] of the first body on the second. The cosine rows are zero for
//! opposite axes too: another way to assemble, which `assemble` tells apart by [`alignments`].
//! Frames:  components in the first frame; of a knife edge in the second.
//! Cost:    O(1) a row.

use super::pose::placement;
use super::relative::Relative;
use crate::algebra::{Jet, Mat3, Scalar, Vec3};
use crate::mechanism::{AxisVector, Closure, ConstraintKind, Ends, Environment, Formula, joint};

/// The second frame of a constraint seen from the first.
pub(super) struct Seen<S> {
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
pub(super) struct Pattern<S> {
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
    pub fn new(ends: &Ends, pose: &Relative<S>, poles: [Vec3<S>; 2], env: &Environment<'_, S>) -> Self {
        let (from, first) = placement(&ends.from.1, env);
        let (to, second) = placement(&ends.to.1, env);
        let arm = to - poles[1];
        let origin = first.apply_transposed(pose.point(arm) - (from - poles[0]));
        Seen { rotation: first.transposed_mul(&pose.rotation).mul(&second), origin, first, second, arm }
    }

    /// An axis of the second frame, seen from the first.
    fn turned(&self, axis: Vec3<S>) -> Vec3<S> {
        self.rotation.apply(axis)
    }
}

/// A right-handed triple with its third axis along `axis`; of `±x`, `±y`, `±z` the plain axes. And their letters.
fn triple<S: Scalar>(axis: AxisVector, env: &Environment<'_, S>) -> ([Vec3<S>; 3], [&'static str; 3]) {
    let letters = axis.letters();
    let plain = |letter: &str| ["x", "y", "z"].iter().position(|x| *x == letter);
    if let [Some(i), Some(j), Some(k)] = letters.map(plain) {
        return ([i, j, k].map(Vec3::unit), letters);
    }
    let a = joint::unit(axis, env.number);
    let b = joint::unit(axis.across(), env.number);
    ([b, a.cross(b), a], letters)
}

/// Rows under construction.
struct Rows<'s, S> {
    seen: &'s Seen<S>,
    rows: Vec<Pattern<S>>,
}

impl<S: Scalar> Rows<'_, S> {
    fn push(&mut self, suffix: String, position: Option<S>, n: Vec3<S>, h: Vec3<S>) {
        self.rows.push(Pattern { suffix, position, n, h, drift: S::ZERO, in_second: false });
    }

    /// No displacement along `axis`.
    fn along(&mut self, axis: Vec3<S>, letter: &str) {
        self.push(format!("f{letter}"), Some(self.seen.origin.dot(axis)), axis, Vec3::ZERO);
    }

    /// `a` of the second frame stays at right angles to `b` of the first; the residual is the angle about `a × b`.
    fn square(&mut self, a: Vec3<S>, b: Vec3<S>, letter: &str) {
        let turned = self.seen.turned(a);
        self.push(format!("m{letter}"), Some(turned.dot(b)), Vec3::ZERO, turned.cross(b));
    }

    /// The third axes stay parallel.
    fn parallel(&mut self, [b, c, a]: [Vec3<S>; 3], letters: [&str; 3]) {
        self.square(a, -c, letters[0]);
        self.square(a, b, letters[1]);
    }

    fn closure(&mut self, closure: &Closure, env: &Environment<'_, S>) {
        let xyz = [0, 1, 2].map(Vec3::unit);
        let names = ["x", "y", "z"];
        let everywhere = |rows: &mut Self| (0..3).for_each(|i| rows.along(xyz[i], names[i]));
        match closure {
            Closure::Weld => {
                everywhere(self);
                self.parallel(xyz, names);
                self.square(xyz[0], xyz[1], "z");
            }
            Closure::Revolute(axis) => {
                everywhere(self);
                let (axes, letters) = triple(*axis, env);
                self.parallel(axes, letters);
            }
            Closure::Spherical => everywhere(self),
            Closure::Universal(first, second) => {
                everywhere(self);
                let [a, b] = [first, second].map(|axis| joint::unit(*axis, env.number));
                self.square(b, a, "");
            }
            Closure::Prismatic(axis) => {
                let (axes, letters) = triple(*axis, env);
                self.along(axes[0], letters[0]);
                self.along(axes[1], letters[1]);
                self.parallel(axes, letters);
                self.square(axes[0], axes[1], letters[2]);
            }
            Closure::Cylindrical(axis) | Closure::Helical(axis, _) => {
                let (axes, letters) = triple(*axis, env);
                self.along(axes[0], letters[0]);
                self.along(axes[1], letters[1]);
                self.parallel(axes, letters);
                if let Closure::Helical(axis, pitch) = closure {
                    // Along the axis as written: its sign is that of the screw.
                    let [b, c, a] = axes;
                    let sign = joint::unit(*axis, env.number).dot(a);
                    self.screw([b.scale(sign), c, a.scale(sign)], pitch.eval(env), letters[2]);
                }
            }
            Closure::Planar(normal) => {
                let (axes, letters) = triple(*normal, env);
                self.along(axes[2], letters[2]);
                self.parallel(axes, letters);
            }
            Closure::PlanarRevolute(normal) => {
                let (axes, letters) = triple(*normal, env);
                self.along(axes[0], letters[0]);
                self.along(axes[1], letters[1]);
            }
            Closure::PlanarPrismatic(axis, normal) => {
                let [along, normal] = [axis, normal].map(|a| joint::unit(*a, env.number));
                let across = normal.cross(along);
                self.along(across, "");
                self.square(along, across, "");
            }
        }
    }

    /// `p sin(d/p − θ)`: zero on the screw, whatever the number of turns, and near zero the displacement off it.
    fn screw(&mut self, [b, c, a]: [Vec3<S>; 3], pitch: S, letter: &str) {
        let turned = self.seen.turned(b);
        let (sine, cosine) = (turned.dot(c), turned.dot(b));
        let (s, k) = (self.seen.origin.dot(a) / pitch).sin_cos();
        let n = a.scale(k * cosine + s * sine);
        let h = turned.cross(b).scale(pitch * s) - turned.cross(c).scale(pitch * k);
        self.push(format!("f{letter}"), Some(pitch * (s * cosine - k * sine)), n, h);
    }

    /// A ball: rows along the axes of the plane and along its normal `n`, at the contact.
    fn ball(&mut self, normal: AxisVector, radius: S, env: &Environment<'_, S>) {
        let up = joint::unit(normal, env.number);
        let (axes, letters) = triple(normal, env);
        let arm = -up.scale(radius);
        for (axis, letter) in [axes[0], axes[1]].into_iter().zip(letters) {
            self.push(format!("f{letter}"), None, axis, arm.cross(axis));
        }
        let above = self.seen.origin.dot(up) - radius;
        self.push("fn".to_owned(), Some(above), up, Vec3::ZERO);
    }

    /// A disc with the axle a: rows along its heading `(a × n) / s`, across it, `(a − (a·n) n) / s`, and along the normal
    /// n, at the contact; s is the sine of the angle between axle and normal. The arm from the centre down to the contact
    /// is `r (a (a·n) − n) / s`; of its products with the three axes the division goes out.
    fn disc(&mut self, normal: AxisVector, radius: S, axle: AxisVector, env: &Environment<'_, S>) {
        let up = joint::unit(normal, env.number);
        let axle = self.seen.turned(joint::unit(axle, env.number));
        let forward = axle.cross(up);
        let lean = axle.dot(up);
        let sine = forward.dot(forward).sqrt();
        let heading = forward.scale(S::ONE / sine);
        let across = up.cross(heading);
        self.push("f_along".to_owned(), None, heading, -axle.scale(radius));
        self.push("f_across".to_owned(), None, across, forward.scale(radius));
        let above = self.seen.origin.dot(up) - radius * sine;
        self.push("fn".to_owned(), Some(above), up, heading.scale(radius * lean));
    }
}

/// `f` with its derivative along t.
fn with_rate<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> Jet<S> {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    env.with_jets(S::ONE, &dq, &dv, |env| f.eval(env))
}

fn surface<S: Scalar>(f: &Formula, point: Vec3<S>, env: &Environment<'_, S>) -> Pattern<S> {
    let q = [env.q, &point.0[..]].concat();
    let nq = env.q.len();
    let env = Environment { q: &q, ..*env };
    let dv = vec![S::ZERO; env.v.len()];
    let slope = |i: usize| {
        let dq: Vec<S> = (0..q.len()).map(|k| if k == nq + i { S::ONE } else { S::ZERO }).collect();
        env.with_jets(S::ZERO, &dq, &dv, |env| f.eval(env)).d
    };
    Pattern {
        suffix: String::new(),
        position: Some(f.eval(&env)),
        n: Vec3([slope(0), slope(1), slope(2)]),
        h: Vec3::ZERO,
        drift: with_rate(f, &env).d,
        in_second: false,
    }
}

/// The rows of a geometric constraint; `None` for a formula.
pub(super) fn patterns<S: Scalar>(
    kind: &ConstraintKind,
    seen: &Seen<S>,
    env: &Environment<'_, S>,
) -> Vec<Pattern<S>> {
    let mut rows = Rows { seen, rows: Vec::new() };
    let r = seen.origin;
    match kind {
        ConstraintKind::Position(_) | ConstraintKind::Velocity(_) => {}
        ConstraintKind::Closure(closure, _) => rows.closure(closure, env),
        ConstraintKind::Distance(_, length) => {
            // (r² / L − L) / 2: the excess length near zero, and smooth where the points meet.
            let l = with_rate(length, env);
            let half = S::ratio(1, 2);
            let square = r.dot(r);
            rows.push(String::new(), Some((square / l.v - l.v) * half), r.scale(S::ONE / l.v), Vec3::ZERO);
            if !l.d.is_zero() {
                rows.rows[0].drift = -((square / (l.v * l.v) + S::ONE) * l.d * half);
            }
        }
        ConstraintKind::PointOnLine(_, axis) => {
            let (axes, letters) = triple(*axis, env);
            rows.along(axes[0], letters[0]);
            rows.along(axes[1], letters[1]);
        }
        ConstraintKind::PointOnPlane(_, normal) => {
            let n = joint::unit(*normal, env.number);
            rows.push(String::new(), Some(r.dot(n)), n, Vec3::ZERO);
        }
        ConstraintKind::PointOnSurface(_, formulas) => {
            for (i, f) in formulas.iter().enumerate() {
                let suffix = if formulas.len() > 1 { (i + 1).to_string() } else { String::new() };
                rows.rows.push(Pattern { suffix, ..surface(f, r, env) });
            }
        }
        ConstraintKind::KnifeEdge(_, axis) => {
            let n = joint::unit(*axis, env.number);
            rows.push(String::new(), None, n, Vec3::ZERO);
            rows.rows[0].in_second = true;
        }
        ConstraintKind::Rolling { normal, radius, axle: None, .. } => {
            rows.ball(*normal, radius.eval(env), env);
        }
        ConstraintKind::Rolling { normal, radius, axle: Some(axle), .. } => {
            rows.disc(*normal, radius.eval(env), *axle, env);
        }
    }
    rows.rows
}

/// What is positive where a constraint is assembled the way that it is meant: cosines between axes that shall point the
/// same way.
pub(super) fn alignments<S: Scalar>(
    kind: &ConstraintKind,
    seen: &Seen<S>,
    env: &Environment<'_, S>,
) -> Vec<S> {
    let same = |axis: &AxisVector| {
        let a = joint::unit(*axis, env.number);
        seen.turned(a).dot(a)
    };
    let ConstraintKind::Closure(closure, _) = kind else { return Vec::new() };
    match closure {
        Closure::Weld | Closure::Prismatic(_) => (0..3).map(|i| seen.rotation.0[i][i]).collect(),
        Closure::Helical(a, pitch) => {
            let (axes, _) = triple(*a, env);
            let b = seen.turned(axes[0]);
            let sign = joint::unit(*a, env.number).dot(axes[2]);
            let (s, k) = (seen.origin.dot(axes[2]) * sign / pitch.eval(env)).sin_cos();
            vec![same(a), k * b.dot(axes[0]) + s * sign * b.dot(axes[1])]
        }
        Closure::Revolute(a)
        | Closure::Cylindrical(a)
        | Closure::Planar(a)
        | Closure::PlanarPrismatic(a, _) => vec![same(a)],
        Closure::Universal(..) | Closure::Spherical | Closure::PlanarRevolute(_) => Vec::new(),
    }
}

/// The two ends of a geometric constraint.
pub(super) fn ends(kind: &ConstraintKind) -> Option<&Ends> {
    match kind {
        ConstraintKind::Position(_) | ConstraintKind::Velocity(_) => None,
        ConstraintKind::Closure(_, ends)
        | ConstraintKind::Distance(ends, _)
        | ConstraintKind::PointOnLine(ends, _)
        | ConstraintKind::PointOnPlane(ends, _)
        | ConstraintKind::PointOnSurface(ends, _)
        | ConstraintKind::KnifeEdge(ends, _)
        | ConstraintKind::Rolling { ends, .. } => Some(ends),
    }
}

/// Vectors of a row in the axes of the body that it is resolved in.
pub(super) fn in_body<S: Scalar>(row: &Pattern<S>, seen: &Seen<S>) -> (Vec3<S>, Vec3<S>) {
    let turn = if row.in_second { &seen.second } else { &seen.first };
    (turn.apply(row.n), turn.apply(row.h))
}

pub(super) fn poles<S: Scalar>(ends: &Ends, pole: impl Fn(usize) -> Vec3<S>) -> [Vec3<S>; 2] {
    [&ends.from, &ends.to].map(|end| end.0.map_or_else(|| Vec3::ZERO, &pole))
}
