//! Formulas as text: what the user wrote, with the place of every part, names not yet resolved.

mod functions;
mod lex;
mod parse;
#[cfg(test)]
mod tests;

pub use functions::FUNCTIONS;
pub use functions::{FORMS, FormulaFunction, measures};
pub(crate) use parse::scaled;
pub use parse::{FormulaError, parse, parse_quantity};

use std::ops::Range;

use dqdt_algebra::{Cmp, Dimension, Number};

/// Index of a [`Node`] in its [`Expr`].
pub type NodeId = usize;

/// One operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A bare number. It has no unit: in a sum it takes that of its neighbours.
    Number(Number),
    /// A number with a unit, converted to SI.
    Quantity(Number, Dimension),
    /// A name, `pi` included.
    Name(String),
    /// Opposite.
    Neg(NodeId),
    /// Operation of two arguments.
    Binary(Operator, NodeId, NodeId),
    /// Function or table.
    Call(String, Vec<NodeId>),
    /// `if(a cmp b, yes, no)`
    If(Cmp, [NodeId; 4]),
}

/// An operator of two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
}

/// A formula: nodes with their byte ranges in the text, arguments before what uses them, the whole last.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    nodes: Vec<(Node, Range<usize>)>,
}

impl Expr {
    /// A formula that is one number.
    pub fn number(n: Number, length: usize) -> Self {
        Expr { nodes: vec![(Node::Number(n), 0..length)] }
    }

    /// The nodes, arguments first.
    pub fn nodes(&self) -> &[(Node, Range<usize>)] {
        &self.nodes
    }

    /// The names in it that are not functions, with their places.
    pub fn names(&self) -> impl Iterator<Item = (&str, &Range<usize>)> {
        self.nodes.iter().filter_map(|(n, r)| match n {
            Node::Name(name) => Some((name.as_str(), r)),
            _ => None,
        })
    }
}
