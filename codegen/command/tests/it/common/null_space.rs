//! Random constrained mechanisms with reference solutions by singular values, a method that no
//! formalism uses.

#![allow(dead_code)]

use dqdt_derivation::assemble::assemble;
use dqdt_mechanics::formalism::{Formalism, reactions};
use dqdt_mechanics::kinematics::constraint_rows;
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;
use dqdt_spec::resolve::Resolved;
use nalgebra::{DMatrix, DVector};

use crate::common::{at, flatten_wrenches, implicit, relative};
use crate::constrained::{BODIES, Flavour, matrix, random_constrained};

pub const FLAVOURS: [Flavour; 4] = [Flavour::Loops, Flavour::Nonholonomic, Flavour::Both, Flavour::Redundant];
/// Number of mechanisms per flavour; twice as many in `just sweep-random`.
pub fn cases_per_flavour() -> usize {
    if std::env::var_os("DQDT_RANDOM_TREES").is_some() { 50 } else { cases_by_tier(4, 25) }
}

/// Random mechanisms of one flavour with at most `bodies` bodies.
pub fn samples_of(flavour: Flavour, bodies: usize) -> impl Iterator<Item = (u64, Flavour, Sample)> {
    (0..).filter_map(move |seed| Some((seed, flavour, random_constrained(seed, flavour, bodies)?)))
}

pub fn samples() -> impl Iterator<Item = (u64, Flavour, Sample)> {
    FLAVOURS.into_iter().flat_map(|flavour| samples_of(flavour, BODIES).take(cases_per_flavour()))
}

pub fn assert_below(x: f64, limit: f64, what: &str, place: (u64, Flavour)) {
    assert!(x < limit, "{place:?}: {what}: {x:e} against {limit:e}");
}

/// The sample with the partition that `assemble` chooses. Panics if assembly changes the state.
pub fn assembled_sample(s: &Sample, place: (u64, Flavour)) -> Sample {
    let assembly =
        assemble(Resolved::without_spec(s.mechanism.clone())).unwrap_or_else(|e| panic!("{place:?}: {e}"));
    let start = assembly.state.expect("assembled by construction");
    assert_eq!(start.start, 0);
    assert_below(relative(&start.q, &s.q), 1e-9, "q of the assembled start", place);
    assert_below(relative(&start.v, &s.v), 1e-9, "v of the assembled start", place);
    Sample { mechanism: assembly.mechanism, partition: assembly.partition, ..s.clone() }
}

/// Accelerations by the null space of A, the constraint forces `Aᵀ λ`, and the condition number of
/// the projected mass matrix.
pub fn null_space_solution(s: &Sample, f: Formalism) -> (DVector<f64>, DVector<f64>, f64) {
    let e = implicit(f, s);
    let nv = s.mechanism.nv();
    let mass = DMatrix::from_fn(nv, nv, |i, j| e.mass[i][j]);
    let right = DVector::from_fn(nv, |i, _| e.force[i] - e.c[i]);
    let rows = at(s, |env| constraint_rows(&s.mechanism, env));
    let gamma = DVector::from_iterator(rows.len(), rows.iter().map(|r| r.gamma));
    let (a, _) = matrix(s);
    // Rows of zeros make the matrix square, so that the SVD returns all of V.
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

/// Reference solution of a constrained mechanism by singular values.
pub struct Expected {
    /// The constraint Jacobian A, redundant rows included.
    pub jacobian: DMatrix<f64>,
    pub accelerations: Vec<f64>,
    /// The generalised constraint forces `Aᵀ λ`.
    pub forces: Vec<f64>,
    /// The minimum-norm multipliers λ.
    pub multipliers: Vec<f64>,
    /// Wrenches through the joints at these multipliers.
    pub reactions: Vec<f64>,
    /// True for components of the wrenches that do not depend on the choice of λ.
    pub determined: Vec<bool>,
    pub condition: f64,
}

fn condition(mass: &DMatrix<f64>) -> f64 {
    let values = mass.symmetric_eigenvalues();
    values.max() / values.min()
}

pub fn expected(s: &Sample) -> Expected {
    let m = &s.mechanism;
    let (x, forces, projected) = null_space_solution(s, Formalism::Kane);
    let mass = implicit(Formalism::Kane, s).mass;
    let mass = DMatrix::from_fn(m.nv(), m.nv(), |i, j| mass[i][j]);
    let (jacobian, _) = matrix(s);
    let n = jacobian.nrows();
    // Columns of zeros make the matrix square, so that the SVD returns all of U.
    let size = n.max(m.nv());
    let mut padded = DMatrix::zeros(n, size);
    padded.view_mut((0, 0), jacobian.shape()).copy_from(&jacobian);
    let svd = padded.svd(true, true);
    let u = svd.u.as_ref().unwrap();
    let null: Vec<usize> = (0..n).filter(|i| svd.singular_values[*i] < 1e-9).collect();
    let shortest = jacobian.transpose().svd(true, true).solve(&forces, 1e-9).unwrap();
    let wrenches = |lambda: &DVector<f64>| {
        at(s, |env| {
            flatten_wrenches(&reactions(m, env, x.as_slice(), &constraint_rows(m, env), lambda.as_slice()))
        })
    };
    let of_shortest = wrenches(&shortest);
    let mut determined = vec![true; of_shortest.len()];
    for column in null {
        let other = wrenches(&(&shortest + u.column(column)));
        let size = of_shortest.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (d, (a, b)) in determined.iter_mut().zip(other.iter().zip(&of_shortest)) {
            *d &= (a - b).abs() < 1e-9 * size;
        }
    }
    Expected {
        jacobian,
        accelerations: x.as_slice().to_vec(),
        forces: forces.as_slice().to_vec(),
        multipliers: shortest.as_slice().to_vec(),
        reactions: of_shortest,
        determined,
        // Errors grow with the condition of M in formalisms that factor M, otherwise with that of
        // the projected mass matrix.
        condition: condition(&mass).max(projected).max(1.0),
    }
}

impl Expected {
    /// The determined components of a list of wrench components.
    pub fn determined_of(&self, all: &[f64]) -> Vec<f64> {
        let both = all.iter().zip(&self.determined);
        both.filter(|(_, determined)| **determined).map(|(x, _)| *x).collect()
    }

    /// The multipliers determined by the motion; emitted programs return only these.
    pub fn determined_multipliers(&self, s: &Sample) -> Vec<f64> {
        let rows = at(s, |env| constraint_rows(&s.mechanism, env));
        rows.iter()
            .zip(&self.multipliers)
            .filter(|(r, _)| !s.partition.is_undetermined(r.row_index()))
            .map(|(_, x)| *x)
            .collect()
    }
}
