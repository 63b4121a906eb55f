//! Formulas as syntax trees, with the byte range of every part; names are not resolved.

mod functions;
mod lex;
mod parse;
#[cfg(test)]
mod tests;

pub use functions::FUNCTIONS;
pub use functions::{FORMS, FormulaFunction, measure_functions};
pub(crate) use parse::scale_to_si;
pub use parse::{FormulaError, parse_formula, parse_quantity, read_quantity};

use std::ops::Range;

use dqdt_algebra::{Cmp, Dimension, Number};

/// Index of a [`Node`] in the syntax tree of its formula ([`Expr`]).
pub type NodeId = usize;

/// A node of the syntax tree of a formula: a number, a name, an operation, or a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A bare number, without a unit. In a sum it has the unit of the other terms.
    Number(Number),
    /// A number with a unit, converted to SI, with its dimension.
    Quantity(Number, Dimension),
    /// A name in a formula, including `pi`.
    Name(String),
    /// The negative of the node with this index.
    Neg(NodeId),
    /// Binary operation on the nodes with these indices.
    Binary(Operator, NodeId, NodeId),
    /// Call of a function, a measure or a table, by name, with the indices of the arguments.
    Call(String, Vec<NodeId>),
    /// Condition `if(a cmp b, yes, no)`: the comparison, and the indices of the four nodes.
    If(Cmp, [NodeId; 4]),
}

/// Operator of a binary operation in a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
}

/// Syntax tree of a formula: nodes with their byte ranges in the text. Operands precede their
/// users; the root is last.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    nodes: Vec<(Node, Range<usize>)>,
}

impl Expr {
    /// Syntax tree of a formula that is a single number, written in `length` bytes.
    pub fn from_number(n: Number, length: usize) -> Self {
        Expr { nodes: vec![(Node::Number(n), 0..length)] }
    }

    /// The nodes of the syntax tree, operands before their users; the root is last.
    pub fn nodes(&self) -> &[(Node, Range<usize>)] {
        &self.nodes
    }

    /// Names in the formula other than those of functions, with their byte ranges.
    pub fn names(&self) -> impl Iterator<Item = (&str, &Range<usize>)> {
        self.nodes.iter().filter_map(|(n, r)| match n {
            Node::Name(name) => Some((name.as_str(), r)),
            _ => None,
        })
    }
}
