//! Pseudorandom numbers that are the same on every machine.

/// The SplitMix64 generator of pseudorandom numbers (Steele, Lea and Flood 2014), reproducible from
/// its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator of pseudorandom numbers with the given seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 pseudorandom bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number in `0..n`; zero if `n` is zero.
    pub fn next_below(&mut self, n: usize) -> usize {
        (self.next_bits() % n.max(1) as u64) as usize
    }

    /// A double in `low..high`, uniformly distributed.
    pub fn next_between(&mut self, low: f64, high: f64) -> f64 {
        // The upper 53 bits divided by 2⁵³: a double in `0..1`.
        low + (high - low) * (self.next_bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// A double in `−1..1`, uniformly distributed.
    pub fn next_signed(&mut self) -> f64 {
        self.next_between(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_paper() {
        // From the authors' own program (java.util.SplittableRandom) and from Vigna's, with the
        // seed 1234567.
        let mut random = Random::new(1_234_567);
        let bits = [random.next_bits(), random.next_bits(), random.next_bits()];
        assert_eq!(bits, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn random_numbers_fill_the_interval() {
        let mut random = Random::new(1);
        let numbers: Vec<f64> = (0..1000).map(|_| random.next_signed()).collect();
        assert!(numbers.iter().all(|x| x.abs() <= 1.0));
        let (low, high) = numbers.iter().fold((1.0f64, -1.0f64), |(l, h), x| (l.min(*x), h.max(*x)));
        assert!(low < -0.98 && high > 0.98);
        assert!((0..1000).all(|_| random.next_below(3) < 3));
        assert_eq!(random.next_below(0), 0);
    }
}
