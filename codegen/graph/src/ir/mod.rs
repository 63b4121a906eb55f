//! The graph of operations, programs over it, their values and their cost.
//!
//! Invariants: the graph is append-only; hash-consed, so that equal operations are one node;
//! operands precede their users; constants stay exact until emission; structural zeros and ones
//! vanish on construction.

mod consistency;
pub mod count;
pub mod declaration;
mod depend;
mod eval;
mod fingerprint;
mod fold;
mod graph;
mod lexicon;
mod machine;
mod memo;
mod names;
mod node;
mod normal_form;
mod notes;
mod program;
mod rebuild;
mod replay;
mod space;
mod switch_points;
mod switches;
mod tangent;
mod tracer;

pub use count::{Cost, Operations, count, count_depth, count_nodes, count_split, roots};
pub use declaration::{Declaration, Role};
pub use depend::{Group, groups};
pub use eval::{TableRows, Tape, TapeStep, eval_op, evaluate};
pub use fingerprint::{fingerprints, learn_names};
pub use graph::{Graph, Label, MOST_NODES};
pub use lexicon::{Fingerprint, Lexicon, is_same};
pub use machine::{Arguments, Code, Compiler, EPSILON, Evaluation, Machine, SingularPivot};
pub use names::{Taken, ValueNames, greek_letter, identifier};
pub use node::{Node, NodeId, Op, Symbol, SymbolId, SymbolKind, TableId};
pub use normal_form::is_one_term;
pub use notes::{ConstantNotes, negative};
pub use program::{
    Check, Condition, Effect, EventCrossing, EventSlot, Function, FunctionOutput, Layout, Limits,
    ParameterChecks, Program, ResultShape, Row, Slot,
};
pub use rebuild::{GraphBuilder, all_roots, clean, rebuild, unlabelled};
pub use replay::{needed, replay};
pub use space::Space;
pub use switch_points::{SwitchPoint, SwitchSearch};
pub use switches::{Snapshot, Switch, switches};
pub use tangent::{Tangents, substitute};
pub use tracer::Tracer;
