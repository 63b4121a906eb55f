//! Evaluation of batches whose rows are a multiple of a power of two apart.
//!
//! Problem: a cache selects the line for an address by its low bits. Rows of 1,024 doubles have the
//!          same low bits, so that one state of all rows competes for a few lines, and each pack
//!          waits for data that the pack before has evicted.
//! Method:  a block of states is copied to consecutive memory, evaluated there, and copied back.
//!
//! Measured, ns per state of the Solo12 (`--fused`), 1,024 states, directly and in blocks: SSE2 390
//! and 234, AVX2 151 and 125, AVX-512 108 and 82. For a Panda, with 35 rows, copying costs more
//! than it saves.

use dqdt::{Lift, Pack, WrongLength, dqdt_batch_by};

/// Number of states that are copied to consecutive memory at once.
const BLOCK: usize = 32;

/// Distance of rows, in bytes, at whose multiples all rows map to the same cache lines.
const CROWDED: usize = 4096;

/// Maximum size of a block of states on the stack, in bytes. A batch with more rows is evaluated in
/// place.
const MOST: usize = 1 << 16;

/// Number of rows of `x`, `u` and `dx` together that fit into the cache even with such distances.
const FEW: usize = 48;

/// Evaluates a batch of states, copied in blocks if its rows would evict each other from the cache.
pub(crate) fn evaluate_batch<P, M, const NX: usize, const NU: usize>(
    model: &M,
    t: P::Scalar,
    x: &[P::Scalar],
    u: &[P::Scalar],
    dx: &mut [P::Scalar],
    singular: &mut [bool],
) -> Result<usize, WrongLength>
where
    P: Pack,
    M: Lift<P::Scalar, NX, NU>,
{
    let (n, rows) = (singular.len(), 2 * NX + NU);
    let crowded = (n * size_of::<P::Scalar>()).is_multiple_of(CROWDED)
        && rows > FEW
        && rows * BLOCK * size_of::<P::Scalar>() <= MOST;
    let fits = |rows: usize, length: usize| rows.checked_mul(n) == Some(length);
    if n == 0 || !crowded || !(fits(NX, x.len()) && fits(NU, u.len()) && fits(NX, dx.len())) {
        return dqdt_batch_by::<P, M, NX, NU>(model, t, x, u, dx, singular);
    }
    evaluate_in_blocks::<P, M, NX, NU>(model, t, x, u, dx, singular)
}

/// Evaluates a batch of states, copied in blocks to consecutive memory. `n` is a multiple of
/// [`BLOCK`], and all slices have been checked.
#[inline(never)]
fn evaluate_in_blocks<P, M, const NX: usize, const NU: usize>(
    model: &M,
    t: P::Scalar,
    x: &[P::Scalar],
    u: &[P::Scalar],
    dx: &mut [P::Scalar],
    singular: &mut [bool],
) -> Result<usize, WrongLength>
where
    P: Pack,
    M: Lift<P::Scalar, NX, NU>,
{
    use dqdt::Real;
    let n = singular.len();
    let mut states = [[P::Scalar::ZERO; BLOCK]; NX];
    let mut inputs = [[P::Scalar::ZERO; BLOCK]; NU];
    let mut rates = [[P::Scalar::ZERO; BLOCK]; NX];
    let mut singular_states = 0;
    for (block, singular) in singular.chunks_exact_mut(BLOCK).enumerate() {
        let row = |i: usize| i * n + block * BLOCK..i * n + (block + 1) * BLOCK;
        for (i, state) in states.iter_mut().enumerate() {
            state.copy_from_slice(&x[row(i)]);
        }
        for (i, input) in inputs.iter_mut().enumerate() {
            input.copy_from_slice(&u[row(i)]);
        }
        let (x, u) = (states.as_flattened(), inputs.as_flattened());
        singular_states += dqdt_batch_by::<P, M, NX, NU>(model, t, x, u, rates.as_flattened_mut(), singular)?;
        for (i, rate) in rates.iter().enumerate() {
            dx[row(i)].copy_from_slice(rate);
        }
    }
    Ok(singular_states)
}
