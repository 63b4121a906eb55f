//! The interpreter: evaluates nodes of a graph.

use super::graph::Graph;
use super::node::{NodeId, Op, SymbolKind};
use super::replay::{mark_needed, replay};
use dqdt::Real;
use dqdt_algebra::{Cmp, Func, Func2};

/// Evaluates one operation in `f64`: `a` has the operands' values, `leaf` returns the value of a
/// symbol.
pub fn evaluate_operation(graph: &Graph, op: Op, a: &[f64], leaf: impl FnOnce(SymbolKind) -> f64) -> f64 {
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
    replay(graph, outputs, |_, op, a: &[f64]| evaluate_operation(graph, op, a, &leaf))
}

/// Applies a function of one argument, as emitted code does.
fn apply<T: Real>(f: Func, x: T) -> T {
    match f {
        Func::Tan => x.tan(),
        Func::Asin => x.asin(),
        Func::Acos => x.acos(),
        Func::Atan => x.atan(),
        Func::Sinh => x.sinh(),
        Func::Cosh => x.cosh(),
        Func::Tanh => x.tanh(),
        Func::Exp => x.exp(),
        Func::Ln => x.ln(),
        Func::Abs => x.abs(),
        Func::Sign => x.sign(),
    }
}

/// Applies a function of two arguments, as emitted code does.
fn apply2<T: Real>(f: Func2, x: T, y: T) -> T {
    match f {
        Func2::Atan2 => x.atan2(y),
        Func2::Pow => x.powf(y),
        Func2::Min => x.min(y),
        Func2::Max => x.max(y),
    }
}

fn select<T: Real>(cmp: Cmp, [a, b, yes, no]: [T; 4]) -> T {
    match cmp {
        Cmp::Lt => a.if_lt(b, yes, no),
        Cmp::Le => a.if_le(b, yes, no),
        Cmp::Eq => a.if_eq(b, yes, no),
    }
}

/// Compiled form of some outputs for repeated evaluation: a list of operations on numbered slots.
///
/// It runs in `f64` and `f32` and uses the functions of the runtime ([`Real`]), so its values are
/// those of emitted code without fused operations.
#[derive(Clone, Debug)]
pub struct Tape {
    steps: Vec<(TapeStep, [u32; 4])>,
    outputs: Vec<u32>,
}

/// Knots and coefficients of a table, as [`Real::table`] expects them.
pub type TableRows = (Vec<f64>, Vec<[f64; 4]>);

/// One step of a [`Tape`]; its operands are results of earlier steps.
#[derive(Clone, Debug)]
pub enum TapeStep {
    /// A constant.
    Constant(f64),
    /// An argument.
    Leaf(SymbolKind),
    /// An operation; never a constant, a symbol or a table.
    Operation(Op),
    /// A piecewise cubic function of the operand.
    Table(std::sync::Arc<TableRows>),
}

impl Tape {
    /// Compiles the nodes that `outputs` need into a tape, operands first.
    pub fn new(graph: &Graph, outputs: &[NodeId]) -> Self {
        let needed = mark_needed(graph, outputs);
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
                Op::Table(t) => TapeStep::Table(graph.table_data(t).runtime_rows().into()),
                op => TapeStep::Operation(op),
            };
            steps.push((step, args));
        }
        Tape { steps, outputs: outputs.iter().map(|o| slot[o.0 as usize]).collect() }
    }

    /// The steps, each with the indices of its operands; unused ones are zero.
    pub fn steps(&self) -> &[(TapeStep, [u32; 4])] {
        &self.steps
    }

    /// Index of the step that yields each output.
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// Number of steps, including symbols and constants.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if the tape has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Evaluates the outputs. `work` is scratch memory, kept between calls; `result` receives one
    /// value per output.
    pub fn evaluate<T: Real>(&self, leaf: impl Fn(SymbolKind) -> T, work: &mut Vec<T>, result: &mut [T]) {
        work.resize(self.steps.len(), T::ZERO);
        // Slices and a counter: in builds without inlining, iterators and the indexing of a `Vec`
        // are calls, and took two thirds of the time.
        let (steps, slots): (&[_], &mut [T]) = (&self.steps, work);
        // Sine and cosine of the last angle: the two often follow each other.
        let mut angle = (u32::MAX, (T::ZERO, T::ZERO));
        let mut next = 0;
        while next < steps.len() {
            let (step, args) = &steps[next];
            let a = |i: usize| slots[args[i] as usize];
            let value = match step {
                TapeStep::Constant(x) => T::from_f64(*x),
                TapeStep::Leaf(kind) => leaf(*kind),
                TapeStep::Table(table) => a(0).table(&table.0, &table.1),
                TapeStep::Operation(op) => match op {
                    Op::Add => a(0) + a(1),
                    Op::Sub => a(0) - a(1),
                    Op::Mul => a(0) * a(1),
                    Op::Div => a(0) / a(1),
                    Op::Neg => -a(0),
                    Op::Sqrt => a(0).sqrt(),
                    Op::Sin | Op::Cos => {
                        if angle.0 != args[0] {
                            angle = (args[0], a(0).sin_cos());
                        }
                        if matches!(op, Op::Sin) { angle.1.0 } else { angle.1.1 }
                    }
                    Op::Func(f) => apply(*f, a(0)),
                    Op::Func2(f) => apply2(*f, a(0), a(1)),
                    Op::Select(cmp) => select(*cmp, [a(0), a(1), a(2), a(3)]),
                    // `new` gave these steps of their own.
                    Op::Const(_) | Op::Symbol(_) | Op::Table(_) => T::from_f64(f64::NAN),
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
