//! Random constrained mechanisms: accelerations, multipliers and constraint rows against a dense
//! solve in doubles and finite differences along the motion.

use crate::build::number;
use crate::common::{at, implicit, relative};
use crate::constrained::{Draw, matrix, rank};
use crate::null_space::{assembled_sample, assert_below, cases_per_flavour, null_space_solution, samples};
use dqdt_codegen::pipeline::Assembled;
use dqdt_codegen::{Formalism, functions};
use dqdt_derivation::assemble::{Manifold, repartition};
use dqdt_derivation::derive::{Request, derive};
use dqdt_graph::ir::{Arguments, Declaration, Machine, Program};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::kinematics::{constraint_rows, coordinate_rates, position_jacobian, position_residuals};
use dqdt_mechanics::mechanism::{Stabilisation, Treatment};
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;
use nalgebra::DMatrix;

/// The sample after a time step `h` at constant accelerations.
fn advance(s: &Sample, h: f64, qdot: &[f64], a: &[f64]) -> Sample {
    let mut out = s.clone();
    out.t += h;
    out.q.iter_mut().zip(qdot).for_each(|(q, d)| *q += h * d);
    out.v.iter_mut().zip(a).for_each(|(v, d)| *v += h * d);
    out
}

#[test]
fn rows_are_derivatives_of_residuals() {
    let mut rows_seen = 0;
    for (seed, flavour, s) in samples() {
        let place = (seed, flavour);
        let m = &s.mechanism;
        let rows = at(&s, |env| constraint_rows(m, env));
        rows_seen += rows.len();
        let (qdot, n) = at(&s, |env| coordinate_rates(m, env));
        let positions = at(&s, |env| position_residuals(m, env));
        let held: Vec<_> = rows.iter().filter(|r| r.position.is_some()).collect();
        assert_eq!(held.len(), positions.len());
        for (row, p) in held.iter().zip(&positions) {
            assert_below((row.position.unwrap() - p).abs(), 1e-14, "position", place);
            assert_below(p.abs(), 1e-12, "assembled by construction", place);
        }
        // The constraint Jacobian by partial velocities against `∂Φ/∂q N` by jets.
        let by_jets = at(&s, |env| position_jacobian(m, env));
        for (row, slope) in held.iter().zip(&by_jets) {
            let projected: Vec<f64> =
                (0..m.nv()).map(|j| (0..m.nq()).map(|i| slope[i] * n[i][j]).sum()).collect();
            assert_below(relative(&row.jacobian, &projected), 1e-11, &row.name, place);
        }
        // Φ̇ and A v̇ − γ against finite differences along a motion with arbitrary accelerations.
        let mut d = Draw::new(seed + 77);
        let a: Vec<f64> = (0..m.nv()).map(|_| d.value()).collect();
        let h = 2e-5;
        let shift = |h: f64| {
            // Midpoint rule, second order in `h`: q̇ depends on the speeds.
            let half = advance(&s, 0.5 * h, &qdot, &a);
            let (middle, _) = at(&half, |env| coordinate_rates(m, env));
            advance(&s, h, &middle, &a)
        };
        let (ahead, behind) = (shift(h), shift(-h));
        let residuals_and_rows =
            |s: &Sample| at(s, |env| (position_residuals(m, env), constraint_rows(m, env)));
        let (ahead, behind) = (residuals_and_rows(&ahead), residuals_and_rows(&behind));
        for (k, row) in held.iter().enumerate() {
            let difference = (ahead.0[k] - behind.0[k]) / (2.0 * h);
            let size = 1.0 + row.jacobian.iter().map(|x| x.abs()).sum::<f64>() * 20.0;
            assert_below((difference - row.velocity).abs() / size, 1e-7, "Φ̇", place);
        }
        for (k, row) in rows.iter().enumerate() {
            let difference = (ahead.1[k].velocity - behind.1[k].velocity) / (2.0 * h);
            let predicted: f64 = row.jacobian.iter().zip(&a).map(|(x, y)| x * y).sum::<f64>() - row.gamma;
            let size = 1.0 + difference.abs() + row.gamma.abs();
            assert_below((difference - predicted).abs() / size, 2e-6, &format!("γ of {}", row.name), place);
        }
    }
    assert!(rows_seen > 4 * cases_per_flavour() * cases_by_tier(2, 3), "{rows_seen}");
}

fn program(s: &Sample, f: Formalism) -> Program {
    let functions = vec![functions::DQDT, functions::MULTIPLIERS];
    let bare = Assembled::without_spec(s.mechanism.clone(), s.partition.clone());
    simplify(&derive(&bare, &s.formulation, &Request::new(f, functions)))
}

fn call(p: &Program, kind: &Declaration, s: &Sample) -> Vec<f64> {
    let mut a = Arguments::defaults(p);
    a.t = s.t;
    a.q.clone_from(&s.q);
    a.v.clone_from(&s.v);
    a.z.clone_from(&s.z);
    a.u.clone_from(&s.u);
    Machine::new(p, kind).map_or_else(Vec::new, |mut m| m.call(&a).unwrap().to_vec())
}

#[test]
fn accelerations_are_those_of_the_dense_null_space_method() {
    let (mut worst, mut redundant, mut undetermined) = (0.0f64, 0, 0);
    for (seed, flavour, s) in samples() {
        let place = (seed, flavour);
        let s = assembled_sample(&s, place);
        let m = &s.mechanism;
        let (a, _) = matrix(&s);
        // A row group contributes as many rows as are independent in this pose.
        let dropped = s.partition.redundant_count();
        assert_eq!(a.nrows() - dropped, rank(&a), "{place:?}: rank");
        redundant += dropped;
        for f in [Formalism::Kane, Formalism::Lagrange] {
            // A quarter suffices: both formalisms are compared on trees too.
            if f == Formalism::Lagrange && seed % 4 != 0 {
                continue;
            }
            let (x, reactions, condition) = null_space_solution(&s, f);
            let p = program(&s, f);
            let dx = call(&p, functions::DQDT, &s);
            let actual = &dx[m.nq()..m.nq() + m.nv()];
            // The accuracy of the Schur complement depends on the condition of M too.
            let mass = implicit(f, &s).mass;
            let mass = DMatrix::from_fn(m.nv(), m.nv(), |i, j| mass[i][j]).symmetric_eigenvalues();
            let condition = condition.max(mass.max() / mass.min());
            let error = relative(actual, x.as_slice()) / condition.max(1.0);
            assert_below(error, 1e-12, "accelerations", place);
            assert_below(relative(actual, x.as_slice()), 1e-7, "accelerations", place);
            worst = worst.max(relative(actual, x.as_slice()));
            // Determined multipliers are compared with the minimum-norm solution of
            // `Aᵀ λ = M v̇ + c − Q`.
            let shortest = a.transpose().svd(true, true).solve(&reactions, 1e-9).unwrap();
            let rows = at(&s, |env| constraint_rows(m, env));
            let determined =
                rows.iter().zip(shortest.iter()).filter(|(r, _)| !s.partition.is_undetermined(r.row_index()));
            let expected: Vec<f64> = determined.map(|(_, x)| *x).collect();
            undetermined += rows.len() - expected.len();
            let lambda = call(&p, functions::MULTIPLIERS, &s);
            assert_below(relative(&lambda, &expected) / condition.max(1.0), 1e-11, "multipliers", place);
        }
    }
    println!("worst {worst:e}; {redundant} redundant rows, {undetermined} undetermined");
    assert!(redundant >= cases_per_flavour() && undetermined > redundant);
}

#[test]
fn elimination_gives_the_same_accelerations_and_multipliers() {
    for (seed, flavour, mut s) in samples() {
        let place = (seed, flavour);
        let count = s.mechanism.constraints.len();
        // Eliminates all constraints, or all but the last.
        let some = if seed % 2 == 0 { count } else { count.max(2) - 1 };
        for c in s.mechanism.constraints.iter_mut().take(some) {
            c.treatment = Treatment::Elimination(Vec::new());
        }
        let s = assembled_sample(&s, place);
        let m = &s.mechanism;
        let (x, _, condition) = null_space_solution(&s, Formalism::Kane);
        let p = program(&s, Formalism::Kane);
        let dx = call(&p, functions::DQDT, &s);
        let error = relative(&dx[m.nq()..m.nq() + m.nv()], x.as_slice());
        assert_below(error / condition.max(1.0), 1e-9, "accelerations", place);
        assert_below(error, 1e-6, "accelerations", place);
        let mut by_multipliers = s.clone();
        by_multipliers.mechanism.constraints.iter_mut().for_each(|c| c.treatment = Treatment::Multipliers);
        by_multipliers.partition = repartition(&by_multipliers.mechanism, &by_multipliers.partition);
        let other = program(&by_multipliers, Formalism::Kane);
        let expected = call(&other, functions::MULTIPLIERS, &s);
        let actual = call(&p, functions::MULTIPLIERS, &s);
        assert_below(relative(&actual, &expected), 1e-6, "multipliers", place);
        // The result must not depend on the dependent speeds of the state.
        let mut spoilt = s.clone();
        s.partition.dependent.iter().for_each(|d| spoilt.v[d.speed] += 0.5);
        if m.constraints.iter().all(|c| matches!(c.treatment, Treatment::Elimination(_))) {
            let again = call(&p, functions::DQDT, &spoilt);
            assert_below(relative(&again, &dx), 1e-12, "dependent speeds", place);
        }
    }
}

#[test]
fn stabilisation_adds_the_terms_of_baumgarte() {
    let (alpha, beta) = (3.0, 5.0);
    for (seed, flavour, s) in samples().step_by(5) {
        let place = (seed, flavour);
        let mut s = assembled_sample(&s, place);
        for c in &mut s.mechanism.constraints {
            c.stabilisation = Some(Stabilisation { alpha: number(alpha), beta: number(beta) });
        }
        // Leave the constraints, in positions and speeds.
        let mut d = Draw::new(seed + 9);
        s.q.iter_mut().for_each(|q| *q += 0.01 * d.value());
        s.v.iter_mut().for_each(|v| *v += 0.1 * d.value());
        let m = &s.mechanism;
        let dx = call(&program(&s, Formalism::Kane), functions::DQDT, &s);
        let a = &dx[m.nq()..m.nq() + m.nv()];
        let mut held = vec![0; s.partition.groups.len()];
        for row in at(&s, |env| constraint_rows(m, env)).iter().filter(|r| r.is_independent(&s.partition)) {
            let second: f64 = row.jacobian.iter().zip(a).map(|(x, y)| x * y).sum::<f64>() - row.gamma;
            let left = match row.position {
                Some(position) => second + 2.0 * alpha * row.velocity + beta * beta * position,
                None => second + alpha * row.velocity,
            };
            let size = row.jacobian.iter().zip(a).fold(1.0, |m: f64, (x, y)| m.max((x * y).abs()));
            let group = s.partition.groups.iter().position(|g| g.rows.contains(&row.row_index()));
            match group {
                // Off the constraints, the rows of a group contradict each other; only the rows
                // selected by the pose hold.
                Some(group) => held[group] += usize::from(left.abs() / size < 1e-8),
                None => assert_below(left.abs() / size, 1e-8, &row.name, place),
            }
        }
        for (group, held) in s.partition.groups.iter().zip(held) {
            assert!(held >= group.rank, "{place:?}: {held} of {} rows hold", group.rank);
        }
    }
}

#[test]
fn a_disturbed_state_assembles_again() {
    let mut from_first_start = 0;
    for (seed, flavour, s) in samples() {
        let place = (seed, flavour);
        let m = &s.mechanism;
        let manifold = Manifold::with_default_parameters(m);
        let mut d = Draw::new(seed + 5);
        let q: Vec<f64> = s.q.iter().map(|x| x + 0.02 * d.value()).collect();
        let v: Vec<f64> = s.v.iter().map(|x| x + 0.2 * d.value()).collect();
        let held = (vec![false; m.nq()], vec![false; m.nv()]);
        let state = dqdt_derivation::assemble::find_state(&manifold, 0.0, (&q, &v), (&held.0, &held.1))
            .unwrap_or_else(|e| panic!("{place:?}: {e:?}"));
        let rows = manifold.constraint_rows(0.0, &state.q, &state.v);
        for row in rows {
            assert_below(row.position.unwrap_or(0.0).abs(), 1e-10, "position", place);
            assert_below(row.velocity.abs(), 1e-8, "velocity", place);
        }
        from_first_start += usize::from(state.start == 0);
    }
    assert!(from_first_start > 4 * cases_per_flavour() * 9 / 10, "{from_first_start} from the first start");
}
