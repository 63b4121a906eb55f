//! Nodes of the graph: operations on earlier nodes, and symbols.

use serde::{Deserialize, Serialize};

use dqdt_algebra::{Cmp, Func, Func2, Number};

/// Index of a node of a graph. Operands have smaller ids than their users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Index of a symbol of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId(pub u32);

/// Index of a table of a graph, a piecewise cubic function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TableId(pub u32);

/// An operation of a node. Operands are in [`Node::args`], from left to right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Op {
    /// An exact constant.
    Const(Number),
    /// A symbol, such as a coordinate or a parameter.
    Symbol(SymbolId),
    /// The sum `a + b`.
    Add,
    /// The difference `a − b`.
    Sub,
    /// The product `a · b`.
    Mul,
    /// The quotient `a / b`.
    Div,
    /// The negation `−a`.
    Neg,
    /// The square root `√a`.
    Sqrt,
    /// The sine `sin a`.
    Sin,
    /// The cosine `cos a`.
    Cos,
    /// A function of one argument, such as `tan`.
    Func(Func),
    /// A function of two arguments, such as `atan2`.
    Func2(Func2),
    /// A selection: `if a cmp b { c } else { d }`.
    Select(Cmp),
    /// A piecewise cubic function of `a`.
    Table(TableId),
}

impl Op {
    /// Number of operands.
    pub fn operand_count(self) -> usize {
        match self {
            Op::Const(_) | Op::Symbol(_) => 0,
            Op::Neg | Op::Sqrt | Op::Sin | Op::Cos | Op::Func(_) | Op::Table(_) => 1,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Func2(_) => 2,
            Op::Select(_) => 4,
        }
    }
}

/// A node of a graph: an operation with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The operation of the node.
    pub op: Op,
    arguments: [NodeId; 4],
    count: u8,
}

impl Node {
    /// An operation on at most four operands.
    pub(super) fn new(op: Op, args: &[NodeId]) -> Self {
        let mut arguments = [NodeId(0); 4];
        arguments[..args.len()].copy_from_slice(args);
        Node { op, arguments, count: args.len() as u8 }
    }

    /// The operands of the node, from left to right.
    pub fn args(&self) -> &[NodeId] {
        &self.arguments[..self.count as usize]
    }
}

/// The quantity that a symbol represents, with its index in the vector of that quantity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SymbolKind {
    /// Time `t`.
    Time,
    /// Parameter `p[i]`.
    Parameter(usize),
    /// Coordinate `q[i]`.
    Coordinate(usize),
    /// Speed `v[i]`.
    Speed(usize),
    /// User state `z[i]`.
    State(usize),
    /// Input `u[i]`.
    Input(usize),
    /// `v̇[i]`, where accelerations are arguments (inverse dynamics).
    Acceleration(usize),
    /// Impulse of input `i`, its integral over the time of an impact, where impulses are arguments.
    Impulse(usize),
    /// An effort along speed `i`, where efforts are arguments (systems with the mass matrix).
    Effort(usize),
    /// Contact flag `i`, one or zero.
    Contact(usize),
    /// Coordinate rate `q̇[i]`, where rates are independent of `v` (Lagrange).
    Rate(usize),
    /// An auxiliary unknown of a pass or a proof.
    Auxiliary(usize),
    /// The length along which load `i` acts, a function of the pose; a symbol only in printed
    /// equations.
    Length(usize),
    /// A named formula in printed equations: `3 k` is formula `k` itself, `3 k + 1` and `3 k + 2`
    /// its first and second time derivatives.
    Named(usize),
}

impl SymbolKind {
    /// The number of the kind, and the index in its vector.
    pub fn place(self) -> (u32, usize) {
        match self {
            SymbolKind::Time => (0, 0),
            SymbolKind::Parameter(i) => (1, i),
            SymbolKind::Coordinate(i) => (2, i),
            SymbolKind::Speed(i) => (3, i),
            SymbolKind::State(i) => (4, i),
            SymbolKind::Input(i) => (5, i),
            SymbolKind::Acceleration(i) => (6, i),
            SymbolKind::Rate(i) => (7, i),
            SymbolKind::Auxiliary(i) => (8, i),
            SymbolKind::Impulse(i) => (9, i),
            SymbolKind::Effort(i) => (10, i),
            SymbolKind::Contact(i) => (11, i),
            SymbolKind::Length(i) => (12, i),
            SymbolKind::Named(i) => (13, i),
        }
    }
}

/// A symbol of a graph: a leaf with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Name of the symbol in the spec.
    pub name: String,
    /// The quantity that it represents.
    pub kind: SymbolKind,
}
