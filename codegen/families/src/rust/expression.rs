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
use dqdt_print::rust::literal::literal;
use dqdt_print::rust::syntax::{add, associated, call, ident, method, mul, neg, path, sub};

/// Variable names of the running indices of nested sums, reserved in every emitted function.
pub(super) const RUNNING: [&str; 9] = ["k", "s", "a", "b", "d", "e", "f", "o", "k8"];

/// The Rust expression of a call of a function by its path.
pub(super) fn call_of(name: &str, args: Vec<Expr>) -> Expr {
    call(path(name), args)
}

/// A non-negative integer literal in Rust.
pub(super) fn int(n: usize) -> Expr {
    let n = LitInt::new(&n.to_string(), Span::call_site());
    parse_quote!(#n)
}

/// Converts an index expression of a formula to Rust, of type `isize`.
pub(super) fn isize_index(i: Index) -> Expr {
    let base = match i.base {
        Base::Zero => {
            let n = int(i.offset.unsigned_abs() as usize);
            return if i.offset < 0 { neg(n) } else { n };
        }
        Base::I => path("i"),
        Base::J => path("j"),
        Base::Max => path("higher"),
        Base::Min => path("lower"),
        Base::N => path("size"),
        Base::Run(k) => running(k),
    };
    let by = int(i.offset.unsigned_abs() as usize);
    match i.offset {
        0 => base,
        o if o < 0 => sub(base, by),
        _ => add(base, by),
    }
}

/// The Rust variable of a running index, by its position among nested sums.
fn running(k: usize) -> Expr {
    match RUNNING.get(k) {
        Some(name) => path(name),
        // Reported as a broken invariant where the sum itself is emitted.
        None => path(&format!("k{k}")),
    }
}

/// The Rust expression of a positive number, of type `T`.
fn positive_number(r: Ratio) -> Expr {
    if r.is_one() { parse_quote!(T::ONE) } else { associated("from_f64", vec![literal(r.to_f64())]) }
}

/// The Rust expression of a number of any sign, of type `T`.
fn number(r: Ratio) -> Expr {
    match (r.is_zero(), r.checked_neg()) {
        (true, _) => parse_quote!(T::ZERO),
        (false, Some(opposite)) if r < Ratio::ZERO => neg(positive_number(opposite)),
        _ => positive_number(r),
    }
}

/// Converts a factored formula to the Rust expression of its value at i, j.
pub(super) fn expression(e: &Expression, names: &FamilyNames) -> Expr {
    match e {
        Expression::Number(r) => number(*r),
        Expression::Index(i) => {
            let i = isize_index(*i);
            associated("from_f64", vec![parse_quote!((#i) as f64)])
        }
        Expression::Symbol(named) => symbol(named, names),
        Expression::Power(x, a, b) => {
            let x = expression(x, names);
            if *b == 0 {
                return power(x, *a);
            }
            let (equal, other) = (power(x.clone(), a + b), power(x, *a));
            parse_quote!((if i == j { #equal } else { #other }))
        }
        Expression::Function(name, x, n) => {
            let x = argument(expression(x, names));
            let value = match *name {
                "sec" => method(method(x, "cos", vec![]), "recip", vec![]),
                name => method(x, name, vec![]),
            };
            power(value, *n)
        }
        Expression::Sum(level, sum, x) => {
            let k = RUNNING.get(*level).copied();
            let k = names.invariants.require(
                k,
                "value",
                "sums are nested more deeply than there are names of indices",
            );
            let (k, total) = (ident(k), ident(&format!("sum_{k}")));
            let (from, to) = (isize_index(sum.from), isize_index(sum.to));
            let x = bare(expression(x, names));
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
                let (r, rest) = t.split_number();
                sum = Some(match (sum, r.checked_neg()) {
                    (None, _) => expression(t, names),
                    (Some(s), Some(opposite)) if r < Ratio::ZERO => sub(s, scale(opposite, &rest, names)),
                    (Some(s), _) => add(s, expression(t, names)),
                });
            }
            sum.unwrap_or_else(|| parse_quote!(T::ZERO))
        }
        Expression::Multiply(_) => {
            let (r, rest) = e.split_number();
            match r.checked_neg() {
                Some(opposite) if r < Ratio::ZERO => neg(argument(scale(opposite, &rest, names))),
                _ => scale(r, &rest, names),
            }
        }
        Expression::Delta(d) => {
            let condition = condition(*d);
            parse_quote!((if #condition { T::ONE } else { T::ZERO }))
        }
    }
}

/// The Rust expression of a positive number times factors; Kronecker deltas among them become an
/// `if`.
fn scale(r: Ratio, rest: &Expression, names: &FamilyNames) -> Expr {
    let factors = match rest {
        Expression::Multiply(factors) => &factors[..],
        other => std::slice::from_ref(other),
    };
    let deltas = factors.iter().filter_map(|f| match f {
        Expression::Delta(d) => Some(condition(*d)),
        _ => None,
    });
    let condition = deltas.reduce(|a, b| parse_quote!(#a && #b));
    let others = factors.iter().filter(|f| !matches!(f, Expression::Delta(_)));
    let others = others.filter(|f| **f != Expression::Number(Ratio::ONE));
    let mut product: Option<Expr> = (!r.is_one()).then(|| number(r));
    for f in others {
        let x = expression(f, names);
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
fn condition(d: Delta) -> Expr {
    let (a, b) = (isize_index(d.a), isize_index(d.b));
    if d.equal { parse_quote!(#a == #b) } else { parse_quote!(#a != #b) }
}

/// Removes redundant outer parentheses of a Rust expression.
pub(super) fn bare(e: Expr) -> Expr {
    match e {
        Expr::Paren(inner) => *inner.expr,
        other => other,
    }
}

/// Adds the parentheses that a method call or a sign requires around a Rust expression.
fn argument(x: Expr) -> Expr {
    match x {
        Expr::Binary(_) | Expr::Unary(_) | Expr::Block(_) => parse_quote!((#x)),
        other => other,
    }
}

/// The Rust expression of an integer power.
fn power(x: Expr, n: i64) -> Expr {
    match n {
        0 => parse_quote!(T::ONE),
        1 => x,
        n => {
            let digits = int(n.unsigned_abs() as usize);
            let n = if n < 0 { neg(digits) } else { digits };
            method(argument(x), "powi", vec![n])
        }
    }
}

/// The Rust expression of a symbol of a formula with its index.
fn symbol(named: &Named, names: &FamilyNames) -> Expr {
    names.symbol(&named.stem, named.index.map(isize_index))
}
