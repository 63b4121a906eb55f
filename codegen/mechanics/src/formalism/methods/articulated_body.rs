//! ABA: `v̇` by an inward and an outward sweep over articulated bodies, without a mass matrix.
//!
//! Problem: `v̇` and the reactions of a tree in O(bodies).
//! Method:  `dynamics::sweep`. Constraints are added by the Schur complement, with a sweep for each
//!          row.
//! Cost:    O(bodies), and a sweep for each row.

use crate::formalism::dynamics::chosen::chosen_motion;
use crate::formalism::dynamics::pivots::with_diagonal;
use crate::formalism::dynamics::saddle::solve_by_inverse;
use crate::formalism::dynamics::solved::Solved;
use crate::formalism::dynamics::sweep::Sweep;
use crate::formalism::method::{ConstraintsBy, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// The articulated-body algorithm (ABA), by Vereshchagin's sweeps.
pub(crate) struct ArticulatedBody;

impl Method for ArticulatedBody {
    const FACTS: Facts = Facts {
        name: "articulated_body",
        description: "Vereshchagin: O(n), without a mass matrix",
        solves: SolvedSystem::Sweeps,
        constraints: ConstraintsBy::Multipliers,
        states_equations: false,
        mass: None,
        partial_velocities: true,
        growth: 0,
        lean: Lean::Always,
        cubes_denominators: false,
        sources: &["Vereshchagin1974", "Featherstone2008"],
    };

    fn solve<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rows: &[ConstraintRow<S>]) -> Solved<S> {
        let (k, applied) = chosen_motion(m, env);
        let sweep = Sweep::new(m, &k);
        let swept = sweep.solve(m, &k, &applied);
        let pivots = with_diagonal(m, env, &k, sweep.pivots.iter().copied());
        let c = solve_by_inverse(rows, swept.accelerations, |row| sweep.inverse(m, &k, row));
        Solved {
            accelerations: c.accelerations,
            multipliers: c.multipliers,
            pivots,
            independence: c.independence,
            lengths: c.lengths,
            carried: (env.regrouped.is_empty() && !env.any_unturned()).then_some(swept.reactions),
        }
    }
}
