//! Many states at once, with the vector instructions that the processor has.
//!
//! [`dqdt_batch`] evaluates the state derivatives of any number of states of one model. It asks the processor which
//! instructions it has and takes the widest: AVX-512 (8 `f64` or 16 `f32` at once), AVX2 with FMA (4 or 8), SSE2 (2 or 4).
//! Elsewhere it is [`dqdt::dqdt_batch`], in registers of the compilation target. No compiler flags are needed.
//!
//! This is the only crate of the workspace with `unsafe` blocks: they call instructions, and leave memory unset that is written next.
//!
//! # Numbers
//!
//! SSE2 gives the bits of a call for one state. AVX2 and AVX-512 round a `mul_add` once; they give the bits of a call for one
//! state in a program that is compiled for a target with FMA, in others results differ in the last digits. A state's result
//! does not depend on its neighbours nor on where it stands.
//!
//! Functions other than `+ − · / √ min max abs select` and sine and cosine run lane by lane.
#![allow(clippy::needless_range_loop, reason = "as in the runtime")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
#[cfg(target_arch = "x86_64")]
mod blocks;
mod instruction_set;
#[cfg(target_arch = "x86_64")]
mod pack;
#[cfg(target_arch = "x86_64")]
mod part;
#[cfg(target_arch = "x86_64")]
mod register;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub use batch::{Scalar, dqdt_batch, dqdt_batch_with};
pub use instruction_set::InstructionSet;
