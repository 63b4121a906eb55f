//! The applied generalised forces by where they come from: of a potential, and all others.
//!
//! Problem: a reader looks for the terms of gravity and of springs beside those of inertia, for inputs and dampers on the
//!          other side; Q has them all.
//! Method:  Q is a sum over loads. The same method gives it for the mechanism with nothing but gravity and the stiffness of
//!          its springs, and for the mechanism without these. Where a load depends on gravity by a measure, gravity counts with the
//!          loads: what compensates it cancels.

use dqdt_algebra::{Number, Scalar};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::mechanism::{Environment, Formula, Load, Mechanism};

/// `Q`, by speed, in two parts.
pub(super) struct Forces<S> {
    /// Of springs, and of gravity if [`gravity_is_conservative`]: less the derivative of the potential where speeds are rates of
    /// coordinates.
    pub conservative: Vec<S>,
    /// Of all other loads.
    pub other: Vec<S>,
}

fn zero() -> Formula {
    Formula::Number(Number::integer(0))
}

/// True if gravity is a force of the conservative part: no measure depends on it.
pub(super) fn gravity_is_conservative(m: &Mechanism) -> bool {
    !m.measures.iter().any(|measure| measure.kind.form().depends_on_gravity())
}

/// Both parts of the force.
pub(super) fn forces<S: Scalar>(m: &Mechanism, f: Formalism, env: &Environment<'_, S>) -> Forces<S> {
    let (mut potential, mut rest) = (m.clone(), m.clone());
    let without = if gravity_is_conservative(m) { &mut rest } else { &mut potential };
    without.gravity = [zero(), zero(), zero()];
    for (loads, part) in [(&mut potential.loads, 0), (&mut rest.loads, 1)] {
        let parts = m.loads.iter().filter_map(|l| {
            let [conservative, other] = l.kind.parts();
            let kind = if part == 0 { conservative } else { other };
            Some(Load { name: l.name.clone(), kind: kind? })
        });
        *loads = parts.collect();
    }
    Forces {
        conservative: formalism::implicit(f, &potential, env).force,
        other: formalism::implicit(f, &rest, env).force,
    }
}
