//! A biped with closed-loop legs (a URDF with loop constraints from a spec) agrees with Pinocchio's
//! constrained dynamics.
//!
//! `tests/urdf/closed_loops.py` writes the reference values. Independent coordinates of a state are
//! random; the others are those of Pinocchio's closed loops.

use std::path::Path;

use dqdt_codegen::Formalism;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_mechanics::kinematics::constraint_rows;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::random::Sample;
use serde_json::Value;

use crate::common::{forward, implicit};
use crate::urdf::{ReferenceRandom, dot};

fn places(m: &Mechanism, joint: &str) -> (Vec<usize>, Vec<usize>) {
    let name = joint.replace('-', "_");
    let joint = m.joints.iter().find(|j| j.name == name).unwrap_or_else(|| panic!("joint {name}"));
    let coordinates =
        joint.coordinates.iter().map(|s| s.free_index().expect("nothing is prescribed").index());
    let speeds = joint.speeds.iter().map(|s| s.free_index().expect("nothing is prescribed").index());
    (coordinates.collect(), speeds.collect())
}

/// The random part of a state, and weights of the speeds.
struct Drawn {
    sample: Sample,
    weights: Vec<f64>,
}

/// Draws a state in the order of `closed_loops.py`.
fn draw(loaded: &Assembled, reference: &Value, random: &mut ReferenceRandom) -> Drawn {
    let m = &loaded.mechanism;
    let names = |key: &str| -> Vec<&str> {
        reference[key].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
    };
    let (joints, independent) = (names("joints"), names("held"));
    let (mut q, mut v, mut weights) = (vec![0.0; m.nq()], vec![0.0; m.nv()], vec![0.0; m.nv()]);
    let (base, base_speeds) = places(m, "base");
    let e = [1.0, random.next(), random.next(), random.next()];
    let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
    for at in &base[..3] {
        q[*at] = random.next();
    }
    base[3..].iter().zip(e).for_each(|(at, x)| q[*at] = x / norm);
    base_speeds.iter().for_each(|at| v[*at] = 2.0 * random.next());
    for name in &independent {
        let (at, speed) = places(m, name);
        let reach =
            if name.ends_with("knee-shin-joint") || name.ends_with("spring-joint") { 0.02 } else { 0.2 };
        q[at[0]] = reach * random.next();
        v[speed[0]] = 2.0 * random.next();
    }
    // The tarsus cranks are near −1.5 rad, as in the standing robot.
    for side in ["left", "right"] {
        q[places(m, &format!("{side}-tarsus-crank-joint")).0[0]] -= 1.5;
    }
    base_speeds.iter().for_each(|at| weights[*at] = random.next());
    joints.iter().for_each(|name| weights[places(m, name).1[0]] = random.next());
    let mut u = vec![0.0; m.inputs.len()];
    for name in joints.iter().filter(|n| is_driven(n)) {
        let input = format!("tau_{}", name.replace('-', "_").replace("_joint", ""));
        let at = m.inputs.iter().position(|u| u.name == input).unwrap_or_else(|| panic!("{input}"));
        u[at] = 10.0 * random.next();
    }
    let sample = Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: loaded.partition.clone(),
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u,
    };
    Drawn { sample, weights }
}

fn is_driven(joint: &str) -> bool {
    (joint.ends_with("-op") || joint.ends_with("crank-joint")) && !joint.ends_with("foot-op")
}

#[test]
fn a_biped_with_closed_legs_moves_as_pinocchio_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/urdf");
    let loaded = pipeline::load(&folder.join("cassie.toml")).unwrap_or_else(|e| panic!("{e}"));
    let m = &loaded.mechanism;
    // Motors of passive joints are removed.
    assert_eq!((m.nv(), m.inputs.len(), loaded.partition.redundant_count()), (32, 10, 2));
    let reference: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("cassie.json")).unwrap()).unwrap();
    let following: Vec<&str> =
        reference["following"].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect();
    assert_eq!(following.len(), 10);
    let mut random = ReferenceRandom(1);
    let mut worst = [0.0f64; 4];
    let states = reference["states"].as_array().unwrap();
    assert_eq!(states.len(), 100);
    for state in states {
        let expected = |key: &str| state[key].as_f64().unwrap();
        let Drawn { mut sample, weights } = draw(&loaded, &reference, &mut random);
        for (k, name) in following.iter().enumerate() {
            let (at, speed) = places(m, name);
            sample.q[at[0]] = state["q"][k].as_f64().unwrap();
            sample.v[speed[0]] = state["v"][k].as_f64().unwrap();
        }
        // Pinocchio's closed pose must satisfy our constraints.
        let rows = crate::common::at(&sample, |env| constraint_rows(m, env));
        let gaps = rows.iter().filter_map(|r| r.position).fold(0.0f64, |x, y| x.max(y.abs()));
        let speeds = rows.iter().fold(0.0f64, |x, r| x.max(r.velocity.abs()));
        let mass = implicit(Formalism::Kane, &sample).mass;
        let moved: Vec<f64> = mass.iter().map(|row| dot(row, &weights)).collect();
        let accelerations = forward(Formalism::Kane, &sample).accelerations;
        let errors = [
            gaps,
            speeds,
            (dot(&weights, &moved) - expected("mass")).abs() / expected("mass").abs(),
            (dot(&weights, &accelerations) - expected("rate")).abs() / expected("fast"),
        ];
        worst.iter_mut().zip(errors).for_each(|(worst, x)| *worst = worst.max(x));
    }
    println!("{worst:?}");
    assert!(worst[..3].iter().all(|x| *x < 1e-12) && worst[3] < 1e-10, "{worst:?}");
}
