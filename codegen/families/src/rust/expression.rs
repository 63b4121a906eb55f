//! Converts factored formulas to Rust expressions.
//!
//! Problem: the formula of an entry is evaluated inside loops over its free indices.
//! Method:  a walk over the expression; a sum becomes a block with a loop, a Kronecker delta an
//!          `if` around the other factors. Indices are `isize` and one-based, so that a bound below
//!          one gives an empty loop.

use proc_macro2::Span;
use syn::{Expr, LitInt, parse_quote};

use super::names::FamilyNames;
use crate::indexed::{Base, Delta, Expression, Index, Named};
use dqdt_algebra::Ratio;
use dqdt_print::rust::literal::number_literal;
use dqdt_print::rust::syntax::{
    add, associated_call, function_call, ident, method_call, mul, name_expression, neg, sub,
};

/// Variable names of the running indices of nested sums, reserved in every emitted function.
pub(super) const RUNNING: [&str; 9] = ["k", "s", "a", "b", "d", "e", "f", "o", "k8"];

/// The Rust expression of a call of a function by its path.
pub(super) fn call_function(name: &str, args: Vec<Expr>) -> Expr {
    function_call(name_expression(name), args)
}

/// A non-negative integer literal in Rust.
pub(super) fn integer_literal(n: usize) -> Expr {
    let n = LitInt::new(&n.to_string(), Span::call_site());
    parse_quote!(#n)
}

/// Converts an index expression of a formula to Rust, of type `isize`.
pub(super) fn isize_index(i: Index) -> Expr {
    let base = match i.base {
        Base::Zero => {
            let n = integer_literal(i.offset.unsigned_abs() as usize);
            return if i.offset < 0 { neg(n) } else { n };
        }
        Base::I => name_expression("i"),
        Base::J => name_expression("j"),
        Base::Max => name_expression("higher"),
        Base::Min => name_expression("lower"),
        Base::N => name_expression("size"),
        Base::Run(k) => running_index_variable(k),
    };
    let by = integer_literal(i.offset.unsigned_abs() as usize);
    match i.offset {
        0 => base,
        o if o < 0 => sub(base, by),
        _ => add(base, by),
    }
}

/// The Rust variable of a running index, by its position among nested sums.
fn running_index_variable(k: usize) -> Expr {
    match RUNNING.get(k) {
        Some(name) => name_expression(name),
        // Reported as a broken invariant where the sum itself is emitted.
        None => name_expression(&format!("k{k}")),
    }
}

/// The Rust expression of a positive number, of type `T`.
fn positive_number_expression(r: Ratio) -> Expr {
    if r.is_one() {
        parse_quote!(T::ONE)
    } else {
        associated_call("from_f64", vec![number_literal(r.to_f64())])
    }
}

/// The Rust expression of a number of any sign, of type `T`.
fn number_expression(r: Ratio) -> Expr {
    match (r.is_zero(), r.checked_neg()) {
        (true, _) => parse_quote!(T::ZERO),
        (false, Some(opposite)) if r < Ratio::ZERO => neg(positive_number_expression(opposite)),
        _ => positive_number_expression(r),
    }
}

/// Converts a factored formula to the Rust expression of its value at i, j.
pub(super) fn emit_expression(e: &Expression, names: &FamilyNames) -> Expr {
    match e {
        Expression::Number(r) => number_expression(*r),
        Expression::Index(i) => {
            let i = isize_index(*i);
            associated_call("from_f64", vec![parse_quote!((#i) as f64)])
        }
        Expression::Symbol(named) => symbol_expression(named, names),
        Expression::Power(x, a, b) => {
            let x = emit_expression(x, names);
            if *b == 0 {
                return power_expression(x, *a);
            }
            let (equal, other) = (power_expression(x.clone(), a + b), power_expression(x, *a));
            parse_quote!((if i == j { #equal } else { #other }))
        }
        Expression::Function(name, x, n) => {
            let x = parenthesize_operand(emit_expression(x, names));
            let value = match *name {
                "sec" => method_call(method_call(x, "cos", vec![]), "recip", vec![]),
                name => method_call(x, name, vec![]),
            };
            power_expression(value, *n)
        }
        Expression::Sum(level, sum, x) => {
            let k = RUNNING.get(*level).copied();
            let k = names.invariants.require(
                k,
                "value",
                "sums are nested too deeply for the available index names",
            );
            let (k, total) = (ident(k), ident(&format!("sum_{k}")));
            let (from, to) = (isize_index(sum.from), isize_index(sum.to));
            let x = strip_parentheses(emit_expression(x, names));
            parse_quote!({
                let mut #total = T::ZERO;
                for #k in #from..=#to {
                    #total += #x;
                }
                #total
            })
        }
        Expression::Add(terms) => {
            let mut sum: Option<Expr> = None;
            for t in terms {
                let (r, rest) = t.split_leading_number();
                sum = Some(match (sum, r.checked_neg()) {
                    (None, _) => emit_expression(t, names),
                    (Some(s), Some(opposite)) if r < Ratio::ZERO => {
                        sub(s, scaled_product(opposite, &rest, names))
                    }
                    (Some(s), _) => add(s, emit_expression(t, names)),
                });
            }
            sum.unwrap_or_else(|| parse_quote!(T::ZERO))
        }
        Expression::Multiply(_) => {
            let (r, rest) = e.split_leading_number();
            match r.checked_neg() {
                Some(opposite) if r < Ratio::ZERO => {
                    neg(parenthesize_operand(scaled_product(opposite, &rest, names)))
                }
                _ => scaled_product(r, &rest, names),
            }
        }
        Expression::Delta(d) => {
            let condition = delta_condition(*d);
            parse_quote!((if #condition { T::ONE } else { T::ZERO }))
        }
    }
}

/// The Rust expression of a positive number times factors; Kronecker deltas among them become an
/// `if`.
fn scaled_product(r: Ratio, rest: &Expression, names: &FamilyNames) -> Expr {
    let factors = match rest {
        Expression::Multiply(factors) => &factors[..],
        other => std::slice::from_ref(other),
    };
    let deltas = factors.iter().filter_map(|f| match f {
        Expression::Delta(d) => Some(delta_condition(*d)),
        _ => None,
    });
    let condition = deltas.reduce(|a, b| parse_quote!(#a && #b));
    let others = factors.iter().filter(|f| !matches!(f, Expression::Delta(_)));
    let others = others.filter(|f| **f != Expression::Number(Ratio::ONE));
    let mut product: Option<Expr> = (!r.is_one()).then(|| number_expression(r));
    for f in others {
        let x = emit_expression(f, names);
        product = Some(match product {
            Some(p) => mul(p, x),
            None => x,
        });
    }
    let product = product.unwrap_or_else(|| parse_quote!(T::ONE));
    match condition {
        Some(condition) => parse_quote!((if #condition { #product } else { T::ZERO })),
        None => product,
    }
}

/// The Rust condition under which a Kronecker delta is one.
fn delta_condition(d: Delta) -> Expr {
    let (a, b) = (isize_index(d.a), isize_index(d.b));
    if d.equal { parse_quote!(#a == #b) } else { parse_quote!(#a != #b) }
}

/// Removes redundant outer parentheses of a Rust expression.
pub(super) fn strip_parentheses(e: Expr) -> Expr {
    match e {
        Expr::Paren(inner) => *inner.expr,
        other => other,
    }
}

/// Adds the parentheses that a method call or a sign requires around a Rust expression.
fn parenthesize_operand(x: Expr) -> Expr {
    match x {
        Expr::Binary(_) | Expr::Unary(_) | Expr::Block(_) => parse_quote!((#x)),
        other => other,
    }
}

/// The Rust expression of an integer power.
fn power_expression(x: Expr, n: i64) -> Expr {
    match n {
        0 => parse_quote!(T::ONE),
        1 => x,
        n => {
            let digits = integer_literal(n.unsigned_abs() as usize);
            let n = if n < 0 { neg(digits) } else { digits };
            method_call(parenthesize_operand(x), "powi", vec![n])
        }
    }
}

/// The Rust expression of a symbol of a formula with its index.
fn symbol_expression(named: &Named, names: &FamilyNames) -> Expr {
    names.symbol_expression(&named.stem, named.index.map(isize_index))
}
