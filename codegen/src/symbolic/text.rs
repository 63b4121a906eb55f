//! Plain text of closed forms: unambiguous, ASCII where names are, readable by `parse`.

use std::fmt;

use super::closed::{Closed, Exact, Function};
use super::decimal::{Style, Written};
use crate::algebra::Cmp;

/// How tightly a form binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

fn binding(c: &Closed, style: Style) -> Binding {
    match c {
        Closed::Sum(terms) if terms.len() > 1 => Binding::Sum,
        Closed::Number(n) if n.negative => Binding::Sum,
        Closed::Product(f) if f.first().is_some_and(Closed::is_negative) => Binding::Sum,
        Closed::Number(n) if matches!(style.written(n), Written::Fraction(..)) => Binding::Product,
        Closed::Product(f) if f.len() > 1 => Binding::Product,
        Closed::Quotient(..) => Binding::Product,
        Closed::Power(..) => Binding::Power,
        _ => Binding::Atom,
    }
}

/// The expression as plain text, such as `m2*(l^2 + rho2^2 + 2*l*rho2*cos(theta2))`.
pub fn text(c: &Closed) -> String {
    let mut out = String::new();
    write(c, Style::of(c), &mut out);
    out
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self))
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        if self.den == "1" {
            write!(f, "{sign}{}", self.num)
        } else {
            write!(f, "{sign}{}/{}", self.num, self.den)
        }
    }
}

fn number(n: &Exact, style: Style, out: &mut String) {
    if n.negative {
        out.push('-');
    }
    match style.written(n) {
        Written::Digits(digits) => out.push_str(&digits),
        Written::Scientific(digits, exponent) => out.push_str(&format!("{digits}e{exponent}")),
        Written::Fraction(a, b) => out.push_str(&format!("{a}/{b}")),
    }
}

fn bracketed(c: &Closed, style: Style, least: Binding, out: &mut String) {
    if binding(c, style) < least {
        out.push('(');
        write(c, style, out);
        out.push(')');
    } else {
        write(c, style, out);
    }
}

fn write(c: &Closed, style: Style, out: &mut String) {
    match c {
        Closed::Number(n) => number(n, style, out),
        Closed::Pi => out.push_str("pi"),
        Closed::Symbol { name, .. } => out.push_str(name),
        Closed::Sum(terms) => {
            if terms.is_empty() {
                out.push('0');
            }
            for (i, t) in terms.iter().enumerate() {
                let negative = t.is_negative();
                match (i, negative) {
                    (0, _) => bracketed(t, style, Binding::Sum, out),
                    (_, true) => {
                        out.push_str(" - ");
                        bracketed(&t.clone().negated(), style, Binding::Product, out);
                    }
                    (_, false) => {
                        out.push_str(" + ");
                        bracketed(t, style, Binding::Product, out);
                    }
                }
            }
        }
        Closed::Product(factors) => match factors.split_first() {
            None => out.push('1'),
            Some((Closed::Number(n), rest)) if n.negative && !rest.is_empty() => {
                out.push('-');
                if !n.abs().is_one() {
                    number(&n.abs(), style, out);
                    out.push('*');
                }
                join(rest, style, out);
            }
            _ => join(factors, style, out),
        },
        Closed::Power(base, n) => {
            bracketed(base, style, Binding::Atom, out);
            out.push('^');
            out.push_str(&n.to_string());
        }
        Closed::Quotient(a, b) => {
            bracketed(a, style, Binding::Product, out);
            out.push('/');
            bracketed(b, style, Binding::Power, out);
        }
        Closed::Function(f, args) => match (f, &args[..], c.as_clamp()) {
            (_, _, Some([x, low, high])) => call("clamp", [x, low, high], style, out),
            (Function::Select(cmp), [a, b, yes, no], _) => {
                out.push_str("if(");
                write(a, style, out);
                out.push_str(match cmp {
                    Cmp::Lt => " < ",
                    Cmp::Le => " <= ",
                    Cmp::Eq => " == ",
                });
                write(b, style, out);
                for branch in [yes, no] {
                    out.push_str(", ");
                    write(branch, style, out);
                }
                out.push(')');
            }
            _ => call(&f.name(), args, style, out),
        },
    }
}

fn call<'a>(name: &str, args: impl IntoIterator<Item = &'a Closed>, style: Style, out: &mut String) {
    out.push_str(name);
    out.push('(');
    for (i, a) in args.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(a, style, out);
    }
    out.push(')');
}

fn join(factors: &[Closed], style: Style, out: &mut String) {
    for (i, f) in factors.iter().enumerate() {
        if i > 0 {
            out.push('*');
        }
        // A quotient after a sign of multiplication needs brackets only for people; the value is the same.
        let least = if i > 0 && matches!(f, Closed::Quotient(..)) { Binding::Atom } else { Binding::Product };
        bracketed(f, style, least, out);
    }
}
