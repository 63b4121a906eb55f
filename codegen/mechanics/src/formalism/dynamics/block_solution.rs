//! Accelerations of a tree by groups of joints (see `block_elimination`).
//!
//! Problem: `v̇` under loads, and `M⁻¹ aᵀ` of constraint rows.
//! Method:  forces are swept to the root, where each group is eliminated, then accelerations
//!          outwards. Within a group, the rows of its block of M are reduced and back-substituted
//!          as in `LᵀDL`.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies) and the columns of the groups.

use super::applied::Applied;
use super::block_elimination::BlockElimination;
use super::rotors;
use crate::kinematics::{ConstraintRow, Kinematics};
use crate::mechanism::{BodyId, Mechanism};
use dqdt_algebra::{Scalar, Twist, Wrench};

impl<S: Scalar> BlockElimination<S> {
    /// Accelerations of all speeds under the loads `applied`, by sweeps over the eliminated groups.
    pub fn solve(&self, m: &Mechanism, k: &Kinematics<S>, applied: &Applied<S>) -> Vec<S> {
        let bodies = k.bodies.iter().zip(&self.bias).zip(&m.bodies);
        let mut needed: Vec<Wrench<S>> = bodies
            .map(|((b, bias), body)| {
                b.inertia.inertial_wrench(b.twist.w, *bias).name_parts("still", &|| body.name.clone())
            })
            .collect();
        rotors::add_rotor_gyroscopic_moments(k, &mut needed);
        rotors::add_prescribed_rotor_moments(k, &mut needed);
        let forces = applied.loads.iter().zip(needed).map(|(f, x)| *f - x).collect();
        self.sweep_right_side(m, k, forces, &applied.efforts, &self.start, "")
    }

    /// Product `M⁻¹ aᵀ` for a constraint row a: the accelerations for a unit multiplier.
    pub fn solve_unit_multiplier(&self, m: &Mechanism, k: &Kinematics<S>, row: &ConstraintRow<S>) -> Vec<S> {
        let none = vec![Wrench::ZERO; k.bodies.len()];
        let still = vec![None; k.bodies.len()];
        self.sweep_right_side(m, k, none, &row.jacobian, &still, &format!("_by_{}", row.name))
    }

    /// Inward and outward sweep for one right-hand side. `suffix` is a suffix for the names of
    /// values.
    fn sweep_right_side(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        forces: Vec<Wrench<S>>,
        efforts: &[S],
        start: &[Option<Twist<S>>],
        suffix: &str,
    ) -> Vec<S> {
        let driven = self.sweep_inwards(m, k, forces, efforts, start, suffix);
        self.sweep_outwards(m, k, &driven, start, suffix)
    }

    /// Reduced effort of each column of the groups, by the body that is the first of its group.
    fn sweep_inwards(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        mut forces: Vec<Wrench<S>>,
        efforts: &[S],
        start: &[Option<Twist<S>>],
        suffix: &str,
    ) -> Vec<Vec<S>> {
        let mut driven: Vec<Vec<S>> = vec![Vec::new(); forces.len()];
        // Efforts on the columns of each group, except those of its first body.
        let mut group_efforts: Vec<Vec<S>> = vec![Vec::new(); forces.len()];
        let first = &self.first;
        for (i, body) in BodyId::enumerate(&k.bodies).rev() {
            let mut force = forces[i];
            if first[i] == i {
                let mut right = std::mem::take(&mut group_efforts[i]);
                for (at, r) in self.released[i].iter().enumerate() {
                    let effort = if r.body == i {
                        let effort = efforts[r.speed] + force.power_on_twist(r.column);
                        match (r.rotor, start[i]) {
                            (Some((kappa, false)), Some(w)) => {
                                // κ acts on the acceleration transferred from the parent only.
                                let carried = m
                                    .parent_body(i)
                                    .map_or(Twist::ZERO, |p| body.carry_parent_twist(self.bias[p]));
                                effort + kappa.power_on_twist(w - carried)
                            }
                            _ => effort,
                        }
                    } else {
                        right[at]
                    };
                    effort.suggest_name(&|| format!("effort_{}{suffix}", m.speed_name_stem(r.speed)));
                    for (place, scaled) in &r.lower {
                        right[*place] = right[*place] - *scaled * effort;
                    }
                    let share = effort * r.reciprocal;
                    force = force - Wrench { f: r.wrench.f.scale(share), m: r.wrench.m.scale(share) };
                    if let Some(axis) = r.unit_axis {
                        // aᵀ F° − aᵀ h (τ + aᵀ F°) / U with U = aᵀ h: along the axis, only the
                        // effort remains of the load.
                        force = force.with_component(axis, -r.column.scale(efforts[r.speed]).component(axis));
                    }
                    driven[i].push(effort);
                }
                if let (Some(w), Some(left)) =
                    (start[i].filter(|_| m.parent_body(i).is_some()), &self.left[i])
                {
                    force = force - left.apply_to_twist(w);
                }
                force = force.name_parts("art_load", &|| format!("{}{suffix}", m.bodies[i].name));
            } else {
                for column in body.columns.iter().rev() {
                    let Some(speed) = column.speed else { continue };
                    group_efforts[first[i]].push(efforts[speed] + force.power_on_twist(column.twist));
                }
            }
            if let Some(parent) = m.parent_body(i) {
                let (child, parents) = (&m.bodies[i].name, &m.bodies[parent].name);
                let share = body
                    .transmit_wrench_to_parent(force)
                    .name_parts("art_load", &|| format!("{child}_in_{parents}{suffix}"));
                forces[parent] =
                    (forces[parent] + share).name_parts("tree_load", &|| format!("{parents}{suffix}"));
            }
        }
        driven
    }

    /// Accelerations of the speeds from the reduced efforts.
    fn sweep_outwards(
        &self,
        m: &Mechanism,
        k: &Kinematics<S>,
        driven: &[Vec<S>],
        start: &[Option<Twist<S>>],
        suffix: &str,
    ) -> Vec<S> {
        let first = &self.first;
        let mut accelerations = vec![S::ZERO; m.nv()];
        let mut rates: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
        for (i, (joint, body)) in BodyId::enumerate(m.joints.iter().zip(&k.bodies)) {
            let carried = joint.parent.map_or(Twist::ZERO, |p| body.carry_parent_twist(rates[p]));
            let mut rate = start[i].map_or(carried, |w| carried + w);
            for (r, effort) in self.released[i].iter().zip(&driven[i]).rev() {
                let mut left = *effort - r.wrench.power_on_twist(rate);
                if r.body == i {
                    accelerations[r.speed] = left * r.reciprocal;
                    rate = rate + r.column.scale(accelerations[r.speed]);
                } else {
                    left = left * r.reciprocal;
                    for (place, scaled) in &r.lower {
                        left = left - *scaled * accelerations[self.released[i][*place].speed];
                    }
                    accelerations[r.speed] = left;
                }
            }
            if first[i] != i {
                let joint_terms =
                    body.columns.iter().filter_map(|c| c.speed.map(|s| c.twist.scale(accelerations[s])));
                rate = joint_terms.fold(rate, |sum, x| sum + x);
            }
            rates.push(rate.name_parts("rate_", &|| format!("{}{suffix}", m.bodies[i].name)));
        }
        accelerations
    }
}
