//! Dependent speeds by Gauss–Jordan elimination of the constraint rows, recorded in the graph.
//!
//! Problem: with `A v + a₀ = 0`, the dependent speeds d from the others i: `v = B v_i + b`,
//!          `v̇ = B v̇_i + β`.
//! Method:  Gauss–Jordan over the columns d; the pivot is the first entry that is not structurally
//!          zero:
//!          `B_d = −A_d⁻¹ A_i`, `b_d = −A_d⁻¹ a₀`, `β_d = A_d⁻¹ γ`.
//! Shapes:  as many dependent speeds as rows; all vectors have nv entries, in spec order.
//! Cost:    O(d² nv).
//! Limits:  rows must be independent; a pivot may vanish in some pose (an identity is proved where
//!          it exists).

use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::kinematics::{ConstraintRow, constraint_rows};
use dqdt_mechanics::mechanism::{Environment, Mechanism, SpeedId};

/// Reason why constraint rows do not determine the speeds that should be eliminated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EliminationError {
    /// Explanation of the failure in one line.
    pub message: String,
    /// Position of the speed concerned, in the list of dependent speeds.
    pub which: usize,
}

/// The map `v = B v_i + b` from independent to all speeds; columns of B for dependent speeds are
/// zero.
#[derive(Clone, Debug)]
pub struct Elimination<'g> {
    /// Dependent speeds, in the order of `rows`.
    dependent_speeds: Vec<SpeedId>,
    /// `−A_d⁻¹ A_i`: one row for each dependent speed, nv columns.
    rows: Vec<Vec<Tracer<'g>>>,
    /// `−A_d⁻¹ a₀`, one entry for each dependent speed.
    drift_vector: Vec<Tracer<'g>>,
    /// `A_d⁻¹`, the inverse of the block of the dependent speeds, by rows.
    inverse: Vec<Vec<Tracer<'g>>>,
}

impl<'g> Elimination<'g> {
    /// Elimination of the given speeds by all constraint rows of the mechanism, redundant rows
    /// excepted.
    ///
    /// # Errors
    /// If there are not as many speeds as rows, or a speed is in no row.
    pub fn new(
        m: &Mechanism,
        dependent: &[SpeedId],
        env: &Environment<'_, Tracer<'g>>,
    ) -> Result<Self, EliminationError> {
        let d = dependent.len();
        if d == 0 {
            return Elimination::from_rows(m, &[], &[]);
        }
        let still = vec![Tracer::ZERO; m.nv()];
        let mut rows = constraint_rows(m, &Environment { v: &still, ..*env });
        rows.retain(|row| row.is_independent(env.partition));
        if rows.len() != d {
            let s = if rows.len() == 1 { "" } else { "s" };
            let rows = format!("{} independent row{s}", rows.len());
            let message = format!("the constraints have {rows}, but {d} speeds are to be eliminated");
            return Err(EliminationError { message, which: d - 1 });
        }
        Elimination::from_rows(m, &rows, dependent)
    }

    /// Elimination of the given speeds by as many rows. Pivots are searched from the diagonal down,
    /// so row i keeps speed i wherever their entry is not zero.
    ///
    /// # Errors
    /// If a speed is in no row.
    pub fn from_rows(
        m: &Mechanism,
        rows: &[ConstraintRow<Tracer<'g>>],
        dependent: &[SpeedId],
    ) -> Result<Self, EliminationError> {
        let (nv, d) = (m.nv(), dependent.len());
        let mut elimination = Elimination {
            dependent_speeds: dependent.to_vec(),
            rows: Vec::new(),
            drift_vector: Vec::new(),
            inverse: Vec::new(),
        };
        // Columns: dependent speeds, all speeds (dependent ones zero), drift, unit matrix.
        let mut table: Vec<Vec<Tracer<'g>>> = (rows.iter().enumerate())
            .map(|(i, r)| {
                let dependent_entries = dependent.iter().map(|k| r.jacobian[*k]);
                let independent_entries =
                    m.speed_ids().map(|k| if dependent.contains(&k) { Tracer::ZERO } else { r.jacobian[k] });
                let unit = (0..d).map(|j| if i == j { Tracer::ONE } else { Tracer::ZERO });
                dependent_entries.chain(independent_entries).chain([r.drift]).chain(unit).collect()
            })
            .collect();
        for k in 0..d {
            let Some(pivot) = (k..d).find(|i| !table[*i][k].is_zero()) else {
                let name = &m.speeds[dependent[k]].name;
                return Err(EliminationError {
                    message: format!("the constraints do not determine the speed `{name}`"),
                    which: k,
                });
            };
            table.swap(k, pivot);
            let row: Vec<Tracer<'g>> = table[k].iter().map(|x| *x / table[k][k]).collect();
            for (i, other) in table.iter_mut().enumerate() {
                let factor = other[k];
                if i != k && !factor.is_zero() {
                    other.iter_mut().zip(&row).for_each(|(x, y)| *x = *x - factor * *y);
                }
            }
            table[k] = row;
        }
        for row in &table {
            elimination.rows.push(row[d..d + nv].iter().map(|x| -*x).collect());
            elimination.drift_vector.push(-row[d + nv]);
            elimination.inverse.push(row[d + nv + 1..].to_vec());
        }
        Ok(elimination)
    }

    /// The dependent speeds that the elimination computes.
    pub fn dependent(&self) -> &[SpeedId] {
        &self.dependent_speeds
    }

    /// The independent speeds, those that are not eliminated; `nv` is the number of all speeds.
    pub fn independent_speeds(&self, nv: usize) -> Vec<SpeedId> {
        SpeedId::range(nv).filter(|i| !self.dependent_speeds.contains(i)).collect()
    }

    /// The vector `b` of `v = B v_i + b`, nv entries.
    pub fn drift(&self, nv: usize) -> Vec<Tracer<'g>> {
        let mut out = vec![Tracer::ZERO; nv];
        self.dependent_speeds.iter().zip(&self.drift_vector).for_each(|(k, x)| out[*k] = *x);
        out
    }

    /// Column of `B` for an independent speed, nv entries.
    pub fn null_space_column(&self, nv: usize, free: SpeedId) -> Vec<Tracer<'g>> {
        SpeedId::range(nv).map(|k| self.null_space_entry(k, free)).collect()
    }

    /// Entry of `B` in the row of `speed` and the column of an independent speed.
    pub fn null_space_entry(&self, speed: SpeedId, free: SpeedId) -> Tracer<'g> {
        match self.dependent_speeds.iter().position(|d| *d == speed) {
            Some(row) => self.rows[row][free],
            None if speed == free => Tracer::ONE,
            None => Tracer::ZERO,
        }
    }

    /// Entry of `Bᵀ x` at an independent speed; `x` gives the entries of the vector.
    pub fn project_vector(&self, n: usize, free: SpeedId, x: impl Fn(SpeedId) -> Tracer<'g>) -> Tracer<'g> {
        SpeedId::range(n).fold(Tracer::ZERO, |sum, k| sum + self.null_space_entry(k, free) * x(k))
    }

    /// All speeds, nv entries, with the dependent ones computed from the others.
    pub fn complete_speeds(&self, v: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        let mut out = v.to_vec();
        for (k, (row, drift)) in self.dependent_speeds.iter().zip(self.rows.iter().zip(&self.drift_vector)) {
            out[*k] = dot(row, v) + *drift;
        }
        out
    }

    /// The vector β of `v̇ = B v̇_i + β`, from γ of the rows (at the completed speeds).
    pub fn acceleration_offset(&self, rows: &[ConstraintRow<Tracer<'g>>], nv: usize) -> Vec<Tracer<'g>> {
        let gamma: Vec<Tracer<'g>> = rows.iter().map(|r| r.gamma).collect();
        let mut out = vec![Tracer::ZERO; nv];
        for (k, inverse) in self.dependent_speeds.iter().zip(&self.inverse) {
            out[*k] = dot(inverse, &gamma);
        }
        out
    }

    /// Overwrites the dependent accelerations in `a` by those that follow from the others.
    pub fn complete_accelerations(&self, a: &mut [Tracer<'g>], beta: &[Tracer<'g>]) {
        let accelerations = a.to_vec();
        for (k, row) in self.dependent_speeds.iter().zip(&self.rows) {
            a[*k] = dot(row, &accelerations) + beta[*k];
        }
    }
}
