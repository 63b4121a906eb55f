//! The direct form (5.4): the Jacobian `J = T A` first, then `Jᵀ M J`.
//!
//! Problem: `M v̇ + c = Q` of a tree, without recursion from the leaves.
//! Method:  tree-forms paper (5.3), (5.4); mechanics 1.3. The columns of `T A` are the partial
//!          velocities of the bodies, which kinematics computes outwards. `H = (T A)ᵀ M (T A)`,
//!          `c = (T A)ᵀ (M T w + gyroscopic)`, `Q = (T A)ᵀ W + τ`: sums over the bodies that a
//!          speed moves.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   row i has the unit of effort i.
//! Cost:    O(bodies · depth²).
//! Rotors:  the armature is added to the diagonal; the rest as in `rotors`.
//!
//! Not handled: constraints; `forward` adds them.

use crate::formalism::dynamics::actions::{self, sum_actions};
use crate::formalism::dynamics::rotors;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Facts, Implicit, Lean, Method, SolvedSystem};
use crate::kinematics::{ConstraintRow, kinematics};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// Formalism `direct`: `(TA)ᵀ M (TA)` with the Jacobian of all bodies.
pub(crate) struct Direct;

impl Method for Direct {
    const FACTS: Facts = Facts {
        name: "direct",
        description: "computation of the Jacobian J, then of the product JᵀMJ",
        solves: SolvedSystem::Implicit,
        constraints: ConstraintsBy::Multipliers,
        states_equations: true,
        mass: Some("products with the Jacobian"),
        partial_velocities: true,
        growth: 6,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["ByachkovIvanovShimanovsky2009"],
    };

    fn implicit<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
        Some(direct_equations(m, env))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let e = direct_equations(m, env);
        solve_by_mass_matrix(m, rows, &e.mass, &e.right_side())
    }
}

/// Mass matrix M, bias c and forces Q by the direct formalism at `env`.
fn direct_equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let k = kinematics(m, env);
    let mut acting = vec![actions::gravity_action(m, &k, env)];
    acting.extend(actions::load_actions(m, &k, env));
    let (wrenches, mut force) = sum_actions(m, &acting);
    let n = m.nv();
    let mut mass = vec![vec![S::ZERO; n]; n];
    let mut c = vec![S::ZERO; n];
    let mut turning = vec![Wrench::ZERO; m.bodies.len()];
    rotors::add_rotor_gyroscopic_moments(&k, &mut turning);
    rotors::add_prescribed_rotor_moments(&k, &mut turning);
    rotors::add_rotor_efforts(&k, |b| k.bodies[b].bias, &mut c);
    for ((body, applied), turning) in k.bodies.iter().zip(wrenches).zip(turning) {
        let inertial = body.inertia.inertial_wrench(body.twist.w, body.bias) + turning;
        let momenta: Vec<Wrench<S>> = body.partial.iter().map(|(_, j)| body.inertia.momentum(*j)).collect();
        for (at, (i, column)) in body.partial.iter().enumerate() {
            c[*i] = c[*i] + inertial.power_on_twist(*column);
            force[*i] = force[*i] + applied.power_on_twist(*column);
            for ((j, _), momentum) in body.partial[..=at].iter().zip(&momenta) {
                let entry = mass[*i][*j] + momentum.power_on_twist(*column);
                mass[*i][*j] = entry;
                mass[*j][*i] = entry;
            }
        }
        for column in &body.columns {
            if let Some(s) = column.speed {
                mass[s][s] = mass[s][s] + column.armature;
            }
        }
    }
    for rotor in &k.rotors {
        let Some(s) = rotor.speed else { continue };
        for (j, column) in &k.bodies[rotor.carrier].partial {
            let share = rotor.project_on_momentum(*column);
            mass[s][*j] = mass[s][*j] + share;
            mass[*j][s] = mass[*j][s] + share;
        }
    }
    Implicit { mass, c, force }
}
