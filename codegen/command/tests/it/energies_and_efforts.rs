//! Energy gradients, `solve_mass_matrix` and friction on random trees, against jets
//! and whole mechanisms.

use crate::common::{at, product, relative, trees, unit_vector};
use crate::effort_slopes::{directions, sample};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{Assembled, Request};
use dqdt_derivation::derive::{Definition, derive};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::mechanism::{LoadKind, Mechanism};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

/// Output of the emitted program of a function at a sample; empty if the
/// mechanism lacks the function.
fn call(m: &Mechanism, s: &Sample, f: &'static Definition, change: impl Fn(&mut Arguments)) -> Vec<f64> {
    let program = simplify(&derive(
        &Assembled::without_spec(m.clone(), s.partition.clone()),
        &s.formulation,
        &Request::new(Formalism::Kane, vec![f]),
    ));
    let Some(mut machine) = Machine::new(&program, f) else { return Vec::new() };
    let (q, v, z, u) = (s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    let mut a = Arguments { t: s.t, q, v, z, u, ..Arguments::defaults(&program) };
    change(&mut a);
    machine.call(&a).unwrap().to_vec()
}

#[test]
fn gradients_of_energies_are_those_of_jets_on_random_trees() {
    let (mut worst, mut skipped) = (0.0f64, 0);
    for seed in 0..trees(300) {
        let s = sample(seed);
        let (nq, nv) = (s.q.len(), s.v.len());
        let along = |dq: &[f64], dv: &[f64]| {
            at(&s, |env| {
                env.with_jets(0.0, dq, dv, |env| {
                    let e = formalism::energy(&s.mechanism, env);
                    [e.kinetic.d, e.potential.d]
                })
            })
        };
        let pose: Vec<[f64; 2]> = directions(&s).iter().map(|dq| along(dq, &vec![0.0; nv])).collect();
        let by_speeds = (0..nv).map(|j| along(&vec![0.0; nq], &unit_vector(nv, j))[0]);
        let energy_slopes = |k: usize| pose.iter().map(move |x| x[k]);
        let expected: Vec<f64> = energy_slopes(0).chain(energy_slopes(1)).chain(by_speeds).collect();
        // A spring of zero length has no derivative.
        if expected.iter().any(|x| !x.is_finite()) {
            skipped += 1;
            continue;
        }
        let error = relative(&call(&s.mechanism, &s, functions::ENERGY_GRADIENTS, |_| ()), &expected);
        assert!(error < 1e-11, "seed {seed}: {error:e}");
        worst = worst.max(error);
    }
    println!("{worst:e}, {skipped} skipped");
    assert!(skipped < 20, "{skipped}");
}

#[test]
fn the_mass_matrix_times_its_solution_gives_the_efforts_back() {
    for seed in 0..trees(100) {
        let s = random_mechanism(seed, 6);
        let m = &s.mechanism;
        let efforts: Vec<f64> = (0..m.nv()).map(|i| (1.3 * i as f64 + seed as f64).cos()).collect();
        let solution = call(m, &s, functions::SOLVE_MASS_MATRIX, |a| a.efforts.copy_from_slice(&efforts));
        let mass = at(&s, |env| formalism::implicit_equations(Formalism::Kane, m, env).mass);
        let error = relative(&product(&mass, &solution), &efforts);
        assert!(error < 1e-10, "seed {seed}: {error:e}");
    }
}

#[test]
fn inverse_dynamics_and_friction_are_inverse_dynamics_without_it_and_its_columns_give_it() {
    let mut with_friction = 0;
    for seed in 0..trees(200) {
        let s = random_mechanism(seed, 6);
        let m = &s.mechanism;
        let mut smooth = m.clone();
        smooth.loads.retain(|l| !matches!(l.kind, LoadKind::Friction(_)));
        let accelerations: Vec<f64> = (0..m.nv()).map(|i| (0.7 * i as f64 + seed as f64).sin()).collect();
        let [all, without] = [m, &smooth]
            .map(|m| call(m, &s, functions::INVERSE_DYNAMICS, |a| a.a.copy_from_slice(&accelerations)));
        let friction = call(m, &s, functions::FRICTION, |_| ());
        let sum: Vec<f64> = all.iter().zip(&friction).map(|(a, f)| a + f).collect();
        let error = relative(&sum, &without);
        assert!(error < 1e-11, "seed {seed}: {error:e}");
        let coefficients: Vec<f64> = at(&s, |env| {
            m.loads
                .iter()
                .flat_map(|l| match &l.kind {
                    LoadKind::Friction(f) => vec![f.viscous.eval(env), f.coulomb.eval(env)],
                    _ => Vec::new(),
                })
                .collect()
        });
        if coefficients.is_empty() {
            assert!(friction.iter().all(|x| *x == 0.0));
            continue;
        }
        with_friction += 1;
        let columns = call(m, &s, functions::FRICTION_REGRESSOR, |_| ());
        let columns: Vec<Vec<f64>> = columns.chunks(coefficients.len()).map(<[f64]>::to_vec).collect();
        let error = relative(&product(&columns, &coefficients), &friction);
        assert!(error < 1e-12, "seed {seed}: columns, {error:e}");
    }
    assert!(with_friction > cases_by_tier(2, 20), "{with_friction}");
}
