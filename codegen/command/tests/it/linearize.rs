//! Linearised motions: against jets, against differences on the constraints, and against a paper.
//!
//! Above 500 lines: three independent checks of one answer share their mechanisms and states.

use crate::files::root;

use crate::common::trees;
use dqdt_algebra::{Jet, Number};
use dqdt_codegen::linearize::{Kind, LinearizeError, LinearizeRequest, Linearized, linearize};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::simulate::Values;
use dqdt_codegen::{functions, read};
use dqdt_derivation::assemble::{Manifold, find_state};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{
    coordinate_rates, evaluate_formula, evaluate_parameters, quaternion_starts, saturate_inputs,
};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Instant, Mechanism, ParameterKind};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;
use nalgebra::{Complex, DMatrix, Matrix2, Matrix4};

fn load(relative: &str) -> Assembled {
    pipeline::load(&root(relative)).unwrap_or_else(|e| panic!("{e}"))
}

/// Derivatives of `ẋ` and of the outputs along one direction.
#[derive(Clone)]
pub(crate) struct MotionDerivatives {
    pub(crate) state: Vec<f64>,
    pub(crate) outputs: Vec<f64>,
}

/// Time derivatives `q̇`, `v̇`, `ż` of the state and the outputs, as jets along a direction.
pub(crate) struct MotionJets {
    pub(crate) rates: Vec<Jet<f64>>,
    pub(crate) accelerations: Vec<Jet<f64>>,
    pub(crate) states: Vec<Jet<f64>>,
    pub(crate) outputs: Vec<Jet<f64>>,
}

/// A direction of the state (quaternions as four components), the inputs and the free parameters.
#[derive(Clone)]
pub(crate) struct MotionDirection {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) z: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) p: Vec<f64>,
}

impl MotionDirection {
    pub(crate) fn zero(s: &Sample) -> Self {
        let p = zeros(&free_parameters(&s.mechanism));
        MotionDirection { q: zeros(&s.q), v: zeros(&s.v), z: zeros(&s.z), u: zeros(&s.u), p }
    }

    /// Unit direction along the `j`-th of coordinates, speeds and user states.
    fn of_state(s: &Sample, j: usize) -> Self {
        let mut d = Self::zero(s);
        *d.q.iter_mut().chain(&mut d.v).chain(&mut d.z).nth(j).unwrap() = 1.0;
        d
    }

    fn of_input(s: &Sample, k: usize) -> Self {
        let mut d = Self::zero(s);
        d.u[k] = 1.0;
        d
    }
}

/// A function that evaluates the motion of a sample along a direction.
pub(crate) type EvaluateAlong<'a> = &'a dyn Fn(&Sample, &MotionDirection) -> MotionJets;

/// A number as a jet without derivative.
pub(crate) fn constant_jet(n: Number) -> Jet<f64> {
    Jet::constant(n.to_f64())
}

/// Jets with values `x` and derivatives `d`.
pub(crate) fn pair_jets(x: &[f64], d: &[f64]) -> Vec<Jet<f64>> {
    x.iter().zip(d).map(|(x, d)| Jet::new(*x, *d)).collect()
}

fn zeros(x: &[f64]) -> Vec<f64> {
    vec![0.0; x.len()]
}

/// Default values of the free parameters.
pub(crate) fn free_parameters(m: &Mechanism) -> Vec<f64> {
    let free = m.parameters.iter().filter_map(|p| match &p.kind {
        ParameterKind::Free(default) => Some(default.to_f64()),
        _ => None,
    });
    free.collect()
}

/// Evaluates the motion with jets along one direction through Kane's equations.
pub(crate) fn evaluate_by_jets(s: &Sample, d: &MotionDirection) -> MotionJets {
    let m = &s.mechanism;
    let instant = Instant {
        t: Jet::constant(s.t),
        q: pair_jets(&s.q, &d.q),
        v: pair_jets(&s.v, &d.v),
        z: pair_jets(&s.z, &d.z),
        u: pair_jets(&s.u, &d.u),
        p: evaluate_parameters(m, &constant_jet, &pair_jets(&free_parameters(m), &d.p)),
        named: Vec::new(),
    };
    let u = saturate_inputs(m, &instant.as_environment(&constant_jet));
    let env = Environment { partition: &s.partition, ..instant.environment_with_inputs(&constant_jet, &u) };
    let solution = formalism::forward_with_reactions(Formalism::Kane, m, &env);
    let outputs = formalism::evaluate_outputs(m, &env, &solution.accelerations, (&[], &[]));
    MotionJets {
        rates: coordinate_rates(m, &env).0,
        states: m.states.iter().map(|x| evaluate_formula(m, &env, &x.rate)).collect(),
        outputs: outputs.into_iter().flat_map(|o| o.values).collect(),
        accelerations: solution.accelerations,
    }
}

/// Derivatives of `ẋ` by the state (four columns per quaternion), then by the inputs.
pub(crate) fn differentiate_by_components(
    s: &Sample,
    evaluate: EvaluateAlong<'_>,
) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let slopes = |d: MotionDirection| {
        let moved = evaluate(s, &d);
        [moved.rates, moved.accelerations, moved.states].concat().iter().map(|x| x.d).collect()
    };
    let nx = s.q.len() + s.v.len() + s.z.len();
    let by_state = (0..nx).map(|j| slopes(MotionDirection::of_state(s, j))).collect();
    (by_state, (0..s.u.len()).map(|k| slopes(MotionDirection::of_input(s, k))).collect())
}

/// Derivatives of the motion and the outputs by the free parameter `k`.
pub(crate) fn differentiate_by_parameter(
    s: &Sample,
    k: usize,
    evaluate: EvaluateAlong<'_>,
) -> MotionDerivatives {
    let mut d = MotionDirection::zero(s);
    d.p[k] = 1.0;
    to_state_differences(s, &d.q, &evaluate(s, &d))
}

/// Derivatives along coordinate rates `dq`, in the coordinate differences of the conventions.
fn to_state_differences(s: &Sample, dq: &[f64], motion: &MotionJets) -> MotionDerivatives {
    let m = &s.mechanism;
    let qdot = &motion.rates;
    let mut state = Vec::new();
    let quaternions = quaternion_starts(m);
    let mut i = 0;
    while i < qdot.len() {
        if quaternions.contains(&CoordinateId(i)) {
            // d/dt of e ⊗ (1, δ/2) is ė ⊗ (1, δ/2) + e ⊗ (0, δ̇/2).
            let part = |f: &dyn Fn(usize) -> f64| [0, 1, 2, 3].map(|k| f(i + k));
            let (e, rate) = (part(&|k| s.q[k]), part(&|k| qdot[k].v));
            let (moved, changed) = (part(&|k| dq[k]), part(&|k| qdot[k].d));
            let delta = times(inverse(e), moved);
            let rest = times(rate, delta);
            let left: [f64; 4] = std::array::from_fn(|k| changed[k] - rest[k]);
            let difference = times(inverse(e), left);
            state.extend(difference[1..].iter().map(|x| 2.0 * x));
            i += 4;
        } else {
            state.push(qdot[i].d);
            i += 1;
        }
    }
    state.extend(motion.accelerations.iter().chain(&motion.states).map(|x| x.d));
    MotionDerivatives { state, outputs: motion.outputs.iter().map(|x| x.d).collect() }
}

pub(crate) fn times([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

pub(crate) fn inverse(e: [f64; 4]) -> [f64; 4] {
    let n: f64 = e.iter().map(|x| x * x).sum();
    [e[0] / n, -e[1] / n, -e[2] / n, -e[3] / n]
}

/// All columns of A with C, then of B with D, in the coordinate differences of the conventions.
pub(crate) fn expected_columns(
    s: &Sample,
    evaluate: EvaluateAlong<'_>,
) -> (Vec<MotionDerivatives>, Vec<MotionDerivatives>) {
    let moved = |d: MotionDirection| to_state_differences(s, &d.q, &evaluate(s, &d));
    let quaternions = quaternion_starts(&s.mechanism);
    let mut by_state = Vec::new();
    let mut i = 0;
    while i < s.q.len() {
        if quaternions.contains(&CoordinateId(i)) {
            let e = [s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3]];
            for axis in 1..4 {
                let mut half = [0.0; 4];
                half[axis] = 0.5;
                let mut d = MotionDirection::zero(s);
                d.q[i..i + 4].copy_from_slice(&times(e, half));
                by_state.push(moved(d));
            }
            i += 4;
        } else {
            by_state.push(moved(MotionDirection::of_state(s, i)));
            i += 1;
        }
    }
    by_state.extend((0..s.v.len() + s.z.len()).map(|k| moved(MotionDirection::of_state(s, s.q.len() + k))));
    (by_state, (0..s.u.len()).map(|k| moved(MotionDirection::of_input(s, k))).collect())
}

/// Compares `linearize` with jets. Returns false for infinite ones (spring of zero length).
fn check(s: &Sample, what: &str) -> bool {
    let loaded = Assembled::without_spec(s.mechanism.clone(), s.partition.clone());
    for f in [Formalism::Kane, Formalism::Mixed] {
        let program = pipeline::program(&loaded, &Request::new(f, vec![functions::LINEARIZE]));
        let function = program.function(functions::LINEARIZE).unwrap();
        let mut a = Arguments::defaults(&program);
        (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        let actual = Machine::from_function(&program, function).call(&a).unwrap().to_vec();
        let (by_state, by_input) = expected_columns(s, &evaluate_by_jets);
        let mut expected: Vec<f64> = Vec::new();
        let mut rows = |columns: &[MotionDerivatives], part: fn(&MotionDerivatives) -> &Vec<f64>| {
            for i in 0..columns.first().map_or(0, |c| part(c).len()) {
                expected.extend(columns.iter().map(|c| part(c)[i]));
            }
        };
        rows(&by_state, |c| &c.state);
        rows(&by_input, |c| &c.state);
        rows(&by_state, |c| &c.outputs);
        rows(&by_input, |c| &c.outputs);
        assert_eq!(actual.len(), expected.len(), "{what}");
        if expected.iter().any(|x| !x.is_finite()) {
            return false;
        }
        let size = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (i, (x, y)) in actual.iter().zip(&expected).enumerate() {
            assert!(
                (x - y).abs() < 1e-10 * size,
                "{what}, {f:?}, entry {i}: {x} against {y} (largest {size})"
            );
        }
    }
    true
}

#[test]
fn random_trees_are_linearised_as_jets_through_the_solve_say() {
    let seeds = 0..cases_by_tier(5, trees(40));
    let all = seeds.clone().count();
    let checked = seeds.filter(|seed| check(&random_mechanism(*seed, 5), &format!("tree {seed}"))).count();
    assert!(10 * checked >= 8 * all, "{checked} of {all}");
}

fn at_start(m: &Mechanism) -> Sample {
    let p = evaluate_parameters(m, &Number::to_f64, &[]);
    let start = dqdt_mechanics::kinematics::initial_instant(m, &Number::to_f64, &p);
    Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q: start.q,
        v: start.v,
        z: start.z,
        u: start.u,
    }
}

#[test]
fn examples_and_robots_are_linearised_as_jets_say_at_rest_and_moving() {
    let mut count = 0;
    for folder in ["examples/specs", "tests/data/robots", "tests/data/measures"] {
        let mut files: Vec<_> = std::fs::read_dir(root(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
        files.sort();
        for file in files {
            let m = pipeline::load(&file).unwrap().mechanism;
            if !m.constraints.is_empty() || m.nv() > cases_by_tier(4, 12) || m.nv() == 0 {
                continue;
            }
            let mut s = at_start(&m);
            let name = file.display().to_string();
            // Quadratic drag contains a square root, which has no derivative at rest.
            let smooth = !name.ends_with("dragged_arm.toml");
            if smooth
                && formalism::forward_with_reactions(
                    Formalism::Kane,
                    &m,
                    &Instant {
                        t: 0.0,
                        q: s.q.clone(),
                        v: s.v.clone(),
                        z: s.z.clone(),
                        u: s.u.clone(),
                        p: evaluate_parameters(&m, &Number::to_f64, &[]),
                        named: Vec::new(),
                    }
                    .as_environment(&Number::to_f64),
                )
                .accelerations
                .iter()
                .all(|a| a.is_finite())
            {
                assert!(check(&s, &format!("{name}, start")));
            }
            s.t = 0.3;
            for (i, x) in s.q.iter_mut().chain(&mut s.v).chain(&mut s.z).enumerate() {
                *x += 0.3 * (1.7 * i as f64 + 0.5).sin();
            }
            s.u.iter_mut().enumerate().for_each(|(i, u)| *u += 0.05 * (i as f64 + 1.0));
            assert!(check(&s, &format!("{name}, moving")));
            count += 1;
        }
    }
    assert!(count > cases_by_tier(8, 18), "{count}");
}

fn values(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|(n, x)| ((*n).to_owned(), *x)).collect()
}

/// Eigenvalues by Meijaard, Papadopoulos, Ruina, Schwab 2007, Table 1, doi:10.1098/rspa.2007.1857.
fn benchmark_bicycle(speed: f64) -> Vec<Complex<f64>> {
    let g = 9.81;
    let m = Matrix2::new(80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686);
    let k0 = Matrix2::new(-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618);
    let k2 = Matrix2::new(0.0, 76.59734589573222, 0.0, 2.65431523794604);
    let c1 = Matrix2::new(0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560);
    let inverse = m.try_inverse().unwrap();
    let (k, c) = (-inverse * (k0 * g + k2 * speed * speed), -inverse * c1 * speed);
    let mut a = Matrix4::zeros();
    a.fixed_view_mut::<2, 2>(0, 2).copy_from(&Matrix2::identity());
    a.fixed_view_mut::<2, 2>(2, 0).copy_from(&k);
    a.fixed_view_mut::<2, 2>(2, 2).copy_from(&c);
    let mut values: Vec<_> = a.complex_eigenvalues().iter().copied().collect();
    values.sort_by(|x, y| y.re.total_cmp(&x.re).then(y.im.total_cmp(&x.im)));
    values
}

#[test]
fn the_benchmark_bicycle_has_the_eigenvalues_of_the_paper_at_every_speed() {
    let loaded = load("tests/data/linearize/whipple.toml");
    for speed in 0..=10 {
        let speed = f64::from(speed);
        let at = Values { v: values(&[("x_dot", speed)]), ..Values::default() };
        let linearized = linearize(&loaded, &LinearizeRequest { at, ..LinearizeRequest::default() }).unwrap();
        // Position, heading and wheel angles are cyclic: six zero eigenvalues.
        let mut all: Vec<Complex<f64>> =
            linearized.modes.iter().map(|m| Complex::new(m.value[0], m.value[1])).collect();
        all.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        assert_eq!(all.len(), 10);
        assert!(all[..6].iter().all(|x| x.norm() < 1e-6), "{speed}: {all:?}");
        for expected in benchmark_bicycle(speed) {
            let nearest = all[6..].iter().map(|x| (x - expected).norm()).fold(f64::INFINITY, f64::min);
            let limit = if expected.norm() < 0.01 { 1e-11 } else { 1e-10 * expected.norm() };
            assert!(nearest < limit, "{speed}: {expected} is missed by {nearest:e}: {all:?}");
        }
    }
    // Table 2: at 5 m/s.
    let published = [(-0.775341882195845, 4.46486771378823), (-0.322866429004087, 0.0)];
    for (re, im) in published {
        assert!(benchmark_bicycle(5.0).iter().any(|x| (x - Complex::new(re, im)).norm() < 1e-12));
    }
}

/// `ẋ` by the interpreter, in the order of the state.
fn motion(loaded: &Assembled, at: &Arguments) -> Vec<f64> {
    let program = pipeline::program(loaded, &Request::new(Formalism::Kane, vec![functions::DQDT]));
    Machine::new(&program, functions::DQDT).unwrap().call(at).unwrap().to_vec()
}

/// Derivatives along independent states, by differences of motions projected onto the constraints.
fn differentiate_by_differences(loaded: &Assembled, linearized: &Linearized) -> DMatrix<f64> {
    let m = &loaded.mechanism;
    let manifold = Manifold::new(m, evaluate_parameters(m, &Number::to_f64, &[]));
    let places: Vec<usize> = linearized
        .states
        .iter()
        .map(|name| {
            let q = m.coordinates.iter().position(|c| c.name == *name);
            q.or_else(|| m.speeds.iter().position(|s| s.name == *name).map(|i| m.nq() + i))
                .unwrap_or_else(|| m.nq() + m.nv() + m.states.iter().position(|s| s.name == *name).unwrap())
        })
        .collect();
    let n = places.len();
    let step = 1e-5;
    let at = |k: usize, h: f64| {
        let mut x = linearized.at.clone();
        let mut all = [&x.q[..], &x.v, &x.z].concat();
        all[places[k]] += h;
        x.set_state(&all);
        let held: Vec<bool> = (0..m.nq() + m.nv()).map(|i| places.contains(&i)).collect();
        let (held_q, held_v) = held.split_at(m.nq());
        let state = find_state(&manifold, x.t, (&x.q, &x.v), (held_q, held_v))
            .unwrap_or_else(|_| panic!("{}: nothing near by", m.name));
        (x.q, x.v) = (state.q, state.v);
        let dx = motion(loaded, &x);
        places.iter().map(|p| dx[*p]).collect::<Vec<f64>>()
    };
    let mut out = DMatrix::zeros(n, n);
    for k in 0..n {
        let (before, after) = (at(k, -step), at(k, step));
        for i in 0..n {
            out[(i, k)] = (after[i] - before[i]) / (2.0 * step);
        }
    }
    out
}

#[test]
fn constrained_examples_are_linearised_as_differences_on_the_constraints_say() {
    let names = [
        "four_bar",
        "slider_crank",
        "seven_body",
        "rolling_disc",
        "chaplygin_sleigh",
        "snakeboard",
        "car_with_trailers",
        "ball_on_turntable",
        "stewart_platform",
        "bricard",
    ];
    for name in names {
        let loaded = load(&format!("examples/specs/{name}.toml"));
        if !quaternion_starts(&loaded.mechanism).is_empty() {
            continue;
        }
        let linearized =
            linearize(&loaded, &LinearizeRequest::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!linearized.dependent.is_empty(), "{name}");
        let expected = differentiate_by_differences(&loaded, &linearized);
        let size = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (i, row) in linearized.a.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                let y = expected[(i, j)];
                assert!((x - y).abs() < 2e-6 * size, "{name}, {i} {j}: {x} against {y} (largest {size})");
            }
        }
    }
}

#[test]
fn where_a_formula_has_no_slope_it_is_said() {
    let loaded = load("tests/data/measures/dragged_arm.toml");
    let refused = linearize(&loaded, &LinearizeRequest::default()).unwrap_err().to_string();
    assert!(
        refused.starts_with(
            "the derivative of `q1_dot` with respect to `q2` is not finite here, because of load `water`\n"
        ) && refused.contains("help:"),
        "{refused}"
    );
}

const DRIVEN: &str = r#"
name = "driven"
gravity = [0, 0, -9.81]
[parameters]
m = { value = 2, unit = "kg" }
[inputs]
torque = "N*m"
[bodies.bob]
mass = "m"
center_of_mass = [0, 0, -0.5]
[joints.pivot]
type = "revolute"
axis = "y"
parent = "ground"
child = "bob"
coordinates = { names = ["angle"], start = ["30 deg"] }
[loads.motor]
type = "actuator"
joint = "pivot"
effort = "torque"
[outputs]
height = "position_z(bob.com)"
"#;

fn build(text: &str) -> Assembled {
    pipeline::build(&read::parse("spec.toml", text).unwrap(), "spec.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn with_torque(u: f64) -> Values {
    Values { u: values(&[("torque", u)]), ..Values::default() }
}

#[test]
fn a_trim_finds_the_torque_or_the_angle_that_holds_it() {
    let loaded = build(DRIVEN);
    let trim_by = |free: &str, u: f64| {
        linearize(
            &loaded,
            &LinearizeRequest { at: with_torque(u), trim: vec![free.to_owned()], independent: vec![] },
        )
    };
    let linearized = trim_by("torque", 0.0).unwrap();
    let trim = linearized.trim.clone().unwrap();
    assert!((trim.free[0].1 - 9.81 * 0.5).abs() < 1e-9 && trim.rank == 1 && trim.residual < 1e-9, "{trim:?}");
    assert!((linearized.at.u[0] - 9.81 * 0.5).abs() < 1e-9);
    assert!((linearized.c[0][0] - 0.5 * 30f64.to_radians().sin()).abs() < 1e-12, "{:?}", linearized.c);
    let linearized = trim_by("angle", 9.81 * 0.5).unwrap();
    assert!((linearized.at.q[0] - 30f64.to_radians()).abs() < 1e-9);
    // A torque above the largest gravity moment has no equilibrium.
    match trim_by("angle", 20.0) {
        Err(e @ LinearizeError::NotSteady { .. }) => {
            let text = e.to_string();
            assert!(text.contains("the acceleration of `angle_dot` is still "), "{text}");
            assert!(text.contains(" rad/s^2 after ") && text.contains("(tolerance "), "{text}");
        }
        other => panic!("{other:?}"),
    }
    match trim_by("angel", 0.0) {
        Err(e @ LinearizeError::Unknown { .. }) => {
            assert_eq!(
                e.to_string(),
                "cannot free `angel`, which does not exist; there are: angle, angle_dot, torque"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trim_finds_the_steady_turn_of_a_bicycle_whose_velocity_turns_with_it() {
    let loaded = load("tests/data/linearize/whipple.toml");
    let at = Values {
        q: values(&[("roll", 0.1), ("steer", -0.03)]),
        v: values(&[("rear_turn_dot", 15.0), ("roll_dot", 0.0), ("steer_dot", 0.0)]),
        ..Values::default()
    };
    let trim = vec!["steer".to_owned(), "rear_turn_dot".to_owned()];
    let turn = linearize(&loaded, &LinearizeRequest { at, trim, independent: vec![] }).unwrap();
    let steer = turn.trim.as_ref().unwrap().free[0].1;
    assert!(steer.abs() > 1e-3 && turn.trim.as_ref().unwrap().residual < 1e-8, "{:?}", turn.trim);
    let name = |n: &str| turn.at.v[loaded.mechanism.speeds.iter().position(|s| s.name == n).unwrap()];
    let m = &loaded.mechanism;
    // The point moves on a circle: the yaw rate is constant while the velocity turns.
    let dx = motion(&loaded, &turn.at);
    let rate = |n: &str| dx[m.nq() + m.speeds.iter().position(|s| s.name == n).unwrap()];
    assert!(name("yaw_dot").abs() > 1e-3);
    for n in ["yaw_dot", "roll_dot", "pitch_dot", "steer_dot", "rear_turn_dot", "front_turn_dot"] {
        assert!(rate(n).abs() < 1e-7, "{n}: {}", rate(n));
    }
    assert!((rate("x_dot") + name("yaw_dot") * name("y_dot")).abs() < 1e-7);
    assert!((rate("y_dot") - name("yaw_dot") * name("x_dot")).abs() < 1e-7);
}

/// Potential energy of the weights of the five-bar.
fn weight_potential(q: &[f64]) -> f64 {
    let [left, right, left_below, right_below] =
        [q[0].sin(), q[1].sin(), (q[0] + q[2]).sin(), (q[1] + q[3]).sin()];
    9.81 * ((0.4 * 0.125 + 0.2 * 0.25) * (left + right)
        + 0.2 * 0.15 * (left_below + right_below)
        + 0.5 * q[5])
}

#[test]
fn trims_of_a_five_bar_end_where_nothing_moves_and_nowhere_else() {
    let loaded = load("tests/data/linearize/five_bar.toml");
    let trimmed = |free: &[&str]| {
        let trim = free.iter().map(|s| (*s).to_owned()).collect();
        linearize(&loaded, &LinearizeRequest { trim, ..LinearizeRequest::default() })
    };
    // With the holding torques, residual accelerations and speeds are at rounding level.
    let equilibrium = trimmed(&["torque_left", "torque_right"]).unwrap();
    assert_eq!(equilibrium.kind, Kind::Equilibrium);
    assert_eq!(equilibrium.states, ["x", "y", "x_dot", "y_dot"], "those that the spec drives");
    let trim = equilibrium.trim.as_ref().unwrap();
    assert!(trim.rank == 2 && trim.residual < 1e-9, "{trim:?}");
    // Expected torques by virtual work of the weights along the motions of the tool.
    let m = &loaded.mechanism;
    let slope = |by: usize| {
        let moved = |sign: f64| {
            let manifold = Manifold::with_default_parameters(m);
            let mut q = equilibrium.at.q.clone();
            q[by] += sign * 1e-5;
            let (held, free) = ((0..m.nq()).map(|i| i >= 4).collect::<Vec<_>>(), vec![false; m.nv()]);
            find_state(&manifold, 0.0, (&q, &equilibrium.at.v), (&held, &free)).unwrap().q
        };
        let (a, b) = (moved(1.0), moved(-1.0));
        let torque = |k: usize| equilibrium.at.u[k] * (a[k] - b[k]);
        (weight_potential(&a) - weight_potential(&b) - torque(0) - torque(1)) / 2e-5
    };
    for by in [4, 5] {
        assert!(slope(by).abs() < 1e-6, "{:e}", slope(by));
    }
    // Without torques, Newton's method crosses a pose with aligned forearms from here.
    let refused = trimmed(&["x", "y"]).unwrap_err();
    assert!(matches!(refused, LinearizeError::NotSteady { .. }), "{refused}");
}

#[test]
fn a_trim_of_what_has_no_slope_is_refused() {
    let loaded = load("tests/data/measures/dragged_arm.toml");
    let trim = vec!["q1".to_owned(), "q2".to_owned(), "q1".to_owned()];
    let refused = linearize(&loaded, &LinearizeRequest { trim, ..LinearizeRequest::default() }).unwrap_err();
    assert!(matches!(refused, LinearizeError::NoSlope { .. }), "{refused}");
}

#[test]
fn what_is_asked_to_be_independent_is_so_in_that_order_as_far_as_it_goes() {
    let loaded = load("examples/specs/four_bar.toml");
    let q: Vec<String> = loaded.mechanism.coordinates.iter().map(|c| c.name.clone()).collect();
    for first in &q {
        let mut independent = q.clone();
        independent.retain(|n| n != first);
        independent.insert(0, first.clone());
        let linearized =
            linearize(&loaded, &LinearizeRequest { independent, ..LinearizeRequest::default() }).unwrap();
        assert_eq!(linearized.states[0], *first);
        assert_eq!(linearized.dependent.len(), 2 * (q.len() - 1));
    }
}

/// A rod on a motorised hinge; `angle` is its start angle from the horizontal.
fn motor(mass: f64, length: f64, gravity: f64, angle: &str) -> Assembled {
    let text = format!(
        r#"
name = "motor"
gravity = [0, "-g", 0]
[parameters]
g = {gravity:e}
[bodies.rod]
mass = {mass:e}
center_of_mass = [{length:e}, 0, 0]
[joints.hinge]
type = "revolute"
axis = "z"
parent = "ground"
child = "rod"
coordinates = {{ names = ["theta"], start = ["{angle}"] }}
[inputs]
tau = {{ unit = "N*m" }}
[loads.a]
type = "actuator"
joint = "hinge"
effort = "tau"
"#
    );
    pipeline::build(&read::parse("motor.toml", text).unwrap(), "motor.toml").unwrap()
}

fn trim_by(l: &Assembled, name: &str) -> Linearized {
    let request = LinearizeRequest { trim: vec![name.to_owned()], ..LinearizeRequest::default() };
    linearize(l, &request).unwrap()
}

#[test]
fn trims_and_equilibria_do_not_depend_on_the_size_of_a_mechanism() {
    for (mass, length, gravity) in
        [(1.0, 1.0, 9.81), (1e-9, 1e-3, 9.81), (1e-12, 1e-7, 9.81), (1.0, 1.0, 1e-10), (1.0, 1.0, 1e14)]
    {
        let case = format!("{mass:e} {length:e} {gravity:e}");
        let leaning = motor(mass, length, gravity, "80 deg");
        let linearized = linearize(&leaning, &LinearizeRequest::default()).unwrap();
        assert_eq!(linearized.kind, Kind::Moving, "{case}");
        let linearized = trim_by(&leaning, "tau");
        let torque = mass * gravity * length * 80f64.to_radians().cos();
        assert!((linearized.trim.as_ref().unwrap().free[0].1 / torque - 1.0).abs() < 1e-12, "{case}");
        assert_eq!((linearized.kind, linearized.trim.unwrap().rank), (Kind::Equilibrium, 1), "{case}");
        let linearized = trim_by(&leaning, "theta");
        assert!((linearized.at.q[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-12, "{case}");
        assert_eq!(linearized.kind, Kind::Equilibrium, "{case}");
    }
}

#[test]
fn a_motion_that_does_not_accelerate_for_an_instant_is_no_steady_one() {
    let leaning = motor(1.0, 1.0, 9.81, "80 deg");
    let at = |theta_dot: f64, tau: f64| {
        let values = Values {
            v: vec![("theta_dot".to_owned(), theta_dot)],
            u: vec![("tau".to_owned(), tau)],
            ..Values::default()
        };
        linearize(&leaning, &LinearizeRequest { at: values, ..LinearizeRequest::default() }).unwrap().kind
    };
    let torque = 9.81 * 80f64.to_radians().cos();
    assert_eq!(at(0.0, torque), Kind::Equilibrium);
    assert_eq!(at(2.0, torque), Kind::Instant);
    assert_eq!(at(2.0, 0.0), Kind::Moving);
}
