//! Kane's equations: generalised inertia forces and generalised active forces along partial
//! velocities.
//!
//! Problem: `M v̇ + c = Q` of a tree of rigid bodies for speeds that may be quasi-velocities.
//! Method:  Kane and Levinson 1985, chapter 4 and section 6.1; the Kane lecture in mechanics 3;
//!          (5.4) of the tree-forms paper. With the partial velocities `J_kj` of body k
//!          (kinematics): `M_ij = Σ_k J_kiᵀ M_k J_kj`, `c_i = Σ_k J_kiᵀ (M_k V̇_k + gyroscopic)` at
//!          `v̇ = 0`, `Q_i = Σ_k J_kiᵀ W_k + τ_i`. Beyond the joint of speed j, each partial
//!          velocity is `J_kj = C … C A_j`. The sum over those bodies is therefore formed once, as
//!          a composite inertia. Its wrench is transformed towards the root by `Cᵀ`, and each joint
//!          on the path contributes with `J_ki = C … C A_i`.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   row i has the unit of effort i.
//! Cost:    O(nv · depth) transforms for M; O(bodies) for c and Q.
//! Rotors:  the armature is added to the diagonal of M; the rest as in `rotors`.
//!
//! Not handled: loops, constraints.

use super::composite_body::right_side_by_recursion;
use crate::formalism::dynamics::actions::{self, sum_actions};
use crate::formalism::dynamics::formulation_axes::{convert_motion_and_loads, motion_in_formulation_axes};
use crate::formalism::dynamics::mass_matrix::mass_matrix;
use crate::formalism::dynamics::regroup::regroup_inertias;
use crate::formalism::dynamics::rotors;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Facts, Implicit, Lean, Method, OF_SUBTREES, SolvedSystem};
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::kinematics::{ConstraintRow, kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// Formalism `kane`: Kane's equations, by partial velocities.
pub(crate) struct Kane;

impl Method for Kane {
    const FACTS: Facts = Facts {
        name: "kane",
        description: "Kane's equations, with partial velocities and quasi-velocities",
        solves: SolvedSystem::Implicit,
        constraints: ConstraintsBy::Multipliers,
        states_equations: true,
        mass: Some(OF_SUBTREES),
        partial_velocities: true,
        growth: 3,
        lean: Lean::Always,
        cubes_denominators: false,
        sources: &["KaneLevinson1985"],
    };

    fn implicit<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
        Some(kane_equations(m, env))
    }

    fn right_side<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Vec<S>> {
        let (k, applied) = motion_in_formulation_axes(m, env);
        Some(right_side_by_recursion(m, &k, &applied))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let e = kane_equations(m, env);
        solve_by_mass_matrix(m, rows, &e.mass, &e.right_side())
    }
}

/// Mass matrix M, bias c and forces Q by Kane's equations at `env`.
fn kane_equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let k = regroup_inertias(m, kinematics(m, env), env);
    let mut applied = vec![actions::gravity_action(m, &k, env)];
    applied.extend(actions::load_actions(m, &k, env));
    let (wrenches, efforts) = sum_actions(m, &applied);
    let mut inertial: Vec<Wrench<S>> = BodyId::enumerate(&k.bodies)
        .map(|(i, b)| {
            b.inertia.inertial_wrench(b.twist.w, b.bias).name_parts("inertial", &|| m.bodies[i].name.clone())
        })
        .collect();
    rotors::add_rotor_gyroscopic_moments(&k, &mut inertial);
    rotors::add_prescribed_rotor_moments(&k, &mut inertial);
    let mut c =
        project_on_partial_velocities(m, &k, &accumulate_wrenches_to_root(m, &k, inertial, "inertial"));
    rotors::add_rotor_efforts(&k, |b| k.bodies[b].bias, &mut c);
    let active = project_on_partial_velocities(m, &k, &accumulate_wrenches_to_root(m, &k, wrenches, "load"));
    Implicit {
        mass: mass_matrix(m, &convert_motion_and_loads(m, k, env).0),
        c,
        force: active.into_iter().zip(efforts).map(|(f, tau)| f + tau).collect(),
    }
}
