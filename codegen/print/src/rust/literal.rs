//! Numeric literals of emitted Rust: decimals, quotients and named constants.

use proc_macro2::Span;
use syn::{Expr, parse_quote};

use crate::code::numbers::{KNOWN, small_quotient};

/// Returns `true` for the decimals of a rounded π or e in the spec, such as 3.14, which clippy
/// would report as an approximate constant.
fn looks_like_rounded_constant(text: &str) -> bool {
    let digits = text.len().saturating_sub(2);
    text.len() > 3
        && KNOWN.iter().any(|(known, _, _)| {
            known.to_string().starts_with(text) || digits < 17 && format!("{known:.digits$}") == text
        })
}

fn float_literal(text: &str) -> Expr {
    let literal = syn::LitFloat::new(text, Span::call_site());
    parse_quote!(#literal)
}

/// Decimal literal of `x >= 0`: the shortest that parses to the same value. A number that looks
/// like a rounded π becomes a quotient of integers (314.0 / 100.0), which rounds to the same
/// double.
fn decimal_literal(x: f64) -> Expr {
    if let Some((n, d)) = small_quotient(x) {
        return super::syntax::div(float_literal(&format!("{n}.0")), float_literal(&format!("{d}.0")));
    }
    let text = format!("{x:?}");
    if !looks_like_rounded_constant(&text) {
        return float_literal(&text);
    }
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
    let digits = text.replace('.', "");
    match digits.parse::<u64>() {
        Ok(n) if n < 1 << 53 && decimals <= 22 => {
            let (n, d) =
                (float_literal(&format!("{n}.0")), float_literal(&format!("1{}.0", "0".repeat(decimals))));
            super::syntax::div(n, d)
        }
        _ => {
            let bits = syn::LitInt::new(&format!("{:#x}", x.to_bits()), Span::call_site());
            parse_quote!(f64::from_bits(#bits))
        }
    }
}

/// Number of the spec as a decimal Rust literal, and `true` if clippy would report it as an
/// approximate constant.
pub fn number_datum(x: f64) -> (Expr, bool) {
    if !x.is_finite() {
        return (number_literal(x), false);
    }
    let text = format!("{:?}", x.abs());
    let positive = float_literal(&text);
    let shown = if x.is_sign_negative() { super::syntax::neg(positive) } else { positive };
    (shown, looks_like_rounded_constant(&text))
}

/// Rust expression of type `f64` for any number: a literal, a quotient or a named constant of the
/// core library.
pub fn number_literal(x: f64) -> Expr {
    if x.is_nan() {
        return parse_quote!(::core::f64::NAN);
    }
    let positive: Expr = if x.is_infinite() {
        parse_quote!(::core::f64::INFINITY)
    } else {
        match KNOWN.iter().find(|k| k.0 == x.abs() && !k.2.is_empty()) {
            Some((_, _, name)) => {
                let name = super::syntax::ident(name);
                parse_quote!(::core::f64::consts::#name)
            }
            None => decimal_literal(x.abs()),
        }
    };
    if x.is_sign_negative() { super::syntax::neg(positive) } else { positive }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal_text(x: f64) -> String {
        let e = number_literal(x);
        quote::quote!(#e).to_string()
    }

    #[test]
    fn literals_read_back_and_do_not_look_like_slips() {
        for x in [0.1, 9.807, 1e-12, 6.02e23, 5e-324, 12345678.9, 3.15] {
            assert_eq!(literal_text(x).parse::<f64>(), Ok(x));
        }
        for (x, n, d) in
            [(314.0 / 100.0, 314.0, 100.0), (31416.0 / 1e4, 31416.0, 1e4), (2718.0 / 1e3, 2718.0, 1e3)]
        {
            assert_eq!(literal_text(x), format!("{n:?} / {d:?}"));
            assert_eq!(n / d, x);
        }
        assert_eq!(literal_text(-0.5), "- 0.5");
        assert_eq!([1.0 / 3.0, 4.0 / 3.0, 0.75].map(literal_text), ["1.0 / 3.0", "4.0 / 3.0", "0.75"]);
    }
}
