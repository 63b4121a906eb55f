//! Compiled generated code against independent reference numbers
//! (`tests/data/reference/README.md`).

use dqdt::System;
use dqdt::integrate::{Options, Trajectory, integrate};
use dqdt_tests::root;
use serde_json::Value;

/// Rows of a reference table as numbers, without the header.
fn table(name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(root("tests/data/reference").join(name)).unwrap();
    text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

fn json(name: &str) -> Value {
    let text = std::fs::read_to_string(root("tests/data/reference").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Relative error as in the conventions, "Agreement and proof": max|a − b| / max(1, max|b|).
fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / scale
}

/// Integrates from the first row through the times of all rows, DOP853 at the given tolerance.
fn integrate_through<S, const NX: usize, const NU: usize>(
    system: &S,
    rows: &[Vec<f64>],
    tolerance: f64,
) -> Trajectory<NX>
where
    S: System<f64, NX, NU>,
{
    let x0: [f64; NX] = rows[0][1..=NX].try_into().unwrap();
    let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
    let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
    integrate(system, times[0], &x0, &times, |_, _| [0.0; NU], &options).unwrap()
}

/// Largest deviation in the first `count` entries of the state.
fn largest_deviation<const NX: usize>(run: &Trajectory<NX>, rows: &[Vec<f64>], count: usize) -> f64 {
    assert_eq!(run.x.len(), rows.len());
    let deviations =
        run.x.iter().zip(rows).map(|(x, r)| {
            x[..count].iter().zip(&r[1..=count]).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
        });
    deviations.fold(0.0, f64::max)
}

#[test]
fn kane_two_body_has_the_reference_accelerations_at_every_state() {
    use dqdt_generated::kane_two_body::Model;
    let model = Model::default();
    let reference = json("kane_two_body_states.json");
    for state in reference["states"].as_array().unwrap() {
        let x: [f64; 8] = numbers(&state["state"]).try_into().unwrap();
        let mut dx = [0.0; 8];
        model.dqdt(0.0, &x, &[], &mut dx).unwrap();
        let error = relative(&dx, &numbers(&state["rhs"]));
        assert!(error < 1e-12, "{error:e} at {x:?}");
    }
}

#[test]
fn kane_two_body_follows_the_reference_motion_for_ten_seconds() {
    let rows = table("kane_two_body.csv");
    let model = dqdt_generated::kane_two_body::Model::default();
    let run: Trajectory<8> = integrate_through(&model, &rows, 1e-12);
    let error = largest_deviation(&run, &rows, 8);
    assert!(error < 1e-10, "{error:e}");
}

#[test]
fn chain10_has_the_reference_accelerations_at_every_state() {
    use dqdt_generated::chain10::Model;
    let model = Model::default();
    let reference = json("chain_states.json");
    let states = reference["states"].as_array().unwrap().iter().filter(|s| s["n"] == 10);
    let mut count = 0;
    for state in states {
        let x: [f64; 20] = [numbers(&state["q"]), numbers(&state["dq"])].concat().try_into().unwrap();
        let mut dx = [0.0; 20];
        model.dqdt(0.0, &x, &[], &mut dx).unwrap();
        let error = relative(&dx[10..], &numbers(&state["ddq"]));
        assert!(error < 1e-12, "{error:e} at {x:?}");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn chain10_follows_the_reference_motion_for_ten_seconds() {
    let rows = table("chain10.csv");
    let model = dqdt_generated::chain10::Model::default();
    let run: Trajectory<20> = integrate_through(&model, &rows, 1e-12);
    let error = largest_deviation(&run, &rows, 10);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn swing_has_the_reference_equations_at_every_state() {
    use dqdt_generated::swing::{Model, Params};
    let reference = json("swing.json");
    for case in reference["cases"].as_array().unwrap() {
        let p = |name: &str| case["params"][name].as_f64().unwrap();
        let params = Params {
            l: p("l"),
            rho1: p("rho1"),
            rho2: p("rho2"),
            m1: p("m1"),
            m2: p("m2"),
            J1: p("J1"),
            J2: p("J2"),
            g_x: p("g_x"),
            g_y: p("g_y"),
        };
        let model = Model::new(params);
        let x: [f64; 4] = [numbers(&case["state"]["theta"]), numbers(&case["state"]["dtheta"])]
            .concat()
            .try_into()
            .unwrap();
        let u: [f64; 2] = numbers(&case["tau"]).try_into().unwrap();
        let mut dx = [0.0; 4];
        model.dqdt(0.0, &x, &u, &mut dx).unwrap();
        assert!(relative(&dx[2..], &numbers(&case["ddtheta"])) < 1e-12);
        let mut mass = [[0.0; 2]; 2];
        model.mass_matrix(0.0, &x, &mut mass);
        let expected: Vec<f64> = case["M"].as_array().unwrap().iter().flat_map(numbers).collect();
        assert!(relative(mass.as_flattened(), &expected) < 1e-12);
        let mut bias = [0.0; 2];
        model.bias(0.0, &x, &mut bias);
        assert!(relative(&bias, &numbers(&case["h"])) < 1e-12);
    }
}

#[test]
fn swing_follows_the_reference_motion() {
    use dqdt_generated::swing::{Model, Params};
    let rows = table("swing_traj.csv");
    let model = Model::new(Params { g_x: 9.81, g_y: 0.0, ..Params::default() });
    // At 1e-12 the integrator's own error grows to 1.4e-9 along this motion, so the
    // tolerance is tighter.
    let run: Trajectory<4> = integrate_through(&model, &rows, 1e-13);
    let error = largest_deviation(&run, &rows, 4);
    assert!(error < 1e-9, "{error:e}");
}
