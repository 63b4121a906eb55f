//! Text of closed forms, unambiguous and readable by `parse`.
//!
//! Plain text is ASCII if names are. Printed text has letters, superscripts and products as on
//! paper, `(m₁ + m₂) l₁² cos θ θ̈`; a function without brackets applies to the one name after it.

use std::fmt;

use super::closed::{Closed, Exact, Function};
use super::decimal::{NumberStyle, NumberText};
use dqdt_algebra::Cmp;

/// Strength with which an operation binds its operands, weakest first; weaker operands get
/// brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

/// Strength with which the outermost operation of a form binds.
fn binding_strength(c: &Closed, style: NumberStyle) -> Binding {
    match c {
        Closed::Sum(terms) if terms.len() > 1 => Binding::Sum,
        Closed::Number(n) if n.negative => Binding::Sum,
        Closed::Product(f) if f.first().is_some_and(Closed::is_negative) => Binding::Sum,
        Closed::Number(n) if matches!(style.number_text(n), NumberText::Fraction(..)) => Binding::Product,
        Closed::Product(f) if f.len() > 1 => Binding::Product,
        Closed::Quotient(..) if c.is_negative() => Binding::Sum,
        Closed::Quotient(..) => Binding::Product,
        Closed::Power(..) => Binding::Power,
        _ => Binding::Atom,
    }
}

/// The form as plain text, such as `m2*(l^2 + rho2^2 + 2*l*rho2*cos(theta2))`.
pub fn plain_text(c: &Closed) -> String {
    write_form(c, None, NumberStyle::for_forms([c]))
}

/// The form as printed text, with `letter` for each name: `m₂ (l² + ρ₂² + 2 l ρ₂ cos θ₂)`.
pub fn printed_text(c: &Closed, letter: &dyn Fn(&str) -> String, style: NumberStyle) -> String {
    write_form(c, Some(letter), style)
}

/// Text of a form: plain if `letter` is `None`, else printed.
fn write_form(c: &Closed, letter: Option<&dyn Fn(&str) -> String>, style: NumberStyle) -> String {
    let mut out = String::new();
    FormWriter { style, letter }.write_expression(c, &mut out);
    out
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain_text(self))
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

/// Writer of closed forms as plain or printed text.
struct FormWriter<'a> {
    /// Style of numbers: fractions or decimals.
    style: NumberStyle,
    /// Printed text of a name; `None` for plain text.
    letter: Option<&'a dyn Fn(&str) -> String>,
}

impl FormWriter<'_> {
    /// The first string in plain text, the second in printed text.
    fn plain_or_printed<'t>(&self, plain: &'t str, paper: &'t str) -> &'t str {
        if self.letter.is_some() { paper } else { plain }
    }

    /// Writes a number with its sign.
    fn write_number(&self, n: &Exact, out: &mut String) {
        if n.negative {
            out.push_str(self.plain_or_printed("-", "−"));
        }
        match self.style.number_text(n) {
            NumberText::Digits(digits) => out.push_str(&digits),
            NumberText::Scientific(digits, exponent) => out.push_str(&format!("{digits}e{exponent}")),
            NumberText::Fraction(a, b) => out.push_str(&format!("{a}/{b}")),
        }
    }

    /// Writes an operand, in brackets if it binds weaker than `least`.
    fn write_operand(&self, c: &Closed, least: Binding, out: &mut String) {
        if binding_strength(c, self.style) < least {
            out.push('(');
            self.write_expression(c, out);
            out.push(')');
        } else {
            self.write_expression(c, out);
        }
    }

    /// Writes a form without outer brackets.
    fn write_expression(&self, c: &Closed, out: &mut String) {
        match c {
            Closed::Number(n) => self.write_number(n, out),
            Closed::Pi => out.push_str(self.plain_or_printed("pi", "π")),
            Closed::Symbol { name, .. } => match self.letter {
                Some(letter) => out.push_str(&letter(name)),
                None => out.push_str(name),
            },
            Closed::Sum(terms) => self.write_sum(terms, out),
            Closed::Product(factors) => match factors.split_first() {
                None => out.push('1'),
                Some((Closed::Number(n), rest)) if n.negative && !rest.is_empty() => {
                    out.push_str(self.plain_or_printed("-", "−"));
                    if !n.abs().is_one() {
                        self.write_number(&n.abs(), out);
                        out.push_str(self.plain_or_printed("*", " "));
                    }
                    self.write_product(rest, out);
                }
                _ => self.write_product(factors, out),
            },
            Closed::Power(base, n) => self.write_power(base, *n, out),
            Closed::Quotient(a, b) => {
                let sign = a.is_negative();
                if sign {
                    out.push_str(self.plain_or_printed("-", "−"));
                }
                let a = if sign { &a.as_ref().clone().negated() } else { a };
                self.write_operand(a, Binding::Product, out);
                out.push('/');
                self.write_operand(b, Binding::Power, out);
            }
            Closed::Function(f, args) => self.write_function(c, *f, args, "", out),
        }
    }

    /// Writes terms with their signs.
    fn write_sum(&self, terms: &[Closed], out: &mut String) {
        if terms.is_empty() {
            out.push('0');
        }
        for (i, t) in terms.iter().enumerate() {
            match (i, t.is_negative()) {
                (0, _) => self.write_operand(t, Binding::Sum, out),
                (_, true) => {
                    out.push_str(self.plain_or_printed(" - ", " − "));
                    self.write_operand(&t.clone().negated(), Binding::Product, out);
                }
                (_, false) => {
                    out.push_str(" + ");
                    self.write_operand(t, Binding::Product, out);
                }
            }
        }
    }

    /// Writes a power: `x^2` in plain text, `x²` in printed text.
    fn write_power(&self, base: &Closed, n: u32, out: &mut String) {
        let digits = n.to_string();
        if self.letter.is_none() {
            self.write_operand(base, Binding::Atom, out);
            return out.push_str(&format!("^{digits}"));
        }
        let raised: String = digits.chars().map(superscript_digit).collect();
        match base {
            // The exponent follows the name of the function: `sin² x`.
            Closed::Function(f, args) if has_printed_name(base, *f) => {
                self.write_function(base, *f, args, &raised, out)
            }
            _ => {
                self.write_operand(base, Binding::Atom, out);
                out.push_str(&raised);
            }
        }
    }

    /// Writes a function, with an optional exponent after its name.
    fn write_function(&self, c: &Closed, f: Function, args: &[Closed], exponent: &str, out: &mut String) {
        if let Some([low, x, high, yes, no]) = c.as_between() {
            out.push_str("if(");
            for (part, after) in [(low, " < "), (x, " <= "), (high, ", "), (yes, ", "), (no, ")")] {
                self.write_expression(part, out);
                out.push_str(after);
            }
            return;
        }
        match (f, args, c.as_clamp()) {
            (_, _, Some([x, low, high])) => self.write_call("clamp", [x, low, high], out),
            (Function::Select(cmp), [a, b, yes, no], _) => {
                out.push_str("if(");
                self.write_expression(a, out);
                out.push_str(match cmp {
                    Cmp::Lt => " < ",
                    Cmp::Le => " <= ",
                    Cmp::Eq => " == ",
                });
                self.write_expression(b, out);
                for branch in [yes, no] {
                    out.push_str(", ");
                    self.write_expression(branch, out);
                }
                out.push(')');
            }
            (Function::Sqrt, [radicand], _)
                if self.letter.is_some() && magnitude_operand(radicand).is_some() =>
            {
                out.push('|');
                magnitude_operand(radicand).into_iter().for_each(|x| self.write_expression(x, out));
                out.push('|');
            }
            (Function::Table(_), ..) => {
                let named =
                    self.letter.map(|letter| letter(&f.name_map_key())).filter(|name| !name.contains(' '));
                let name = named.unwrap_or_else(|| f.name());
                self.write_call(&format!("{name}{exponent}"), args, out);
            }
            (_, [argument], _) if self.argument_without_brackets(argument).is_some() => {
                let argument = self.argument_without_brackets(argument).unwrap_or_default();
                out.push_str(&format!("{}{exponent} {argument}", f.name()));
            }
            _ => self.write_call(&format!("{}{exponent}", f.name()), args, out),
        }
    }

    /// Text of an argument that needs no brackets: `θ`, `2θ`. `None` for a multiple of a name that
    /// starts with e, since `2e…` would read as a power of ten.
    fn argument_without_brackets(&self, c: &Closed) -> Option<String> {
        let letter = self.letter.filter(|_| c.is_name_or_multiple())?;
        match c {
            Closed::Symbol { name, .. } => Some(letter(name)),
            Closed::Product(factors) => match &factors[..] {
                [Closed::Number(n), Closed::Symbol { name, .. }] => {
                    Some(letter(name)).filter(|l| !l.starts_with('e')).map(|l| format!("{}{l}", n.num))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Writes a name with arguments in brackets.
    fn write_call<'a>(&self, name: &str, args: impl IntoIterator<Item = &'a Closed>, out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (i, a) in args.into_iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write_expression(a, out);
        }
        out.push(')');
    }

    /// Writes factors, separated by `*` or by blanks.
    fn write_product(&self, factors: &[Closed], out: &mut String) {
        for (i, f) in factors.iter().enumerate() {
            // A quotient next to a factor needs brackets only for readability; the value is the
            // same.
            let is_quotient = matches!(f, Closed::Quotient(..)) && (i > 0 || self.letter.is_some());
            let least = if is_quotient { Binding::Atom } else { Binding::Product };
            let mut factor = String::new();
            self.write_operand(f, least, &mut factor);
            if i > 0 {
                let is_number = factor.starts_with(|c: char| c.is_ascii_digit());
                out.push_str(self.plain_or_printed("*", if is_number { " · " } else { " " }));
            }
            out.push_str(&factor);
        }
    }
}

/// The operand x of `√(x²)`, printed as `|x|`; `None` if x itself contains such bars.
pub(crate) fn magnitude_operand(radicand: &Closed) -> Option<&Closed> {
    fn contains_bars(c: &Closed) -> bool {
        match c {
            Closed::Number(_) | Closed::Pi | Closed::Symbol { .. } => false,
            Closed::Function(Function::Sqrt, args) if matches!(&args[..], [Closed::Power(_, 2)]) => true,
            Closed::Sum(all) | Closed::Product(all) | Closed::Function(_, all) => {
                all.iter().any(contains_bars)
            }
            Closed::Power(base, _) => contains_bars(base),
            Closed::Quotient(a, b) => contains_bars(a) || contains_bars(b),
        }
    }
    match radicand {
        Closed::Power(base, 2) if !contains_bars(base) => Some(base),
        _ => None,
    }
}

/// True if an exponent may follow the name of the function.
fn has_printed_name(c: &Closed, f: Function) -> bool {
    let has_bars = matches!(c, Closed::Function(Function::Sqrt, args) if args.iter().any(|a| magnitude_operand(a).is_some()));
    c.as_clamp().is_none() && f.arity() == 1 && !has_bars
}

/// Superscript digits from 0 to 9, for exponents in printed text.
pub(super) const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A digit as superscript.
fn superscript_digit(digit: char) -> char {
    digit.to_digit(10).and_then(|d| RAISED.get(d as usize).copied()).unwrap_or(digit)
}
