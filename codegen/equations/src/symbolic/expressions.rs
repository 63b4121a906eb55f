//! Expressions as plain data, passed from the graph to the symbolic engine.
//!
//! Only nodes that the outputs need are kept, renumbered in the order of the graph: operands
//! precede their node.

use super::error::SymbolicError;
use dqdt_algebra::PiecewiseCubic;
use dqdt_graph::ir::{Graph, NodeId, Op, SymbolId, SymbolKind, TableId, mark_needed};

/// The nodes of a graph that some outputs need, as plain data: the input of the symbolic engine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expressions {
    /// Symbols in use; operations refer to them by index.
    pub(super) symbols: Vec<SerialSymbol>,
    /// Function tables in use; operations refer to them by index.
    pub(super) tables: Vec<SerialTable>,
    /// Operations, each after its operands.
    pub(super) nodes: Vec<SerialNode>,
    /// Index of the node of each output.
    pub(super) outputs: Vec<u32>,
}

/// A symbol of expressions: name and kind of quantity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SerialSymbol {
    pub name: String,
    pub kind: SymbolKind,
}

/// A function table (piecewise cubic), with floats stored as bits for exact comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SerialTable {
    pub name: String,
    /// Arguments at which the pieces start, increasing.
    pub knots: Vec<u64>,
    /// Coefficients of each cubic, by rising powers of the distance from its knot.
    pub coefficients: Vec<[u64; 4]>,
    /// Value below the first knot.
    pub before: u64,
}

/// An operation and the positions of its arguments; symbols and tables are numbered as in
/// [`Expressions`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SerialNode {
    pub op: Op,
    /// Indices of the operand nodes.
    pub args: Vec<u32>,
}

/// Number of arguments of an operation.
pub(super) fn operand_count(op: Op) -> usize {
    match op {
        Op::Const(_) | Op::Symbol(_) => 0,
        Op::Neg | Op::Sqrt | Op::Sin | Op::Cos | Op::Func(_) | Op::Table(_) => 1,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Func2(_) => 2,
        Op::Select(_) => 4,
    }
}

impl Expressions {
    /// The expressions of some outputs of a graph, in order.
    pub fn new(graph: &Graph, outputs: &[NodeId]) -> Self {
        let needed = mark_needed(graph, outputs);
        let mut position = vec![0u32; needed.len()];
        let mut result = Expressions::default();
        let mut symbols: Vec<(u32, u32)> = Vec::new();
        let mut tables: Vec<(u32, u32)> = Vec::new();
        for (index, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
            let node = graph.node(NodeId(index as u32));
            let op = match node.op {
                Op::Symbol(s) => Op::Symbol(SymbolId(assign_number(&mut symbols, s.0, || {
                    let info = graph.symbol_info(s);
                    result.symbols.push(SerialSymbol { name: info.name, kind: info.kind });
                }))),
                Op::Table(t) => Op::Table(TableId(assign_number(&mut tables, t.0, || {
                    result.tables.push(SerialTable::new(&graph.table_data(t)));
                }))),
                op => op,
            };
            position[index] = result.nodes.len() as u32;
            let args = node.args().iter().map(|a| position[a.0 as usize]).collect();
            result.nodes.push(SerialNode { op, args });
        }
        result.outputs = outputs.iter().map(|o| position[o.0 as usize]).collect();
        result
    }

    /// Number of outputs.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// True if there are no outputs.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Names and kinds of the symbols in use.
    pub fn symbol_names(&self) -> impl Iterator<Item = (&str, SymbolKind)> {
        self.symbols.iter().map(|s| (s.name.as_str(), s.kind))
    }

    /// Names of the tables in use, in their order; empty for a table without a name.
    pub fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|t| t.name.as_str())
    }

    /// Position of each table among the tables of other expressions, if it occurs there.
    pub fn table_places_in(&self, other: &Expressions) -> Vec<Option<usize>> {
        self.tables.iter().map(|t| other.tables.iter().position(|o| o == t)).collect()
    }

    /// Checks that every reference is valid, so that later steps can index without checks.
    pub(super) fn check_references(&self) -> Result<(), SymbolicError> {
        for (index, node) in self.nodes.iter().enumerate() {
            if node.args.iter().any(|a| *a as usize >= index) {
                return Err(SymbolicError::BadRequest("an operation comes before one of its arguments"));
            }
            if node.args.len() != operand_count(node.op) {
                return Err(SymbolicError::BadRequest("an operation has the wrong number of arguments"));
            }
            let exists = match node.op {
                Op::Symbol(s) => (s.0 as usize) < self.symbols.len(),
                Op::Table(t) => (t.0 as usize) < self.tables.len(),
                _ => true,
            };
            if !exists {
                return Err(SymbolicError::BadRequest("an operation refers to an unknown symbol or table"));
            }
        }
        let regular = self.tables.iter().all(|t| t.knots.len() == t.coefficients.len());
        if !regular || self.outputs.iter().any(|o| *o as usize >= self.nodes.len()) {
            return Err(SymbolicError::BadRequest(
                "an output refers to an unknown operation, or a table has different numbers of knots and polynomials",
            ));
        }
        Ok(())
    }
}

/// New number of an item; `add` is called if it has none yet.
fn assign_number(known: &mut Vec<(u32, u32)>, old: u32, add: impl FnOnce()) -> u32 {
    if let Some((_, new)) = known.iter().find(|(o, _)| *o == old) {
        return *new;
    }
    let new = known.len() as u32;
    known.push((old, new));
    add();
    new
}

impl SerialTable {
    fn new(table: &PiecewiseCubic) -> Self {
        SerialTable {
            name: table.name.clone(),
            knots: table.knots.iter().map(|x| x.to_bits()).collect(),
            coefficients: table.coefficients.iter().map(|c| c.map(f64::to_bits)).collect(),
            before: table.before.to_bits(),
        }
    }

    /// The derivative as a table, equal to [`PiecewiseCubic::derivative`].
    pub fn derivative(&self) -> Self {
        SerialTable::new(&self.to_function().derivative())
    }

    /// The table as a function of one argument, in doubles.
    pub fn to_function(&self) -> PiecewiseCubic {
        PiecewiseCubic {
            name: self.name.clone(),
            knots: self.knots.iter().map(|bits| f64::from_bits(*bits)).collect(),
            coefficients: self.coefficients.iter().map(|c| c.map(f64::from_bits)).collect(),
            before: f64::from_bits(self.before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_refer_to_nothing_are_refused() {
        let graph = Graph::new();
        let [x, y] = ["x", "y"].map(|name| graph.symbol(name, SymbolKind::Time));
        let good = Expressions::new(&graph, &[graph.operation(Op::Add, &[x, y])]);
        assert!(good.check_references().is_ok());
        let bad = |change: fn(&mut Expressions)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.check_references().unwrap_err().to_string()
        };
        let messages = [
            bad(|e| e.nodes[2].args = vec![0, 2]),
            bad(|e| e.nodes[2].args = vec![0]),
            bad(|e| e.nodes[0].op = Op::Symbol(SymbolId(2))),
            bad(|e| e.outputs = vec![3]),
        ];
        let parts = [
            "comes before one of its arguments",
            "number of arguments",
            "unknown symbol",
            "unknown operation",
        ];
        for (message, part) in messages.iter().zip(parts) {
            assert!(message.contains(part), "{message}");
        }
    }
}
