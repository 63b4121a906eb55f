//! The mixed form: CRBA within groups of joints, ABA between the groups.
//!
//! Problem: `v̇` of a tree in fewer operations than factoring the whole of M, or eliminating single
//!          joints, needs.
//! Method:  `dynamics::block_elimination`, with the elimination groups of the formulation.
//! Cost:    depends on the groups.

use crate::formalism::dynamics::block_elimination::BlockElimination;
use crate::formalism::dynamics::formulation_axes::motion_in_formulation_axes;
use crate::formalism::dynamics::pivots::pivots_with_diagonal;
use crate::formalism::dynamics::saddle::solve_constrained_by_inverse;
use crate::formalism::dynamics::solved::DynamicsSolution;
use crate::formalism::method::{ConstraintsBy, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::ConstraintRow;
use crate::mechanism::EliminationGroups;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Formalism `mixed`: block elimination by groups of joints, CRBA within a group and ABA between
/// groups.
pub(crate) struct Mixed;

impl Method for Mixed {
    const FACTS: Facts = Facts {
        name: "mixed",
        description: "elimination of groups of joints, with articulated bodies between the groups",
        solves: SolvedSystem::Sweeps,
        constraints: ConstraintsBy::Multipliers,
        states_equations: false,
        mass: None,
        partial_velocities: true,
        growth: 0,
        lean: Lean::Always,
        cubes_denominators: false,
        sources: &["Featherstone2008"],
    };

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let (k, applied) = motion_in_formulation_axes(m, env);
        let groups = (env.formulation.and_then(|f| f.elimination_groups.clone())).unwrap_or_else(|| {
            EliminationGroups::from_leaves(&m.joints, EliminationGroups::DEFAULT_CHAIN_LENGTH)
        });
        let sweep = BlockElimination::new(m, &k, &groups, applied.ground);
        let accelerations = sweep.solve(m, &k, &applied);
        let pivots = pivots_with_diagonal(m, env, &k, sweep.pivots.iter().copied());
        let c =
            solve_constrained_by_inverse(rows, accelerations, |row| sweep.solve_unit_multiplier(m, &k, row));
        DynamicsSolution {
            accelerations: c.accelerations,
            multipliers: c.multipliers,
            pivots,
            independence: c.independence,
            lengths: c.lengths,
            joint_wrenches: None,
        }
    }
}
