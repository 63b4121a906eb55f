//! Wherever on their axes joints have their origins: every function gives the same, but for what is told about these origins.

use std::path::Path;

use dqdt_algebra::Vec3;
use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, Choice, Request};
use dqdt_derivation::derive::derive_to_count;
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::kinematics::poses;
use dqdt_mechanics::mechanism::{Mechanism, Origin, Poles};
use dqdt_samples::random::random_mechanism;

use crate::common::{at, relative, trees};

/// Wrenches and inertias about origins of joints. The registry has the same list.
const ABOUT_POLES: [&str; 6] =
    ["reactions", "kinetostatics", "impact", "regressor", "energy_regressor", "inertial_parameters"];

fn placed(m: &Mechanism, poles: &Poles) -> Mechanism {
    let joints = poles.placed(&m.joints);
    Mechanism { joints, poles: Poles { found: true, ..poles.clone() }, ..m.clone() }
}

/// All results of a function, one after another; `None` where the mechanism has no such function or the state is singular.
fn values(m: &Mechanism, origin: &Origin, f: &'static Definition, a: &Arguments) -> Option<Vec<f64>> {
    let program = derive_to_count(m, &Request::new(Formalism::Kane, vec![f]), origin);
    let found = program.function(f)?;
    let mut machine = Machine::new(&program, found.declaration)?;
    machine.call(a).ok().map(<[f64]>::to_vec)
}

/// The largest difference of each function.
fn differences(m: &Mechanism, other: &Mechanism, a: &Arguments) -> Vec<(&'static str, f64)> {
    let origin = Origin::default();
    let of = |f: &&'static Definition| {
        let (x, y) = (values(m, &origin, f, a), values(other, &origin, f, a));
        assert_eq!(x.is_some(), y.is_some(), "{}", f.name);
        // Where a contact has no mass to push there is no number, with any origins.
        let (mut x, mut y) = (x?, y?);
        for (x, y) in x.iter_mut().zip(&mut y).filter(|(x, y)| !x.is_finite() && !y.is_finite()) {
            (*x, *y) = (0.0, 0.0);
        }
        Some((f.name, relative(&x, &y)))
    };
    functions::ALL.iter().filter_map(of).collect()
}

#[test]
fn random_trees_do_the_same_with_other_origins() {
    let (mut moved, mut told) = (0, 0);
    for seed in 0..trees(60) {
        let mut s = random_mechanism(seed, 5);
        s.mechanism.poles.found = true;
        let m = &s.mechanism;
        let mut random = Random::new(seed);
        let all = Poles::all(&m.joints);
        moved += all.level.iter().filter(|l| **l).count();
        let some = Poles { level: all.level.iter().map(|_| random.below(2) == 0).collect(), found: false };
        let origin = Origin::default();
        let program = derive_to_count(m, &Request::new(Formalism::Kane, vec![functions::DQDT]), &origin);
        let mut a = Arguments::defaults(&program);
        (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        for given in [&mut a.a, &mut a.impulses, &mut a.efforts] {
            given.iter_mut().for_each(|x| *x = random.within(-1.0, 1.0));
        }
        for poles in [all, some] {
            let other = placed(m, &poles);
            let bodies = at(&s, |env| {
                let of = |m: &Mechanism| -> Vec<f64> {
                    poses(m, env).iter().flat_map(|p| p.point(Vec3::ZERO).0).collect()
                };
                relative(&of(&other), &of(m))
            });
            assert!(bodies < 1e-13, "seed {seed}: bodies stand elsewhere");
            for (name, error) in differences(m, &other, &a) {
                if ABOUT_POLES.contains(&name) {
                    told += usize::from(error > 1e-6);
                } else {
                    assert!(error < 1e-8, "seed {seed}, {name}: {error:e}");
                }
            }
        }
    }
    assert!(moved > 15 && told > 100, "{moved} joints moved, {told} functions tell of it");
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
        let poles = Poles::all(&m.joints);
        if m.nv() > 12 || !poles.level.contains(&true) {
            continue;
        }
        moved += 1;
        let own = Mechanism { poles: Poles { found: true, ..Poles::default() }, ..m.clone() };
        let program =
            derive_to_count(&own, &Request::new(Formalism::Kane, vec![functions::DQDT]), &loaded.origin);
        let mut a = Arguments::defaults(&program);
        a.a.iter_mut().chain(&mut a.efforts).enumerate().for_each(|(i, x)| *x = 0.3 * i as f64 - 0.4);
        for (f, error) in differences(&own, &placed(&own, &poles), &a) {
            assert!(error < 1e-10 || ABOUT_POLES.contains(&f), "{name}, {f}: {error:e}");
        }
    }
    assert!(moved > 4, "{moved}");
}

#[test]
fn an_arm_takes_fewer_operations_and_says_where_its_joints_are() {
    let panda = load("tests/data/robots/panda.toml");
    let own = {
        let mut own = panda.clone();
        own.mechanism.poles.found = true;
        own
    };
    for f in [functions::DQDT, functions::INVERSE_DYNAMICS, functions::MASS_MATRIX] {
        let of = |loaded: &Assembled| pipeline::derive(loaded, Choice::BySize, &[f]).unwrap().program;
        let total = |p: &dqdt_graph::ir::Program| -> u32 {
            p.functions.iter().map(|f| dqdt_graph::ir::count(p, f).call.total()).sum()
        };
        let (found, of_spec) = (of(&panda), of(&own));
        assert!(total(&found) * 100 < total(&of_spec) * 98, "{}", f.name);
        assert_eq!((found.layout.level.is_empty(), of_spec.layout.level.is_empty()), (false, true));
    }
}

#[test]
fn who_asks_for_reactions_gets_the_origins_of_the_spec() {
    let panda = load("tests/data/robots/panda.toml");
    for name in ABOUT_POLES {
        let Some(f) = functions::by_name(name) else { panic!("{name}") };
        for choice in [Choice::BySize, Choice::LeastCost] {
            let program = pipeline::derive(&panda, choice, &[functions::DQDT, f]).unwrap().program;
            assert!(program.layout.level.is_empty(), "{name}");
        }
    }
}
