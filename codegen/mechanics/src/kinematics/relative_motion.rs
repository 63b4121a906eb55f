//! The motion of one body seen from another.
//!
//! Problem: relative twist of bodies `a` and `b`, column by column, without what moves both.
//! Method:  speeds beyond the nearest common ancestor only: what both share cannot change how one is seen from the
//! other, and the graph would not cancel it. A joint that measures its angles from the ground breaks this; then the
//! paths reach down to the ground.
//! Frames:  each column in the axes of its own body about its pole, so that no rotation is applied there and back.
//! Cost:    O(depth).
//! Not handled: accelerations; they are derivatives along the motion.

use super::bodies::{Column, Kinematics};
use super::relative::relative;
use crate::mechanism::load::Relative;
use crate::mechanism::{BodyId, Mechanism, SpeedId};
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3, Wrench};

/// Which of the two bodies a share of the motion belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    First,
    Second,
}

/// How body `b` (the second) moves as seen from body `a` (the first).
#[derive(Clone, Debug)]
pub(super) struct RelativeMotion<S> {
    /// The second as seen from the first.
    pub pose: Relative<S>,
    /// The pole of the first in its body frame.
    pub first_pole: Vec3<S>,
    /// The pole of the second in its body frame.
    pub second_pole: Vec3<S>,
    columns: Vec<(SpeedId, Side, Twist<S>)>,
    drift: [(Side, Twist<S>); 2],
    /// The same with the values of the speeds.
    moving: [(Side, Twist<S>); 2],
}

/// A functional of the relative motion.
pub(super) struct Along<S> {
    /// By speed.
    pub columns: Vec<S>,
    /// What is there without speeds.
    pub drift: S,
    /// All of it. From the twists of the bodies, not from the columns: its derivative takes fewer operations.
    pub velocity: S,
}

/// The nearest common ancestor below which no joint on the two paths measures from the ground.
fn meeting(m: &Mechanism, a: Option<BodyId>, b: Option<BodyId>) -> Option<BodyId> {
    let path: Vec<BodyId> = b.map(|b| m.path(b).collect()).unwrap_or_default();
    let common = a.and_then(|a| m.path(a).find(|x| path.contains(x)))?;
    let beyond = |x: Option<BodyId>| x.into_iter().flat_map(|x| m.path(x)).take_while(|x| *x != common);
    let absolute = beyond(a).chain(beyond(b)).any(|x| m.joints[x].absolute);
    (!absolute).then_some(common)
}

/// Motion of a body relative to an ancestor, of columns that are asked for.
fn moved<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    body: Option<BodyId>,
    from: Option<BodyId>,
    of: &dyn Fn(&Column<S>) -> bool,
) -> Twist<S> {
    let Some(b) = body.filter(|_| body != from) else { return Twist::ZERO };
    let own = k.bodies[b].columns.iter().filter(|c| of(c)).map(|c| c.twist.scale(c.rate));
    let own = own.fold(Twist::ZERO, |sum, x| sum + x);
    match m.joints[b].parent {
        Some(p) => k.bodies[b].carry(moved(m, k, Some(p), from, of)) + own,
        None => own,
    }
}

pub(super) fn relative_motion<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    a: Option<BodyId>,
    b: Option<BodyId>,
) -> RelativeMotion<S> {
    let common = meeting(m, a, b);
    let shared = common.map_or(0, |c| k.bodies[c].partial.len());
    let of = |body: Option<BodyId>, side| {
        let partial = body.map_or(&[][..], |b| &k.bodies[b].partial[..]);
        partial.iter().skip(shared).map(move |(speed, twist)| (*speed, side, *twist)).collect::<Vec<_>>()
    };
    let both = |of: &dyn Fn(&Column<S>) -> bool| {
        [(Side::First, moved(m, k, a, common, of)), (Side::Second, moved(m, k, b, common, of))]
    };
    let pole = |body: Option<BodyId>| body.map_or(Vec3::ZERO, |b| k.bodies[b].pole);
    RelativeMotion {
        pose: relative(m, &|i| k.bodies[i].pose(), b, a),
        first_pole: pole(a),
        second_pole: pole(b),
        columns: [of(a, Side::First), of(b, Side::Second)].concat(),
        drift: both(&|c| c.speed.is_none()),
        moving: both(&|_| true),
    }
}

impl<S: Scalar> RelativeMotion<S> {
    /// `n · v + h · w`, by speed, without speeds and as a whole: `v` is the velocity of the point `r` of
    /// the second body (from its pole, in its axes) and `w` its angular velocity, both as seen from the first. `n` and
    /// `h` are in the axes of the first body.
    pub fn along_first(&self, nv: usize, r: Vec3<S>, n: Vec3<S>, h: Vec3<S>) -> Along<S> {
        let o = &self.pose.rotation;
        let seen = self.pose.point(r);
        self.sum(nv, |side, t| match side {
            Side::Second => turned(o, t.at(r), n) + turned(o, t.w, h),
            Side::First => -(dot(t.at(seen), n) + dot(t.w, h)),
        })
    }

    /// The same with `n` and `h` in the axes of the second body.
    pub fn along_second(&self, nv: usize, r: Vec3<S>, n: Vec3<S>, h: Vec3<S>) -> Along<S> {
        let o = &self.pose.rotation;
        let seen = self.pose.point(r);
        self.sum(nv, |side, t| match side {
            Side::Second => dot(t.at(r), n) + dot(t.w, h),
            Side::First => -(turned_back(o, t.at(seen), n) + turned_back(o, t.w, h)),
        })
    }

    /// What one unit of multiplier of such a row is on the two bodies, each in its own axes about its pole: first, second.
    /// `n` and `h` are in the axes of the second body if `in_second`, else of the first.
    pub fn wrenches(&self, r: Vec3<S>, n: Vec3<S>, h: Vec3<S>, in_second: bool) -> [Wrench<S>; 2] {
        let o = &self.pose.rotation;
        let ([n1, h1], [n2, h2]) = if in_second {
            ([o.apply(n), o.apply(h)], [n, h])
        } else {
            ([n, h], [o.apply_transposed(n), o.apply_transposed(h)])
        };
        let on = |f: Vec3<S>, r: Vec3<S>, h: Vec3<S>| Wrench { f, m: r.cross(f) + h };
        [on(-n1, self.pose.point(r), -h1), on(n2, r, h2)]
    }

    fn sum(&self, nv: usize, share: impl Fn(Side, Twist<S>) -> S) -> Along<S> {
        let mut columns = vec![S::ZERO; nv];
        for (speed, side, twist) in &self.columns {
            columns[*speed] = columns[*speed] + share(*side, *twist);
        }
        let whole = |twists: &[(Side, Twist<S>)]| {
            let moves = twists.iter().filter(|(_, twist)| !twist.is_zero());
            moves.fold(S::ZERO, |sum, (side, twist)| sum + share(*side, *twist))
        };
        Along { columns, drift: whole(&self.drift), velocity: whole(&self.moving) }
    }
}

fn dot<S: Scalar>(a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() { S::ZERO } else { a.dot(n) }
}

fn turned<S: Scalar>(o: &Mat3<S>, a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() || a.is_zero() { S::ZERO } else { o.apply(a).dot(n) }
}

fn turned_back<S: Scalar>(o: &Mat3<S>, a: Vec3<S>, n: Vec3<S>) -> S {
    if n.is_zero() || a.is_zero() { S::ZERO } else { o.apply_transposed(a).dot(n) }
}
