//! The position of joint origins along the joint axes changes no result, except those that refer to
//! these origins.

use std::path::Path;

use crate::common::{at, relative, trees};
use dqdt_algebra::Vec3;
use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_derivation::derive::derive_to_count;
use dqdt_diagnostics::base::Random;
use dqdt_generate::optimise::{self, Optimised};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::kinematics::body_poses;
use dqdt_mechanics::mechanism::{Formulation, JointOrigins, Mechanism};
use dqdt_samples::random::random_mechanism;
use dqdt_samples::tier::cases_by_tier;

/// Functions whose results refer to joint origins. The registry has the same list.
const ABOUT_ORIGINS: [&str; 6] =
    ["reactions", "kinetostatics", "impact", "regressor", "energy_regressor", "inertial_parameters"];

fn with_origins(origins: &JointOrigins, formulation: &Formulation) -> Formulation {
    Formulation { joint_origins: Some(origins.clone()), ..formulation.clone() }
}

/// All results of a function in one list; `None` if the mechanism lacks the function or
/// the state is singular.
fn values(
    loaded: &Assembled,
    formulation: &Formulation,
    f: &'static Definition,
    a: &Arguments,
) -> Option<Vec<f64>> {
    let program = derive_to_count(loaded, formulation, &Request::new(Formalism::Kane, vec![f]));
    let function = program.function(f)?;
    let mut machine = Machine::new(&program, function.declaration)?;
    machine.call(a).ok().map(<[f64]>::to_vec)
}

/// The largest difference of each function between two formulations.
fn differences(
    loaded: &Assembled,
    [first, second]: [&Formulation; 2],
    a: &Arguments,
) -> Vec<(&'static str, f64)> {
    functions::ALL
        .iter()
        .filter_map(|f: &&'static Definition| {
            let (x, y) = (values(loaded, first, f, a), values(loaded, second, f, a));
            assert_eq!(x.is_some(), y.is_some(), "{}", f.name);
            // A contact without inertia behind it gives no finite number with any origins.
            let (mut x, mut y) = (x?, y?);
            for (x, y) in x.iter_mut().zip(&mut y).filter(|(x, y)| !x.is_finite() && !y.is_finite()) {
                (*x, *y) = (0.0, 0.0);
            }
            Some((f.name, relative(&x, &y)))
        })
        .collect()
}

#[test]
fn random_trees_do_the_same_with_other_origins() {
    let (mut moved, mut detected) = (0, 0);
    for seed in 0..cases_by_tier(12, trees(60)) {
        let s = random_mechanism(seed, cases_by_tier(3, 5));
        let m = &s.mechanism;
        let loaded = Assembled::without_spec(m.clone(), s.partition.clone());
        let mut random = Random::new(seed);
        let all = JointOrigins::all_level(&m.joints);
        moved += all.level.iter().filter(|l| **l).count();
        let some = JointOrigins { level: all.level.iter().map(|_| random.next_below(2) == 0).collect() };
        let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
        let program = derive_to_count(&loaded, &s.formulation, &request);
        let mut a = Arguments::defaults(&program);
        (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        for list in [&mut a.a, &mut a.impulses, &mut a.efforts] {
            list.iter_mut().for_each(|x| *x = random.next_between(-1.0, 1.0));
        }
        for origins in [all, some] {
            let formulation = with_origins(&origins, &s.formulation);
            let other = formulation.move_joint_origins(m);
            let bodies = at(&s, |env| {
                let positions = |m: &Mechanism| -> Vec<f64> {
                    body_poses(m, env).iter().flat_map(|p| p.point_in_ground_axes(Vec3::ZERO).0).collect()
                };
                relative(&positions(&other), &positions(m))
            });
            assert!(bodies < 1e-13, "seed {seed}: bodies stand elsewhere");
            for (name, error) in differences(&loaded, [&s.formulation, &formulation], &a) {
                if ABOUT_ORIGINS.contains(&name) {
                    detected += usize::from(error > 1e-6);
                } else {
                    assert!(error < 1e-8, "seed {seed}, {name}: {error:e}");
                }
            }
        }
    }
    assert!(
        moved > cases_by_tier(0, 15) && detected > cases_by_tier(2, 100),
        "{moved} joints moved, {detected} functions tell of it"
    );
}

fn load(path: &str) -> Assembled {
    pipeline::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path))
        .unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn examples_and_arms_do_the_same_with_other_origins() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| format!("examples/specs/{}", e.unwrap().file_name().to_string_lossy()))
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    names.extend(["ur5", "panda"].map(|m| format!("tests/data/robots/{m}.toml")));
    let mut moved = 0;
    for name in names {
        let loaded = load(&name);
        let m = &loaded.mechanism;
        let origins = JointOrigins::all_level(&m.joints);
        if m.nv() > 12 || !origins.level.contains(&true) {
            continue;
        }
        moved += 1;
        let in_spec = Formulation::default();
        let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
        let program = derive_to_count(&loaded, &in_spec, &request);
        let mut a = Arguments::defaults(&program);
        a.a.iter_mut().chain(&mut a.efforts).enumerate().for_each(|(i, x)| *x = 0.3 * i as f64 - 0.4);
        for (f, error) in differences(&loaded, [&in_spec, &with_origins(&origins, &in_spec)], &a) {
            assert!(error < 1e-10 || ABOUT_ORIGINS.contains(&f), "{name}, {f}: {error:e}");
        }
    }
    assert!(moved > 4, "{moved}");
}

fn count_all(p: &dqdt_graph::ir::Program) -> u32 {
    p.functions.iter().map(|f| dqdt_graph::ir::count(p, f).call.total()).sum()
}

#[test]
fn an_arm_takes_fewer_operations_and_says_where_its_joints_are() {
    let panda = load("tests/data/robots/panda.toml");
    for f in [functions::DQDT, functions::INVERSE_DYNAMICS, functions::MASS_MATRIX] {
        let Optimised { formalism, .. } = optimise::choose_optimised(&panda, FormalismChoice::BySize, &[f]);
        let derive_with = |requested: &Formulation| {
            let request = Request::new(formalism, vec![f]);
            let formulation = optimise::complete_formulation(&panda, requested, &request, pipeline::WAITING);
            pipeline::program_with(&panda, &formulation, &request)
        };
        let spec_origins = with_origins(&JointOrigins::default(), &Formulation::default());
        let (by_default, of_spec) = (derive_with(&Formulation::default()), derive_with(&spec_origins));
        assert!(count_all(&by_default) * 100 < count_all(&of_spec) * 98, "{}", f.name);
        assert_eq!((by_default.layout.level.is_empty(), of_spec.layout.level.is_empty()), (false, true));
    }
}

#[test]
fn who_asks_for_reactions_gets_the_origins_of_the_spec() {
    let panda = load("tests/data/robots/panda.toml");
    for name in ABOUT_ORIGINS {
        let Some(f) = functions::by_name(name) else { panic!("{name}") };
        let choices = [FormalismChoice::BySize, FormalismChoice::LeastCost];
        for choice in choices.into_iter().take(cases_by_tier(1, 2)) {
            let program = pipeline::derive(&panda, choice, &[functions::DQDT, f]).unwrap().program;
            assert!(program.layout.level.is_empty(), "{name}");
        }
    }
}
