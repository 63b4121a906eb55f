//! Starts and divisors that once failed without the right word: attitudes far off, stops that are passed, contacts that nothing carries.

use dqdt_codegen::functions;
use dqdt_codegen::internal::assemble::{Manifold, find_state, modes};
use dqdt_codegen::internal::derive::derive;
use dqdt_codegen::internal::formalism::Formalism;
use dqdt_codegen::internal::ir::{Arguments, Machine};
use dqdt_codegen::internal::kinematics::constraint_frames;
use dqdt_codegen::internal::mechanism::Origin;
use dqdt_codegen::pipeline::Request;
use dqdt_codegen::simulate::{SimulationRequest, simulate};
use dqdt_codegen::{pipeline, read};

const FIXED: &str = include_str!("../../../tests/data/cases/contact_fixed.toml");
const PENDULUM: &str = include_str!("../../../tests/data/cases/contact_pend.toml");
const BELOW: &str = include_str!("../../../tests/data/cases/start_below_stop.toml");
const WELDS: &str = include_str!("../../../tests/data/cases/two_welds.toml");
const WAYS: &str = include_str!("../../../tests/data/cases/ways.toml");

fn loaded(text: &str) -> dqdt_codegen::internal::assemble::Assembled {
    pipeline::build(&read::parse("spec.toml", text).unwrap(), "spec.toml").unwrap()
}

#[test]
fn a_contact_without_freedom_is_singular_by_its_name() {
    for (text, name, off) in [(FIXED, "contact post_tip", 0.0), (PENDULUM, "contact b_p", 0.0)] {
        let loaded = loaded(text);
        let request = Request::new(Formalism::Kane, vec![functions::CONTACT_DYNAMICS]);
        let p = derive(&loaded.mechanism, &request, &Origin::default());
        let mut machine = Machine::new(&p, functions::CONTACT_DYNAMICS).unwrap();
        let mut a = Arguments::defaults(&p);
        for angle in [0.0, 0.3, std::f64::consts::FRAC_PI_2] {
            a.q[0] = angle;
            a.contacts = vec![1.0];
            let said = machine.call(&a).unwrap_err();
            assert!(said.name().contains(name), "{said}");
            assert!(said.to_string().starts_with("singular"), "{said}");
            // Off, it takes no part.
            a.contacts = vec![off];
            assert!(machine.call(&a).unwrap().iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn a_start_beyond_a_stop_is_an_error_with_the_distance() {
    let said = simulate(&loaded(BELOW), &SimulationRequest::until(0.1)).unwrap_err().to_string();
    assert!(said.contains("1 m beyond `lo`"), "{said}");
    let above = BELOW.replace("start = [-1]", "start = [1]");
    assert!(simulate(&loaded(&above), &SimulationRequest::until(0.1)).is_ok());
}

#[test]
fn welds_that_start_far_off_assemble_at_the_right_attitude() {
    for angle in ["120", "150", "170", "179", "180", "-175"] {
        let text = WELDS.replace("170 deg", &format!("{angle} deg"));
        let loaded = loaded(&text);
        let m = &loaded.mechanism;
        let manifold = Manifold::at_defaults(m);
        let state = loaded.state.clone().unwrap();
        let still = vec![0.0; m.nv()];
        manifold.at(0.0, &state.q, &still, |env| {
            for (_, rotation, origin) in constraint_frames(m, env) {
                for i in 0..3 {
                    assert!((rotation.0[i][i] - 1.0).abs() < 1e-10, "{angle}: {rotation:?}");
                    assert!(origin.0[i].abs() < 1e-10);
                }
            }
        });
    }
}

#[test]
fn loops_that_start_far_off_assemble_at_the_right_attitude() {
    // Two bodies from the ground and one between them: a weld and an axis to close, seven turns of the frames.
    for seed in 0..12 {
        let angle = 120.0 + 5.0 * f64::from(seed);
        let text = format!(
            r#"
            name = "loops"
            [bodies]
            a = {{ mass = 1, inertia = [1, 1, 1] }}
            b = {{ mass = 1, inertia = [1, 1, 1] }}
            c = {{ mass = 1, inertia = [1, 1, 1] }}
            [joints]
            ja = {{ type = "spherical", parent = "ground", child = "a" }}
            jb = {{ type = "free", parent = "ground", child = "b" }}
            jc = {{ type = "spherical", parent = "a", child = "c" }}
            [constraints.weld]
            type = "weld"
            from = {{ body = "ground", at = [0.1, 0.2, 0.3], rotation = {{ sequence = "xyz", angles = ["{angle} deg", "20 deg", "-30 deg"] }} }}
            to = "b"
            [constraints.hinge]
            type = "revolute"
            axis = "y"
            from = {{ body = "ground", rotation = {{ sequence = "zyx", angles = ["10 deg", 0, "{angle} deg"] }} }}
            to = "a"
            [constraints.straight]
            type = "weld"
            from = {{ body = "a", rotation = {{ sequence = "xyz", angles = [0, "{angle} deg", 0] }} }}
            to = "c"
            "#
        );
        let loaded = loaded(&text);
        let m = &loaded.mechanism;
        let manifold = Manifold::at_defaults(m);
        let q = &loaded.state.as_ref().unwrap().q;
        manifold.at(0.0, q, &vec![0.0; m.nv()], |env| {
            for (constraint, r, origin) in constraint_frames(m, env) {
                assert!(origin.0.iter().all(|x| x.abs() < 1e-10));
                let axes = if m.constraints[constraint].name == "hinge" { 1..2 } else { 0..3 };
                for i in axes {
                    assert!((r.0[i][i] - 1.0).abs() < 1e-10, "{angle} {constraint}: {r:?}");
                }
            }
        });
    }
}

#[test]
fn ways_are_counted_by_poses() {
    let loaded = loaded(WAYS);
    let manifold = Manifold::at_defaults(&loaded.mechanism);
    assert_eq!(modes(&manifold, 0.0, &[1.0, 0.0, 0.0, 0.0], &[false; 4]).unwrap().len(), 1);
    assert!(
        find_state(&manifold, 0.0, (&[1.0, 0.0, 0.0, 0.0], &[0.0; 3]), (&[false; 4], &[false; 3])).is_ok()
    );
}
