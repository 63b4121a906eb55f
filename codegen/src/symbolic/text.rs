//! Plain text of closed forms: unambiguous, ASCII where names are, readable by `parse`.

use std::fmt;

use super::closed::{Closed, Exact};

/// How tightly a form binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

fn binding(c: &Closed) -> Binding {
    match c {
        Closed::Sum(terms) if terms.len() > 1 => Binding::Sum,
        Closed::Number(n) if n.negative => Binding::Sum,
        Closed::Product(f) if f.first().is_some_and(Closed::is_negative) => Binding::Sum,
        Closed::Number(n) if n.den != "1" => Binding::Product,
        Closed::Product(f) if f.len() > 1 => Binding::Product,
        Closed::Quotient(..) => Binding::Product,
        Closed::Power(..) => Binding::Power,
        _ => Binding::Atom,
    }
}

/// The expression as plain text, such as `m2*(l^2 + rho2^2 + 2*l*rho2*cos(theta2))`.
pub fn text(c: &Closed) -> String {
    let mut out = String::new();
    write(c, &mut out);
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

fn bracketed(c: &Closed, least: Binding, out: &mut String) {
    if binding(c) < least {
        out.push('(');
        write(c, out);
        out.push(')');
    } else {
        write(c, out);
    }
}

fn write(c: &Closed, out: &mut String) {
    match c {
        Closed::Number(n) => out.push_str(&n.to_string()),
        Closed::Pi => out.push_str("pi"),
        Closed::Symbol { name, .. } => out.push_str(name),
        Closed::Sum(terms) => {
            if terms.is_empty() {
                out.push('0');
            }
            for (i, t) in terms.iter().enumerate() {
                let negative = t.is_negative();
                match (i, negative) {
                    (0, _) => bracketed(t, Binding::Sum, out),
                    (_, true) => {
                        out.push_str(" - ");
                        bracketed(&t.clone().negated(), Binding::Product, out);
                    }
                    (_, false) => {
                        out.push_str(" + ");
                        bracketed(t, Binding::Product, out);
                    }
                }
            }
        }
        Closed::Product(factors) => match factors.split_first() {
            None => out.push('1'),
            Some((Closed::Number(n), rest)) if n.negative && !rest.is_empty() => {
                out.push('-');
                if !n.abs().is_one() {
                    out.push_str(&n.abs().to_string());
                    out.push('*');
                }
                join(rest, out);
            }
            _ => join(factors, out),
        },
        Closed::Power(base, n) => {
            bracketed(base, Binding::Atom, out);
            out.push('^');
            out.push_str(&n.to_string());
        }
        Closed::Quotient(a, b) => {
            bracketed(a, Binding::Product, out);
            out.push('/');
            bracketed(b, Binding::Power, out);
        }
        Closed::Function(f, args) => {
            out.push_str(&f.name());
            out.push('(');
            for (i, a) in args.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write(a, out);
            }
            out.push(')');
        }
    }
}

fn join(factors: &[Closed], out: &mut String) {
    for (i, f) in factors.iter().enumerate() {
        if i > 0 {
            out.push('*');
        }
        // A quotient after a sign of multiplication needs brackets only for people; the value is the same.
        let least = if i > 0 && matches!(f, Closed::Quotient(..)) { Binding::Atom } else { Binding::Product };
        bracketed(f, least, out);
    }
}
