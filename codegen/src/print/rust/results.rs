//! The end of a function: assignments, the verdict on its pivots, or a returned value.

use syn::{Expr, Stmt, parse_quote};

use super::items::shaped;
use super::pivots::list_name;
use super::scope::Scope;
use super::syntax::{array, assign, comment, ident, index, method, path, results_mark};
use crate::ir::declaration::{Declaration, Returns};
use crate::ir::{Check, Function, NodeId, Shape};

/// The results: assignments, the verdict, or the returned value.
pub fn results(scope: &mut Scope, function: &Function, fields: &[String]) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    let declaration = function.declaration;
    let check = declaration.checked && !function.checks.is_empty();
    if check {
        let one = |c: &Check| !c.squared && scope.is_one(c.scale);
        let verdict = if function.checks.iter().all(one) {
            let values = array(function.checks.iter().map(|c| scope.expression(c.value)).collect());
            parse_quote!(::dqdt::check_denominators(#values, model.epsilon))
        } else {
            let values = array(function.checks.iter().map(|c| scope.expression(c.value)).collect());
            let scales = function.checks.iter().map(|c| {
                let scale = scope.expression(c.scale);
                if c.squared { parse_quote!(model.epsilon * #scale) } else { scale }
            });
            let scales = array(scales.collect());
            parse_quote!(::dqdt::check_pivots(#values, #scales, model.epsilon))
        };
        let verdict: Expr = verdict;
        let mut stmt: Stmt = parse_quote!(let verdict = #verdict;);
        comment(&mut stmt, "can the equations be solved here?");
        out.push(stmt);
    }
    let first = out.len();
    let nodes: Vec<NodeId> = function.outputs.iter().flat_map(|o| &o.nodes).copied().collect();
    let last: Option<Expr> = match declaration.returns {
        Returns::Array { name: place, .. } => {
            for output in &function.outputs {
                let sparse = super::items::is_sparse(output, &|node| scope.is_zero(node));
                if sparse {
                    let (place, zeros) = (path(place), super::items::zeros(output.shape));
                    out.push(parse_quote!(*#place = #zeros;));
                }
                for (i, node) in output.nodes.iter().enumerate() {
                    if sparse && scope.is_zero(*node) {
                        continue;
                    }
                    let at = match output.shape {
                        Shape::Matrix(_, columns) => {
                            let columns = columns.max(1);
                            index(index(path(place), i / columns), i % columns)
                        }
                        Shape::Scalar | Shape::Vector(_) => index(path(place), i),
                    };
                    let value = scope.expression(*node);
                    out.push(assign(at, value));
                }
            }
            let place = path(place);
            match (function.is_fallible(), check) {
                (false, _) => None,
                (true, true) => Some(method(path("verdict"), "finish", vec![names(declaration), place])),
                // Nothing to divide by, but an overflow must not pass for a derivative.
                (true, false) => Some(parse_quote!(::dqdt::Verdict::regular().finish(&[], #place))),
            }
        }
        Returns::Struct { name, .. } => {
            let value = literal_struct(scope, name, function, fields);
            out.push(parse_quote!(*y = #value;));
            if check {
                Some(method(path("verdict"), "finish_entries", vec![names(declaration), path("y")]))
            } else {
                None
            }
        }
        Returns::Limited { of } => {
            let values: Vec<Expr> = nodes.iter().map(|n| scope.expression(*n)).collect();
            let flags = (0..values.len()).map(|i| {
                let (new, old) = (index(path("limited"), i), index(path(of.name), i));
                parse_quote!(::dqdt::Mask::or(#new.is_lt(#old), #new.is_gt(#old)))
            });
            let flags: Vec<Expr> = flags.collect();
            let (values, flags) = (array(values), array(flags));
            out.push(parse_quote!(*limited = #values;));
            Some(flags)
        }
    };
    if out.len() > first {
        out.insert(first, results_mark());
    }
    out.extend(last.map(|e| Stmt::Expr(e, None)));
    out
}

/// The names of the divisors of a function.
fn names(declaration: &Declaration) -> Expr {
    let name = ident(&list_name(declaration));
    parse_quote!(&#name)
}

fn literal_struct(scope: &mut Scope, name: &str, function: &Function, fields: &[String]) -> Expr {
    let name = ident(name);
    let values = function.outputs.iter().zip(fields).map(|(o, f)| {
        let values = o.nodes.iter().map(|n| scope.expression(*n)).collect();
        let (value, f) = (shaped(o.shape, values), ident(f));
        match &value {
            Expr::Path(p) if p.path.is_ident(&f) => parse_quote!(#f),
            _ => parse_quote!(#f: #value),
        }
    });
    let values: Vec<syn::FieldValue> = values.collect();
    parse_quote!(#name { #(#values),* })
}
