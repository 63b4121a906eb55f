//! CRBA, the composite-body form (5.5): `M̄ = Tᵀ M T` first, as composite inertias, then `Aᵀ M̄ A`.
//!
//! Problem: `M v̇ + c = Q` of a tree.
//! Method:  tree-forms paper (5.5), mechanics 1.3; Featherstone 2008, section 6.2. From the leaves
//!          to the root `Mᶜ_i = M_i + Σ Cᵀ Mᶜ_j C`. Then each column `Y = Mᶜ_i A_i` is transformed
//!          towards the root, where each joint contributes `H_ki = A_kᵀ Y`. `H_ij` is zero unless
//!          one of i, j is an ancestor of the other. The right-hand side is one RNEA sweep at
//!          `v̇ = 0`, with the ground accelerated against gravity.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   row i has the unit of effort i.
//! Cost:    O(nv · depth) for H, O(bodies) for the right-hand side; then LᵀDL with the sparsity of
//!          the tree.
//! Rotors:  the armature is added to the diagonal. `h` (see `rotors`) is accumulated from the
//!          carrier to the root, which preserves the sparsity of the tree, since the carrier is an
//!          end of the joint.
//!
//! Not handled: constraints; `forward` adds them.

use crate::formalism::dynamics::actions::{self, sum_actions};
use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::formulation_axes::{convert_motion_and_loads, motion_in_formulation_axes};
use crate::formalism::dynamics::mass_matrix::mass_matrix;
use crate::formalism::dynamics::regroup::regroup_inertias;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::dynamics::{newton_euler, rotors};
use crate::formalism::method::{ConstraintsBy, Facts, Implicit, Lean, Method, OF_SUBTREES, SolvedSystem};
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::kinematics::{ConstraintRow, Kinematics, kinematics_without_jacobians};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Formalism `composite_body`: the composite rigid body algorithm (CRBA), `Aᵀ (Tᵀ M T) A`.
pub(crate) struct CompositeBody;

impl Method for CompositeBody {
    const FACTS: Facts = Facts {
        name: "composite_body",
        description: "mass matrix from the inertias of subtrees; LᵀDL factorisation with the sparsity of the tree",
        solves: SolvedSystem::MassMatrix,
        constraints: ConstraintsBy::Multipliers,
        states_equations: true,
        mass: Some(OF_SUBTREES),
        partial_velocities: true,
        growth: 3,
        lean: Lean::Always,
        cubes_denominators: false,
        sources: &["Featherstone2008", "ByachkovIvanovShimanovsky2009"],
    };

    fn implicit<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
        Some(composite_body_equations(m, env))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let (k, applied) = motion_in_formulation_axes(m, env);
        let right = right_side_by_recursion(m, &k, &applied);
        solve_by_mass_matrix(m, rows, &mass_matrix(m, &k), &right)
    }
}

/// Mass matrix M, bias c and forces Q by CRBA at `env`.
pub(crate) fn composite_body_equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let k = regroup_inertias(m, kinematics_without_jacobians(m, env), env);
    let still = vec![S::ZERO; m.nv()];
    let inertial = Applied::gyroscopic_only(&k);
    let c = inverse_dynamics_efforts(m, &k, &inertial, &still);
    let mut acting = vec![actions::gravity_action(m, &k, env)];
    acting.extend(actions::load_actions(m, &k, env));
    let (wrenches, efforts) = sum_actions(m, &acting);
    let active = project_on_partial_velocities(m, &k, &accumulate_wrenches_to_root(m, &k, wrenches, "load"));
    let force = active.into_iter().zip(efforts).map(|(f, tau)| f + tau).collect();
    Implicit { mass: mass_matrix(m, &convert_motion_and_loads(m, k, env).0), c, force }
}

/// Right-hand side `Q − c` by one RNEA sweep, with gravity as an acceleration of the ground.
pub(crate) fn right_side_by_recursion<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
) -> Vec<S> {
    let needed = inverse_dynamics_efforts(m, k, applied, &vec![S::ZERO; m.nv()]);
    needed.into_iter().zip(&applied.efforts).map(|(x, tau)| *tau - x).collect()
}

/// Efforts `(T A)ᵀ (M V̇ − F*)` for given `v̇`: inverse dynamics of the tree by RNEA.
fn inverse_dynamics_efforts<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    accelerations: &[S],
) -> Vec<S> {
    let rates =
        newton_euler::body_accelerations(m, k, applied.ground, accelerations, newton_euler::BIAS_NAMES);
    let transmitted =
        newton_euler::transmitted_wrenches(m, k, applied, accelerations, &rates, newton_euler::BIAS_NAMES);
    let mut efforts = project_on_partial_velocities(m, k, &transmitted);
    rotors::add_rotor_efforts(k, |b| rates[b], &mut efforts);
    efforts
}
