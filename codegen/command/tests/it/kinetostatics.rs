//! Kinetostatics and impacts: given motions and impulses against a solve by singular values and
//! against forward dynamics.

use crate::linearize_constrained::arguments;
use std::path::Path;

use crate::common::{at, flatten_wrenches, forward, implicit, product, relative};
use crate::constrained::{BODIES, Flavour, matrix};
use crate::null_space::{assembled_sample, samples_of};
use dqdt_algebra::Number;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::read;
use dqdt_derivation::derive::derive;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{Formalism, driven_speeds, independent_speeds, kinetostatics};
use dqdt_mechanics::mechanism::load::kinds::GeneralisedForce;
use dqdt_mechanics::mechanism::{Formula, Load, SpeedId};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;
use nalgebra::DVector;

/// The same mechanism with given drive efforts as loads.
fn with_drives(s: &Sample, drives: &[f64]) -> Sample {
    let mut out = s.clone();
    for (speed, value) in SpeedId::enumerate(drives) {
        let value = Formula::Number(Number::float(*value));
        let kind = GeneralisedForce { speed, value }.into();
        out.mechanism.loads.push(Load { name: format!("drive_{}", speed.index()), kind });
    }
    out
}

/// Checks kinetostatics of constrained mechanisms with every, every second or every third
/// independent speed driven: all equations of motion hold. Returns the number of cases.
fn check_constrained(flavour: Flavour, count: usize) -> usize {
    let mut checked = 0;
    for (seed, flavour, s) in samples_of(flavour, BODIES).take(count) {
        let mut s = assembled_sample(&s, (seed, flavour));
        let Some(independent) = independent_speeds(&s.mechanism, &s.partition) else { continue };
        for every in [1, 2, 3] {
            let driven: Vec<SpeedId> = independent.iter().copied().step_by(every).collect();
            if driven.is_empty() {
                continue;
            }
            s.mechanism.driven = driven.clone();
            let (m, place) = (&s.mechanism, format!("{flavour:?} {seed}, every {every}"));
            assert_eq!(driven_speeds(m, &s.partition).as_ref(), Ok(&driven));
            let mut a = vec![0.0; m.nv()];
            driven.iter().for_each(|i| a[*i] = (1.3 * i.index() as f64 + 0.2).sin());
            let prescribed: Vec<Option<f64>> =
                m.speed_ids().map(|i| driven.contains(&i).then_some(a[i])).collect();
            let solution = at(&s, |env| kinetostatics(m, env, &prescribed)).expect("independent ones");
            let e = implicit(Formalism::Kane, &s);
            let (jacobian, _) = matrix(&s);
            let forces = jacobian.transpose() * DVector::from_column_slice(&solution.multipliers);
            let moved = product(&e.mass, &solution.accelerations);
            let scale: f64 = moved.iter().chain(forces.iter()).fold(1.0, |x, y| x.max(y.abs()));
            for i in 0..m.nv() {
                let left = moved[i] + e.c[i] - e.force[i] - forces[i] - solution.drives[i];
                assert!(left.abs() < 1e-10 * scale, "{place}: equation {i}: {left:e} of {scale:e}");
                let drive = driven.contains(&SpeedId(i));
                assert!(drive || solution.drives[i] == 0.0, "{place}: a drive of the free speed {i}");
                assert!(!drive || solution.accelerations[i] == a[i], "{place}: acceleration {i}");
            }
            let rows = at(&s, |env| dqdt_mechanics::kinematics::constraint_rows(m, env));
            let of_rows = &jacobian * DVector::from_column_slice(&solution.accelerations);
            let size = solution.accelerations.iter().fold(1.0f64, |x, y| x.max(y.abs()));
            for (row, value) in rows.iter().zip(of_rows.iter()) {
                assert!((row.gamma - value).abs() < 1e-10 * size, "{place}: {}", row.name);
            }
            // The emitted function agrees; with the drives as loads, forward dynamics gives the
            // same motion and reactions.
            let request = Request::new(Formalism::Kane, vec![functions::KINETOSTATICS]);
            let p = simplify(&derive(
                &Assembled::without_spec(m.clone(), s.partition.clone()),
                &s.formulation,
                &request,
            ));
            assert!(driven.iter().map(|s| s.index()).eq(p.layout.driven_speeds.iter().copied()));
            let mut arguments = arguments(&s, &p);
            // Accelerations of other speeds must not be read.
            arguments.a = prescribed.iter().map(|g| g.unwrap_or(f64::NAN)).collect();
            let values =
                Machine::new(&p, functions::KINETOSTATICS).unwrap().call(&arguments).unwrap().to_vec();
            let n = driven.len();
            let drives: Vec<f64> = driven.iter().map(|i| solution.drives[*i]).collect();
            assert!(relative(&values[..n], &drives) < 1e-10, "{place}: drives");
            assert!(
                relative(&values[n..n + m.nv()], &solution.accelerations) < 1e-10,
                "{place}: accelerations"
            );
            let loaded = with_drives(&s, &solution.drives);
            let moving = crate::null_space::expected(&loaded);
            let error = relative(&moving.accelerations, &solution.accelerations);
            assert!(error < 1e-12 * moving.condition, "{place}: forward {error:e}");
            let reactions = flatten_wrenches(&solution.reactions);
            let [a, b] = [&reactions, &moving.reactions].map(|r| moving.determined_of(r));
            let error = relative(&a, &b);
            assert!(error < 1e-11 * moving.condition, "{place}: reactions {error:e}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn given_motions_of_loops_fulfil_all_equations() {
    assert!(check_constrained(Flavour::Loops, cases_by_tier(6, 20)) > cases_by_tier(12, 40));
}

#[test]
fn given_motions_under_other_constraints_fulfil_all_equations() {
    let each = cases_by_tier(4, 12);
    let n = check_constrained(Flavour::Nonholonomic, each) + check_constrained(Flavour::Both, each);
    assert!(n + check_constrained(Flavour::Redundant, each) > cases_by_tier(12, 40));
}

/// Checks a tree with every second speed driven: with the drives as loads, forward dynamics gives
/// the same motion and reactions.
fn tree(mut s: Sample, what: &str) {
    let nv = s.mechanism.nv();
    s.mechanism.driven = s.mechanism.speed_ids().step_by(2).collect();
    let request = Request::new(Formalism::Kane, vec![functions::KINETOSTATICS]);
    let p = simplify(&derive(
        &Assembled::without_spec(s.mechanism.clone(), s.partition.clone()),
        &s.formulation,
        &request,
    ));
    let mut a = arguments(&s, &p);
    a.a = (0..nv).map(|i| if i % 2 == 0 { (1.3 * i as f64 + 0.2).sin() } else { f64::NAN }).collect();
    let values = Machine::new(&p, functions::KINETOSTATICS).unwrap().call(&a).unwrap().to_vec();
    let n = s.mechanism.driven.len();
    let mut drives = vec![0.0; nv];
    s.mechanism.driven.iter().zip(&values).for_each(|(i, x)| drives[*i] = *x);
    let moving = forward(Formalism::ArticulatedBody, &with_drives(&s, &drives));
    let condition = crate::common::solve(&implicit(Formalism::Kane, &s)).1.max(1.0);
    let error = relative(&values[n..n + nv], &moving.accelerations);
    assert!(error < 1e-11 * condition, "{what}: accelerations {error:e}");
    let error = relative(&values[n + nv..], &flatten_wrenches(&moving.reactions));
    assert!(error < 1e-11 * condition, "{what}: reactions {error:e}");
}

#[test]
fn drives_of_trees_as_loads_give_the_motion_and_the_reactions() {
    for seed in 0..100 {
        tree(random_mechanism(seed, 7), &format!("seed {seed}"));
    }
}

#[test]
fn drives_of_examples_and_robots_as_loads_give_the_motion_and_the_reactions() {
    let mut checked = 0;
    for path in specs(&["examples/specs", "tests/data/robots", "tests/data/measures"]) {
        let loaded = pipeline::load(&path).unwrap();
        let m = &loaded.mechanism;
        if m.nv() == 0 || !m.constraints.is_empty() {
            continue;
        }
        let all = crate::every_function::samples(&loaded);
        let (pose, s) = all.into_iter().nth(2).expect("it moves");
        tree(s, &format!("{}, {pose}", m.name));
        checked += 1;
    }
    assert!(checked > 25, "{checked}");
}

fn specs(folders: &[&str]) -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = folders.iter().flat_map(|f| std::fs::read_dir(root.join(f)).unwrap());
    let mut paths: Vec<_> = files.map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    paths
}

/// Impacts are linear in the inputs: speed jumps, constraint impulses and reaction impulses equal
/// the change that the same inputs make to accelerations, multipliers and reactions. All other
/// terms cancel in the difference.
#[test]
fn a_blow_adds_to_the_speeds_what_the_same_inputs_add_to_the_accelerations() {
    const FUNCTIONS: [&Definition; 4] =
        [functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS, functions::IMPACT];
    let (mut checked, mut held) = (0, 0);
    for path in specs(&["examples/specs", "tests/data/robots", "tests/data/robots/loops"]) {
        let loaded = pipeline::load(&path).unwrap();
        let m = &loaded.mechanism;
        // Inputs that realise a program constraint are not user inputs.
        if m.inputs.is_empty()
            || !m.inputs_realising_constraints().is_empty()
            || m.nv() > cases_by_tier(6, usize::MAX)
        {
            continue;
        }
        // A finite difference with a small step, where loads are not linear in the inputs. Robots
        // have torques only.
        let h = if path.components().any(|c| c.as_os_str() == "robots") { 1.0 } else { 1e-4 };
        for formalism in [Formalism::Kane, Formalism::ArticulatedBody] {
            let p = pipeline::program(&loaded, &Request::new(formalism, FUNCTIONS.to_vec()));
            let mut a = Arguments::defaults(&p);
            for step in 0..3 {
                let blow: Vec<f64> =
                    (0..m.inputs.len()).map(|i| (0.7 * i as f64 + step as f64 + 0.4).cos()).collect();
                let all = |a: &Arguments| -> Vec<Vec<f64>> {
                    FUNCTIONS[..3]
                        .iter()
                        .map(|f: &&Definition| {
                            Machine::new(&p, f).map(|mut x| x.call(a).unwrap().to_vec()).unwrap_or_default()
                        })
                        .collect()
                };
                let mut ahead = a.clone();
                let mut back = a.clone();
                for (i, x) in blow.iter().enumerate() {
                    (ahead.u[i], back.u[i]) = (h * x, -h * x);
                }
                let (ahead, back) = (all(&ahead), all(&back));
                let rate = |k: usize| -> Vec<f64> {
                    ahead[k].iter().zip(&back[k]).map(|(x, y)| (x - y) / (2.0 * h)).collect()
                };
                let jump = rate(0)[m.nq()..m.nq() + m.nv()].to_vec();
                let expected = [jump, rate(1), rate(2)].concat();
                a.impulses.copy_from_slice(&blow);
                let impact = Machine::new(&p, functions::IMPACT).unwrap().call(&a).unwrap().to_vec();
                let size = ahead.iter().flatten().fold(1.0f64, |x, y| x.max(y.abs()));
                let error = relative(&impact, &expected);
                assert!(error < 1e-10 * size.max(1.0), "{}, {}: {error:e}", m.name, formalism.name());
                held += usize::from(!expected[m.nv()..].is_empty() && !m.constraints.is_empty());
                checked += 1;
                a.v.iter_mut().enumerate().for_each(|(i, v)| *v += 0.1 * (i as f64 + 0.5).sin());
            }
        }
    }
    assert!(checked > cases_by_tier(30, 60) && held > cases_by_tier(5, 20), "{checked}, {held}");
}

const CART: &str = r#"
    name = "cart"
    gravity = [0, 0, -9.81]
    driven = ["x_dot"]
    [bodies.cart]
    mass = 2
    [bodies.pole]
    mass = 0.5
    center_of_mass = [0, 0, -0.6]
    [joints.rail]
    type = "prismatic"
    axis = "x"
    parent = "ground"
    child = "cart"
    coordinates = { names = ["x"] }
    [joints.hinge]
    type = "revolute"
    axis = "y"
    parent = "cart"
    child = "pole"
    coordinates = { names = ["phi"] }
"#;

/// A cart with a given acceleration swings its pole; φ̈ and the force are computed by hand.
#[test]
fn a_given_cart_swings_its_free_pole() {
    let spec = read::parse("cart.toml", CART).unwrap_or_else(|e| panic!("{e}"));
    let loaded = pipeline::build(&spec, "cart.toml").unwrap_or_else(|e| panic!("{e}"));
    let p = pipeline::program(&loaded, &Request::new(Formalism::Kane, vec![functions::KINETOSTATICS]));
    let mut a = Arguments::defaults(&p);
    let (phi, rate, cart_acceleration, l, pole, cart, g) = (0.4f64, 1.5, 2.0, 0.6, 0.5, 2.0, 9.81);
    (a.q[1], a.v[1], a.a[0]) = (phi, rate, cart_acceleration);
    let f = p.function(functions::KINETOSTATICS).unwrap();
    let values = Machine::from_function(&p, f).call(&a).unwrap().to_vec();
    // The point mass at (x − l sin φ, −l cos φ).
    let swing = (cart_acceleration * phi.cos() - g * phi.sin()) / l;
    let force = (cart + pole) * cart_acceleration - pole * l * (swing * phi.cos() - rate * rate * phi.sin());
    assert!(
        relative(&values[..3], &[force, cart_acceleration, swing]) < 1e-14,
        "{values:?} against {force}, {swing}"
    );
    let names: Vec<String> =
        f.outputs.iter().flat_map(|o| f.declaration.entry_names(o, &p.layout)).take(4).collect();
    assert_eq!(names, ["drive_x_dot", "found_x_dot_dot", "found_phi_dot_dot", "reaction_rail_fx"]);
}

fn build_error(list: &str) -> String {
    let text = CART.replace("[\"x_dot\"]", list);
    let spec = read::parse("cart.toml", text.as_str()).unwrap();
    pipeline::build(&spec, "cart.toml").unwrap_err().to_string()
}

#[test]
fn what_cannot_be_driven_is_refused_with_what_can() {
    let four_bar = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/four_bar.toml");
    let mut loaded = pipeline::load(&four_bar).unwrap();
    assert_eq!(driven_speeds(&loaded.mechanism, &loaded.partition), Ok(vec![SpeedId(0)]));
    loaded.mechanism.driven = vec![SpeedId(0), SpeedId(1)];
    let message = pipeline::check_functions(&loaded, &[functions::KINETOSTATICS]).unwrap_err().to_string();
    assert!(
        message.contains("cannot be driven") && message.contains("The independent speeds are phi_dot"),
        "{message}"
    );
    assert!(pipeline::check_functions(&loaded, &functions::defaults()).is_ok());
    let message = build_error("[\"x\"]");
    assert!(message.contains("`x` in `driven` is a coordinate, not a speed"), "{message}");
    let message = build_error("[\"x_dot\", \"phi_dot\", \"x_dot\"]");
    assert!(
        message.contains("`driven` lists `x_dot` twice") && message.contains("cart.toml:4:"),
        "{message}"
    );
}

fn assemble_text(text: &str) -> Assembled {
    let spec = read::parse("four_bar.toml", text).unwrap();
    pipeline::build(&spec, "four_bar.toml").unwrap()
}

/// Speeds that the spec drives stay independent; others become the dependent speeds.
#[test]
fn the_speeds_that_the_spec_drives_stay_independent() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/four_bar.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let speeds: Vec<String> = assemble_text(&text).mechanism.speeds.iter().map(|s| s.name.clone()).collect();
    let last = speeds.last().unwrap();
    let at_end = text.find("\n[").unwrap();
    let driven = format!("{}\ndriven = [\"{last}\"]\n{}", &text[..at_end], &text[at_end..]);
    let loaded = assemble_text(&driven);
    assert_eq!(driven_speeds(&loaded.mechanism, &loaded.partition), Ok(vec![SpeedId(speeds.len() - 1)]));
}

/// Accelerations and impulses in an `eval --at` file that no function uses are reported.
#[test]
fn accelerations_and_impulses_that_nothing_takes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, at) = (folder.path().join("cart.toml"), folder.path().join("at.json"));
    std::fs::write(&spec, CART).unwrap();
    std::fs::write(&at, r#"{"dv": {"x_dot": 1, "phi_dot": 2}, "impulse": {}}"#).unwrap();
    let said = |functions: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"));
        let output = command.arg("eval").arg(&spec).args(functions).arg("--at").arg(&at).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = said(&["--functions", "kinetostatics"]);
    assert!(
        text.contains("`dv.phi_dot` is not used; the driven speeds are x_dot") && !text.contains("dv.x_dot"),
        "{text}"
    );
    assert!(said(&[]).contains("`dv.x_dot` is not used"));
    assert_eq!(said(&["--functions", "inverse_dynamics"]), "");
}
