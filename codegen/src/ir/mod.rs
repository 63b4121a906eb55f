//! The graph of operations, and passes over it.
//!
//! Invariants: append-only; hash-consed, so that equal operations are one node; children stand before parents;
//! constants stay exact until emission; structural zeros and ones vanish on construction.

mod cluster;
pub mod count;
pub mod declaration;
mod dense_solve;
mod depend;
mod eval;
mod factor;
mod fold;
mod graph;
pub mod lower;
mod machine;
mod names;
mod naming;
mod notes;
mod passes;
mod plan;
mod program;
mod rebuild;
mod regroup;
mod replay;
mod schedule;
mod tracer;
mod trig;

pub use count::{Cost, Operations, count, count_depth, count_nodes, count_split, roots};
pub use declaration::{Declaration, Role};
pub use dense_solve::DenseFactors;
pub use depend::{Group, groups};
pub use eval::{Tape, eval_op, evaluate};
pub use factor::factor;
pub use graph::{Graph, Label, Node, NodeId, Op, Symbol, SymbolId, SymbolKind, TableId};
pub use machine::{Arguments, EPSILON, Machine, SingularPivot};
pub use names::{Names, Taken, identifier};
pub use naming::{Naming, name};
pub use notes::ConstantNotes;
pub use passes::{PASSES, Pass, simplify};
pub use plan::{Body, Hoisted, Plan};
pub use program::{
    Check, Condition, Crossing, Effect, EventSlot, Function, Layout, Output, ParameterChecks, Program, Shape,
    Slot,
};
pub use rebuild::{Builder, clean, rebuild, unlabelled};
pub use regroup::regroup;
pub use replay::{needed, replay};
pub use schedule::{Owner, Pair, Root, Schedule, Statement, Step, schedule};
pub use tracer::Tracer;
pub use trig::trig;
