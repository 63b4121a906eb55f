//! What a joint holds: the complement of its motion subspace, in closed form.
//!
//! Problem: 6 − nv wrenches `Z` that do no work on the joint's motion, `Zᵀ A = 0`, and twists `H` that the joint does not
//! admit, so that `[A H]` and `[Y Z]` are bases of twists and wrenches with `[Y Z]ᵀ [A H] = E` (`Y`: the dual of `A`).
//! Method:  by hand for each kind, with `a` the axis, `p₁, p₂` orthonormal to it, `e` the coordinate axes:
//!
//! | kind        | forces            | moments    | besides                          |
//! |-------------|-------------------|------------|----------------------------------|
//! | fixed       | e                 | e          |                                  |
//! | revolute    | e                 | p₁, p₂     |                                  |
//! | prismatic   | p₁, p₂            | e          |                                  |
//! | cylindrical | p₁, p₂            | p₁, p₂     |                                  |
//! | helical     | p₁, p₂            | p₁, p₂     | `Z = (a; −h a)`, `H = (a; 0)`    |
//! | universal   | e                 | n = a′ × b | `H = n / n²`, `n²` is constant   |
//! | planar      | normal            | both axes  |                                  |
//! | spherical   | e                 |            |                                  |
//! | direction   | e                 | A₁ × A₂    |                                  |
//! | free        |                   |            |                                  |
//!
//! where `H = Z` unless it is given. `p₁` is the product of the axis with the coordinate axis that it has the least of,
//! which is known when the equations are derived: nothing is divided by that can vanish.
//! Frames:  C axes, about the origin of C.
//! Units:   wrenches and twists; a column of `H` times its wrench is a power.
//! Cost:    O(1).
//! Not handled: prescribed coordinates; the caller takes their columns of `A` and `Y` to `H` and `Z`.

use super::{angular, first, force, linear, moment, unit};
use crate::algebra::{Mat3, Number, Scalar, Twist, Vec3, Wrench};
use crate::mechanism::{AxisVector, Environment, Joint, JointKind};

/// A direction that a joint holds.
#[derive(Clone, Copy, Debug)]
pub struct Held<S> {
    /// Column of `Z`.
    pub wrench: Wrench<S>,
    /// Column of `H`.
    pub twist: Twist<S>,
}

fn held_force<S: Scalar>(f: Vec3<S>) -> Held<S> {
    Held { wrench: force(f), twist: linear(f) }
}

fn held_moment<S: Scalar>(m: Vec3<S>) -> Held<S> {
    Held { wrench: moment(m), twist: angular(m) }
}

/// Two orthonormal vectors across an axis.
fn across<S: Scalar>(axis: AxisVector, number: &dyn Fn(Number) -> S) -> [Vec3<S>; 2] {
    let size = axis.0.map(|n| n.to_f64().abs());
    let least = (0..3).fold(0, |least, i| if size[i] < size[least] { i } else { least });
    let mut product = [Number::ZERO; 3];
    let z = axis.0[(least + 2) % 3];
    product[(least + 1) % 3] = z.checked_neg().unwrap_or_else(|| Number::float(-z.to_f64()));
    product[(least + 2) % 3] = axis.0[(least + 1) % 3];
    let first = unit(AxisVector(product), number);
    [first, unit(axis, number).cross(first)]
}

/// The complement at local coordinates `q`.
pub fn complement<S: Scalar>(joint: &Joint, q: &[S], env: &Environment<'_, S>) -> Vec<Held<S>> {
    let units = [0, 1, 2].map(Vec3::<S>::unit);
    let forces = |v: &[Vec3<S>]| -> Vec<Held<S>> { v.iter().map(|f| held_force(*f)).collect() };
    let with_moments = |mut held: Vec<Held<S>>, v: &[Vec3<S>]| {
        held.extend(v.iter().map(|m| held_moment(*m)));
        held
    };
    match &joint.kind {
        JointKind::Fixed => with_moments(forces(&units), &units),
        JointKind::Revolute(a) => with_moments(forces(&units), &across(*a, env.number)),
        JointKind::Prismatic(a) => with_moments(forces(&across(*a, env.number)), &units),
        JointKind::Cylindrical(a) => {
            let p = across(*a, env.number);
            with_moments(forces(&p), &p)
        }
        JointKind::Helical(a, pitch) => {
            let p = across(*a, env.number);
            let a = unit(*a, env.number);
            let mut held = with_moments(forces(&p), &p);
            let wrench = Wrench { f: a, m: -a.scale(pitch.eval(env)) };
            held.push(Held { wrench, twist: linear(a) });
            held
        }
        JointKind::Universal(a, b) => {
            let [_, angle] = first(q);
            let (a, b) = (unit(*a, env.number), unit(*b, env.number));
            let gram = a.dot(b);
            let n = Mat3::about_vector(b, angle).apply_transposed(a).cross(b);
            let mut held = forces(&units);
            let square = S::ONE - gram * gram;
            let twist = angular(n.map(|x| if x.is_zero() { S::ZERO } else { x / square }));
            held.push(Held { wrench: moment(n), twist });
            held
        }
        JointKind::Planar(a, b) => {
            let (a, b) = (unit(*a, env.number), unit(*b, env.number));
            with_moments(forces(&[a.cross(b)]), &[a, b])
        }
        JointKind::Spherical(..) => forces(&units),
        JointKind::Direction => {
            let [_, elevation] = first(q);
            let (s, c) = elevation.sin_cos();
            with_moments(forces(&units), &[Vec3::new(c, S::ZERO, -s)])
        }
        JointKind::Free(..) => Vec::new(),
    }
}
