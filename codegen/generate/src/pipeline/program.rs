//! Functions over one graph of operations, their values by the interpreter, and their cost.
//!
//! A [`Program`] is what passes rebuild and printers read. [`Machine`] evaluates one of its
//! functions in `f64`; [`Tracer`] records further operations in its graph; [`count()`] counts the
//! operations of a call.

pub use dqdt_graph::ir::count::{count, table};
pub use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns, Role, Solves, Vector,
};
pub use dqdt_graph::ir::{
    Arguments, Check, Condition, ConstantNotes, Cost, Effect, EventCrossing, EventSlot, Function,
    FunctionOutput, Graph, Label, Layout, Limits, Machine, Node, NodeId, Op, Operations, ParameterChecks,
    Program, ResultShape, Row, SingularPivot, Slot, Symbol, SymbolId, SymbolKind, TableId, Tracer,
};
