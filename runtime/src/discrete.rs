//! Steps of fixed length with their exact derivatives, for filters and predictive controllers.
//!
//! Problem: an extended Kalman filter, an MPC or a trajectory optimisation needs a step
//!          `x₊ = F(t, x, u)` with `∂x₊/∂x` and `∂x₊/∂u`.
//! Method:  the derivative of each stage by the chain rule, forwards or, for one gradient,
//!          backwards, from `∂ẋ/∂x` and `∂ẋ/∂u` of the model, without dual numbers or finite
//!          differences. The classical Runge-Kutta method, and the implicit midpoint rule, whose
//!          derivative is that of its root (implicit function theorem).
//! States:  derivatives are by the entries of the state, four for a quaternion, and include the
//!          normalisation after the step. [`crate::differences`] converts to three angles and back.
//! Units:   time in seconds. The input is constant over a step.
//! Errors:  a singular pose anywhere in the step.

use crate::real::Real;
use crate::singular::Singular;
use crate::solve::solve_lu_columns;
use crate::system::System;

/// A [`System`] with exact Jacobians, for steps with derivatives and implicit integration.
/// Implemented by `dqdt-codegen` for modules with `dqdt_derivatives`.
pub trait Differentiable<T: Real, const NX: usize, const NU: usize>: System<T, NX, NU> {
    /// Returns the state derivative `ẋ` and its Jacobians `∂ẋ/∂x` and `∂ẋ/∂u`, by rows.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved.
    fn dqdt_derivatives(
        &self,
        t: T,
        x: &[T; NX],
        u: &[T; NU],
    ) -> Result<Derivatives<T, NX, NU>, Singular<T::Mask>>;
}

/// The state derivative `ẋ` with its Jacobians, the result of [`Differentiable::dqdt_derivatives`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives<T, const NX: usize, const NU: usize> {
    /// The state derivative `ẋ = f(t, x, u)`.
    pub rate: [T; NX],
    /// The Jacobian `∂ẋ/∂x` of the state derivative by the state.
    pub by_state: [[T; NX]; NX],
    /// The Jacobian `∂ẋ/∂u` of the state derivative by the inputs.
    pub by_input: [[T; NU]; NX],
}

/// An integration step of fixed length with its Jacobians, for filters and predictive controllers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<T, const NX: usize, const NU: usize> {
    /// The state `x₊` at the end of the step.
    pub x: [T; NX],
    /// The Jacobian `∂x₊/∂x` of the new state by the state before the step.
    pub by_state: [[T; NX]; NX],
    /// The Jacobian `∂x₊/∂u` of the new state by the inputs.
    pub by_input: [[T; NU]; NX],
}

/// Integrates a step of the classical Runge-Kutta method (order 4) like
/// [`rk4_step`](crate::rk4_step), and returns it with its derivatives.
///
/// Costs four evaluations of the derivatives, and about `6 NX² (NX + NU)` products. [`stiffness`]
/// estimates whether `h` is short enough.
///
/// ```
/// use dqdt::discrete::{Derivatives, Differentiable, rk4_step_derivatives};
/// use dqdt::{Singular, System};
///
/// /// A unit mass on a spring of 1 N/m, with a force as input.
/// struct Oscillator;
///
/// impl System<f64, 2, 1> for Oscillator {
///     const NQ: usize = 1;
///     const NV: usize = 1;
///
///     fn dqdt(&self, t: f64, x: &[f64; 2], u: &[f64; 1], dx: &mut [f64; 2]) -> Result<(), Singular> {
///         *dx = [x[1], u[0] - x[0]];
///         Ok(())
///     }
/// }
///
/// impl Differentiable<f64, 2, 1> for Oscillator {
///     fn dqdt_derivatives(&self, _: f64, x: &[f64; 2], u: &[f64; 1]) -> Result<Derivatives<f64, 2, 1>, Singular> {
///         Ok(Derivatives {
///             rate: [x[1], u[0] - x[0]],
///             by_state: [[0.0, 1.0], [-1.0, 0.0]],
///             by_input: [[0.0], [1.0]],
///         })
///     }
/// }
///
/// let step = rk4_step_derivatives(&Oscillator, 0.0, 0.01, &[1.0, 0.0], &[0.0])?;
/// assert!((step.by_state[0][1] - 0.01_f64.sin()).abs() < 1e-12);
/// # Ok::<(), Singular>(())
/// ```
///
/// # Errors
/// [`Singular`] if one of the four evaluations is.
pub fn rk4_step_derivatives<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    h: T,
    x: &[T; NX],
    u: &[T; NU],
) -> Result<Step<T, NX, NU>, Singular<T::Mask>>
where
    T: Real,
    S: Differentiable<T, NX, NU> + ?Sized,
{
    let half = T::from_f64(0.5) * h;
    let k1 = system.dqdt_derivatives(t, x, u)?;
    let k2 = evaluate_stage(system, t + half, half, x, u, &k1)?;
    let k3 = evaluate_stage(system, t + half, half, x, u, &k2)?;
    let k4 = evaluate_stage(system, t + h, h, x, u, &k3)?;
    let sixth = h / T::from_f64(6.0);
    let sum = |a: T, b: T, c: T, d: T| {
        let middle = b + c;
        sixth * (a + middle + middle + d)
    };
    let mut step = Step {
        x: core::array::from_fn(|i| x[i] + sum(k1.rate[i], k2.rate[i], k3.rate[i], k4.rate[i])),
        by_state: core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let one = if i == j { T::ONE } else { T::ZERO };
                one + sum(k1.by_state[i][j], k2.by_state[i][j], k3.by_state[i][j], k4.by_state[i][j])
            })
        }),
        by_input: core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                sum(k1.by_input[i][j], k2.by_input[i][j], k3.by_input[i][j], k4.by_input[i][j])
            })
        }),
    };
    normalise_step(system, S::QUATERNIONS, &mut step);
    Ok(step)
}

/// An integration step of fixed length with the gradient of `λᵀx₊`, for costates λ at the end of
/// the step. Result of [`rk4_step_adjoint`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepAdjoint<T, const NX: usize, const NU: usize> {
    /// The state `x₊` at the end of the step.
    pub x: [T; NX],
    /// The gradient of `λᵀx₊` by the state before the step: the costates there.
    pub by_state: [T; NX],
    /// The gradient of `λᵀx₊` by the inputs.
    pub by_input: [T; NU],
}

/// Integrates a step like [`rk4_step_derivatives`], and returns it with `∂(λᵀx₊)/∂x` and
/// `∂(λᵀx₊)/∂u` for costates λ at the end of the step, by an adjoint sweep through the stages.
///
/// For gradients of a cost over many steps: costates are carried backwards from step to step. Costs
/// four evaluations of the derivatives, and about `4 NX (NX + NU)` products.
///
/// ```
/// use dqdt::discrete::{Derivatives, Differentiable, rk4_step_adjoint};
/// use dqdt::{Singular, System};
///
/// /// A unit mass on a spring of 1 N/m, with a force as input.
/// struct Oscillator;
///
/// impl System<f64, 2, 1> for Oscillator {
///     const NQ: usize = 1;
///     const NV: usize = 1;
///
///     fn dqdt(&self, t: f64, x: &[f64; 2], u: &[f64; 1], dx: &mut [f64; 2]) -> Result<(), Singular> {
///         *dx = [x[1], u[0] - x[0]];
///         Ok(())
///     }
/// }
///
/// impl Differentiable<f64, 2, 1> for Oscillator {
///     fn dqdt_derivatives(&self, _: f64, x: &[f64; 2], u: &[f64; 1]) -> Result<Derivatives<f64, 2, 1>, Singular> {
///         Ok(Derivatives {
///             rate: [x[1], u[0] - x[0]],
///             by_state: [[0.0, 1.0], [-1.0, 0.0]],
///             by_input: [[0.0], [1.0]],
///         })
///     }
/// }
///
/// // The position at the end of the step.
/// let step = rk4_step_adjoint(&Oscillator, 0.0, 0.01, &[1.0, 0.0], &[0.0], &[1.0, 0.0])?;
/// assert!((step.by_state[1] - 0.01_f64.sin()).abs() < 1e-12);
/// # Ok::<(), Singular>(())
/// ```
///
/// # Errors
/// [`Singular`] if one of the four evaluations is.
pub fn rk4_step_adjoint<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    h: T,
    x: &[T; NX],
    u: &[T; NU],
    costate: &[T; NX],
) -> Result<StepAdjoint<T, NX, NU>, Singular<T::Mask>>
where
    T: Real,
    S: Differentiable<T, NX, NU> + ?Sized,
{
    let half = T::from_f64(0.5) * h;
    let beyond = |a: T, k: &Derivatives<T, NX, NU>| -> [T; NX] {
        core::array::from_fn(|i| k.rate[i].mul_add(a, x[i]))
    };
    let k1 = system.dqdt_derivatives(t, x, u)?;
    let k2 = system.dqdt_derivatives(t + half, &beyond(half, &k1), u)?;
    let k3 = system.dqdt_derivatives(t + half, &beyond(half, &k2), u)?;
    let k4 = system.dqdt_derivatives(t + h, &beyond(h, &k3), u)?;
    let sixth = h / T::from_f64(6.0);
    let mut step = StepAdjoint {
        x: core::array::from_fn(|i| {
            let middle = k2.rate[i] + k3.rate[i];
            x[i] + sixth * (k1.rate[i] + middle + middle + k4.rate[i])
        }),
        by_state: *costate,
        by_input: [T::ZERO; NU],
    };
    let before = step.x;
    system.project(&mut step.x);
    // The projection of each quaternion is symmetric.
    for start in S::QUATERNIONS.iter().copied().filter(|s| s + 4 <= NX) {
        let (unit, scale) = quaternion_direction(&before, start);
        let along = (0..4).fold(T::ZERO, |sum, k| sum + unit[k] * costate[start + k]);
        for k in 0..4 {
            step.by_state[start + k] = (costate[start + k] - unit[k] * along) * scale;
        }
    }
    let end = step.by_state;
    // Gradient by the rate of the stage after the current one, times its distance.
    let mut later = [T::ZERO; NX];
    let third = sixth + sixth;
    for (k, weight, distance) in
        [(&k4, sixth, h), (&k3, third, half), (&k2, third, half), (&k1, sixth, T::ZERO)]
    {
        let of_rate: [T; NX] = core::array::from_fn(|i| end[i].mul_add(weight, later[i]));
        let of_state: [T; NX] = core::array::from_fn(|j| dot_product(&of_rate, |i| k.by_state[i][j]));
        for (sum, x) in step.by_state.iter_mut().zip(of_state) {
            *sum += x;
        }
        for (j, sum) in step.by_input.iter_mut().enumerate() {
            *sum += dot_product(&of_rate, |i| k.by_input[i][j]);
        }
        later = of_state.map(|x| x * distance);
    }
    Ok(step)
}

/// A stage of the Runge-Kutta step: the rate at `x + a k`, with its derivatives by `x` and `u` at
/// the start of the step.
fn evaluate_stage<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    a: T,
    x: &[T; NX],
    u: &[T; NU],
    k: &Derivatives<T, NX, NU>,
) -> Result<Derivatives<T, NX, NU>, Singular<T::Mask>>
where
    T: Real,
    S: Differentiable<T, NX, NU> + ?Sized,
{
    let at: [T; NX] = core::array::from_fn(|i| k.rate[i].mul_add(a, x[i]));
    let d = system.dqdt_derivatives(t, &at, u)?;
    // A (1 + a K) = A + a (A K)
    Ok(Derivatives {
        rate: d.rate,
        by_state: core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                dot_product(&d.by_state[i], |l| k.by_state[l][j]).mul_add(a, d.by_state[i][j])
            })
        }),
        by_input: core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                dot_product(&d.by_state[i], |l| k.by_input[l][j]).mul_add(a, d.by_input[i][j])
            })
        }),
    })
}

/// Scalar product of a row and a column.
fn dot_product<T: Real, const N: usize>(row: &[T; N], column: impl Fn(usize) -> T) -> T {
    let mut sum = T::ZERO;
    for (i, x) in row.iter().enumerate() {
        sum += *x * column(i);
    }
    sum
}

/// Normalises the quaternions after a step, and multiplies its derivatives by that of `e / |e|`.
fn normalise_step<T, S, const NX: usize, const NU: usize>(
    system: &S,
    starts: &[usize],
    step: &mut Step<T, NX, NU>,
) where
    T: Real,
    S: System<T, NX, NU> + ?Sized,
{
    let before = step.x;
    system.project(&mut step.x);
    for start in starts.iter().copied().filter(|s| s + 4 <= NX) {
        let (unit, scale) = quaternion_direction(&before, start);
        project_quaternion_rows(&mut step.by_state, start, unit, scale);
        project_quaternion_rows(&mut step.by_input, start, unit, scale);
    }
}

/// A quaternion of the state divided by its length, and the reciprocal of that length.
fn quaternion_direction<T: Real, const NX: usize>(x: &[T; NX], start: usize) -> ([T; 4], T) {
    let square = (0..4).fold(T::ZERO, |sum, k| sum + x[start + k] * x[start + k]);
    let scale = square.sqrt().recip();
    (core::array::from_fn(|k| x[start + k] * scale), scale)
}

/// Multiplies the derivatives of a quaternion by the projection `(1 − ê êᵀ)/|e|`, for its
/// normalisation.
fn project_quaternion_rows<T: Real, const M: usize, const NX: usize>(
    rows: &mut [[T; M]; NX],
    start: usize,
    unit: [T; 4],
    scale: T,
) {
    for j in 0..M {
        let along = (0..4).fold(T::ZERO, |sum, k| sum + unit[k] * rows[start + k][j]);
        for k in 0..4 {
            rows[start + k][j] = (rows[start + k][j] - unit[k] * along) * scale;
        }
    }
}

/// Integrates a step of the implicit midpoint rule, `x₊ = x + h f(t + h/2, (x + x₊)/2)` (order 2,
/// symmetric, A-stable), by Newton's method, with its derivatives at the root. Then
/// [`System::project`].
///
/// `iterations` is the number of Newton iterations; three are enough if `h` resolves the motion.
/// Also returns the largest component of the last correction: if it is far above rounding, the step
/// is too long.
///
/// # Errors
/// [`Singular`] if an evaluation or the matrix `1 − h/2 ∂ẋ/∂x` is singular.
pub fn implicit_midpoint_step<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    h: T,
    x: &[T; NX],
    u: &[T; NU],
    iterations: usize,
) -> Result<(Step<T, NX, NU>, T), Singular>
where
    T: Real<Mask = bool>,
    S: Differentiable<T, NX, NU> + ?Sized,
{
    let half = T::from_f64(0.5) * h;
    let epsilon = T::default_epsilon();
    let mut new = *x;
    let mut correction = T::ZERO;
    // The matrix 1 − h/2 A at the midpoint.
    let matrix = |d: &Derivatives<T, NX, NU>| -> [[T; NX]; NX] {
        core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let one = if i == j { T::ONE } else { T::ZERO };
                one - half * d.by_state[i][j]
            })
        })
    };
    let middle = |new: &[T; NX]| core::array::from_fn(|i| T::from_f64(0.5) * (x[i] + new[i]));
    for _ in 0..iterations.max(1) {
        let d = system.dqdt_derivatives(t + half, &middle(&new), u)?;
        let mut right: [[T; 1]; NX] = core::array::from_fn(|i| [x[i] + h * d.rate[i] - new[i]]);
        solve_lu_columns(&mut matrix(&d), &mut right, epsilon)?;
        correction = T::ZERO;
        for i in 0..NX {
            new[i] += right[i][0];
            correction = correction.max(right[i][0].abs());
        }
    }
    let d = system.dqdt_derivatives(t + half, &middle(&new), u)?;
    // (1 − h/2 A) ∂x₊ = (1 + h/2 A) ∂x + h B ∂u
    let mut by_state: [[T; NX]; NX] = core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            let one = if i == j { T::ONE } else { T::ZERO };
            one + half * d.by_state[i][j]
        })
    });
    let mut by_input: [[T; NU]; NX] =
        core::array::from_fn(|i| core::array::from_fn(|j| h * d.by_input[i][j]));
    solve_lu_columns(&mut matrix(&d), &mut by_state, epsilon)?;
    solve_lu_columns(&mut matrix(&d), &mut by_input, epsilon)?;
    let mut step = Step { x: new, by_state, by_input };
    normalise_step(system, S::QUATERNIONS, &mut step);
    Ok((step, correction))
}

/// Row sum norm of a matrix: the largest sum of the absolute entries of a row.
fn row_sum_norm<T: Real, const NX: usize>(a: &[[T; NX]; NX]) -> T {
    a.iter().map(|row| row.iter().fold(T::ZERO, |sum, x| sum + x.abs())).fold(T::ZERO, T::max)
}

/// Estimates from above how stiff a motion is: `h |λ|`, where λ is the largest eigenvalue of
/// `∂ẋ/∂x`.
///
/// Above 2.8 [`rk4_step`](crate::rk4_step) is unstable; above 0.3 each step has a relative error
/// above 1e-5 in the fastest part of the motion. The estimate is the sixteenth root of a norm of
/// the sixteenth power, which costs `4 NX³` products.
pub fn stiffness<T: Real<Mask = bool>, const NX: usize>(by_state: &[[T; NX]; NX], h: T) -> T {
    let mut power = *by_state;
    // The scale of each square is kept as a factor of the root.
    let mut size = T::ONE;
    let mut root = T::ONE;
    for _ in 0..4 {
        let scale = row_sum_norm(&power);
        if !scale.is_gt(T::ZERO) {
            return T::ZERO;
        }
        // |A^(2k)| = scale² |(A^k/scale)²|
        size *= scale.powf(root);
        root *= T::from_f64(0.5);
        let unit = power.map(|row| row.map(|x| x / scale));
        power = core::array::from_fn(|i| core::array::from_fn(|j| dot_product(&unit[i], |l| unit[l][j])));
    }
    let last = row_sum_norm(&power);
    if last.is_gt(T::ZERO) { h.abs() * size * last.powf(root) } else { T::ZERO }
}
