//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Reports of the derived equations (`inspect`), proofs about them (`prove`), and the symbolic
//! engine behind both (`symbolic`).

pub mod inspect;
pub mod prove;
pub mod symbolic;
