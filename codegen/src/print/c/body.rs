//! Statements and expressions of one body.

use std::fmt::Write as _;

use crate::algebra::{Cmp, Func, Func2};
use crate::ir::{Graph, Group, NodeId, Op, Program, SymbolKind, TableId, all_roots, needed};
use crate::plan::{Body, Plan, Step};

/// How strongly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Sign,
    Whole,
}

/// The surroundings of one body.
pub(super) struct Scope<'a> {
    pub graph: &'a Graph,
    pub plan: &'a Plan,
    pub body: &'a Body,
    /// The text of a symbol.
    pub symbol: &'a dyn Fn(SymbolKind) -> Option<String>,
    /// Where the values of the model are; nothing while they are computed.
    pub fields: Option<&'static str>,
    /// Between a block and what it hands out.
    pub blocks: &'static str,
}

impl Scope<'_> {
    /// All statements, with a comment where a section begins.
    pub fn statements(&self, out: &mut String) {
        let mut section = "";
        for statement in &self.body.schedule.statements {
            if section != &*statement.section {
                section = &statement.section;
                let _ = writeln!(out, "\n    /* {} */", super::one_line(section));
            }
            match &statement.step {
                Step::Value(id) => self.bind(*id, &self.inline(*id).0, out),
                Step::SinCos(pairs) => {
                    for pair in pairs {
                        let angle = self.expression(pair.angle).0;
                        for (id, f) in [(pair.sin, "sin"), (pair.cos, "cos")] {
                            if let Some(id) = id {
                                self.bind(id, &format!("{f}({angle})"), out);
                            }
                        }
                    }
                }
                // Plans for C have none.
                Step::Part(_) => {}
            }
        }
    }

    fn bind(&self, id: NodeId, value: &str, out: &mut String) {
        let _ = writeln!(out, "    const double {} = {value};", self.name(id));
    }

    /// What a value is called.
    pub fn name(&self, id: NodeId) -> &str {
        self.plan.names.get(id).unwrap_or("unnamed")
    }

    /// The value of a node.
    pub fn value(&self, id: NodeId) -> String {
        self.expression(id).0
    }

    fn expression(&self, id: NodeId) -> (String, Level) {
        if self.body.schedule.is_bound(id) {
            return (self.name(id).to_owned(), Level::Whole);
        }
        if let Some(import) = self.body.imports.iter().find(|import| import.nodes.contains(&id)) {
            return (format!("b{}{}{}", import.block, self.blocks, self.name(id)), Level::Whole);
        }
        match (self.plan.group(id), self.fields) {
            (Group::Constant, _) => {
                let value = self.plan.constant(id).unwrap_or(f64::NAN);
                (literal(value), if value < 0.0 { Level::Sign } else { Level::Whole })
            }
            (Group::Parameter, Some(model)) if !matches!(self.graph.node(id).op, Op::Symbol(_)) => {
                (format!("{model}{}", self.name(id)), Level::Whole)
            }
            _ => self.inline(id),
        }
    }

    /// A text that holds together at least as strongly as asked for.
    fn at_least(&self, id: NodeId, level: Level) -> String {
        let (text, own) = self.expression(id);
        if own >= level { text } else { format!("({text})") }
    }

    /// The operation of a node.
    fn inline(&self, id: NodeId) -> (String, Level) {
        let node = self.graph.node(id);
        let a = node.args();
        let binary = |sign: &str, left: Level, right: Level| {
            format!("{} {sign} {}", self.at_least(a[0], left), self.at_least(a[1], right))
        };
        let call = |name: &str, more: &str| {
            let all: Vec<String> = a.iter().map(|x| self.value(*x)).collect();
            (format!("{name}({}{more})", all.join(", ")), Level::Whole)
        };
        match node.op {
            Op::Const(n) => (literal(n.to_f64()), Level::Sign),
            Op::Symbol(s) => {
                let kind = self.graph.symbol_info(s).kind;
                let text =
                    (self.symbol)(kind).unwrap_or_else(|| format!("no_argument_of_this_function_{kind:?}"));
                (text, Level::Whole)
            }
            Op::Add => (binary("+", Level::Sum, Level::Product), Level::Sum),
            Op::Sub => (binary("-", Level::Sum, Level::Product), Level::Sum),
            Op::Mul => (binary("*", Level::Product, Level::Sign), Level::Product),
            Op::Div => (binary("/", Level::Product, Level::Sign), Level::Product),
            Op::Neg => (format!("-{}", self.at_least(a[0], Level::Whole)), Level::Sign),
            Op::Sqrt => call("sqrt", ""),
            Op::Sin => call("sin", ""),
            Op::Cos => call("cos", ""),
            Op::Func(f) => call(function(f), ""),
            Op::Func2(f) => call(
                match f {
                    Func2::Atan2 => "atan2",
                    Func2::Pow => "pow",
                    Func2::Min => "smaller",
                    Func2::Max => "larger",
                },
                "",
            ),
            Op::Select(cmp) => call(
                match cmp {
                    Cmp::Lt => "choose_lt",
                    Cmp::Le => "choose_le",
                    Cmp::Eq => "choose_eq",
                },
                "",
            ),
            Op::Table(t) => {
                let data = self.graph.table_data(t);
                call(
                    "table",
                    &format!(", {}, KNOTS_{1}, ROWS_{1}, {2}", data.knots.len(), t.0, literal(data.before)),
                )
            }
        }
    }
}

fn function(f: Func) -> &'static str {
    match f {
        Func::Ln => "log",
        Func::Abs => "fabs",
        Func::Sign => "sign",
        // The others have their names of formulas in C too.
        Func::Tan
        | Func::Asin
        | Func::Acos
        | Func::Atan
        | Func::Sinh
        | Func::Cosh
        | Func::Tanh
        | Func::Exp => f.name(),
    }
}

/// A number; every digit that the double needs.
pub(super) fn literal(x: f64) -> String {
    match x {
        x if x.is_nan() => "NAN".to_owned(),
        x if x.is_infinite() => (if x > 0.0 { "INFINITY" } else { "-INFINITY" }).to_owned(),
        x => format!("{x:?}"),
    }
}

/// The tables that some function needs.
pub(super) fn tables(program: &Program) -> Vec<TableId> {
    let needed = needed(&program.graph, &all_roots(program));
    let mut found: Vec<TableId> = (needed.iter().enumerate().filter(|(_, n)| **n))
        .filter_map(|(i, _)| match program.graph.node(NodeId(i as u32)).op {
            Op::Table(t) => Some(t),
            _ => None,
        })
        .collect();
    found.sort_by_key(|t| t.0);
    found.dedup();
    found
}
