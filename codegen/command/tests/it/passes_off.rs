//! Values do not depend on passes, base parameters and elimination groups: with each of them off,
//! they equal those of the recorded equations.

use std::path::{Path, PathBuf};

use crate::common::trees;
use dqdt_codegen::pipeline::{self, Assembled, InertialParameters, Request};
use dqdt_codegen::{Formalism, functions};
use dqdt_derivation::derive::derive_to_count;
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Machine, Program, drop_unneeded_nodes};
use dqdt_graph::simplify::{PASSES, simplify};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{EliminationGroups, Formulation, Mechanism, may_join_parent_group};
use dqdt_samples::random::random_mechanism;
use dqdt_samples::tier::cases_by_tier;

/// Largest number of speeds of the tested examples.
const SMALL: usize = 6;

fn load_named(p: PathBuf) -> (String, Assembled) {
    let name = p.file_stem().unwrap().to_string_lossy().into_owned();
    (name, pipeline::load(&p).unwrap_or_else(|e| panic!("{e}")))
}

fn examples() -> Vec<(String, Assembled)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.into_iter().map(load_named).filter(|(_, l)| l.mechanism.nv() <= SMALL).collect()
}

/// `dqdt` at random states around the start; `None` where it is singular.
fn values(program: &Program, m: &Mechanism, states: usize) -> Vec<Option<Vec<f64>>> {
    let mut machine = Machine::new(program, functions::DQDT).unwrap();
    let mut random = Random::new(11);
    (0..states)
        .map(|_| {
            let mut a = Arguments::defaults(program);
            for x in a.q.iter_mut().chain(&mut a.v) {
                *x += random.next_between(-0.3, 0.3);
            }
            for first in kinematics::quaternion_starts(m) {
                let length = a.q[first.quaternion_range()].iter().map(|x| x * x).sum::<f64>().sqrt();
                a.q[first.quaternion_range()].iter_mut().for_each(|x| *x /= length);
            }
            machine.call(&a).ok().map(<[f64]>::to_vec)
        })
        .collect()
}

fn difference_of_state((a, b): &(&Vec<f64>, &Vec<f64>)) -> f64 {
    let size = a.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
    a.iter().zip(*b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / size
}

/// The largest difference, relative to the largest value of a state. States that are singular in
/// one of the lists are skipped.
fn difference(a: &[Option<Vec<f64>>], b: &[Option<Vec<f64>>]) -> f64 {
    let pairs: Vec<_> = a.iter().zip(b).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?))).collect();
    assert!(2 * pairs.len() > a.len(), "nearly all states are singular");
    pairs.iter().map(difference_of_state).fold(0.0, f64::max)
}

#[test]
fn no_pass_changes_a_value_with_the_others_on_or_off() {
    let mut compared = 0;
    for (name, loaded) in examples() {
        let m = &loaded.mechanism;
        for form in [Formalism::Kane, Formalism::Mixed] {
            let request = Request::new(form, vec![functions::DQDT]);
            let recorded = derive_to_count(&loaded, &Formulation::default(), &request);
            let expected = values(&recorded, m, 8);
            // All passes on, then each off in turn.
            for off in 0..=PASSES.len() {
                let kept = PASSES.iter().enumerate().filter(|(i, _)| *i != off);
                let program = kept.fold(drop_unneeded_nodes(&recorded), |p, (_, (_, pass))| pass(&p));
                let error = difference(&expected, &values(&program, m, 8));
                let without = PASSES.get(off).map_or("nothing", |p| p.0);
                assert!(error < 1e-9, "{name} by {}, without {without}: {error:e}", form.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 300);
}

#[test]
fn base_parameters_and_groups_may_be_off() {
    for (name, loaded) in examples() {
        let m = &loaded.mechanism;
        let expected = {
            let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
            values(&derive_to_count(&loaded, &Formulation::default(), &request), m, 8)
        };
        let n = m.joints.len();
        let all: Vec<bool> = m.joint_ids().map(|i| may_join_parent_group(&m.joints, i)).collect();
        for joined in [vec![false; n], all] {
            for carried in [vec![false; n], vec![true; n]] {
                for inertia in [InertialParameters::Base, InertialParameters::OfBodies] {
                    let groups = EliminationGroups { joined: joined.clone(), carried: carried.clone() };
                    let formulation =
                        Formulation { elimination_groups: Some(groups), ..Formulation::default() };
                    let request =
                        Request { inertia, ..Request::new(Formalism::Mixed, vec![functions::DQDT]) };
                    let program = simplify(&derive_to_count(&loaded, &formulation, &request));
                    let error = difference(&expected, &values(&program, m, 8));
                    assert!(error < 1e-9, "{name}, {joined:?}, {carried:?}, {inertia:?}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn any_groups_of_random_trees_give_the_same_accelerations() {
    let mut several = 0;
    for seed in 0..trees(60) {
        let s = random_mechanism(seed, 7);
        let loaded = Assembled::without_spec(s.mechanism.clone(), s.partition.clone());
        let mut random = Random::new(seed);
        let n = s.mechanism.joints.len();
        let accelerations_by = |groups: EliminationGroups| {
            let formulation = Formulation { elimination_groups: Some(groups), ..s.formulation.clone() };
            let request = Request::new(Formalism::Mixed, vec![functions::DQDT]);
            values(&derive_to_count(&loaded, &formulation, &request), &s.mechanism, 4)
        };
        let alone = EliminationGroups::default();
        let expected = accelerations_by(alone.clone());
        if expected.iter().flatten().count() < 3 {
            continue;
        }
        for _ in 0..3 {
            let joined = (0..n).map(|_| random.next_below(5) < 3).collect();
            let carried = (0..n).map(|_| random.next_below(2) == 0).collect();
            let groups = EliminationGroups { joined, carried };
            several += usize::from(groups != alone);
            let error = difference(&expected, &accelerations_by(groups.clone()));
            assert!(error < 1e-7, "seed {seed}: {groups:?}: {error:e}");
        }
    }
    assert!(several > cases_by_tier(15, 100));
}
