//! Derivatives for a linearisation with constraints, of any mechanism.
//!
//! Problem: rates, outputs and residuals of constraints, with their derivatives by the state and
//!          the inputs.
//! Method:  the solved accelerations are differentiated directly, through the linear solve. This
//!          costs more operations than `linear` does for trees, but works for all treatments of
//!          constraints.

use rustc_hash::FxHashSet;

use super::derivation::Derivation;
use super::directions::Direction;
use super::linear;
use super::solution::Solved;
use dqdt_algebra::Number;
use dqdt_diagnostics::base::first_free_name;
use dqdt_graph::ir::{Tangents, Tracer};
use dqdt_mechanics::formalism::{self, OutputValue};
use dqdt_mechanics::kinematics::{constraint_rows, evaluate_formula, evaluate_parameters, initial_instant};
use dqdt_mechanics::mechanism::{CoordinateId, Mechanism, joint};

/// Rates, outputs and residuals of constraints, with their derivatives.
pub struct FullDerivatives<'g> {
    /// Rates of the state in the order of `directions::of_state`; for a quaternion, the angular
    /// velocity.
    pub rates: Vec<Tracer<'g>>,
    /// Values of the outputs of the spec.
    pub outputs: Vec<Tracer<'g>>,
    /// Residuals of positions, then of speeds, in the order of [`residual_names`].
    pub residuals: Vec<Tracer<'g>>,
    /// One column of derivatives for each direction of the state.
    pub by_state: Vec<FullColumn<'g>>,
    /// One column of derivatives for each input.
    pub by_input: Vec<FullColumn<'g>>,
}

/// Derivatives of rates, outputs and residuals along one direction.
pub struct FullColumn<'g> {
    /// Derivatives of the state's rates along the direction; `δ̇ = δω − ω × δ` for a quaternion.
    pub state: Vec<Tracer<'g>>,
    /// Derivatives of the values of the spec's outputs along the direction.
    pub outputs: Vec<Tracer<'g>>,
    /// Derivatives of the constraint residuals, positions and then speeds, along the direction.
    pub residuals: Vec<Tracer<'g>>,
}

/// Differentiates rates, outputs and residuals of any mechanism directly, through the solve.
pub fn differentiate_full_system<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    states: &[Direction<'g>],
    inputs: &[Direction<'g>],
) -> FullDerivatives<'g> {
    let m = d.m;
    let env = d.environment(motion.inputs());
    let of_states: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
    let outputs: Vec<_> =
        formalism::evaluate_outputs(m, &env, motion.accelerations(), (d.rows(), motion.multipliers()))
            .into_iter()
            .flat_map(|o| o.values)
            .collect();
    let rows = d.evaluate_at_state_speeds(|_, m, env| constraint_rows(m, env));
    let positions = rows.iter().filter_map(|r| r.position);
    let residuals: Vec<_> = positions.chain(rows.iter().map(|r| r.velocity)).collect();
    let rates = linear::replace_quaternion_entries(d, d.coordinate_rates(), |joint| {
        linear::child_axis_angular_velocity(d, joint).0
    });
    let all = [d.coordinate_rates(), motion.accelerations(), &of_states, &outputs, &residuals].concat();
    let tangents = Tangents::new(d.graph, &all);
    let column = |direction: &Direction<'g>| {
        let along = tangents.derivatives_along(&direction.seeds, &direction.name);
        let (of_rates, rest) = along.split_at(d.coordinate_rates().len());
        let (of_speeds, rest) = rest.split_at(m.nv() + of_states.len());
        let (outputs, residuals) = rest.split_at(outputs.len());
        let mut state = linear::replace_quaternion_entries(d, of_rates, |joint| {
            linear::attitude_rate_derivative(d, joint, direction).0
        });
        state.extend(of_speeds);
        FullColumn { state, outputs: outputs.to_vec(), residuals: residuals.to_vec() }
    };
    let (by_state, by_input) = (states.iter().map(column).collect(), inputs.iter().map(column).collect());
    let rates = [&rates[..], motion.accelerations(), &of_states].concat();
    FullDerivatives { rates, outputs, residuals, by_state, by_input }
}

/// Names of the constraint rows with a position residual, and of all rows, which have velocity
/// residuals.
pub fn residual_names(m: &Mechanism) -> (Vec<String>, Vec<String>) {
    let p = evaluate_parameters(m, &Number::to_f64, &[]);
    let start = initial_instant(m, &Number::to_f64, &p);
    let rows = constraint_rows(m, &start.as_environment(&Number::to_f64));
    let positions = rows.iter().filter(|r| r.position.is_some()).map(|r| r.name.clone()).collect();
    (positions, rows.iter().map(|r| r.name.clone()).collect())
}

/// Names of all scalar entries of the outputs of the spec, made unique.
pub fn output_names(m: &Mechanism) -> Vec<String> {
    let p = evaluate_parameters(m, &Number::to_f64, &[]);
    let start = initial_instant(m, &Number::to_f64, &p);
    let still = vec![0.0; m.nv()];
    let outputs = formalism::evaluate_outputs(m, &start.as_environment(&Number::to_f64), &still, (&[], &[]));
    make_names_unique(outputs.iter().flat_map(OutputValue::entry_names).collect())
}

/// Unique names: of equal ones, such as the component `x` of `v` and an output `v_x`, the later
/// ones get a number.
fn make_names_unique(names: Vec<String>) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let unique = names.into_iter().map(|name| {
        let name = first_free_name(&name, |n| taken.contains(n));
        taken.insert(name.clone());
        name
    });
    unique.collect()
}

/// Names of the entries of `δx`, in order: coordinates (three differences of a quaternion), speeds,
/// user states.
pub fn state_difference_names(m: &Mechanism) -> Vec<String> {
    let mut out = Vec::new();
    for (i, c) in CoordinateId::enumerate(&m.coordinates) {
        let of_quaternion =
            joint::free_quaternion(&m.joints[c.joint]).map(|first| i.index().wrapping_sub(first.index()));
        match of_quaternion.filter(|k| *k < 4) {
            Some(k @ 0..3) => {
                out.push(format!("{}_delta_{}", m.joints[c.joint].name, ["x", "y", "z"][k]));
            }
            Some(_) => {}
            None => out.push(c.name.clone()),
        }
    }
    out.extend(m.speeds.iter().map(|s| s.name.clone()));
    out.extend(m.states.iter().map(|s| s.name.clone()));
    make_names_unique(out)
}
