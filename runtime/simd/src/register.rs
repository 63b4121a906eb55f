//! Operations that a SIMD register must have.

use core::fmt::Debug;
use dqdt::Real;
use dqdt::sin_cos::{self, Turn};

use crate::pack::Packed;

/// The scalar type of one lane of a SIMD register, `f32` or `f64`.
pub trait Lane: Real<Mask = bool> + Default + Debug {
    /// Largest absolute value of an angle within the range of the sine and cosine kernel.
    const LIMIT: Self;
    /// Sine and cosine of angles that are within the range of the kernel.
    fn sin_cos_inside<T: Turn>(angle: T) -> (T, T);
}

impl Lane for f64 {
    const LIMIT: Self = sin_cos::LIMIT_DOUBLE;
    #[inline(always)]
    fn sin_cos_inside<T: Turn>(angle: T) -> (T, T) {
        sin_cos::kernel_double(angle)
    }
}

impl Lane for f32 {
    const LIMIT: Self = sin_cos::LIMIT_SINGLE;
    #[inline(always)]
    fn sin_cos_inside<T: Turn>(angle: T) -> (T, T) {
        sin_cos::kernel_single(angle)
    }
}

/// A SIMD register of an instruction set, with its operations.
///
/// Its functions use instructions without detecting them: they may run only where an
/// [`InstructionSet`](crate::InstructionSet) exists. So registers and types made of them are
/// private to this crate. They leave it only as a type parameter of functions that are called after
/// detection.
pub trait Register: Copy + 'static {
    type Scalar: Lane;
    /// Array type with the numbers of all lanes of a register.
    type Array: Copy + Debug + AsRef<[Self::Scalar]> + AsMut<[Self::Scalar]>;
    /// Result of a comparison of two registers: one truth value per lane.
    type Mask: Copy + 'static;
    const LANES: usize;
    const ZERO: Self;
    const ONE: Self;

    /// Runs a body that is compiled with the instructions of this register, if it is `#[inline]`.
    fn compute<R>(body: impl FnOnce() -> R) -> R;

    unsafe fn splat(value: Self::Scalar) -> Packed<Self>;
    fn array(self) -> Self::Array;
    fn from_array(array: Self::Array) -> Self;
    /// Loads a full register from the front of a slice; `None` if the slice is too short.
    fn load(values: &[Self::Scalar]) -> Option<Self>;

    unsafe fn add(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    unsafe fn sub(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    unsafe fn mul(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    unsafe fn div(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    unsafe fn neg(a: Packed<Self>) -> Packed<Self>;
    fn abs(self) -> Self;
    unsafe fn sqrt(a: Packed<Self>) -> Packed<Self>;
    /// Minimum, lane by lane: `self < other ? self : other`.
    unsafe fn min(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    /// Maximum, lane by lane: `self > other ? self : other`.
    unsafe fn max(a: Packed<Self>, b: Packed<Self>) -> Packed<Self>;
    /// Fused multiply-add, rounded once if the instruction set has it.
    unsafe fn mul_add(a: Packed<Self>, b: Packed<Self>, c: Packed<Self>) -> Packed<Self>;
    /// Turns sine and cosine to their quadrant, as [`Turn::turn`].
    fn turn(shifted: Self, sine: Self, cosine: Self) -> (Self, Self);

    fn less(self, other: Self) -> Self::Mask;
    fn less_or_equal(self, other: Self) -> Self::Mask;
    fn equal(self, other: Self) -> Self::Mask;
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;

    fn mask(value: bool) -> Self::Mask;
    fn mask_and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn mask_not(a: Self::Mask) -> Self::Mask;
    /// The mask as the bits of an integer, one for each lane, the first lane lowest.
    fn mask_bits(mask: Self::Mask) -> u32;
}

/// Implements [`Register`] by the intrinsics of an instruction set. Operations that are not a
/// single instruction in some set are functions of the calling module.
macro_rules! register {
    (
        $register:ident: $lanes:literal of $scalar:ident, $features:literal, mask $mask:ident, bits $int:ident sign $sign:literal;
        $set1:ident $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident $min:ident $max:ident;
        integers $to_bits:ident $from_bits:ident $set1_bits:ident $sub_bits:ident $and:ident $xor:ident $shift:ident;
        $module:ident
    ) => {
        // SAFETY of all blocks below: the contract of the trait, that the processor has these
        // instructions.
        #[allow(clippy::undocumented_unsafe_blocks, reason = "one reason for all, above")]
        impl $crate::register::Register for $register {
            type Scalar = $scalar;
            type Array = [$scalar; $lanes];
            type Mask = $mask;
            const LANES: usize = $lanes;
            const ZERO: Self = unsafe { core::mem::transmute::<[$scalar; $lanes], Self>([0.0; $lanes]) };
            const ONE: Self = unsafe { core::mem::transmute::<[$scalar; $lanes], Self>([1.0; $lanes]) };

            #[inline(always)]
            fn compute<R>(body: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                fn compiled<R>(body: impl FnOnce() -> R) -> R {
                    body()
                }
                unsafe { compiled(body) }
            }
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn splat(value: $scalar) -> $crate::pack::Packed<Self> {
                $crate::pack::Packed($set1(value))
            }
            #[inline(always)]
            fn array(self) -> [$scalar; $lanes] {
                unsafe { core::mem::transmute(self) }
            }
            #[inline(always)]
            fn from_array(array: [$scalar; $lanes]) -> Self {
                unsafe { core::mem::transmute(array) }
            }
            #[inline(always)]
            fn load(values: &[$scalar]) -> Option<Self> {
                values.first_chunk().map(|whole| Self::from_array(*whole))
            }
            $crate::register::register!(@binary $features add $add, sub $sub, mul $mul, div $div, min $min, max $max);
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn sqrt(a: $crate::pack::Packed<Self>) -> $crate::pack::Packed<Self> {
                $crate::pack::Packed($sqrt(a.0))
            }
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn neg(a: $crate::pack::Packed<Self>) -> $crate::pack::Packed<Self> {
                $crate::pack::Packed($from_bits($xor($to_bits(a.0), $to_bits($set1(-0.0)))))
            }
            #[inline]
            fn abs(self) -> Self {
                unsafe { $from_bits($and($to_bits(self), $set1_bits($int::MAX))) }
            }
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn mul_add(
                a: $crate::pack::Packed<Self>,
                b: $crate::pack::Packed<Self>,
                c: $crate::pack::Packed<Self>,
            ) -> $crate::pack::Packed<Self> {
                $crate::pack::Packed(unsafe { $module::mul_add(a.0, b.0, c.0) })
            }
            #[inline(always)]
            fn turn(shifted: Self, sine: Self, cosine: Self) -> (Self, Self) {
                unsafe {
                    let (quadrant, one, two) = ($to_bits(shifted), $set1_bits(1), $set1_bits(2));
                    let odd = $sub_bits($set1_bits(0), $and(quadrant, one));
                    let (a, b) = ($to_bits(sine), $to_bits(cosine));
                    let swap = $and($xor(a, b), odd);
                    let next = $sub_bits(quadrant, $set1_bits(-1));
                    let sine = $xor($xor(a, swap), $shift::<$sign>($and(quadrant, two)));
                    let cosine = $xor($xor(b, swap), $shift::<$sign>($and(next, two)));
                    ($from_bits(sine), $from_bits(cosine))
                }
            }
            $crate::register::register!(@compare $module: $mask less, less_or_equal, equal);
            #[inline]
            fn select(mask: $mask, if_true: Self, if_false: Self) -> Self {
                unsafe { $module::select(mask, if_true, if_false) }
            }
            #[inline]
            fn mask(value: bool) -> $mask {
                unsafe { $module::mask(value) }
            }
            #[inline]
            fn mask_and(a: $mask, b: $mask) -> $mask {
                unsafe { $module::and(a, b) }
            }
            #[inline]
            fn mask_or(a: $mask, b: $mask) -> $mask {
                unsafe { $module::or(a, b) }
            }
            #[inline]
            fn mask_not(a: $mask) -> $mask {
                unsafe { $module::not(a) }
            }
            #[inline]
            fn mask_bits(mask: $mask) -> u32 {
                unsafe { $module::bits(mask) }
            }
        }
    };
    (@binary $features:literal $($name:ident $intrinsic:ident),+) => {$(
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $name(a: $crate::pack::Packed<Self>, b: $crate::pack::Packed<Self>) -> $crate::pack::Packed<Self> {
            $crate::pack::Packed($intrinsic(a.0, b.0))
        }
    )+};
    (@compare $module:ident: $mask:ident $($name:ident),+) => {$(
        #[inline]
        fn $name(self, other: Self) -> $mask {
            unsafe { $module::$name(self, other) }
        }
    )+};
}
pub(crate) use register;
