//! The 200 random constrained mechanisms, and their accelerations by singular values: a way that no formalism goes.

#![allow(dead_code)]

use dqdt_codegen::assembly::{Held, prepare};
use dqdt_codegen::formalism::Formalism;
use dqdt_codegen::kinematics::constraint_rows;
use dqdt_codegen::mechanism::random::Sample;
use nalgebra::{DMatrix, DVector};

use super::common::{at, implicit, relative};
use super::constrained::{Flavour, matrix, random_constrained};

pub const FLAVOURS: [Flavour; 4] = [Flavour::Loops, Flavour::Nonholonomic, Flavour::Both, Flavour::Redundant];
/// Mechanisms of each flavour.
pub const EACH: usize = 50;

/// Mechanisms of one flavour.
pub fn samples_of(flavour: Flavour) -> impl Iterator<Item = (u64, Flavour, Sample)> {
    (0..).filter_map(move |seed| Some((seed, flavour, random_constrained(seed, flavour)?))).take(EACH)
}

pub fn samples() -> impl Iterator<Item = (u64, Flavour, Sample)> {
    FLAVOURS.into_iter().flat_map(samples_of)
}

pub fn below(x: f64, limit: f64, what: &str, place: (u64, Flavour)) {
    assert!(x < limit, "{place:?}: {what}: {x:e} against {limit:e}");
}

/// Lets `prepare` find the ranks; the state must stay as it is.
pub fn prepared(s: &Sample, place: (u64, Flavour)) -> Sample {
    let mut out = s.clone();
    let m = &mut out.mechanism;
    let held = Held { coordinates: vec![false; m.nq()], speeds: vec![false; m.nv()] };
    let found = prepare(m, &held);
    let start = found.start.expect("assembled by construction");
    assert_eq!(start.start, 0);
    below(relative(&start.q, &s.q), 1e-9, "q of the assembled start", place);
    below(relative(&start.v, &s.v), 1e-9, "v of the assembled start", place);
    out
}

/// Accelerations by the null space of A, `Aᵀ λ`, and the condition of the projected mass matrix.
pub fn dense(s: &Sample, f: Formalism) -> (DVector<f64>, DVector<f64>, f64) {
    let e = implicit(f, s);
    let nv = s.mechanism.nv();
    let mass = DMatrix::from_fn(nv, nv, |i, j| e.mass[i][j]);
    let right = DVector::from_fn(nv, |i, _| e.force[i] - e.c[i]);
    let rows = at(s, |env| constraint_rows(&s.mechanism, env));
    let gamma = DVector::from_iterator(rows.len(), rows.iter().map(|r| r.gamma));
    let (a, _) = matrix(s);
    // Rows of zeros make the matrix square, so that the whole of V comes out.
    let size = nv.max(a.nrows());
    let mut padded = DMatrix::zeros(size, nv);
    padded.view_mut((0, 0), a.shape()).copy_from(&a);
    let svd = padded.svd(true, true);
    let v = svd.v_t.as_ref().unwrap().transpose();
    let free: Vec<usize> = (0..nv).filter(|i| svd.singular_values[*i] < 1e-9).collect();
    let basis = v.select_columns(&free);
    let mut padded_gamma = DVector::zeros(size);
    padded_gamma.rows_mut(0, rows.len()).copy_from(&gamma);
    let particular = svd.solve(&padded_gamma, 1e-9).unwrap();
    let projected = basis.transpose() * &mass * &basis;
    let values = projected.clone().symmetric_eigenvalues();
    let condition = values.max() / values.min();
    let w =
        projected.cholesky().expect("positive").solve(&(basis.transpose() * (&right - &mass * &particular)));
    let x = particular + basis * w;
    let reactions = &mass * &x - right;
    (x, reactions, condition)
}
