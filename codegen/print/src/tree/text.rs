//! Values as text with infix operators, for C-like targets.

use super::value::{Call, Value};

/// Precedence of an expression in text form, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A sum or difference.
    Sum,
    /// A product or quotient.
    Product,
    /// An expression with a minus sign in front.
    Sign,
    /// A name, a number or a call.
    Whole,
}

/// Spelling in a target of everything except infix operators.
pub trait Spelling {
    /// Spells a finite, non-negative number.
    fn number(&self, value: f64) -> String;
    /// Spells infinity, which a quotient of constants may be.
    fn infinity(&self) -> String;
    /// Spells NaN.
    fn not_a_number(&self) -> String;
    /// Spells a value without operands, other than a number.
    fn leaf(&self, value: &Value<'_>) -> String;
    /// Spells the call of a function.
    fn call(&self, call: Call, arguments: &[String]) -> String;
    /// Spells `a b + c` with one rounding.
    fn mul_add(&self, factors_and_term: &[String; 3]) -> String;
    /// A guarded quotient, for targets in which `a / b` with divisor zero does not give infinity or
    /// NaN. `None`: use `/`.
    fn quotient(&self, _dividend_and_divisor: &[String; 2]) -> Option<String> {
        None
    }
    /// The negation of a value that may be a sum with a product, for targets in which a minus sign
    /// would change the result. `None`: use `-`.
    fn opposite_of_sum(&self, _text: &str) -> Option<String> {
        None
    }
}

/// The text of a value in the spelling of a target.
pub fn text(value: &Value<'_>, spelling: &dyn Spelling) -> String {
    spelled(value, spelling).0
}

/// The text of a value, in brackets if its precedence is below `level`.
fn at_least(value: &Value<'_>, spelling: &dyn Spelling, level: Level) -> String {
    let (text, own) = spelled(value, spelling);
    bracketed(text, own, level)
}

/// Puts a text in brackets if its level is below `least`.
fn bracketed(text: String, level: Level, least: Level) -> String {
    if level >= least { text } else { format!("({text})") }
}

fn number(value: f64, spelling: &dyn Spelling) -> String {
    match value {
        x if x.is_nan() => spelling.not_a_number(),
        x if x.is_infinite() => spelling.infinity(),
        x => spelling.number(x),
    }
}

fn spelled(value: &Value<'_>, spelling: &dyn Spelling) -> (String, Level) {
    let part = |value: &Value<'_>, level| at_least(value, spelling, level);
    let sum = |[a, b]: &[Value<'_>; 2], sign: &str| {
        (format!("{} {sign} {}", part(a, Level::Sum), part(b, Level::Product)), Level::Sum)
    };
    match value {
        Value::Number(x) => (number(*x, spelling), Level::Whole),
        Value::Opposite { value, of_sum } => {
            let kept = if *of_sum { spelling.opposite_of_sum(&text(value, spelling)) } else { None };
            let signed = || (format!("-{}", part(value, Level::Whole)), Level::Sign);
            kept.map_or_else(signed, |text| (text, Level::Whole))
        }
        Value::Sum(terms) => sum(terms, "+"),
        Value::Difference(terms) => sum(terms, "-"),
        Value::Product(factors) => {
            let [a, b] = &**factors;
            (format!("{} * {}", part(a, Level::Product), part(b, Level::Sign)), Level::Product)
        }
        Value::Multiple(size, value) => {
            (format!("{} * {}", number(*size, spelling), part(value, Level::Sign)), Level::Product)
        }
        Value::Quotient(both) => {
            // Each operand is spelled once, since quotients may be nested deeply.
            let [(a, of_a), (b, of_b)] = both.each_ref().map(|value| spelled(value, spelling));
            let operands = [a, b];
            if let Some(guarded) = spelling.quotient(&operands) {
                return (guarded, Level::Whole);
            }
            let [a, b] = operands;
            let (a, b) = (bracketed(a, of_a, Level::Product), bracketed(b, of_b, Level::Sign));
            (format!("{a} / {b}"), Level::Product)
        }
        Value::MulAdd(all) => {
            let all = all.each_ref().map(|value| text(value, spelling));
            (spelling.mul_add(&all), Level::Whole)
        }
        Value::Call(call, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|value| text(value, spelling)).collect();
            (spelling.call(*call, &arguments), Level::Whole)
        }
        leaf => (spelling.leaf(leaf), Level::Whole),
    }
}
