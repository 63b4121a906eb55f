//! Projection of a state onto its constraints.
//!
//! Problem: integration leaves the manifold `Φ(q, t) = 0`, `Ψ(q, v, t) = 0` of a constrained
//!          mechanism step by step.
//! Method:  Gauss-Newton with the shortest correction (all components have the same weight):
//!          `Δq = −Jᵀ (J Jᵀ)⁻¹ Φ` until the residual is small, then the same for the speeds at
//!          fixed `q`. All rows are used. A row that depends on the rows before it is left out of
//!          the solution, and is satisfied if the constraints are consistent.
//! Limits:  one state at a time. Coordinates on a curved space (quaternions) are corrected as plain
//!          numbers and then normalised by [`System::project`].

use core::fmt;

use crate::real::Real;
use crate::system::System;

/// A [`System`] whose state must satisfy constraints (closed loops, rolling). Used by projection
/// and by `integrate_constrained`.
///
/// `NP` is the number of rows of `Φ`, the constraints on coordinates. `NS` is the number of rows of
/// `Ψ`, all constraints on speeds: the time derivatives of `Φ`, and the nonholonomic ones.
pub trait ConstrainedSystem<T: Real, const NX: usize, const NU: usize, const NP: usize, const NS: usize>:
    System<T, NX, NU>
{
    /// Writes the position constraints `Φ(q, t)` and their Jacobian `∂Φ/∂x`, of shape NP×NX; only
    /// its first `NQ` columns are read.
    fn position(&self, t: T, x: &[T; NX], residual: &mut [T; NP], jacobian: &mut [[T; NX]; NP]);

    /// Writes the velocity constraints `Ψ(q, v, t)` and their Jacobian `∂Ψ/∂x`, of shape NS×NX;
    /// only its columns `NQ` to `NQ + NV` are read.
    fn velocity(&self, t: T, x: &[T; NX], residual: &mut [T; NS], jacobian: &mut [[T; NX]; NS]);
}

/// Error of [`project_constraints`]: the state could not be brought onto its constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotAssembled<T> {
    /// Largest absolute entry of the final residual, in the unit of its constraint.
    pub residual: T,
}

impl<T: fmt::Debug> fmt::Display for NotAssembled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the state could not be projected onto the constraints; the remaining residual is {:?}",
            self.residual
        )
    }
}

impl<T: fmt::Debug> core::error::Error for NotAssembled<T> {}

/// Maximum number of Gauss-Newton corrections in a projection.
const ITERATIONS: usize = 25;

/// Projects the coordinates and speeds of a state onto its constraints, by the shortest correction.
///
/// `tolerance` bounds the largest absolute residual, in the units of the constraints. Returns the
/// number of corrections. Does not allocate; each correction costs one evaluation and a
/// factorisation of size `NP` or `NS`.
///
/// # Errors
/// [`NotAssembled`] after 25 corrections of the coordinates or of the speeds, or if a residual is
/// not finite. `x` is unchanged then.
pub fn project_constraints<T, S, const NX: usize, const NU: usize, const NP: usize, const NS: usize>(
    system: &S,
    t: T,
    x: &mut [T; NX],
    tolerance: T,
) -> Result<usize, NotAssembled<T>>
where
    T: Real<Mask = bool>,
    S: ConstrainedSystem<T, NX, NU, NP, NS> + ?Sized,
{
    const {
        assert!(S::NQ + S::NV <= NX, "NX must be at least NQ + NV");
    }
    let mut new = *x;
    let positions = iterate_gauss_newton(&mut new, 0, S::NQ, tolerance, |x, residual, jacobian| {
        system.project(x);
        system.position(t, x, residual, jacobian);
    })?;
    let speeds = iterate_gauss_newton(&mut new, S::NQ, S::NQ + S::NV, tolerance, |x, residual, jacobian| {
        system.velocity(t, x, residual, jacobian)
    })?;
    *x = new;
    Ok(positions + speeds)
}

/// Gauss-Newton iteration that changes the entries `start..end` of the state until the residual is
/// within the tolerance. Returns the number of corrections.
fn iterate_gauss_newton<T: Real<Mask = bool>, const NX: usize, const NC: usize>(
    x: &mut [T; NX],
    start: usize,
    end: usize,
    tolerance: T,
    mut evaluate: impl FnMut(&mut [T; NX], &mut [T; NC], &mut [[T; NX]; NC]),
) -> Result<usize, NotAssembled<T>> {
    let mut residual = [T::ZERO; NC];
    let mut jacobian = [[T::ZERO; NX]; NC];
    let mut largest = T::ZERO;
    for corrections in 0..=ITERATIONS {
        evaluate(x, &mut residual, &mut jacobian);
        largest = residual.iter().fold(T::ZERO, |largest, part| {
            let size = part.abs();
            // A comparison with NaN is false, so NaN is kept.
            T::select(size.is_le(largest), largest, size)
        });
        if largest.is_le(tolerance) {
            return Ok(corrections);
        }
        if !largest.is_finite() {
            break;
        }
        let rows: [[T; NX]; NC] = jacobian
            .map(|row| core::array::from_fn(|i| if i >= start && i < end { row[i] } else { T::ZERO }));
        let multipliers = shortest_correction_multipliers(&rows, &residual);
        for (row, multiplier) in rows.iter().zip(multipliers) {
            for (part, entry) in x.iter_mut().zip(row) {
                *part -= *entry * multiplier;
            }
        }
    }
    Err(NotAssembled { residual: largest })
}

/// Solves `J Jᵀ λ = r` for the multipliers of the shortest correction, by L D Lᵀ. A row that
/// depends on those before it gets `λ = 0`.
fn shortest_correction_multipliers<T: Real<Mask = bool>, const NX: usize, const NC: usize>(
    rows: &[[T; NX]; NC],
    residual: &[T; NC],
) -> [T; NC] {
    let dependent = T::from_f64(1e-10).max(T::from_f64(8.0) * machine_epsilon());
    let mut factor = [[T::ZERO; NC]; NC];
    let mut inverse = [T::ZERO; NC];
    let mut lambda = *residual;
    for j in 0..NC {
        for k in 0..=j {
            let dot = rows[j].iter().zip(&rows[k]).fold(T::ZERO, |sum, (a, b)| sum + *a * *b);
            factor[j][k] = dot;
        }
        let whole = factor[j][j];
        for k in 0..j {
            let mut sum = factor[j][k];
            for l in 0..k {
                // Column l of rows j and k; row k is finished.
                sum -= factor[j][l] * factor[k][l];
            }
            factor[j][k] = sum;
        }
        for k in 0..j {
            let scaled = factor[j][k];
            factor[j][k] = scaled * inverse[k];
            factor[j][j] -= scaled * factor[j][k];
        }
        if factor[j][j].is_gt(dependent * whole) {
            inverse[j] = factor[j][j].recip();
        }
    }
    for j in 0..NC {
        for k in 0..j {
            lambda[j] -= factor[j][k] * lambda[k];
        }
    }
    for j in (0..NC).rev() {
        lambda[j] *= inverse[j];
        for k in j + 1..NC {
            lambda[j] -= factor[k][j] * lambda[k];
        }
    }
    lambda
}

/// Machine epsilon of a scalar type: distance from one to the next number.
pub(crate) fn machine_epsilon<T: Real>() -> T {
    let three = T::from_f64(3.0);
    ((T::from_f64(4.0) / three - T::ONE) * three - T::ONE).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rk4_step;
    use crate::singular::Singular;
    use crate::testing::assert_close;

    /// Test system, a pendulum of length one in Cartesian coordinates, x = [x, y, ẋ, ẏ], gravity
    /// 9.81 m/s² against y. `REDUNDANT` repeats its constraint.
    struct Pendulum<const REDUNDANT: bool>;

    impl<T: Real, const R: bool> System<T, 4, 0> for Pendulum<R> {
        const NQ: usize = 2;
        const NV: usize = 2;

        fn dqdt(
            &self,
            _t: T,
            &[x, y, vx, vy]: &[T; 4],
            _u: &[T; 0],
            dx: &mut [T; 4],
        ) -> Result<(), Singular<T::Mask>> {
            let g = T::from_f64(9.81);
            let lambda = (g * y - vx * vx - vy * vy) / (x * x + y * y);
            *dx = [vx, vy, lambda * x, lambda * y - g];
            Ok(())
        }

        fn coordinate_rates(&self, _t: T, x: &[T; 4], dx: &mut [T; 4]) -> Result<(), Singular<T::Mask>> {
            dx[0] = x[2];
            dx[1] = x[3];
            Ok(())
        }
    }

    impl<T: Real, const R: bool> ConstrainedSystem<T, 4, 0, 2, 2> for Pendulum<R> {
        fn position(&self, _t: T, &[x, y, _, _]: &[T; 4], residual: &mut [T; 2], jacobian: &mut [[T; 4]; 2]) {
            let factor = if R { T::from_f64(-3.0) } else { T::ZERO };
            let phi = (x * x + y * y - T::ONE) / T::from_f64(2.0);
            *residual = [phi, factor * phi];
            *jacobian = [[x, y, T::ZERO, T::ZERO], [factor * x, factor * y, T::ZERO, T::ZERO]];
        }

        fn velocity(
            &self,
            _t: T,
            &[x, y, vx, vy]: &[T; 4],
            residual: &mut [T; 2],
            jacobian: &mut [[T; 4]; 2],
        ) {
            let factor = if R { T::from_f64(-3.0) } else { T::ZERO };
            let psi = x * vx + y * vy;
            *residual = [psi, factor * psi];
            *jacobian = [[vx, vy, x, y], [factor * vx, factor * vy, factor * x, factor * y]];
        }
    }

    fn pendulum_energy(x: &[f64; 4]) -> f64 {
        0.5 * (x[2] * x[2] + x[3] * x[3]) + 9.81 * x[1]
    }

    /// Largest violation of the pendulum's constraint and of its rate.
    fn constraint_violation(x: &[f64; 4]) -> f64 {
        let length = x[0].hypot(x[1]) - 1.0;
        length.abs().max((x[0] * x[2] + x[1] * x[3]).abs())
    }

    #[test]
    fn a_state_off_the_circle_goes_to_the_nearest_point() {
        let mut x = [0.9, -1.2, 1.0, 0.0];
        assert!(project_constraints(&Pendulum::<false>, 0.0, &mut x, 1e-14).is_ok());
        for (part, expected) in x.iter().zip([0.6, -0.8, 0.64, 0.48]) {
            assert_close(*part, expected, 1e-12);
        }
        let again = x;
        assert_eq!(project_constraints(&Pendulum::<false>, 0.0, &mut x, 1e-13), Ok(0));
        assert_eq!(x, again);
    }

    #[test]
    fn redundant_rows_change_nothing() {
        let start = [0.5, -1.1, 0.3, 0.7];
        let (mut x, mut y) = (start, start);
        assert!(project_constraints(&Pendulum::<false>, 0.0, &mut x, 1e-14).is_ok());
        assert!(project_constraints(&Pendulum::<true>, 0.0, &mut y, 1e-14).is_ok());
        for (a, b) in x.iter().zip(y) {
            assert_close(*a, b, 1e-12);
        }
        let mut single = start.map(|x| x as f32);
        assert!(project_constraints(&Pendulum::<true>, 0.0, &mut single, 1e-6).is_ok());
        assert_close(f64::from(single[2]), x[2], 1e-5);
    }

    #[test]
    fn projection_after_each_step_stops_the_drift() {
        let system = Pendulum::<false>;
        let mut free = [1.0, 0.0, 0.0, 0.0];
        let mut held = free;
        for i in 0..2000 {
            let t = f64::from(i) * 0.02;
            assert!(rk4_step(&system, t, 0.02, &mut free, &[]).is_ok());
            assert!(rk4_step(&system, t, 0.02, &mut held, &[]).is_ok());
            assert!(project_constraints(&system, t, &mut held, 1e-12).is_ok());
        }
        assert!(
            constraint_violation(&held) < 1e-11 && constraint_violation(&free) > 1e-5,
            "{}",
            constraint_violation(&free)
        );

        assert!(pendulum_energy(&held).abs() < 0.02, "{}", pendulum_energy(&held));
    }

    #[test]
    fn what_cannot_be_assembled_is_an_error_and_leaves_the_state() {
        for start in [[0.0, 0.0, 1.0, 1.0], [f64::NAN, 0.0, 0.0, 0.0]] {
            let mut x = start;
            assert!(project_constraints(&Pendulum::<true>, 0.0, &mut x, 1e-12).is_err());
            assert_eq!(x.map(f64::to_bits), start.map(f64::to_bits));
        }
        let error = NotAssembled { residual: 0.5 };
        assert!(std::format!("{error}").ends_with("the remaining residual is 0.5"));
    }
}
