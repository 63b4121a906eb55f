//! Equal parts of a mechanism in packs: one after another, as the lanes hold states already.
//!
//! Problem: a robot with four legs hands all inputs of the legs over at once and takes all results back; some hundred registers that
//!          go through memory cost as much as what is computed of them.
//! Method:  one body in a loop, whose results are written once. Where there are 32 registers four parts stand one behind another,
//!          and what they hand on needs no memory of its own; with sixteen that is slower than the loop.
//! Limits:  two parts are large where there are two, those of humanoids, and eight many: their bodies stay in a loop.
//!
//! Measured, ns a state of the Solo12 as a loop with results set to zero before, as a loop, one behind another: SSE2 313, 274,
//! 370; AVX2 166, 152, 171; AVX-512 118, 105, 96.

use core::mem::MaybeUninit;

use dqdt::Part;

use crate::pack::Packed;
use crate::register::Register;

/// Four parts, each behind the one before.
#[inline(always)]
pub(crate) fn four<R: Register, P: Part<H, I, O>, const H: usize, const I: usize, const O: usize>(
    shared: [Packed<R>; H],
    inputs: [[Packed<R>; 4]; I],
) -> [[Packed<R>; 4]; O] {
    let a = P::part::<Packed<R>, Packed<R>, 1>(shared, inputs.map(|i| [i[0]]));
    let b = P::part::<Packed<R>, Packed<R>, 1>(shared, inputs.map(|i| [i[1]]));
    let c = P::part::<Packed<R>, Packed<R>, 1>(shared, inputs.map(|i| [i[2]]));
    let d = P::part::<Packed<R>, Packed<R>, 1>(shared, inputs.map(|i| [i[3]]));
    core::array::from_fn(|o| [a[o][0], b[o][0], c[o][0], d[o][0]])
}

/// Any number of parts, by one body in a loop.
#[inline(always)]
pub(crate) fn in_turn<
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
    let mut outputs = [const { [MaybeUninit::<Packed<R>>::uninit(); N] }; O];
    for k in 0..N {
        let one = P::part::<Packed<R>, Packed<R>, 1>(shared, core::array::from_fn(|i| [inputs[i][k]]));
        for o in 0..O {
            outputs[o][k].write(one[o][0]);
        }
    }
    // SAFETY: the loops above have written each of them, and what may be uninitialised is laid out as what is not.
    unsafe { core::mem::transmute_copy(&outputs) }
}
