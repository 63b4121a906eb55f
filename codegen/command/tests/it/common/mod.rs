//! Numeric helpers for tests: environments over doubles, dense solves, the interpreter.

#![allow(dead_code)]

use dqdt_algebra::{Number, Wrench};
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Graph, SymbolKind, Tape, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Forward, Implicit};
use dqdt_mechanics::kinematics::{evaluate_parameters, initial_instant, saturate_inputs};
use dqdt_mechanics::mechanism::{Environment, Mechanism, ParameterKind};
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;

/// The unit vector along axis `i` of `n`.
pub fn unit_vector(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|k| f64::from(u8::from(k == i))).collect()
}

/// Number of random mechanisms to test: `all` in the full tier, a part in the quick tier, more if
/// `DQDT_RANDOM_TREES` is set (`just sweep-random`).
pub fn trees(all: u64) -> u64 {
    match std::env::var("DQDT_RANDOM_TREES") {
        Err(std::env::VarError::NotPresent) => cases_by_tier((all / 6).max(all.min(12)), all),
        variable => variable.unwrap().parse::<u64>().expect("DQDT_RANDOM_TREES: a whole number").max(all),
    }
}

/// The start state of an assembled mechanism, with its partition.
pub fn at_start(loaded: &Assembled) -> Sample {
    let m = &loaded.mechanism;
    let p = evaluate_parameters(m, &Number::to_f64, &[]);
    let s = initial_instant(m, &Number::to_f64, &p);
    Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: loaded.partition.clone(),
        t: 0.0,
        q: s.q,
        v: s.v,
        z: s.z,
        u: s.u,
    }
}

/// Calls `f` with the environment of a sample over doubles; parameters at their
/// defaults, inputs saturated.
pub fn at<R>(s: &Sample, f: impl FnOnce(&Environment<'_, f64>) -> R) -> R {
    let p = evaluate_parameters(&s.mechanism, &Number::to_f64, &[]);
    let raw = Environment {
        number: &Number::to_f64,
        t: s.t,
        q: &s.q,
        v: &s.v,
        z: &s.z,
        u: &s.u,
        p: &p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: Some(&s.formulation),
        partition: &s.partition,
    };
    let u = saturate_inputs(&s.mechanism, &raw);
    f(&Environment { u: &u, ..raw })
}

/// The equations of motion M, c, Q by a formalism, evaluated in doubles.
pub fn implicit(f: Formalism, s: &Sample) -> Implicit<f64> {
    at(s, |env| formalism::implicit_equations(f, &s.mechanism, env))
}

/// Accelerations, multipliers and reactions, evaluated in doubles.
pub fn forward(f: Formalism, s: &Sample) -> Forward<f64> {
    at(s, |env| formalism::forward_with_reactions(f, &s.mechanism, env))
}

/// Accelerations and reactions, recorded in a graph and interpreted.
pub fn interpret_forward(f: Formalism, s: &Sample) -> (Vec<f64>, Vec<f64>) {
    interpret_forwards(f, &[s]).remove(0)
}

/// Splits the values of one state into accelerations and reactions.
fn split_reactions((mut values, s): (Vec<f64>, &&Sample)) -> (Vec<f64>, Vec<f64>) {
    let reactions = values.split_off(s.mechanism.nv());
    (values, reactions)
}

/// Like [`interpret_forward`], at several states of one mechanism.
pub fn interpret_forwards(f: Formalism, states: &[&Sample]) -> Vec<(Vec<f64>, Vec<f64>)> {
    let (all, _) = trace_at(states, |m, env| {
        let solution = formalism::forward_with_reactions(f, m, env);
        let reactions = solution.reactions.iter().flat_map(|w| [w.f.0, w.m.0]).flatten();
        solution.accelerations.iter().copied().chain(reactions).collect()
    });
    all.into_iter().zip(states).map(split_reactions).collect()
}

/// All components of the reactions in one list: force, then moment of each joint.
pub fn flatten_wrenches(reactions: &[Wrench<f64>]) -> Vec<f64> {
    reactions.iter().flat_map(|w| [w.f.0, w.m.0]).flatten().collect()
}

/// The equations of motion M, c, Q, recorded in a graph and interpreted; and the
/// number of instructions.
pub fn interpret_implicit(f: Formalism, s: &Sample) -> (Implicit<f64>, usize) {
    let (values, steps) = trace(s, |m, env| {
        let e = formalism::implicit_equations(f, m, env);
        e.mass.into_iter().flatten().chain(e.c).chain(e.force).collect()
    });
    let n = s.mechanism.nv();
    let rows = values[..n * n].chunks(n).map(<[f64]>::to_vec).collect();
    let (c, force) = values[n * n..].split_at(n);
    (Implicit { mass: rows, c: c.to_vec(), force: force.to_vec() }, steps)
}

/// Values of the expressions that `f` records, at the state of the sample; and the
/// number of instructions.
pub fn trace(
    s: &Sample,
    f: impl for<'g> FnOnce(&Mechanism, &Environment<'_, Tracer<'g>>) -> Vec<Tracer<'g>>,
) -> (Vec<f64>, usize) {
    let (mut all, steps) = trace_at(&[s], f);
    (all.remove(0), steps)
}

/// Like [`trace`], at several states of one mechanism.
pub fn trace_at(
    states: &[&Sample],
    f: impl for<'g> FnOnce(&Mechanism, &Environment<'_, Tracer<'g>>) -> Vec<Tracer<'g>>,
) -> (Vec<Vec<f64>>, usize) {
    let s = states[0];
    let g = Graph::new();
    let symbol = |name: String, kind| Tracer::new(&g, g.symbol(&name, kind));
    let symbols = |x: &[f64], name: &str, kind: fn(usize) -> SymbolKind| -> Vec<Tracer<'_>> {
        (0..x.len()).map(|i| symbol(format!("{name}{i}"), kind(i))).collect()
    };
    let m = &s.mechanism;
    let defaults: Vec<f64> = m
        .parameters
        .iter()
        .filter_map(|p| match &p.kind {
            ParameterKind::Free(n) => Some(n.to_f64()),
            _ => None,
        })
        .collect();
    let free = symbols(&defaults, "p", SymbolKind::Parameter);
    let number = |n: Number| Tracer::number(&g, n);
    let p = evaluate_parameters(m, &number, &free);
    let raw = Environment {
        number: &number,
        t: symbol("t".to_owned(), SymbolKind::Time),
        q: &symbols(&s.q, "q", SymbolKind::Coordinate),
        v: &symbols(&s.v, "v", SymbolKind::Speed),
        z: &symbols(&s.z, "z", SymbolKind::State),
        u: &symbols(&s.u, "u", SymbolKind::Input),
        p: &p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: Some(&s.formulation),
        partition: &s.partition,
    };
    let u = saturate_inputs(m, &raw);
    let outputs: Vec<_> = f(m, &Environment { u: &u, ..raw }).iter().map(|x| x.id(&g)).collect();
    let tape = Tape::new(&g, &outputs);
    (
        states
            .iter()
            .map(|s: &&Sample| {
                let (mut work, mut result) = (Vec::new(), vec![0.0; outputs.len()]);
                tape.evaluate(
                    |kind| match kind {
                        SymbolKind::Time => s.t,
                        SymbolKind::Parameter(i) => defaults[i],
                        SymbolKind::Coordinate(i) => s.q[i],
                        SymbolKind::Speed(i) => s.v[i],
                        SymbolKind::State(i) => s.z[i],
                        SymbolKind::Input(i) => s.u[i],
                        _ => f64::NAN,
                    },
                    &mut work,
                    &mut result,
                );
                result
            })
            .collect(),
        tape.len(),
    )
}

/// Relative error `max|a − b| / max(1, max|b|)`; NaN if any entry is NaN or infinite.
pub fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let mut error = 0.0f64;
    for (x, y) in a.iter().zip(b) {
        let e = (x - y).abs();
        if !e.is_finite() {
            return f64::NAN;
        }
        error = error.max(e);
    }
    error / size
}

/// The inverse by Gauss–Jordan elimination with pivoting.
pub fn inverse(m: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = m.len();
    let mut a: Vec<Vec<f64>> = m
        .iter()
        .enumerate()
        .map(|(i, row)| row.iter().copied().chain((0..n).map(|j| if i == j { 1.0 } else { 0.0 })).collect())
        .collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, pivot);
        let inverse = 1.0 / a[k][k];
        a[k].iter_mut().for_each(|x| *x *= inverse);
        let row = a[k].clone();
        for (i, other) in a.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let _ = i;
            let factor = other[k];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    a.into_iter().map(|row| row[n..].to_vec()).collect()
}

pub fn product(m: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    m.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn norm(m: &[Vec<f64>]) -> f64 {
    m.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}

/// Accelerations `v̇`, and the condition number of M in the maximum norm.
pub fn solve(e: &Implicit<f64>) -> (Vec<f64>, f64) {
    let inverse = inverse(&e.mass);
    let right: Vec<f64> = e.force.iter().zip(&e.c).map(|(q, c)| q - c).collect();
    let mut x = product(&inverse, &right);
    // One step of iterative refinement, so that the solver adds no error of its own.
    let residual: Vec<f64> = right.iter().zip(product(&e.mass, &x)).map(|(a, b)| a - b).collect();
    for (x, d) in x.iter_mut().zip(product(&inverse, &residual)) {
        *x += d;
    }
    (x, norm(&e.mass) * norm(&inverse))
}
