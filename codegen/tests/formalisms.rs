//! All formalisms against each other: accelerations and reactions on 500 seeded random trees, over doubles and over the
//! interpreter, in general and in symmetric poses.

mod common;

use common::{at, flat, forward, implicit, interpreted_forward, relative, solve};
use dqdt_codegen::formalism::{Formalism, equations, Equations};
use dqdt_codegen::mechanism::random::{Sample, random_mechanism};

const TREES: u64 = 500;
const BODIES: usize = 12;

fn below(x: f64, limit: f64, what: &str) {
    assert!(x < limit, "{what}: {x:e} against {limit:e}");
}

/// Compares all formalisms with the dense solve of Kane's equations, and their reactions with each other.
fn agree(s: &Sample, what: &str, worst: &mut (f64, f64)) {
    let kane = implicit(Formalism::Kane, s);
    let (expected, condition) = solve(&kane);
    let condition = condition.max(1.0);
    let first = flat(&forward(Formalism::Kane, s).reactions);
    for f in Formalism::ALL {
        let found = forward(f, s);
        let (a, r) = interpreted_forward(f, s);
        for (over, a, r) in [("f64", &found.accelerations, &flat(&found.reactions)), ("graph", &a, &r)] {
            let (e, d) = (relative(a, &expected) / condition, relative(r, &first) / condition);
            below(e, 1e-12, &format!("{what}: {} over {over}: accelerations, condition {condition:e}", f.name()));
            below(d, 1e-12, &format!("{what}: {} over {over}: reactions, condition {condition:e}", f.name()));
            *worst = (worst.0.max(e), worst.1.max(d));
        }
    }
}

#[test]
fn all_formalisms_agree_on_random_trees() {
    let mut worst = (0.0, 0.0);
    for seed in 0..TREES {
        agree(&random_mechanism(seed, BODIES), &format!("seed {seed}"), &mut worst);
    }
    println!("accelerations {:e}, reactions {:e}, by condition", worst.0, worst.1);
}

#[test]
fn solutions_fulfil_the_systems_as_the_paper_prints_them() {
    for seed in 0..60 {
        let s = random_mechanism(seed, 6);
        let m = &s.mechanism;
        for f in [Formalism::Extended, Formalism::LagrangeFirst, Formalism::Maggi] {
            let Equations::Extended(system) = at(&s, |env| equations(f, m, env)) else {
                panic!("{} is a sparse system", f.name())
            };
            let (n, nv) = (m.bodies.len(), m.nv());
            let expected = match f {
                Formalism::Extended => 12 * n + nv,
                Formalism::LagrangeFirst => 12 * n - nv,
                _ => 6 * n,
            };
            assert_eq!(system.unknowns.len(), expected, "seed {seed}: {}", f.name());
            // Dense, with pivoting: an independent solve.
            let dense: Vec<Vec<f64>> = (0..expected)
                .map(|i| {
                    let row = system.rows.row(i);
                    (0..expected).map(|j| row.get(&j).copied().unwrap_or(0.0)).collect()
                })
                .collect();
            let inverse = common::inverse(&dense);
            let x = common::product(&inverse, system.rows.right());
            let found = forward(f, &s);
            let rates = at(&s, |env| {
                let k = dqdt_codegen::kinematics::kinematics(m, env);
                let rate = |b: &dqdt_codegen::kinematics::BodyMotion<f64>| {
                    let t = b.partial.iter().fold(b.bias, |sum, (s, j)| sum + j.scale(found.accelerations[*s]));
                    [t.v.0, t.w.0].concat()
                };
                k.bodies.iter().flat_map(rate).collect::<Vec<f64>>()
            });
            let (_, condition) = solve(&implicit(Formalism::Kane, &s));
            let error = relative(&x[..6 * n], &rates) / condition.max(1.0);
            below(error, 1e-10, &format!("seed {seed}: {}", f.name()));
        }
    }
}
