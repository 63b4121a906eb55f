//! Entry points for the derivatives of the state derivative, under the names that CasADi looks for:
//! `jac_…`, the Jacobian; `adj1_…`, a product of weights with it; `jac_adj1_…`, the derivatives of
//! that product, which contain the exact Hessian.
//!
//! The Jacobian comes from `dqdt_derivatives`, or from the linearisation without quaternions and
//! constraints; its columns by parameters from the sensitivities. The others need `dqdt_hessian`.
//! Columns by parameters that no emitted function gives are not a number, so that a use of them
//! cannot go unnoticed.

use super::casadi::{
    ArgumentBlock, argument_blocks, entry_point_definition, output_block, query_functions,
    read_arguments_text, store_results_text, symmetric_entries,
};
use super::names::CNames;
use dqdt_graph::ir::declaration::{Argument, Returns, Role, Vector};
use dqdt_graph::ir::{Function, NodeId, Op, Program, SymbolKind, mark_needed};

/// Jacobian of the state derivative: calls that compute it, and a block for each argument.
struct Jacobian<'p> {
    /// The state derivative, whose arguments the entry points have.
    function: &'p Function,
    /// C statements that compute the entries.
    calls: String,
    /// Blocks by the time, the state, the inputs and the parameters, as far as there are any.
    blocks: Vec<ArgumentBlock>,
    /// True if no entry depends on an argument, so that the Hessian is zero and not emitted.
    is_constant: bool,
}

/// C text of the entry points for derivatives of the state derivative, as far as the functions that
/// they call are emitted.
pub(super) fn derivative_entry_points(program: &Program, names: &CNames) -> String {
    let Some(jacobian) = Jacobian::new(program, names) else { return String::new() };
    let mut out = jacobian.entry_point(program, names);
    let hessian = program.functions.iter().find(|f| f.declaration.takes(Vector::Costates));
    if (hessian.is_some() || jacobian.is_constant)
        && let Some(text) = jacobian.second_entry_points(program, names, hessian)
    {
        out.push_str(&text);
    }
    out
}

impl<'p> Jacobian<'p> {
    /// `None` if not all blocks can be computed.
    fn new(program: &'p Program, names: &CNames) -> Option<Self> {
        let l = &program.layout;
        let function = program.with_role(Role::StateDerivative)?;
        // No function has the derivative with respect to time.
        let rates: Vec<NodeId> = function.outputs.iter().flat_map(|o| &o.nodes).copied().collect();
        if depends_on(program, &rates, |kind| kind == SymbolKind::Time) {
            return None;
        }
        let n = l.q.len() + l.v.len() + l.z.len();
        let mut nodes = Vec::new();
        let mut derivative = |f: &Function, name: &str, place: &str| {
            let o = f.outputs.iter().find(|o| o.name == name)?;
            nodes.extend_from_slice(&o.nodes);
            Some(output_block(program, o, name, &format!("{place}.{name}"))).filter(|b| b.rows == n)
        };
        let whole = program.with_role(Role::Derivatives);
        let first = whole.or(program.with_role(Role::Linearization))?;
        let matrices = if whole.is_some() { ["by_state", "by_input"] } else { ["a", "b"] };
        let mut calls = struct_call_text(names, first, "y");
        let mut blocks = vec![ArgumentBlock::zero_block("t", n, 1)];
        for (vector, name) in ["x", "u"].into_iter().zip(matrices) {
            let block = derivative(first, name, "y");
            blocks.extend(block.map(|b| ArgumentBlock { name: vector.to_owned(), ..b }));
        }
        if !l.p.is_empty() {
            let sensitivities = program.with_role(Role::Sensitivities);
            let block = sensitivities.and_then(|f| Some((f, derivative(f, "e", "s")?)));
            let block = match block {
                Some((f, block)) => {
                    calls.push_str(&struct_call_text(names, f, "s"));
                    block
                }
                None => {
                    whole?;
                    unknown_block(n, l.p.len())
                }
            };
            blocks.push(ArgumentBlock { name: "p".to_owned(), ..block });
        }
        let arguments = argument_blocks(program, function.declaration);
        let is_complete = arguments.iter().map(|a| &a.name).eq(blocks.iter().map(|b| &b.name));
        // The columns of parameters that no function gives have no nodes.
        let is_known = l.p.is_empty() || program.with_role(Role::Sensitivities).is_some();
        let is_constant = is_known && !depends_on(program, &nodes, |_| true);
        is_complete.then_some(Jacobian { function, calls, blocks, is_constant })
    }

    /// Number of entries of the state.
    fn rows(&self) -> usize {
        self.blocks.first().map_or(0, |b| b.rows)
    }

    fn symbol(&self, kind: &str, names: &CNames) -> String {
        format!("{kind}_casadi_{}_{}", names.prefix, self.function.declaration.name)
    }

    /// The entry point of the Jacobian.
    fn entry_point(&self, program: &Program, names: &CNames) -> String {
        let d = self.function.declaration;
        let results: Vec<ArgumentBlock> =
            self.blocks.iter().map(|b| renamed(b, format!("jac_dx_{}", b.name))).collect();
        // The arguments of the function come first, then its results, on which the Jacobian does
        // not depend.
        let mut all = argument_blocks(program, d);
        all.push(renamed(&ArgumentBlock::dense_vector("dx", self.rows()), "out_dx".to_owned()));
        let body = [read_arguments_text(program, names, d), self.calls.clone(), store_results_text(&results)]
            .concat();
        entry_point_text(&self.symbol("jac", names), &body, &all, &results)
    }

    /// The entry points of the product of weights with the Jacobian, and of its derivatives. `None`
    /// if the function `hessian` has not the expected result; without it the Hessian is zero.
    fn second_entry_points(
        &self,
        program: &Program,
        names: &CNames,
        hessian: Option<&Function>,
    ) -> Option<String> {
        let d = self.function.declaration;
        let n = self.rows();
        let (weights, entries, call) = match hessian {
            Some(f) => {
                let weights = f.declaration.arguments.iter().find(|a| a.vector == Vector::Costates)?.name;
                let sparse = f.outputs.iter().find(|o| !o.places.is_empty())?;
                let entries = symmetric_entries(&sparse.places, &format!("h.{}", sparse.name));
                (weights, entries, struct_call_text(names, f, "h"))
            }
            None => ("costate", Vec::new(), String::new()),
        };
        let mut arguments = argument_blocks(program, d);
        let place = arguments.len() + 1;
        arguments.push(ArgumentBlock::zero_block("out_dx", n, 1));
        arguments.push(renamed(&ArgumentBlock::dense_vector("dx", n), "adj_dx".to_owned()));
        let read = format!(
            "{}    double {weights}[{n}];\n    casadi_given(arg[{place}], {weights}, {n});\n",
            read_arguments_text(program, names, d)
        );
        let products = self.blocks.iter().map(|b| {
            let name = format!("adj_{}", b.name);
            let mut block = ArgumentBlock::zero_block(&name, b.columns, 1);
            if b.name != "t" {
                block.entries = (0..b.columns).map(|j| (j, 0, column_product(b, j, weights))).collect();
            }
            block
        });
        let products: Vec<ArgumentBlock> = products.collect();
        let body = [read.clone(), self.calls.clone(), store_results_text(&products)].concat();
        let mut out = entry_point_text(&self.symbol("adj1", names), &body, &arguments, &products);

        // Each row of blocks has second derivatives by the arguments, then by the result and the
        // weights.
        let mut offset = 0;
        let starts: Vec<Option<usize>> = (self.blocks.iter())
            .map(|b| {
                let start = (b.name != "t").then_some(offset);
                offset += if start.is_some() { b.columns } else { 0 };
                start
            })
            .collect();
        let mut results = Vec::new();
        for (a, first) in self.blocks.iter().zip(&starts) {
            for (b, second) in self.blocks.iter().zip(&starts) {
                let name = format!("jac_adj_{}_{}", a.name, b.name);
                let mut block = ArgumentBlock::zero_block(&name, a.columns, b.columns);
                if let (Some(first), Some(second)) = (first, second) {
                    let inside = entries.iter().filter_map(|(i, j, text)| {
                        Some((i.checked_sub(*first)?, j.checked_sub(*second)?, text.clone()))
                    });
                    block.entries.extend(inside.filter(|(i, j, _)| *i < a.columns && *j < b.columns));
                }
                results.push(block);
            }
            results.push(ArgumentBlock::zero_block(&format!("jac_adj_{}_out_dx", a.name), a.columns, n));
            let mut transposed =
                ArgumentBlock::zero_block(&format!("jac_adj_{}_adj_dx", a.name), a.columns, n);
            transposed.entries = a.entries.iter().map(|(i, j, text)| (*j, *i, text.clone())).collect();
            transposed.entries.sort_by_key(|(i, j, _)| (*j, *i));
            results.push(transposed);
        }
        for p in &products {
            arguments.push(ArgumentBlock::zero_block(&format!("out_{}", p.name), p.rows, 1));
        }
        let body = [read, self.calls.clone(), call, store_results_text(&results)].concat();
        out.push_str(&entry_point_text(&self.symbol("jac_adj1", names), &body, &arguments, &results));
        Some(out)
    }
}

/// The same block under another name.
fn renamed(block: &ArgumentBlock, name: String) -> ArgumentBlock {
    let (rows, columns) = (block.rows, block.columns);
    ArgumentBlock { name, rows, columns, entries: block.entries.clone() }
}

/// A block that no emitted function computes: not a number.
fn unknown_block(rows: usize, columns: usize) -> ArgumentBlock {
    let entries = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j, "NAN".to_owned())));
    ArgumentBlock { name: String::new(), rows, columns, entries: entries.collect() }
}

/// C expression of the product of weights with column `j` of a matrix.
fn column_product(matrix: &ArgumentBlock, j: usize, weights: &str) -> String {
    let terms = matrix.entries.iter().filter(|e| e.1 == j);
    let terms: Vec<String> = terms.map(|(i, _, text)| format!("{weights}[{i}] * {text}")).collect();
    if terms.is_empty() { "0.0".to_owned() } else { terms.join(" + ") }
}

/// C text of an entry point, with the functions that CasADi queries.
fn entry_point_text(
    symbol: &str,
    body: &str,
    arguments: &[ArgumentBlock],
    results: &[ArgumentBlock],
) -> String {
    format!("\n{}{}", entry_point_definition(symbol, body), query_functions(symbol, arguments, results))
}

/// C statements that call a function whose result is a struct, in the variable `place`.
fn struct_call_text(names: &CNames, f: &Function, place: &str) -> String {
    let Returns::Struct { name, .. } = f.declaration.returns else { return String::new() };
    let mut arguments = vec!["&model", "t[0]"];
    arguments.extend(f.declaration.arguments.iter().map(|a: &Argument| a.name));
    let (ty, call) = (names.result_struct_name(name), arguments.join(", "));
    format!(
        "    {ty} {place};\n    if ({}_{}({call}, &{place}) != 0) return 1;\n",
        names.prefix, f.declaration.name
    )
}

/// True if one of the nodes depends on a symbol of a kind for which `is_sought` is true.
fn depends_on(program: &Program, nodes: &[NodeId], is_sought: impl Fn(SymbolKind) -> bool) -> bool {
    let needed = mark_needed(&program.graph, nodes);
    (needed.iter().enumerate().filter(|(_, n)| **n)).any(|(i, _)| {
        match program.graph.node(NodeId(i as u32)).op {
            Op::Symbol(s) => is_sought(program.graph.symbol_info(s).kind),
            _ => false,
        }
    })
}
