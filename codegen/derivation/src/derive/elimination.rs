//! Dependent speeds that eliminated constraints determine from the independent ones.
//!
//! Problem: with `A_e = [A_d A_i]` of the eliminated rows, `v_d = −A_d⁻¹ (A_i v_i + a₀)`.
//! Method:  `A_d` is factored in the order of rows and speeds that `assemble` chose
//!          (`Partition::eliminated`). If every order of pivots vanishes somewhere but `A_d` stays
//!          non-singular, `A_dᵀ A_d` is factored instead, and right-hand sides are multiplied by
//!          `A_dᵀ`.
//! Cost:    the cube of the number of pairs, and a solve for each independent speed.

use std::sync::Arc;

use dqdt_algebra::{DenseFactors, Scalar, dot};
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::Pivot;
use dqdt_mechanics::kinematics::{self, ConstraintRow, Selection};
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition, PivotPlace, SpeedId};

/// Factors of `A_d`, or of `A_dᵀ A_d`, to solve for the dependent speeds.
#[derive(Clone, Debug)]
pub(super) struct Solver<'g> {
    factors: DenseFactors<Tracer<'g>>,
    /// `A_d` by rows, if `A_dᵀ A_d` is factored.
    combined: Option<Vec<Vec<Tracer<'g>>>>,
}

impl<'g> Solver<'g> {
    /// Returns `A_d⁻¹ b`, where A_d is the block of the dependent speeds.
    pub(super) fn solve(&self, b: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        match &self.combined {
            None => self.factors.solve(b),
            Some(rows) => self.factors.solve(&transposed_times(rows, b)),
        }
    }

    /// Returns `A_d⁻ᵀ c`, where A_d is the block of the dependent speeds.
    pub(super) fn solve_transposed(&self, c: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        match &self.combined {
            None => self.factors.solve_transposed(c),
            Some(rows) => {
                let x = self.factors.solve_transposed(c);
                rows.iter().map(|row| dot(row, &x)).collect()
            }
        }
    }
}

/// `Aᵀ b` of a square matrix A by rows.
fn transposed_times<'g>(rows: &[Vec<Tracer<'g>>], b: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    (0..b.len()).map(|i| dot(&rows.iter().map(|row| row[i]).collect::<Vec<_>>(), b)).collect()
}

/// Elimination of the dependent speeds by the eliminated constraint rows.
#[derive(Clone, Debug)]
pub(super) struct Elimination<'g> {
    /// Eliminated rows with their dependent speeds, in the order of elimination.
    pub(super) pairs: Vec<PivotPlace>,
    /// Independent speeds, in the order of the mechanism's speeds.
    pub(super) independent: Vec<SpeedId>,
    /// Factors of the block `A_d` of the dependent speeds.
    pub(super) solver: Solver<'g>,
    /// `A_d⁻¹ A_i`, one column for each independent speed.
    columns: Vec<Vec<Tracer<'g>>>,
}

impl<'g> Elimination<'g> {
    /// Factors the eliminated rows; `None` if there are none. Only the Jacobian of `rows` is used.
    fn new(m: &Mechanism, partition: &Partition, rows: &[ConstraintRow<Tracer<'g>>]) -> Option<Self> {
        let pairs = partition.eliminated.clone();
        if pairs.is_empty() {
            return None;
        }
        let square: Vec<Vec<Tracer<'g>>> =
            pairs.iter().map(|p| pairs.iter().map(|q| rows[p.row.0].jacobian[q.column]).collect()).collect();
        let combined = partition.eliminated_as_block.then(|| square.clone());
        let factors = DenseFactors::new(match &combined {
            None => square,
            Some(rows) => {
                let columns = (0..rows.len()).map(|j| rows.iter().map(|row| row[j]).collect::<Vec<_>>());
                let normal = columns.map(|column| transposed_times(rows, &column));
                normal.collect()
            }
        });
        let solver = Solver { factors, combined };
        let independent: Vec<SpeedId> =
            m.speed_ids().filter(|i| !pairs.iter().any(|p| p.speed() == *i)).collect();
        let columns: Vec<Vec<Tracer<'g>>> = independent
            .iter()
            .map(|j| solver.solve(&pairs.iter().map(|p| rows[p.row.0].jacobian[*j]).collect::<Vec<_>>()))
            .collect();
        for (j, column) in independent.iter().zip(&columns) {
            for (x, p) in column.iter().zip(&pairs) {
                x.suggest_name(&|| {
                    format!("neg_N_{}_{}", m.speed_name_stem(p.speed()), m.speed_name_stem(*j))
                });
            }
        }
        Some(Elimination { pairs, independent, solver, columns })
    }

    /// Vector of nv entries: `independent`, and `dependent − A_d⁻¹ A_i independent` at the
    /// dependent speeds.
    pub(super) fn fill_all_speeds(
        &self,
        nv: usize,
        dependent: &[Tracer<'g>],
        independent: &[Tracer<'g>],
    ) -> Vec<Tracer<'g>> {
        let mut all = vec![Tracer::ZERO; nv];
        for (i, x) in self.independent.iter().zip(independent) {
            all[*i] = *x;
        }
        for (d, p) in self.pairs.iter().enumerate() {
            all[p.column] = self.columns.iter().zip(independent).fold(dependent[d], |sum, (column, x)| {
                if column[d].is_zero() { sum } else { sum - column[d] * *x }
            });
        }
        all
    }

    /// Named pivots of the dependent speeds, which emitted functions check.
    pub(super) fn dependent_speed_pivots(
        &self,
        rows: &[ConstraintRow<Tracer<'g>>],
    ) -> Vec<Pivot<Tracer<'g>>> {
        let squared = self.solver.combined.is_some();
        let values = self.pairs.iter().zip(self.solver.factors.pivots());
        values.map(|(p, d)| Pivot { squared, ..Pivot::row_pivot(&rows[p.row.0].name, d, None) }).collect()
    }

    /// True if the active constraint row with this index is eliminated.
    pub(super) fn is_eliminated(&self, row: usize) -> bool {
        self.pairs.iter().any(|p| p.row.0 == row)
    }
}

/// All speeds, with dependent ones expressed by the independent ones, and their elimination; `None`
/// without eliminated rows.
pub(super) fn express_dependent_speeds<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<(Vec<Tracer<'g>>, Elimination<'g>)> {
    let rows = Selection::new(m, env.partition, &kinematics::constraint_rows(m, env)).rows;
    let e = Elimination::new(m, env.partition, &rows)?;
    let right: Vec<Tracer<'g>> = e.pairs.iter().map(|p| -rows[p.row.0].drift).collect();
    let independent: Vec<Tracer<'g>> = e.independent.iter().map(|i| env.v[*i]).collect();
    let all = e.fill_all_speeds(m.nv(), &e.solver.solve(&right), &independent);
    let section: Arc<str> = Arc::from("dependent speeds");
    for PivotPlace { column: speed, .. } in &e.pairs {
        graph.label(all[*speed].id(graph), &format!("dependent_{}", m.speeds[*speed].name), &section);
    }
    Some((all, e))
}
