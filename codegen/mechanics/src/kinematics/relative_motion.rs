//! The motion of one body relative to another.
//!
//! Problem: relative twist of bodies `a` and `b`, column by column, without the motion that they
//! share.
//! Method:  only speeds beyond the nearest common ancestor enter: shared speeds cannot change the
//! relative motion, and the graph would not cancel them. With a joint that measures its angles from
//! the ground this does not hold; the paths then extend to the ground.
//! Frames:  each column in the axes of its own body about its pole, so that no rotation is applied
//! back and forth.
//! Cost:    O(depth).
//! Not handled: accelerations; they are derivatives along the motion.

use super::bodies::{Column, Kinematics};
use super::relative_pose::relative_pose;
use crate::mechanism::load::RelativePose;
use crate::mechanism::{BodyId, Mechanism, SpeedId};
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3, Wrench};

/// Member of a pair of bodies to which a column or twist belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BodyOfPair {
    /// The body relative to which motion is measured.
    First,
    /// The body whose motion is measured.
    Second,
}

/// Motion of body `b` (the second) relative to body `a` (the first), with only the speeds that they
/// do not share.
#[derive(Clone, Debug)]
pub(super) struct RelativeMotion<S> {
    /// Pose of the second body relative to the first, in the axes of the first.
    pub pose: RelativePose<S>,
    /// Pole of the first body, in its body frame.
    pub first_pole: Vec3<S>,
    /// Pole of the second body, in its body frame.
    pub second_pole: Vec3<S>,
    /// Partial velocities of either body for the speeds that they do not share, in that body's axes
    /// about its pole.
    columns: Vec<(SpeedId, BodyOfPair, Twist<S>)>,
    /// Twists of both bodies relative to their common ancestor at zero speeds: prescribed motion.
    drift: [(BodyOfPair, Twist<S>); 2],
    /// Twists of both bodies relative to their common ancestor, at the current speeds, prescribed
    /// ones included.
    moving: [(BodyOfPair, Twist<S>); 2],
}

/// Linear functional of the relative twist of two bodies, such as a constraint row.
pub(super) struct TwistFunctional<S> {
    /// Coefficients of the functional: one a speed.
    pub columns: Vec<S>,
    /// Value of the functional with all speeds zero.
    pub drift: S,
    /// Value at the current speeds. Computed from the twists of the bodies, not from the columns,
    /// because its derivative then needs fewer operations.
    pub velocity: S,
}

/// Nearest common ancestor of two bodies; `None` (the ground) also if a joint between them and it
/// measures its angles from the ground.
fn common_ancestor(m: &Mechanism, a: Option<BodyId>, b: Option<BodyId>) -> Option<BodyId> {
    let path: Vec<BodyId> = b.map(|b| m.path_to_root(b).collect()).unwrap_or_default();
    let common = a.and_then(|a| m.path_to_root(a).find(|x| path.contains(x)))?;
    let beyond =
        |x: Option<BodyId>| x.into_iter().flat_map(|x| m.path_to_root(x)).take_while(|x| *x != common);
    let absolute = beyond(a).chain(beyond(b)).any(|x| m.joints[x].absolute);
    (!absolute).then_some(common)
}

/// Twist of a body relative to an ancestor, in body axes about its pole, from the joint columns
/// that `includes` accepts.
fn twist_relative_to_ancestor<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    body: Option<BodyId>,
    ancestor: Option<BodyId>,
    includes: &dyn Fn(&Column<S>) -> bool,
) -> Twist<S> {
    let Some(b) = body.filter(|_| body != ancestor) else { return Twist::ZERO };
    let shares = k.bodies[b].columns.iter().filter(|c| includes(c)).map(|c| c.twist.scale(c.rate));
    let joint_twist = shares.fold(Twist::ZERO, |sum, x| sum + x);
    match m.joints[b].parent {
        Some(p) => {
            k.bodies[b].carry_parent_twist(twist_relative_to_ancestor(m, k, Some(p), ancestor, includes))
                + joint_twist
        }
        None => joint_twist,
    }
}

/// Motion of body `b` relative to body `a` (`None`: the ground).
pub(super) fn relative_motion<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    a: Option<BodyId>,
    b: Option<BodyId>,
) -> RelativeMotion<S> {
    let common = common_ancestor(m, a, b);
    let shared = common.map_or(0, |c| k.bodies[c].partial.len());
    let columns = |body: Option<BodyId>, side| {
        let partial = body.map_or(&[][..], |b| &k.bodies[b].partial[..]);
        partial.iter().skip(shared).map(move |(speed, twist)| (*speed, side, *twist)).collect::<Vec<_>>()
    };
    let twists = |includes: &dyn Fn(&Column<S>) -> bool| {
        [
            (BodyOfPair::First, twist_relative_to_ancestor(m, k, a, common, includes)),
            (BodyOfPair::Second, twist_relative_to_ancestor(m, k, b, common, includes)),
        ]
    };
    let pole = |body: Option<BodyId>| body.map_or(Vec3::ZERO, |b| k.bodies[b].pole);
    RelativeMotion {
        pose: relative_pose(m, &|i| k.bodies[i].pose(), b, a),
        first_pole: pole(a),
        second_pole: pole(b),
        columns: [columns(a, BodyOfPair::First), columns(b, BodyOfPair::Second)].concat(),
        drift: twists(&|c| c.speed.is_none()),
        moving: twists(&|_| true),
    }
}

impl<S: Scalar> RelativeMotion<S> {
    /// Evaluates `n · v + h · w`, where `v` is the velocity of the point `r` of the second body
    /// (from its pole, in its axes) and `w` its angular velocity, both relative to the first body.
    /// `n` and `h` are in the axes of the first body.
    pub fn functional_in_first_axes(
        &self,
        nv: usize,
        r: Vec3<S>,
        n: Vec3<S>,
        h: Vec3<S>,
    ) -> TwistFunctional<S> {
        let o = &self.pose.rotation;
        let point_in_first = self.pose.point_in_other_body(r);
        self.evaluate_functional(nv, |side, t| match side {
            BodyOfPair::Second => rotated_dot(o, t.velocity_at(r), n) + rotated_dot(o, t.w, h),
            BodyOfPair::First => {
                -(dot_unless_zero(t.velocity_at(point_in_first), n) + dot_unless_zero(t.w, h))
            }
        })
    }

    /// [`Self::functional_in_first_axes`] with `n` and `h` in the axes of the second body.
    pub fn functional_in_second_axes(
        &self,
        nv: usize,
        r: Vec3<S>,
        n: Vec3<S>,
        h: Vec3<S>,
    ) -> TwistFunctional<S> {
        let o = &self.pose.rotation;
        let point_in_first = self.pose.point_in_other_body(r);
        self.evaluate_functional(nv, |side, t| match side {
            BodyOfPair::Second => dot_unless_zero(t.velocity_at(r), n) + dot_unless_zero(t.w, h),
            BodyOfPair::First => {
                -(transpose_rotated_dot(o, t.velocity_at(point_in_first), n)
                    + transpose_rotated_dot(o, t.w, h))
            }
        })
    }

    /// Wrenches on the first and the second body for one unit of a row's multiplier, each in the
    /// body's axes about its pole. `n` and `h` are in the axes of the second body if `in_second`,
    /// else in those of the first.
    pub fn unit_multiplier_wrenches(
        &self,
        r: Vec3<S>,
        n: Vec3<S>,
        h: Vec3<S>,
        in_second: bool,
    ) -> [Wrench<S>; 2] {
        let o = &self.pose.rotation;
        let ([n1, h1], [n2, h2]) = if in_second {
            ([o.apply(n), o.apply(h)], [n, h])
        } else {
            ([n, h], [o.apply_transposed(n), o.apply_transposed(h)])
        };
        [wrench_about_pole(-n1, self.pose.point_in_other_body(r), -h1), wrench_about_pole(n2, r, h2)]
    }

    /// Sums `share`, the contribution of one body's twist, over columns, drift and current twists.
    fn evaluate_functional(
        &self,
        nv: usize,
        share: impl Fn(BodyOfPair, Twist<S>) -> S,
    ) -> TwistFunctional<S> {
        let mut columns = vec![S::ZERO; nv];
        for (speed, side, twist) in &self.columns {
            columns[*speed] = columns[*speed] + share(*side, *twist);
        }
        let whole = |twists: &[(BodyOfPair, Twist<S>)]| {
            let moves = twists.iter().filter(|(_, twist)| !twist.is_zero());
            moves.fold(S::ZERO, |sum, (side, twist)| sum + share(*side, *twist))
        };
        TwistFunctional { columns, drift: whole(&self.drift), velocity: whole(&self.moving) }
    }
}

/// Wrench about the pole of a force `f` applied at `r` and a moment `h`.
fn wrench_about_pole<S: Scalar>(f: Vec3<S>, r: Vec3<S>, h: Vec3<S>) -> Wrench<S> {
    Wrench { f, m: r.cross(f) + h }
}

/// Scalar product `a · n`, zero without operations if `n` is zero.
fn dot_unless_zero<S: Scalar>(a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() { S::ZERO } else { a.dot(n) }
}

/// Scalar product `(O a) · n`, zero without operations if a factor is zero.
fn rotated_dot<S: Scalar>(o: &Mat3<S>, a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() || a.is_zero() { S::ZERO } else { o.apply(a).dot(n) }
}

/// Scalar product `(Oᵀ a) · n`, zero without operations if a factor is zero.
fn transpose_rotated_dot<S: Scalar>(o: &Mat3<S>, a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() || a.is_zero() { S::ZERO } else { o.apply_transposed(a).dot(n) }
}
