//! The interpreter: evaluates nodes of a graph in `f64`.

use super::graph::Graph;
use super::node::{NodeId, Op, SymbolKind};
use super::replay::{needed, replay};

/// Evaluates one operation in `f64`: `a` has the operands' values, `leaf` returns the value of a
/// symbol.
pub fn eval_op(graph: &Graph, op: Op, a: &[f64], leaf: impl FnOnce(SymbolKind) -> f64) -> f64 {
    match op {
        Op::Const(n) => n.to_f64(),
        Op::Symbol(s) => leaf(graph.symbol_info(s).kind),
        Op::Add => a[0] + a[1],
        Op::Sub => a[0] - a[1],
        Op::Mul => a[0] * a[1],
        Op::Div => a[0] / a[1],
        Op::Neg => -a[0],
        Op::Sqrt => a[0].sqrt(),
        Op::Sin => a[0].sin(),
        Op::Cos => a[0].cos(),
        Op::Func(f) => f.eval(a[0]),
        Op::Func2(f) => f.eval(a[0], a[1]),
        Op::Select(cmp) => cmp.select(a[0], a[1], a[2], a[3]),
        Op::Table(t) => graph.table_data(t).eval(a[0]),
    }
}

/// Evaluates nodes of a graph once; `leaf` returns the values of symbols. For repeated evaluation
/// of the same outputs use [`Tape`].
pub fn evaluate(graph: &Graph, outputs: &[NodeId], leaf: impl Fn(SymbolKind) -> f64) -> Vec<f64> {
    replay(graph, outputs, |_, op, a: &[f64]| eval_op(graph, op, a, &leaf))
}

/// Same as [`evaluate`], in single precision: constants, symbols and each result are rounded to
/// `f32`. For the four basic operations and the square root this equals the `f32` arithmetic of a
/// processor.
pub fn evaluate_in_singles(graph: &Graph, outputs: &[NodeId], leaf: impl Fn(SymbolKind) -> f64) -> Vec<f64> {
    replay(graph, outputs, |_, op, a: &[f64]| f64::from(eval_op(graph, op, a, &leaf) as f32))
}

/// Compiled form of some outputs of a graph for repeated evaluation in `f64`: a list of operations
/// on numbered slots.
#[derive(Clone, Debug)]
pub struct Tape {
    steps: Vec<(TapeStep, [u32; 4])>,
    outputs: Vec<u32>,
}

/// One step of a [`Tape`]: the operation that computes the slot of the same number.
#[derive(Clone, Debug)]
enum TapeStep {
    Constant(f64),
    /// A step that reads the value of a symbol.
    Leaf(SymbolKind),
    Operation(Op),
    Table(std::sync::Arc<dqdt_algebra::PiecewiseCubic>),
}

impl Tape {
    /// Compiles the nodes that `outputs` need into a tape, operands first.
    pub fn new(graph: &Graph, outputs: &[NodeId]) -> Self {
        let needed = needed(graph, outputs);
        let mut slot = vec![0u32; needed.len()];
        let mut steps = Vec::new();
        for (index, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
            let node = graph.node(NodeId(index as u32));
            let mut args = [0; 4];
            for (to, from) in args.iter_mut().zip(node.args()) {
                *to = slot[from.0 as usize];
            }
            slot[index] = steps.len() as u32;
            let step = match node.op {
                Op::Const(n) => TapeStep::Constant(n.to_f64()),
                Op::Symbol(s) => TapeStep::Leaf(graph.symbol_info(s).kind),
                Op::Table(t) => TapeStep::Table(graph.table_data(t)),
                op => TapeStep::Operation(op),
            };
            steps.push((step, args));
        }
        Tape { steps, outputs: outputs.iter().map(|o| slot[o.0 as usize]).collect() }
    }

    /// Number of steps of the tape, including symbols and constants.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if the tape has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Evaluates the outputs of the tape in `f64`; `leaf` returns the values of symbols. `work` is
    /// scratch memory, kept between calls; `result` receives one value per output.
    pub fn run(&self, leaf: impl Fn(SymbolKind) -> f64, work: &mut Vec<f64>, result: &mut [f64]) {
        work.resize(self.steps.len(), 0.0);
        // Slices and a counter: in builds without inlining, iterators and the indexing of a `Vec`
        // are calls, and took two thirds of the time.
        let (steps, slots): (&[_], &mut [f64]) = (&self.steps, work);
        let mut next = 0;
        while next < steps.len() {
            let (step, args) = &steps[next];
            let a = |i: usize| slots[args[i] as usize];
            let value = match step {
                TapeStep::Constant(x) => *x,
                TapeStep::Leaf(kind) => leaf(*kind),
                TapeStep::Table(table) => table.eval(a(0)),
                TapeStep::Operation(op) => match op {
                    Op::Add => a(0) + a(1),
                    Op::Sub => a(0) - a(1),
                    Op::Mul => a(0) * a(1),
                    Op::Div => a(0) / a(1),
                    Op::Neg => -a(0),
                    Op::Sqrt => a(0).sqrt(),
                    Op::Sin => a(0).sin(),
                    Op::Cos => a(0).cos(),
                    Op::Func(f) => f.eval(a(0)),
                    Op::Func2(f) => f.eval(a(0), a(1)),
                    Op::Select(cmp) => cmp.select(a(0), a(1), a(2), a(3)),
                    // `new` gave these steps of their own.
                    Op::Const(_) | Op::Symbol(_) | Op::Table(_) => f64::NAN,
                },
            };
            slots[next] = value;
            next += 1;
        }
        for (r, slot) in result.iter_mut().zip(&self.outputs) {
            *r = slots[*slot as usize];
        }
    }
}
