//! Values as text with infix operators, for C-like targets.

use super::value::{Call, Value};

/// Precedence of an expression as text, lowest first; decides where brackets are printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precedence {
    /// A sum or difference.
    Sum,
    /// A product or quotient.
    Product,
    /// An expression with a minus sign in front.
    Sign,
    /// A name, a number or a call, which never needs brackets.
    Whole,
}

/// Spelling in a target language of everything except infix operators; implemented by each C-like
/// target.
pub trait Spelling {
    /// Spells a finite, non-negative number.
    fn number(&self, value: f64) -> String;
    /// Spells infinity, which a quotient of constants may be.
    fn infinity(&self) -> String;
    /// Spells NaN (not a number).
    fn not_a_number(&self) -> String;
    /// Spells a value without operands other than a number: a name, a field, an entry of an
    /// argument.
    fn leaf(&self, value: &Value<'_>) -> String;
    /// Spells the call of a function.
    fn call(&self, call: Call, arguments: &[String]) -> String;
    /// Spells the fused `a b + c`, with one rounding.
    fn mul_add(&self, factors_and_term: &[String; 3]) -> String;
    /// Spells a guarded quotient, for targets in which `a / b` with divisor zero does not give
    /// infinity or NaN. `None`: use `/`.
    fn quotient(&self, _dividend_and_divisor: &[String; 2]) -> Option<String> {
        None
    }
    /// Spells the negation of a value that may be a sum with a product, for targets in which a
    /// minus sign would change the result. `None`: use `-`.
    fn opposite_of_sum(&self, _text: &str) -> Option<String> {
        None
    }
}

/// Text of a value in the spelling of a target language.
pub fn value_text(value: &Value<'_>, spelling: &dyn Spelling) -> String {
    spell_with_precedence(value, spelling).0
}

/// Text of a value, in brackets if its precedence is below `level`.
fn bracketed_below(value: &Value<'_>, spelling: &dyn Spelling, level: Precedence) -> String {
    let (text, precedence) = spell_with_precedence(value, spelling);
    add_brackets(text, precedence, level)
}

/// The text, in brackets if its precedence is below `level`.
fn add_brackets(text: String, precedence: Precedence, level: Precedence) -> String {
    if precedence >= level { text } else { format!("({text})") }
}

fn number_text(value: f64, spelling: &dyn Spelling) -> String {
    match value {
        x if x.is_nan() => spelling.not_a_number(),
        x if x.is_infinite() => spelling.infinity(),
        x => spelling.number(x),
    }
}

fn spell_with_precedence(value: &Value<'_>, spelling: &dyn Spelling) -> (String, Precedence) {
    let part = |value: &Value<'_>, level| bracketed_below(value, spelling, level);
    let sum = |[a, b]: &[Value<'_>; 2], sign: &str| {
        (format!("{} {sign} {}", part(a, Precedence::Sum), part(b, Precedence::Product)), Precedence::Sum)
    };
    match value {
        Value::Number(x) => (number_text(*x, spelling), Precedence::Whole),
        Value::Opposite { value, of_sum } => {
            let guarded = if *of_sum { spelling.opposite_of_sum(&value_text(value, spelling)) } else { None };
            match guarded {
                Some(text) => (text, Precedence::Whole),
                None => (format!("-{}", part(value, Precedence::Whole)), Precedence::Sign),
            }
        }
        Value::Sum(terms) => sum(terms, "+"),
        Value::Difference(terms) => sum(terms, "-"),
        Value::Product(factors) => {
            let [a, b] = &**factors;
            (format!("{} * {}", part(a, Precedence::Product), part(b, Precedence::Sign)), Precedence::Product)
        }
        Value::Multiple(size, value) => (
            format!("{} * {}", number_text(*size, spelling), part(value, Precedence::Sign)),
            Precedence::Product,
        ),
        Value::Quotient(both) => {
            // Each operand is spelled once, since quotients may be nested deeply.
            let [(a, of_a), (b, of_b)] = both.each_ref().map(|value| spell_with_precedence(value, spelling));
            let operands = [a, b];
            if let Some(guarded) = spelling.quotient(&operands) {
                return (guarded, Precedence::Whole);
            }
            let [a, b] = operands;
            let (a, b) =
                (add_brackets(a, of_a, Precedence::Product), add_brackets(b, of_b, Precedence::Sign));
            (format!("{a} / {b}"), Precedence::Product)
        }
        Value::MulAdd(all) => {
            let all = all.each_ref().map(|value| value_text(value, spelling));
            (spelling.mul_add(&all), Precedence::Whole)
        }
        Value::Call(call, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|value| value_text(value, spelling)).collect();
            (spelling.call(*call, &arguments), Precedence::Whole)
        }
        leaf => (spelling.leaf(leaf), Precedence::Whole),
    }
}
