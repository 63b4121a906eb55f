//! The frame at one end of a line element as seen from the frame at the other.

use super::pose::placement;
use super::relative::Relative;
use crate::algebra::{Scalar, Vec3};
use crate::mechanism::constraint::Seen;
use crate::mechanism::{Ends, Environment};

/// The second frame seen from the first; `pose`: the second body as seen from the first.
pub(super) fn seen_from_first<S: Scalar>(
    ends: &Ends,
    pose: &Relative<S>,
    poles: [Vec3<S>; 2],
    env: &Environment<'_, S>,
) -> Seen<S> {
    let (from, first) = placement(&ends.from.1, env);
    let (to, second) = placement(&ends.to.1, env);
    let arm = to - poles[1];
    let origin = first.apply_transposed(pose.point(arm) - (from - poles[0]));
    Seen { rotation: first.transposed_mul(&pose.rotation).mul(&second), origin, first, second, arm }
}

pub(super) fn poles<S: Scalar>(ends: &Ends, pole: impl Fn(usize) -> Vec3<S>) -> [Vec3<S>; 2] {
    [&ends.from, &ends.to].map(|end| end.0.map_or_else(|| Vec3::ZERO, &pole))
}
