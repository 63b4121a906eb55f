//! The trait of equations of motion for integrators.

use crate::real::Real;
use crate::singular::Singular;

/// Equations of motion in state form, `ẋ = f(t, x, u)`, as integrators need them.
///
/// The state is `x = [q, v, z]`: `NQ` coordinates, `NV` speeds, then user states. `NX` is its
/// length, `NU` the number of inputs. `dqdt-codegen` implements this for the emitted `Model<T>`; an
/// implementation by hand is short.
pub trait System<T: Real, const NX: usize, const NU: usize> {
    /// Number of coordinates `q`, the first entries of the state.
    const NQ: usize;
    /// Number of speeds `v`, which follow the coordinates in the state; `NQ + NV ≤ NX`.
    const NV: usize;
    /// Index in the state of the first component of each quaternion, ascending.
    const QUATERNIONS: &'static [usize] = &[];

    /// Writes the time derivative `ẋ` of the complete state to `dx`, in units of the state per
    /// second.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved; `dx` is zero there.
    fn dqdt(&self, t: T, x: &[T; NX], u: &[T; NU], dx: &mut [T; NX]) -> Result<(), Singular<T::Mask>>;

    /// Returns the time derivative `ẋ` of the complete state by value: [`dqdt`](Self::dqdt) for
    /// callers that need no buffer.
    ///
    /// # Errors
    /// The same as [`dqdt`](Self::dqdt).
    fn rate(&self, t: T, x: &[T; NX], u: &[T; NU]) -> Result<[T; NX], Singular<T::Mask>> {
        let mut dx = [T::ZERO; NX];
        self.dqdt(t, x, u, &mut dx)?;
        Ok(dx)
    }

    /// Writes the rates of the coordinates (kinematic map) `q̇ = N(q) v + n₀(q, t)` to the first
    /// `NQ` entries of `dx` and leaves the others unchanged. The default calls [`dqdt`](Self::dqdt)
    /// with zero inputs, on which `q̇` does not depend; emitted models compute only the map.
    ///
    /// # Errors
    /// [`Singular`] where the map is (the middle angle of a Bryant sequence at ±π/2).
    fn coordinate_rates(&self, t: T, x: &[T; NX], dx: &mut [T; NX]) -> Result<(), Singular<T::Mask>> {
        let mut all = [T::ZERO; NX];
        self.dqdt(t, x, &[T::ZERO; NU], &mut all)?;
        for (rate, from) in dx.iter_mut().zip(all).take(Self::NQ) {
            *rate = from;
        }
        Ok(())
    }

    /// Normalises the quaternions in a state. Called after each integration step; does nothing by
    /// default.
    fn project(&self, x: &mut [T; NX]) {
        let _ = x;
    }
}
