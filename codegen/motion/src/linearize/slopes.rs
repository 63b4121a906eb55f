//! Search for the formula of a spec that has no finite derivative at a state.
//!
//! Problem: a derivative of the motion is not finite; find the formula responsible.
//! Method:  each load, constraint, user state and output is evaluated alone, over jets along the
//! same direction.

use super::names::MatrixNames;
use dqdt_algebra::{Jet, Number, Scalar};
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{
    constraint_rows, evaluate_formula, evaluate_parameters, kinematics, quaternion_starts,
};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Instant, Mechanism};

/// Loads, constraints, states and outputs whose derivative by one entry (`column`) of `δx` or `u`
/// is not finite, as text for a message (``load `drag` ``).
pub fn items_with_infinite_slope(
    m: &Mechanism,
    names: &MatrixNames,
    at: &Arguments,
    column: &str,
) -> Vec<String> {
    let mut instant = Instant {
        t: Jet::constant(at.t),
        q: constant_jets(&at.q),
        v: constant_jets(&at.v),
        z: constant_jets(&at.z),
        u: constant_jets(&at.u),
        p: evaluate_parameters(m, &constant_jet, &constant_jets(&at.p)),
        named: Vec::new(),
    };
    set_jet_direction(m, names, column, &mut instant);
    let env = instant.as_environment(&constant_jet);
    let mut out = Vec::new();
    for load in &m.loads {
        let alone = Mechanism { loads: vec![load.clone()], ..m.clone() };
        if load_efforts(&alone, &env).iter().any(has_infinite_slope) {
            out.push(format!("load `{}`", load.name));
        }
    }
    for constraint in &m.constraints {
        let alone = Mechanism { constraints: vec![constraint.clone()], ..m.clone() };
        let rows = constraint_rows(&alone, &env);
        let mut values =
            rows.iter().flat_map(|r| r.jacobian.iter().chain([&r.velocity, &r.gamma]).chain(&r.position));
        if values.any(has_infinite_slope) {
            out.push(format!("constraint `{}`", constraint.name));
        }
    }
    for state in &m.states {
        if has_infinite_slope(&evaluate_formula(m, &env, &state.rate)) {
            out.push(format!("state `{}`", state.name));
        }
    }
    let resting = vec![Jet::ZERO; m.nv()];
    for output in formalism::evaluate_outputs(m, &env, &resting, (&[], &[])) {
        if output.values.iter().any(has_infinite_slope) {
            out.push(format!("output `{}`", output.name));
        }
    }
    out
}

/// The jet of a number: its derivative is zero.
fn constant_jet(n: Number) -> Jet<f64> {
    Jet::constant(n.to_f64())
}

/// The jets of numbers: their derivatives are zero.
fn constant_jets(x: &[f64]) -> Vec<Jet<f64>> {
    x.iter().map(|x| Jet::constant(*x)).collect()
}

/// True if the derivative of a jet is infinite or undefined.
fn has_infinite_slope(x: &Jet<f64>) -> bool {
    !x.d.is_finite()
}

/// Efforts of all loads on the speeds, each with its derivative in the direction of the jets.
fn load_efforts(m: &Mechanism, env: &Environment<'_, Jet<f64>>) -> Vec<Jet<f64>> {
    formalism::efforts_balancing_loads(m, env, &kinematics(m, env))
}

/// Sets the direction of the jets in `instant` to the unit vector of one entry of `δx` or `u`,
/// named `column`.
fn set_jet_direction(m: &Mechanism, names: &MatrixNames, column: &str, instant: &mut Instant<Jet<f64>>) {
    if let Some(k) = names.inputs.iter().position(|n| n == column) {
        instant.u[k].d = 1.0;
        return;
    }
    let Some(mut offset) = names.states.iter().position(|n| n == column) else { return };
    let quaternions = quaternion_starts(m);
    let mut i = 0;
    while i < instant.q.len() {
        let width = if quaternions.contains(&CoordinateId(i)) { 3 } else { 1 };
        if offset < width {
            if width == 1 {
                instant.q[i].d = 1.0;
            } else {
                let [w, x, y, z] = [0, 1, 2, 3].map(|k| 0.5 * instant.q[i + k].v);
                let rates = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]][offset];
                (0..4).for_each(|k| instant.q[i + k].d = rates[k]);
            }
            return;
        }
        offset -= width;
        i += if width == 3 { 4 } else { 1 };
    }
    if let Some(x) = instant.v.iter_mut().chain(&mut instant.z).nth(offset) {
        x.d = 1.0;
    }
}
