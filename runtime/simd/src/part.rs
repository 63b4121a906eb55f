//! Equal parts of a mechanism in packs: evaluated one after another, since the lanes already
//! contain states.
//!
//! Problem: the function for a robot with four legs passes the inputs of all legs at once and gets
//!          all results back. Values that pass through memory cost as much as the computation, and
//!          compilers copy them two or three times if loops pass them on.
//! Method:  two parts are evaluated in sequence; four and eight run one body in a loop. Inputs and
//!          outputs are moved entry by entry, without a loop.
//! Limits:  a loop moves more than [`UNROLLED`] entries.
//!
//! Measured, ns per state with AVX2 and AVX-512, 1,000 states, before and after: Solo12 133 and 90,
//! then 121 and 75; HyQ 186 and 93, then 134 and 81. The Talos, 256 states: 530 and 341, then 420
//! and 234.

use core::mem::MaybeUninit;

use dqdt::Part;

use crate::pack::Packed;
use crate::register::Register;

/// Maximum number of array entries that are moved without a loop.
const UNROLLED: usize = 256;

/// Builds an array entry by entry, without a loop. An entry with a constant index stays in a
/// register, or is read where it is used. LLVM does not unroll a loop over dozens of entries, and
/// the array would be written, copied and read again.
#[inline(always)]
fn build_array<T, const N: usize>(value_at: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [const { MaybeUninit::<T>::uninit() }; N];
    macro_rules! write {
        ($first:literal: $($i:literal)*) => { $(if $first + $i < N { out[$first + $i].write(value_at($first + $i)); })* };
        ($($first:literal)*) => {
            $(write!($first: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);)*
        };
    }
    write!(0 32 64 96 128 160 192 224);
    for (i, entry) in out.iter_mut().enumerate().skip(UNROLLED) {
        entry.write(value_at(i));
    }
    // SAFETY: each entry was written above, and `MaybeUninit<T>` has the layout of `T`.
    unsafe { core::mem::transmute_copy(&out) }
}

/// Evaluates two equal parts of a mechanism one after the other.
#[inline(always)]
pub(crate) fn evaluate_two_parts<
    R: Register,
    P: Part<H, I, O>,
    const H: usize,
    const I: usize,
    const O: usize,
>(
    shared: [Packed<R>; H],
    inputs: [[Packed<R>; 2]; I],
) -> [[Packed<R>; 2]; O] {
    let a = P::part::<Packed<R>, Packed<R>, 1>(shared, build_array(|i| [inputs[i][0]]));
    let b = P::part::<Packed<R>, Packed<R>, 1>(shared, build_array(|i| [inputs[i][1]]));
    build_array(|o| [a[o][0], b[o][0]])
}

/// Evaluates any number of equal parts of a mechanism, with one body in a loop.
#[inline(always)]
pub(crate) fn evaluate_parts_in_loop<
    R: Register,
    P: Part<H, I, O>,
    const N: usize,
    const H: usize,
    const I: usize,
    const O: usize,
>(
    shared: [Packed<R>; H],
    inputs: [[Packed<R>; N]; I],
) -> [[Packed<R>; N]; O] {
    let mut outputs = [const { MaybeUninit::<[[Packed<R>; 1]; O]>::uninit() }; N];
    for (k, output) in outputs.iter_mut().enumerate() {
        output.write(P::part::<Packed<R>, Packed<R>, 1>(shared, build_array(|i| [inputs[i][k]])));
    }
    // SAFETY: the loop above has written all entries.
    build_array(|o| core::array::from_fn(|k| unsafe { outputs[k].assume_init_ref() }[o][0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_any_length_has_each_entry_in_its_place() {
        fn check_array_entries<const N: usize>() {
            assert_eq!(build_array::<usize, N>(|i| 3 * i), core::array::from_fn(|i| 3 * i));
        }
        check_array_entries::<0>();
        check_array_entries::<1>();
        check_array_entries::<33>();
        check_array_entries::<{ UNROLLED }>();
        check_array_entries::<{ UNROLLED + 45 }>();
    }
}
