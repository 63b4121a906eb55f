//! The extended form (4.1): accelerations of bodies, reactions and accelerations of speeds in one
//! sparse system.
//!
//! Problem: `(M, −Sᵀ, 0; −S, 0, A; 0, Aᵀ, I)` of `(V̇, R, v̇)` with the right-hand side
//!          `(F*; −w; τ)`, sizes 6N, 6N, n.
//! Method:  tree-forms paper (4.1) with the right-hand side of mechanics 1.6, point 3. The matrix
//!          is symmetric and indefinite; the third diagonal block contains armatures. Elimination
//!          goes from the leaves to the root: the equations of motion of a body determine its
//!          reaction, the rows of its joint its acceleration, both with pivots −1. Then the row of
//!          the joint's speed gives `v̇` with the pivot `U = Aᵀ M* A + I`, which is that of
//!          `M = LᵀDL`. There is no division by the inertia of a body, so slender rods and massless
//!          bodies need no special treatment. Fill-in occurs only between a body and its parent.
//! Constraints: a column `−Gᵀ` of efforts and a row `G v̇ = γ` each, eliminated last, together with
//! speeds that only constraints determine (`elimination_order`).
//! Shapes:  12N + n, and one row more for each constraint row; the paper's 12N − n is a slip.
//! Frames:  body axes, about the pole. Absolute angles: S has −C′.
//! Units:   SI.
//! Cost:    O(bodies), with some 1200 multiplications for a body in `f64`, without known zeros;
//!          each constraint adds the paths that it couples.
//!
//! Not handled: pivots that vanish at some poses only; they are reported with their names.

use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::elimination_order::{PivotSubject, choose_elimination_order, named_pivots};
use crate::formalism::dynamics::solved::DynamicsSolution;
use crate::formalism::dynamics::sparse_system::{
    Extended as System, SystemLayout, body_acceleration_names, twist_entries, unit_twists, wrench_entries,
};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::{ConstraintRow, Kinematics, active_stabilised_rows, kinematics_without_jacobians};
use crate::mechanism::{BodyId, Environment, Mechanism, SpeedId};
use dqdt_algebra::{Scalar, SparseRows, Vec3, Wrench};

/// Formalism `extended`: accelerations of bodies, reactions and accelerations of speeds as unknowns
/// of one sparse system.
pub(crate) struct Extended;

impl Method for Extended {
    const FACTS: Facts = Facts {
        name: "extended",
        description: "one sparse system for accelerations, reactions and speeds; O(n)",
        solves: SolvedSystem::System { reactions: true },
        constraints: ConstraintsBy::Unknowns,
        states_equations: false,
        mass: None,
        partial_velocities: true,
        growth: 0,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["ByachkovIvanovShimanovsky2009"],
    };

    fn equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
        let k = kinematics_without_jacobians(m, env);
        let applied = Applied::new(m, &k, env);
        Some(Equations::Extended(build_extended_system(m, &k, &applied, &active_stabilised_rows(m, env))))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let k = kinematics_without_jacobians(m, env);
        solve_extended_system(m, &k, env, &Applied::new(m, &k, env), rows)
    }
}

/// Names of the six components of a reaction.
const WRENCH: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Row and column indices of the extended system: six `V̇` for each body, then six `R` for each
/// joint, `v̇`, and one row for each constraint row.
struct Places {
    /// Number of bodies.
    bodies: usize,
    /// Number of speeds.
    speeds: usize,
}

impl Places {
    /// Column of the acceleration `V̇`, and row of the equations of motion, of a body.
    fn motion_index(&self, body: BodyId, axis: usize) -> usize {
        6 * body.index() + axis
    }

    /// Column of the reaction R, and row of the kinematics, of a body's inboard joint.
    fn joint_index(&self, body: BodyId, axis: usize) -> usize {
        6 * (self.bodies + body.index()) + axis
    }

    /// Column of the acceleration `v̇`, and row, of a speed.
    fn speed_index(&self, speed: SpeedId) -> usize {
        12 * self.bodies + speed.index()
    }

    /// Column of the multiplier, and row, of a constraint row.
    fn constraint_index(&self, row: usize) -> usize {
        12 * self.bodies + self.speeds + row
    }
}

/// The extended system at a state, with named unknowns: matrix and right-hand side.
fn build_extended_system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> System<S> {
    let at = Places { bodies: m.bodies.len(), speeds: m.nv() };
    let mut rows = SparseRows::new(at.constraint_index(constraints.len()));
    let forces = applied.subtract_prescribed_rotors(k);
    for (i, body) in BodyId::enumerate(&k.bodies) {
        let parent = m.parent_body(i);
        let (force, convective) = (wrench_entries(forces[i]), twist_entries(body.convective));
        for (a, unit) in unit_twists().into_iter().enumerate() {
            for (b, x) in wrench_entries(body.inertia.momentum(unit)).into_iter().enumerate() {
                rows.add_entry(at.motion_index(i, b), at.motion_index(i, a), x);
            }
            rows.add_entry(at.motion_index(i, a), at.joint_index(i, a), -S::ONE);
            rows.add_right_hand_side(at.motion_index(i, a), force[a]);
            rows.add_entry(at.joint_index(i, a), at.motion_index(i, a), -S::ONE);
            rows.add_right_hand_side(at.joint_index(i, a), -convective[a]);
            let Some(parent) = parent else { continue };
            for (b, x) in twist_entries(body.carry_parent_twist(unit)).into_iter().enumerate() {
                rows.add_entry(at.joint_index(i, b), at.motion_index(parent, a), x);
                rows.add_entry(at.motion_index(parent, a), at.joint_index(i, b), x);
            }
        }
        for column in &body.columns {
            let Some(speed) = column.speed else { continue };
            for (a, x) in twist_entries(column.twist).into_iter().enumerate() {
                rows.add_entry(at.joint_index(i, a), at.speed_index(speed), x);
                rows.add_entry(at.speed_index(speed), at.joint_index(i, a), x);
            }
            rows.add_entry(at.speed_index(speed), at.speed_index(speed), column.armature);
            rows.add_right_hand_side(at.speed_index(speed), applied.efforts[speed]);
        }
    }
    for rotor in &k.rotors {
        let Some(speed) = rotor.speed else { continue };
        // Terms of a rotor on its carrier are within the sparsity of a body and its parent.
        for (a, x) in wrench_entries(rotor.moment_on_carrier(S::ONE)).into_iter().enumerate() {
            rows.add_entry(at.motion_index(rotor.carrier, a), at.speed_index(speed), x);
            rows.add_entry(at.speed_index(speed), at.motion_index(rotor.carrier, a), x);
        }
    }
    for (r, row) in constraints.iter().enumerate() {
        for (speed, g) in SpeedId::enumerate(&row.jacobian) {
            rows.add_entry(at.constraint_index(r), at.speed_index(speed), *g);
            rows.add_entry(at.speed_index(speed), at.constraint_index(r), -*g);
        }
        rows.add_right_hand_side(at.constraint_index(r), row.gamma);
    }
    let reactions = m.joints.iter().flat_map(|j| WRENCH.iter().map(|a| format!("{a} in {}", j.name)));
    let mut unknowns = body_acceleration_names(m);
    unknowns.extend(reactions);
    unknowns.extend(m.speeds.iter().map(|s| format!("d{}", s.name)));
    unknowns.extend(constraints.iter().map(|row| format!("multiplier of {}", row.name)));
    let layout = SystemLayout {
        motion: true,
        speeds: Some(at.speed_index(SpeedId(0))),
        kinematics: at.joint_index(BodyId(0), 0)..at.speed_index(SpeedId(0)),
        constraints: Some(at.constraint_index(0)),
        joint_unknowns: 6 * at.bodies,
        with_speeds: true,
    };
    System { unknowns, rows, layout }
}

/// Solves the extended system by elimination from the leaves to the root.
fn solve_extended_system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> DynamicsSolution<S> {
    let at = Places { bodies: m.bodies.len(), speeds: m.nv() };
    let mut order = Vec::new();
    let mut named = Vec::new();
    for (i, body) in BodyId::enumerate(&k.bodies).rev() {
        order.extend((0..6).map(|a| (at.motion_index(i, a), at.joint_index(i, a))));
        order.extend((0..6).map(|a| (at.joint_index(i, a), at.motion_index(i, a))));
        for speed in body.columns.iter().rev().filter_map(|c| c.speed) {
            named.push((at.speed_index(speed), PivotSubject::Speed(speed)));
            order.push((at.speed_index(speed), at.speed_index(speed)));
        }
    }
    let tree = order.len();
    for (r, row) in constraints.iter().enumerate().rev() {
        named.push((at.constraint_index(r), PivotSubject::Constraint(&row.name)));
        order.push((at.constraint_index(r), at.constraint_index(r)));
    }
    let order = choose_elimination_order(m, order, tree, env, |env| {
        let k = kinematics_without_jacobians(m, env);
        build_extended_system(m, &k, &Applied::new(m, &k, env), &active_stabilised_rows(m, env)).rows
    });
    let solved =
        build_extended_system(m, k, applied, constraints).rows.solve_in_order(&order.places, order.late);
    let x = &solved.x;
    let reactions = (m.body_ids())
        .map(|i| {
            let part = |from: usize| Vec3([0, 1, 2].map(|a| x[at.joint_index(i, from + a)]));
            Wrench { f: part(0), m: part(3) }
        })
        .collect();
    DynamicsSolution {
        accelerations: m.speed_ids().map(|s| x[at.speed_index(s)]).collect(),
        multipliers: (0..constraints.len()).map(|r| x[at.constraint_index(r)]).collect(),
        pivots: named_pivots(m, env, k, &order, &named, &solved),
        independence: Vec::new(),
        lengths: Vec::new(),
        joint_wrenches: Some(reactions),
    }
}
