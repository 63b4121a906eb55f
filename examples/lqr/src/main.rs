//! Linear-quadratic regulators from linearised equations: a cart-pole, and a bicycle at an unstable
//! speed.
//!
//! The cart-pole is linearised by the emitted `linearize`, as a controller would do it at any
//! state. The bicycle has constraints: its A and B in independent states come from
//! `dqdt_codegen::linearize`. At 3 m/s it is too slow to be stable; a torque at the handlebar
//! balances it. Both are released with a disturbance and simulated with their full equations. The
//! plot is written to `target/lqr/balance.svg`.

mod riccati;

/// The generated modules.
mod cart_pole {
    dqdt::include_mechanism!("cart_pole");
}
mod bicycle {
    dqdt::include_mechanism!("whipple_torques");
}

use std::error::Error;
use std::fs;
use std::path::Path;

use dqdt::integrate::{Options, integrate, integrate_constrained};
use dqdt_codegen::linearize::{LinearizeRequest, linearize};
use dqdt_codegen::pictures::{self, Panel, Plot, Series};
use dqdt_codegen::pipeline;
use dqdt_codegen::simulate::Values;
use nalgebra::DMatrix;
use riccati::lqr;

/// Speed of the bicycle \[m/s\].
const SPEED: f64 = 3.0;
/// States of the balance of the bicycle: lean and steering angle, and their rates.
const BALANCE: [&str; 4] = ["roll", "steer", "roll_dot", "steer_dot"];

fn times(end: f64) -> Vec<f64> {
    (1..=300).map(|k| end * f64::from(k) / 300.0).collect()
}

/// Angles and inputs over time, each with name and unit.
struct BalancedMotion {
    t: Vec<f64>,
    curves: Vec<(&'static str, &'static str, Vec<f64>)>,
}

/// Balances the cart-pole from a start 20 degrees off upright.
fn balance_cart_pole() -> Result<BalancedMotion, Box<dyn Error>> {
    use cart_pole::{Linearization, Model, NX, Q_THETA, Q_X};
    let model = Model::default();
    let mut l = Linearization::default();
    // Upright equilibrium.
    let upright = [0.0; NX];
    model.linearize(0.0, &upright, &[0.0], &mut l)?;
    let a = DMatrix::from_fn(NX, NX, |i, j| l.a[i][j]);
    let b = DMatrix::from_fn(NX, 1, |i, j| l.b[i][j]);
    let k = lqr(&a, &b, &[1.0, 10.0, 0.1, 0.1], &[0.01]).ok_or("no regulator")?;
    println!("cart-pole: u = −K x, K = {:.3?}", k.as_slice());
    let mut x0 = upright;
    x0[Q_THETA] = 20f64.to_radians();
    let t = times(5.0);
    let run = integrate(
        &model,
        0.0,
        &x0,
        &t,
        |_, x| [-(0..NX).map(|i| k[(0, i)] * x[i]).sum::<f64>()],
        &Options::default(),
    )?;
    let column = |i: usize| run.x.iter().map(|x| x[i]).collect();
    Ok(BalancedMotion { curves: vec![("x", "m", column(Q_X)), ("theta", "rad", column(Q_THETA))], t })
}

fn position(names: &[String], name: &str) -> Result<usize, &'static str> {
    names.iter().position(|n| n == name).ok_or("no such name")
}

/// Balances the bicycle after a push to a lean rate of 3 degrees per second.
fn balance_bicycle() -> Result<BalancedMotion, Box<dyn Error>> {
    use bicycle::{Model, NX, Q_ROLL, Q_STEER, START, V_ROLL_DOT, V_STEER_DOT, V_X_DOT};
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/linearize/whipple_torques.toml");
    let at = Values { v: vec![("x_dot".to_owned(), SPEED)], ..Values::default() };
    let independent = BALANCE.map(str::to_owned).to_vec();
    let loaded = pipeline::load(&spec)?;
    let linearized =
        linearize(&loaded, &LinearizeRequest { at, independent, ..LinearizeRequest::default() })?;
    let places: Vec<usize> =
        BALANCE.iter().map(|n| position(&linearized.states, n)).collect::<Result<_, _>>()?;
    // Position and heading must not affect the balance.
    let others = (0..linearized.states.len()).filter(|j| !places.contains(j));
    let acts_back = others
        .flat_map(|j| places.iter().map(move |i| (*i, j)))
        .any(|(i, j)| linearized.a[i][j].abs() > 1e-9);
    if acts_back {
        return Err("the balance depends on more than lean and steer".into());
    }
    let handlebar = position(&linearized.inputs, "steer_torque")?;
    let a = DMatrix::from_fn(4, 4, |i, j| linearized.a[places[i]][places[j]]);
    let b = DMatrix::from_fn(4, 1, |i, _| linearized.b[places[i]][handlebar]);
    let quickest = a.complex_eigenvalues().iter().map(|v| v.re).fold(f64::NEG_INFINITY, f64::max);
    let k = lqr(&a, &b, &[10.0, 1.0, 1.0, 0.1], &[0.01]).ok_or("no regulator")?;
    println!("bicycle at {SPEED} m/s: falls with e^({quickest:.2} t) by itself; K = {:.3?}", k.as_slice());
    let entries = [Q_ROLL, Q_STEER, V_ROLL_DOT, V_STEER_DOT];
    let torque = |x: &[f64; NX]| -(0..4).map(|i| k[(0, i)] * x[entries[i]]).sum::<f64>();
    let mut x0 = START;
    // Scale all speeds; the projection onto the constraints then adjusts those of the rolling
    // wheels.
    let factor = SPEED / x0[V_X_DOT];
    (bicycle::NQ..NX).for_each(|i| x0[i] *= factor);
    x0[V_ROLL_DOT] = 3f64.to_radians();
    let t = times(5.0);
    let options = Options { rtol: 1e-8, atol: 1e-8, ..Options::default() };
    let run = integrate_constrained(
        &Model::default(),
        (0.0, &x0),
        &t,
        |_, x| {
            let mut u = [0.0; bicycle::NU];
            u[bicycle::U_STEER_TORQUE] = torque(x);
            u
        },
        &options,
        1e-9,
    )?;
    let column = |i: usize| run.x.iter().map(|x| x[i]).collect();
    let torques = run.x.iter().map(torque).collect();
    Ok(BalancedMotion {
        curves: vec![
            ("roll", "rad", column(Q_ROLL)),
            ("steer", "rad", column(Q_STEER)),
            ("torque", "N·m", torques),
        ],
        t,
    })
}

fn panel(vehicle: &str, (name, unit, values): &(&str, &str, Vec<f64>)) -> Panel {
    Panel {
        label: format!("{vehicle}: {name}"),
        unit: (*unit).to_owned(),
        series: vec![Series { name: (*name).to_owned(), values: values.clone() }],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (cart, ride) = (balance_cart_pole()?, balance_bicycle()?);
    let panels = cart
        .curves
        .iter()
        .map(|c| panel("cart-pole", c))
        .chain(ride.curves.iter().map(|c| panel("bicycle", c)));
    let plot = pictures::plot(&Plot {
        title: "A cart-pole and a bicycle at 3 m/s, balanced".to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: cart.t.clone(),
        panels: panels.collect(),
    });
    let folder = Path::new("target/lqr");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("balance.svg"), plot)?;
    println!("wrote target/lqr/balance.svg");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_come_to_rest_upright() {
        for motion in [balance_cart_pole().unwrap(), balance_bicycle().unwrap()] {
            for (name, _, values) in &motion.curves {
                let (largest, last) =
                    (values.iter().fold(0.0f64, |m, x| m.max(x.abs())), values[values.len() - 1]);
                assert!(last.abs() < 0.05 * largest, "{name}: {last} of {largest}");
            }
        }
    }
}
