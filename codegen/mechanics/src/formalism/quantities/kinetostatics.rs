//! Kinetostatics: drives and reactions of a motion that is prescribed wholly or in part.
//!
//! Problem: accelerations of some speeds are given, the others follow. Find the efforts that the
//!          drives of the given ones must add to the loads, and the wrenches that joints and
//!          constraints transmit.
//! Method:  mechanics 1.5: `V̇ = T (A v̇ + w)`, `R = Tᵀ (M V̇ − F*)`, `τ = Aᵀ R + I v̇ + h · ω̇`.
//!          Partial kinetostatics splits the columns into free ones, which are released in the
//!          sweep of `articulated_body`, and driven ones, whose acceleration is added to w: no
//!          matrix, and no pivot if all speeds are given. With constraints, the null space
//!          `v̇ = v̇₀ + B ẏ` (`null_space`) replaces the speeds: ẏ of driven speeds is given; for
//!          the others `Bᵀ (M v̇ + c − Q) = 0`. The rest of `M v̇ + c − Q` along driven speeds is
//!          the effort of their drives, and the constraints transmit the remainder.
//! Shapes:  for each speed, an acceleration or `None`.
//! Frames:  reactions in body axes, about the pole.
//! Units:   SI.
//! Cost:    O(bodies); with constraints also O(rows² · nv), and a system of the free speeds. For
//!          absolute angles, a drive of such a speed acts from the ground, like a generalised
//!          force.
//!
//! Not handled: constraints whose dependent speeds change with the pose; a driven speed that is
//! dependent.

use super::inverse::inverse_dynamics;
use super::inverse_constrained::{add_scaled_column, dot_nonzero, independent_speeds};
use super::reactions;
use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::articulated_sweep::ArticulatedSweep;
use crate::formalism::dynamics::mass_matrix::mass_matrix;
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::pivots::{Pivot, pivots_with_diagonal};
use crate::formalism::dynamics::rotors;
use crate::kinematics::accumulate::project_on_partial_velocities;
use crate::kinematics::{Selection, constraint_rows, kinematics_without_jacobians};
use crate::mechanism::{Environment, Mechanism, Partition, SpeedId};
use dqdt_algebra::{Scalar, TreeFactors, Wrench};

/// Result of [`kinetostatics`]: drives and reactions of a motion that is prescribed wholly or in
/// part.
#[derive(Clone, Debug)]
pub struct Kinetostatic<S> {
    /// Accelerations `v̇`, given and computed, in spec order.
    pub accelerations: Vec<S>,
    /// Effort of the drive of each speed with a given acceleration; zero for the others.
    pub drives: Vec<S>,
    /// Constraint multipliers, one for each constraint row.
    pub multipliers: Vec<S>,
    /// Wrench of the parent on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// Named divisors of the solution, in the order of elimination.
    pub pivots: Vec<Pivot<S>>,
}

/// Error of [`driven_speeds`]: the speeds named in the spec cannot be driven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotDriven {
    /// The independent speeds change with the pose, so that no fixed ones can be driven.
    Pose,
    /// This speed is dependent, so it cannot be driven.
    Dependent(SpeedId),
}

/// Speeds whose accelerations are arguments of kinetostatics: those that the spec lists as
/// `driven`, by default all independent ones.
pub fn driven_speeds(m: &Mechanism, partition: &Partition) -> Result<Vec<SpeedId>, NotDriven> {
    let independent = independent_speeds(m, partition).ok_or(NotDriven::Pose)?;
    if m.driven.is_empty() {
        return Ok(independent);
    }
    match m.driven.iter().find(|s| !independent.contains(s)) {
        Some(s) => Err(NotDriven::Dependent(*s)),
        None => Ok(m.driven.clone()),
    }
}

/// Drives and reactions for speeds with an acceleration in `driven`; the other speeds are free, or
/// follow by the constraints. `None` if a given speed is dependent.
pub fn kinetostatics<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    driven: &[Option<S>],
) -> Option<Kinetostatic<S>> {
    let has_constraints = m.constraints.iter().any(|c| !c.is_program());
    if has_constraints {
        constrained_kinetostatics(m, env, driven)
    } else {
        Some(tree_kinetostatics(m, env, driven))
    }
}

/// Kinetostatics of a tree without constraints, by one ABA sweep.
fn tree_kinetostatics<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    driven: &[Option<S>],
) -> Kinetostatic<S> {
    let k = kinematics_without_jacobians(m, env);
    let applied = Applied::with_accelerated_ground(m, &k, env);
    let sweep =
        ArticulatedSweep::with_free_speeds(m, &k, &|s| driven.get(s.index()).is_some_and(Option::is_none));
    let swept = sweep.solve_with_driven_speeds(m, &k, &applied, driven);
    let mut efforts = project_on_partial_velocities(m, &k, &swept.reactions);
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let Some(s) = column.speed {
            efforts[s] = efforts[s] + column.armature * swept.accelerations[s];
        }
    }
    rotors::add_rotor_efforts(&k, |b| swept.rates[b], &mut efforts);
    let mut drives = vec![S::ZERO; m.nv()];
    for (s, _) in SpeedId::enumerate(driven).filter(|(_, g)| g.is_some()) {
        drives[s] = efforts[s] - applied.efforts[s];
    }
    let reactions =
        reactions::reactions_from_transmitted(m, &k, env, &swept.accelerations, &drives, swept.reactions);
    let pivots = pivots_with_diagonal(m, env, &k, sweep.pivots.iter().copied());
    Kinetostatic { accelerations: swept.accelerations, drives, multipliers: Vec::new(), reactions, pivots }
}

/// Kinetostatics with constraints, by the null space of their rows. `None` if a driven speed is
/// dependent.
fn constrained_kinetostatics<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    driven: &[Option<S>],
) -> Option<Kinetostatic<S>> {
    let all = constraint_rows(m, env);
    let stabilised = all
        .iter()
        .map(|row| crate::kinematics::ConstraintRow { gamma: row.stabilised_gamma(m, env), ..row.clone() });
    let selection = Selection::new(m, env.partition, &stabilised.collect::<Vec<_>>());
    let rows = &selection.rows;
    let space = NullSpace::leaving_driven_independent(m, env.partition, rows)?;
    if SpeedId::enumerate(driven).any(|(s, g)| g.is_some() && !space.independent_speeds().any(|x| x == s)) {
        return None;
    }
    let mut accelerations = space.particular.clone();
    let mut free: Vec<(SpeedId, &Vec<S>)> = Vec::new();
    for (s, column) in space.independent_speeds().zip(&space.basis) {
        match driven.get(s.index()).copied().flatten() {
            Some(x) => add_scaled_column(&mut accelerations, column, x),
            None => free.push((s, column)),
        }
    }
    let mut pivots: Vec<Pivot<S>> =
        space.pivots.iter().map(|(r, x)| Pivot::row_pivot(&rows[*r].name, *x, None)).collect();
    if !free.is_empty() {
        let mass = mass_matrix(m, &kinematics_without_jacobians(m, env));
        let momenta: Vec<Vec<S>> =
            free.iter().map(|(_, b)| mass.iter().map(|row| dot_nonzero(row, b)).collect()).collect();
        let chain: Vec<Option<usize>> = (0..free.len()).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&chain, |i, j| dot_nonzero(free[i].1, &momenta[j]));
        let left = inverse_dynamics(m, env, &accelerations);
        let right: Vec<S> = free.iter().map(|(_, b)| -dot_nonzero(b, &left)).collect();
        for ((_, column), x) in free.iter().zip(factors.solve(&right)) {
            add_scaled_column(&mut accelerations, column, x);
        }
        let free_pivots = free.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
        pivots.extend(free_pivots.map(|((s, _), (d, whole))| Pivot::speed_pivot(m, *s, *d, *whole)));
    }
    let mut left = inverse_dynamics(m, env, &accelerations);
    let mut drives = vec![S::ZERO; m.nv()];
    for (s, column) in space.independent_speeds().zip(&space.basis) {
        if driven.get(s.index()).is_some_and(Option::is_some) {
            drives[s] = dot_nonzero(column, &left);
            left[s] = left[s] - drives[s];
        }
    }
    let multipliers = selection.expand_to_all_rows(&space.multipliers_from_forces(&left));
    let reactions = reactions::reactions_with_drives(m, env, &accelerations, (&all, &multipliers), &drives);
    Some(Kinetostatic { accelerations, drives, multipliers, reactions, pivots })
}
