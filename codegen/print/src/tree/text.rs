//! Values as text with infix operators.

use super::value::{Call, Value};

/// How strongly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A sum.
    Sum,
    /// A product.
    Product,
    /// A sign.
    Sign,
    /// A name, a number or a call.
    Whole,
}

/// How a target spells what is no operator.
pub trait Spelling {
    /// A finite number that is not negative.
    fn number(&self, value: f64) -> String;
    /// Infinity: a quotient of constants may be infinite.
    fn infinity(&self) -> String;
    /// What is not a number.
    fn not_a_number(&self) -> String;
    /// A value without operands, but for numbers.
    fn leaf(&self, value: &Value<'_>) -> String;
    /// A call.
    fn call(&self, call: Call, arguments: &[String]) -> String;
    /// `a b + c` in one rounding.
    fn mul_add(&self, factors_and_term: &[String; 3]) -> String;
    /// A quotient, where `a / b` would not give an infinity or NaN for a divisor of zero.
    fn quotient(&self, _dividend_and_divisor: &[String; 2]) -> Option<String> {
        None
    }
    /// The opposite of what may be a sum with a product, where a minus before it would not do.
    fn opposite_of_sum(&self, _text: &str) -> Option<String> {
        None
    }
}

/// The text of a value.
pub fn text(value: &Value<'_>, spelling: &dyn Spelling) -> String {
    spelled(value, spelling).0
}

/// In brackets where it holds together less than asked for.
fn at_least(value: &Value<'_>, spelling: &dyn Spelling, level: Level) -> String {
    let (text, own) = spelled(value, spelling);
    bracketed(text, own, level)
}

/// A text in brackets if its level is below the least one.
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
            // Each operand is spelled once: quotients may be nested deeply.
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
