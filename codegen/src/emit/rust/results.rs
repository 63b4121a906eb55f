//! What a function ends with: assignments, the verdict on its pivots, or a returned value.

use syn::{Expr, Stmt, parse_quote};

use super::items::shaped;
use super::scope::Scope;
use super::syntax::{array, assign, comment, field, ident, index, method, path, results_mark};
use crate::ir::{Check, Function, FunctionKind, Shape};

/// The results: assignments, the verdict, or the returned value.
pub fn results(scope: &mut Scope, function: &Function, fields: &[String], fallible: bool) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    let check = fallible && !function.checks.is_empty();
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
    let ok: Expr = parse_quote!(::core::result::Result::Ok(()));
    let vector = |scope: &mut Scope, place: &str, out: &mut Vec<Stmt>| {
        let nodes = function.outputs.iter().flat_map(|o| &o.nodes);
        for (i, node) in nodes.enumerate() {
            let value = scope.expression(*node);
            out.push(assign(index(path(place), i), value));
        }
    };
    let mut last: Option<Expr> = None;
    match function.kind {
        FunctionKind::Dqdt | FunctionKind::Rates | FunctionKind::InverseDynamicsConstrained => {
            let place = match function.kind {
                FunctionKind::Dqdt => "dx",
                FunctionKind::Rates => "dq",
                _ => "effort",
            };
            vector(scope, place, &mut out);
            last = Some(match (check, function.kind) {
                (true, _) => method(path("verdict"), "finish", vec![names(function.kind), path(place)]),
                // Nothing to divide by, but an overflow must not pass for a derivative.
                (false, FunctionKind::Dqdt) if !out.is_empty() => {
                    parse_quote!(::dqdt::Verdict::regular().finish(&[], dx))
                }
                (false, _) => ok,
            });
        }
        FunctionKind::Bias => vector(scope, "bias", &mut out),
        FunctionKind::InverseDynamics => vector(scope, "effort", &mut out),
        FunctionKind::MassMatrix => {
            for output in &function.outputs {
                let Shape::Matrix(_, columns) = output.shape else { continue };
                for (i, node) in output.nodes.iter().enumerate() {
                    let value = scope.expression(*node);
                    let columns = columns.max(1);
                    out.push(assign(index(index(path("m"), i / columns), i % columns), value));
                }
            }
        }
        FunctionKind::Energy
        | FunctionKind::Positions
        | FunctionKind::Events
        | FunctionKind::PositionConstraints
        | FunctionKind::VelocityConstraints => {
            last = Some(literal_struct(scope, function, fields));
        }
        FunctionKind::Outputs
        | FunctionKind::Multipliers
        | FunctionKind::Reactions
        | FunctionKind::Power
        | FunctionKind::ProgramInputs
        | FunctionKind::AfterEvents => {
            let value = literal_struct(scope, function, fields);
            out.push(parse_quote!(*y = #value;));
            if check {
                out.push(parse_quote!(let singular = verdict.lanes();));
                blank(function, fields, &mut out);
                let names = names(function.kind);
                last = Some(parse_quote!(verdict.finish(#names, &mut [])));
            } else {
                last = Some(ok);
            }
        }
        FunctionKind::Saturation => {
            let nodes = function.outputs.iter().flat_map(|o| &o.nodes);
            let values: Vec<Expr> = nodes.map(|n| scope.expression(*n)).collect();
            let flags = (0..values.len()).map(|i| {
                let (new, old) = (index(path("limited"), i), index(path("u"), i));
                parse_quote!(::dqdt::Mask::or(#new.is_lt(#old), #new.is_gt(#old)))
            });
            let flags: Vec<Expr> = flags.collect();
            let (values, flags) = (array(values), array(flags));
            out.push(parse_quote!(let limited = #values;));
            out.push(parse_quote!(let acted = #flags;));
            last = Some(parse_quote!((limited, acted)));
        }
    }
    if out.len() > first {
        out.insert(first, results_mark());
    }
    out.extend(last.map(|e| Stmt::Expr(e, None)));
    out
}

/// The names of the divisors of a function.
fn names(kind: FunctionKind) -> Expr {
    let name = ident(&pivots_name(kind));
    parse_quote!(&#name)
}

/// The constant that holds them.
pub fn pivots_name(kind: FunctionKind) -> String {
    match kind {
        FunctionKind::Dqdt => "PIVOTS".to_owned(),
        _ => format!("{}_PIVOTS", kind.name().to_uppercase()),
    }
}

fn literal_struct(scope: &mut Scope, function: &Function, fields: &[String]) -> Expr {
    let name = ident(match function.kind {
        FunctionKind::Energy => "Energy",
        FunctionKind::Positions => "Positions",
        FunctionKind::Multipliers => "Multipliers",
        FunctionKind::Events => "Events",
        FunctionKind::AfterEvents => "AfterEvents",
        FunctionKind::ProgramInputs => "ProgramInputs",
        FunctionKind::PositionConstraints => "PositionConstraints",
        FunctionKind::VelocityConstraints => "VelocityConstraints",
        FunctionKind::Reactions => "Reactions",
        FunctionKind::Power => "Power",
        _ => "Outputs",
    });
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

/// Where singular, outputs become zero.
fn blank(function: &Function, fields: &[String], out: &mut Vec<Stmt>) {
    for (o, f) in function.outputs.iter().zip(fields) {
        let place = field("y", f);
        match o.shape {
            Shape::Scalar => out.push(parse_quote!(#place = T::select(singular, T::ZERO, #place);)),
            Shape::Vector(_) => {
                out.push(parse_quote!(#place = #place.map(|value| T::select(singular, T::ZERO, value));));
            }
            Shape::Matrix(..) => out.push(parse_quote! {
                #place = #place.map(|row| row.map(|value| T::select(singular, T::ZERO, value)));
            }),
        }
    }
}
