//! The snowboarder of `examples/specs/families` against reference numbers: accelerations, the
//! multiplier, every block of the indexed system after the elimination of ẏ, and motions (mechanics
//! 4; tests/data/reference/README.md).

use crate::files::root;
use std::cell::RefCell;

use crate::common::{at, inverse, product, relative};
use dqdt_algebra::{Number, Scalar};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::read::Settings;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::{Formalism, implicit_equations};
use dqdt_mechanics::kinematics::constraint_rows;
use dqdt_mechanics::mechanism::{Environment, Mechanism, ParameterKind};
use dqdt_samples::random::Sample;
use serde_json::Value;

fn text(name: &str) -> String {
    std::fs::read_to_string(root("tests/data/reference").join(name)).unwrap()
}

fn list(v: &Value) -> Vec<f64> {
    match v {
        Value::Array(all) => all.iter().flat_map(list).collect(),
        Value::String(s) => vec![s.parse().unwrap()],
        number => vec![number.as_f64().unwrap()],
    }
}

/// Formula of the edge constraint.
#[derive(Clone, Copy)]
enum Edge {
    /// ẋ tan φ0 − ẏ = 0, the form of the reference multiplier.
    Tan = 1,
    /// ẋ sin φ0 − ẏ cos φ0 = 0, which has no singularity at φ0 = 90°.
    Sin = 0,
}

/// The mechanism with n links and the parameters of a reference.
fn snowboarder(n: usize, params: &Value, edge: Edge) -> Assembled {
    let path = root("examples/specs/families/snowboarder.toml");
    let settings = Settings::new().set("n", n as i64).set("tangent", edge as i64);
    let mut loaded = pipeline::load_with(&path, &settings).unwrap();
    for p in &mut loaded.mechanism.parameters {
        let parameter = |key: &str, i: &str| params[key][i.parse::<usize>().unwrap() - 1].as_f64().unwrap();
        let value = match p.name.as_str() {
            "g1" => params["gx"].as_f64().unwrap(),
            "g2" => params["gz"].as_f64().unwrap(),
            "m0" | "I0" => params[&p.name].as_f64().unwrap(),
            name => match name.split_at(1) {
                ("n", i) => parameter("nn", i),
                (key, i) => parameter(key, i),
            },
        };
        p.kind = ParameterKind::Free(Number::float(value));
    }
    loaded
}

fn speed(m: &Mechanism, name: &str) -> usize {
    m.speeds.iter().position(|s| s.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn coordinate(m: &Mechanism, name: &str) -> usize {
    m.coordinates.iter().position(|c| c.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The state of a case of `snowboarder_states.json`, with its moments as inputs.
fn sample(case: &Value, edge: Edge) -> Sample {
    let n = case["n"].as_u64().unwrap() as usize;
    let loaded = snowboarder(n, &case["params"], edge);
    let (m, partition) = (loaded.mechanism, loaded.partition);
    let state = &case["state"];
    let number = |key: &str| state[key].as_f64().unwrap();
    let (mut q, mut v, mut u) = (vec![0.0; m.nq()], vec![0.0; m.nv()], vec![0.0; m.inputs.len()]);
    q[coordinate(&m, "phi0")] = number("phi0");
    v[speed(&m, "phi0_dot")] = number("dphi0");
    v[speed(&m, "x_dot")] = number("dx");
    v[speed(&m, "y_dot")] = number("dx") * number("phi0").tan();
    for i in 0..n {
        for angle in ["phi", "psi"] {
            let name = format!("{angle}{}", i + 1);
            q[coordinate(&m, &name)] = state[angle][i].as_f64().unwrap();
            v[speed(&m, &format!("{name}_dot"))] = state[format!("d{angle}")][i].as_f64().unwrap();
            let input = m.inputs.iter().position(|u| u.name == format!("M_{name}")).unwrap();
            u[input] = case[format!("M_{angle}")][i].as_f64().unwrap();
        }
    }
    Sample { mechanism: m, formulation: Default::default(), partition, t: 0.0, q, v, z: Vec::new(), u }
}

/// M by rows, c, Q, constraint Jacobian A and right-hand side γ in one list.
fn system<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let e = implicit_equations(f, m, env);
    let rows = constraint_rows(m, env);
    let mut all: Vec<S> = e.mass.into_iter().flatten().chain(e.c).chain(e.force).collect();
    all.extend(rows.iter().flat_map(|r| r.jacobian.iter().copied()));
    all.extend(rows.iter().map(|r| r.gamma));
    all
}

/// v̇ and λ of `M v̇ + c = Q + Aᵀλ`, `A v̇ = γ`, with one constraint row.
fn solve(n: usize, system: &[f64]) -> (Vec<f64>, f64) {
    let (mass, rest) = system.split_at(n * n);
    let (c, rest) = rest.split_at(n);
    let (force, rest) = rest.split_at(n);
    let (a, gamma) = rest.split_at(n);
    let mut matrix: Vec<Vec<f64>> =
        (0..n).map(|i| mass[i * n..(i + 1) * n].iter().copied().chain([-a[i]]).collect()).collect();
    matrix.push(a.iter().copied().chain([0.0]).collect());
    let right: Vec<f64> = force.iter().zip(c).map(|(q, c)| q - c).chain(gamma.iter().copied()).collect();
    let inverse = inverse(&matrix);
    let mut x = product(&inverse, &right);
    let residual: Vec<f64> = right.iter().zip(product(&matrix, &x)).map(|(a, b)| a - b).collect();
    x.iter_mut().zip(product(&inverse, &residual)).for_each(|(x, d)| *x += d);
    let lambda = x.pop().unwrap();
    (x, lambda)
}

fn cases() -> Vec<Value> {
    let all: Value = serde_json::from_str(&text("snowboarder_states.json")).unwrap();
    let cases = all["cases"].as_array().unwrap().clone();
    assert_eq!(cases.len(), 20);
    cases
}

#[test]
fn accelerations_and_the_multiplier_are_those_of_the_reference() {
    for case in cases() {
        let n = case["n"].as_u64().unwrap() as usize;
        for (edge, formalism) in [
            (Edge::Tan, Formalism::Kane),
            (Edge::Tan, Formalism::Lagrange),
            (Edge::Sin, Formalism::Kane),
            (Edge::Sin, Formalism::Lagrange),
        ] {
            let s = sample(&case, edge);
            let m = &s.mechanism;
            let values = at(&s, |env| system(formalism, m, env));
            check_accelerations(&case, &s, edge, &solve(m.nv(), &values));
            // The simplified program in the interpreter.
            let mut loaded = snowboarder(n, &case["params"], edge);
            loaded.mechanism = m.clone();
            let program = pipeline::program(&loaded, &Request::all(formalism));
            let mut arguments = Arguments::defaults(&program);
            arguments.set_state(&[s.q.clone(), s.v.clone()].concat());
            arguments.u.clone_from(&s.u);
            let call = |kind| {
                let mut machine = Machine::new(&program, kind).unwrap();
                machine.call(&arguments).unwrap().to_vec()
            };
            let lambda = call(functions::MULTIPLIERS);
            assert_eq!(lambda.len(), 1);
            check_accelerations(&case, &s, edge, &(call(functions::DQDT)[m.nq()..].to_vec(), lambda[0]));
        }
    }
}

fn check_accelerations(case: &Value, s: &Sample, edge: Edge, (a, lambda): &(Vec<f64>, f64)) {
    let (m, acc) = (&s.mechanism, &case["acc"]);
    let n = case["n"].as_u64().unwrap();
    let mut ours = vec![a[speed(m, "x_dot")], a[speed(m, "y_dot")], a[speed(m, "phi0_dot")]];
    let mut theirs = [&acc["xdd"], &acc["ydd"], &acc["phi0dd"]].map(list).concat();
    for i in 1..=n {
        ours.push(a[speed(m, &format!("phi{i}_dot"))]);
        ours.push(a[speed(m, &format!("psi{i}_dot"))]);
        theirs.extend(list(&acc["phidd"][i as usize - 1]));
        theirs.extend(list(&acc["psidd"][i as usize - 1]));
    }
    let error = relative(&ours, &theirs);
    assert!(error < 1e-12, "n = {n}: {error:e}");
    // In the other form of the constraint, λ is smaller by the factor cos φ0.
    let scale = match edge {
        Edge::Tan => 1.0,
        Edge::Sin => s.q[coordinate(m, "phi0")].cos(),
    };
    let error = relative(&[lambda * scale], &list(&acc["multiplier"]));
    assert!(error < 1e-12, "n = {n}: λ {error:e}");
}

/// The equations after substitution of ẏ = ẋ tan φ0; the row of y times tan φ0
/// is added to that of x.
struct ReducedSystem {
    /// Mass matrix; rows and columns are φ, ψ, x.
    mass: Vec<Vec<f64>>,
    /// Rows φ, ψ, x: `c` and `M Ṅ w` at the speeds of the sample.
    rates: Vec<f64>,
    /// Rows φ, ψ, x: −Q without inputs.
    gravity: Vec<f64>,
}

fn reduce_by_constraint(s: &Sample) -> ReducedSystem {
    let m = &s.mechanism;
    let n = (m.nv() - 3) / 2;
    let index = |name: String| speed(m, &name);
    let (x, y) = (index("x_dot".to_owned()), index("y_dot".to_owned()));
    let mut rows: Vec<usize> = (1..=n).map(|i| index(format!("phi{i}_dot"))).collect();
    rows.extend((1..=n).map(|i| index(format!("psi{i}_dot"))));
    rows.push(x);
    let phi0 = s.q[coordinate(m, "phi0")];
    let (tan, sec2) = (phi0.tan(), 1.0 / phi0.cos().powi(2));
    let values = at(s, |env| system(Formalism::Kane, m, env));
    let nv = m.nv();
    let (mass, c, force) = (&values[..nv * nv], &values[nv * nv..nv * nv + nv], &values[nv * nv + nv..]);
    let entry = |i: usize, j: usize| mass[i * nv + j];
    // The row of x includes that of y.
    let row = |f: &dyn Fn(usize) -> f64, i: usize| if i == x { f(x) + tan * f(y) } else { f(i) };
    let mass = rows.iter().map(|i| {
        let entries = rows.iter().map(|j| match *j == x {
            true => row(&|k| entry(k, x) + tan * entry(k, y), *i),
            false => row(&|k| entry(k, *j), *i),
        });
        entries.collect()
    });
    let mass = mass.collect();
    let drift = s.v[x] * s.v[index("phi0_dot".to_owned())] * sec2;
    ReducedSystem {
        mass,
        rates: rows.iter().map(|i| row(&|k| c[k] + entry(k, y) * drift, *i)).collect(),
        gravity: rows.iter().map(|i| row(&|k| -force[k], *i)).collect(),
    }
}

#[test]
fn every_block_of_the_indexed_system_is_that_of_the_reference() {
    let mut elements = 0;
    for case in cases() {
        let n = case["n"].as_u64().unwrap() as usize;
        let mut s = sample(&case, Edge::Tan);
        s.u.fill(0.0);
        let m = s.mechanism.clone();
        let names: Vec<String> = (1..=n)
            .map(|i| format!("phi{i}_dot"))
            .chain((1..=n).map(|i| format!("psi{i}_dot")))
            .chain(["x_dot".to_owned(), "phi0_dot".to_owned()])
            .collect();
        // The terms are quadratic in the rates: second differences give their coefficients exactly.
        let mut form = |on: &[usize]| {
            s.v.fill(0.0);
            on.iter().for_each(|k| s.v[speed(&m, &names[*k])] = 1.0);
            s.v[speed(&m, "y_dot")] = s.v[speed(&m, "x_dot")] * s.q[coordinate(&m, "phi0")].tan();
            reduce_by_constraint(&s)
        };
        let single: Vec<Vec<f64>> = (0..names.len()).map(|a| form(&[a]).rates).collect();
        let both = |form: &mut dyn FnMut(&[usize]) -> ReducedSystem, a: usize, b: usize| -> Vec<f64> {
            let together = form(&[a, b]).rates;
            together.iter().enumerate().map(|(i, x)| x - single[a][i] - single[b][i]).collect()
        };
        let still = form(&[]);
        let mut ours: Vec<(&str, Vec<Vec<f64>>)> = Vec::new();
        let columns = |range: std::ops::Range<usize>| -> Vec<Vec<f64>> {
            still.mass.iter().map(|row| row[range.clone()].to_vec()).collect()
        };
        let transposed = |columns: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            (0..2 * n + 1).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
        };
        ours.push(("A", columns(0..n)));
        ours.push(("B", columns(n..2 * n)));
        ours.push(("C", columns(2 * n..2 * n + 1)));
        ours.push(("D", transposed(single[..n].to_vec())));
        ours.push(("E", transposed(single[n..2 * n].to_vec())));
        let mixed = (0..n).map(|j| both(&mut form, j, n + j).iter().map(|x| x / 2.0).collect()).collect();
        ours.push(("G", transposed(mixed)));
        ours.push(("H", transposed(vec![both(&mut form, 2 * n, 2 * n + 1)])));
        ours.push(("P", still.gravity.iter().map(|x| vec![*x]).collect()));
        for (name, rows) in &ours {
            for (block, range) in [("phi", 0..n), ("psi", n..2 * n), ("x", 2 * n..2 * n + 1)] {
                let theirs = list(&case["blocks"][block][name]);
                let error = relative(&rows[range].concat(), &theirs);
                assert!(error < 1e-12, "n = {n}, {name} of {block}: {error:e}");
                elements += theirs.len();
            }
        }
        // All other products of rates vanish.
        for a in 0..names.len() {
            for b in a + 1..names.len() {
                let is_compared = (a < n && b == n + a) || (a == 2 * n && b == 2 * n + 1);
                if !is_compared {
                    let largest = both(&mut form, a, b).iter().fold(0.0f64, |m, x| m.max(x.abs()));
                    assert!(largest < 1e-12, "n = {n}: {} {} {largest:e}", names[a], names[b]);
                }
            }
        }
        assert!(single[2 * n..].iter().flatten().all(|x| x.abs() < 1e-12));
    }
    // 24, 65, 126 and 308 elements for n = 1, 2, 3, 5.
    assert_eq!(elements, 5 * (24 + 65 + 126 + 308));
}

#[test]
fn reacting_moments_are_torques_between_neighbours() {
    let text = std::fs::read_to_string(root("examples/specs/families/snowboarder.toml")).unwrap();
    let (head, rest) = text.split_once("[loads.steering]").unwrap();
    let (_, tail) = rest.split_once("[outputs]").unwrap();
    // The same moments as vectors on two bodies: about the vertical, and about the horizontal axis
    // perpendicular to the link.
    let torques = r#"[loads.steering]
type = "torque"
body = "ski"
value = [0, 0, "M0"]

[loads."moment{i}"]
type = "torque"
body = "link{i}"
value = ["M_psi{i}*sin(phi{i})", "-M_psi{i}*cos(phi{i})", "M_phi{i}"]
reaction = "link{i-1}"
"if i = 1" = { reaction = "ski" }

[outputs]"#;
    let torques = format!("{head}{torques}{tail}");
    let mut random = 1u32;
    for n in 1..=3 {
        let settings = Settings::new().set("n", n).set("reacting", 1);
        let [ours, theirs] = [&text, &torques].map(|text| {
            let spec = dqdt_codegen::read::parse_with("snowboarder.toml", text.as_str(), &settings).unwrap();
            dqdt_spec::resolve::resolve(&spec).unwrap_or_else(|e| panic!("{e}")).mechanism
        });
        for _ in 0..10 {
            let mut draw_list = |n: usize| -> Vec<f64> {
                let numbers = (0..n).map(|_| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    f64::from(random >> 8) / f64::from(1 << 24) * 4.0 - 2.0
                });
                numbers.collect()
            };
            let (q, v, u) = (draw_list(ours.nq()), draw_list(ours.nv()), draw_list(ours.inputs.len()));
            let force = |m: &Mechanism| {
                let s = Sample {
                    mechanism: m.clone(),
                    formulation: Default::default(),
                    partition: Default::default(),
                    t: 0.0,
                    q: q.clone(),
                    v: v.clone(),
                    z: Vec::new(),
                    u: u.clone(),
                };
                at(&s, |env| implicit_equations(Formalism::Kane, m, env).force)
            };
            let error = relative(&force(&ours), &force(&theirs));
            assert!(error < 1e-14, "n = {n}: {error:e}");
        }
    }
}

/// Compares a motion by the interpreter and DOP853 with the reference at its output times.
fn check_motion(n: usize) {
    let meta: Value = serde_json::from_str(&text(&format!("snowboarder_traj_n{n}.meta.json"))).unwrap();
    let table = text(&format!("snowboarder_traj_n{n}.csv"));
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    let loaded = snowboarder(n, &meta["params"], Edge::Sin);
    let m = &loaded.mechanism;
    // Index of each table column in the state (q, v).
    let places: Vec<usize> = header[1..header.len() - 1]
        .iter()
        .map(|name| match name.strip_prefix('d') {
            Some(rate) => m.nq() + speed(m, &format!("{rate}_dot")),
            None => coordinate(m, name),
        })
        .collect();
    let program = pipeline::program(&loaded, &Request::all(Formalism::Kane));
    let machine =
        RefCell::new((Machine::new(&program, functions::DQDT).unwrap(), Arguments::defaults(&program)));
    let mut x0 = vec![0.0; m.nq() + m.nv()];
    places.iter().zip(&rows[0][1..]).for_each(|(k, x)| x0[*k] = *x);
    let dx = x0[m.nq() + speed(m, "x_dot")];
    x0[m.nq() + speed(m, "y_dot")] = dx * x0[coordinate(m, "phi0")].tan();
    let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
    let options = dqdt::integrate::Options { rtol: 1e-13, atol: 1e-13, ..Default::default() };
    let (states, _) = dqdt::integrate::integrate_vec(
        |t: f64, x: &[f64], dx: &mut [f64]| {
            let (machine, arguments) = &mut *machine.borrow_mut();
            arguments.t = t;
            arguments.set_state(x);
            dx.copy_from_slice(machine.call(arguments).unwrap());
            Ok(())
        },
        |_, _| Ok(()),
        0.0,
        &x0,
        &times,
        &options,
    )
    .unwrap();
    for (x, row) in states.iter().zip(&rows) {
        let error = places.iter().zip(&row[1..]).map(|(k, r)| (x[*k] - r).abs()).fold(0.0, f64::max);
        let allowed = 10.0 * row[row.len() - 1] + 1e-9;
        assert!(error < allowed, "n = {n}, t = {}: {error:e}, allowed {allowed:e}", row[0]);
    }
}

#[test]
fn the_motions_of_one_two_and_three_links_are_those_of_the_reference() {
    (1..=3).for_each(check_motion);
}
