//! Gravity, Coriolis matrix, centroidal momentum and regressors on random trees.
//!
//! Above 500 lines: the functions of robots are checked on the same trees with the same helpers.

use crate::common::{at, product, relative, trees, unit_vector};
use dqdt_algebra::{Jet, Vec3, Wrench};
use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{functions, read};
use dqdt_graph::ir::{Arguments, Declaration, Machine};
use dqdt_mechanics::formalism::{self, Formalism, implicit_equations};
use dqdt_mechanics::kinematics::coordinate_rates;
use dqdt_mechanics::mechanism::{Environment, Formula, Mechanism};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

/// The part of c of degree two in the speeds, from three values of c.
fn quadratic_part_of_bias(m: &Mechanism, env: &Environment<'_, f64>) -> Vec<f64> {
    let c = |factor: f64| {
        let v: Vec<f64> = env.v.iter().map(|v| factor * v).collect();
        implicit_equations(Formalism::Kane, m, &Environment { v: &v, ..*env }).c
    };
    let (ahead, back, still) = (c(1.0), c(-1.0), c(0.0));
    (0..m.nv()).map(|i| 0.5 * (ahead[i] + back[i]) - still[i]).collect()
}

/// The rate `Ṁ` of the mass matrix along `q̇ = N w` at constant time, as the derivative of jets.
fn mass_rate(m: &Mechanism, env: &Environment<'_, f64>, w: &[f64]) -> Vec<Vec<Jet<f64>>> {
    let (_, n) = coordinate_rates(m, env);
    env.with_jets(0.0, &product(&n, w), &vec![0.0; m.nv()], |env| {
        implicit_equations(Formalism::Kane, m, env).mass
    })
}

fn transpose(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..a.first().map_or(0, Vec::len)).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// True if the speeds are the rates of the coordinates.
fn plain(m: &Mechanism, env: &Environment<'_, f64>) -> bool {
    let (_, n) = coordinate_rates(m, env);
    n.len() == m.nv()
        && n.iter().enumerate().all(|(i, row)| (0..m.nv()).all(|j| row[j] == f64::from(u8::from(i == j))))
}

/// Christoffel symbol from the derivatives of M by the coordinates.
fn christoffel_symbol(by: &[Vec<Vec<Jet<f64>>>], k: usize, j: usize, i: usize) -> f64 {
    0.5 * (by[i][k][j].d + by[j][k][i].d - by[k][i][j].d)
}

#[test]
fn the_coriolis_matrix_times_the_speeds_is_the_quadratic_part_of_c_and_the_rate_of_m_less_twice_it_is_skew() {
    let mut christoffel = 0;
    for seed in 0..trees(300) {
        let s = random_mechanism(seed, 7);
        let m = &s.mechanism;
        at(&s, |env| {
            let c = formalism::coriolis_matrix(m, env);
            let error = relative(&product(&c, env.v), &quadratic_part_of_bias(m, env));
            assert!(error < 1e-11, "tree {seed}: C v, {error:e}");
            let rate = mass_rate(m, env, env.v);
            let both: Vec<f64> = c
                .iter()
                .zip(transpose(&c))
                .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>())
                .collect();
            let moved: Vec<f64> = rate.concat().iter().map(|x| x.d).collect();
            let error = relative(&both, &moved);
            assert!(error < 1e-11, "tree {seed}: C + Cᵀ against the rate of M, {error:e}");
            if plain(m, env) {
                christoffel += 1;
                let by: Vec<Vec<Vec<Jet<f64>>>> =
                    (0..m.nv()).map(|i| mass_rate(m, env, &unit_vector(m.nv(), i))).collect();
                let expected: Vec<f64> = (0..m.nv())
                    .flat_map(|k| (0..m.nv()).map(move |j| (k, j)))
                    .map(|(k, j)| (0..m.nv()).map(|i| christoffel_symbol(&by, k, j, i) * env.v[i]).sum())
                    .collect();
                let error = relative(&c.concat(), &expected);
                assert!(error < 1e-11, "tree {seed}: Christoffel, {error:e}");
            }
        });
    }
    assert!(christoffel > cases_by_tier(2, 20), "{christoffel} trees whose speeds are rates");
}

/// The Coriolis matrix is a torsion-free connection of M in any choice of speeds, so covariant
/// accelerations do not depend on that choice. For a free body: `C(v) w − C(w) v = M [v, w]`.
#[test]
fn of_a_free_body_the_matrix_has_the_structure_coefficients_of_rotations() {
    let spec = r#"
        name = "free"
        [bodies.body]
        mass = 2
        center_of_mass = [0.1, -0.2, 0.3]
        inertia = { xx = 0.3, yy = 0.5, zz = 0.4, xy = 0.02, xz = -0.03, yz = 0.05 }
        [joints.float]
        type = "free"
        parent = "ground"
        child = "body"
        coordinates = { quaternion = true }
        speeds = { kind = "body_rates" }
    "#;
    let loaded = pipeline::build(&read::parse("free.toml", spec).unwrap(), "free.toml").unwrap();
    let m = &loaded.mechanism;
    assert_eq!((m.nq(), m.nv()), (7, 6));
    let sample = |v: [f64; 6]| Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q: vec![0.1, 0.2, -0.4, 0.5, 0.5, -0.5, 0.5],
        v: v.to_vec(),
        z: Vec::new(),
        u: Vec::new(),
    };
    let (v, w) = ([0.3, -0.7, 1.1, 0.4, -1.3, 0.8], [-0.5, 0.2, 0.9, 1.4, 0.6, -0.3]);
    let c = |v: [f64; 6]| at(&sample(v), |env| formalism::coriolis_matrix(m, env));
    let mass = at(&sample(v), |env| implicit_equations(Formalism::Kane, m, env).mass);
    let (a, b) = (product(&c(v), &w), product(&c(w), &v));
    let n = at(&sample(v), |env| coordinate_rates(m, env).1);
    // Bracket of two fields with constant components by derivatives of N, converted to speeds by N.
    let along = |dir: &[f64; 6], field: &[f64; 6]| {
        at(&sample(v), |env| {
            env.with_jets(0.0, &product(&n, dir), &[0.0; 6], |env| {
                let (_, n) = coordinate_rates(m, env);
                n.iter()
                    .map(|row| row.iter().zip(field).map(|(n, f)| n.d * f).sum::<f64>())
                    .collect::<Vec<_>>()
            })
        })
    };
    let bracket: Vec<f64> = along(&v, &w).iter().zip(along(&w, &v)).map(|(a, b)| a - b).collect();
    // Columns of N are orthogonal: length one for velocities, one half for angular velocities.
    let bracket_in_speeds: Vec<f64> = (0..6)
        .map(|j| {
            let column: Vec<f64> = n.iter().map(|row| row[j]).collect();
            let square: f64 = column.iter().map(|x| x * x).sum();
            column.iter().zip(&bracket).map(|(a, b)| a * b).sum::<f64>() / square
        })
        .collect();
    let expected = product(&mass, &bracket_in_speeds);
    let actual: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    assert!(relative(&actual, &expected) < 1e-12, "{actual:?} against {expected:?}");
}

#[test]
fn gravity_is_what_efforts_at_rest_lose_without_it() {
    for seed in 0..trees(200) {
        let mut s = random_mechanism(seed, 7);
        // Loads may measure gravity.
        s.mechanism.loads.clear();
        let m = &s.mechanism;
        let mut weightless = m.clone();
        weightless.gravity = std::array::from_fn(|_| Formula::ZERO);
        at(&s, |env| {
            let none = vec![0.0; m.nv()];
            let with = formalism::inverse_dynamics(m, env, &none);
            let without = formalism::inverse_dynamics(&weightless, env, &none);
            let expected: Vec<f64> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
            let error = relative(&formalism::gravity_efforts(m, env), &expected);
            assert!(error < 1e-11, "tree {seed}: {error:e}");
        });
    }
}

fn six(w: &Wrench<f64>) -> Vec<f64> {
    [w.f.0, w.m.0].concat()
}

#[test]
fn centroidal_momentum_is_that_about_the_ground_moved_and_its_rate_that_of_the_motion() {
    for seed in 0..trees(200) {
        let s = random_mechanism(seed, 7);
        let m = &s.mechanism;
        at(&s, |env| {
            let centroid = formalism::evaluate_centroid(m, env);
            let about_ground = formalism::momentum(m, env);
            let angular = about_ground.angular - centroid.position.cross(about_ground.linear);
            let error = relative(&six(&centroid.momentum), &[about_ground.linear.0, angular.0].concat());
            assert!(error < 1e-12, "tree {seed}: momentum, {error:e}");
            // A v plus the prescribed part.
            let none = vec![0.0; m.nv()];
            let drift = formalism::evaluate_centroid(m, &Environment { v: &none, ..*env }).momentum;
            let sum = centroid.matrix.iter().zip(env.v).fold(drift, |sum, (c, v)| sum + c.scale(*v));
            let error = relative(&six(&sum), &six(&centroid.momentum));
            assert!(error < 1e-12, "tree {seed}: A v, {error:e}");
            // Along the motion with v̇ = 0, and with accelerations.
            let (qdot, _) = coordinate_rates(m, env);
            let a: Vec<f64> = (0..m.nv()).map(|i| (i as f64 * 1.7).sin()).collect();
            for (a, what) in [(&none, "no acceleration"), (&a, "accelerations")] {
                let moving = env.with_jets(1.0, &qdot, a, |env| formalism::evaluate_centroid(m, env));
                let rate: Vec<f64> =
                    [moving.momentum.f.0, moving.momentum.m.0].concat().iter().map(|x| x.d).collect();
                let expected =
                    centroid.matrix.iter().zip(a).fold(centroid.bias, |sum, (c, v)| sum + c.scale(*v));
                let error = relative(&six(&expected), &rate);
                assert!(error < 1e-11, "tree {seed}: rate at {what}, {error:e}");
                let velocity = Vec3(moving.position.0.map(|x| x.d)).scale(centroid.mass);
                assert!(relative(&velocity.0, &centroid.momentum.f.0) < 1e-12, "tree {seed}: velocity");
            }
        });
    }
}

fn dot_product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>()
}

#[test]
fn regressors_times_parameters_are_efforts_energies_and_momenta() {
    for seed in 0..trees(200) {
        let s = random_mechanism(seed, 6);
        let m = &s.mechanism;
        at(&s, |env| {
            let p = formalism::inertial_parameters(m, env);
            let a: Vec<f64> = (0..m.nv()).map(|i| (i as f64 * 2.3).cos()).collect();
            let y = formalism::regressor(m, env, &a);
            let efforts: Vec<f64> = product(&y.matrix, &p).iter().zip(&y.rest).map(|(a, b)| a + b).collect();
            let error = relative(&efforts, &formalism::inverse_dynamics(m, env, &a));
            assert!(error < 1e-12, "tree {seed}: efforts, {error:e}");
            // Energy terms that are not due to bodies do not change with the inertias.
            let e = formalism::energy_regressor(m, env);
            let scaled = with_double_inertia(&s);
            let twice = at(&scaled, |env| formalism::energy(&scaled.mechanism, env));
            let once = formalism::energy(m, env);
            let close = |a: f64, b: f64| {
                (a - b).abs() < 1e-11 * (1.0 + a.abs().max(twice.kinetic.abs()).max(twice.potential.abs()))
            };
            assert!(
                close(dot_product(&e.kinetic, &p), twice.kinetic - once.kinetic),
                "tree {seed}: kinetic energy"
            );
            assert!(
                close(dot_product(&e.potential, &p), twice.potential - once.potential),
                "tree {seed}: potential energy"
            );
            // Expected momenta ∂T/∂v.
            let mass = implicit_equations(Formalism::Kane, m, env).mass;
            let more = at(&scaled, |env| implicit_equations(Formalism::Kane, &scaled.mechanism, env).mass);
            let none = vec![0.0; m.nv()];
            let still =
                product(&formalism::energy_regressor(m, &Environment { v: &none, ..*env }).momentum, &p);
            let momenta: Vec<f64> = more
                .iter()
                .zip(&mass)
                .zip(&still)
                .map(|((a, b), still)| {
                    a.iter().zip(b).zip(env.v).map(|((a, b), v)| (a - b) * v).sum::<f64>() + still
                })
                .collect();
            let error = relative(&product(&e.momentum, &p), &momenta);
            assert!(error < 1e-11, "tree {seed}: momentum, {error:e}");
        });
    }
}

fn double(f: &mut Formula) {
    *f = Formula::Mul(Box::new(Formula::from_integer(2)), Box::new(f.clone()))
}

/// The same mechanism with twice the mass and inertia of each body.
fn with_double_inertia(s: &Sample) -> Sample {
    let mut twice = s.clone();
    for body in &mut twice.mechanism.bodies {
        double(&mut body.mass);
        body.inertia.iter_mut().for_each(double);
    }
    twice
}

/// Number of base parameters of a mechanism, after a check that they reproduce the efforts.
fn count_base_parameters(path: &str) -> usize {
    let loaded = pipeline::load(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR")).as_ref()).unwrap();
    let m = &loaded.mechanism;
    let base = dqdt_codegen::identify::base_parameters(&loaded);
    assert_eq!(base.uncertain, 0, "{path}");
    assert!(!base.sampled_in_time && base.without_numbers == 0);
    // Except in planar motion, the joints determine all base parameters, which is a proof.
    if !path.contains("planar") {
        assert_eq!(base.by_joints, base.parameters.len(), "{path}");
    }
    let p = dqdt_mechanics::kinematics::evaluate_parameters(m, &dqdt_algebra::Number::to_f64, &[]);
    let mut state = dqdt_mechanics::kinematics::initial_instant(m, &dqdt_algebra::Number::to_f64, &p);
    for k in 0..5 {
        let wave = |i: usize, factor: f64| factor * (1.3 * (i + 7 * k) as f64).sin();
        state.q = (0..m.nq()).map(|i| wave(i, 0.9)).collect();
        for first in dqdt_mechanics::kinematics::quaternion_starts(m) {
            let length = state.q[first.quaternion_range()].iter().map(|x| x * x).sum::<f64>().sqrt();
            state.q[first.quaternion_range()].iter_mut().for_each(|x| *x /= length);
        }
        state.v = (0..m.nv()).map(|i| wave(i + 3, 1.7)).collect();
        let env = state.as_environment(&dqdt_algebra::Number::to_f64);
        let a: Vec<f64> = (0..m.nv()).map(|i| wave(i + 5, 2.0)).collect();
        let y = formalism::regressor(m, &env, &a).matrix;
        let all = formalism::inertial_parameters(m, &env);
        let values = base.values(&all);
        let back = base.all(&values);
        let error = relative(&product(&y, &back), &product(&y, &all));
        assert!(error < 1e-10, "{path}: {error:e}");
        let again = base.values(&back);
        assert!(relative(&again, &values) < 1e-12, "{path}: there and back");
    }
    base.parameters.len()
}

#[test]
fn arms_and_legged_robots_have_the_base_parameters_that_are_known() {
    // 1 + 7 (n − 1) for a first axis along gravity (Gautier, Khalil 1990; Gaz et al. 2019).
    assert_eq!(count_base_parameters("tests/data/robots/ur5.toml"), 36);
    assert_eq!(count_base_parameters("tests/data/robots/panda.toml"), 43);
    // Two planar pendulums: inertia and first moments of both, the second mass lumped into one.
    assert_eq!(count_base_parameters("tests/data/base_parameters/planar_two.toml"), 6);
    // Gravity in any direction: 3 + 7 (n − 1).
    assert_eq!(count_base_parameters("tests/data/base_parameters/tilted_arm.toml"), 3 + 7 * 2);
    // A floating base: ten for the base, seven for each body of the legs.
    assert_eq!(count_base_parameters("tests/data/robots/solo12.toml"), 10 + 7 * 12);
}

/// Spec of two links of length scale `size`, not planar; `axis` is that of the second joint.
fn two_links(size: f64, axis: &str, gravity: &str) -> String {
    format!(
        r#"
name = "two"
gravity = [0, 0, "{gravity}"]
[bodies.a]
mass = 1
[bodies.b]
mass = 1
center_of_mass = [{x:e}, {y:e}, {z:e}]
[joints.j1]
type = "revolute"
axis = "z"
parent = "ground"
child = "a"
coordinates = {{ names = ["q1"] }}
[joints.j2]
type = "revolute"
axis = {axis}
parent = {{ body = "a", at = [{size:e}, {y:e}, {z:e}] }}
child = "b"
coordinates = {{ names = ["q2"] }}
"#,
        x = 0.4 * size,
        y = 0.3 * size,
        z = 0.7 * size
    )
}

#[test]
fn the_number_of_base_parameters_has_nothing_to_do_with_the_size() {
    for size in [1e-9, 1e-4, 1.0, 1e6] {
        for (axis, gravity) in
            [("\"y\"", "-9.81"), ("\"y\"", "-1e-13"), ("\"y\"", "-1e13"), ("[0.3, 0.5, 0.8]", "-9.81")]
        {
            let text = two_links(size, axis, gravity);
            let loaded =
                pipeline::build(&read::parse("two.toml", text.as_str()).unwrap(), "two.toml").unwrap();
            let base = dqdt_codegen::identify::base_parameters(&loaded);
            let case = format!("{size:e} {axis} {gravity}");
            assert_eq!((base.parameters.len(), base.by_joints, base.uncertain), (8, 8, 0), "{case}");
            let with = |name: &str| {
                let place = base.names.iter().position(|n| n == name).unwrap();
                let parameter = base.parameters.iter().find(|p| base.names[p.place] == "a.Izz").unwrap();
                parameter.combination.iter().find(|(i, _)| *i == place).map_or(0.0, |(_, x)| *x)
            };
            // The mass of the second body, lumped at the joint.
            assert!((with("b.m") / (size * size * 1.09) - 1.0).abs() < 1e-9, "{case}: {}", with("b.m"));
        }
    }
}

#[test]
fn base_parameters_say_what_they_do_not_know() {
    let gravity = "-9.81 [m/s^2]*sqrt(t/(1 [s]) - 1000)";
    let text = two_links(1.0, "\"y\"", gravity);
    let loaded = pipeline::build(&read::parse("two.toml", text.as_str()).unwrap(), "two.toml").unwrap();
    let base = dqdt_codegen::identify::base_parameters(&loaded);
    assert!(base.sampled_in_time && base.without_numbers > 0 && base.uncertain == 20, "{base:?}");
}

fn coupled_pendulums(treatment: &str) -> String {
    format!(
        r#"
name = "two"
gravity = [0, -9.81, 0]
[bodies.a]
mass = 2
center_of_mass = [0.3, 0, 0]
inertia = [0, 0.1, 0.1]
[bodies.b]
mass = 1
center_of_mass = [0.2, 0, 0]
inertia = [0, 0.05, 0.05]
[joints.j1]
type = "revolute"
axis = "z"
parent = "ground"
child = "a"
coordinates = {{ names = ["q1"] }}
[joints.j2]
type = "revolute"
axis = "z"
parent = {{ body = "a", at = [0.5, 0, 0] }}
child = "b"
coordinates = {{ names = ["q2"] }}
[constraints.g]
type = "position"
formula = "q2 - sin(2*q1)*0.7 - 0.3*q1^2"
{treatment}
"#
    )
}

#[test]
fn derivatives_of_the_tree_do_not_depend_on_how_constraints_are_treated() {
    let all = [functions::ENERGY_GRADIENTS, functions::INVERSE_DYNAMICS_DERIVATIVES];
    let values = |treatment: &str| {
        let text = coupled_pendulums(treatment);
        let loaded = pipeline::build(&read::parse("two.toml", text.as_str()).unwrap(), "two.toml").unwrap();
        let program = pipeline::program(&loaded, &Request::new(Formalism::Kane, all.to_vec()));
        let q1: f64 = 0.3;
        let mut a = Arguments::defaults(&program);
        a.q = vec![q1, 0.7 * (2.0 * q1).sin() + 0.3 * q1 * q1];
        a.v = vec![1.0, 1.4 * (2.0 * q1).cos() + 0.6 * q1];
        a.a = vec![0.5, 1.0];
        all.map(|f| Machine::new(&program, f).unwrap().call(&a).unwrap().to_vec()).concat()
    };
    let (free, eliminated) = (values(""), values("treatment = \"elimination\"\ndependent = [\"q2_dot\"]"));
    assert!(relative(&eliminated, &free) < 1e-12, "{free:?} {eliminated:?}");
}

fn normalize(q: &mut [f64]) {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.iter_mut().for_each(|x| *x /= length);
}

#[test]
fn the_inverse_mass_matrix_is_one_and_energy_gradients_are_those_of_the_energies() {
    for name in ["cart_pole", "double_pendulum", "gyroscope", "furuta_pendulum", "panda_arm", "quadrotor"] {
        let path = format!("{}/../../examples/specs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let loaded = pipeline::load(path.as_ref()).unwrap();
        let all = functions::defaults_and(&[functions::INVERSE_MASS_MATRIX, functions::ENERGY_GRADIENTS]);
        let program = pipeline::program(&loaded, &Request::new(Formalism::Kane, all));
        let mut a = Arguments::defaults(&program);
        for (i, x) in a.q.iter_mut().chain(&mut a.v).enumerate() {
            *x += 0.6 * (1.3 * i as f64 + 0.4).sin();
        }
        let first = program.layout.quaternions.first().copied();
        first.into_iter().for_each(|e| normalize(&mut a.q[e..e + 4]));
        let call =
            |f: &Declaration, a: &Arguments| Machine::new(&program, f).unwrap().call(a).unwrap().to_vec();
        let nv = a.v.len();
        let rows = |x: Vec<f64>| x.chunks(nv).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let (mass, inverse) =
            (rows(call(functions::MASS_MATRIX, &a)), rows(call(functions::INVERSE_MASS_MATRIX, &a)));
        for (i, column) in transpose(&inverse).iter().enumerate() {
            assert!(
                relative(&product(&mass, column), &unit_vector(nv, i)) < 1e-11,
                "{name}: column {i} of the inverse"
            );
        }
        // Differences of the energies; for a quaternion by rotations in child axes.
        let moved = |change: &dyn Fn(&mut Arguments, f64)| -> [f64; 2] {
            let at = |h: f64| {
                let mut b = a.clone();
                change(&mut b, h);
                call(functions::ENERGY, &b)
            };
            let (ahead, back) = (at(1e-5), at(-1e-5));
            [0, 1].map(|k| (ahead[k] - back[k]) / 2e-5)
        };
        let mut by_pose: Vec<[f64; 2]> = Vec::new();
        let mut i = 0;
        while i < a.q.len() {
            if first == Some(i) {
                for axis in 0..3 {
                    by_pose.push(moved(&|b, h| {
                        let [w, x, y, z]: [f64; 4] = std::array::from_fn(|k| a.q[i + k]);
                        let turned = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]][axis];
                        (0..4).for_each(|k| b.q[i + k] += 0.5 * h * turned[k]);
                        normalize(&mut b.q[i..i + 4]);
                    }));
                }
                i += 4;
            } else {
                by_pose.push(moved(&|b, h| b.q[i] += h));
                i += 1;
            }
        }
        let by_speeds = (0..nv).map(|i| moved(&|b, h| b.v[i] += h)[0]);
        let energy_slopes = |k: usize| by_pose.iter().map(move |x| x[k]);
        let expected: Vec<f64> = energy_slopes(0).chain(energy_slopes(1)).chain(by_speeds).collect();
        let error = relative(&call(functions::ENERGY_GRADIENTS, &a), &expected);
        assert!(error < 1e-7, "{name}: gradients, {error:e}");
    }
}

#[test]
fn inverse_operational_inertias_are_those_of_the_jacobians_and_the_mass_matrix() {
    let root = env!("CARGO_MANIFEST_DIR");
    for path in ["tests/data/urdf/ur5.urdf", "tests/data/urdf/panda.urdf", "tests/data/urdf/solo12.urdf"] {
        let loaded = pipeline::load(format!("{root}/../../{path}").as_ref()).unwrap();
        let all =
            vec![functions::MASS_MATRIX, functions::FRAME_JACOBIANS, functions::INVERSE_OPERATIONAL_INERTIAS];
        let program = pipeline::program(&loaded, &Request::new(Formalism::CompositeBody, all));
        let mut a = Arguments::defaults(&program);
        for (i, x) in a.q.iter_mut().enumerate() {
            *x += 0.7 * (1.9 * i as f64 + 0.4).sin();
        }
        let call = |f: &Declaration| Machine::new(&program, f).unwrap().call(&a).unwrap().to_vec();
        let n = a.v.len();
        let mass = nalgebra::DMatrix::from_row_slice(n, n, &call(functions::MASS_MATRIX));
        let (jacobians, inverse_inertias) =
            (call(functions::FRAME_JACOBIANS), call(functions::INVERSE_OPERATIONAL_INERTIAS));
        assert!(
            !inverse_inertias.is_empty() && inverse_inertias.len() / 36 == jacobians.len() / (6 * n),
            "{path}"
        );
        let cholesky = mass.cholesky().unwrap();
        for (j, inverse_inertia) in jacobians.chunks(6 * n).zip(inverse_inertias.chunks(36)) {
            let j = nalgebra::DMatrix::from_row_slice(6, n, j);
            let want = &j * cholesky.solve(&j.transpose());
            let inverse_inertia = nalgebra::DMatrix::from_row_slice(6, 6, inverse_inertia);
            assert!(
                (&inverse_inertia - &want).norm() < 1e-12 * want.norm().max(1e-9),
                "{path}: {inverse_inertia} {want}"
            );
        }
    }
}
