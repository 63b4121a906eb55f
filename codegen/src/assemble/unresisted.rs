//! Motions of a tree that no inertia resists in any pose.
//!
//! Problem: two joints behind each other that move a body alike, with nothing between them that has inertia: M is singular in every
//! pose, and zero over zero may look like a number.
//! Method:  `M = LᵀDL` over doubles at the start and at poses away from it, at the defaults and at other values of the parameters. A
//! speed is told whose pivot is lost in its rounding at all of them.
//! Not handled: mechanisms with constraints, which may need no such inertia.

use crate::algebra::Number;
use crate::base::Span;
use crate::error::Diagnostic;
use crate::formalism::{self, Formalism};
use crate::kinematics::{self, parameters, start};
use crate::mechanism::{Mechanism, ParameterKind};

/// Poses besides the start.
const POSES: usize = 3;
/// A pivot below this times its entry of the diagonal is none.
const LOST: f64 = 1e-12;

/// A speed that no inertia tells from those before it.
pub fn unresisted(m: &Mechanism) -> Option<usize> {
    if !m.constraints.is_empty() || m.nv() == 0 {
        return None;
    }
    let free = m.parameters.iter().filter(|p| matches!(p.kind, ParameterKind::Free(_))).count();
    let other: Vec<f64> =
        (1..=free.saturating_sub(m.numbers)).map(|k| 0.5 + (0.618_034 * k as f64) % 1.0).collect();
    let mut lost = vec![true; m.nv()];
    for values in [&[][..], &other] {
        let p = parameters(m, &Number::to_f64, values);
        for pose in 0..=POSES {
            let mut s = start(m, &Number::to_f64, &p);
            let quaternions = kinematics::quaternions(m);
            for (i, q) in s.q.iter_mut().enumerate() {
                if !quaternions.iter().any(|first| (*first..first + 4).contains(&i)) {
                    *q += 0.4 * pose as f64 * (1.7 * i as f64 + 2.3 * pose as f64).sin();
                }
            }
            let mass = formalism::implicit(Formalism::Kane, m, &s.environment(&Number::to_f64)).mass;
            let own = lost_pivots(mass);
            lost.iter_mut().zip(own).for_each(|(lost, own)| *lost &= own);
            if !lost.contains(&true) {
                return None;
            }
        }
    }
    lost.iter().position(|lost| *lost)
}

/// The error about it, at the joint that it belongs to.
pub fn nothing_resists(m: &Mechanism, speed: usize, place: Option<Span>) -> Diagnostic {
    let (name, joint) = (&m.speeds[speed].name, &m.joints[m.speeds[speed].joint].name);
    let text = format!("no inertia tells `{name}` of joint `{joint}` from what other joints do");
    Diagnostic::error("massless", text).at(place, "the mass matrix is singular in every pose").help(
        "two joints that move a body alike need mass or inertia between them: give it to the body between, or remove one of the joints",
    )
}

/// From the first speed on, whose pivot is lost; what is no number is not.
fn lost_pivots(mut a: Vec<Vec<f64>>) -> Vec<bool> {
    let n = a.len();
    let diagonal: Vec<f64> = (0..n).map(|i| a[i][i].abs()).collect();
    let mut lost = vec![false; n];
    for k in 0..n {
        if a[k][k].abs() <= LOST * diagonal[k] {
            lost[k] = true;
            continue;
        }
        let (above, below) = a.split_at_mut(k + 1);
        let pivot = &above[k];
        for row in below.iter_mut().filter(|row| row[k] != 0.0) {
            let f = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, p)| *x -= f * p);
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pivot_that_is_lost_is_that_of_the_later_speed() {
        assert_eq!(lost_pivots(vec![vec![1.0, 1.0], vec![1.0, 1.0]]), [false, true]);
        assert_eq!(lost_pivots(vec![vec![2.0, 1.0], vec![1.0, 1.0]]), [false, false]);
    }
}
