//! The graph of operations, and passes over it.
//!
//! Invariants: append-only; hash-consed, so that equal operations are one node; children stand before parents;
//! constants stay exact until emission; structural zeros and ones vanish on construction.

mod eval;
mod fold;
mod graph;
mod program;
mod replay;
mod tracer;

pub use eval::{Tape, eval_op, evaluate};
pub use graph::{Graph, Label, Node, NodeId, Op, Symbol, SymbolId, SymbolKind, TableId};
pub use program::{Function, FunctionKind, Layout, Output, Program, Shape, Slot};
pub use replay::{needed, replay};
pub use tracer::Tracer;
