//! Applied generalised forces in two parts: conservative (gravity, springs) and all others.
//!
//! Problem: textbooks print terms of gravity and springs with the inertia, inputs and dampers on
//!          the other side; Q is the sum of both.
//! Method:  Q is a sum over loads. The formalism computes it twice: for the mechanism with only
//!          gravity and springs, and for the mechanism without them. Where a load depends on
//!          gravity by a measure, gravity counts as a load, so that what compensates it cancels.

use dqdt_algebra::{Number, Scalar};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::mechanism::{Environment, Formula, Load, Mechanism};

/// Applied generalised forces `Q`, one entry for each speed, in two parts.
pub(super) struct Forces<S> {
    /// From springs, and from gravity if [`gravity_is_conservative`]: minus the derivative of the
    /// potential, where speeds are rates of coordinates.
    pub conservative: Vec<S>,
    /// Generalised forces of all other loads: inputs, dampers, friction, and gravity if it is not
    /// conservative.
    pub other: Vec<S>,
}

fn zero_formula() -> Formula {
    Formula::Number(Number::integer(0))
}

/// True if gravity is part of the conservative forces, which is if no measure depends on it.
pub(super) fn gravity_is_conservative(m: &Mechanism) -> bool {
    !m.measures.iter().any(|measure| measure.kind.form().depends_on_gravity())
}

/// Evaluates both parts of Q by a formalism.
pub(super) fn split_forces<S: Scalar>(m: &Mechanism, f: Formalism, env: &Environment<'_, S>) -> Forces<S> {
    let (mut potential, mut rest) = (m.clone(), m.clone());
    let without_gravity = if gravity_is_conservative(m) { &mut rest } else { &mut potential };
    without_gravity.gravity = [zero_formula(), zero_formula(), zero_formula()];
    for (loads, part) in [(&mut potential.loads, 0), (&mut rest.loads, 1)] {
        let parts = m.loads.iter().filter_map(|l| {
            let [conservative, other] = l.kind.parts();
            let kind = if part == 0 { conservative } else { other };
            Some(Load { name: l.name.clone(), kind: kind? })
        });
        *loads = parts.collect();
    }
    Forces {
        conservative: formalism::implicit_equations(f, &potential, env).force,
        other: formalism::implicit_equations(f, &rest, env).force,
    }
}
