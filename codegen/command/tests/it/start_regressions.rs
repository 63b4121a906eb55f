//! Regressions: start states and divisors that once failed without a clear message, such as
//! attitudes far from assembled, exceeded stops, and contacts without inertia behind them.

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::simulate::{SimulationRequest, simulate};
use dqdt_codegen::{functions, read};
use dqdt_derivation::assemble::{Manifold, find_assembly_modes, find_state};
use dqdt_derivation::derive::derive;
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::constraint_relative_frames;
use dqdt_mechanics::mechanism::Formulation;

const FIXED: &str = include_str!("../../../../tests/data/cases/contact_fixed.toml");
const PENDULUM: &str = include_str!("../../../../tests/data/cases/contact_pend.toml");
const BELOW: &str = include_str!("../../../../tests/data/cases/start_below_stop.toml");
const WELDS: &str = include_str!("../../../../tests/data/cases/two_welds.toml");
const WAYS: &str = include_str!("../../../../tests/data/cases/ways.toml");

fn loaded(text: &str) -> dqdt_derivation::assemble::Assembled {
    pipeline::build(&read::parse("spec.toml", text).unwrap(), "spec.toml").unwrap()
}

#[test]
fn a_contact_without_freedom_is_singular_by_its_name() {
    for (text, name, off) in [(FIXED, "contact post_tip", 0.0), (PENDULUM, "contact b_p", 0.0)] {
        let loaded = loaded(text);
        let request = Request::new(Formalism::Kane, vec![functions::CONTACT_DYNAMICS]);
        let p = derive(&loaded, &Formulation::default(), &request);
        let mut machine = Machine::new(&p, functions::CONTACT_DYNAMICS).unwrap();
        let mut a = Arguments::defaults(&p);
        for angle in [0.0, 0.3, std::f64::consts::FRAC_PI_2] {
            a.q[0] = angle;
            a.contacts = vec![1.0];
            let said = machine.call(&a).unwrap_err();
            assert!(said.name().contains(name), "{said}");
            assert!(said.to_string().starts_with("singular"), "{said}");
            // A contact that is off is ignored.
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
        let manifold = Manifold::with_default_parameters(m);
        let state = loaded.state.clone().unwrap();
        let still = vec![0.0; m.nv()];
        manifold.with_environment(0.0, &state.q, &still, |env| {
            for (_, rotation, origin) in constraint_relative_frames(m, env) {
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
    // Two bodies on the ground and a third between them: a weld and an axis to close, with frames
    // rotated in several ways.
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
        let manifold = Manifold::with_default_parameters(m);
        let q = &loaded.state.as_ref().unwrap().q;
        manifold.with_environment(0.0, q, &vec![0.0; m.nv()], |env| {
            for (constraint, r, origin) in constraint_relative_frames(m, env) {
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
    let manifold = Manifold::with_default_parameters(&loaded.mechanism);
    assert_eq!(find_assembly_modes(&manifold, 0.0, &[1.0, 0.0, 0.0, 0.0], &[false; 4]).unwrap().len(), 1);
    assert!(
        find_state(&manifold, 0.0, (&[1.0, 0.0, 0.0, 0.0], &[0.0; 3]), (&[false; 4], &[false; 3])).is_ok()
    );
}

/// Rotation matrix by angles about x, then the rotated y, then the rotated z.
fn turned([a, b, c]: [f64; 3]) -> [[f64; 3]; 3] {
    let (x, y, z) = (a.sin_cos(), b.sin_cos(), c.sin_cos());
    let about_x = [[1.0, 0.0, 0.0], [0.0, x.1, -x.0], [0.0, x.0, x.1]];
    let about_y = [[y.1, 0.0, y.0], [0.0, 1.0, 0.0], [-y.0, 0.0, y.1]];
    let about_z = [[z.1, -z.0, 0.0], [z.0, z.1, 0.0], [0.0, 0.0, 1.0]];
    product(product(about_x, about_y), about_z)
}

fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn applied(a: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * x[k]).sum())
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

#[test]
fn random_loops_that_start_120_to_180_degrees_off_assemble() {
    // Two or three loops of two bodies each: an upper body on the ground or on the last body of the
    // previous loop, and a weld of the lower body to the ground at a reachable pose.
    let mut random = Random::new(38);
    for case in 0..12 {
        let loops = 2 + case % 2;
        let mut text = String::from("name = \"loops\"\n");
        let mut base = ("ground".to_owned(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);
        for i in 0..loops {
            let mut angles = || {
                [(120.0, 180.0), (-20.0, 20.0), (-20.0, 20.0)]
                    .map(|(a, b)| random.next_between(a, b).to_radians())
            };
            let (upper, lower): ([f64; 3], [f64; 3]) = (angles(), angles());
            let at = [0.1, 0.2 * f64::from(i), 0.3];
            let pivot = sum(base.2, applied(base.1, at));
            let end = sum(pivot, applied(turned(upper), [1.0, 0.0, 0.0]));
            let place = sum(end, applied(turned(lower), [0.5, 0.0, 0.0]));
            let [a, b, c] = lower;
            text += &format!(
                r#"
                [bodies.upper{i}]
                mass = 1
                inertia = [1, 1, 1]
                [bodies.lower{i}]
                mass = 1
                inertia = [1, 1, 1]
                [joints.shoulder{i}]
                type = "spherical"
                parent = {{ body = "{}", at = [{}, {}, {}] }}
                child = "upper{i}"
                [joints.elbow{i}]
                type = "spherical"
                parent = {{ body = "upper{i}", at = [1, 0, 0] }}
                child = {{ body = "lower{i}", at = [-0.5, 0, 0] }}
                [constraints.weld{i}]
                type = "weld"
                from = {{ body = "ground", at = [{}, {}, {}], rotation = {{ sequence = "xyz", angles = [{a}, {b}, {c}] }} }}
                to = "lower{i}"
                "#,
                base.0, at[0], at[1], at[2], place[0], place[1], place[2]
            );
            base = (format!("lower{i}"), turned(lower), place);
        }
        let spec = read::parse("spec.toml", text.as_str()).unwrap();
        let loaded =
            pipeline::build(&spec, "spec.toml").unwrap_or_else(|e| panic!("case {case}: {e}\n{text}"));
        let m = &loaded.mechanism;
        let q = &loaded.state.as_ref().unwrap().q;
        Manifold::with_default_parameters(m).with_environment(0.0, q, &vec![0.0; m.nv()], |env| {
            for (_, r, origin) in constraint_relative_frames(m, env) {
                assert!(origin.0.iter().all(|x| x.abs() < 1e-9), "case {case}: {origin:?}");
                assert!((0..3).all(|i| (r.0[i][i] - 1.0).abs() < 1e-9), "case {case}: {r:?}");
            }
        });
    }
}

#[test]
fn a_residual_at_rounding_is_no_failure() {
    // Lengths of 10⁸ m: rounding gives a residual of 10⁻⁸ m.
    let bar =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/four_bar.toml"));
    let lengths = [("a", 0.1, 0.1137e8), ("b", 0.5, 0.5079e8), ("c", 0.4, 0.4013e8), ("d", 0.4, 0.3971e8)];
    let far = lengths.into_iter().fold(bar.unwrap(), |text, (name, before, length)| {
        text.replace(&format!("{name} = {{ value = {before}"), &format!("{name} = {{ value = {length}"))
    });
    let largest = [37, 41, 53, 61].into_iter().map(|angle| {
        let held = format!(r#"start = ["{angle} deg"], hold = true"#);
        let text = far.replace(r#"start = ["90 deg"], hold = true"#, &held);
        assert_ne!(text, far);
        loaded(&text).state.unwrap().residuals[0]
    });
    let largest = largest.fold(0.0, f64::max);
    assert!(largest > 1e-11 && largest < 1e-6, "{largest:e}");
}

#[test]
fn a_row_that_no_speed_changes_and_no_acceleration_fulfils_is_an_error_with_its_name() {
    // At the start the slider is at rest in the constrained position.
    let text = PENDULUM.to_owned()
        + r#"
        [parameters]
        a = { value = 1, unit = "m/s^2" }
        [bodies.slider]
        mass = 1
        [joints.drive]
        type = "prismatic"
        axis = "x"
        parent = "ground"
        child = "slider"
        coordinates = { names = ["x"], prescribed = "a*t^2" }
        [constraints.rail]
        type = "spherical"
        from = "ground"
        to = "slider"
        "#;
    let spec = read::parse("spec.toml", text.as_str()).unwrap();
    let said = pipeline::build(&spec, "spec.toml").unwrap_err().to_string();
    assert!(
        said.contains("inconsistent-constraints") && said.contains("no acceleration satisfies row `rail_"),
        "{said}"
    );
    assert!(said.contains("no speed affects this row") && said.contains("residual is 2.000e0"), "{said}");
}
