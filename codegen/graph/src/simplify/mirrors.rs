//! Computes a value and its opposite only once.
//!
//! Problem: folding keeps a sign in a constant, `(−c) x`, so that it costs no operation. If `c x`
//!          is needed too, both are computed, and so are all values built on them: `c x + y` and
//!          `(−c) x − y`.
//! Method:  value numbering with signs moved outwards. Of two values with the same number, the
//!          later one is replaced by the earlier one or its opposite, and its users absorb the
//!          sign.
//! Rounding: unchanged; the sign of a zero may differ.
//! Order:   after `constants`; folding would undo it.
//! Cost:    O(n).

use rustc_hash::FxHashMap;

use crate::ir::{Graph, GraphBuilder, NodeId, Op, Program, mark_needed, program_roots, rebuild};

/// Key for value numbering: an operation on value numbers, without its sign.
#[derive(PartialEq, Eq, Hash)]
enum ValueKey {
    /// The node itself, for a symbol, which equals only itself.
    Node(NodeId),
    /// The sum `a + b`, or the difference `a − b` if true; the lower value number first.
    Sum(u32, u32, bool),
    /// The product `a b`, the lower value number first.
    Product(u32, u32),
    /// The quotient `a / b`.
    Quotient(u32, u32),
    /// Another operation, whose operands keep their signs; also a constant without its sign.
    Other(Op, Vec<(u32, bool)>),
}

/// Value numbers of all nodes: nodes with equal or opposite values have one number; `true` if the
/// node is the opposite of the value with that number.
struct ValueNumbers {
    signed_numbers: Vec<(u32, bool)>,
}

impl ValueNumbers {
    fn new(graph: &Graph, needed: &[bool]) -> Self {
        let mut numbers: FxHashMap<ValueKey, u32> = FxHashMap::default();
        let mut signed_numbers = vec![(u32::MAX, false); needed.len()];
        for index in (0..needed.len()).filter(|i| needed[*i]) {
            let id = NodeId(index as u32);
            let node = graph.node(id);
            let args: Vec<(u32, bool)> = node.args().iter().map(|a| signed_numbers[a.0 as usize]).collect();
            let (key, negative) = match (node.op, &args[..]) {
                (Op::Neg, [(x, n)]) => {
                    signed_numbers[index] = (*x, !n);
                    continue;
                }
                (Op::Const(n), _) => match n.checked_neg() {
                    Some(positive) if n.is_negative() => {
                        (ValueKey::Other(Op::Const(positive), Vec::new()), true)
                    }
                    _ => (ValueKey::Other(node.op, Vec::new()), false),
                },
                (Op::Add | Op::Sub, [(a, m), (b, n)]) => {
                    let n = n ^ (node.op == Op::Sub);
                    let ((a, m), (b, n)) = if a <= b { ((*a, *m), (*b, n)) } else { ((*b, n), (*a, *m)) };
                    (ValueKey::Sum(a, b, m ^ n), m)
                }
                (Op::Mul, [(a, m), (b, n)]) => (ValueKey::Product(*a.min(b), *a.max(b)), m ^ n),
                (Op::Div, [(a, m), (b, n)]) => (ValueKey::Quotient(*a, *b), m ^ n),
                (Op::Symbol(_), _) => (ValueKey::Node(id), false),
                (op, _) => (ValueKey::Other(op, args), false),
            };
            let next = numbers.len() as u32;
            signed_numbers[index] = (*numbers.entry(key).or_insert(next), negative);
        }
        ValueNumbers { signed_numbers }
    }
}

/// The operand and `true` for a negation, else the node itself and `false`.
fn split_negation(b: &GraphBuilder, id: NodeId) -> (NodeId, bool) {
    let node = b.graph.node(id);
    if node.op == Op::Neg { (node.args()[0], true) } else { (id, false) }
}

/// Records the negative of an operation on two nodes.
fn record_negated_operation(b: &GraphBuilder, op: Op, x: NodeId, y: NodeId) -> NodeId {
    let value = b.graph.raw(op, &[x, y]);
    b.graph.raw(Op::Neg, &[value])
}

/// Records an operation and absorbs the signs of negated operands where possible.
fn record_absorbing_signs(b: &mut GraphBuilder, op: Op, args: &[NodeId]) -> NodeId {
    let signed: Vec<(NodeId, bool)> = args.iter().map(|a| split_negation(b, *a)).collect();
    match (op, &signed[..]) {
        (_, all) if all.iter().all(|(_, n)| !n) => b.graph.raw(op, args),
        (Op::Neg, [(x, _)]) => *x,
        (Op::Add, [(x, m), (y, n)]) | (Op::Sub, [(x, m), (y, n)]) => {
            let n = n ^ (op == Op::Sub);
            match (*m, n) {
                (false, false) => b.graph.raw(Op::Add, &[*x.min(y), *x.max(y)]),
                (false, true) => b.graph.raw(Op::Sub, &[*x, *y]),
                (true, false) => b.graph.raw(Op::Sub, &[*y, *x]),
                (true, true) => record_negated_operation(b, Op::Add, *x.min(y), *x.max(y)),
            }
        }
        (Op::Mul, [(x, m), (y, n)]) if m ^ n => {
            // A constant absorbs the sign.
            match b.graph.constant(*x).and_then(|c| c.checked_neg()) {
                Some(c) => {
                    let c = b.graph.number(c);
                    b.graph.raw(op, &[c, *y])
                }
                None => record_negated_operation(b, op, *x, *y),
            }
        }
        (Op::Div, [(x, m), (y, n)]) if m ^ n => record_negated_operation(b, op, *x, *y),
        (Op::Mul | Op::Div, [(x, _), (y, _)]) => b.graph.raw(op, &[*x, *y]),
        _ => b.graph.raw(op, args),
    }
}

/// The pass: replaces a value that equals an earlier one up to sign by that one or its negation.
pub fn merge_opposite_values(program: &Program) -> Program {
    let graph = &program.graph;
    let numbered = ValueNumbers::new(graph, &mark_needed(graph, &program_roots(program)));
    let mut first: FxHashMap<u32, NodeId> = FxHashMap::default();
    rebuild(program, |b, id, node, map| {
        let (number, negative) = numbered.signed_numbers[id.0 as usize];
        let operation = matches!(node.op, Op::Add | Op::Sub | Op::Mul | Op::Div);
        if operation {
            let earlier = *first.entry(number).or_insert(id);
            if earlier != id {
                let same = map(earlier);
                let opposite = numbered.signed_numbers[earlier.0 as usize].1 != negative;
                return Some(if opposite { record_absorbing_signs(b, Op::Neg, &[same]) } else { same });
            }
        }
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(match node.op {
            Op::Const(_) | Op::Symbol(_) | Op::Table(_) => b.copy_operation(graph, node, &args),
            op => record_absorbing_signs(b, op, &args),
        })
    })
}
