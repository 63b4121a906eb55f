//! Base inertial parameters change no values: M, c, Q, efforts and accelerations are equal for
//! every set of joints that pass inertia on to their parents.

use crate::common::{at, product, relative, trace, trees};
use dqdt_algebra::Scalar;
use dqdt_codegen::pipeline::{self, InertialParameters, Request};
use dqdt_codegen::{functions, read};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::mechanism::Environment;
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

/// Quantities computed with base parameters: M, c, Q by the CRBA, efforts by the RNEA,
/// accelerations by the ABA.
fn values<S: Scalar>(s: &Sample, env: &Environment<'_, S>) -> Vec<S> {
    let m = &s.mechanism;
    let a: Vec<S> = (0..m.nv()).map(|i| S::ratio(i as i32 % 3 - 1, 2)).collect();
    let Implicit { mass, c, force } = formalism::implicit_equations(Formalism::CompositeBody, m, env);
    let swept = formalism::solve_forward_dynamics(Formalism::ArticulatedBody, m, env).accelerations;
    let efforts = formalism::inverse_dynamics(m, env, &a);
    mass.concat().into_iter().chain(c).chain(force).chain(efforts).chain(swept).collect()
}

#[test]
fn any_joints_may_hand_inertia_on() {
    let mut regrouped_differ = 0;
    for seed in 0..trees(150) {
        let s = random_mechanism(seed, 8);
        let bodies = s.mechanism.bodies.len();
        let n = s.mechanism.nv();
        let expected = at(&s, |env| values(&s, env));
        let every = vec![true; bodies];
        let some: Vec<bool> = (0..bodies).map(|i| (seed >> (i % 8)) & 1 == 1).collect();
        for joints in [&every, &some] {
            let (actual, _) = trace(&s, |_, env| values(&s, &Environment { regrouped: joints, ..*env }));
            let parts = [0..n * n, n * n..n * n + n, n * n + n..n * n + 2 * n, n * n + 2 * n..n * n + 3 * n];
            for part in parts {
                let error = relative(&actual[part.clone()], &expected[part]);
                assert!(error < 1e-12, "seed {seed}: {error:e}");
            }
            // Compare residuals of `M v̇ = Q − c`: errors of accelerations grow
            // with the condition of M.
            let e = at(&s, |env| formalism::implicit_equations(Formalism::Kane, &s.mechanism, env));
            let swept = &actual[actual.len() - n..];
            let right: Vec<f64> = e.force.iter().zip(&e.c).map(|(q, c)| q - c).collect();
            let error = relative(&product(&e.mass, swept), &right);
            assert!(error < 1e-9, "seed {seed}: {error:e}");
            regrouped_differ += usize::from(actual != expected);
        }
    }
    assert!(regrouped_differ > cases_by_tier(15, 100), "nothing was handed on");
}

const CHAIN: &str = r#"
name = "arm"
gravity = [0, 0, -9.81]
parameters = { m3 = { value = 1.5, unit = "kg" } }
[bodies.base]
mass = 3
center_of_mass = [0.1, 0.02, -0.1]
inertia = { xx = 0.05, yy = 0.06, zz = 0.02, xy = 0.002, xz = -0.001, yz = 0.0015 }
[bodies.slide]
mass = 2
center_of_mass = [0.03, 0.01, 0.2]
inertia = { xx = 0.03, yy = 0.04, zz = 0.02, xy = 0.001, xz = 0.002, yz = 0.0005 }
[bodies.tip]
mass = "m3"
center_of_mass = [0.02, 0.01, -0.25]
inertia = { xx = 0.03, yy = 0.031, zz = 0.004, xy = 0.001, xz = 0.0012, yz = 0.0003 }
[joints.a]
type = "revolute"
axis = "z"
parent = "ground"
child = "base"
[joints.b]
type = "prismatic"
axis = "x"
parent = { body = "base", at = [0, 0, 0.3] }
child = "slide"
[joints.c]
type = "revolute"
axis = "y"
parent = { body = "slide", at = [0.2, 0, 0] }
child = "tip"
"#;

fn sum_calls(all: &[(u32, u32)]) -> u32 {
    all.iter().map(|(call, _)| call).sum::<u32>()
}

#[test]
fn they_take_fewer_operations_and_regroup_parameters_once() {
    let loaded = pipeline::build(&read::parse("arm.toml", CHAIN).unwrap(), "arm.toml").unwrap();
    let all = vec![functions::DQDT, functions::INVERSE_DYNAMICS, functions::MASS_MATRIX];
    let count = |inertia| {
        let request = Request { inertia, ..Request::new(Formalism::Kane, all.clone()) };
        let program = pipeline::program(&loaded, &request);
        let costs = program.functions.iter().map(|f| dqdt_graph::ir::count(&program, f));
        costs.map(|c| (c.call.total(), c.once.total())).collect::<Vec<_>>()
    };
    let (base, of_bodies) = (count(InertialParameters::Base), count(InertialParameters::OfBodies));
    for ((base, once), (of_bodies, _)) in base.iter().zip(&of_bodies) {
        assert!(base <= of_bodies, "{base} operations, {of_bodies} with the parameters of bodies");
        assert!(*once > 0, "m3 is handed on in `Model::new`");
    }
    assert!(sum_calls(&base) + 10 < sum_calls(&of_bodies), "{base:?}, {of_bodies:?}");
}
