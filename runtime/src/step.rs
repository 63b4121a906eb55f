//! Integration steps of fixed length for controllers: no allocation, a known number of evaluations.
//!
//! Units:   time in seconds. The input is constant over a step, as from a digital controller.
//! Errors:  a singular pose anywhere in the step leaves the state unchanged, in all lanes.
//! Packs:   a step is one computation ([`Real::compute`]), so that packs stay in registers between
//!          evaluations.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// Integrates one step of length `h` by the classical Runge-Kutta method: order 4, four
/// evaluations.
///
/// Advances `x` from time `t` to `t + h`, then calls [`System::project`].
///
/// # Errors
/// [`Singular`] if one of the four evaluations is; `x` is unchanged then.
#[inline]
pub fn rk4_step<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    h: T,
    x: &mut [T; NX],
    u: &[T; NU],
) -> Result<(), Singular<T::Mask>>
where
    T: Real,
    S: System<T, NX, NU> + ?Sized,
{
    T::compute(
        #[inline(always)]
        || {
            advance_rk4(t, h, x, |t, x, dx| system.dqdt(t, x, u, dx))?;
            system.project(x);
            Ok(())
        },
    )
}

/// Advances `x` by one step of [`rk4_step`] without the projection, with the derivatives that
/// `dqdt` writes.
#[inline(always)]
pub(crate) fn advance_rk4<T: Real, E, const NX: usize>(
    t: T,
    h: T,
    x: &mut [T; NX],
    dqdt: impl Fn(T, &[T; NX], &mut [T; NX]) -> Result<(), E>,
) -> Result<(), E> {
    let half = T::from_f64(0.5) * h;
    let [mut k1, mut k2, mut k3, mut k4] = [[T::ZERO; NX]; 4];
    dqdt(t, x, &mut k1)?;
    dqdt(t + half, &extrapolate_state(x, half, &k1), &mut k2)?;
    dqdt(t + half, &extrapolate_state(x, half, &k2), &mut k3)?;
    dqdt(t + h, &extrapolate_state(x, h, &k3), &mut k4)?;
    let sixth = h / T::from_f64(6.0);
    for i in 0..NX {
        let middle = k2[i] + k3[i];
        x[i] += sixth * (k1[i] + middle + middle + k4[i]);
    }
    Ok(())
}

/// The state `x + h dx`, for the next stage of a step.
#[inline(always)]
fn extrapolate_state<T: Real, const NX: usize>(x: &[T; NX], h: T, dx: &[T; NX]) -> [T; NX] {
    let mut out = *x;
    for (out, rate) in out.iter_mut().zip(dx) {
        *out = rate.mul_add(h, *out);
    }
    out
}

/// Integrates one step of length `h` by the semi-implicit Euler method: order 1, one evaluation and
/// one of the kinematic map.
///
/// Updates first the speeds by their derivative at the old state, then the coordinates by
/// `q̇(q, v)` at the old coordinates and the new speeds, last the user states by their derivative
/// at the old state. Then calls [`System::project`]. The energy of a conservative mechanism with
/// constant mass matrix stays bounded.
///
/// # Errors
/// [`Singular`] if an evaluation is; `x` is unchanged then.
#[inline]
pub fn semi_implicit_euler_step<T, S, const NX: usize, const NU: usize>(
    system: &S,
    t: T,
    h: T,
    x: &mut [T; NX],
    u: &[T; NU],
) -> Result<(), Singular<T::Mask>>
where
    T: Real,
    S: System<T, NX, NU> + ?Sized,
{
    T::compute(
        #[inline(always)]
        || {
            advance_semi_implicit_euler::<T, S, _, NX, NU>(
                t,
                h,
                x,
                |t, x, dx| system.dqdt(t, x, u, dx),
                |t, x, dx| system.coordinate_rates(t, x, dx),
            )?;
            system.project(x);
            Ok(())
        },
    )
}

/// Advances `x` by one step of [`semi_implicit_euler_step`] without the projection, with the
/// derivatives that `dqdt` writes and the rates of the coordinates that `coordinate_rates` writes.
#[inline(always)]
pub(crate) fn advance_semi_implicit_euler<T, S, E, const NX: usize, const NU: usize>(
    t: T,
    h: T,
    x: &mut [T; NX],
    dqdt: impl Fn(T, &[T; NX], &mut [T; NX]) -> Result<(), E>,
    coordinate_rates: impl Fn(T, &[T; NX], &mut [T; NX]) -> Result<(), E>,
) -> Result<(), E>
where
    T: Real,
    S: System<T, NX, NU> + ?Sized,
{
    const {
        assert!(S::NQ + S::NV <= NX, "NX must be at least NQ + NV");
    }
    let mut dx = [T::ZERO; NX];
    dqdt(t, x, &mut dx)?;
    let mut new = *x;
    for i in S::NQ..S::NQ + S::NV {
        new[i] += h * dx[i];
    }
    let mut rates = [T::ZERO; NX];
    coordinate_rates(t, &new, &mut rates)?;
    for i in 0..S::NQ {
        new[i] += h * rates[i];
    }
    for i in S::NQ + S::NV..NX {
        new[i] += h * dx[i];
    }
    *x = new;
    Ok(())
}
