//! Emits the end of a function: assignments of results, the check of its pivots, the return value.

use syn::{Expr, Stmt, parse_quote};

use super::items::{shaped, zeros};
use super::pivots::list_name;
use super::scope::RustScope;
use super::statements::Statements;
use super::syntax::{array, assign, comment, ident, index, method, path};
use crate::tree::{FunctionParts, ResultPart, is_sparse};
use dqdt_graph::ir::declaration::{Declaration, Returns};
use dqdt_graph::ir::{Function, FunctionOutput, NodeId, ResultShape, Taken};

/// Field names of the result struct for these outputs, without repetition.
pub fn fields(outputs: &[FunctionOutput]) -> Vec<String> {
    let mut taken = Taken::default();
    outputs.iter().map(|o| taken.unique(&o.name)).collect()
}

/// Emits the end of a function: pushes assignments of the results and the pivot check to `out`, and
/// returns the final expression.
pub fn results(scope: &mut RustScope, parts: &FunctionParts<'_>, out: &mut Statements) -> Option<Expr> {
    let function = parts.function;
    if parts.is_checked {
        out.push(verdict(scope, function));
    }
    out.results_follow();
    let mut last: Option<Expr> = None;
    for part in &parts.results {
        match part.declaration.returns {
            Returns::Array { .. } => assign_entries(scope, part, out),
            Returns::Struct { name, .. } => {
                let (value, place) = (literal_struct(scope, name, part.outputs), path(part.place));
                out.push(parse_quote!(*#place = #value;));
            }
            Returns::Limited { of: argument } => {
                last = Some(assign_limited(scope, argument.name, part, out));
            }
            // A joint call does not contain joint calls.
            Returns::Joint(_) => {}
        }
    }
    if function.is_fallible() {
        let (end, beside) = (parts.end(), parts.beside_end());
        if let Some(end) = end.filter(|_| !beside.is_empty()) {
            let place = path(end.place);
            let all: Expr = if end.is_matrix() { method(place, "as_flattened", Vec::new()) } else { place };
            out.push(parse_quote!(let verdict = verdict.over(#all);));
        }
        for part in beside {
            let place = path(part.place);
            out.push(parse_quote!(verdict.clear(#place);));
        }
        let place = end.map_or_else(
            || parse_quote!(&mut []),
            |end| match end.is_matrix() {
                true => method(path(end.place), "as_flattened_mut", Vec::new()),
                false => path(end.place),
            },
        );
        last = Some(if parts.is_checked {
            method(path("verdict"), "finish", vec![pivot_list(function.declaration), place])
        } else {
            // There are no divisors, but an overflow must be reported as an error.
            parse_quote!(::dqdt::Verdict::regular().finish(&[], #place))
        });
    }
    last
}

/// Rust statement that checks the divisors of a function against the tolerance.
fn verdict(scope: &mut RustScope, function: &Function) -> Stmt {
    let is_unscaled = function.checks.iter().all(|c| !c.squared && scope.is_one(c.scale));
    let values = array(function.checks.iter().map(|c| scope.expression(c.value)).collect());
    let verdict: Expr = if is_unscaled {
        parse_quote!(::dqdt::check_denominators(#values, model.epsilon))
    } else {
        let scales = function.checks.iter().map(|c| {
            let scale = scope.expression(c.scale);
            if c.squared { parse_quote!(model.epsilon * #scale) } else { scale }
        });
        let scales = array(scales.collect());
        parse_quote!(::dqdt::check_pivots(#values, #scales, model.epsilon))
    };
    let mut stmt: Stmt = parse_quote!(let verdict = #verdict;);
    comment(&mut stmt, "can the equations be solved here?");
    stmt
}

/// Emits assignments of the entries of a result array, one by one.
fn assign_entries(scope: &mut RustScope, part: &ResultPart<'_>, out: &mut Statements) {
    let place = part.place;
    for output in part.outputs {
        let sparse = is_sparse(output, |node| scope.is_zero(node));
        if sparse {
            let (place, zeros) = (path(place), zeros(output.shape));
            out.push(parse_quote!(*#place = #zeros;));
        }
        for (i, node) in output.nodes.iter().enumerate() {
            if sparse && scope.is_zero(*node) {
                continue;
            }
            let at = match output.shape {
                ResultShape::Matrix(_, columns) => {
                    let columns = columns.max(1);
                    index(index(path(place), i / columns), i % columns)
                }
                ResultShape::Scalar | ResultShape::Vector(_) => index(path(place), i),
            };
            let value = scope.expression(*node);
            out.push(assign(at, value));
        }
    }
}

/// Emits assignments of values clamped to their limits, and returns the flags of the limits that
/// acted. Used by `saturate`.
fn assign_limited(
    scope: &mut RustScope,
    argument: &str,
    part: &ResultPart<'_>,
    out: &mut Statements,
) -> Expr {
    let nodes: Vec<NodeId> = part.outputs.iter().flat_map(|o| &o.nodes).copied().collect();
    let values: Vec<Expr> = nodes.iter().map(|n| scope.expression(*n)).collect();
    let flags = (0..values.len()).map(|i| {
        let (new, old) = (index(path("limited"), i), index(path(argument), i));
        parse_quote!(::dqdt::Mask::or(#new.is_lt(#old), #new.is_gt(#old)))
    });
    let flags: Vec<Expr> = flags.collect();
    let values = array(values);
    out.push(parse_quote!(*limited = #values;));
    array(flags)
}

/// Rust expression that refers to the emitted list of a function's pivots.
fn pivot_list(declaration: &Declaration) -> Expr {
    let name = ident(&list_name(declaration));
    parse_quote!(&#name)
}

fn literal_struct(scope: &mut RustScope, name: &str, outputs: &[FunctionOutput]) -> Expr {
    let name = ident(name);
    let values = outputs.iter().zip(fields(outputs)).map(|(o, f)| {
        let graph = scope.graph();
        let value = shaped(o, &|node| graph.is_zero(node), |node| scope.expression(node));
        let f = ident(&f);
        match &value {
            Expr::Path(p) if p.path.is_ident(&f) => parse_quote!(#f),
            _ => parse_quote!(#f: #value),
        }
    });
    let values: Vec<syn::FieldValue> = values.collect();
    parse_quote!(#name { #(#values),* })
}
