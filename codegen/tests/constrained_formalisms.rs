//! All formalisms on 200 random constrained mechanisms: accelerations, constraint forces and determined reactions, over
//! doubles, over the graph and as programs, against singular values.

mod common;
#[path = "common/constrained.rs"]
mod constrained;
#[path = "common/null_space.rs"]
mod null_space;

use std::collections::BTreeMap;

use common::{at, flat, forward, implicit, relative, trace};
use constrained::{Flavour, matrix};
use dqdt_codegen::formalism::{self, Formalism, Forward, reactions};
use dqdt_codegen::ir::lower::{Origin, Request, lower};
use dqdt_codegen::ir::{Arguments, FunctionKind, Machine, Program, simplify};
use dqdt_codegen::kinematics::constraint_rows;
use dqdt_codegen::mechanism::random::Sample;
use nalgebra::{DMatrix, DVector};
use null_space::{EACH, dense, prepared, samples_of};

/// After division by the condition number; CONVENTIONS asks for 1e-10.
const LIMIT: f64 = 1e-11;

/// By singular values.
struct Expected {
    /// A, redundant rows included.
    jacobian: DMatrix<f64>,
    accelerations: Vec<f64>,
    /// `Aᵀ λ`
    forces: Vec<f64>,
    /// The shortest λ.
    multipliers: Vec<f64>,
    /// Wrenches through the joints, with that λ.
    reactions: Vec<f64>,
    /// Which components of the wrenches do not depend on the choice of λ.
    determined: Vec<bool>,
    condition: f64,
}

fn condition(mass: &DMatrix<f64>) -> f64 {
    let values = mass.symmetric_eigenvalues();
    values.max() / values.min()
}

fn expected(s: &Sample) -> Expected {
    let m = &s.mechanism;
    let (x, forces, projected) = dense(s, Formalism::Kane);
    let mass = implicit(Formalism::Kane, s).mass;
    let mass = DMatrix::from_fn(m.nv(), m.nv(), |i, j| mass[i][j]);
    let (jacobian, _) = matrix(s);
    let n = jacobian.nrows();
    // Columns of zeros make the matrix square, so that the whole of U comes out.
    let size = n.max(m.nv());
    let mut padded = DMatrix::zeros(n, size);
    padded.view_mut((0, 0), jacobian.shape()).copy_from(&jacobian);
    let svd = padded.svd(true, true);
    let u = svd.u.as_ref().unwrap();
    let null: Vec<usize> = (0..n).filter(|i| svd.singular_values[*i] < 1e-9).collect();
    let shortest = jacobian.transpose().svd(true, true).solve(&forces, 1e-9).unwrap();
    let wrenches = |lambda: &DVector<f64>| {
        at(s, |env| flat(&reactions(m, env, x.as_slice(), &constraint_rows(m, env), lambda.as_slice())))
    };
    let found = wrenches(&shortest);
    let mut determined = vec![true; found.len()];
    for column in null {
        let other = wrenches(&(&shortest + u.column(column)));
        let size = found.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (d, (a, b)) in determined.iter_mut().zip(other.iter().zip(&found)) {
            *d &= (a - b).abs() < 1e-9 * size;
        }
    }
    Expected {
        jacobian,
        accelerations: x.as_slice().to_vec(),
        forces: forces.as_slice().to_vec(),
        multipliers: shortest.as_slice().to_vec(),
        reactions: found,
        determined,
        // Forms that factor M see its condition, others that of what the constraints leave.
        condition: condition(&mass).max(projected).max(1.0),
    }
}

/// Accelerations, multipliers and reactions over the graph, by the interpreter.
fn over_graph(f: Formalism, s: &Sample, rows: usize) -> [Vec<f64>; 3] {
    let (mut values, _) = trace(s, |m, env| {
        let Forward { accelerations, multipliers, reactions, .. } = formalism::forward(f, m, env);
        let reactions = reactions.iter().flat_map(|w| [w.f.0, w.m.0]).flatten();
        accelerations.into_iter().chain(multipliers).chain(reactions).collect()
    });
    let reactions = values.split_off(s.mechanism.nv() + rows);
    let multipliers = values.split_off(s.mechanism.nv());
    [values, multipliers, reactions]
}

fn call(p: &Program, kind: FunctionKind, s: &Sample, place: &str) -> Vec<f64> {
    let mut a = Arguments::defaults(p);
    (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    let Some(mut machine) = Machine::new(p, kind) else { return Vec::new() };
    machine.call(&a).unwrap_or_else(|e| panic!("{place}: {e}")).to_vec()
}

/// The largest of what was seen, by form and quantity.
#[derive(Default)]
struct Worst(BTreeMap<(&'static str, &'static str), f64>);

impl Worst {
    fn see(&mut self, f: Formalism, what: &'static str, error: f64, place: &str) {
        assert!(error < LIMIT, "{place}: {}: {what}: {error:e}", f.name());
        let worst = self.0.entry((f.name(), what)).or_default();
        *worst = worst.max(error);
    }
}

/// Compares all on the mechanisms of a flavour; returns how many components of reactions are not determined.
fn agree(flavour: Flavour) -> usize {
    let mut worst = Worst::default();
    let (mut count, mut undetermined, mut unscaled) = (0, 0, 0.0f64);
    for (seed, flavour, s) in samples_of(flavour) {
        let s = prepared(&s, (seed, flavour));
        let m = &s.mechanism;
        let e = expected(&s);
        count += 1;
        undetermined += e.determined.iter().filter(|d| !**d).count();
        let place = format!("{flavour:?} {seed}, condition {:e}", e.condition);
        let some = |all: &[f64]| -> Vec<f64> {
            all.iter().zip(&e.determined).filter(|(_, d)| **d).map(|(x, _)| *x).collect()
        };
        let pulled = |lambda: &[f64]| -> Vec<f64> {
            (e.jacobian.transpose() * DVector::from_column_slice(lambda)).as_slice().to_vec()
        };
        let rows = at(&s, |env| constraint_rows(m, env));
        let known: Vec<f64> = (rows.iter().zip(&e.multipliers))
            .filter(|(r, _)| !m.constraints[r.constraint].undetermined.contains(&r.index))
            .map(|(_, x)| *x)
            .collect();
        let reactions = some(&e.reactions);
        for f in Formalism::ALL {
            let mut see = |what, found: &[f64], expected: &[f64]| {
                let error = relative(found, expected);
                worst.see(f, what, error / e.condition, &place);
                unscaled = unscaled.max(error);
            };
            let found = forward(f, &s);
            see("v̇ over f64", &found.accelerations, &e.accelerations);
            see("Aᵀλ over f64", &pulled(&found.multipliers), &e.forces);
            see("reactions over f64", &some(&flat(&found.reactions)), &reactions);
            let [a, lambda, r] = over_graph(f, &s, rows.len());
            see("v̇ over the graph", &a, &e.accelerations);
            see("Aᵀλ over the graph", &pulled(&lambda), &e.forces);
            see("reactions over the graph", &some(&r), &reactions);
            // The whole way of emitted code: lowered, every pass, interpreted.
            let functions = vec![FunctionKind::Dqdt, FunctionKind::Multipliers, FunctionKind::Reactions];
            let p = simplify(&lower(m, &Request { formalism: f, functions }, &Origin::default()));
            let dx = call(&p, FunctionKind::Dqdt, &s, &place);
            see("v̇ of the program", &dx[m.nq()..m.nq() + m.nv()], &e.accelerations);
            see("λ of the program", &call(&p, FunctionKind::Multipliers, &s, &place), &known);
            see(
                "reactions of the program",
                &some(&call(&p, FunctionKind::Reactions, &s, &place)),
                &reactions,
            );
        }
    }
    for ((form, what), error) in &worst.0 {
        println!("{flavour:?} {form:18} {what:26} {error:.1e}");
    }
    println!(
        "{flavour:?}: unscaled {unscaled:.1e}; {undetermined} components of reactions are not determined"
    );
    assert_eq!(count, EACH);
    undetermined
}

// A test a flavour, so that they run side by side.

#[test]
fn all_formalisms_agree_on_random_loops() {
    agree(Flavour::Loops);
}

#[test]
fn all_formalisms_agree_on_random_nonholonomic_constraints() {
    agree(Flavour::Nonholonomic);
}

#[test]
fn all_formalisms_agree_on_loops_with_nonholonomic_constraints() {
    agree(Flavour::Both);
}

#[test]
fn all_formalisms_agree_on_what_redundant_constraints_determine() {
    assert!(agree(Flavour::Redundant) > 0);
}
