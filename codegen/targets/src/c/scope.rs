//! Statements and expressions of one emitted C function.

use std::fmt::Write as _;

use super::names::{CNames, equal_part_names, find_argument_entry, table_name};
use super::text::{line_comment, statement_line};
use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::declaration::Argument;
use dqdt_graph::ir::{Graph, NodeId, Program, SymbolKind};
use dqdt_graph::plan::{self, Column, Equal, Plan};
use dqdt_print::code::equal_part::EqualPart;
use dqdt_print::code::tables;
use dqdt_print::tree::{self, BodyTree, Call, SinCos, Spelling, Statement, Value};

/// Printer of the statements and expressions of one emitted C body, with the names that are visible
/// in it.
pub struct CScope<'a> {
    body: BodyTree<'a>,
    names: &'a CNames,
    is_setup: bool,
    /// True in an inner function: results of other inner functions are arguments, not locals.
    is_block: bool,
    /// Names of the inputs of an equal part; empty for any other body.
    inputs: &'a [String],
}

/// Statement of a body.
pub enum BodyItem {
    /// Text of a statement, with the names of the locals that it defines.
    Text { defines: Vec<String>, text: String },
    /// Call of an equal part, by its index in the body.
    Part(usize),
}

/// Input of an equal part in one lane.
pub enum LaneInput<'a> {
    /// A C expression.
    Value(String),
    /// The output of an earlier equal part, by its index, in the same lane.
    Output(&'a Equal, usize),
}

impl<'a> CScope<'a> {
    fn new(body: BodyTree<'a>, names: &'a CNames) -> Self {
        CScope { body, names, is_setup: false, is_block: false, inputs: &[] }
    }

    /// Scope of the body of a public C function.
    pub fn of_function(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a plan::PlannedBody,
        names: &'a CNames,
    ) -> Self {
        CScope::new(BodyTree::of_function(graph, plan, body, names.fused), names)
    }

    /// Scope of the body of an inner C function (block).
    pub fn of_block(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a plan::PlannedBody,
        names: &'a CNames,
    ) -> Self {
        CScope { is_block: true, ..CScope::new(BodyTree::of_block(graph, plan, body, names.fused), names) }
    }

    /// Scope of the initialisation of the model, or of the parameter check.
    pub fn of_setup(graph: &'a Graph, plan: &'a Plan, names: &'a CNames) -> Self {
        CScope { is_setup: true, ..CScope::new(BodyTree::of_setup(graph, plan, names.fused), names) }
    }

    /// Scope of the C function of an equal part.
    pub fn of_part(part: &'a EqualPart, body: &'a plan::PlannedBody, names: &'a CNames) -> Self {
        CScope { inputs: &part.input_names, ..CScope::new(BodyTree::of_part(part, body, names.fused), names) }
    }

    /// C text of all statements with headings: those before the calls of inner functions, and those
    /// after them.
    pub fn early_and_late_statements(&self) -> [String; 2] {
        let mut out = [String::new(), String::new()];
        self.body.each_body_line(&self.names.bodies, |line| {
            let out = &mut out[usize::from(!line.is_early)];
            if let Some(text) = line.heading {
                let _ = write!(out, "\n{}", line_comment(&text, 4));
            }
            match line.statement {
                Statement::Let(name, value) => {
                    self.push_local_definition(name, &self.value_expression(&value), out)
                }
                Statement::SinCos(pairs) => pairs.iter().for_each(|p| self.push_sine_and_cosine(p, out)),
                Statement::Part(number) => self.call_for_each_lane(number, out),
            }
        });
        out
    }

    fn push_local_definition(&self, name: &str, value: &str, out: &mut String) {
        out.push_str(&statement_line(&format!("const {} {name} = {value};", self.names.scalar_type()), 4));
    }

    fn push_sine_and_cosine(&self, pair: &SinCos<'_>, out: &mut String) {
        let angle = self.value_expression(&pair.angle);
        match (pair.sin, pair.cos) {
            (Some(s), Some(c)) => {
                let _ = writeln!(out, "    {} {s}, {c};", self.names.scalar_type());
                out.push_str(&statement_line(&format!("sin_cos({angle}, &{s}, &{c});"), 4));
            }
            (Some(s), None) => self.push_local_definition(s, &format!("sine({angle})"), out),
            (None, Some(c)) => self.push_local_definition(c, &format!("cosine({angle})"), out),
            (None, None) => {}
        }
    }

    /// The statements of the body one by one, without headings.
    pub fn body_items(&self) -> Vec<BodyItem> {
        let mut out = Vec::new();
        self.body.each_body_line(&self.names.bodies, |line| match line.statement {
            Statement::Let(name, value) => {
                let mut text = String::new();
                self.push_local_definition(name, &self.value_expression(&value), &mut text);
                out.push(BodyItem::Text { defines: vec![name.to_owned()], text });
            }
            Statement::SinCos(pairs) => {
                for pair in &pairs {
                    let mut text = String::new();
                    self.push_sine_and_cosine(pair, &mut text);
                    let defines = [pair.sin, pair.cos].into_iter().flatten().map(str::to_owned).collect();
                    out.push(BodyItem::Text { defines, text });
                }
            }
            Statement::Part(number) => out.push(BodyItem::Part(number)),
        });
        out
    }

    /// Equal part with this index in the body.
    pub fn equal_part(&self, number: usize) -> &'a Equal {
        self.body.equal_part(number)
    }

    /// The inputs of an equal part in one lane: C expressions, or the output of an earlier part by
    /// its index.
    pub fn lane_inputs(&self, number: usize, lane: usize) -> Vec<LaneInput<'a>> {
        let columns = self.body.equal_part(number).inputs.iter();
        columns
            .map(|column| match self.body.forwarded_output(column, number) {
                Some((earlier, output)) => LaneInput::Output(earlier, output),
                None => LaneInput::Value(self.input_in_lane(column, lane.min(column.nodes.len() - 1))),
            })
            .collect()
    }

    /// Outputs of an equal part in one lane that are used elsewhere: index and local name.
    pub fn lane_outputs(&self, number: usize, lane: usize) -> Vec<(usize, &'a str)> {
        let outputs = self.body.equal_part(number).outputs.iter().enumerate();
        let alone = outputs.filter(|(_, column)| column.alone.get(lane) == Some(&true));
        alone.map(|(o, column)| (o, self.body.lane_output_name(column, lane))).collect()
    }

    /// Entries of arguments that the body reads: local name, argument, index.
    pub fn entries_read(
        &self,
        program: &Program,
        arguments: &[Argument],
    ) -> Vec<(&str, &'static str, usize)> {
        let entries = self.names.entries.iter().filter(|(kind, _)| self.body.reads_symbol(*kind));
        entries
            .filter_map(|(kind, name)| {
                let (array, at) = find_argument_entry(arguments, program, *kind)?;
                Some((name.as_str(), array, at))
            })
            .collect()
    }

    /// Appends C code that runs an equal part for each lane: fills the arrays of its inputs, calls
    /// it in a loop, and binds the outputs that are used elsewhere.
    fn call_for_each_lane(&self, number: usize, out: &mut String) {
        let (real, part) = (self.names.scalar_type(), self.body.equal_part(number));
        let lanes = part.lanes;
        let [function, shared_array, lane_array, results] = equal_part_names(&part.name);
        let (shared, per_lane) = part.inputs.split_at(part.shared_input_count());
        let mut arguments = Vec::new();
        if !shared.is_empty() {
            let values: Vec<String> = shared.iter().map(|c| self.input_in_lane(c, 0)).collect();
            let array = format!("const {real} {shared_array}[{}] = {{{}}};", values.len(), values.join(", "));
            out.push_str(&statement_line(&array, 4));
            arguments.push(shared_array);
        }
        if !per_lane.is_empty() {
            let rows: Vec<String> = per_lane.iter().map(|c| self.input_in_all_lanes(c, number)).collect();
            let _ = writeln!(out, "    const {real} {lane_array}[{}][{lanes}] = {{", rows.len());
            rows.iter().for_each(|row| out.push_str(&statement_line(&format!("{row},"), 8)));
            out.push_str("    };\n");
            arguments.push(lane_array);
        }
        let _ = writeln!(out, "    {real} {results}[{}][{lanes}];", part.outputs.len());
        let call = format!("{function}({}, {results}, k)", arguments.join(", "));
        let _ = writeln!(out, "    for (int k = 0; k < {lanes}; k++) {call};");
        for (o, column) in part.outputs.iter().enumerate() {
            for k in (0..lanes).filter(|k| column.alone.get(*k) == Some(&true)) {
                let name = self.body.lane_output_name(column, k);
                let _ = writeln!(out, "    const {real} {name} = {results}[{o}][{k}];");
            }
        }
    }

    /// C initialiser with the values of an input in all lanes, for equal part `number`.
    fn input_in_all_lanes(&self, column: &Column, number: usize) -> String {
        let all: Vec<String> = match self.body.forwarded_output(column, number) {
            Some((earlier, o)) => {
                let [.., results] = equal_part_names(&earlier.name);
                (0..earlier.lanes).map(|k| format!("{results}[{o}][{k}]")).collect()
            }
            None => (0..column.nodes.len()).map(|lane| self.input_in_lane(column, lane)).collect(),
        };
        format!("{{{}}}", all.join(", "))
    }

    fn input_in_lane(&self, column: &Column, lane: usize) -> String {
        self.value_expression(&self.body.lane_value(column, lane))
    }

    /// Graph to which the nodes of the body belong.
    pub fn graph(&self) -> &'a Graph {
        self.body.graph()
    }

    /// C name of a value that has a statement, is a result, or comes from outside the body.
    pub fn value_name(&self, id: NodeId) -> &str {
        self.body.value_name(id)
    }

    /// A graph node as a C expression: its name, or its operation.
    pub fn node_expression(&self, id: NodeId) -> String {
        self.value_expression(&self.body.node_value(id))
    }

    fn value_expression(&self, value: &Value<'_>) -> String {
        tree::value_text(value, self)
    }

    /// Returns `true` if a graph node is zero in every state.
    pub fn is_zero(&self, id: NodeId) -> bool {
        self.graph().is_zero(id)
    }

    /// C declarations that precede the statements of a body: parameters, and entries of arguments
    /// that it reads.
    pub fn prologue_declarations(&self, program: &Program, arguments: &[Argument]) -> String {
        let mut out = String::new();
        if self.body.uses_parameters() {
            let from = if self.is_setup { "params" } else { "&model->params" };
            let _ = writeln!(out, "    const {} *const p = {from};", self.names.public_struct("params"));
        }
        let real = self.names.scalar_type();
        // In the order of the arguments.
        for (kind, name) in &self.names.entries {
            if let Some((array, at)) =
                find_argument_entry(arguments, program, *kind).filter(|_| self.body.reads_symbol(*kind))
            {
                let _ = writeln!(out, "    const {real} {name} = {array}[{at}];");
            }
        }
        let has_all = (self.body.symbols_read().iter()).all(|kind| {
            *kind == SymbolKind::Time || find_argument_entry(arguments, program, *kind).is_some()
        });
        if !has_all {
            self.graph()
                .invariants()
                .report_broken("a function uses a symbol that is not one of its arguments");
        }
        out
    }

    /// Returns `true` if the body reads parameters.
    pub fn uses_parameters(&self) -> bool {
        self.body.uses_parameters()
    }

    /// Returns `true` if the C function reads the model, so that it is an argument in use.
    pub fn uses_model(&self) -> bool {
        self.body.uses_model()
    }

    /// Returns `true` if the C function reads the time.
    pub fn uses_time(&self) -> bool {
        self.body.reads_symbol(SymbolKind::Time)
    }

    /// Returns `true` if the body reads any entry of this argument.
    pub fn uses_argument(&self, program: &Program, argument: &Argument) -> bool {
        argument.vector.slots(&program.layout).iter().any(|(kind, _)| self.body.reads_symbol(*kind))
    }

    /// The C expression for a symbol, such as a coordinate.
    pub fn symbol_expression(&self, kind: SymbolKind) -> String {
        self.value_expression(&self.body.symbol_value(kind))
    }
}

impl Spelling for CScope<'_> {
    fn number(&self, value: f64) -> String {
        let item = self.names.constants.names_for_number(value).and_then(|c| c.item);
        item.map_or_else(|| self.names.number_literal(value), |name| self.names.named_constant(name))
    }

    fn infinity(&self) -> String {
        self.names.number_literal(f64::INFINITY)
    }

    fn not_a_number(&self) -> String {
        self.names.number_literal(f64::NAN)
    }

    fn leaf(&self, value: &Value<'_>) -> String {
        let named = |name: Option<&String>, problem: &'static str| {
            let name = name.map(String::as_str);
            self.graph().invariants().require(name, "value", problem).to_owned()
        };
        match value {
            Value::Parameter(i) => {
                format!(
                    "p->{}",
                    named(self.names.parameters.get(*i), "a parameter has no name in the emitted code")
                )
            }
            Value::Entry(SymbolKind::Time) => "t".to_owned(),
            Value::Entry(kind) => {
                let entry = self.names.entries.iter().find(|e| e.0 == *kind).map(|e| &e.1);
                named(entry, "an entry of an argument has no name in the emitted code")
            }
            Value::Input(i) => {
                named(self.inputs.get(*i), "an input of equal parts has no name in the emitted code")
            }
            Value::Local(name) => (*name).to_owned(),
            Value::Field(name) => format!("model->{name}"),
            Value::OfBlock(block, name) => {
                let arrow = if self.is_block { "->" } else { "." };
                format!(
                    "{}{arrow}{name}",
                    named(self.names.blocks.get(*block), "a block has no name in the emitted code")
                )
            }
            Value::OfAngles(name) => format!("angles->{name}"),
            other => {
                self.graph().invariants().report_broken(format!(
                    "the value {other:?} cannot be printed as a leaf of an expression"
                ));
                String::new()
            }
        }
    }

    fn call(&self, call: Call, arguments: &[String]) -> String {
        let library = |name: &str| format!("{name}{}", self.names.scalar_suffix());
        let mut arguments = arguments.to_vec();
        let name = match call {
            Call::Sqrt => library("sqrt"),
            Call::Sin => "sine".to_owned(),
            Call::Cos => "cosine".to_owned(),
            Call::Func(Func::Sign) => "sign_of".to_owned(),
            Call::Func(f) => library(library_function_name(f)),
            Call::Func2(Func2::Atan2) => "direction".to_owned(),
            Call::Func2(Func2::Pow) => "raised".to_owned(),
            Call::Func2(Func2::Min) => "smaller".to_owned(),
            Call::Func2(Func2::Max) => "larger".to_owned(),
            Call::Select(Cmp::Lt) => "if_less".to_owned(),
            Call::Select(Cmp::Le) => "if_at_most".to_owned(),
            Call::Select(Cmp::Eq) => "if_equal".to_owned(),
            Call::Table(t) => {
                let table = tables::table_arrays(self.graph(), t);
                arguments.push(table.knots.len().to_string());
                let names = [&table.knots_name, &table.rows_name];
                arguments.extend(
                    names.map(|name| self.names.table_expression(&table_name(&self.names.upper, name))),
                );
                "table".to_owned()
            }
        };
        format!("{name}({})", arguments.join(", "))
    }

    fn mul_add(&self, factors_and_term: &[String; 3]) -> String {
        format!("mul_add({})", factors_and_term.join(", "))
    }

    /// Calls a support function: gcc rewrites −(a b + c) as (−a) b − c if that is one operation,
    /// which changes the sign of a zero.
    fn opposite_of_sum(&self, text: &str) -> Option<String> {
        Some(format!("opposite({text})"))
    }
}

fn library_function_name(f: Func) -> &'static str {
    match f {
        Func::Ln => "log",
        Func::Abs => "fabs",
        // The others have the same names in formulas and in C. The sign has no name in C.
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
