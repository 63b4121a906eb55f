//! Inverse dynamics from independent accelerations: against a null space by singular values, and in
//! a round trip with forward dynamics.

use crate::files::example_path;

use crate::common::{implicit, product, relative};
use crate::constrained::{BODIES, Flavour};
use crate::null_space::{assembled_sample, expected, samples_of};
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_derivation::assemble::{Manifold, find_state};
use dqdt_derivation::derive::{Request, derive};
use dqdt_graph::ir::{Arguments, Declaration, Machine, Program, SingularPivot};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{Formalism, independent_speeds};
use dqdt_mechanics::mechanism::SpeedId;
use dqdt_samples::random::Sample;
use nalgebra::DMatrix;

const FUNCTIONS: [&Definition; 3] =
    [functions::DQDT, functions::BIAS, functions::INVERSE_DYNAMICS_CONSTRAINED];

fn call(p: &Program, kind: &Declaration, a: &Arguments) -> Result<Vec<f64>, SingularPivot> {
    Machine::new(p, kind).expect("asked for").call(a).map(<[f64]>::to_vec)
}

/// Null-space matrix with unit rates of the independent speeds, one column each: `A B = 0`, by
/// singular values.
fn null_space_basis(a: &DMatrix<f64>, independent: &[SpeedId]) -> DMatrix<f64> {
    let independent: Vec<usize> = independent.iter().map(|s| s.index()).collect();
    let dependent: Vec<usize> = (0..a.ncols()).filter(|s| !independent.contains(s)).collect();
    let moved = -a.select_columns(&independent);
    let followers = a.select_columns(&dependent).svd(true, true).solve(&moved, 1e-9).unwrap();
    let mut out = DMatrix::zeros(a.ncols(), independent.len());
    for (k, s) in independent.iter().enumerate() {
        out[(*s, k)] = 1.0;
        dependent.iter().enumerate().for_each(|(i, d)| out[(*d, k)] = followers[(i, k)]);
    }
    assert!((a * &out).amax() < 1e-8 * a.amax().max(1.0) * out.amax());
    out
}

/// Checks constrained inverse dynamics of `count` random mechanisms. Returns the number of those
/// whose independent speeds do not depend on the pose.
fn check_efforts_by_null_space(flavour: Flavour, count: usize) -> usize {
    let mut named = 0;
    for (seed, flavour, s) in samples_of(flavour, BODIES).take(count) {
        let place = format!("{flavour:?} {seed}");
        let s = assembled_sample(&s, (seed, flavour));
        let m = &s.mechanism;
        let request = Request::new(Formalism::Kane, FUNCTIONS.to_vec());
        let p = simplify(&derive(
            &Assembled::without_spec(m.clone(), s.partition.clone()),
            &s.formulation,
            &request,
        ));
        let Some(independent) = independent_speeds(m, &s.partition) else {
            assert!(Machine::new(&p, functions::INVERSE_DYNAMICS_CONSTRAINED).is_none(), "{place}");
            continue;
        };
        assert!(independent.iter().map(|s| s.index()).eq(p.layout.independent_speeds.iter().copied()));
        let e = expected(&s);
        let mut a = Arguments::defaults(&p);
        (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        // The other accelerations are computed; given values must not be read.
        a.a = e.accelerations.iter().map(|_| f64::NAN).collect();
        independent.iter().for_each(|i| a.a[*i] = e.accelerations[*i]);
        let efforts = match call(&p, functions::INVERSE_DYNAMICS_CONSTRAINED, &a) {
            Ok(efforts) => efforts,
            // Dependent speeds are chosen for the assembled start, which is this state.
            Err(other) => panic!("{place}: {other}"),
        };
        named += 1;
        let b = null_space_basis(&e.jacobian, &independent);
        let still = Sample { u: vec![0.0; s.u.len()], ..s.clone() };
        let equations = implicit(Formalism::Kane, &still);
        let moved = product(&equations.mass, &e.accelerations);
        let tree: Vec<f64> = (0..m.nv()).map(|i| moved[i] + equations.c[i] - equations.force[i]).collect();
        let along = b.transpose() * nalgebra::DVector::from_column_slice(&tree);
        let size = b.amax().max(1.0).powi(2) * tree.iter().fold(1.0f64, |x, y| x.max(y.abs()));
        let error = efforts.iter().zip(along.iter()).fold(0.0f64, |x, (a, b)| x.max((a - b).abs()));
        assert!(error < 1e-10 * size, "{place}: {efforts:?} against {along:?}");
        assert_eq!(efforts.len(), independent.len());
    }
    named
}

#[test]
fn efforts_of_random_loops_are_those_of_the_null_space() {
    assert!(check_efforts_by_null_space(Flavour::Loops, 20) > 15);
}

#[test]
fn efforts_of_random_nonholonomic_and_redundant_constraints_are_those_of_the_null_space() {
    let named = check_efforts_by_null_space(Flavour::Nonholonomic, 12)
        + check_efforts_by_null_space(Flavour::Both, 12)
        + check_efforts_by_null_space(Flavour::Redundant, 12);
    assert!(named > 20, "{named}");
}

#[test]
fn a_crank_that_is_driven_by_the_effort_found_has_the_acceleration_asked_for() {
    let loaded = pipeline::load(&example_path("four_bar")).unwrap();
    let m = &loaded.mechanism;
    assert_eq!(independent_speeds(m, &loaded.partition), Some(vec![SpeedId(0)]), "the crank");
    for formalism in Formalism::ALL {
        let p = pipeline::program(&loaded, &Request::new(formalism, FUNCTIONS.to_vec()));
        let mut a = Arguments::defaults(&p);
        let manifold = Manifold::with_default_parameters(m);
        for (angle, rate, wanted) in
            [(1.6, 10.0, 3.0), (0.4, -2.0, -70.0), (3.0, 0.0, 0.0), (-1.2, 5.0, 20.0)]
        {
            (a.q[0], a.v[0]) = (angle, rate);
            let held = [true, false, false];
            let state = find_state(&manifold, 0.0, (&a.q, &a.v), (&held, &held)).unwrap();
            (a.q, a.v, a.a[0]) = (state.q, state.v, wanted);
            let effort = call(&p, functions::INVERSE_DYNAMICS_CONSTRAINED, &a).unwrap();
            // The motor of the example drives the crank's hinge: B_u is one
            // there and zero elsewhere.
            a.u = effort;
            let dx = call(&p, functions::DQDT, &a).unwrap();
            let error = relative(&[dx[3]], &[wanted]);
            assert!(error < 1e-10, "{} at {angle}: {} against {wanted}", formalism.name(), dx[3]);
        }
    }
}

#[test]
fn without_constraints_every_speed_is_independent() {
    let loaded = pipeline::load(&example_path("kane_two_body")).unwrap();
    let functions = vec![functions::INVERSE_DYNAMICS, functions::INVERSE_DYNAMICS_CONSTRAINED];
    let p = pipeline::program(&loaded, &Request::new(Formalism::Kane, functions));
    let mut a = Arguments::defaults(&p);
    (0..a.a.len()).for_each(|i| a.a[i] = 0.3 - 0.2 * i as f64);
    let both =
        [functions::INVERSE_DYNAMICS, functions::INVERSE_DYNAMICS_CONSTRAINED].map(|k| call(&p, k, &a));
    assert_eq!(both[0], both[1]);
    assert!(both[0].as_ref().unwrap().iter().any(|x| x.abs() > 1e-3));
}

#[test]
fn where_the_pose_decides_what_is_dependent_a_message_refuses() {
    let functions = [functions::INVERSE_DYNAMICS_CONSTRAINED];
    // The heading decides which velocity component in ground axes is the dependent one.
    let sleigh = pipeline::load(&example_path("chaplygin_sleigh")).unwrap();
    assert_eq!(independent_speeds(&sleigh.mechanism, &sleigh.partition), None);
    let message = pipeline::check_functions(&sleigh, &functions).unwrap_err().to_string();
    assert!(
        message.contains("inverse_dynamics_constrained") && message.contains("velocity_frame"),
        "{message}"
    );
    assert!(pipeline::check_functions(&sleigh, &functions::defaults()).is_ok());
}
