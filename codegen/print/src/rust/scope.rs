//! Expressions and statements of one body.
//!
//! A scope knows what each leaf is called; constants and arguments that a body turns out to need are collected and
//! become its first statements.
//!
//! Sums, and calls of what is computed in lanes, are files below.

mod lanes;
mod sums;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use syn::{Expr, Pat, Stmt, parse_quote};

use super::constants;
use super::inner::{ANGLES, ANGLES_STRUCT, Inner};
use super::names::ModuleNames;
use super::syntax::{
    array, associated, bind, comment, div, field, gap_pattern, ident, index, method, mul, neg, pair_pattern,
    path, pattern, slice_pattern, struct_pattern,
};
use crate::code::constants::Constants;
use crate::code::{headings, tables};
use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::{Graph, Group, NodeId, Op, SymbolKind, ValueNames};
use dqdt_graph::plan::{Body, Pair, Plan, Step};

/// An argument array of an emitted function.
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Meaning and local name of each entry.
    pub entries: Vec<(SymbolKind, String)>,
}

/// The surroundings of one body.
pub struct Scope<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    body: &'a Body,
    names: &'a ValueNames,
    /// True in `Model::new`.
    setup: bool,
    fused: bool,
    /// Names of the bodies of the mechanism.
    bodies: &'a [String],
    fields: FxHashMap<NodeId, String>,
    parameters: &'a [String],
    arguments: FxHashMap<SymbolKind, String>,
    used: BTreeSet<SymbolKind>,
    constants: &'a Constants,
    /// How often the body mentions a number, by its bits.
    uses: FxHashMap<u64, u32>,
    /// Numbers that have a local name.
    locals: Vec<(String, Expr)>,
    uses_parameters: bool,
    uses_model: bool,
    /// Arguments that are handed to blocks.
    passed: BTreeSet<&'static str>,
}

impl<'a> Scope<'a> {
    /// The scope of a function with these argument arrays.
    pub fn of_function(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a Body,
        names: &'a ModuleNames,
        arrays: &[Array],
    ) -> Self {
        let mut scope = Scope::new(graph, plan, body, names, &names.constants);
        scope.fields = plan.hoisted.iter().map(|h| (h.node, h.name.clone())).collect();
        scope.arguments.insert(SymbolKind::Time, "t".to_owned());
        for (kind, local) in arrays.iter().flat_map(|a| &a.entries) {
            scope.arguments.insert(*kind, local.clone());
        }
        scope
    }

    /// The scope of `Model::new`; values that become fields have the names of the fields.
    pub fn of_setup(
        graph: &'a Graph,
        plan: &'a Plan,
        names: &'a ModuleNames,
        constants: &'a Constants,
    ) -> Self {
        Scope { setup: true, ..Scope::new(graph, plan, &plan.setup, names, constants) }
    }

    fn new(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a Body,
        names: &'a ModuleNames,
        constants: &'a Constants,
    ) -> Self {
        let mut uses: FxHashMap<u64, u32> = FxHashMap::default();
        for (id, count) in plan.numbers(graph, body) {
            if let Some(value) = plan.constant(id) {
                *uses.entry(value.abs().to_bits()).or_insert(0) += count;
            }
        }
        Scope {
            graph,
            plan,
            body,
            names: &plan.names,
            setup: false,
            fused: names.fused,
            bodies: &names.bodies,
            fields: FxHashMap::default(),
            parameters: &names.parameters,
            arguments: FxHashMap::default(),
            used: BTreeSet::new(),
            constants,
            uses,
            locals: Vec::new(),
            uses_parameters: false,
            uses_model: false,
            passed: BTreeSet::new(),
        }
    }

    /// The statements, with a comment where a section begins; true for those that come before the calls of blocks, which get
    /// their values.
    pub fn statements(&mut self) -> Vec<(bool, Stmt)> {
        let mut out: Vec<(bool, Stmt)> = Vec::with_capacity(self.body.schedule.statements.len());
        self.each_statement(|early, stmt| out.push((early, stmt)));
        out
    }

    /// [`Scope::statements`], one by one.
    pub fn each_statement(&mut self, mut put: impl FnMut(bool, Stmt)) {
        let body = self.body;
        let early =
            if self.setup { vec![false; body.schedule.statements.len()] } else { body.early(self.graph) };
        let texts = headings::of_statements(body, self.names, &early, self.bodies);
        for ((statement, early), text) in body.schedule.statements.iter().zip(early).zip(texts) {
            let mut stmts = Vec::new();
            match &statement.step {
                Step::Value(id) => {
                    let value = self.inline(*id);
                    stmts.push(bind(pattern(Some(self.name(*id))), value));
                }
                Step::SinCos(pairs) => self.sines_and_cosines(pairs, &mut stmts),
                Step::Part(number) => {
                    stmts.extend(self.side_by_side(*number));
                }
            }
            if let Some((stmt, text)) = stmts.first_mut().zip(text) {
                comment(stmt, &text);
            }
            stmts.into_iter().for_each(|stmt| put(early, stmt));
        }
    }

    fn sines_and_cosines(&mut self, pairs: &[Pair], out: &mut Vec<Stmt>) {
        let name = |id: Option<NodeId>| id.map(|id| self.name(id));
        let sines: Vec<Option<&str>> = pairs.iter().map(|p| name(p.sin)).collect();
        let cosines: Vec<Option<&str>> = pairs.iter().map(|p| name(p.cos)).collect();
        if let [pair] = pairs {
            let value = method(self.expression(pair.angle), "sin_cos", Vec::new());
            out.push(bind(pair_pattern(pattern(sines[0]), pattern(cosines[0])), value));
            return;
        }
        let angles: Vec<Expr> = pairs.iter().map(|p| self.expression(p.angle)).collect();
        let all = associated("sin_cos_n", vec![array(angles)]);
        let names = pair_pattern(slice_pattern(&sines), slice_pattern(&cosines));
        out.push(bind(names, all));
    }

    /// What must stand before the statements: arguments and constants that they use.
    pub fn prologue(&mut self, arrays: &[Array]) -> Vec<Stmt> {
        let mut out = Vec::new();
        if self.uses_parameters {
            out.push(if self.setup {
                parse_quote!(let p = &params;)
            } else {
                parse_quote!(let p = &model.params;)
            });
        }
        for a in arrays {
            let names: Vec<Option<&str>> = a
                .entries
                .iter()
                .map(|(kind, name)| self.used.contains(kind).then_some(name.as_str()))
                .collect();
            let used = names.iter().flatten().count();
            if used == 0 {
                continue;
            }
            // What is not named takes place too.
            let (pattern_of_all, width) = gap_pattern(&names);
            let written = match &pattern_of_all {
                Pat::Slice(slice) => slice.elems.len(),
                _ => names.len(),
            };
            if width <= 70 || used * 4 >= written * 3 {
                let whole = path(a.name);
                out.push(bind(pattern_of_all, parse_quote!(*#whole)));
            } else {
                for (i, name) in names.iter().enumerate().filter(|(_, n)| n.is_some()) {
                    out.push(bind(pattern(*name), index(path(a.name), i)));
                }
            }
        }
        for (i, (name, value)) in std::mem::take(&mut self.locals).into_iter().enumerate() {
            let mut stmt = bind(pattern(Some(&name)), value);
            if i == 0 {
                comment(&mut stmt, "constants");
            }
            out.push(stmt);
        }
        out
    }

    /// True if `symbol` was used.
    pub fn has_used(&self, kind: SymbolKind) -> bool {
        self.used.contains(&kind)
    }

    /// The names that the body may bind.
    pub fn locals(&self, arrays: &[Array]) -> Vec<String> {
        let mut out: Vec<String> = arrays.iter().flat_map(|a| &a.entries).map(|e| e.1.clone()).collect();
        let taken = self.body.imports.iter().flat_map(|i| &i.nodes).chain(&self.body.angles);
        let mut ids: Vec<NodeId> = taken.copied().collect();
        for statement in &self.body.schedule.statements {
            match &statement.step {
                Step::Value(id) => ids.push(*id),
                Step::SinCos(pairs) => ids.extend(pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten()),
                Step::Part(i) => ids.extend(self.body.parts[*i].outputs.iter().flat_map(|c| &c.nodes)),
            }
        }
        out.extend(ids.iter().filter_map(|id| self.names.get(*id)).map(str::to_owned));
        let opposites = ids.iter().filter_map(|id| self.body.opposites.get(id));
        out.extend(opposites.cloned());
        out
    }

    /// The name of a value that has a statement, is handed out or comes from elsewhere.
    pub fn name(&self, id: NodeId) -> &'a str {
        self.graph.invariants().require(self.names.get(id), "value", "a value has no name")
    }

    /// Whether a value is the number one.
    pub fn is_one(&self, id: NodeId) -> bool {
        self.graph.constant(id).is_some_and(|x| x.is_one())
    }

    /// The graph of its nodes.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Whether a value is zero in every state.
    pub fn is_zero(&self, id: NodeId) -> bool {
        self.graph.is_zero(id)
    }

    /// The statements that take values of blocks, at the beginning; `calls` are all blocks that are called here, and the others
    /// that it takes values of are arguments.
    pub fn takes(&mut self, calls: &[usize], blocks: &[Inner]) -> Vec<Stmt> {
        let body = self.body;
        let mut out = Vec::new();
        if !body.angles.is_empty() {
            let all = &self.plan.angles;
            let value = path(ANGLES);
            if calls.is_empty() {
                let names: Vec<&str> = body.angles.iter().map(|id| self.name(*id)).collect();
                let pattern = struct_pattern(ANGLES_STRUCT, &names, names.len() < all.len());
                out.push(bind(pattern, parse_quote!(*#value)));
            } else {
                let fields: Vec<syn::FieldValue> = all.iter().map(|id| self.angle_field(*id)).collect();
                let structure = ident(ANGLES_STRUCT);
                let value: Expr = parse_quote!(#structure { #(#fields),* });
                out.push(bind(pattern(Some(ANGLES)), value));
            }
        }
        for (i, block) in blocks.iter().enumerate() {
            let import = body.imports.iter().find(|import| import.block == i);
            let called = calls.contains(&i);
            let fields: Option<Pat> = import.map(|import| {
                let names: Vec<&str> = import.nodes.iter().map(|id| self.name(*id)).collect();
                struct_pattern(&block.structure, &names, names.len() < block.fields)
            });
            let value = path(&block.name);
            if !called {
                out.extend(fields.map(|fields| bind(fields, parse_quote!(*#value))));
                continue;
            }
            self.uses_model |= block.uses_model;
            self.passed.extend(&block.arguments);
            let passed_on = calls.iter().any(|c| blocks[*c].takes.contains(&i));
            match fields {
                Some(fields) if !passed_on => out.push(bind(fields, block.call())),
                fields => {
                    out.push(bind(pattern(Some(&block.name)), block.call()));
                    out.extend(fields.map(|fields| bind(fields, value)));
                }
            }
        }
        out
    }

    /// What a function hands to blocks of an angle: zero where none of those that it calls reads it.
    fn angle_field(&mut self, id: NodeId) -> syn::FieldValue {
        let name = ident(self.name(id));
        if !self.body.angles.contains(&id) {
            return parse_quote!(#name: T::ZERO);
        }
        match self.expression(id) {
            Expr::Path(p) if p.path.is_ident(&name) => parse_quote!(#name),
            value => parse_quote!(#name: #value),
        }
    }

    /// True if an argument is handed to a block.
    pub fn passes(&self, argument: &str) -> bool {
        self.passed.contains(argument)
    }

    /// True if the model was used.
    pub fn has_used_model(&self) -> bool {
        self.uses_model || self.uses_parameters
    }

    /// True for what has a statement or comes from a block.
    fn has_name(&self, id: NodeId) -> bool {
        self.body.schedule.is_bound(id) || self.body.takes(id)
    }

    /// The value of a node: its name, or its expression.
    pub fn expression(&mut self, id: NodeId) -> Expr {
        if let Some(opposite) = self.body.opposites.get(&id) {
            return neg(path(opposite));
        }
        if self.has_name(id) {
            return path(self.name(id));
        }
        match self.plan.group(id) {
            Group::Constant => {
                let value = self.plan.number(self.graph, id);
                let positive = self.constant(value.abs());
                return if value < 0.0 { neg(positive) } else { positive };
            }
            Group::Parameter if !self.setup => {
                if let Some(name) = self.fields.get(&id) {
                    self.uses_model = true;
                    return field("model", name);
                }
            }
            _ => {}
        }
        self.inline(id)
    }

    fn constant(&mut self, value: f64) -> Expr {
        if value == 0.0 {
            return parse_quote!(T::ZERO);
        }
        if value == 1.0 {
            return parse_quote!(T::ONE);
        }
        let uses = self.uses.get(&value.to_bits()).copied().unwrap_or(1);
        let (number, local) = constants::expression(self.constants, value, uses);
        let Some(local) = local else { return number };
        if !self.locals.iter().any(|(name, _)| name == local) {
            self.locals.push((local.to_owned(), number));
        }
        path(local)
    }

    fn symbol(&mut self, kind: SymbolKind) -> Expr {
        if let SymbolKind::Parameter(i) = kind
            && let Some(parameter) = self.parameters.get(i)
        {
            self.uses_parameters = true;
            return field("p", parameter);
        }
        self.used.insert(kind);
        let local = self.arguments.get(&kind).map(String::as_str);
        path(self.graph.invariants().require(local, "value", "a function takes what is no argument of it"))
    }

    /// The operation of a node.
    fn inline(&mut self, id: NodeId) -> Expr {
        let node = self.graph.node(id);
        let args = node.args();
        match node.op {
            // Constants are caught before; this is their value all the same.
            Op::Const(n) => self.constant(n.to_f64()),
            Op::Symbol(s) => self.symbol(self.graph.symbol_info(s).kind),
            Op::Add => self.sum(args[0], args[1], false),
            Op::Sub => self.sum(args[0], args[1], true),
            Op::Mul => {
                let (a, b) = self.sums().factors(args[0], args[1]);
                mul(self.expression(a), self.expression(b))
            }
            Op::Div => div(self.expression(args[0]), self.expression(args[1])),
            Op::Neg => neg(self.expression(args[0])),
            Op::Sqrt => method(self.expression(args[0]), "sqrt", Vec::new()),
            Op::Sin => method(self.expression(args[0]), "sin", Vec::new()),
            Op::Cos => method(self.expression(args[0]), "cos", Vec::new()),
            Op::Func(f) => method(self.expression(args[0]), function(f), Vec::new()),
            Op::Func2(f) => {
                let other = self.expression(args[1]);
                method(self.expression(args[0]), function2(f), vec![other])
            }
            Op::Select(cmp) => {
                let name = match cmp {
                    Cmp::Lt => "if_lt",
                    Cmp::Le => "if_le",
                    Cmp::Eq => "if_eq",
                };
                let [value, other, yes, no] = [0, 1, 2, 3].map(|i| self.expression(args[i]));
                method(value, name, vec![other, yes, no])
            }
            Op::Table(t) => {
                let table = tables::arrays(self.graph, t);
                let (knots, rows) = (ident(&table.knots_name), ident(&table.rows_name));
                method(self.expression(args[0]), "table", vec![parse_quote!(&#knots), parse_quote!(&#rows)])
            }
        }
    }
}

fn function(f: Func) -> &'static str {
    // The names of formulas are those of the runtime.
    f.name()
}

fn function2(f: Func2) -> &'static str {
    match f {
        Func2::Pow => "powf",
        _ => f.name(),
    }
}
