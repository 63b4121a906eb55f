//! Search for the formula of a spec that has no finite derivative at a state.
//!
//! Problem: a derivative of the motion is not finite; find the formula responsible.
//! Method:  each load, constraint, user state and output is evaluated alone, over jets along the
//! same direction.

use super::names::Names;
use dqdt_algebra::{Jet, Number, Scalar};
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{constraint_rows, kinematics, parameters, quaternions, value_of};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Instant, Mechanism};

/// Loads, constraints, states and outputs whose derivative by an entry of `δx` or `u` is not
/// finite, as text for a message (``load `drag` ``).
pub fn without_slope(m: &Mechanism, names: &Names, at: &Arguments, column: &str) -> Vec<String> {
    let number = |n: Number| Jet::constant(n.to_f64());
    let still = |x: &[f64]| -> Vec<Jet<f64>> { x.iter().map(|x| Jet::constant(*x)).collect() };
    let mut instant = Instant {
        t: Jet::constant(at.t),
        q: still(&at.q),
        v: still(&at.v),
        z: still(&at.z),
        u: still(&at.u),
        p: parameters(m, &number, &still(&at.p)),
        named: Vec::new(),
    };
    move_along(m, names, column, &mut instant);
    let env = instant.environment(&number);
    let mut out = Vec::new();
    let endless = |x: &Jet<f64>| !x.d.is_finite();
    for load in &m.loads {
        let alone = Mechanism { loads: vec![load.clone()], ..m.clone() };
        if efforts(&alone, &env).iter().any(endless) {
            out.push(format!("load `{}`", load.name));
        }
    }
    for constraint in &m.constraints {
        let alone = Mechanism { constraints: vec![constraint.clone()], ..m.clone() };
        let rows = constraint_rows(&alone, &env);
        let of_row = |r: &dqdt_mechanics::kinematics::ConstraintRow<Jet<f64>>| {
            let values = r.jacobian.iter().chain([&r.velocity, &r.gamma]).chain(&r.position);
            values.into_iter().any(endless)
        };
        if rows.iter().any(of_row) {
            out.push(format!("constraint `{}`", constraint.name));
        }
    }
    for state in &m.states {
        if endless(&value_of(m, &env, &state.rate)) {
            out.push(format!("state `{}`", state.name));
        }
    }
    let resting = vec![Jet::ZERO; m.nv()];
    for output in formalism::outputs(m, &env, &resting, (&[], &[])) {
        if output.values.iter().any(endless) {
            out.push(format!("output `{}`", output.name));
        }
    }
    out
}

fn efforts(m: &Mechanism, env: &Environment<'_, Jet<f64>>) -> Vec<Jet<f64>> {
    formalism::efforts_of_loads(m, env, &kinematics(m, env))
}

/// Sets the direction of the jets to the unit vector of this entry of `δx` or `u`.
fn move_along(m: &Mechanism, names: &Names, column: &str, instant: &mut Instant<Jet<f64>>) {
    if let Some(k) = names.inputs.iter().position(|n| n == column) {
        instant.u[k].d = 1.0;
        return;
    }
    let Some(mut place) = names.states.iter().position(|n| n == column) else { return };
    let quaternions = quaternions(m);
    let mut i = 0;
    while i < instant.q.len() {
        let own = if quaternions.contains(&CoordinateId(i)) { 3 } else { 1 };
        if place < own {
            if own == 1 {
                instant.q[i].d = 1.0;
            } else {
                let [w, x, y, z] = [0, 1, 2, 3].map(|k| 0.5 * instant.q[i + k].v);
                let rates = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]][place];
                (0..4).for_each(|k| instant.q[i + k].d = rates[k]);
            }
            return;
        }
        place -= own;
        i += if own == 3 { 4 } else { 1 };
    }
    if let Some(x) = instant.v.iter_mut().chain(&mut instant.z).nth(place) {
        x.d = 1.0;
    }
}
