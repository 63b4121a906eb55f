//! Sines and cosines of several angles at once.
//!
//! Problem: trigonometry is most of the run time of a small `dqdt`, and library calls do not
//!          vectorise.
//! Method:  Cody-Waite reduction by multiples of π/2 (parts of few bits, so that every product with
//!          the multiple is exact; the remainder is a sum of two numbers), then the polynomials of
//!          fdlibm (`__kernel_sin`, `__kernel_cos`; Sun Microsystems 1993) for `f64` and those of
//!          Cephes (Moshier 1984) for `f32`, then swap and signs by the quadrant. No branch depends
//!          on an angle, so the loop vectorises.
//! Range:   `f64` up to |x| = 100,000, `f32` up to |x| = 6,000; beyond it, and for NaN and
//!          infinities, the scalar library function. Signed zeros are kept. Angles are processed in
//!          chunks of 16 (`f32` only), 8, 4, 2 and 1, since compilers vectorise powers of two and
//!          little else.
//! Cost:    eight pairs in `f64` took 39 ns with SSE2, 17 ns with AVX2 and FMA, 9 ns with AVX-512,
//!          where the system library took 76 ns; six 30, 17 and 12 ns, ten 48, 25 and 16 ns (as one
//!          loop: 30, 32 and 34; 49, 26 and 35).
//! Accuracy: see [`double`] and [`single`]; the tests compare 400,000 random angles, all multiples
//!           of π/4 in the range and their neighbours with values in twice the precision.

use crate::math;
use crate::real::Real;

/// Access to the bits of a scalar or register, which the sine and cosine kernels need in addition
/// to [`Real`].
#[doc(hidden)]
pub trait Turn: Real {
    /// Turns sine and cosine to the quadrant in the last two bits of `shifted`: odd quadrants swap
    /// the two, and the second bit determines the signs.
    fn turn(shifted: Self, sine: Self, cosine: Self) -> (Self, Self);
}

/// Computes `a − b` as the rounded difference and its rounding error (Dekker's fast form).
///
/// The form requires `|a| ≥ |b|`. Where that does not hold here, the parts of π/2 are so short that
/// the difference is exact, and the computed error of zero is correct.
macro_rules! difference {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        let difference = a - b;
        (difference, (a - difference) - b)
    }};
}

/// Processes full chunks from the front of `x`. One more chunk is filled up with zeros if more than
/// half of it remains and the target has registers of this length. Compilers vectorise loops of
/// constant length, preferably a power of two.
macro_rules! chunks {
    ($chunk:ident, $inside:ident, $x:ident, $s:ident, $c:ident; $length:literal if $fill:expr) => {
        let (whole, $x) = $x.as_chunks::<$length>();
        let (whole_s, $s) = $s.as_chunks_mut::<$length>();
        let (whole_c, $c) = $c.as_chunks_mut::<$length>();
        for ((x, s), c) in whole.iter().zip(whole_s).zip(whole_c) {
            $inside &= $chunk(x, s, c);
        }
        let left = $x.len();
        let taken = if $fill && left > $length / 2 { left } else { 0 };
        let (part, $x) = $x.split_at(taken);
        let (part_s, $s) = $s.split_at_mut(taken);
        let (part_c, $c) = $c.split_at_mut(taken);
        if taken > 0 {
            let (mut x, mut s, mut c) = ([0.0; $length], [0.0; $length], [0.0; $length]);
            x[..taken].copy_from_slice(part);
            $inside &= $chunk(&x, &mut s, &mut c);
            part_s.copy_from_slice(&s[..taken]);
            part_c.copy_from_slice(&c[..taken]);
        }
    };
}

/// Constants of a kernel, for generators of machine code that evaluate the same polynomials.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<T: 'static> {
    /// The largest absolute value of an angle within the range of the kernel.
    pub limit: T,
    /// Number whose sum with a small number rounds that number to an integer.
    pub round: T,
    /// π/2 as a sum: parts of few bits, the largest first.
    pub parts: &'static [T],
    /// The remainder of π/2 after these parts.
    pub rest: T,
    /// Coefficients of x³, x⁵, … of the sine.
    pub sine: &'static [T],
    /// Coefficients of x⁴, x⁶, … of the cosine.
    pub cosine: &'static [T],
}

macro_rules! sin_cos_n {
    (
        $(#[$doc:meta])* $name:ident, $coefficients:ident, $kernel:ident, $limits:ident, $chunk:ident, $repair:ident, $scalar:ident, $bits:ident,
        chunks [$($length:literal $feature:literal),+],
        limit $limit:literal, round $round:literal,
        parts [$first:literal, $($part:literal),+], rest $rest:literal,
        sine [$s1:literal, $($s:literal),+], cosine [$($c:literal),+]
    ) => {
        $(#[$doc])*
        // Angles that were just computed arrive in registers when inlined; a call would pass them
        // through memory.
        #[cfg_attr(any(target_feature = "sse2", target_feature = "neon"), inline(always))]
        #[cfg_attr(not(any(target_feature = "sse2", target_feature = "neon")), inline)]
        pub fn $name<const N: usize>(angles: [$scalar; N]) -> ([$scalar; N], [$scalar; N]) {
            let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
            let mut inside = true;
            if cfg!(any(target_feature = "sse2", target_feature = "neon")) {
                let (x, s, c) = (&angles[..], &mut sines[..], &mut cosines[..]);
                $(chunks!($chunk, inside, x, s, c; $length if cfg!(target_feature = $feature));)+
                chunks!($chunk, inside, x, s, c; 2 if false);
                chunks!($chunk, inside, x, s, c; 1 if false);
                debug_assert!(x.is_empty() && s.is_empty() && c.is_empty());
                if !inside {
                    // Opaque copies: if the arrays themselves had an address, angles would be
                    // written to memory one by one and read as vectors, which stalls until the
                    // store buffer of the processor is empty.
                    let (x, mut s, mut c) = core::hint::black_box((angles, sines, cosines));
                    $repair(&x, &mut s, &mut c);
                    (sines, cosines) = (s, c);
                }
            } else {
                // Without SIMD registers one loop is the shortest code.
                inside &= $chunk(&angles, &mut sines, &mut cosines);
                if !inside {
                    $repair(&angles, &mut sines, &mut cosines);
                }
            }
            (sines, cosines)
        }

        /// Constants of the kernel.
        #[doc(hidden)]
        pub const $coefficients: Coefficients<$scalar> = Coefficients {
            limit: $limit,
            round: $round,
            parts: &[$first, $($part),+],
            rest: $rest,
            sine: &[$s1, $($s),+],
            cosine: &[$($c),+],
        };

        /// The largest absolute value of an angle within the range of the kernel.
        #[doc(hidden)]
        pub const $limits: $scalar = $limit;

        /// Sine and cosine of an angle in the range: bitwise the same for packs and for scalars
        /// with the same `mul_add`.
        #[doc(hidden)]
        #[inline(always)]
        pub fn $kernel<T: Turn>(angle: T) -> (T, T) {
            const SINE: &[$scalar] = &[$($s),+];
            const COSINE: &[$scalar] = &[$($c),+];
            let number = |x: $scalar| T::from_f64(f64::from(x));

            // The nearest multiple of π/2; the last two bits of the sum are the quadrant.
            let shifted = angle * number(core::$scalar::consts::FRAC_2_PI) + number($round);
            let multiple = shifted - number($round);
            let x = angle - multiple * number($first);
            let y = T::ZERO;
            $(
                let (x, error) = difference!(x, multiple * number($part));
                let y = y + error;
            )+
            let y = y - multiple * number($rest);

            // Sine and cosine of x + y, |x| up to π/4.
            let z = x * x;
            let mut r = T::ZERO;
            for s in SINE.iter().rev() {
                r = r.mul_add(z, number(*s));
            }
            let v = z * x;
            let sine = x - ((z * (number(0.5) * y - v * r) - y) - v * number($s1));
            let mut r = T::ZERO;
            for c in COSINE.iter().rev() {
                r = r.mul_add(z, number(*c));
            }
            let half = number(0.5) * z;
            let w = T::ONE - half;
            let cosine = w + (((T::ONE - w) - half) + (z * (z * r) - x * y));
            T::turn(shifted, sine, cosine)
        }

        impl Turn for $scalar {
            #[inline(always)]
            fn turn(shifted: Self, sine: Self, cosine: Self) -> (Self, Self) {
                const SIGN: u32 = $bits::BITS - 2;
                let quadrant = shifted.to_bits();
                let odd = (quadrant & 1).wrapping_neg();
                let (a, b) = (sine.to_bits(), cosine.to_bits());
                let swap = (a ^ b) & odd;
                (
                    Self::from_bits((a ^ swap) ^ ((quadrant & 2) << SIGN)),
                    Self::from_bits((b ^ swap) ^ ((quadrant.wrapping_add(1) & 2) << SIGN)),
                )
            }
        }

        /// The loop over `N` angles. Returns `true` if all of them are in range.
        #[inline(always)]
        fn $chunk<const N: usize>(angles: &[$scalar; N], sines: &mut [$scalar; N], cosines: &mut [$scalar; N]) -> bool {
            let mut all_inside = true;
            for i in 0..N {
                let angle = angles[i];
                // NaN is out of range.
                all_inside &= angle.abs() <= $limits;
                (sines[i], cosines[i]) = $kernel(angle);
            }
            all_inside
        }

        /// Replaces results by the library function for angles outside the range of the loop.
        #[cold]
        #[inline(never)]
        fn $repair(angles: &[$scalar], sines: &mut [$scalar], cosines: &mut [$scalar]) {
            for ((angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
                let inside = angle.abs() <= $limits;
                if !inside {
                    (*sine, *cosine) = math::$name::sin_cos(*angle);
                }
            }
        }
    };
}

sin_cos_n!(
    /// Sines and cosines of `N` angles in `f64`.
    ///
    /// Largest observed error: 0.80 units in the last place.
    double, COEFFICIENTS_DOUBLE, kernel_double, LIMIT_DOUBLE, chunk_double, repair_double, f64, u64,
    chunks [8 "avx512f", 4 "avx"],
    limit 1e5, round 6_755_399_441_055_744.0,
    parts [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_711_166_5e-21],
    rest 8.478_427_660_368_9e-32,
    sine [
        -0.166_666_666_666_666_32, 0.008_333_333_333_322_49, -0.000_198_412_698_298_579_5,
        2.755_731_370_707_006_8e-6, -2.505_076_025_340_686_3e-8, 1.589_690_995_211_55e-10
    ],
    cosine [
        0.041_666_666_666_666_6, -0.001_388_888_888_887_411, 2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7, 2.087_572_321_298_175e-9, -1.135_964_755_778_819_5e-11
    ]
);

sin_cos_n!(
    /// Sines and cosines of `N` angles in `f32`.
    ///
    /// Largest error: 0.80 units in the last place, over every `f32` in the range (tested once). No
    /// `f64` is used, which many microcontrollers only emulate.
    single, COEFFICIENTS_SINGLE, kernel_single, LIMIT_SINGLE, chunk_single, repair_single, f32, u32,
    chunks [16 "avx512f", 8 "avx", 4 "sse2"],
    limit 6e3, round 12_582_912.0,
    parts [1.570_312_5, 4.837_513e-4, 7.549_533_6e-8, 2.563_283e-12],
    rest 6.123_234e-17,
    sine [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4],
    cosine [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5]
);
