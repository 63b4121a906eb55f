//! Second derivatives of `λ_qᵀ q̇ + λ_zᵀ ż − wᵀ τ(x, a)` at constant accelerations a and weights w.
//!
//! Problem: the inverse dynamics τ of a tree, differentiated twice, in few operations.
//! Method:  joints with one speed by composite inertias of subtrees (`effort_hessian`),
//!          their loads and everything else node by node (`differentiate_twice`); for small
//!          mechanisms also all of it node by node, if that needs fewer operations.
//!
//! Not handled by subtrees: parameters, joints with several speeds, and what `effort_derivatives`
//! does not handle.

use super::derivation::Derivation;
use super::directions::{Direction, DirectionKind};
use super::displacements::{Displacement, find_displacement, has_constant_body_quantities};
use super::effort_hessian::{EffortHessian, effort_hessian};
use super::second_derivatives::{SecondDerivatives, differentiate_twice, lower_triangle};
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{Kinematics, convert_to_formulation_axes, kinematics};
use dqdt_mechanics::mechanism::{Environment, SpeedId};

/// Largest number of speeds for which subtrees are compared with differentiation of all nodes.
const SMALL: usize = 8;

/// The scalar, with symbols for the accelerations and the weights.
pub(super) struct HeldScalar<'a, 'g> {
    pub(super) accelerations: &'a [Tracer<'g>],
    pub(super) weights: &'a [Tracer<'g>],
    /// `λ_qᵀ q̇ + λ_zᵀ ż`.
    pub(super) kinematic: Tracer<'g>,
}

impl<'g> HeldScalar<'_, 'g> {
    /// Second derivatives of the scalar by the variables and the accelerations.
    pub(super) fn second_derivatives(
        &self,
        d: &Derivation<'g, '_>,
        inputs: &[Tracer<'g>],
        variables: &[Direction<'g>],
    ) -> SecondDerivatives<'g> {
        let env = d.tree_environment(inputs);
        let efforts = formalism::inverse_dynamics(d.m, &env, self.accelerations);
        let whole = self.kinematic - dot(self.weights, &efforts);
        let by_nodes = |wanted: &dyn Fn(usize, usize) -> bool| {
            differentiate_twice(d, whole, variables, self.accelerations, wanted)
        };
        let Some(tree) = SubtreeHessian::new(d, &env, self, variables) else { return by_nodes(&|_, _| true) };
        let rest = self.kinematic - dot(self.weights, &tree.loads);
        let mut sum = by_nodes(&|i, j| tree.entry(i, j).is_none());
        let of_rest =
            differentiate_twice(d, rest, variables, self.accelerations, &|i, j| tree.entry(i, j).is_some());
        for i in 0..variables.len() {
            for (j, entry) in sum.by_variables[i].iter_mut().enumerate() {
                *entry = tree.entry(i, j).map_or(*entry, |x| of_rest.by_variables[i][j] - x);
            }
            for (k, entry) in sum.by_accelerations[i].iter_mut().enumerate() {
                *entry = tree.entry(i, variables.len() + k).map_or(*entry, |x| -x);
            }
        }
        if d.m.nv() > SMALL {
            return sum;
        }
        let cost = |x: &SecondDerivatives<'g>| {
            let lower = lower_triangle(&x.by_variables);
            d.count_operations(lower.iter().chain(&x.by_accelerations).flatten().copied())
        };
        let others = by_nodes(&|_, _| true);
        if cost(&others) < cost(&sum) { others } else { sum }
    }
}

/// MotionPart of a variable in the motion of a tree.
#[derive(Clone, Copy)]
enum MotionPart {
    /// A displacement along the only speed of a joint.
    Displacement(SpeedId),
    /// The only speed of a joint.
    Speed(SpeedId),
    /// The acceleration of the only speed of a joint.
    Acceleration(SpeedId),
    /// A user state or an input, which has an effect on loads only.
    Load,
    /// A variable that subtrees do not handle.
    Other,
}

/// Second derivatives of the weighted efforts without loads, from subtrees.
struct SubtreeHessian<'g> {
    hessian: EffortHessian<Tracer<'g>>,
    /// Efforts that balance the loads.
    loads: Vec<Tracer<'g>>,
    /// Parts of the variables, then of the accelerations.
    parts: Vec<MotionPart>,
}

impl<'g> SubtreeHessian<'g> {
    /// The derivatives for these variables; `None` if bodies or joints do not permit any.
    fn new(
        d: &Derivation<'g, '_>,
        env: &Environment<'_, Tracer<'g>>,
        scalar: &HeldScalar<'_, 'g>,
        variables: &[Direction<'g>],
    ) -> Option<Self> {
        let m = d.m;
        let k = formalism::regroup_inertias(m, kinematics(m, env), env);
        if !has_constant_body_quantities(d, env, &k) {
            return None;
        }
        // Values at one instant do not depend on the choice of axes, so the cheapest axes are used.
        let in_cheapest_axes = convert_to_formulation_axes(m, env, k.clone(), false).kinematics;
        let hessian = effort_hessian(m, env, &in_cheapest_axes, scalar.accelerations, scalar.weights);
        let single = single_speeds(&k, m.nv());
        let only = |j: SpeedId, part: fn(SpeedId) -> MotionPart| {
            if single[j] { part(j) } else { MotionPart::Other }
        };
        let parts = variables.iter().map(|x| match x.kind {
            DirectionKind::Speed(j) => only(j, MotionPart::Speed),
            DirectionKind::Coordinate(_) => match find_displacement(d, &k, x.kind) {
                Some(Displacement::Along(j)) => only(j, MotionPart::Displacement),
                Some(Displacement::Among(_)) | None => MotionPart::Other,
            },
            DirectionKind::Other => MotionPart::Load,
            DirectionKind::Attitude { .. } | DirectionKind::Parameter | DirectionKind::Combined => {
                MotionPart::Other
            }
        });
        let parts = parts.chain(m.speed_ids().map(|j| only(j, MotionPart::Acceleration))).collect();
        Some(SubtreeHessian { hessian, loads: formalism::efforts_balancing_loads(m, env, &k), parts })
    }

    /// Second derivative by two variables or accelerations, by index; `None` if subtrees do not
    /// give it.
    fn entry(&self, i: usize, j: usize) -> Option<Tracer<'g>> {
        use MotionPart::{Acceleration, Displacement, Load, Other, Speed};
        let h = &self.hessian;
        Some(match (self.parts[i], self.parts[j]) {
            (Other, _) | (_, Other) => return None,
            (Load, _) | (_, Load) | (Acceleration(_), Acceleration(_) | Speed(_)) => Tracer::ZERO,
            (Speed(_), Acceleration(_)) => Tracer::ZERO,
            (Displacement(a), Displacement(b)) => h.by_displacements[a][b],
            (Speed(a), Displacement(b)) | (Displacement(b), Speed(a)) => h.by_speed_and_displacement[a][b],
            (Speed(a), Speed(b)) => h.by_speeds[a][b],
            (Acceleration(a), Displacement(b)) | (Displacement(b), Acceleration(a)) => {
                h.by_acceleration_and_displacement[a][b]
            }
        })
    }
}

/// True for each speed that is the only one of its joint.
fn single_speeds<S>(k: &Kinematics<S>, nv: usize) -> Vec<bool> {
    let mut single = vec![false; nv];
    for body in &k.bodies {
        if let [column] = &body.columns[..]
            && let Some(speed) = column.speed
        {
            single[speed] = true;
        }
    }
    single
}
