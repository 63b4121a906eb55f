//! Speeds that linear constraints give from the others, over the graph.
//!
//! Problem: with `A v + a₀ = 0`, the dependent speeds d from the others i: `v = B v_i + b`, `v̇ = B v̇_i + β`.
//! Method:  Gauss and Jordan over the columns d, the first entry that is not structurally zero as pivot:
//! `B_d = −A_d⁻¹ A_i`, `b_d = −A_d⁻¹ a₀`, `β_d = A_d⁻¹ γ`.
//! Shapes:  as many dependent speeds as rows; all vectors have nv entries, in spec order.
//! Cost:    O(d² nv).
//! Not handled: rows that depend on each other; a pivot that vanishes at some pose (an identity is proved where it exists).

use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::kinematics::{ConstraintRow, constraint_rows};
use dqdt_mechanics::mechanism::{Environment, Mechanism, SpeedId};

/// Why speeds cannot be eliminated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// In one line.
    pub message: String,
    /// Which of the dependent speeds.
    pub which: usize,
}

/// `v = B v + b`, where the dependent speeds have no columns.
#[derive(Clone, Debug)]
pub struct Elimination<'g> {
    dependent: Vec<SpeedId>,
    /// `−A_d⁻¹ A_i`, a row a dependent speed.
    rows: Vec<Vec<Tracer<'g>>>,
    /// `−A_d⁻¹ a₀`
    drift: Vec<Tracer<'g>>,
    /// `A_d⁻¹`
    inverse: Vec<Vec<Tracer<'g>>>,
}

impl<'g> Elimination<'g> {
    /// The elimination of these speeds by all constraints of the mechanism, without the rows that
    /// follow from others in every pose.
    ///
    /// # Errors
    /// If there are not as many speeds as rows, or a speed is in no row.
    pub fn new(
        m: &Mechanism,
        dependent: &[SpeedId],
        env: &Environment<'_, Tracer<'g>>,
    ) -> Result<Self, Failed> {
        let d = dependent.len();
        if d == 0 {
            return Elimination::of_rows(m, &[], &[]);
        }
        let still = vec![Tracer::ZERO; m.nv()];
        let mut rows = constraint_rows(m, &Environment { v: &still, ..*env });
        rows.retain(|row| row.independent(env.partition));
        if rows.len() != d {
            let s = if rows.len() == 1 { "" } else { "s" };
            let rows = format!("{} independent row{s}", rows.len());
            let message = format!("the constraints have {rows}, but {d} speeds are eliminated");
            return Err(Failed { message, which: d - 1 });
        }
        Elimination::of_rows(m, &rows, dependent)
    }

    /// The elimination of these speeds by as many rows. Where the first row has an entry at the first speed it is the
    /// first pivot, and so on: rows and speeds that were paired before stay so.
    ///
    /// # Errors
    /// If a speed is in no row.
    pub fn of_rows(
        m: &Mechanism,
        rows: &[ConstraintRow<Tracer<'g>>],
        dependent: &[SpeedId],
    ) -> Result<Self, Failed> {
        let (nv, d) = (m.nv(), dependent.len());
        let mut solved = Elimination {
            dependent: dependent.to_vec(),
            rows: Vec::new(),
            drift: Vec::new(),
            inverse: Vec::new(),
        };
        // Columns: those of the dependent speeds, of all others, the drift, the unit matrix.
        let mut table: Vec<Vec<Tracer<'g>>> = (rows.iter().enumerate())
            .map(|(i, r)| {
                let own = dependent.iter().map(|k| r.jacobian[*k]);
                let others =
                    m.speed_ids().map(|k| if dependent.contains(&k) { Tracer::ZERO } else { r.jacobian[k] });
                let unit = (0..d).map(|j| if i == j { Tracer::ONE } else { Tracer::ZERO });
                own.chain(others).chain([r.drift]).chain(unit).collect()
            })
            .collect();
        for k in 0..d {
            let Some(pivot) = (k..d).find(|i| !table[*i][k].is_zero()) else {
                let name = &m.speeds[dependent[k]].name;
                return Err(Failed {
                    message: format!("the constraints do not give the speed `{name}`"),
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
            solved.rows.push(row[d..d + nv].iter().map(|x| -*x).collect());
            solved.drift.push(-row[d + nv]);
            solved.inverse.push(row[d + nv + 1..].to_vec());
        }
        Ok(solved)
    }

    /// The speeds that the rows give.
    pub fn dependent(&self) -> &[SpeedId] {
        &self.dependent
    }

    /// The speeds that stay.
    pub fn free(&self, nv: usize) -> Vec<SpeedId> {
        SpeedId::range(nv).filter(|i| !self.dependent.contains(i)).collect()
    }

    /// `b` of `v = B v_i + b`.
    pub fn drift(&self, nv: usize) -> Vec<Tracer<'g>> {
        let mut out = vec![Tracer::ZERO; nv];
        self.dependent.iter().zip(&self.drift).for_each(|(k, x)| out[*k] = *x);
        out
    }

    /// The column of `B` of a speed that stays.
    pub fn column(&self, nv: usize, free: SpeedId) -> Vec<Tracer<'g>> {
        SpeedId::range(nv).map(|k| self.entry(k, free)).collect()
    }

    /// `B` at a speed and a speed that is not eliminated.
    pub fn entry(&self, speed: SpeedId, free: SpeedId) -> Tracer<'g> {
        match self.dependent.iter().position(|d| *d == speed) {
            Some(row) => self.rows[row][free],
            None if speed == free => Tracer::ONE,
            None => Tracer::ZERO,
        }
    }

    /// The entry of `Bᵀ x` at a speed that is not eliminated.
    pub fn project(&self, n: usize, free: SpeedId, x: impl Fn(SpeedId) -> Tracer<'g>) -> Tracer<'g> {
        SpeedId::range(n).fold(Tracer::ZERO, |sum, k| sum + self.entry(k, free) * x(k))
    }

    /// The speeds, the dependent ones from the others.
    pub fn speeds(&self, v: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        let mut out = v.to_vec();
        for (k, (row, drift)) in self.dependent.iter().zip(self.rows.iter().zip(&self.drift)) {
            out[*k] = dot(row, v) + *drift;
        }
        out
    }

    /// β of `v̇ = B v̇_i + β`, from the rows of the constraints at the speeds.
    pub fn beta(&self, rows: &[ConstraintRow<Tracer<'g>>], nv: usize) -> Vec<Tracer<'g>> {
        let gamma: Vec<Tracer<'g>> = rows.iter().map(|r| r.gamma).collect();
        let mut out = vec![Tracer::ZERO; nv];
        for (k, inverse) in self.dependent.iter().zip(&self.inverse) {
            out[*k] = dot(inverse, &gamma);
        }
        out
    }

    /// The dependent accelerations from the others.
    pub fn complete(&self, a: &mut [Tracer<'g>], beta: &[Tracer<'g>]) {
        let given = a.to_vec();
        for (k, row) in self.dependent.iter().zip(&self.rows) {
            a[*k] = dot(row, &given) + beta[*k];
        }
    }
}
