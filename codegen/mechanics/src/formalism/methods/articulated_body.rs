//! ABA: `v̇` by an inward and an outward sweep over articulated bodies, without a mass matrix.
//!
//! Problem: `v̇` and the reactions of a tree in O(bodies).
//! Method:  `dynamics::articulated_sweep`. Constraints are added by the Schur complement, with a
//!          sweep for each row.
//! Cost:    O(bodies), and a sweep for each row.

use crate::formalism::dynamics::articulated_sweep::ArticulatedSweep;
use crate::formalism::dynamics::formulation_axes::motion_in_formulation_axes;
use crate::formalism::dynamics::pivots::pivots_with_diagonal;
use crate::formalism::dynamics::saddle::solve_constrained_by_inverse;
use crate::formalism::dynamics::solved::DynamicsSolution;
use crate::formalism::method::{ConstraintsBy, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Formalism `articulated_body`: the articulated-body algorithm (ABA), by Vereshchagin's sweeps.
pub(crate) struct ArticulatedBody;

impl Method for ArticulatedBody {
    const FACTS: Facts = Facts {
        name: "articulated_body",
        description: "articulated-body algorithm (Vereshchagin): O(n), without a mass matrix",
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

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let (k, applied) = motion_in_formulation_axes(m, env);
        let sweep = ArticulatedSweep::new(m, &k);
        let swept = sweep.solve(m, &k, &applied);
        let pivots = pivots_with_diagonal(m, env, &k, sweep.pivots.iter().copied());
        let c = solve_constrained_by_inverse(rows, swept.accelerations, |row| {
            sweep.solve_unit_multiplier(m, &k, row)
        });
        DynamicsSolution {
            accelerations: c.accelerations,
            multipliers: c.multipliers,
            pivots,
            independence: c.independence,
            lengths: c.lengths,
            joint_wrenches: (env.regrouped.is_empty() && !env.has_unrotated_axes())
                .then_some(swept.reactions),
        }
    }
}
