//! Evaluation of many states at once, with the vector instructions of the processor.
//!
//! - [`dqdt_batch`] evaluates the state derivatives of any number of states of one model.
//! - [`rollout`](rollout()) integrates any number of samples over many steps.
//! - [`run`] runs a loop of yours over packs of states.
//!
//! They detect the instructions of the processor and use the widest: AVX-512 (8 `f64` or 16 `f32`
//! at once), AVX2 with FMA (4 or 8), SSE2 (2 or 4). On other processors they use registers of the
//! compilation target, as [`dqdt::dqdt_batch`] does. No compiler flags are needed.
//!
//! This is the only crate of the workspace with `unsafe` blocks: they call intrinsics, and leave
//! memory uninitialised that is written next.
//!
//! # Numbers
//!
//! SSE2 gives bitwise the results of a call for one state. AVX2 and AVX-512 round a `mul_add` once;
//! their results are bitwise those of a call for one state in a program that is compiled for a
//! target with FMA. In other programs results differ in the last digits. The result of a state
//! depends neither on its neighbours nor on its position.
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
mod kernel;
#[cfg(target_arch = "x86_64")]
mod pack;
#[cfg(target_arch = "x86_64")]
mod part;
#[cfg(target_arch = "x86_64")]
mod register;
mod rollout;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub use batch::{Scalar, dqdt_batch, dqdt_batch_with};
pub use instruction_set::InstructionSet;
pub use kernel::{PackKernel, run, run_with};
pub use rollout::{rollout, rollout_with};
