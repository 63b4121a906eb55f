//! Statements and expressions of one body.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::names::{Names, names_of_part, of_table, place};
use super::text::{comment, statement};
use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::declaration::Argument;
use dqdt_graph::ir::{Graph, Group, NodeId, Op, Program, SymbolKind};
use dqdt_graph::plan::{Body, Column, Pair, Plan, Step};
use dqdt_print::code::sums::{Sum, Sums, Term};
use dqdt_print::code::{headings, tables};

/// How strongly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Sum,
    Product,
    Sign,
    Whole,
}

/// What a body turned out to use.
#[derive(Default)]
struct Used {
    symbols: BTreeSet<SymbolKind>,
    model: bool,
    parameters: bool,
}

/// The surroundings of one body.
pub struct Scope<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    body: &'a Body,
    names: &'a Names,
    setup: bool,
    /// It has arguments for what blocks hand out; else they are locals.
    inner: bool,
    /// Of an equal part: what its inputs are called.
    inputs: &'a [String],
    used: RefCell<Used>,
}

impl<'a> Scope<'a> {
    /// That of a function, or of an inner function.
    pub fn new(graph: &'a Graph, plan: &'a Plan, body: &'a Body, names: &'a Names, inner: bool) -> Self {
        Scope { graph, plan, body, names, setup: false, inner, inputs: &[], used: RefCell::default() }
    }

    /// That of the model, or of the check of parameters.
    pub fn of_setup(graph: &'a Graph, plan: &'a Plan, names: &'a Names) -> Self {
        Scope { setup: true, ..Scope::new(graph, plan, &plan.setup, names, false) }
    }

    /// That of an equal part.
    pub fn of_part(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a Body,
        names: &'a Names,
        inputs: &'a [String],
    ) -> Self {
        Scope { inputs, ..Scope::new(graph, plan, body, names, false) }
    }

    /// All statements with headings: those that come before the calls of inner functions, and those after them.
    pub fn statements(&self) -> [String; 2] {
        let all = &self.body.schedule.statements;
        let early =
            if self.setup || self.inner { vec![false; all.len()] } else { self.body.early(self.graph) };
        let texts = headings::of_statements(self.body, &self.plan.names, &early, &self.names.bodies);
        let mut out = [String::new(), String::new()];
        for ((step, early), text) in all.iter().map(|s| &s.step).zip(early).zip(texts) {
            let out = &mut out[usize::from(!early)];
            if let Some(text) = text {
                let _ = write!(out, "\n{}", comment(&text, 4));
            }
            match step {
                Step::Value(id) => self.bind(*id, &self.inline(*id).0, out),
                Step::SinCos(pairs) => pairs.iter().for_each(|p| self.sine_and_cosine(p, out)),
                Step::Part(number) => self.lane_by_lane(*number, out),
            }
        }
        out
    }

    fn bind(&self, id: NodeId, value: &str, out: &mut String) {
        out.push_str(&statement(&format!("const {} {} = {value};", self.names.real(), self.name(id)), 4));
    }

    fn sine_and_cosine(&self, pair: &Pair, out: &mut String) {
        let angle = self.value(pair.angle);
        match (pair.sin, pair.cos) {
            (Some(s), Some(c)) => {
                let (s, c) = (self.name(s), self.name(c));
                let _ = writeln!(out, "    {} {s}, {c};", self.names.real());
                out.push_str(&statement(&format!("sin_cos({angle}, &{s}, &{c});"), 4));
            }
            (Some(s), None) => self.bind(s, &format!("sine({angle})"), out),
            (None, Some(c)) => self.bind(c, &format!("cosine({angle})"), out),
            (None, None) => {}
        }
    }

    /// The calls of an equal part, after what it takes and before what others use of it.
    fn lane_by_lane(&self, number: usize, out: &mut String) {
        let (real, part) = (self.names.real(), &self.body.parts[number]);
        let lanes = part.lanes;
        let [function, shared, given, results] = names_of_part(&part.name);
        let (of_all, own) = part.inputs.split_at(part.shared());
        let mut arguments = Vec::new();
        if !of_all.is_empty() {
            let values: Vec<String> = of_all.iter().map(|c| self.value_in_lane(c, 0)).collect();
            let array = format!("const {real} {shared}[{}] = {{{}}};", values.len(), values.join(", "));
            out.push_str(&statement(&array, 4));
            arguments.push(shared);
        }
        if !own.is_empty() {
            let rows: Vec<String> = own.iter().map(|c| self.row(c, number)).collect();
            let _ = writeln!(out, "    const {real} {given}[{}][{lanes}] = {{", rows.len());
            rows.iter().for_each(|row| out.push_str(&statement(&format!("{row},"), 8)));
            out.push_str("    };\n");
            arguments.push(given);
        }
        let _ = writeln!(out, "    {real} {results}[{}][{lanes}];", part.outputs.len());
        let call = format!("{function}({}, {results}, k)", arguments.join(", "));
        let _ = writeln!(out, "    for (int k = 0; k < {lanes}; k++) {call};");
        for (o, column) in part.outputs.iter().enumerate() {
            for k in (0..lanes).filter(|k| column.alone.get(*k) == Some(&true)) {
                let name = self.lane(column, k);
                let _ = writeln!(out, "    const {real} {name} = {results}[{o}][{k}];");
            }
        }
    }

    /// What a lane of a column is called that holds its value or the opposite.
    fn lane(&self, column: &Column, lane: usize) -> &str {
        let node = column.nodes[lane];
        if column.negated[lane] {
            let opposite = self.body.opposites.get(&node).map(String::as_str);
            return self.graph.invariants().require(opposite, "value", "the opposite in a lane has no name");
        }
        self.name(node)
    }

    /// The values of a column, for the equal part of this number.
    fn row(&self, column: &Column, number: usize) -> String {
        let whole = |c: &Column| c.nodes == column.nodes && !c.alone.contains(&true);
        for earlier in &self.body.parts[..number] {
            // A column that nobody takes apart is handed on as it is.
            if let Some(o) = earlier.outputs.iter().position(whole) {
                let [.., results] = names_of_part(&earlier.name);
                let all: Vec<String> = (0..earlier.lanes).map(|k| format!("{results}[{o}][{k}]")).collect();
                return format!("{{{}}}", all.join(", "));
            }
        }
        let all: Vec<String> = (0..column.nodes.len()).map(|lane| self.value_in_lane(column, lane)).collect();
        format!("{{{}}}", all.join(", "))
    }

    /// What a lane of a column holds.
    fn value_in_lane(&self, column: &Column, lane: usize) -> String {
        let (node, negated) = (column.nodes[lane], column.negated[lane]);
        match self.body.opposites.get(&node) {
            // What is at hand is the opposite.
            Some(opposite) if negated => opposite.clone(),
            _ if negated => self.opposite(node).0,
            _ => self.value(node),
        }
    }

    /// The graph of its nodes.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// What a value is called.
    pub fn name(&self, id: NodeId) -> &str {
        self.graph.invariants().require(self.plan.names.get(id), "value", "a value has no name")
    }

    /// The value of a node.
    pub fn value(&self, id: NodeId) -> String {
        self.expression(id).0
    }

    /// Whether a value is zero in every state.
    pub fn is_zero(&self, id: NodeId) -> bool {
        self.graph.is_zero(id)
    }

    /// What must stand before the statements: entries of arguments, parameters.
    pub fn prologue(&self, program: &Program, arguments: &[Argument]) -> String {
        let used = self.used.borrow();
        let mut out = String::new();
        if used.parameters {
            let from = if self.setup { "params" } else { "&model->params" };
            let _ = writeln!(out, "    const struct {}_params *const p = {from};", self.names.prefix);
        }
        let real = self.names.real();
        // In the order of the arguments.
        for (kind, name) in &self.names.entries {
            if let Some((array, at)) =
                place(arguments, program, *kind).filter(|_| used.symbols.contains(kind))
            {
                let _ = writeln!(out, "    const {real} {name} = {array}[{at}];");
            }
        }
        let is_argument = |kind: &SymbolKind| place(arguments, program, *kind).is_some();
        if !used.symbols.iter().all(|kind| *kind == SymbolKind::Time || is_argument(kind)) {
            self.graph.invariants().broken("a function takes what is no argument of it");
        }
        out
    }

    /// Whether the body needs the model.
    pub fn uses_model(&self) -> bool {
        let used = self.used.borrow();
        used.model || used.parameters
    }

    /// Whether it needs time.
    pub fn uses_time(&self) -> bool {
        self.used.borrow().symbols.contains(&SymbolKind::Time)
    }

    /// Whether it needs an entry of an argument.
    pub fn uses(&self, program: &Program, argument: &Argument) -> bool {
        let used = self.used.borrow();
        argument.vector.slots(&program.layout).iter().any(|(kind, _)| used.symbols.contains(kind))
    }

    fn sums(&self) -> Sums<'a> {
        let (graph, plan, body) = (self.graph, self.plan, self.body);
        Sums { graph, plan, body, setup: self.setup, fused: self.names.fused }
    }

    fn expression(&self, id: NodeId) -> (String, Level) {
        let whole = |text: String| (text, Level::Whole);
        if let Some(opposite) = self.body.opposites.get(&id) {
            return self.negated(id, whole(opposite.clone()));
        }
        if self.body.schedule.is_bound(id) {
            return whole(self.name(id).to_owned());
        }
        let arrow = if self.inner { "->" } else { "." };
        if let Some(import) = self.body.imports.iter().find(|import| import.nodes.contains(&id)) {
            let block = self.names.blocks.get(import.block).map(String::as_str);
            let block = self.graph.invariants().require(block, "value", "a block has no name");
            return whole(format!("{block}{arrow}{}", self.name(id)));
        }
        if self.inner && self.body.angles.contains(&id) {
            return whole(format!("angles->{}", self.name(id)));
        }
        // What equal parts hand out.
        if self.body.takes(id) {
            return whole(self.name(id).to_owned());
        }
        match self.plan.group(id) {
            Group::Constant => {
                let value = self.plan.number(self.graph, id);
                let text = self.constant(value.abs());
                if value < 0.0 { (format!("-{text}"), Level::Sign) } else { whole(text) }
            }
            Group::Parameter if !self.setup && !matches!(self.graph.node(id).op, Op::Symbol(_)) => {
                self.used.borrow_mut().model = true;
                whole(format!("model->{}", self.name(id)))
            }
            _ => self.inline(id),
        }
    }

    /// The opposite of a value.
    fn opposite(&self, id: NodeId) -> (String, Level) {
        self.negated(id, self.expression(id))
    }

    /// A text of a value with a minus. gcc writes −(a b + c) as (−a) b − c where that is one operation, and so gives a zero the other sign.
    fn negated(&self, id: NodeId, text: (String, Level)) -> (String, Level) {
        let is = |id: NodeId, op: fn(Op) -> bool| op(self.graph.node(id).op);
        let sum = is(id, |op| matches!(op, Op::Add | Op::Sub))
            && self.graph.node(id).args().iter().any(|a| is(*a, |op| op == Op::Mul));
        // What comes from elsewhere may be such a sum.
        let handed = self.body.opposites.contains_key(&id)
            || !self.inputs.is_empty() && is(id, |op| matches!(op, Op::Symbol(_)));
        if self.names.fused && !self.setup && (sum || handed) {
            return (format!("opposite({})", text.0), Level::Whole);
        }
        (format!("-{}", self.at_least(text, Level::Whole)), Level::Sign)
    }

    /// A number that is not negative.
    fn constant(&self, value: f64) -> String {
        let item = self.names.constants.called(value).and_then(|c| c.item);
        item.map_or_else(|| self.names.literal(value), str::to_owned)
    }

    /// A text that holds together at least as strongly as asked for.
    fn at_least(&self, (text, own): (String, Level), level: Level) -> String {
        if own >= level { text } else { format!("({text})") }
    }

    /// The text of a symbol.
    pub fn symbol(&self, kind: SymbolKind) -> String {
        if let SymbolKind::Auxiliary(i) = kind
            && let Some(input) = self.inputs.get(i)
        {
            return input.clone();
        }
        if let SymbolKind::Parameter(i) = kind
            && let Some(field) = self.names.parameters.get(i)
        {
            self.used.borrow_mut().parameters = true;
            return format!("p->{field}");
        }
        self.used.borrow_mut().symbols.insert(kind);
        if kind == SymbolKind::Time {
            return "t".to_owned();
        }
        let entry = self.names.entries.iter().find(|e| e.0 == kind).map(|e| e.1.as_str());
        self.graph.invariants().require(entry, "value", "an entry of an argument has no name").to_owned()
    }

    fn term(&self, term: Term) -> (String, Level) {
        match term {
            Term::Value(id) => self.expression(id),
            Term::Multiple(size, of) => {
                let of = self.at_least(self.expression(of), Level::Sign);
                (format!("{} * {of}", self.constant(size)), Level::Product)
            }
        }
    }

    fn sum(&self, a: NodeId, b: NodeId, minus: bool) -> (String, Level) {
        match self.sums().sum(a, b, minus) {
            Sum::Plain { first, second, minus } => {
                let (first, second) = (self.term(first), self.term(second));
                let sign = if minus { "-" } else { "+" };
                let first = self.at_least(first, Level::Sum);
                (format!("{first} {sign} {}", self.at_least(second, Level::Product)), Level::Sum)
            }
            Sum::Fused(f) => {
                let signed =
                    |negative: bool, id: NodeId| if negative { self.opposite(id).0 } else { self.value(id) };
                let first = match f.first {
                    Term::Multiple(size, _) if f.negative => format!("-{}", self.constant(size)),
                    Term::Multiple(size, _) => self.constant(size),
                    Term::Value(id) => signed(f.negative, id),
                };
                let (second, other) = (self.value(f.second), signed(f.negates_other, f.other));
                (format!("mul_add({first}, {second}, {other})"), Level::Whole)
            }
        }
    }

    /// The operation of a node.
    fn inline(&self, id: NodeId) -> (String, Level) {
        let node = self.graph.node(id);
        let a = node.args();
        let binary = |sign: &str, a: NodeId, b: NodeId| {
            let first = self.at_least(self.expression(a), Level::Product);
            (format!("{first} {sign} {}", self.at_least(self.expression(b), Level::Sign)), Level::Product)
        };
        let library = |name: &str| format!("{name}{}", self.names.suffix());
        let call = |name: &str, more: &str| {
            let all: Vec<String> = a.iter().map(|x| self.value(*x)).collect();
            (format!("{name}({}{more})", all.join(", ")), Level::Whole)
        };
        match node.op {
            Op::Const(n) => {
                let x = n.to_f64();
                (self.names.literal(x), if x < 0.0 { Level::Sign } else { Level::Whole })
            }
            Op::Symbol(s) => (self.symbol(self.graph.symbol_info(s).kind), Level::Whole),
            Op::Add => self.sum(a[0], a[1], false),
            Op::Sub => self.sum(a[0], a[1], true),
            Op::Mul => {
                let (x, y) = self.sums().factors(a[0], a[1]);
                binary("*", x, y)
            }
            Op::Div => binary("/", a[0], a[1]),
            Op::Neg => self.opposite(a[0]),
            Op::Sqrt => call(&library("sqrt"), ""),
            Op::Sin => call("sine", ""),
            Op::Cos => call("cosine", ""),
            Op::Func(Func::Sign) => call("sign_of", ""),
            Op::Func(f) => call(&library(function(f)), ""),
            Op::Func2(Func2::Atan2) => call("direction", ""),
            Op::Func2(Func2::Pow) => call("raised", ""),
            Op::Func2(Func2::Min) => call("smaller", ""),
            Op::Func2(Func2::Max) => call("larger", ""),
            Op::Select(Cmp::Lt) => call("if_less", ""),
            Op::Select(Cmp::Le) => call("if_at_most", ""),
            Op::Select(Cmp::Eq) => call("if_equal", ""),
            Op::Table(t) => {
                let table = tables::arrays(self.graph, t);
                let n = table.knots.len();
                let [knots, rows] =
                    [&table.knots_name, &table.rows_name].map(|name| of_table(&self.names.upper, name));
                call("table", &format!(", {n}, {knots}, {rows}"))
            }
        }
    }
}

fn function(f: Func) -> &'static str {
    match f {
        Func::Ln => "log",
        Func::Abs => "fabs",
        // The others have their names of formulas in C too; the sign has no name there.
        Func::Sign
        | Func::Tan
        | Func::Asin
        | Func::Acos
        | Func::Atan
        | Func::Sinh
        | Func::Cosh
        | Func::Tanh
        | Func::Exp => f.name(),
    }
}
