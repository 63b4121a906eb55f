//! Joints: pose, motion subspace and coordinate rates of each kind, in closed form over any scalar.
//!
//! Problem: the pose of the child's joint frame C in the parent's joint frame P as a function of the joint's local
//! coordinates, its relative twist `A v`, the componentwise rate `Ȧ v`, and `q̇ = N v`.
//! Method:  one file a kind, each with its own algebra; Featherstone 2008, chapter 4, for the one-axis kinds, Wittenburg
//! 2008, chapter 2, for attitudes. Rotations map C to P, angles are right-handed, nothing is wrapped.
//! Shapes:  `nq` and `nv` are local to the joint, prescribed coordinates included; at most 7 and 6.
//! Frames:  `A`, `Ȧ v` and the dual wrenches are in C axes at the origin of C; translations in P axes.
//! Units:   m and rad; a column of `A` has the unit of a twist per unit of its speed.
//! Cost:    O(1) a joint.
//! Not handled: forces; what a joint holds is in `complement`.

mod attitude;
mod complement;
mod cylindrical;
mod direction;
mod fixed;
mod free;
mod helical;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
#[cfg(test)]
mod tests;
mod universal;

pub use complement::{Held, complement};

use super::formula::Environment;
use super::model::{Attitude, AxisVector, Joint, JointKind, SpeedKind, VelocityFrame};
use crate::algebra::{Mat3, Number, Scalar, Twist, Vec3, Wrench};

/// What a joint does, at local coordinates and local speeds.
#[derive(Clone, Debug)]
pub struct JointMotion<S> {
    /// C to P axes; of a joint with absolute angles: C to ground axes.
    pub rotation: Mat3<S>,
    /// From the origin of P to the origin of C, in P axes \[m\].
    pub translation: Vec3<S>,
    /// `A`: one column a local speed, in C axes at the origin of C. The linear part is relative to P; the angular part
    /// too, or, with absolute angles, relative to the ground.
    pub subspace: Vec<Twist<S>>,
    /// `Ȧ v`, component by component in C axes.
    pub bias: Twist<S>,
    /// `Y`: for each local speed the wrench on the child, about the origin of C in C axes, that one unit of effort on
    /// that speed is: `Aᵢᵀ Yⱼ = δᵢⱼ`.
    pub dual: Vec<Wrench<S>>,
    /// `N` of `q̇ = N v`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// What `N` divides by: sine or cosine of a middle angle. Order one.
    pub denominators: Vec<S>,
}

/// What the angles of a joint are measured from, as seen from P.
#[derive(Clone, Copy, Debug)]
pub struct Reference<S> {
    /// P to reference axes: the identity, or with absolute angles P to ground axes.
    pub rotation: Mat3<S>,
    /// Angular velocity of P relative to the reference, in P axes [rad/s].
    pub angular_velocity: Vec3<S>,
}

impl<S: Scalar> Reference<S> {
    /// Angles are measured from P itself.
    pub fn parent() -> Self {
        Reference { rotation: Mat3::identity(), angular_velocity: Vec3::ZERO }
    }
}

/// `A`, `Ȧ v` and `Y` of [`JointMotion`].
struct Subspace<S> {
    columns: Vec<Twist<S>>,
    bias: Twist<S>,
    dual: Vec<Wrench<S>>,
}

/// `N` of [`JointMotion`] and what it divides by.
#[derive(Clone, Debug)]
pub struct RateMatrix<S> {
    /// nq × nv.
    pub matrix: Vec<Vec<S>>,
    /// Order one.
    pub denominators: Vec<S>,
}

/// The short list that every kind answers.
trait Kind<S: Scalar> {
    /// Rotation C to reference axes, translation in P axes.
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>);

    /// Subspace, its rate and its dual.
    fn subspace(&self, q: &[S], v: &[S], reference: &Reference<S>) -> Subspace<S>;

    /// `N`; `None` where the speeds are the rates.
    fn rates(&self, _q: &[S], _reference: &Reference<S>) -> Option<RateMatrix<S>> {
        None
    }
}

fn kind<'a, S: Scalar + 'a>(joint: &Joint, env: &Environment<'_, S>) -> Box<dyn Kind<S> + 'a> {
    let axis = |a: &AxisVector| unit(*a, env.number);
    match &joint.kind {
        JointKind::Fixed => Box::new(fixed::Fixed),
        JointKind::Revolute(a) => Box::new(revolute::Revolute { axis: axis(a) }),
        JointKind::Prismatic(a) => Box::new(prismatic::Prismatic { axis: axis(a) }),
        JointKind::Helical(a, pitch) => Box::new(helical::Helical { axis: axis(a), pitch: pitch.eval(env) }),
        JointKind::Cylindrical(a) => Box::new(cylindrical::Cylindrical { axis: axis(a) }),
        JointKind::Universal(a, b) => Box::new(universal::Universal { first: axis(a), second: axis(b) }),
        JointKind::Planar(a, b) => Box::new(planar::Planar { first: axis(a), second: axis(b) }),
        JointKind::Spherical(attitude, speeds) => {
            Box::new(spherical::Spherical { attitude: *attitude, speeds: *speeds })
        }
        JointKind::Free(attitude, speeds, frame) => {
            Box::new(free::Free { attitude: *attitude, speeds: *speeds, frame: *frame })
        }
        JointKind::Direction => Box::new(direction::Direction),
    }
}

/// Pose of C: rotation C to reference axes, translation in P axes.
pub fn pose<S: Scalar>(joint: &Joint, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
    kind(joint, env).pose(q)
}

/// `N` at local coordinates `q`.
pub fn rates<S: Scalar>(
    joint: &Joint,
    q: &[S],
    reference: &Reference<S>,
    env: &Environment<'_, S>,
) -> RateMatrix<S> {
    kind(joint, env).rates(q, reference).unwrap_or_else(|| identity(joint.speeds.len()))
}

/// Everything about the joint at local coordinates `q` and local speeds `v`.
pub fn motion<S: Scalar>(
    joint: &Joint,
    q: &[S],
    v: &[S],
    reference: &Reference<S>,
    env: &Environment<'_, S>,
) -> JointMotion<S> {
    let kind = kind(joint, env);
    let (rotation, translation) = kind.pose(q);
    let subspace = kind.subspace(q, v, reference);
    let rates = kind.rates(q, reference).unwrap_or_else(|| identity(joint.speeds.len()));
    JointMotion {
        rotation,
        translation,
        subspace: subspace.columns,
        bias: subspace.bias,
        dual: subspace.dual,
        rate_matrix: rates.matrix,
        denominators: rates.denominators,
    }
}

/// True if the local speed `i` is the rate of the local coordinate `i`.
pub fn is_rate(joint: &Joint, i: usize) -> bool {
    let angular = |attitude, speeds| matches!((attitude, speeds), (Attitude::Sequence(_), SpeedKind::Rates));
    match &joint.kind {
        JointKind::Spherical(attitude, speeds) => angular(*attitude, *speeds),
        JointKind::Free(_, _, frame) if i < 3 => *frame == VelocityFrame::Parent,
        JointKind::Free(attitude, speeds, _) => angular(*attitude, *speeds),
        _ => true,
    }
}

/// The unit vector along a written axis. An axis along a coordinate axis is exact.
pub fn unit<S: Scalar>(axis: AxisVector, number: &dyn Fn(Number) -> S) -> Vec3<S> {
    let n = axis.0;
    let nonzero: Vec<usize> = (0..3).filter(|i| !n[*i].is_zero()).collect();
    if let [i] = nonzero[..] {
        let e = Vec3::unit(i);
        return if n[i].to_f64() < 0.0 { -e } else { e };
    }
    let a = Vec3(n.map(|x| if x.is_zero() { S::ZERO } else { number(x) }));
    let length = a.dot(a).sqrt();
    a.map(|x| if x.is_zero() { S::ZERO } else { x / length })
}

fn identity<S: Scalar>(n: usize) -> RateMatrix<S> {
    let matrix = (0..n).map(|i| (0..n).map(|j| if i == j { S::ONE } else { S::ZERO }).collect()).collect();
    RateMatrix { matrix, denominators: Vec::new() }
}

/// The first `N` local values; what is missing is zero.
fn first<S: Scalar, const N: usize>(x: &[S]) -> [S; N] {
    std::array::from_fn(|i| x.get(i).copied().unwrap_or(S::ZERO))
}

fn linear<S: Scalar>(v: Vec3<S>) -> Twist<S> {
    Twist { v, w: Vec3::ZERO }
}

fn angular<S: Scalar>(w: Vec3<S>) -> Twist<S> {
    Twist { v: Vec3::ZERO, w }
}

fn force<S: Scalar>(f: Vec3<S>) -> Wrench<S> {
    Wrench { f, m: Vec3::ZERO }
}

fn moment<S: Scalar>(m: Vec3<S>) -> Wrench<S> {
    Wrench { f: Vec3::ZERO, m }
}
