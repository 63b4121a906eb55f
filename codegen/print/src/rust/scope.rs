//! Expressions and statements of one emitted Rust body.
//!
//! A scope maps each leaf of the graph to a name. It collects the constants and arguments that the
//! body uses; these become the first statements of the body.
//!
//! Calls of equal parts, which run in SIMD lanes, are in `lanes`.

mod lanes;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use syn::{Expr, Pat, Stmt, parse_quote};

use super::block_signature::{ANGLES, ANGLES_STRUCT, BlockSignature};
use super::constants;
use super::names::ModuleNames;
use super::syntax::{
    add, add_comment, array_expression, associated_call, div, field_access, gap_pattern, ident,
    index_expression, let_statement, method_call, mul, name_expression, name_pattern, neg, pair_pattern,
    slice_pattern, struct_pattern, sub,
};
use crate::code::constants::Constants;
use crate::code::equal_part::EqualPart;
use crate::code::tables;
use crate::tree::{BodyTree, Call, SinCos, Statement, Value};
use dqdt_algebra::{Cmp, Func2};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind};
use dqdt_graph::plan::{self, Plan, Step};

/// Array argument of an emitted function, such as the state `x`.
pub struct Array {
    /// Name of the argument, such as `x`.
    pub name: &'static str,
    /// Symbol and local name of each entry of the array.
    pub entries: Vec<(SymbolKind, String)>,
}

/// Printer of the expressions and statements of one emitted Rust body, with the names that are
/// visible in it.
pub struct RustScope<'a> {
    body: Rc<BodyTree<'a>>,
    plan: &'a Plan,
    /// True if the body is that of `Model::new`.
    is_setup: bool,
    names: &'a ModuleNames,
    arguments: FxHashMap<SymbolKind, String>,
    constants: &'a Constants,
    /// Number of uses of each number in the body, by the bits of its magnitude; decides which
    /// numbers get locals.
    uses: FxHashMap<u64, u32>,
    /// Numbers that get a local variable at the start of the body: its name and its value.
    local_names: Vec<(String, Expr)>,
    /// True if a block that the body calls reads the model.
    passes_model: bool,
    /// Names of the arguments that the body passes to blocks.
    passed: BTreeSet<&'static str>,
}

impl<'a> RustScope<'a> {
    /// Scope of the body of an emitted function with these argument arrays.
    pub fn of_function(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a plan::PlannedBody,
        names: &'a ModuleNames,
        arrays: &[Array],
    ) -> Self {
        RustScope::new(BodyTree::of_function(graph, plan, body, names.fused), plan, names, &names.constants)
            .with_arguments(arrays)
    }

    /// Scope of the body of a block (inner function).
    pub fn of_block(
        graph: &'a Graph,
        plan: &'a Plan,
        body: &'a plan::PlannedBody,
        names: &'a ModuleNames,
        arrays: &[Array],
    ) -> Self {
        RustScope::new(BodyTree::of_block(graph, plan, body, names.fused), plan, names, &names.constants)
            .with_arguments(arrays)
    }

    /// Scope of the body of an equal part, which runs in SIMD lanes.
    pub fn of_part(
        part: &'a EqualPart,
        body: &'a plan::PlannedBody,
        names: &'a ModuleNames,
        arrays: &[Array],
    ) -> Self {
        RustScope::new(BodyTree::of_part(part, body, names.fused), &part.plan, names, &names.constants)
            .with_arguments(arrays)
    }

    /// Scope of the body of `Model::new`. Values that become fields of the model have the names of
    /// the fields.
    pub fn of_setup(
        graph: &'a Graph,
        plan: &'a Plan,
        names: &'a ModuleNames,
        constants: &'a Constants,
    ) -> Self {
        let body = BodyTree::of_setup(graph, plan, names.fused);
        RustScope { is_setup: true, ..RustScope::new(body, plan, names, constants) }
    }

    fn new(body: BodyTree<'a>, plan: &'a Plan, names: &'a ModuleNames, constants: &'a Constants) -> Self {
        let mut uses: FxHashMap<u64, u32> = FxHashMap::default();
        for (id, count) in plan.count_constant_uses(body.graph(), body.plan()) {
            if let Some(value) = plan.constant_value(id) {
                *uses.entry(value.abs().to_bits()).or_insert(0) += count;
            }
        }
        RustScope {
            body: Rc::new(body),
            plan,
            is_setup: false,
            names,
            arguments: FxHashMap::default(),
            constants,
            uses,
            local_names: Vec::new(),
            passes_model: false,
            passed: BTreeSet::new(),
        }
    }

    fn with_arguments(mut self, arrays: &[Array]) -> Self {
        self.arguments.insert(SymbolKind::Time, "t".to_owned());
        for (kind, local) in arrays.iter().flat_map(|a| &a.entries) {
            self.arguments.insert(*kind, local.clone());
        }
        self
    }

    /// Statements of the body, with a comment where a section begins. The flag is `true` for
    /// statements that precede the calls of blocks, which use their values.
    pub fn statements(&mut self) -> Vec<(bool, Stmt)> {
        let mut out: Vec<(bool, Stmt)> = Vec::with_capacity(self.body.plan().schedule.statements.len());
        self.each_statement(|early, stmt| out.push((early, stmt)));
        out
    }

    /// Passes the statements of [`RustScope::statements`] to `put`, one by one, so that a long body
    /// need not be in memory.
    pub fn each_statement(&mut self, mut put: impl FnMut(bool, Stmt)) {
        let body = Rc::clone(&self.body);
        body.each_body_line(&self.names.bodies, |line| {
            let mut stmts = match line.statement {
                Statement::Let(name, value) => {
                    vec![let_statement(name_pattern(Some(name)), self.value_expression(value))]
                }
                Statement::SinCos(pairs) => vec![self.sin_cos_statement(pairs)],
                Statement::Part(number) => self.equal_part_calls(number),
            };
            if let Some((stmt, text)) = stmts.first_mut().zip(line.heading) {
                add_comment(stmt, &text);
            }
            stmts.into_iter().for_each(|stmt| put(line.is_early, stmt));
        });
    }

    fn sin_cos_statement(&mut self, pairs: Vec<SinCos<'_>>) -> Stmt {
        let sines: Vec<Option<&str>> = pairs.iter().map(|p| p.sin).collect();
        let cosines: Vec<Option<&str>> = pairs.iter().map(|p| p.cos).collect();
        let names_of_all = pair_pattern(slice_pattern(&sines), slice_pattern(&cosines));
        match <[SinCos<'_>; 1]>::try_from(pairs) {
            Ok([SinCos { sin, cos, angle }]) => {
                let value = method_call(self.value_expression(angle), "sin_cos", Vec::new());
                let_statement(pair_pattern(name_pattern(sin), name_pattern(cos)), value)
            }
            Err(pairs) => {
                let angles: Vec<Expr> = pairs.into_iter().map(|p| self.value_expression(p.angle)).collect();
                let_statement(names_of_all, associated_call("sin_cos_n", vec![array_expression(angles)]))
            }
        }
    }

    /// Statements that must precede all others of the body: bindings of the arguments and constants
    /// that it uses. Call it after the statements have been built.
    pub fn prologue_statements(&mut self, arrays: &[Array]) -> Vec<Stmt> {
        let mut out = Vec::new();
        if self.body.uses_parameters() {
            out.push(if self.is_setup {
                parse_quote!(let p = &params;)
            } else {
                parse_quote!(let p = &model.params;)
            });
        }
        for a in arrays {
            let names: Vec<Option<&str>> = a
                .entries
                .iter()
                .map(|(kind, name)| self.body.reads_symbol(*kind).then_some(name.as_str()))
                .collect();
            let used = names.iter().flatten().count();
            if used == 0 {
                continue;
            }
            // Placeholders add to the width of the pattern, too.
            let (pattern_of_all, width) = gap_pattern(&names);
            let elements = match &pattern_of_all {
                Pat::Slice(slice) => slice.elems.len(),
                _ => names.len(),
            };
            if width <= 70 || used * 4 >= elements * 3 {
                let whole = name_expression(a.name);
                out.push(let_statement(pattern_of_all, parse_quote!(*#whole)));
            } else {
                for (i, name) in names.iter().enumerate().filter(|(_, n)| n.is_some()) {
                    out.push(let_statement(
                        name_pattern(*name),
                        index_expression(name_expression(a.name), i),
                    ));
                }
            }
        }
        for (i, (name, value)) in std::mem::take(&mut self.local_names).into_iter().enumerate() {
            let mut stmt = let_statement(name_pattern(Some(&name)), value);
            if i == 0 {
                add_comment(&mut stmt, "constants");
            }
            out.push(stmt);
        }
        out
    }

    /// Returns `true` if the body has read an argument entry of this kind.
    pub fn has_used_entry(&self, kind: SymbolKind) -> bool {
        self.body.reads_symbol(kind)
    }

    /// Names of the locals that the body may bind, for the lint of upper-case names.
    pub fn locals(&self, arrays: &[Array]) -> Vec<String> {
        let mut out: Vec<String> = arrays.iter().flat_map(|a| &a.entries).map(|e| e.1.clone()).collect();
        let body = self.body.plan();
        let taken = body.imports.iter().flat_map(|i| &i.nodes).chain(&body.angles);
        let mut ids: Vec<NodeId> = taken.copied().collect();
        for statement in &body.schedule.statements {
            match &statement.step {
                Step::Value(id) => ids.push(*id),
                Step::SinCos(pairs) => ids.extend(pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten()),
                Step::Part(i) => ids.extend(body.parts[*i].outputs.iter().flat_map(|c| &c.nodes)),
            }
        }
        out.extend(ids.iter().filter_map(|id| self.plan.names.node_name(*id)).map(str::to_owned));
        let opposites = ids.iter().filter_map(|id| body.opposites.get(id));
        out.extend(opposites.cloned());
        out
    }

    /// Name of a value that has a statement, is a result, or comes from outside the body.
    pub fn value_name(&self, id: NodeId) -> &'a str {
        self.body.value_name(id)
    }

    /// Returns `true` if a graph node is the number one.
    pub fn is_one(&self, id: NodeId) -> bool {
        self.graph().constant(id).is_some_and(|x| x.is_one())
    }

    /// The graph to which the nodes of the body belong.
    pub fn graph(&self) -> &'a Graph {
        self.body.graph()
    }

    /// Returns `true` if a graph node is zero in every state.
    pub fn is_zero(&self, id: NodeId) -> bool {
        self.graph().is_zero(id)
    }

    /// Statements at the beginning of a body that obtain values of blocks. `calls` are the blocks
    /// that the body calls. Results of other blocks are arguments of the body.
    pub fn bind_block_values(&mut self, calls: &[usize], blocks: &[BlockSignature]) -> Vec<Stmt> {
        let body = self.body.plan();
        let mut out = Vec::new();
        if !body.angles.is_empty() {
            let all = &self.plan.angles;
            let value = name_expression(ANGLES);
            if calls.is_empty() {
                let names: Vec<&str> = body.angles.iter().map(|id| self.value_name(*id)).collect();
                let pattern = struct_pattern(ANGLES_STRUCT, &names, names.len() < all.len());
                out.push(let_statement(pattern, parse_quote!(*#value)));
            } else {
                let fields: Vec<syn::FieldValue> = all.iter().map(|id| self.angle_field(*id)).collect();
                let structure = ident(ANGLES_STRUCT);
                let value: Expr = parse_quote!(#structure { #(#fields),* });
                out.push(let_statement(name_pattern(Some(ANGLES)), value));
            }
        }
        for (i, block) in blocks.iter().enumerate() {
            let import = body.imports.iter().find(|import| import.block == i);
            let called = calls.contains(&i);
            let fields: Option<Pat> = import.map(|import| {
                let names: Vec<&str> = import.nodes.iter().map(|id| self.value_name(*id)).collect();
                struct_pattern(&block.structure, &names, names.len() < block.fields)
            });
            let value = name_expression(&block.name);
            if !called {
                out.extend(fields.map(|fields| let_statement(fields, parse_quote!(*#value))));
                continue;
            }
            self.passes_model |= block.uses_model;
            self.passed.extend(&block.arguments);
            let passed_on = calls.iter().any(|c| blocks[*c].takes.contains(&i));
            match fields {
                Some(fields) if !passed_on => out.push(let_statement(fields, block.call_expression())),
                fields => {
                    out.push(let_statement(name_pattern(Some(&block.name)), block.call_expression()));
                    out.extend(fields.map(|fields| let_statement(fields, value)));
                }
            }
        }
        out
    }

    /// Field of an angle in the struct for blocks. It is zero if none of the blocks that the
    /// function calls reads the angle.
    fn angle_field(&mut self, id: NodeId) -> syn::FieldValue {
        let name = ident(self.value_name(id));
        if !self.body.plan().angles.contains(&id) {
            return parse_quote!(#name: T::ZERO);
        }
        match self.node_expression(id) {
            Expr::Path(p) if p.path.is_ident(&name) => parse_quote!(#name),
            value => parse_quote!(#name: #value),
        }
    }

    /// Returns `true` if the body passes the argument to a block.
    pub fn passes_argument(&self, argument: &str) -> bool {
        self.passed.contains(argument)
    }

    /// Returns `true` if the body reads the model or passes it to a block.
    pub fn has_used_model(&self) -> bool {
        self.passes_model || self.body.uses_model()
    }

    /// A graph node as a Rust expression: its name, or its operation.
    pub fn node_expression(&mut self, id: NodeId) -> Expr {
        self.value_expression(self.body.node_value(id))
    }

    fn constant_expression(&mut self, value: f64) -> Expr {
        if value == 0.0 {
            return parse_quote!(T::ZERO);
        }
        if value == 1.0 {
            return parse_quote!(T::ONE);
        }
        let uses = self.uses.get(&value.to_bits()).copied().unwrap_or(1);
        let (number, local) = constants::number_expression(self.constants, value, uses);
        let Some(local) = local else { return number };
        if !self.local_names.iter().any(|(name, _)| name == local) {
            self.local_names.push((local.to_owned(), number));
        }
        name_expression(local)
    }

    fn argument_expression(&self, kind: SymbolKind) -> Expr {
        let local = self.arguments.get(&kind).map(String::as_str);
        name_expression(self.graph().invariants().require(
            local,
            "value",
            "a function uses a symbol that is not one of \
                                                                its arguments",
        ))
    }

    /// Converts a value of the body's tree to a Rust expression. Numbers get local names in the
    /// order of these conversions.
    fn value_expression(&mut self, value: Value<'_>) -> Expr {
        match value {
            Value::Number(x) => self.constant_expression(x),
            Value::Parameter(i) => {
                let name = self.names.parameters.get(i).map(String::as_str);
                field_access(
                    "p",
                    self.graph().invariants().require(
                        name,
                        "value",
                        "a parameter has no name in the emitted code",
                    ),
                )
            }
            Value::Entry(kind) => self.argument_expression(kind),
            Value::Input(i) => self.argument_expression(SymbolKind::Auxiliary(i)),
            Value::Local(name) | Value::OfBlock(_, name) | Value::OfAngles(name) => name_expression(name),
            Value::Field(name) => field_access("model", name),
            Value::Opposite { value, .. } => neg(self.value_expression(*value)),
            Value::Sum(terms) => {
                let [first, second] = self.sum_term_expressions(*terms);
                add(first, second)
            }
            Value::Difference(terms) => {
                let [first, second] = self.sum_term_expressions(*terms);
                sub(first, second)
            }
            Value::Product(factors) => {
                let [first, second] = factors.map(|x| self.value_expression(x));
                mul(first, second)
            }
            Value::Multiple(size, value) => {
                let size = self.constant_expression(size);
                mul(size, self.value_expression(*value))
            }
            Value::Quotient(both) => {
                let [above, below] = both.map(|x| self.value_expression(x));
                div(above, below)
            }
            Value::MulAdd(all) => {
                let [first, second, other] = *all;
                let (name, first) = match first {
                    Value::Opposite { value, .. } => ("sub_mul", *value),
                    Value::Number(x) if x < 0.0 => ("sub_mul", Value::Number(-x)),
                    first => ("add_mul", first),
                };
                method_call(
                    self.value_expression(other),
                    name,
                    vec![self.value_expression(first), self.value_expression(second)],
                )
            }
            Value::Call(call, arguments) => self.call_expression(call, arguments),
        }
    }

    /// Rust expressions of both terms of a sum. The order of the conversions determines the order
    /// of local names.
    fn sum_term_expressions(&mut self, [first, second]: [Value<'_>; 2]) -> [Expr; 2] {
        if matches!(second, Value::Multiple(..)) {
            let second = self.value_expression(second);
            return [self.value_expression(first), second];
        }
        [self.value_expression(first), self.value_expression(second)]
    }

    fn call_expression(&mut self, call: Call, arguments: Vec<Value<'_>>) -> Expr {
        // The second argument of a pair is converted first, which determines the order of local
        // names.
        let is_pair = matches!(call, Call::Func2(_));
        let mut values = arguments.into_iter();
        let first = values.next();
        let mut others: Vec<Expr> =
            if is_pair { values.by_ref().map(|x| self.value_expression(x)).collect() } else { Vec::new() };
        let first = first.map(|x| self.value_expression(x));
        let first = self.graph().invariants().require(
            first,
            name_expression("value"),
            "a call of an elementary function has no argument",
        );
        others.extend(values.map(|x| self.value_expression(x)));
        let name = match call {
            Call::Sqrt => "sqrt",
            Call::Sin => "sin",
            Call::Cos => "cos",
            // Functions in formulas have the same names in the runtime.
            Call::Func(f) => f.name(),
            Call::Func2(Func2::Pow) => "powf",
            Call::Func2(f) => f.name(),
            Call::Select(Cmp::Lt) => "if_lt",
            Call::Select(Cmp::Le) => "if_le",
            Call::Select(Cmp::Eq) => "if_eq",
            Call::Table(t) => {
                let table = tables::table_arrays(self.graph(), t);
                let (knots, rows) = (ident(&table.knots_name), ident(&table.rows_name));
                others.extend([parse_quote!(&#knots), parse_quote!(&#rows)]);
                "table"
            }
        };
        method_call(first, name, others)
    }
}
