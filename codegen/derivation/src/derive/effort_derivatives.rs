//! Derivatives of the efforts of inverse dynamics along directions.
//!
//! Problem: `∂τ` of `τ = M a + c − Q` at constant accelerations, in few operations.
//! Method:  from composite inertias of subtrees (`formalism::effort_derivatives`), with the loads
//!          differentiated node by node (`ir::Tangents`); or all of it node by node, if the subtree
//!          method does not apply or needs more operations, as for a short planar arm, where most
//!          nodes are constant.
//! Cost:    both are recorded and counted.
//!
//! Not handled by subtrees: directions of parameters, prescribed motion, angles from the ground,
//! rotors, joints whose partial velocities change in child axes, state-dependent gravity or
//! inertias.

use std::borrow::Borrow;

use super::derivation::Derivation;
use super::directions::{Direction, DirectionKind, differentiate_along};
use super::displacements::{Displacement, find_displacement, has_constant_body_quantities};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::{NodeId, Tracer, substitute_symbols};
use dqdt_mechanics::formalism::{self, EffortDerivatives, EquivalentAcceleration};
use dqdt_mechanics::kinematics::{Kinematics, convert_to_formulation_axes, kinematics};
use dqdt_mechanics::mechanism::{Environment, SpeedId};

/// Derivative `∂τ` along a direction, as `efforts + M w`.
#[derive(Clone)]
pub struct EffortDerivative<'g> {
    /// The part of the derivative `∂τ` that is not of the form `M w`, by speed.
    pub efforts: Vec<Tracer<'g>>,
    /// Non-zero entries of the accelerations w, with their speeds. Solving `M x = −∂τ` then needs
    /// no factorisation for this part.
    pub equivalent: Vec<(SpeedId, Tracer<'g>)>,
}

impl<'g> EffortDerivative<'g> {
    /// A derivative without a separate part `M w`.
    fn from_efforts(efforts: Vec<Tracer<'g>>) -> Self {
        EffortDerivative { efforts, equivalent: Vec::new() }
    }
}

/// Column of speed `j` of a matrix by rows.
fn matrix_column<'g>(rows: &[Vec<Tracer<'g>>], j: SpeedId) -> Vec<Tracer<'g>> {
    rows.iter().map(|row| row[j]).collect()
}

/// `∂τ` of the inverse dynamics of the tree along directions, one list for each direction.
/// `replacements` are values for symbols of accelerations; other accelerations remain symbols.
pub fn differentiate_efforts<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    replacements: &[(NodeId, Tracer<'g>)],
) -> Vec<Vec<Tracer<'g>>> {
    differentiate_by_cheaper_method(d, inputs, directions, replacements, false)
        .into_iter()
        .map(|x| x.efforts)
        .collect()
}

/// Like [`differentiate_efforts`], for accelerations that compensate `∂τ`: a part of the form `M w`
/// is kept separate.
pub fn differentiate_efforts_to_compensate<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    replacements: &[(NodeId, Tracer<'g>)],
) -> Vec<EffortDerivative<'g>> {
    differentiate_by_cheaper_method(d, inputs, directions, replacements, true)
}

/// Derivatives of the efforts by subtrees or node by node, whichever has fewer operations. With
/// `separate`, a part `M w` is kept apart in `equivalent`.
fn differentiate_by_cheaper_method<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    replacements: &[(NodeId, Tracer<'g>)],
    separate: bool,
) -> Vec<EffortDerivative<'g>> {
    let env = d.tree_environment(inputs);
    let accelerations = d.acceleration_symbols();
    let substitute_all = |all: Vec<EffortDerivative<'g>>| -> Vec<EffortDerivative<'g>> {
        all.into_iter()
            .map(|derivative| {
                let (speeds, w): (Vec<SpeedId>, Vec<_>) = derivative.equivalent.into_iter().unzip();
                let w = substitute_symbols(d.graph, &w, replacements);
                EffortDerivative {
                    efforts: substitute_symbols(d.graph, &derivative.efforts, replacements),
                    equivalent: speeds.into_iter().zip(w).collect(),
                }
            })
            .collect()
    };
    let cost =
        |all: &[EffortDerivative<'g>]| d.count_operations(all.iter().flat_map(|x| &x.efforts).copied());
    let by_nodes =
        differentiate_along(d, &formalism::inverse_dynamics(d.m, &env, &accelerations), directions);
    let by_nodes = substitute_all(by_nodes.into_iter().map(EffortDerivative::from_efforts).collect());
    match differentiate_efforts_by_subtrees(d, &env, &accelerations, directions, separate).map(substitute_all)
    {
        Some(by_subtrees) if cost(&by_subtrees) < cost(&by_nodes) => by_subtrees,
        _ => by_nodes,
    }
}

/// Derivatives by composite inertias of subtrees, with `M w` separate if `separate`; `None` if the
/// joints, bodies or directions do not permit it.
fn differentiate_efforts_by_subtrees<'g>(
    d: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    accelerations: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    separate: bool,
) -> Option<Vec<EffortDerivative<'g>>> {
    let m = d.m;
    let each = || directions.iter().map(Borrow::borrow);
    if !each().any(|x| x.kind.is_pose_or_speed())
        || each().any(|x| matches!(x.kind, DirectionKind::Parameter | DirectionKind::Combined))
    {
        return None;
    }
    let k = formalism::regroup_inertias(m, kinematics(m, env), env);
    if !has_constant_body_quantities(d, env, &k) {
        return None;
    }
    // Values at one instant do not depend on the choice of axes, so the cheapest axes are used.
    let in_cheapest_axes = convert_to_formulation_axes(m, env, k.clone(), false).kinematics;
    let mut tree_derivatives = formalism::effort_derivatives(m, env, &in_cheapest_axes, accelerations);
    if !separate {
        tree_derivatives.equivalent_by_displacement.fill(None);
        tree_derivatives.equivalent_by_speed.fill(None);
    }
    let tree: Option<Vec<EffortDerivative<'g>>> =
        each().map(|x| tree_effort_derivative(d, &k, &tree_derivatives, x.kind)).collect();
    let loads = differentiate_along(d, &formalism::efforts_balancing_loads(m, env, &k), directions);
    let both = tree?.into_iter().zip(loads);
    let sums = both.map(|(derivative, loads)| EffortDerivative {
        efforts: derivative.efforts.into_iter().zip(loads).map(|(a, b)| a + b).collect(),
        equivalent: derivative.equivalent,
    });
    Some(sums.collect())
}

/// Derivative of the efforts of the tree along one direction, without loads; `None` if it is
/// unknown.
fn tree_effort_derivative<'g>(
    d: &Derivation<'g, '_>,
    k: &Kinematics<Tracer<'g>>,
    tree: &EffortDerivatives<Tracer<'g>>,
    kind: DirectionKind,
) -> Option<EffortDerivative<'g>> {
    let nv = d.m.nv();
    let none = || vec![Tracer::ZERO; nv];
    let along = |rows: &[Vec<Tracer<'g>>], equivalent: &[EquivalentAcceleration<Tracer<'g>>], j: SpeedId| {
        match &equivalent[j] {
            Some(w) => EffortDerivative { efforts: none(), equivalent: w.clone() },
            None => EffortDerivative::from_efforts(matrix_column(rows, j)),
        }
    };
    match kind {
        DirectionKind::Speed(j) => Some(along(&tree.by_speed, &tree.equivalent_by_speed, j)),
        DirectionKind::Other => Some(EffortDerivative::from_efforts(none())),
        DirectionKind::Parameter | DirectionKind::Combined => None,
        DirectionKind::Coordinate(_) | DirectionKind::Attitude { .. } => match find_displacement(d, k, kind)?
        {
            Displacement::Along(j) => Some(along(&tree.by_displacement, &tree.equivalent_by_displacement, j)),
            // A displacement without effect on the efforts, such as the position of a free base.
            Displacement::Among(speeds) => {
                let has_effect = (speeds.iter())
                    .any(|j| matrix_column(&tree.by_displacement, *j).iter().any(|x| !x.is_zero()));
                (!has_effect).then(|| EffortDerivative::from_efforts(none()))
            }
        },
    }
}
