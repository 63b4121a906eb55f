//! The statements of one emitted body, independent of the target language.

use std::cell::{Ref, RefCell};
use std::collections::BTreeSet;

use super::sums::{PrintedSum, PrintedTerm, Sums};
use super::value::{Call, Value};
use crate::code::equal_part::EqualPart;
use crate::code::headings;
use dqdt_graph::ir::{Graph, Group, NodeId, Op, SymbolKind};
use dqdt_graph::plan::{self, Column, Equal, Pair, Plan, Step};

/// Printer-independent view of one emitted body as a tree. Records which arguments and fields the
/// printed values use.
pub struct BodyTree<'a> {
    graph: &'a Graph,
    planned_body: &'a Plan,
    body: &'a plan::PlannedBody,
    /// True if the body is that of `Model::new`.
    is_setup: bool,
    /// True if the body is that of a block (inner function).
    is_block: bool,
    /// True if the body is that of an equal part.
    is_part: bool,
    is_fused: bool,
    used: RefCell<Used>,
}

#[derive(Default)]
struct Used {
    symbols: BTreeSet<SymbolKind>,
    fields: bool,
    parameters: bool,
}

/// Statement of an emitted body with its position and heading.
pub struct BodyLine<'a> {
    /// True if the statement precedes the calls of blocks, which use its value.
    pub is_early: bool,
    /// Heading comment before the statement, if a section begins there.
    pub heading: Option<String>,
    /// Statement to be spelled in the target language.
    pub statement: Statement<'a>,
}

/// Statement of an emitted body, to be spelled by any target language.
pub enum Statement<'a> {
    /// Definition of a local variable: its name and its value.
    Let(&'a str, Value<'a>),
    /// Definition of the sines and cosines of one or several angles.
    SinCos(Vec<SinCos<'a>>),
    /// Call of an equal part, by its index in the body.
    Part(usize),
}

/// Sine and cosine of an angle in an emitted body. One of them may be unused.
pub struct SinCos<'a> {
    /// Name of the local with the sine; `None` if unused.
    pub sin: Option<&'a str>,
    /// Name of the local with the cosine; `None` if unused.
    pub cos: Option<&'a str>,
    /// Angle whose sine and cosine are computed, as a value for printing.
    pub angle: Value<'a>,
}

impl<'a> BodyTree<'a> {
    /// Tree of the body of an emitted function.
    pub fn of_function(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a plan::PlannedBody,
        is_fused: bool,
    ) -> Self {
        let (is_setup, is_block, is_part) = (false, false, false);
        BodyTree {
            graph,
            planned_body: plan,
            body,
            is_setup,
            is_block,
            is_part,
            is_fused,
            used: RefCell::default(),
        }
    }

    /// Tree of the body of a block (inner function).
    pub fn of_block(graph: &'a Graph, plan: &'a Plan, body: &'a plan::PlannedBody, is_fused: bool) -> Self {
        BodyTree { is_block: true, ..BodyTree::of_function(graph, plan, body, is_fused) }
    }

    /// Tree of the body of `Model::new`, or of the parameter check.
    pub fn of_setup(graph: &'a Graph, plan: &'a Plan, is_fused: bool) -> Self {
        BodyTree { is_setup: true, ..BodyTree::of_function(graph, plan, &plan.setup, is_fused) }
    }

    /// Tree of the body of an equal part.
    pub fn of_part(part: &'a EqualPart, body: &'a plan::PlannedBody, is_fused: bool) -> Self {
        BodyTree { is_part: true, ..BodyTree::of_function(&part.graph, &part.plan, body, is_fused) }
    }

    /// Passes the statements of the body to `put` in order. `bodies` are the names of the bodies of
    /// the mechanism, for headings.
    pub fn each_body_line(&self, bodies: &[String], mut put: impl FnMut(BodyLine<'a>)) {
        let all = &self.body.schedule.statements;
        let is_plain = self.is_setup || self.is_block;
        let early = if is_plain { vec![false; all.len()] } else { self.body.precedes_calls(self.graph) };
        let texts = headings::statement_headings(self.body, &self.planned_body.names, &early, bodies);
        for ((statement, is_early), heading) in all.iter().zip(early).zip(texts) {
            let statement = match &statement.step {
                Step::Value(id) => Statement::Let(self.value_name(*id), self.operation_value(*id)),
                Step::SinCos(pairs) => {
                    Statement::SinCos(pairs.iter().map(|p| self.sine_cosine_pair(p)).collect())
                }
                Step::Part(number) => Statement::Part(*number),
            };
            put(BodyLine { is_early, heading, statement });
        }
    }

    fn sine_cosine_pair(&self, pair: &Pair) -> SinCos<'a> {
        let name = |id: Option<NodeId>| id.map(|id| self.value_name(id));
        SinCos { sin: name(pair.sin), cos: name(pair.cos), angle: self.node_value(pair.angle) }
    }

    /// Graph to which the nodes of the body belong.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The planned body that this tree shows: its statements in order.
    pub fn plan(&self) -> &'a plan::PlannedBody {
        self.body
    }

    /// Name of a value in emitted code that has a statement, is a result, or comes from outside the
    /// body.
    pub fn value_name(&self, id: NodeId) -> &'a str {
        self.graph.invariants().require(
            self.planned_body.names.node_name(id),
            "value",
            "a computed value has no name in the emitted code",
        )
    }

    /// Returns `true` if the printed body reads the model.
    pub fn uses_model(&self) -> bool {
        let used = self.used.borrow();
        used.fields || used.parameters
    }

    /// Returns `true` if the printed body reads parameters.
    pub fn uses_parameters(&self) -> bool {
        self.used.borrow().parameters
    }

    /// The time and the entries of arguments that the printed body reads; complete after printing.
    pub fn symbols_read(&self) -> Ref<'_, BTreeSet<SymbolKind>> {
        Ref::map(self.used.borrow(), |used| &used.symbols)
    }

    /// Returns `true` if the printed body reads the time or this entry of an argument.
    pub fn reads_symbol(&self, kind: SymbolKind) -> bool {
        self.used.borrow().symbols.contains(&kind)
    }

    /// A graph node as an operand in printed code: its name, or its operation.
    pub fn node_value(&self, id: NodeId) -> Value<'a> {
        if let Some(opposite) = self.body.opposites.get(&id) {
            return self.with_minus(id, Value::Local(opposite));
        }
        if self.body.schedule.has_statement(id) {
            return Value::Local(self.value_name(id));
        }
        if let Some(import) = self.body.imports.iter().find(|import| import.nodes.contains(&id)) {
            return Value::OfBlock(import.block, self.value_name(id));
        }
        if self.is_block && self.body.angles.contains(&id) {
            return Value::OfAngles(self.value_name(id));
        }
        if self.body.is_computed_elsewhere(id) {
            return Value::Local(self.value_name(id));
        }
        match self.planned_body.dependency_group(id) {
            Group::Constant => signed_number(self.planned_body.constant_or_nan(self.graph, id)),
            Group::Parameter if !self.is_setup && !matches!(self.graph.node(id).op, Op::Symbol(_)) => {
                self.used.borrow_mut().fields = true;
                Value::Field(self.value_name(id))
            }
            _ => self.operation_value(id),
        }
    }

    /// Negation of a node, as a value for printing.
    fn opposite_value(&self, id: NodeId) -> Value<'a> {
        self.with_minus(id, self.node_value(id))
    }

    /// Puts a minus before the printed value of a node.
    fn with_minus(&self, id: NodeId, value: Value<'a>) -> Value<'a> {
        let is = |id: NodeId, op: fn(Op) -> bool| op(self.graph.node(id).op);
        let sum = is(id, |op| matches!(op, Op::Add | Op::Sub))
            && self.graph.node(id).args().iter().any(|a| is(*a, |op| op == Op::Mul));
        // A value from another body may be such a sum.
        let handed =
            self.body.opposites.contains_key(&id) || self.is_part && is(id, |op| matches!(op, Op::Symbol(_)));
        let of_sum = self.is_fused && !self.is_setup && (sum || handed);
        Value::Opposite { value: Box::new(value), of_sum }
    }

    /// A symbol (coordinate, parameter, …) as a value for printing. Records its use.
    pub fn symbol_value(&self, kind: SymbolKind) -> Value<'a> {
        match kind {
            SymbolKind::Auxiliary(i) if self.is_part => Value::Input(i),
            SymbolKind::Parameter(i) => {
                self.used.borrow_mut().parameters = true;
                Value::Parameter(i)
            }
            kind => {
                self.used.borrow_mut().symbols.insert(kind);
                Value::Entry(kind)
            }
        }
    }

    /// The operation of a node on its operands, as a value for printing.
    fn operation_value(&self, id: NodeId) -> Value<'a> {
        let node = self.graph.node(id);
        let a = node.args();
        let call = |call: Call| Value::Call(call, a.iter().map(|x| self.node_value(*x)).collect());
        let pair = |x: NodeId, y: NodeId| Box::new([self.node_value(x), self.node_value(y)]);
        match node.op {
            // Constants are handled before; this arm completes the match.
            Op::Const(n) => signed_number(n.to_f64()),
            Op::Symbol(s) => self.symbol_value(self.graph.symbol_info(s).kind),
            Op::Add => self.sum_value(a[0], a[1], false),
            Op::Sub => self.sum_value(a[0], a[1], true),
            Op::Mul => {
                let (x, y) = self.sum_builder().factors_in_order(a[0], a[1]);
                Value::Product(pair(x, y))
            }
            Op::Div => Value::Quotient(pair(a[0], a[1])),
            Op::Neg => self.opposite_value(a[0]),
            Op::Sqrt => call(Call::Sqrt),
            Op::Sin => call(Call::Sin),
            Op::Cos => call(Call::Cos),
            Op::Func(f) => call(Call::Func(f)),
            Op::Func2(f) => call(Call::Func2(f)),
            Op::Select(cmp) => call(Call::Select(cmp)),
            Op::Table(t) => call(Call::Table(t)),
        }
    }

    fn sum_builder(&self) -> Sums<'a> {
        let (graph, plan, body) = (self.graph, self.planned_body, self.body);
        Sums { graph, plan, body, setup: self.is_setup, fused: self.is_fused }
    }

    fn sum_value(&self, a: NodeId, b: NodeId, minus: bool) -> Value<'a> {
        match self.sum_builder().arrange_sum(a, b, minus) {
            PrintedSum::Plain { first, second, minus } => {
                let terms = Box::new([self.term_value(first), self.term_value(second)]);
                if minus { Value::Difference(terms) } else { Value::Sum(terms) }
            }
            PrintedSum::Fused(f) => {
                let signed = |negative: bool, id: NodeId| {
                    if negative { self.opposite_value(id) } else { self.node_value(id) }
                };
                let first = match f.first {
                    PrintedTerm::Multiple(size, _) => signed_number(if f.negative { -size } else { size }),
                    PrintedTerm::Value(id) => signed(f.negative, id),
                };
                Value::MulAdd(Box::new([first, self.node_value(f.second), signed(f.negates_other, f.other)]))
            }
        }
    }

    fn term_value(&self, term: PrintedTerm) -> Value<'a> {
        match term {
            PrintedTerm::Value(id) => self.node_value(id),
            PrintedTerm::Multiple(size, factor) => Value::Multiple(size, Box::new(self.node_value(factor))),
        }
    }

    /// Equal part with this index in the body.
    pub fn equal_part(&self, number: usize) -> &'a Equal {
        &self.body.parts[number]
    }

    /// Local name of one lane of an output of an equal part: that of the value, or that of its
    /// negation.
    pub fn lane_output_name(&self, column: &Column, lane: usize) -> &'a str {
        let node = column.nodes[lane];
        if column.negated[lane] {
            let opposite = self.body.opposites.get(&node).map(String::as_str);
            return self.graph.invariants().require(
                opposite,
                "value",
                "the negated value of a SIMD lane has no name in the emitted code",
            );
        }
        self.value_name(node)
    }

    /// An input or output of an equal part in one lane, as a value for printing.
    pub fn lane_value(&self, column: &Column, lane: usize) -> Value<'a> {
        let (node, negated) = (column.nodes[lane], column.negated[lane]);
        match self.body.opposites.get(&node) {
            // The local already is the negation.
            Some(opposite) if negated => Value::Local(opposite),
            _ if negated => self.opposite_value(node),
            _ => self.node_value(node),
        }
    }

    /// Earlier equal part, and the index of its output, that equals this input in all lanes. An
    /// output of which no lane is used separately is passed on as a whole.
    pub fn forwarded_output(&self, column: &Column, number: usize) -> Option<(&'a Equal, usize)> {
        self.body.parts[..number].iter().find_map(|part| {
            let mut outputs = part.outputs.iter();
            Some((part, outputs.position(|c| c.nodes == column.nodes && !c.alone.contains(&true))?))
        })
    }
}

/// A number with its sign, as a value for printing.
fn signed_number<'a>(value: f64) -> Value<'a> {
    let size = Value::Number(value.abs());
    if value < 0.0 { Value::Opposite { value: Box::new(size), of_sum: false } } else { size }
}
