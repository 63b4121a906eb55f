//! Derivation: from a mechanism and a formalism to a program.
//!
//! Problem: the mechanics is generic over a scalar; evaluated with the tracer it records a graph.
//!          This folder decides what to record, names it for the reader of the emitted code, and
//!          solves `M v̇ = Q − c` in the graph.
//! Method:  three steps.
//!
//! - `derivation`: symbols, kinematics and constraint rows, with `elimination` of dependent speeds.
//! - `accelerations`: the motion, as a `solution`, with `constrained` and `program_inputs`.
//! - `function`: each requested function, from its `definition`, with its `checks`.
//!
//! The graph shares values that are recorded repeatedly. `layout` and `events` describe the
//! vectors, `labels` sets names. The crate of the graph knows nothing of equations.

mod accelerations;
mod ambiguous_numbers;
mod checks;
mod constrained;
mod definition;
mod derivation;
pub mod directions;
mod displacements;
pub(crate) mod effort_derivatives;
mod effort_hessian;
mod elimination;
pub(crate) mod energy_gradients;
mod events;
pub mod full_linearisation;
mod function;
mod held_scalar;
pub(crate) mod hessian;
pub(crate) mod independent;
mod inertial;
mod joint;
mod labels;
mod layout;
pub(crate) mod linear;
mod parameter_conditions;
mod program_inputs;
pub(crate) mod reduced;
mod request;
mod second_derivatives;
pub mod size;
mod solution;
mod vocabulary;

pub use definition::Definition;
pub use definition::{Derive, Quotients};
pub use derivation::Derivation;
pub use events::event_unit;
pub use inertial::InertialParameters;
pub use joint::{JointError, joint};
pub use layout::{start_at_defaults, vector_layout};
pub use parameter_conditions::record_parameter_checks;
pub use program_inputs::input_force_column;
pub use request::Request;
pub use solution::Solved;

use crate::assemble::Assembled;
use dqdt_mechanics::mechanism::{BodyId, Formulation, SpeedId};
use std::sync::Arc;

use dqdt_graph::ir::declaration::Vector;
use dqdt_graph::ir::{Evaluation, Graph, Layout, Program, store_names_by_fingerprint};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::convert_to_formulation_axes;

/// Derives the equations and the requested functions in a new graph. Simplification passes run
/// later.
pub fn derive(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    derive_in_graph(Graph::with_normal_forms(), loaded, formulation, request)
}

/// Like [`derive()`], without names for readers: the same operations in about half the time. Used
/// to count operations.
pub fn derive_to_count(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    derive_in_graph(Graph::with_normal_forms().without_notes(), loaded, formulation, request)
}

/// Names the values of the graph for readers, after all functions are recorded.
fn name_values<'g>(derivation: &Derivation<'g, '_>, solved: Option<&Solved<'g>>, formulation: &Formulation) {
    let m = derivation.m;
    labels::name_body_intermediates(m, &derivation.kinematics);
    labels::name_body_intermediates(m, &derivation.regrouped_kinematics);
    if let Some(axes) = formulation.body_axes.as_ref().filter(|axes| axes.has_unrotated_axes()) {
        let env = derivation.environment(derivation.saturated_inputs());
        let in_axes =
            convert_to_formulation_axes(m, &env, derivation.regrouped_kinematics.clone(), false).kinematics;
        labels::name_quantities_in_axes(m, axes, &in_axes);
        labels::name_body_intermediates(m, &in_axes);
    }
    vocabulary::record_vocabulary(derivation, solved);
    store_names_by_fingerprint(derivation.graph);
}

/// Derives the equations and the requested functions in the given empty graph, which decides on
/// normal forms and names.
pub fn derive_in_graph(
    graph: Graph,
    loaded: &Assembled,
    formulation: &Formulation,
    request: &Request,
) -> Program {
    let (m, partition) = (&*formulation.move_joint_origins(&loaded.mechanism), &loaded.partition);
    let origin = &loaded.origin;
    if !graph.ignores_notes() {
        graph.nameless(ambiguous_numbers::find_ambiguous_numbers(m));
    }
    let takes = |vector: Vector| request.functions.iter().any(|f| f.takes(vector));
    let independent_speeds = match takes(Vector::IndependentAccelerations) {
        true => formalism::independent_speeds(m, partition).unwrap_or_default(),
        false => Vec::new(),
    };
    let independent_speeds = independent_speeds.into_iter().map(SpeedId::index).collect();
    let driven_speeds = match takes(Vector::DrivenAccelerations) {
        true => formalism::driven_speeds(m, partition).unwrap_or_default(),
        false => Vec::new(),
    };
    let driven_speeds = driven_speeds.into_iter().map(SpeedId::index).collect();
    let by_differences = request.functions.iter().any(|f| f.in_independent_differences());
    let (mut independent_differences, mut undetermined_rows) = (Vec::new(), Vec::new());
    let functions = {
        let derivation =
            Derivation::new(&graph, m, partition, formulation, request.formalism, request.inertia);
        let needs_motion = request.functions.iter().any(|f| f.derive.needs_motion());
        let solved = needs_motion.then(|| accelerations::solve_equations_of_motion(&derivation));
        let functions = (request.functions.iter())
            .filter_map(|f| function::derive_function(&derivation, solved.as_ref(), f))
            .collect();
        let undetermined = derivation.rows().iter().filter(|row| partition.is_undetermined(row.row_index()));
        undetermined_rows.extend(undetermined.map(|row| row.name.clone()));
        if by_differences && !derivation.rows().is_empty() {
            let differences = independent::IndependentDifferences::new(&derivation);
            independent_differences = differences.map_or_else(Vec::new, |free| free.independent_indices());
        }
        if !graph.ignores_notes() {
            name_values(&derivation, solved.as_ref(), formulation);
        }
        functions
    };
    let bodies = |is_listed: &dyn Fn(BodyId) -> bool| -> Vec<String> {
        BodyId::enumerate(&m.bodies).filter(|(i, _)| is_listed(*i)).map(|(_, b)| b.name.clone()).collect()
    };
    let unturned = bodies(&|i| formulation.body_axes.as_ref().is_some_and(|axes| axes.is_unrotated(i)));
    let level = bodies(&|i| {
        formulation
            .joint_origins
            .as_ref()
            .is_some_and(|origins| origins.is_level_with_parent(i.inboard_joint()))
    });
    Program {
        name: m.name.clone(),
        description: m.description.clone(),
        spec: origin.file.clone(),
        spec_hash: origin.hash.clone(),
        formalism: request.formalism.name().to_owned(),
        layout: Layout {
            non_rotating_bodies: unturned,
            level,
            independent_speeds,
            driven_speeds,
            independent_differences,
            dependent_speeds: layout::dependent_speed_names(m, partition),
            undetermined_rows,
            ..vector_layout(m)
        },
        graph,
        functions,
        parameter_checks: parameter_conditions::record_parameter_checks(m).map(Arc::new),
        evaluation: Evaluation::default(),
    }
}
