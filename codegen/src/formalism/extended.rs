//! The extended form (4.1): accelerations of bodies, reactions and accelerations of speeds in one sparse system.
//!
//! Problem: `(M, −Sᵀ, 0; −S, 0, A; 0, Aᵀ, I)` of `(V̇, R, v̇)` with `(F*; −w; τ)` on the right, sizes 6N, 6N, n.
//! Method:  tree-forms paper (4.1) with the right side of MATH.md 1.6, point 3. The matrix is symmetric and indefinite; the
//! third diagonal block holds armatures. Elimination goes from the leaves to the root: the equations of
//! motion of a body give its reaction, those of its joint its acceleration, both with pivots −1, and then the joint's own
//! row gives `v̇` with the pivot `U = Aᵀ M* A + I`, which is that of `M = LᵀDL`. No inertia of a body is ever divided by, so
//! slender rods and massless bodies are like any other. What is filled in stands between a body and its parent.
//! Constraints: a column `−Gᵀ` of efforts and a row `G v̇ = γ` each, eliminated last, together with speeds that only they
//! hold (`elimination_order`).
//! Shapes:  12N + n, and a row more for each constraint; the paper's 12N − n is a slip.
//! Frames:  body axes, about the pole. Angles measured from the ground: S has −C′.
//! Units:   SI.
//! Cost:    O(bodies) with some 1200 multiplications a body over doubles, where nothing is known to be zero; each
//! constraint adds the paths that it couples.
//! Not handled: pivots that vanish at some pose only; they are reported with their names.

use super::applied::Applied;
use super::elimination_order::{Named, elimination_order, named_pivots};
use super::pivots::Pivot;
use crate::algebra::{Scalar, SparseRows, Twist, Vec3, Wrench};
use crate::kinematics::{ConstraintRow, Kinematics, active_rows, motions};
use crate::mechanism::Mechanism;

/// A sparse linear system with named unknowns.
#[derive(Clone, Debug)]
pub struct Extended<S> {
    /// What each column is.
    pub unknowns: Vec<String>,
    /// Rows and right sides.
    pub rows: SparseRows<S>,
}

/// What the extended forms find.
pub(super) struct Found<S> {
    pub accelerations: Vec<S>,
    pub multipliers: Vec<S>,
    /// As C′ carries them.
    pub reactions: Vec<Wrench<S>>,
    pub pivots: Vec<Pivot<S>>,
}

/// The unit twists.
pub(super) fn unit_twists<S: Scalar>() -> [Twist<S>; 6] {
    std::array::from_fn(|a| {
        let unit = Vec3::unit(a % 3);
        if a < 3 { Twist { v: unit, w: Vec3::ZERO } } else { Twist { v: Vec3::ZERO, w: unit } }
    })
}

/// Entries of a twist, linear first.
pub(super) fn entries<S: Scalar>(t: Twist<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { t.v[a] } else { t.w[a - 3] })
}

/// Entries of a wrench, force first.
pub(super) fn wrench_entries<S: Scalar>(w: Wrench<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { w.f[a] } else { w.m[a - 3] })
}

const AXES: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];
const WRENCH: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Names of the entries of `V̇`, body after body.
pub(super) fn rate_names(m: &Mechanism) -> Vec<String> {
    m.bodies.iter().flat_map(|b| AXES.iter().map(|a| format!("d{a} of {}", b.name))).collect()
}

/// Where the parts of the system stand.
struct Places {
    bodies: usize,
    speeds: usize,
}

impl Places {
    /// Column of `V̇`, row of the equations of motion.
    fn motion(&self, body: usize, axis: usize) -> usize {
        6 * body + axis
    }

    /// Column of R, row of the joint's kinematics.
    fn joint(&self, body: usize, axis: usize) -> usize {
        6 * (self.bodies + body) + axis
    }

    fn speed(&self, speed: usize) -> usize {
        12 * self.bodies + speed
    }

    fn constraint(&self, row: usize) -> usize {
        12 * self.bodies + self.speeds + row
    }
}

/// The system at a state.
pub(super) fn system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Extended<S> {
    let at = Places { bodies: m.bodies.len(), speeds: m.nv() };
    let mut rows = SparseRows::new(at.constraint(constraints.len()));
    let forces = applied.with_prescribed_rotors(k);
    for (i, body) in k.bodies.iter().enumerate() {
        let parent = m.joints[i].parent;
        let (force, convective) = (wrench_entries(forces[i]), entries(body.convective));
        for (a, unit) in unit_twists().into_iter().enumerate() {
            for (b, x) in wrench_entries(body.inertia.apply(unit)).into_iter().enumerate() {
                rows.add(at.motion(i, b), at.motion(i, a), x);
            }
            rows.add(at.motion(i, a), at.joint(i, a), -S::ONE);
            rows.add_right(at.motion(i, a), force[a]);
            rows.add(at.joint(i, a), at.motion(i, a), -S::ONE);
            rows.add_right(at.joint(i, a), -convective[a]);
            let Some(parent) = parent else { continue };
            for (b, x) in entries(body.carry(unit)).into_iter().enumerate() {
                rows.add(at.joint(i, b), at.motion(parent, a), x);
                rows.add(at.motion(parent, a), at.joint(i, b), x);
            }
        }
        for column in &body.columns {
            let Some(speed) = column.speed else { continue };
            for (a, x) in entries(column.twist).into_iter().enumerate() {
                rows.add(at.joint(i, a), at.speed(speed), x);
                rows.add(at.speed(speed), at.joint(i, a), x);
            }
            rows.add(at.speed(speed), at.speed(speed), column.armature);
            rows.add_right(at.speed(speed), applied.efforts[speed]);
        }
    }
    for rotor in &k.rotors {
        let Some(speed) = rotor.speed else { continue };
        // What a rotor does to its carrier stands beside the inertia of that body, between its parent and itself.
        for (a, x) in wrench_entries(rotor.along(S::ONE)).into_iter().enumerate() {
            rows.add(at.motion(rotor.carrier, a), at.speed(speed), x);
            rows.add(at.speed(speed), at.motion(rotor.carrier, a), x);
        }
    }
    for (r, row) in constraints.iter().enumerate() {
        for (speed, g) in row.jacobian.iter().enumerate() {
            rows.add(at.constraint(r), at.speed(speed), *g);
            rows.add(at.speed(speed), at.constraint(r), -*g);
        }
        rows.add_right(at.constraint(r), row.gamma);
    }
    let reactions = m.joints.iter().flat_map(|j| WRENCH.iter().map(|a| format!("{a} in {}", j.name)));
    let mut unknowns = rate_names(m);
    unknowns.extend(reactions);
    unknowns.extend(m.speeds.iter().map(|s| format!("d{}", s.name)));
    unknowns.extend(constraints.iter().map(|row| format!("multiplier of {}", row.name)));
    Extended { unknowns, rows }
}

/// Solves the system from the leaves to the root.
pub(super) fn solve<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Found<S> {
    let at = Places { bodies: m.bodies.len(), speeds: m.nv() };
    let mut order = Vec::new();
    let mut named = Vec::new();
    for (i, body) in k.bodies.iter().enumerate().rev() {
        order.extend((0..6).map(|a| (at.motion(i, a), at.joint(i, a))));
        order.extend((0..6).map(|a| (at.joint(i, a), at.motion(i, a))));
        for speed in body.columns.iter().rev().filter_map(|c| c.speed) {
            named.push((at.speed(speed), Named::Speed(speed)));
            order.push((at.speed(speed), at.speed(speed)));
        }
    }
    let tree = order.len();
    for (r, row) in constraints.iter().enumerate().rev() {
        named.push((at.constraint(r), Named::Constraint(&row.name)));
        order.push((at.constraint(r), at.constraint(r)));
    }
    let order = elimination_order(m, order, tree, |env| {
        let k = motions(m, env);
        system(m, &k, &Applied::new(m, &k, env), &active_rows(m, env)).rows
    });
    let solved = system(m, k, applied, constraints).rows.eliminate(&order.places, order.late);
    let x = &solved.x;
    let wrench = |i: usize| {
        let part = |from: usize| Vec3([0, 1, 2].map(|a| x[at.joint(i, from + a)]));
        Wrench { f: part(0), m: part(3) }
    };
    Found {
        accelerations: (0..m.nv()).map(|s| x[at.speed(s)]).collect(),
        multipliers: (0..constraints.len()).map(|r| x[at.constraint(r)]).collect(),
        reactions: (0..m.bodies.len()).map(wrench).collect(),
        pivots: named_pivots(m, k, &order, &named, &solved),
    }
}
