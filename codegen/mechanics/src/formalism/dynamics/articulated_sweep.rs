//! ABA: `v̇` by an inward and an outward sweep over articulated bodies, without a mass matrix.
//!
//! Problem: `v̇` and the reactions of a tree in O(bodies).
//! Method:  A. F. Vereshchagin 1974; the O(N) sweep of the extended system, mechanics 1.4; the
//!          chain lecture, mechanics 2, with its sign corrected; Featherstone 2008, chapter 7. The
//!          subtree beyond a joint responds with `R = M* V̇ − F°`. A joint is released column by
//!          column, from the last to the first, so that all divisors are scalars: with `h = M* a`
//!          and `U = aᵀ h + I` (I: the armature), `M* ← M* − h hᵀ / U`,
//!          `F° ← F° − h (τ + aᵀ F°) / U`. Then both are transformed to the parent,
//!          `M*_k += Cᵀ M* C`, `F°_k += Cᵀ (F° − M* w)`. Outwards: `v̇ = (τ + aᵀ F° − hᵀ X) / U`,
//!          `X ← X + a v̇`, from `X = C V̇_k + w`. The pivots U are those of `M = LᵀDL`: they
//!          vanish only where M is singular. Prescribed motion is part of w. For absolute angles,
//!          C′ replaces C. Gravity is an acceleration of the ground.
//! Rotors:  with the moment κ, in axes of the child, that a rotor exerts on its carrier for a unit
//!          `v̇`: `h = M* a + κ`. On the child, `U` has the additional term `2 κᵀ a`; on the
//!          parent, κ acts on `C V̇_k` only, so `κᵀ w` is added to τ.
//! Shapes:  nv; one wrench for each body.
//! Frames:  body axes, about the pole.
//! Units:   SI.
//! Cost:    O(bodies): about 300 multiplications for a body with one general revolute joint, fewer
//!          if axes and frames are aligned; about 60 for each further right-hand side.
//!
//! Not handled: constraints; `saddle` uses one sweep for each row.

use super::applied::Applied;
use super::released_column::{ReleasedColumn, release_column, released_inertia_on_parent};
use crate::kinematics::{ConstraintRow, Kinematics};
use crate::mechanism::{BodyId, Mechanism, SpeedId};
use dqdt_algebra::{ArticulatedInertia, Scalar, Twist, Wrench};

/// Joint column after its release from an articulated inertia, for the sweeps of right-hand sides.
#[derive(Clone, Debug)]
struct SweepColumn<S> {
    /// Speed of the column.
    speed: SpeedId,
    /// Partial velocity `a` of the column, in body axes.
    column: Twist<S>,
    /// Wrench `h = M* a + κ` that a unit acceleration of the column requires.
    wrench: Wrench<S>,
    /// Moment κ of a rotor, and true if the rotor is mounted on the child; `None` without a rotor.
    rotor: Option<(Wrench<S>, bool)>,
    /// Reciprocal of the pivot U of the column.
    reciprocal: S,
    /// Index of the twist component that the column equals, if only `M*` resists it (no armature,
    /// no rotor).
    unit_axis: Option<usize>,
}

/// Articulated inertias of a tree (ABA), shared by the sweeps of all right-hand sides.
#[derive(Clone, Debug)]
pub(crate) struct ArticulatedSweep<S> {
    /// Released columns of each body's joint, from the last to the first.
    released: Vec<Vec<SweepColumn<S>>>,
    /// Articulated inertia `M*` of each body before the release of its joint.
    before_release: Vec<ArticulatedInertia<S>>,
    /// Articulated inertia `M*` of each body after the release of its joint.
    after_release: Vec<ArticulatedInertia<S>>,
    /// Pivots U of the released columns with their speeds, in the order of elimination.
    pub pivots: Vec<(SpeedId, S)>,
}

/// Result of the inward and outward sweep for one right-hand side.
pub(crate) struct SweepResult<S> {
    /// Accelerations `v̇`, one a speed.
    pub accelerations: Vec<S>,
    /// Wrenches through the joints, in body axes about the poles. With absolute angles they are
    /// those transmitted by C′.
    pub reactions: Vec<Wrench<S>>,
    /// Accelerations `V̇` of the bodies, in body axes.
    pub rates: Vec<Twist<S>>,
}

impl<S: Scalar> ArticulatedSweep<S> {
    /// Sweeps articulated inertias from the leaves to the root, with all speeds free.
    pub fn new(m: &Mechanism, k: &Kinematics<S>) -> Self {
        ArticulatedSweep::with_free_speeds(m, k, &|_| true)
    }

    /// Sweeps articulated inertias like [`ArticulatedSweep::new`], with only some speeds free; the
    /// others have given accelerations.
    pub fn with_free_speeds(m: &Mechanism, k: &Kinematics<S>, free: &dyn Fn(SpeedId) -> bool) -> Self {
        let n = k.bodies.len();
        let mut before_release: Vec<_> =
            k.bodies.iter().map(|b| ArticulatedInertia::from_rigid(&b.inertia)).collect();
        let mut after_release = before_release.clone();
        let mut released = vec![Vec::new(); n];
        let mut pivots = Vec::new();
        for (i, body) in BodyId::enumerate(&k.bodies).rev() {
            let mut inertia = before_release[i];
            for column in body.columns.iter().rev() {
                let Some(speed) = column.speed.filter(|s| free(*s)) else { continue };
                let ReleasedColumn { wrench, rotor, pivot, reciprocal, unit_axis } =
                    release_column(m, k, i, (speed, column), &mut inertia);
                released[i].push(SweepColumn {
                    speed,
                    column: column.twist,
                    wrench,
                    rotor,
                    reciprocal,
                    unit_axis,
                });
                pivots.push((speed, pivot));
            }
            after_release[i] = inertia;
            if let Some(parent) = m.parent_body(i) {
                let share = released_inertia_on_parent(m, k, (i, parent), &inertia);
                let parents = &m.bodies[parent].name;
                before_release[parent] =
                    (before_release[parent] + share).name_blocks("art", &|| parents.clone());
            }
        }
        ArticulatedSweep { released, before_release, after_release, pivots }
    }

    /// Accelerations and reactions under loads, by an inward and an outward sweep.
    pub fn solve(&self, m: &Mechanism, k: &Kinematics<S>, applied: &Applied<S>) -> SweepResult<S> {
        let convective = k.bodies.iter().map(|b| b.convective).collect::<Vec<_>>();
        let forces = applied.subtract_prescribed_rotors(k);
        self.sweep_right_side(m, k, forces, &applied.efforts, &convective, applied.ground, "")
    }

    /// Accelerations and reactions like [`ArticulatedSweep::solve`], with given accelerations of
    /// the speeds that are not free; entries of free speeds are ignored.
    pub fn solve_with_driven_speeds(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        applied: &Applied<S>,
        driven: &[Option<S>],
    ) -> SweepResult<S> {
        let convective = (k.bodies.iter())
            .map(|b| {
                let known = b
                    .columns
                    .iter()
                    .filter_map(|column| column.speed.and_then(|s| driven[s]).map(|a| column.twist.scale(a)));
                known.fold(b.convective, |sum, t| sum + t)
            })
            .collect::<Vec<_>>();
        let mut forces = applied.subtract_prescribed_rotors(k);
        for rotor in &k.rotors {
            if let Some(a) = rotor.speed.and_then(|s| driven[s]) {
                forces[rotor.carrier] = forces[rotor.carrier] - rotor.moment_on_carrier(a);
            }
        }
        let mut swept =
            self.sweep_right_side(m, k, forces, &applied.efforts, &convective, applied.ground, "_driven");
        for (a, driven) in swept.accelerations.iter_mut().zip(driven) {
            *a = driven.unwrap_or(*a);
        }
        swept
    }

    /// Velocity jumps and reaction impulses of an impact, from impulses on the bodies and on the
    /// speeds.
    pub fn solve_impulses(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        impulses: Vec<Wrench<S>>,
        efforts: &[S],
    ) -> SweepResult<S> {
        let still = vec![Twist::ZERO; k.bodies.len()];
        self.sweep_right_side(m, k, impulses, efforts, &still, Twist::ZERO, "_struck")
    }

    /// Product `M⁻¹ aᵀ` for a constraint row a: the accelerations for a unit multiplier.
    pub fn solve_unit_multiplier(&self, m: &Mechanism, k: &Kinematics<S>, row: &ConstraintRow<S>) -> Vec<S> {
        let still = vec![Twist::ZERO; k.bodies.len()];
        let none = vec![Wrench::ZERO; k.bodies.len()];
        let suffix = format!("_by_{}", row.name);
        self.sweep_right_side(m, k, none, &row.jacobian, &still, Twist::ZERO, &suffix).accelerations
    }

    /// Inward and outward sweep for one right-hand side. `suffix` is a suffix for the names of
    /// values.
    #[allow(clippy::too_many_arguments)]
    fn sweep_right_side(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        mut forces: Vec<Wrench<S>>,
        efforts: &[S],
        convective: &[Twist<S>],
        ground: Twist<S>,
        suffix: &str,
    ) -> SweepResult<S> {
        let mut driven: Vec<Vec<S>> = vec![Vec::new(); forces.len()];
        for (i, body) in BodyId::enumerate(&k.bodies).rev() {
            let mut force = forces[i];
            for r in &self.released[i] {
                let mut effort = efforts[r.speed] + force.power_on_twist(r.column);
                if let Some((kappa, false)) = r.rotor {
                    effort = effort + kappa.power_on_twist(convective[i]);
                }
                effort.suggest_name(&|| format!("effort_{}{suffix}", m.speed_name_stem(r.speed)));
                let share = effort * r.reciprocal;
                force = force - Wrench { f: r.wrench.f.scale(share), m: r.wrench.m.scale(share) };
                if let Some(axis) = r.unit_axis {
                    // aᵀ F° − aᵀ h (τ + aᵀ F°) / U with U = aᵀ h: along the axis, only the effort
                    // remains of the load.
                    force = force.with_component(axis, -r.column.scale(efforts[r.speed]).component(axis));
                }
                driven[i].push(effort);
            }
            if let Some(parent) = m.parent_body(i) {
                let (child, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
                let force = (force - self.after_release[i].apply_to_twist(convective[i]))
                    .name_parts("art_load", &|| format!("{child}{suffix}"));
                let share = body
                    .transmit_wrench_to_parent(force)
                    .name_parts("art_load", &|| format!("{child}_in_{parents}{suffix}"));
                forces[parent] =
                    (forces[parent] + share).name_parts("tree_load", &|| format!("{parents}{suffix}"));
            }
        }
        let mut accelerations = vec![S::ZERO; m.nv()];
        let mut rates: Vec<Twist<S>> = Vec::with_capacity(forces.len());
        for (i, (joint, body)) in BodyId::enumerate(m.joints.iter().zip(&k.bodies)) {
            let mut rate = body.carry_parent_twist(joint.parent.map_or(ground, |p| rates[p])) + convective[i];
            for (r, effort) in self.released[i].iter().zip(&driven[i]).rev() {
                let acceleration = (*effort - r.wrench.power_on_twist(rate)) * r.reciprocal;
                accelerations[r.speed] = acceleration;
                rate = rate + r.column.scale(acceleration);
            }
            rates.push(rate.name_parts("rate_", &|| format!("{}{suffix}", m.bodies[i].name)));
        }
        let mut reactions: Vec<Wrench<S>> = self
            .before_release
            .iter()
            .zip(&rates)
            .zip(forces)
            .map(|((inertia, v), f)| inertia.apply_to_twist(*v) - f)
            .collect();
        for (reaction, released) in reactions.iter_mut().zip(&self.released) {
            for r in released {
                if let Some((kappa, true)) = r.rotor {
                    *reaction = *reaction + kappa.scale(accelerations[r.speed]);
                }
            }
        }
        SweepResult { accelerations, reactions, rates }
    }
}

/// Names intermediate values of the transformation of articulated inertias, with parent axes on one
/// side only, for emitted code.
pub fn name_half_rotated_inertias<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) {
    let sweep = ArticulatedSweep::new(m, k);
    for ((body, b), left) in m.bodies.iter().zip(&k.bodies).zip(&sweep.after_release) {
        let o = &b.relative_rotation;
        o.rotate_symmetric_tensor(&left.linear).name_entries(&|| format!("turned_left_m_{}", body.name));
        o.rotate_tensor(&left.coupling).name_entries(&|| format!("turned_left_H_{}", body.name));
        o.rotate_symmetric_tensor(&left.angular).name_entries(&|| format!("turned_left_J_{}", body.name));
    }
}
