//! Traits of integrators over equations of motion.

use crate::real::Real;
use crate::singular::Singular;

/// Equations of motion in state form, `ẋ = f(t, x, u)`.
///
/// The state is `x = [q, v, z]`: `NQ` coordinates, `NV` speeds, then user states. `NX` is its length, `NU` the number
/// of inputs. `dqdt-codegen` implements this for the emitted `Model<T>`; it is short to write by hand.
pub trait System<T: Real, const NX: usize, const NU: usize> {
    /// Number of coordinates `q`.
    const NQ: usize;
    /// Number of speeds `v`; `NQ + NV ≤ NX`.
    const NV: usize;
    /// Where quaternions start in the state, in order.
    const QUATERNIONS: &'static [usize] = &[];

    /// The time derivative of the whole state, in units of the state per second.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved; `dx` is zero there.
    fn dqdt(&self, t: T, x: &[T; NX], u: &[T; NU], dx: &mut [T; NX]) -> Result<(), Singular<T::Mask>>;

    /// The time derivative of the whole state by value, where one state is computed at a time.
    ///
    /// # Errors
    /// Those of [`dqdt`](Self::dqdt).
    fn rate(&self, t: T, x: &[T; NX], u: &[T; NU]) -> Result<[T; NX], Singular<T::Mask>> {
        let mut dx = [T::ZERO; NX];
        self.dqdt(t, x, u, &mut dx)?;
        Ok(dx)
    }

    /// The kinematic map: writes `q̇ = N(q) v + n₀(q, t)` to the first `NQ` entries of `dx` and
    /// leaves the others alone. By default it is taken from [`dqdt`](Self::dqdt) without inputs, on
    /// which `q̇` does not depend; emitted models compute it alone.
    ///
    /// # Errors [`Singular`] where the map is (the middle angle of a Bryant sequence at ±π/2).
    fn coordinate_rates(&self, t: T, x: &[T; NX], dx: &mut [T; NX]) -> Result<(), Singular<T::Mask>> {
        let mut all = [T::ZERO; NX];
        self.dqdt(t, x, &[T::ZERO; NU], &mut all)?;
        for (rate, from) in dx.iter_mut().zip(all).take(Self::NQ) {
            *rate = from;
        }
        Ok(())
    }

    /// Brings a state back to where it belongs: normalises the quaternions in `q`. Does nothing by default.
    fn project(&self, x: &mut [T; NX]) {
        let _ = x;
    }
}
