//! Closure of loops in independent coordinates.
//!
//! Problem: in a mechanism with loops some coordinates are given, by encoders or by a planner; the
//!          others follow from `Φ(q, t) = 0`.
//! Method:  Newton's method from the current coordinates (warm start), with a fixed number of
//!          corrections, each `∂Φ/∂q_d Δq_d = −Φ` by Gauss-Jordan elimination with the largest
//!          entry of a row as its pivot. The derivative is that of the implicit function,
//!          `∂q_d/∂q_i = −(∂Φ/∂q_d)⁻¹ ∂Φ/∂q_i`, at the solution. Speeds follow in the same way from
//!          `Ψ(q, v, t) = 0`, which is linear in them, by one correction.
//! Rows:    all are used. A redundant row adds nothing, and its residual shows whether it is
//!          consistent. The norm of a quaternion is an additional row.
//! Units:   those of the constraints and of the state.
//! Limits:  no global search: from a distant start, or across a dead point, it may find another
//!          branch, or none. Check the residual and the rank.

use crate::constrained::{ConstrainedSystem, machine_epsilon};
use crate::real::Real;

/// Result of closing the loops of a mechanism by [`close_coordinates`] or [`close_speeds`]:
/// residual, rank and derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "only this result reports loops that did not close"]
pub struct Closure<T, const NX: usize, const NI: usize> {
    /// Largest absolute residual of the constraints that remains, each in the unit of its row. NaN
    /// if the state or the constraints are not finite; the state is unchanged then.
    pub residual: T,
    /// Largest absolute entry of the last Newton correction. If the iteration converges, the
    /// remaining error is far smaller.
    pub correction: T,
    /// Rank of the constraint Jacobian in the dependent entries, `∂Φ/∂q_d`, including the norms of
    /// quaternions.
    pub rank: usize,
    /// Number of dependent coordinates or speeds. If the rank is lower, at a dead point or with too
    /// few independent entries, the constraints do not determine all of them: some kept their
    /// values.
    pub dependent: usize,
    /// Derivative `∂x/∂q_i` or `∂x/∂v_i` of each entry of the state by the independent entries, in
    /// the order of their indices. One for an independent entry by itself; zero for entries that
    /// were not closed.
    pub by_independent: [[T; NI]; NX],
}

impl<T: Real<Mask = bool>, const NX: usize, const NI: usize> Closure<T, NX, NI> {
    /// Returns `true` if the loops are closed: no residual exceeds the tolerance and all dependent
    /// entries are determined.
    pub fn is_closed(&self, tolerance: T) -> bool {
        self.residual.is_le(tolerance) && self.rank == self.dependent
    }
}

/// Computes the dependent coordinates so that the position constraints hold. The independent
/// coordinates, stated by their indices in the state, keep their values.
///
/// `corrections` is the number of Newton steps. Each costs one evaluation of the constraints with
/// their derivatives, and an elimination. Three are enough from the solution of the control cycle
/// before. Does not allocate.
///
/// ```
/// use dqdt::loops::close_coordinates;
/// # use dqdt::{ConstrainedSystem, Singular, System};
/// # /// A point on a circle of radius 1.
/// # struct Circle;
/// # impl System<f64, 4, 0> for Circle {
/// #     const NQ: usize = 2;
/// #     const NV: usize = 2;
/// #     fn dqdt(&self, _: f64, _: &[f64; 4], _: &[f64; 0], _: &mut [f64; 4]) -> Result<(), Singular> { Ok(()) }
/// # }
/// # impl ConstrainedSystem<f64, 4, 0, 1, 1> for Circle {
/// #     fn position(&self, _: f64, x: &[f64; 4], residual: &mut [f64; 1], jacobian: &mut [[f64; 4]; 1]) {
/// #         *residual = [x[0] * x[0] + x[1] * x[1] - 1.0];
/// #         *jacobian = [[2.0 * x[0], 2.0 * x[1], 0.0, 0.0]];
/// #     }
/// #     fn velocity(&self, _: f64, _: &[f64; 4], _: &mut [f64; 1], _: &mut [[f64; 4]; 1]) {}
/// # }
/// // A point on a circle: y follows x.
/// let mut x = [0.6, 0.7, 0.0, 0.0];
/// let found = close_coordinates(&Circle, 0.0, &mut x, &[0], 4);
/// assert!(found.is_closed(1e-12) && (x[1] - 0.8).abs() < 1e-12);
/// assert!((found.by_independent[1][0] + 0.75).abs() < 1e-12);
/// ```
pub fn close_coordinates<
    T,
    S,
    const NX: usize,
    const NU: usize,
    const NP: usize,
    const NS: usize,
    const NI: usize,
>(
    system: &S,
    t: T,
    x: &mut [T; NX],
    independent: &[usize; NI],
    corrections: usize,
) -> Closure<T, NX, NI>
where
    T: Real<Mask = bool>,
    S: ConstrainedSystem<T, NX, NU, NP, NS> + ?Sized,
{
    const {
        assert!(S::NQ + S::NV <= NX, "NX must be at least NQ + NV");
    }
    let range = ClosedRange { start: 0, end: S::NQ, independent, quaternions: S::QUATERNIONS };
    close_by_newton(x, &range, corrections, |x, residual, jacobian| system.position(t, x, residual, jacobian))
}

/// Computes the dependent speeds so that the velocity constraints hold. The coordinates, and the
/// independent speeds, stated by their indices in the state, keep their values.
pub fn close_speeds<
    T,
    S,
    const NX: usize,
    const NU: usize,
    const NP: usize,
    const NS: usize,
    const NI: usize,
>(
    system: &S,
    t: T,
    x: &mut [T; NX],
    independent: &[usize; NI],
) -> Closure<T, NX, NI>
where
    T: Real<Mask = bool>,
    S: ConstrainedSystem<T, NX, NU, NP, NS> + ?Sized,
{
    const {
        assert!(S::NQ + S::NV <= NX, "NX must be at least NQ + NV");
    }
    let range = ClosedRange { start: S::NQ, end: S::NQ + S::NV, independent, quaternions: &[] };
    close_by_newton(x, &range, 1, |x, residual, jacobian| system.velocity(t, x, residual, jacobian))
}

/// The entries of the state for which loops are closed: all coordinates or all speeds, with the
/// independent ones.
struct ClosedRange<'a, const NI: usize> {
    start: usize,
    end: usize,
    independent: &'a [usize; NI],
    quaternions: &'a [usize],
}

impl<const NI: usize> ClosedRange<'_, NI> {
    /// True if the entry `i` of the state is computed from the constraints.
    fn is_dependent(&self, i: usize) -> bool {
        i >= self.start && i < self.end && !self.independent.contains(&i)
    }

    /// Start of each quaternion with dependent components, and the component that follows from its
    /// norm: the largest of those.
    fn eliminated_quaternions<'b, T: Real<Mask = bool>, const NX: usize>(
        &'b self,
        x: &'b [T; NX],
    ) -> impl Iterator<Item = (usize, usize)> + 'b {
        let starts = self.quaternions.iter().copied().filter(|s| s + 4 <= self.end);
        starts.filter_map(move |start| {
            let dependent = (start..start + 4).filter(|i| self.is_dependent(*i));
            let largest = dependent.reduce(|a, b| if x[b].abs().is_gt(x[a].abs()) { b } else { a })?;
            x[largest].abs().is_gt(T::ZERO).then_some((start, largest))
        })
    }
}

/// Error of a quaternion's norm at index `start` of the state: half of `|e|² − 1`.
fn quaternion_norm_error<T: Real, const NX: usize>(x: &[T; NX], start: usize) -> T {
    let square = (start..start + 4).fold(T::ZERO, |sum, i| sum + x[i] * x[i]);
    T::from_f64(0.5) * (square - T::ONE)
}

/// Closes loops in a range of the state by Newton's method with a fixed number of corrections.
fn close_by_newton<T: Real<Mask = bool>, const NX: usize, const NC: usize, const NI: usize>(
    x: &mut [T; NX],
    range: &ClosedRange<'_, NI>,
    corrections: usize,
    mut evaluate: impl FnMut(&[T; NX], &mut [T; NC], &mut [[T; NX]; NC]),
) -> Closure<T, NX, NI> {
    let mut at = *x;
    let mut closure = Closure {
        residual: T::ZERO,
        correction: T::ZERO,
        rank: 0,
        dependent: (range.start..range.end).filter(|i| range.is_dependent(*i)).count(),
        by_independent: [[T::ZERO; NI]; NX],
    };
    for left in (0..=corrections).rev() {
        let (mut residual, mut rows) = ([T::ZERO; NC], [[T::ZERO; NX]; NC]);
        evaluate(&at, &mut residual, &mut rows);
        let norms =
            range.quaternions.iter().filter(|s| *s + 4 <= range.end).map(|s| quaternion_norm_error(&at, *s));
        // A comparison with NaN is false, so NaN is kept.
        closure.residual = norms
            .chain(residual)
            .fold(T::ZERO, |largest, x| if x.abs().is_le(largest) { largest } else { x.abs() });
        if !closure.residual.is_finite() {
            return Closure {
                residual: T::from_f64(f64::NAN),
                rank: 0,
                by_independent: [[T::ZERO; NI]; NX],
                ..closure
            };
        }
        let pivots = eliminate_rows(&at, range, &mut residual, &mut rows);
        closure.rank = pivots.iter().flatten().count() + range.eliminated_quaternions(&at).count();
        if left > 0 {
            closure.correction = apply_correction(&mut at, range, &pivots, &residual);
        } else {
            closure.by_independent = derivatives_by_independent(&at, range, &pivots, &rows);
        }
    }
    *x = at;
    closure
}

/// Gauss-Jordan elimination: brings the rows to the form `δ_pivot + Σ row δ = −residual`, with sums
/// over independent or undetermined entries. Returns the pivot of each row, if it has one. One
/// component of each quaternion is eliminated by its norm.
fn eliminate_rows<T: Real<Mask = bool>, const NX: usize, const NC: usize, const NI: usize>(
    x: &[T; NX],
    range: &ClosedRange<'_, NI>,
    residual: &mut [T; NC],
    rows: &mut [[T; NX]; NC],
) -> [Option<usize>; NC] {
    let mut open: [bool; NX] = core::array::from_fn(|i| range.is_dependent(i));
    // Includes independent entries: at a dead point all other entries of a row are rounding errors.
    let sizes: [T; NC] =
        core::array::from_fn(|i| rows[i][range.start..range.end].iter().fold(T::ZERO, |m, x| m.max(x.abs())));
    for (start, c) in range.eliminated_quaternions(x) {
        let scale = x[c].recip();
        for (row, r) in rows.iter_mut().zip(residual.iter_mut()) {
            let by = row[c] * scale;
            *r -= by * quaternion_norm_error(x, start);
            (start..start + 4).for_each(|i| row[i] -= by * x[i]);
            row[c] = T::ZERO;
        }
        open[c] = false;
    }
    let dependent = T::from_f64(1e-10).max(T::from_f64(8.0) * machine_epsilon());
    let mut pivots = [None; NC];
    loop {
        let mut best = (dependent, None);
        for i in (0..NC).filter(|i| pivots[*i].is_none() && sizes[*i].is_gt(T::ZERO)) {
            for j in (0..NX).filter(|j| open[*j]) {
                let size = rows[i][j].abs() / sizes[i];
                if size.is_gt(best.0) {
                    best = (size, Some((i, j)));
                }
            }
        }
        let Some((i, j)) = best.1 else { return pivots };
        let scale = rows[i][j].recip();
        rows[i].iter_mut().for_each(|x| *x *= scale);
        residual[i] *= scale;
        (pivots[i], open[j]) = (Some(j), false);
        let (row, row_residual) = (rows[i], residual[i]);
        for k in (0..NC).filter(|k| *k != i) {
            let by = rows[k][j];
            rows[k].iter_mut().zip(&row).for_each(|(x, y)| *x -= by * *y);
            rows[k][j] = T::ZERO;
            residual[k] -= by * row_residual;
        }
    }
}

/// Adds the Newton correction to the dependent entries. Returns the largest change.
fn apply_correction<T: Real<Mask = bool>, const NX: usize, const NC: usize, const NI: usize>(
    x: &mut [T; NX],
    range: &ClosedRange<'_, NI>,
    pivots: &[Option<usize>; NC],
    residual: &[T; NC],
) -> T {
    let mut step = [T::ZERO; NX];
    for (pivot, r) in pivots.iter().zip(residual) {
        if let Some(j) = pivot {
            step[*j] = -*r;
        }
    }
    for (start, c) in range.eliminated_quaternions(x) {
        let others = (start..start + 4).filter(|i| *i != c).fold(T::ZERO, |sum, i| sum + x[i] * step[i]);
        step[c] = -(quaternion_norm_error(x, start) + others) / x[c];
    }
    x.iter_mut().zip(step).for_each(|(x, d)| *x += d);
    step.iter().fold(T::ZERO, |m, d| m.max(d.abs()))
}

/// Derivatives of all entries by the independent ones, from the eliminated rows.
fn derivatives_by_independent<T: Real<Mask = bool>, const NX: usize, const NC: usize, const NI: usize>(
    x: &[T; NX],
    range: &ClosedRange<'_, NI>,
    pivots: &[Option<usize>; NC],
    rows: &[[T; NX]; NC],
) -> [[T; NI]; NX] {
    let mut out = [[T::ZERO; NI]; NX];
    for (k, i) in range.independent.iter().copied().enumerate() {
        if i < range.start || i >= range.end {
            continue;
        }
        out[i][k] = T::ONE;
        for (pivot, row) in pivots.iter().zip(rows) {
            if let Some(j) = pivot {
                out[*j][k] = -row[i];
            }
        }
    }
    for (start, c) in range.eliminated_quaternions(x) {
        for k in 0..NI {
            let others =
                (start..start + 4).filter(|i| *i != c).fold(T::ZERO, |sum, i| sum + x[i] * out[i][k]);
            out[c][k] = -others / x[c];
        }
    }
    out
}
