//! What a graph holds: operations on earlier nodes, and symbols.

use serde::{Deserialize, Serialize};

use dqdt_algebra::{Cmp, Func, Func2, Number};

/// Index of a node. Children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Index of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId(pub u32);

/// Index of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TableId(pub u32);

/// An operation. Arguments are in [`Node::args`], in the order of the textbook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Op {
    /// An exact constant.
    Const(Number),
    /// A symbol.
    Symbol(SymbolId),
    /// `a + b`
    Add,
    /// `a − b`
    Sub,
    /// `a · b`
    Mul,
    /// `a / b`
    Div,
    /// `−a`
    Neg,
    /// `√a`
    Sqrt,
    /// `sin a`
    Sin,
    /// `cos a`
    Cos,
    /// A function of one argument.
    Func(Func),
    /// A function of two arguments.
    Func2(Func2),
    /// `if a cmp b { c } else { d }`
    Select(Cmp),
    /// A piecewise cubic at `a`.
    Table(TableId),
}

/// An operation and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What is done.
    pub op: Op,
    arguments: [NodeId; 4],
    count: u8,
}

impl Node {
    /// An operation on at most four arguments.
    pub(super) fn new(op: Op, args: &[NodeId]) -> Self {
        let mut arguments = [NodeId(0); 4];
        arguments[..args.len()].copy_from_slice(args);
        Node { op, arguments, count: args.len() as u8 }
    }

    /// The arguments.
    pub fn args(&self) -> &[NodeId] {
        &self.arguments[..self.count as usize]
    }
}

/// What a symbol stands for; the number is the position in its list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SymbolKind {
    /// `t`
    Time,
    /// `p[i]`
    Parameter(usize),
    /// `q[i]`
    Coordinate(usize),
    /// `v[i]`
    Speed(usize),
    /// `z[i]`
    State(usize),
    /// `u[i]`
    Input(usize),
    /// `v̇[i]`, where accelerations are given (inverse dynamics).
    Acceleration(usize),
    /// What input `i` gives in a blow, its integral over time, where impulses are given (impacts).
    Impulse(usize),
    /// A given effort along speed `i` (systems with the mass matrix).
    Effort(usize),
    /// Whether contact `i` is on: one or zero.
    Contact(usize),
    /// `q̇[i]`, where coordinate rates are independent of `v` (Lagrange).
    Rate(usize),
    /// An auxiliary unknown of a pass or a proof.
    Auxiliary(usize),
    /// The length along which load `i` acts, where equations are printed: it stands for a function of the pose.
    Length(usize),
    /// A formula with a name, where equations are printed: `3 k` is number `k` itself, `3 k + 1`
    /// and `3 k + 2` its derivatives by time.
    Named(usize),
}

impl SymbolKind {
    /// Its kind as a number, and its position in the list.
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

/// A named leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// As the spec has it.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
}
