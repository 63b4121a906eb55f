//! Kane against Lagrange, energy and power on 500 seeded random trees.

use crate::common::{at, implicit, interpret_implicit, product, relative, solve, trees};
use dqdt_mechanics::formalism::{
    Formalism, Implicit, energy, evaluate_outputs, evaluate_powers, inverse_dynamics, lagrangian_energies,
};
use dqdt_mechanics::kinematics::{coordinate_rates, elimination_tree, kinematics, speeds_parents_first};
use dqdt_mechanics::mechanism::joint::is_coordinate_rate;
use dqdt_mechanics::mechanism::output::kinds::{Acceleration, Position, SpecificForce, Velocity};
use dqdt_mechanics::mechanism::{JointVariable, OutputKind, SpeedId, Variable, VectorFrame};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

const TREES: u64 = 500;

fn samples() -> impl Iterator<Item = (u64, Sample)> {
    (0..trees(TREES)).map(|seed| (seed, random_mechanism(seed, 8)))
}

/// Largest relative difference of M, c and Q.
fn difference(a: &Implicit<f64>, b: &Implicit<f64>) -> f64 {
    let parts =
        [relative(&a.mass.concat(), &b.mass.concat()), relative(&a.c, &b.c), relative(&a.force, &b.force)];
    if parts.iter().any(|x| x.is_nan()) { f64::NAN } else { parts.into_iter().fold(0.0, f64::max) }
}

fn below(x: f64, limit: f64, what: &str, seed: u64) {
    assert!(x < limit, "seed {seed}: {what}: {x:e} against {limit:e}");
}

#[test]
fn kane_and_lagrange_agree() {
    let mut worst = (0.0f64, 0.0f64);
    for (seed, s) in samples() {
        let (kane, lagrange) = (implicit(Formalism::Kane, &s), implicit(Formalism::Lagrange, &s));
        let d = difference(&kane, &lagrange);
        below(d, 1e-12, "M, c, Q", seed);
        let ((a, condition), (b, _)) = (solve(&kane), solve(&lagrange));
        let e = relative(&a, &b) / condition;
        below(e, 1e-13, "accelerations", seed);
        worst = (worst.0.max(d), worst.1.max(e));
    }
    println!("M, c, Q: {:e}; accelerations by condition: {:e}", worst.0, worst.1);
}

#[test]
fn the_interpreter_gives_the_same_equations() {
    let (mut worst, mut steps) = (0.0f64, 0);
    for (seed, s) in samples() {
        let expected = implicit(Formalism::Kane, &s);
        let (kane, length) = interpret_implicit(Formalism::Kane, &s);
        let d = difference(&kane, &expected);
        below(d, 1e-12, "Kane over the graph", seed);
        worst = worst.max(d);
        steps += length;
        let (lagrange, _) = interpret_implicit(Formalism::Lagrange, &s);
        let d = difference(&lagrange, &expected);
        below(d, 1e-12, "Lagrange over the graph", seed);
        worst = worst.max(d);
    }
    println!("{worst:e}, {steps} steps");
}

#[test]
fn half_of_v_m_v_is_the_kinetic_energy_of_the_speeds() {
    for (seed, s) in samples() {
        let e = implicit(Formalism::Kane, &s);
        let t2: f64 = product(&e.mass, &s.v).iter().zip(&s.v).map(|(p, v)| 0.5 * p * v).sum();
        let energy = at(&s, |env| energy(&s.mechanism, env));
        below(relative(&[t2], &[energy.t2]), 1e-12, "T2", seed);
        below(relative(&[energy.t2 + energy.t1 + energy.t0], &[energy.kinetic]), 1e-15, "T", seed);
    }
}

#[test]
fn the_lagrangian_by_poses_is_the_energy_by_twists() {
    for (seed, s) in samples() {
        let m = &s.mechanism;
        let (mut energy, (kinetic, potential)) = at(&s, |env| {
            let (rates, _) = coordinate_rates(m, env);
            (energy(m, env), lagrangian_energies(m, env, &rates))
        });
        // The Lagrangian does not include armatures of quasi-velocities.
        let k = at(&s, |env| kinematics(m, env));
        for (joint, body) in m.joints.iter().zip(&k.bodies) {
            for (i, column) in body.columns.iter().enumerate().filter(|(i, _)| !is_coordinate_rate(joint, *i))
            {
                let _ = i;
                energy.kinetic -= 0.5 * column.armature * column.rate * column.rate;
            }
        }
        below(relative(&[kinetic], &[energy.kinetic]), 1e-12, "T", seed);
        below(relative(&[potential], &[energy.potential]), 1e-12, "V", seed);
    }
}

#[test]
fn the_power_of_all_loads_is_the_rate_of_the_kinetic_energy() {
    let (mut worst, mut drives) = (0.0f64, 0);
    for (seed, s) in samples() {
        let m = &s.mechanism;
        let (acceleration, condition) = solve(&implicit(Formalism::Kane, &s));
        let (powers, dt, dv) = at(&s, |env| {
            let (rates, _) = coordinate_rates(m, env);
            let rate = env.with_jets(1.0, &rates, &acceleration, |env| energy(m, env));
            (evaluate_powers(m, env, &acceleration), rate.kinetic.d, rate.potential.d)
        });
        let size = powers.iter().fold(1.0f64, |x, p| x.max(p.value.abs()));
        let total: f64 = powers.iter().map(|p| p.value).sum();
        let error = (total - dt).abs() / size.max(dt.abs());
        below(error, 1e-12 * condition.max(1.0), "power", seed);
        below(error, 1e-9, "power", seed);
        worst = worst.max(error);
        drives += usize::from(powers.iter().any(|p| p.name.starts_with("joint")));
        if !m.gravity.iter().any(|g| g.any_variable(&|v| v == Variable::Time)) {
            let conservative: f64 = powers.iter().filter(|p| p.potential).map(|p| p.value).sum();
            below((conservative + dv).abs() / size, 1e-12, "potential", seed);
        }
    }
    println!("{worst:e}; {drives} trees with drives");
}

#[test]
fn inverse_dynamics_undoes_forward_dynamics() {
    for (seed, s) in samples() {
        let m = &s.mechanism;
        let e = implicit(Formalism::Kane, &s);
        let (acceleration, condition) = solve(&e);
        let residual = at(&s, |env| inverse_dynamics(m, env, &acceleration));
        let size = e.force.iter().chain(&e.c).fold(1.0f64, |x, y| x.max(y.abs()));
        let zero = vec![0.0; residual.len()];
        below(relative(&residual, &zero) / size, 1e-13 * condition, "residual", seed);
        let other: Vec<f64> = (0..m.nv()).map(|i| (i as f64 * 1.7 + seed as f64).sin()).collect();
        let expected: Vec<f64> = product(&e.mass, &other)
            .iter()
            .zip(e.c.iter().zip(&e.force))
            .map(|(a, (c, q))| a + c - q)
            .collect();
        let got = at(&s, |env| inverse_dynamics(m, env, &other));
        below(relative(&got, &expected), 1e-12, "efforts", seed);
    }
}

fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>()
}

#[test]
fn outputs_are_derivatives_of_each_other() {
    for (seed, mut s) in samples() {
        let Some(OutputKind::Position(Position { body, point, .. })) =
            s.mechanism.outputs.first().map(|o| o.kind.clone())
        else {
            panic!("the first output is a position")
        };
        let (frame, sensor) =
            (VectorFrame::Ground, VectorFrame::Body { body, rotation: Box::new(point.rotation.clone()) });
        let kinds = [
            OutputKind::from(Position { body, point: point.clone(), frame: frame.clone() }),
            Velocity { body, point: point.clone(), frame: frame.clone() }.into(),
            Acceleration { body, point: point.clone(), frame }.into(),
            Acceleration { body, point: point.clone(), frame: sensor }.into(),
            SpecificForce { body, point }.into(),
        ];
        for (output, kind) in s.mechanism.outputs.iter_mut().zip(kinds) {
            output.kind = kind;
        }
        let m = &s.mechanism;
        let acceleration: Vec<f64> = (0..m.nv()).map(|i| (i as f64 * 1.7 + seed as f64).cos()).collect();
        let (now, moving, g) = at(&s, |env| {
            let (rates, _) = coordinate_rates(m, env);
            let moving = env.with_jets(1.0, &rates, &acceleration, |env| {
                evaluate_outputs(m, env, &vec![env.t; m.nv()], (&[], &[]))
            });
            let g: Vec<f64> = m.gravity.iter().map(|g| g.eval(env)).collect();
            (evaluate_outputs(m, env, &acceleration, (&[], &[])), moving, g)
        });
        let rate = |i: usize| moving[i].values.iter().map(|x| x.d).collect::<Vec<f64>>();
        below(relative(&rate(0), &now[1].values), 1e-12, "velocity", seed);
        below(relative(&rate(1), &now[2].values), 1e-12, "acceleration", seed);
        let felt: Vec<f64> = now[2].values.iter().zip(&g).map(|(a, g)| a - g).collect();
        below(
            relative(&[sum_of_squares(&now[3].values)], &[sum_of_squares(&now[2].values)]),
            1e-12,
            "sensor axes",
            seed,
        );
        below(
            relative(&[sum_of_squares(&now[4].values)], &[sum_of_squares(&felt)]),
            1e-12,
            "specific force",
            seed,
        );
        assert!(now.iter().all(|o| o.values.iter().all(|x| x.is_finite())), "seed {seed}");
    }
}

#[test]
fn m_is_zero_off_the_tree_of_speeds() {
    for (seed, s) in samples() {
        let m = &s.mechanism;
        let parents = elimination_tree(m);
        let order = speeds_parents_first(m);
        let mut rank = vec![usize::MAX; m.nv()];
        for (i, speed) in order.iter().enumerate() {
            rank[*speed] = i;
        }
        assert!(rank.iter().all(|r| *r < m.nv()), "seed {seed}: not a permutation");
        let path = |s: SpeedId| std::iter::successors(Some(s), |s| parents[*s]);
        let mass = implicit(Formalism::Lagrange, &s).mass;
        for (i, row) in SpeedId::enumerate(&mass) {
            assert!(parents[i].is_none_or(|p| rank[p] < rank[i]), "seed {seed}: order");
            for (j, entry) in SpeedId::enumerate(row) {
                if !path(i).any(|x| x == j) && !path(j).any(|x| x == i) {
                    assert_eq!(*entry, 0.0, "seed {seed}: {i:?}, {j:?}");
                }
            }
        }
    }
}

#[test]
fn the_trees_hold_everything_that_a_spec_can_say() {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let mut count = |what: String| *counts.entry(what).or_default() += 1;
    for (_, s) in samples() {
        let m = &s.mechanism;
        for (joint, body) in m.joints.iter().zip(&m.bodies) {
            let name = format!("{:?}", joint.kind);
            count(name.split(['(', ' ']).next().unwrap_or_default().to_owned());
            if joint.absolute {
                count(format!(
                    "absolute, on {}",
                    if joint.parent.is_some() { "a body" } else { "the ground" }
                ));
            }
            if joint.coordinates.iter().any(|c| matches!(c, JointVariable::Prescribed(_))) {
                count("prescribed".to_owned());
            }
            if joint.armature.iter().any(Option::is_some) {
                count("armature".to_owned());
            }
            if let Some(rotor) = &joint.rotor {
                count(format!("rotor on the {:?}", rotor.carrier));
            }
            if body.mass.is_zero() {
                count("massless".to_owned());
            } else if body.inertia[0].is_zero() {
                count("rod".to_owned());
            }
        }
        for load in &m.loads {
            let name = format!("{:?}", load.kind);
            count(name.split([' ', '{']).next().unwrap_or_default().to_owned());
        }
        if m.joints.iter().filter(|j| j.parent.is_none()).count() > 1 {
            count("branched at the ground".to_owned());
        }
    }
    println!("{counts:#?}");
    assert!(counts.len() >= cases_by_tier(20, 24), "{counts:#?}");
    assert!(counts.values().all(|n| *n >= cases_by_tier(1, 10)), "{counts:#?}");
}
