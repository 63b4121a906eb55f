//! Kinetostatics: the drives and reactions of a motion that is prescribed, wholly or in part.
//!
//! Problem: accelerations of some speeds are given, the others follow; what must the drives of the given ones add to the
//! loads, and what do the joints transmit?
//! Method:  mechanics 1.5: `V̇ = T (A v̇ + w)`, `R = Tᵀ (M V̇ − F*)`, `τ = Aᵀ R + I v̇ + h · ω̇`. Partial kinetostatics splits the columns
//! into free ones, which give way in the sweep of `articulated_body`, and driven ones, whose acceleration joins w: no
//! matrix, and no pivot where all speeds are given.
//! Shapes:  one acceleration given or not a speed.
//! Frames:  reactions in body axes, about the pole.
//! Units:   SI.
//! Cost:    O(bodies).
//! Angles measured from the ground: a drive of such a speed acts from the ground, like a generalised force.
//! Not handled: constraints besides the joints: their forces are not unique once the motion is given.

use super::reactions;
use crate::algebra::{Scalar, Wrench};
use crate::formalism::dynamics::accumulate::along_partial_velocities;
use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::pivots::pivot_of;
use crate::formalism::dynamics::rotors;
use crate::formalism::dynamics::sweep::Sweep;
use crate::kinematics::motions;
use crate::mechanism::{Environment, Mechanism};

/// What a prescribed motion asks for.
#[derive(Clone, Debug)]
pub struct Kinetostatic<S> {
    /// `v̇`, given and found, in spec order.
    pub accelerations: Vec<S>,
    /// What the loads leave to the drive of each given speed; zero for free ones.
    pub drives: Vec<S>,
    /// The whole effort on each speed: drives and loads.
    pub efforts: Vec<S>,
    /// The wrench on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// What was divided by, with names, in the order of elimination.
    pub pivots: Vec<(String, S)>,
}

/// Drives and reactions where `given` has an acceleration; the other speeds are free.
pub fn kinetostatics<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    given: &[Option<S>],
) -> Kinetostatic<S> {
    let k = motions(m, env);
    let applied = Applied::with_accelerated_ground(m, &k, env);
    let sweep = Sweep::with_free(m, &k, &|s| given.get(s).is_some_and(Option::is_none));
    let swept = sweep.solve_driven(m, &k, &applied, given);
    let mut efforts = along_partial_velocities(m, &k, &swept.reactions);
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let Some(s) = column.speed {
            efforts[s] = efforts[s] + column.armature * swept.accelerations[s];
        }
    }
    rotors::add_efforts(&k, |b| swept.rates[b], &mut efforts);
    let mut drives = vec![S::ZERO; m.nv()];
    for (s, given) in given.iter().enumerate() {
        if given.is_some() {
            drives[s] = efforts[s] - applied.efforts[s];
        } else {
            efforts[s] = applied.efforts[s];
        }
    }
    let reactions = reactions::through_joints(m, &k, env, &swept.accelerations, &drives, swept.reactions);
    let pivots = sweep.pivots.iter().map(|(s, u)| (pivot_of(m, *s), *u)).collect();
    Kinetostatic { accelerations: swept.accelerations, drives, efforts, reactions, pivots }
}
