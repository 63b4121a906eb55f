//! A biped whose legs are closed loops, a URDF with the constraints of a spec over it, moves as Pinocchio's constrained dynamics say.
//!
//! The numbers are those of `tests/urdf/closed_loops.py`. A state is drawn by what is independent; both sides close the loops.

use std::path::Path;

use dqdt_codegen::internal::assemble::{Manifold, find_state};
use dqdt_codegen::internal::mechanism::random::Sample;
use dqdt_codegen::internal::mechanism::{JointVariable, Mechanism};
use dqdt_codegen::{Formalism, pipeline};
use serde_json::Value;

use crate::common::{forward, implicit};
use crate::urdf::{Random, dot};

fn places(m: &Mechanism, joint: &str) -> (Vec<usize>, Vec<usize>) {
    let name = joint.replace('-', "_");
    let joint = m.joints.iter().find(|j| j.name == name).unwrap_or_else(|| panic!("joint {name}"));
    let free = |slots: &[JointVariable]| -> Vec<usize> {
        let place = |s: &JointVariable| match s {
            JointVariable::Free(i) => *i,
            JointVariable::Prescribed(_) => panic!("nothing is prescribed"),
        };
        slots.iter().map(place).collect()
    };
    (free(&joint.coordinates), free(&joint.speeds))
}

/// A state as far as it is drawn, which entries of it are, and the weights of the speeds.
struct Drawn {
    sample: Sample,
    held: (Vec<bool>, Vec<bool>),
    weights: Vec<f64>,
}

/// In the order of `closed_loops.py`.
fn draw(m: &Mechanism, reference: &Value, random: &mut Random) -> Drawn {
    let names = |key: &str| -> Vec<&str> {
        reference[key].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
    };
    let (joints, independent) = (names("joints"), names("held"));
    let (mut q, mut v, mut weights) = (vec![0.0; m.nq()], vec![0.0; m.nv()], vec![0.0; m.nv()]);
    let mut held = (vec![false; m.nq()], vec![false; m.nv()]);
    let (base, base_speeds) = places(m, "base");
    let e = [1.0, random.next(), random.next(), random.next()];
    let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
    for at in &base[..3] {
        q[*at] = random.next();
    }
    base[3..].iter().zip(e).for_each(|(at, x)| q[*at] = x / norm);
    base_speeds.iter().for_each(|at| v[*at] = 2.0 * random.next());
    base.iter().for_each(|at| held.0[*at] = true);
    base_speeds.iter().for_each(|at| held.1[*at] = true);
    for name in &independent {
        let (at, speed) = places(m, name);
        let reach =
            if name.ends_with("knee-shin-joint") || name.ends_with("spring-joint") { 0.02 } else { 0.2 };
        q[at[0]] = reach * random.next();
        v[speed[0]] = 2.0 * random.next();
        (held.0[at[0]], held.1[speed[0]]) = (true, true);
    }
    for side in ["left", "right"] {
        let at = |joint: &str| places(m, &format!("{side}-{joint}")).0[0];
        let crank = q[at("tarsus-crank-joint")] - 1.5;
        for (joint, value) in [("tarsus-crank-joint", crank), ("crank-rod-joint", -crank), ("foot-op", crank)]
        {
            q[at(joint)] = value;
        }
    }
    base_speeds.iter().for_each(|at| weights[*at] = random.next());
    joints.iter().for_each(|name| weights[places(m, name).1[0]] = random.next());
    let mut u = vec![0.0; m.inputs.len()];
    for name in joints.iter().filter(|n| is_driven(n)) {
        let input = format!("tau_{}", name.replace('-', "_").replace("_joint", ""));
        let at = m.inputs.iter().position(|u| u.name == input).unwrap_or_else(|| panic!("{input}"));
        u[at] = 10.0 * random.next();
    }
    let sample = Sample { mechanism: m.clone(), t: 0.0, q, v, z: Vec::new(), u };
    Drawn { sample, held, weights }
}

fn is_driven(joint: &str) -> bool {
    (joint.ends_with("-op") || joint.ends_with("crank-joint")) && !joint.ends_with("foot-op")
}

#[test]
fn a_biped_with_closed_legs_moves_as_pinocchio_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/urdf");
    let loaded = pipeline::load(&folder.join("cassie.toml")).unwrap_or_else(|e| panic!("{e}"));
    let m = &loaded.mechanism;
    // Motors of passive joints are removed.
    assert_eq!((m.nv(), m.inputs.len(), m.partition.beyond()), (32, 10, 2));
    let reference: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("cassie.json")).unwrap()).unwrap();
    let manifold = Manifold::at_defaults(m);
    let mut random = Random(1);
    let mut worst = [0.0f64; 4];
    let states = reference["states"].as_array().unwrap();
    assert_eq!(states.len(), 100);
    for state in states {
        let expected = |key: &str| state[key].as_f64().unwrap();
        let Drawn { mut sample, held, weights } = draw(m, &reference, &mut random);
        let found = find_state(&manifold, 0.0, (&sample.q, &sample.v), (&held.0, &held.1)).unwrap();
        (sample.q, sample.v) = (found.q, found.v);
        // What follows: with the rates as speeds each coordinate behind the base has its own weight.
        let follows: f64 = (0..m.nv())
            .filter(|s| !held.1[*s])
            .map(|s| weights[s] * sample.q[places(m, &m.joints[m.speeds[s].joint].name).0[0]])
            .sum();
        let mass = implicit(Formalism::Kane, &sample).mass;
        let moved: Vec<f64> = mass.iter().map(|row| dot(row, &weights)).collect();
        let found = [
            (follows, "q", 1.0),
            (dot(&weights, &sample.v), "v", expected("v").abs().max(1.0)),
            (dot(&weights, &moved), "mass", expected("mass").abs()),
            (dot(&weights, &forward(Formalism::Kane, &sample).accelerations), "rate", expected("fast")),
        ];
        for (worst, (value, key, size)) in worst.iter_mut().zip(found) {
            *worst = worst.max((value - expected(key)).abs() / size);
        }
    }
    println!("{worst:?}");
    assert!(worst.iter().all(|x| *x < 1e-10), "{worst:?}");
}
