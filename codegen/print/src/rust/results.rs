//! Emits the end of a function: assignments of results, the check of its pivots, the return value.

use syn::{Expr, Stmt, parse_quote};

use super::items::{output_expression, zeros_expression};
use super::pivots::pivot_list_name;
use super::scope::RustScope;
use super::statements::Statements;
use super::syntax::{
    add_comment, array_expression, assignment_statement, ident, index_expression, method_call,
    name_expression,
};
use crate::tree::{FunctionParts, ResultPart, is_sparse};
use dqdt_graph::ir::declaration::{Declaration, Returns};
use dqdt_graph::ir::{Function, FunctionOutput, NodeId, ResultShape, Taken};

/// Field names of the result struct for these outputs, without repetition.
pub fn result_field_names(outputs: &[FunctionOutput]) -> Vec<String> {
    let mut taken = Taken::default();
    outputs.iter().map(|o| taken.make_unique(&o.name)).collect()
}

/// Emits the end of a function: pushes assignments of the results and the pivot check to `out`, and
/// returns the final expression.
pub fn emit_results(scope: &mut RustScope, parts: &FunctionParts<'_>, out: &mut Statements) -> Option<Expr> {
    let function = parts.function;
    if parts.is_checked {
        out.push_statement(pivot_check_statement(scope, function));
    }
    out.results_follow();
    let mut last: Option<Expr> = None;
    for part in &parts.results {
        match part.declaration.returns {
            Returns::Array { .. } => assign_entries(scope, part, out),
            Returns::Struct { name, .. } => {
                let (value, place) =
                    (result_struct_literal(scope, name, part.outputs), name_expression(part.place));
                out.push_statement(parse_quote!(*#place = #value;));
            }
            Returns::Limited { of: argument } => {
                last = Some(assign_clamped_values(scope, argument.name, part, out));
            }
            // A joint call does not contain joint calls.
            Returns::Joint(_) => {}
        }
    }
    if function.is_fallible() {
        let (end, beside) = (parts.overflow_checked_result(), parts.other_cleared_results());
        if let Some(end) = end.filter(|_| !beside.is_empty()) {
            let place = name_expression(end.place);
            let all: Expr =
                if end.is_matrix() { method_call(place, "as_flattened", Vec::new()) } else { place };
            out.push_statement(parse_quote!(let verdict = verdict.over(#all);));
        }
        for part in beside {
            let place = name_expression(part.place);
            out.push_statement(parse_quote!(verdict.clear(#place);));
        }
        let place = end.map_or_else(
            || parse_quote!(&mut []),
            |end| match end.is_matrix() {
                true => method_call(name_expression(end.place), "as_flattened_mut", Vec::new()),
                false => name_expression(end.place),
            },
        );
        last = Some(if parts.is_checked {
            method_call(
                name_expression("verdict"),
                "finish",
                vec![pivot_list_expression(function.declaration), place],
            )
        } else {
            // There are no divisors, but an overflow must be reported as an error.
            parse_quote!(::dqdt::Verdict::regular().finish(&[], #place))
        });
    }
    last
}

/// Rust statement that checks the divisors of a function against the tolerance.
fn pivot_check_statement(scope: &mut RustScope, function: &Function) -> Stmt {
    let is_unscaled = function.checks.iter().all(|c| !c.squared && scope.is_one(c.scale));
    let values = array_expression(function.checks.iter().map(|c| scope.node_expression(c.value)).collect());
    let verdict: Expr = if is_unscaled {
        parse_quote!(::dqdt::check_denominators(#values, model.epsilon))
    } else {
        let scales = function.checks.iter().map(|c| {
            let scale = scope.node_expression(c.scale);
            if c.squared { parse_quote!(model.epsilon * #scale) } else { scale }
        });
        let scales = array_expression(scales.collect());
        parse_quote!(::dqdt::check_pivots(#values, #scales, model.epsilon))
    };
    let mut stmt: Stmt = parse_quote!(let verdict = #verdict;);
    add_comment(&mut stmt, "check that the equations can be solved here");
    stmt
}

/// Emits assignments of the entries of a result array, one by one.
fn assign_entries(scope: &mut RustScope, part: &ResultPart<'_>, out: &mut Statements) {
    let place = part.place;
    for output in part.outputs {
        let sparse = is_sparse(output, |node| scope.is_zero(node));
        if sparse {
            let (place, zeros) = (name_expression(place), zeros_expression(output.shape));
            out.push_statement(parse_quote!(*#place = #zeros;));
        }
        for (i, node) in output.nodes.iter().enumerate() {
            if sparse && scope.is_zero(*node) {
                continue;
            }
            let at = match output.shape {
                ResultShape::Matrix(_, columns) => {
                    let columns = columns.max(1);
                    index_expression(index_expression(name_expression(place), i / columns), i % columns)
                }
                ResultShape::Scalar | ResultShape::Vector(_) => index_expression(name_expression(place), i),
            };
            let value = scope.node_expression(*node);
            out.push_statement(assignment_statement(at, value));
        }
    }
}

/// Emits assignments of values clamped to their limits, and returns the flags of the limits that
/// acted. Used by `saturate`.
fn assign_clamped_values(
    scope: &mut RustScope,
    argument: &str,
    part: &ResultPart<'_>,
    out: &mut Statements,
) -> Expr {
    let nodes: Vec<NodeId> = part.outputs.iter().flat_map(|o| &o.nodes).copied().collect();
    let values: Vec<Expr> = nodes.iter().map(|n| scope.node_expression(*n)).collect();
    let flags = (0..values.len()).map(|i| {
        let (new, old) =
            (index_expression(name_expression("limited"), i), index_expression(name_expression(argument), i));
        parse_quote!(::dqdt::Mask::or(#new.is_lt(#old), #new.is_gt(#old)))
    });
    let flags: Vec<Expr> = flags.collect();
    let values = array_expression(values);
    out.push_statement(parse_quote!(*limited = #values;));
    array_expression(flags)
}

/// Rust expression that refers to the emitted list of a function's pivots.
fn pivot_list_expression(declaration: &Declaration) -> Expr {
    let name = ident(&pivot_list_name(declaration));
    parse_quote!(&#name)
}

fn result_struct_literal(scope: &mut RustScope, name: &str, outputs: &[FunctionOutput]) -> Expr {
    let name = ident(name);
    let values = outputs.iter().zip(result_field_names(outputs)).map(|(o, f)| {
        let graph = scope.graph();
        let value = output_expression(o, &|node| graph.is_zero(node), |node| scope.node_expression(node));
        let f = ident(&f);
        match &value {
            Expr::Path(p) if p.path.is_ident(&f) => parse_quote!(#f),
            _ => parse_quote!(#f: #value),
        }
    });
    let values: Vec<syn::FieldValue> = values.collect();
    parse_quote!(#name { #(#values),* })
}
