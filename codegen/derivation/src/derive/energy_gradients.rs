//! Derivatives of the energies along directions.
//!
//! Problem: `∂T` and `∂V` of the energies of the tree along directions of the pose and of the
//!          speeds, in few operations.
//! Method:  T from the momenta of subtrees and gravity from their weights
//!          (`formalism::kinetic_gradients`, `formalism::gravity_efforts`), springs node by node
//!          (`ir::Tangents`); or all of it node by node, if the subtree method does not apply or
//!          needs more operations.
//! Cost:    both are recorded and counted.

use super::derivation::Derivation;
use super::directions::{Direction, differentiate_along};
use super::displacements::{Displacement, find_displacement, has_constant_body_quantities};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{convert_to_formulation_axes, kinematics};
use dqdt_mechanics::mechanism::{Formula, Mechanism, SpeedId};

/// Derivatives of the kinetic and potential energy of the tree, one entry for each direction of the
/// pose or of the speeds.
pub struct EnergyGradients<'g> {
    pub kinetic_by_pose: Vec<Tracer<'g>>,
    pub potential_by_pose: Vec<Tracer<'g>>,
    pub kinetic_by_speeds: Vec<Tracer<'g>>,
}

/// Gradients of the energies of the tree along `pose` and `speeds`, for saturated inputs.
pub fn differentiate_energies<'g>(
    d: &Derivation<'g, '_>,
    pose: &[Direction<'g>],
    speeds: &[Direction<'g>],
) -> EnergyGradients<'g> {
    let cost = |x: &EnergyGradients<'g>| {
        let all = x.kinetic_by_pose.iter().chain(&x.potential_by_pose).chain(&x.kinetic_by_speeds);
        d.count_operations(all.copied())
    };
    let by_nodes = energy_gradients_by_nodes(d, pose, speeds);
    match energy_gradients_by_subtrees(d, pose) {
        Some(by_subtrees) if cost(&by_subtrees) < cost(&by_nodes) => by_subtrees,
        _ => by_nodes,
    }
}

/// Gradients by differentiation of the recorded energies, node by node.
fn energy_gradients_by_nodes<'g>(
    d: &Derivation<'g, '_>,
    pose: &[Direction<'g>],
    speeds: &[Direction<'g>],
) -> EnergyGradients<'g> {
    let energy = formalism::energy(d.m, &d.tree_environment(d.saturated_inputs()));
    let by_pose = differentiate_along(d, &[energy.kinetic, energy.potential], pose);
    let by_speeds = differentiate_along(d, &[energy.kinetic], speeds);
    EnergyGradients {
        kinetic_by_pose: by_pose.iter().map(|x| x[0]).collect(),
        potential_by_pose: by_pose.iter().map(|x| x[1]).collect(),
        kinetic_by_speeds: by_speeds.iter().map(|x| x[0]).collect(),
    }
}

/// Gradients from the momenta of subtrees; `None` if the joints, bodies or directions do not permit
/// it.
fn energy_gradients_by_subtrees<'g>(
    d: &Derivation<'g, '_>,
    pose: &[Direction<'g>],
) -> Option<EnergyGradients<'g>> {
    let m = d.m;
    let env = d.tree_environment(d.saturated_inputs());
    let k = formalism::regroup_inertias(m, kinematics(m, &env), &env);
    if !has_constant_body_quantities(d, &env, &k) {
        return None;
    }
    let kinetic = formalism::kinetic_energy_gradients(
        m,
        &convert_to_formulation_axes(m, &env, k.clone(), false).kinematics,
    );
    let weights = formalism::gravity_efforts(m, &env);
    let weightless = Mechanism { gravity: [Formula::ZERO, Formula::ZERO, Formula::ZERO], ..m.clone() };
    let springs = differentiate_along(d, &[formalism::energy(&weightless, &env).potential], pose);
    let along: Vec<SpeedId> = (pose.iter())
        .map(|x| match find_displacement(d, &k, x.kind)? {
            Displacement::Along(j) => Some(j),
            Displacement::Among(_) => None,
        })
        .collect::<Option<_>>()?;
    Some(EnergyGradients {
        kinetic_by_pose: along.iter().map(|j| kinetic.by_displacement[*j]).collect(),
        potential_by_pose: along.iter().zip(&springs).map(|(j, spring)| weights[*j] + spring[0]).collect(),
        kinetic_by_speeds: kinetic.by_speed,
    })
}
