//! The graph of operations, programs over it, their values and their cost.
//!
//! Invariants: the graph is append-only; hash-consed, so that equal operations are one node;
//! operands precede their users; constants stay exact until emission; structural zeros and ones
//! vanish on construction.

mod adjoint;
mod consistency;
pub mod count;
pub mod declaration;
mod delayed_code;
mod depend;
mod eval;
mod evaluation;
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
mod parameter_checks;
mod program;
mod rebuild;
mod replay;
mod space;
mod switch_points;
mod switches;
mod tangent;
mod tracer;
mod zero_branches;

pub use adjoint::gradient;
pub use count::{
    Cost, Operations, count, count_in_groups, count_nodes, function_longest_chain, needed_roots,
};
pub use declaration::{Declaration, Role};
pub use depend::{Group, dependency_groups};
pub use eval::{TableRows, Tape, TapeStep, evaluate, evaluate_operation};
pub use evaluation::{ARGUMENT_VECTORS, Compiler, Evaluation, TapeCode, argument_place};
pub use fingerprint::{fingerprints, store_names_by_fingerprint};
pub use graph::{Graph, Label, MOST_NODES};
pub use lexicon::{Fingerprint, Lexicon, fingerprints_match};
pub use machine::{Arguments, EPSILON, Machine, SingularPivot, state_derivative_range};
pub use names::{Taken, ValueNames, greek_letter_name, to_identifier};
pub use node::{Node, NodeId, Op, Symbol, SymbolId, SymbolKind, TableId};
pub use normal_form::is_single_product;
pub use notes::{ConstantNotes, toggle_negative_prefix};
pub use parameter_checks::ParameterConditions;
pub use program::{
    Check, Condition, Effect, EventCrossing, EventSlot, Function, FunctionOutput, Layout, Limits,
    ParameterChecks, Program, ResultShape, Row, Slot,
};
pub use rebuild::{GraphBuilder, drop_labels, drop_unneeded_nodes, program_roots, rebuild};
pub use replay::{mark_needed, replay};
pub use space::Space;
pub use switch_points::{SwitchPoint, SwitchSearch};
pub use switches::{Snapshot, Switch, find_switches};
pub use tangent::{Tangents, substitute_symbols};
pub use tracer::Tracer;
