//! Massless bodies held by constraints: M of the tree is singular, but the constrained
//! equations are regular.

use std::path::Path;
use std::process::Command;

use dqdt_algebra::{Vec3, Wrench};
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::program::{Arguments, Machine};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_codegen::simulate::{Method, SimulationRequest, Span, simulate};
use dqdt_codegen::{Formalism, read};
use dqdt_mechanics::formalism::{self, ConstraintsBy, Impact};
use dqdt_mechanics::mechanism::BodyId;
use dqdt_samples::random::Sample;

use crate::common::{at, at_start, flatten_wrenches, relative};
use crate::null_space::{
    FLAVOURS, assembled_sample, assert_below, expected, null_space_solution, samples_of,
};

const CASES: [&str; 3] = ["massless_coupler", "quarter_car", "wavy_street"];
/// Formalisms that support massless bodies held by constraints.
const FORMS: [Formalism; 4] =
    [Formalism::Extended, Formalism::LagrangeFirst, Formalism::Maggi, Formalism::MaggiCoordinates];

fn read_case(name: &str) -> String {
    let file = format!("../../tests/data/cases/{name}.toml");
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

fn build_case(text: &str) -> Assembled {
    pipeline::build(&read::parse("case.toml", text).unwrap(), "case.toml").unwrap_or_else(|e| panic!("{e}"))
}

/// The case with an input on a joint, and optionally a mass for its massless bodies.
fn case_with_input(name: &str, mass: Option<&str>) -> Assembled {
    let mut text = read_case(name);
    if let Some(mass) = mass {
        for body in ["coupler", "lower", "upper", "foot"] {
            let inertia = format!("[bodies.{body}]\nmass = {mass}\ninertia = [0, 0, {mass}]\n");
            text = text.replace(&format!("[bodies.{body}]\n"), &inertia);
        }
    }
    let joint = [("massless_coupler", "a"), ("quarter_car", "heave"), ("wavy_street", "roll")];
    let joint = joint.into_iter().find(|x| x.0 == name).unwrap().1;
    if name == "wavy_street" {
        let load = "type = \"force\"\nbody = \"disc\"\nvalue = [\"push\", 0, 0]\n";
        build_case(&format!("{text}\n[inputs]\npush = \"N\"\n[loads.push]\n{load}"))
    } else {
        let unit = if name == "quarter_car" { "N" } else { "N*m" };
        let load = format!("type = \"actuator\"\njoint = \"{joint}\"\neffort = \"push\"\n");
        build_case(&format!("{text}\n[inputs]\npush = \"{unit}\"\n[loads.push]\n{load}"))
    }
}

/// The start state, with speeds projected onto the motions that the constraints allow.
fn moving_sample(loaded: &Assembled) -> Sample {
    let mut s = at_start(loaded);
    let rates = at(&s, |env| dqdt_mechanics::kinematics::constraint_rows(&loaded.mechanism, env));
    let a = nalgebra::DMatrix::from_fn(rates.len(), s.v.len(), |i, j| rates[i].jacobian[j]);
    let wanted = nalgebra::DVector::from_fn(s.v.len(), |i, _| 0.7 - 0.4 * i as f64);
    let off = &a * &wanted;
    let v = &wanted - a.svd(true, true).solve(&off, 1e-12).unwrap();
    s.v = v.as_slice().to_vec();
    s
}

/// Result of a function at a sample, with fixed inputs, impulses and accelerations.
fn call(loaded: &Assembled, form: FormalismChoice, f: &'static Definition, s: &Sample) -> Vec<f64> {
    let program = pipeline::derive(loaded, form, &[f]).unwrap_or_else(|e| panic!("{e}")).program;
    let mut a = Arguments::defaults(&program);
    (a.q, a.v) = (s.q.clone(), s.v.clone());
    a.u.iter_mut().for_each(|u| *u = 3.0);
    a.impulses.iter_mut().for_each(|x| *x = 0.5);
    a.a.iter_mut().enumerate().for_each(|(i, x)| *x = 0.3 + 0.2 * i as f64);
    Machine::new(&program, f).unwrap().call(&a).unwrap_or_else(|e| panic!("{}: {e}", f.name)).to_vec()
}

#[test]
fn accelerations_are_those_of_a_dense_projection() {
    for name in CASES {
        let loaded = case_with_input(name, None);
        assert!(!loaded.warnings.to_string().contains("massless"), "{name}: {}", loaded.warnings);
        let mut s = moving_sample(&loaded);
        s.u.iter_mut().for_each(|u| *u = 3.0);
        let (right, _, condition) = null_space_solution(&s, Formalism::Kane);
        let nq = s.q.len();
        for form in FORMS {
            let actual = call(&loaded, FormalismChoice::Given(form), functions::DQDT, &s);
            let off = relative(&actual[nq..nq + s.v.len()], right.as_slice());
            assert!(off < 1e-12 * condition, "{name} by {}: {off:e}", form.name());
        }
    }
}

#[test]
fn every_choice_takes_a_form_that_does_not_divide_by_the_mass_matrix() {
    for name in CASES {
        let loaded = case_with_input(name, None);
        let all = functions::defaults();
        for choice in [
            FormalismChoice::BySize,
            FormalismChoice::Quick,
            FormalismChoice::LeastCost,
            FormalismChoice::FewestOperations,
            FormalismChoice::ForSingles,
        ] {
            let form = pipeline::choose(&loaded, choice, &all).unwrap();
            assert!(FORMS.contains(&form), "{name}: {choice:?} takes {}", form.name());
        }
        for form in Formalism::ALL {
            let taken = pipeline::choose(&loaded, FormalismChoice::Given(form), &all);
            assert_eq!(
                taken.is_ok(),
                form.facts().constraints != ConstraintsBy::Multipliers,
                "{}",
                form.name()
            );
            if let Err(e) = taken {
                let message = e.to_string();
                let reported =
                    message.contains(form.name()) && FORMS.iter().all(|f| message.contains(f.name()));
                assert!(reported && message.contains("error[massless]"), "{message}");
            }
            assert!(
                pipeline::choose(&loaded, FormalismChoice::Given(form), &[functions::MASS_MATRIX]).is_ok()
            );
        }
        for f in [functions::INVERSE_MASS_MATRIX, functions::SOLVE_MASS_MATRIX] {
            let message = pipeline::check_functions(&loaded, &[f]).unwrap_err().to_string();
            assert!(message.contains(f.name) && message.contains("error[massless]"), "{message}");
        }
    }
}

#[test]
fn every_function_is_the_limit_of_light_bodies() {
    let all = [
        functions::DQDT,
        functions::REACTIONS,
        functions::MULTIPLIERS,
        functions::IMPACT,
        functions::KINETOSTATICS,
        functions::LINEARIZE,
        functions::CLOSURE,
    ];
    for name in CASES {
        let (none, light) = (case_with_input(name, None), case_with_input(name, Some("1e-10")));
        let s = moving_sample(&none);
        for f in all {
            let actual = call(&none, FormalismChoice::BySize, f, &s);
            // Formalisms that divide by the light inertia lose digits.
            let limit = call(&light, FormalismChoice::Given(Formalism::MaggiCoordinates), f, &s);
            // Impacts use a recursive sweep that divides by the light inertia.
            let tolerance = if f == functions::IMPACT { 1e-5 } else { 1e-7 };
            let error = relative(&actual, &limit);
            assert!(error < tolerance, "{name}: {}: {error:e}\n{actual:?}\n{limit:?}", f.name);
        }
    }
}

/// The sample marked as having a singular M, so that impacts are computed by projection.
fn mark_singular(s: &Sample) -> Sample {
    let mut s = s.clone();
    s.partition.tree_is_singular = true;
    s
}

#[test]
fn impacts_by_projection_are_those_by_the_sweep() {
    for (seed, flavour, s) in FLAVOURS.into_iter().flat_map(|flavour| samples_of(flavour, 5).take(12)) {
        let place = (seed, flavour);
        let s = assembled_sample(&s, place);
        let m = &s.mechanism;
        let blow: Vec<(BodyId, Wrench<f64>)> = m
            .body_ids()
            .map(|body| {
                let i = body.index();
                let x = |k: usize| (1.3 * i as f64 + 0.7 * k as f64 + 0.2).sin();
                (body, Wrench { f: Vec3([x(0), x(1), x(2)]), m: Vec3([x(3), x(4), x(5)]) })
            })
            .collect();
        let compute_impact =
            |s: &Sample| -> Impact<f64> { at(s, |env| formalism::impact(&s.mechanism, env, &blow)) };
        let (by_sweep, projected) = (compute_impact(&s), compute_impact(&mark_singular(&s)));
        let e = expected(&s);
        let limit = 1e-12 * e.condition.max(10.0);
        assert_below(relative(&projected.jump, &by_sweep.jump), limit, "jumps", place);
        let forces = |x: &Impact<f64>| -> Vec<f64> {
            (0..m.nv())
                .map(|j| (0..x.multipliers.len()).map(|r| e.jacobian[(r, j)] * x.multipliers[r]).sum())
                .collect()
        };
        assert_below(
            relative(&forces(&projected), &forces(&by_sweep)),
            10.0 * limit,
            "impulses of constraints",
            place,
        );
        let determined = |x: &Impact<f64>| -> Vec<f64> {
            flatten_wrenches(&x.reactions)
                .iter()
                .zip(&e.determined)
                .filter(|(_, d)| **d)
                .map(|(x, _)| *x)
                .collect()
        };
        assert_below(
            relative(&determined(&projected), &determined(&by_sweep)),
            10.0 * limit,
            "reactions",
            place,
        );
    }
}

/// An event: the tip of the rocker hits a wall.
const STRIKING: &str = r#"
[events.stop]
type = "impact"
body = "rocker"
at = "tip"
plane = { body = "ground", at = [-0.5, 0, 0] }
normal = "x"
radius = 0.1
restitution = 0.5
"#;

/// The coupler with an event, and with a program constraint.
fn build_hit_and_servo(mass: Option<&str>) -> (Assembled, Assembled) {
    let mut text = read_case("massless_coupler");
    if let Some(mass) = mass {
        let inertia = format!("[bodies.coupler]\nmass = {mass}\ninertia = [0, 0, {mass}]\n");
        text = text.replace("[bodies.coupler]\n", &inertia);
    }
    let servo = "[inputs]\npush = \"N*m\"\n[loads.push]\ntype = \"actuator\"\njoint = \"a\"\neffort = \"push\"\n\
                     [constraints.servo]\ntype = \"position\"\nformula = \"b - 1.75 - 0.1*sin(t/1[s])\"\nrealised_by = [\"push\"]\n";
    (build_case(&format!("{text}{STRIKING}")), build_case(&format!("{text}\n{servo}")))
}

fn assert_limit_of_light_body(a: &Assembled, b: &Assembled, f: &'static Definition, limit: f64) {
    let s = moving_sample(a);
    let actual = call(a, FormalismChoice::BySize, f, &s);
    let of_light = call(b, FormalismChoice::Given(Formalism::MaggiCoordinates), f, &s);
    let error = relative(&actual, &of_light);
    assert!(error < limit, "{}: {error:e}\n{actual:?}\n{of_light:?}", f.name);
}

#[test]
fn events_and_programs_are_the_limit_of_light_bodies() {
    let ((hit, servo), (light_hit, light_servo)) =
        (build_hit_and_servo(None), build_hit_and_servo(Some("1e-10")));
    assert_limit_of_light_body(&hit, &light_hit, functions::AFTER_EVENTS, 1e-5);
    assert_limit_of_light_body(&servo, &light_servo, functions::PROGRAM_INPUTS, 1e-5);
}

#[test]
fn energy_stays_along_a_motion() {
    for (name, speed) in [("massless_coupler", Some("a_dot")), ("quarter_car", None), ("wavy_street", None)] {
        let mut loaded = build_case(&read_case(name));
        if let Some(speed) = speed {
            let with_speed = read_case(name).replace(
                "coordinates = { start = [\"60 deg\"], hold = true }",
                &format!("coordinates = {{ start = [\"60 deg\"], hold = true }}\nspeeds = {{ names = [\"{speed}\"], start = [2] }}"),
            );
            loaded = build_case(&with_speed);
        }
        let simulation = simulate(&loaded, &SimulationRequest::until(1.0)).unwrap();
        assert!(simulation.motion.stopped.is_none(), "{name}: {:?}", simulation.motion.stopped);
        let total: Vec<f64> = simulation.signals.energy.iter().map(|[t, v]| t + v).collect();
        let kinetic = simulation.signals.energy.iter().fold(0.0f64, |m, e| m.max(e[0]));
        let worst = total
            .iter()
            .zip(&simulation.motion.work)
            .map(|(e, w)| (e - w - total[0]).abs() / kinetic)
            .fold(0.0, f64::max);
        assert!(kinetic > 0.01 && worst < 1e-8, "{name}: {worst:e} of {kinetic}");
    }
}

/// A slider-crank in which only the slider has mass: at the dead points no mass moves.
const SLIDER_CRANK: &str = r#"
name = "slider_crank"
[bodies.crank]
points = { pin = [0.2, 0, 0] }
[bodies.rod]
points = { end = [0.5, 0, 0] }
[bodies.slider]
mass = 3
[joints.turn]
type = "revolute"
axis = "z"
parent = "ground"
child = "crank"
coordinates = { names = ["phi"], start = [1.0], hold = true }
[joints.pin]
type = "revolute"
axis = "z"
parent = { body = "crank", at = "pin" }
child = "rod"
coordinates = { names = ["psi"], start = [-1.3] }
[joints.slide]
type = "prismatic"
axis = "x"
parent = "ground"
child = "slider"
coordinates = { names = ["x"], start = [0.6] }
[constraints.closing]
type = "planar_revolute"
from = { body = "rod", at = "end" }
to = "slider"
"#;

#[test]
fn a_pose_in_which_nothing_heavy_moves_is_singular_by_name() {
    let loaded = build_case(SLIDER_CRANK);
    for form in FORMS {
        let program = pipeline::program(&loaded, &Request::new(form, vec![functions::DQDT]));
        let mut machine = Machine::new(&program, functions::DQDT).unwrap();
        let mut a = Arguments::defaults(&program);
        assert!(machine.call(&a).is_ok(), "{}", form.name());
        for (phi, psi, x) in [(0.0, 0.0, 0.7), (std::f64::consts::PI, 0.0, -0.7)] {
            a.q.copy_from_slice(&[phi, psi, x]);
            let error = machine.call(&a).expect_err(form.name()).to_string();
            assert!(error.contains("phi") || error.contains("psi") || error.contains("closing"), "{error}");
        }
    }
}

#[test]
fn what_no_constraint_holds_is_refused_as_before() {
    let free = read_case("massless_coupler").split("[constraints.closing]").next().unwrap().to_owned();
    let gear = "[constraints.gear]\ntype = \"gear\"\nfirst = \"a\"\nsecond = \"b\"\nratio = 1\n";
    for text in [free.clone(), format!("{free}{gear}")] {
        let loaded = build_case(&text);
        assert!(loaded.warnings.to_string().contains("warning[massless]"), "{}", loaded.warnings);
        assert!(pipeline::check_functions(&loaded, &[functions::DQDT]).is_err());
    }
}

/// A simulation that stops after too many steps recommends a formalism without the loss of digits.
#[test]
fn too_many_steps_name_a_form_that_keeps_its_digits() {
    let light = read_case("light_loaded").replace("armature = 1e-8", "armature = 1e-11");
    let loaded = build_case(&light);
    let span = Span { method: Method::Radau, ..Span::until(1.0) };
    let request = SimulationRequest {
        formalism: FormalismChoice::Given(Formalism::Kane),
        span,
        ..SimulationRequest::default()
    };
    let stopped = simulate(&loaded, &request).unwrap().motion.stopped.expect("digits are lost").to_string();
    assert!(stopped.contains("`--formalism maggi"), "{stopped}");
    let taken = simulate(&loaded, &SimulationRequest::until(1.0)).unwrap();
    assert!(taken.motion.stopped.is_none() && taken.motion.steps < 1000, "{}", taken.motion.steps);
}

#[test]
fn a_quarter_car_with_light_links_under_load_takes_few_steps() {
    let under_load = read_case("quarter_car")
        .replace("to = { body = \"lower\", at = \"seat\" }", "to = { body = \"upper\", at = \"end\" }")
        .replace("rest_length = 0.6", "rest_length = 0.35");
    for (mass, methods) in [("1e-6", &[Method::Dop853, Method::Radau][..]), ("1e-9", &[Method::Dop853])] {
        let light = format!("\nmass = {mass}\ninertia = [0, 0, {mass}]\n");
        let text = under_load.replace("[bodies.lower]\n", &format!("[bodies.lower]{light}"));
        let loaded = build_case(&text.replace("[bodies.upper]\n", &format!("[bodies.upper]{light}")));
        for method in methods {
            let span = Span { method: *method, ..Span::until(0.5) };
            let simulation =
                simulate(&loaded, &SimulationRequest { span, ..SimulationRequest::default() }).unwrap();
            assert!(simulation.motion.stopped.is_none(), "{mass}: {:?}", simulation.motion.stopped);
            assert!(
                simulation.motion.steps < 1500,
                "{mass}: {method:?} takes {} steps",
                simulation.motion.steps
            );
        }
    }
}

fn to_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_command_says_what_it_leaves_out() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases/quarter_car.toml");
    let run = |command: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_dqdt")).arg(command).arg(&spec).output().unwrap();
        assert!(run.status.success(), "{command}: {}", to_text(run.stderr));
        (to_text(run.stdout), to_text(run.stderr))
    };
    let (table, reported) = run("compare");
    assert!(
        reported.contains("omitted: kane") && !table.lines().any(|l| l.trim_start().starts_with("kane")),
        "{reported}"
    );
    run("inspect");
    run("linearize");
}
