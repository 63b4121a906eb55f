//! Helpers of the tests: seeded random numbers, a relative comparison, a pendulum.

use crate::{Real, Singular, System};

/// The SplitMix64 random number generator, seeded, for the tests of the runtime.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub(crate) fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number between two bounds.
    pub(crate) fn random_within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Asserts that two numbers agree: `|a − b| ≤ tolerance · max(1, |b|)`.
#[track_caller]
pub(crate) fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} is not {b} within {tolerance}");
}

/// Test system, a pendulum of length one: x = [angle from below, its rate], gravity 9.81 m/s².
pub(crate) struct Pendulum;

impl<T: Real> System<T, 2, 0> for Pendulum {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, t: T, x: &[T; 2], _u: &[T; 0], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        self.coordinate_rates(t, x, dx)?;
        dx[1] = -T::from_f64(9.81) * x[0].sin();
        Ok(())
    }

    fn coordinate_rates(&self, _t: T, x: &[T; 2], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        dx[0] = x[1];
        Ok(())
    }
}
