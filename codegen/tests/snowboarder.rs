//! The snowboarder of `examples/specs/families` against reference numbers: accelerations, the multiplier, every block of
//! the indexed system after the elimination of ẏ, and motions (MATH section 4; tests/data/reference/README.md).

mod common;

use std::path::{Path, PathBuf};

use common::{at, inverse, product, relative};
use dqdt_codegen::algebra::{Number, Scalar};
use dqdt_codegen::formalism::{Equations, Formalism, equations};
use dqdt_codegen::ir::{Graph, SymbolKind, Tape, Tracer};
use dqdt_codegen::kinematics::{constraint_rows, parameters};
use dqdt_codegen::mechanism::random::Sample;
use dqdt_codegen::mechanism::{
    Constraint, ConstraintKind, Environment, Formula, Mechanism, ParameterKind, Variable,
};
use dqdt_codegen::pipeline;
use dqdt_codegen::spec::Settings;
use serde_json::Value;

fn root(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(relative)
}

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

/// How the edge constraint is written.
#[derive(Clone, Copy)]
enum Edge {
    /// ẋ tan φ0 − ẏ = 0, to which the references' multiplier belongs.
    Tan,
    /// ẋ sin φ0 − ẏ cos φ0 = 0, without a pole.
    Sin,
}

/// The mechanism of n links with the parameters of a reference.
fn mechanism(n: usize, params: &Value, edge: Edge) -> Mechanism {
    let path = root("examples/specs/families/snowboarder.toml");
    let loaded = pipeline::load_with(&path, &Settings::new().set("n", n as i64)).unwrap();
    let mut m = loaded.mechanism;
    for p in &mut m.parameters {
        let of = |key: &str, i: &str| params[key][i.parse::<usize>().unwrap() - 1].as_f64().unwrap();
        let value = match p.name.as_str() {
            "g1" => params["gx"].as_f64().unwrap(),
            "g2" => params["gz"].as_f64().unwrap(),
            "m0" | "I0" => params[&p.name].as_f64().unwrap(),
            name => match name.split_at(1) {
                ("n", i) => of("nn", i),
                (key, i) => of(key, i),
            },
        };
        p.kind = ParameterKind::Free(Number::float(value));
    }
    let speed = |name: &str| Formula::Variable(Variable::Speed(speed(&m, name)));
    let heading = || Box::new(Formula::Variable(Variable::Coordinate(coordinate(&m, "phi0"))));
    let (sin, cos) = (Formula::Sin(heading()), Formula::Cos(heading()));
    let (x, y) = (speed("x_dot"), speed("y_dot"));
    let times = |a, b| Box::new(Formula::Mul(Box::new(a), Box::new(b)));
    let formula = match edge {
        Edge::Tan => {
            let tan = Formula::Div(Box::new(sin), Box::new(cos));
            Formula::Sub(times(x, tan), Box::new(y))
        }
        Edge::Sin => Formula::Sub(times(x, sin), times(y, cos)),
    };
    m.constraints = vec![Constraint {
        name: "edge".to_owned(),
        description: String::new(),
        kind: ConstraintKind::Velocity(formula),
    }];
    m
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
    let m = mechanism(n, &case["params"], edge);
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
    Sample { mechanism: m, t: 0.0, q, v, z: Vec::new(), u }
}

/// M by rows, c, Q, A, γ.
fn system<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let Equations::Implicit(e) = equations(f, m, env);
    let rows = constraint_rows(m, env);
    let mut all: Vec<S> = e.mass.into_iter().flatten().chain(e.c).chain(e.force).collect();
    all.extend(rows.iter().flat_map(|r| r.jacobian.iter().copied()));
    all.extend(rows.iter().map(|r| r.gamma));
    all
}

/// v̇ and λ of `M v̇ + c = Q + Aᵀλ`, `A v̇ = γ`, with one constraint.
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
        let acc = &case["acc"];
        for (edge, formalism) in [
            (Edge::Tan, Formalism::Kane),
            (Edge::Tan, Formalism::Lagrange),
            (Edge::Sin, Formalism::Kane),
            (Edge::Sin, Formalism::Lagrange),
        ] {
            let s = sample(&case, edge);
            let m = &s.mechanism;
            let values = at(&s, |env| system(formalism, m, env));
            let (a, lambda) = solve(m.nv(), &values);
            let mut ours = vec![a[speed(m, "x_dot")], a[speed(m, "y_dot")], a[speed(m, "phi0_dot")]];
            let mut theirs = [&acc["xdd"], &acc["ydd"], &acc["phi0dd"]].map(list).concat();
            for i in 1..=n {
                ours.push(a[speed(m, &format!("phi{i}_dot"))]);
                ours.push(a[speed(m, &format!("psi{i}_dot"))]);
                theirs.extend(list(&acc["phidd"][i - 1]));
                theirs.extend(list(&acc["psidd"][i - 1]));
            }
            let error = relative(&ours, &theirs);
            assert!(error < 1e-12, "n = {n}: {error:e}");
            // λ of the other form of the constraint is smaller by cos φ0.
            let scale = match edge {
                Edge::Tan => 1.0,
                Edge::Sin => s.q[coordinate(m, "phi0")].cos(),
            };
            let error = relative(&[lambda * scale], &list(&acc["multiplier"]));
            assert!(error < 1e-12, "n = {n}: λ {error:e}");
        }
    }
}

/// The equations after ẏ = ẋ tan φ0 is put in and the row of y, times tan φ0, is added to that of x.
struct Reduced {
    /// Rows φ, ψ, x by columns φ, ψ, x.
    mass: Vec<Vec<f64>>,
    /// Rows φ, ψ, x: `c` and `M Ṅ w` at the speeds of the sample.
    rates: Vec<f64>,
    /// Rows φ, ψ, x: −Q without inputs.
    gravity: Vec<f64>,
}

fn reduced(s: &Sample) -> Reduced {
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
    // Rows: the row of x takes that of y with it.
    let row = |f: &dyn Fn(usize) -> f64, i: usize| if i == x { f(x) + tan * f(y) } else { f(i) };
    let column = |i: usize, j: usize| if j == x { entry(i, x) + tan * entry(i, y) } else { entry(i, j) };
    let drift = s.v[x] * s.v[index("phi0_dot".to_owned())] * sec2;
    Reduced {
        mass: rows.iter().map(|i| rows.iter().map(|j| row(&|k| column(k, *j), *i)).collect()).collect(),
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
        // The rates enter as a quadratic form: its coefficients are second differences, without a truncation error.
        let mut form = |on: &[usize]| {
            s.v.fill(0.0);
            on.iter().for_each(|k| s.v[speed(&m, &names[*k])] = 1.0);
            s.v[speed(&m, "y_dot")] = s.v[speed(&m, "x_dot")] * s.q[coordinate(&m, "phi0")].tan();
            reduced(&s)
        };
        let single: Vec<Vec<f64>> = (0..names.len()).map(|a| form(&[a]).rates).collect();
        let both = |form: &mut dyn FnMut(&[usize]) -> Reduced, a: usize, b: usize| -> Vec<f64> {
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
        // No other products of rates.
        let paired = |a: usize, b: usize| (a < n && b == n + a) || (a == 2 * n && b == 2 * n + 1);
        for a in 0..names.len() {
            for b in a + 1..names.len() {
                if !paired(a, b) {
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

/// The motion by the interpreter under DOP853, through the times of the reference.
#[cfg(feature = "cli")]
fn motion(n: usize) {
    let meta: Value = serde_json::from_str(&text(&format!("snowboarder_traj_n{n}.meta.json"))).unwrap();
    let table = text(&format!("snowboarder_traj_n{n}.csv"));
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    let m = mechanism(n, &meta["params"], Edge::Sin);
    // Where each column of the table stands in q or v.
    let places: Vec<usize> = header[1..header.len() - 1]
        .iter()
        .map(|name| match name.strip_prefix('d') {
            Some(rate) => m.nq() + speed(&m, &format!("{rate}_dot")),
            None => coordinate(&m, name),
        })
        .collect();
    let graph = Graph::new();
    let symbols = |n: usize, name: &str, kind: fn(usize) -> SymbolKind| -> Vec<Tracer<'_>> {
        (0..n).map(|i| Tracer::new(&graph, graph.symbol(&format!("{name}{i}"), kind(i)))).collect()
    };
    let number = |n: Number| Tracer::number(&graph, n);
    let p = parameters(&m, &number, &[]);
    let env = Environment {
        number: &number,
        t: Tracer::ZERO,
        q: &symbols(m.nq(), "q", SymbolKind::Coordinate),
        v: &symbols(m.nv(), "v", SymbolKind::Speed),
        z: &[],
        u: &vec![Tracer::ZERO; m.inputs.len()],
        p: &p,
    };
    let nodes: Vec<_> = system(Formalism::Kane, &m, &env).iter().map(|x| x.id(&graph)).collect();
    let tape = Tape::new(&graph, &nodes);
    let buffers = std::cell::RefCell::new((Vec::new(), vec![0.0; nodes.len()]));
    let dynamics = |_: f64, x: &[f64], dx: &mut [f64]| {
        let (work, result) = &mut *buffers.borrow_mut();
        let leaf = |kind| match kind {
            SymbolKind::Coordinate(i) => x[i],
            SymbolKind::Speed(i) => x[m.nq() + i],
            _ => f64::NAN,
        };
        tape.run(leaf, work, result);
        dx[..m.nq()].copy_from_slice(&x[m.nq()..]);
        dx[m.nq()..].copy_from_slice(&solve(m.nv(), result).0);
        Ok(())
    };
    let mut x0 = vec![0.0; m.nq() + m.nv()];
    places.iter().zip(&rows[0][1..]).for_each(|(k, x)| x0[*k] = *x);
    let dx = x0[m.nq() + speed(&m, "x_dot")];
    x0[m.nq() + speed(&m, "y_dot")] = dx * x0[coordinate(&m, "phi0")].tan();
    let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
    let options = dqdt::integrate::Options { rtol: 1e-13, atol: 1e-13, ..Default::default() };
    let (states, _) = dqdt::integrate::integrate_vec(dynamics, |_| (), 0.0, &x0, &times, &options).unwrap();
    for (x, row) in states.iter().zip(&rows) {
        let error = places.iter().zip(&row[1..]).map(|(k, r)| (x[*k] - r).abs()).fold(0.0, f64::max);
        let allowed = 10.0 * row[row.len() - 1] + 1e-9;
        assert!(error < allowed, "n = {n}, t = {}: {error:e}, allowed {allowed:e}", row[0]);
    }
}

#[cfg(feature = "cli")]
#[test]
fn the_motions_of_one_two_and_three_links_are_those_of_the_reference() {
    (1..=3).for_each(motion);
}
