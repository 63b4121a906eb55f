//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Machine code in this process for functions of a program.
//!
//! Problem: the interpreter needs 10 to 20 times as long as compiled code, and a compiler of Rust
//!          or C needs seconds and must be installed.
//! Method:  the operations of the graph become one block of Cranelift instructions, in `f64` or
//!          `f32`, one state at a time or one state per lane of a register of 128 bits. Sines and
//!          cosines are the polynomials of the runtime; other functions are calls of the runtime's
//!          scalars. What depends on parameters only is a function of its own, called once for
//!          each set of parameters.
//! Bits:    the same as by the interpreter: the same operations, in the same order, none fused.
//!          Where an angle exceeds the range of the polynomials, the interpreter evaluates the
//!          state.
//! Cost:    compiling takes about 10 µs per operation: a long function is compiled in parts, which
//!          pass values through memory. For one motion of a large mechanism registers are allocated
//!          in a single pass, 1 to 2 µs per operation.

mod compile;
mod error;
mod kernel;
mod library;
mod memory;
mod scalar;
mod translate;

pub use dqdt_graph::ir::ARGUMENT_VECTORS as VECTORS;
pub use error::NativeError;
pub use memory::{NativeCode, compile_tape};
pub use scalar::NativeScalar;
