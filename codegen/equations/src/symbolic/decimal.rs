//! Numbers of closed forms as text: decimals of a spec stay decimals.
//!
//! Problem: a spec has 0.002081, which 2081/1000000 would obscure; but the factor of a kinetic
//!          energy is 1/2.
//! Method:  a number whose denominator has no primes except 2 and 5 has finitely many digits and is
//!          written with them, unless that is longer than the fraction. Halves, quarters and
//!          eighths are fractions, unless a form with them contains a decimal. Long rows of zeros
//!          become a power of ten.

use super::closed::{Closed, Exact};

/// Style of numbers in forms that are printed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberStyle {
    /// True if halves, quarters and eighths are decimals too.
    decimals: bool,
}

/// Text of a number without its sign, as reports print it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumberText {
    /// Decimal digits, possibly with a decimal point: `0.125`.
    Digits(String),
    /// Digits and the exponent of a power of ten: `1.5` and −9.
    Scientific(String, i64),
    /// Numerator and denominator, as digits: `1/2`.
    Fraction(String, String),
}

/// Largest number of digits of numerator and denominator for which a decimal is tried.
const LONGEST: usize = 80;
/// Number of zeros in a row from which a number is written with a power of ten.
const ZEROS: usize = 6;

impl NumberStyle {
    /// Style for forms that are printed together: halves stay fractions if no form contains a
    /// decimal.
    pub fn for_forms<'c>(forms: impl IntoIterator<Item = &'c Closed>) -> Self {
        NumberStyle { decimals: forms.into_iter().any(has_decimal) }
    }

    /// Text of a number without its sign, in this style.
    pub fn number_text(self, n: &Exact) -> NumberText {
        let fraction = || NumberText::Fraction(n.num.clone(), n.den.clone());
        if n.den == "1" {
            return integer_text(&n.num);
        }
        if is_small_power_of_two(&n.den) && !self.decimals {
            return fraction();
        }
        match decimal_digits(n) {
            Some((digits, places)) => decimal_text(&digits, places),
            None => fraction(),
        }
    }
}

impl Exact {
    /// True if the number is written with a decimal point in every style.
    pub(super) fn is_decimal(&self) -> bool {
        self.den != "1" && !is_small_power_of_two(&self.den) && decimal_digits(self).is_some()
    }

    /// True if the number has finitely many decimal digits, so that a decimal is exact.
    pub(super) fn has_finite_decimals(&self) -> bool {
        self.den == "1" || decimal_digits(self).is_some()
    }
}

/// True for the denominators 2, 4 and 8, which stay fractions.
fn is_small_power_of_two(den: &str) -> bool {
    matches!(den, "2" | "4" | "8")
}

/// True if the form contains a number that is written as a decimal.
fn has_decimal(c: &Closed) -> bool {
    match c {
        Closed::Number(n) => n.is_decimal(),
        Closed::Pi | Closed::Symbol { .. } => false,
        Closed::Sum(list) | Closed::Product(list) | Closed::Function(_, list) => list.iter().any(has_decimal),
        Closed::Power(base, _) => has_decimal(base),
        Closed::Quotient(a, b) => has_decimal(a) || has_decimal(b),
    }
}

/// Digits of `|n| · 10^places`, and `places`, if that is short enough.
fn decimal_digits(n: &Exact) -> Option<(String, usize)> {
    if n.den.len() > LONGEST || n.num.len() > LONGEST {
        return None;
    }
    let mut rest = n.den.clone();
    let mut powers = [0usize; 2];
    for (power, prime) in powers.iter_mut().zip([2u32, 5]) {
        while let Some(quotient) = divide_digits(&rest, prime) {
            rest = quotient;
            *power += 1;
        }
    }
    if rest != "1" {
        return None;
    }
    let places = powers[0].max(powers[1]);
    let mut digits = n.num.clone();
    for (power, prime) in powers.into_iter().zip([2u32, 5]) {
        for _ in power..places {
            digits = multiply_digits(&digits, prime);
        }
    }
    (digits.len() <= n.num.len() + n.den.len() + 3).then_some((digits, places))
}

/// The quotient by a small number; `None` if there is a remainder.
fn divide_digits(digits: &str, by: u32) -> Option<String> {
    let (mut rest, mut out) = (0, String::with_capacity(digits.len()));
    for d in digits.chars() {
        rest = rest * 10 + d.to_digit(10)?;
        out.extend(char::from_digit(rest / by, 10));
        rest %= by;
    }
    let trimmed = out.trim_start_matches('0');
    (rest == 0 && !trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// The product of a number in decimal digits and a small number.
fn multiply_digits(digits: &str, by: u32) -> String {
    let (mut carry, mut out) = (0, Vec::with_capacity(digits.len() + 1));
    for d in digits.chars().rev() {
        carry += d.to_digit(10).unwrap_or(0) * by;
        out.extend(char::from_digit(carry % 10, 10));
        carry /= 10;
    }
    out.extend(char::from_digit(carry, 10).filter(|c| *c != '0'));
    out.into_iter().rev().collect()
}

/// Text of an integer; many zeros at the end become a power of ten.
fn integer_text(digits: &str) -> NumberText {
    let short = digits.trim_end_matches('0');
    if short.is_empty() || digits.len() - short.len() < ZEROS {
        return NumberText::Digits(digits.to_owned());
    }
    scientific_text(short, digits.len() as i64 - 1)
}

/// Printed text of `digits / 10^places`: with a decimal point, or a power of ten if many zeros.
fn decimal_text(digits: &str, places: usize) -> NumberText {
    let digits = digits.trim_start_matches('0');
    // A number that was parsed from a decimal need not be in lowest terms.
    let short = digits.trim_end_matches('0');
    let places = places as i64 - (digits.len() - short.len()) as i64;
    let before = short.len() as i64 - places;
    if places <= 0 {
        return integer_text(&format!("{short}{}", "0".repeat(places.unsigned_abs() as usize)));
    }
    if before > 0 {
        let (integer, rest) = short.split_at(before as usize);
        return NumberText::Digits(format!("{integer}.{rest}"));
    }
    if before.unsigned_abs() as usize + 2 > ZEROS {
        return scientific_text(short, before - 1);
    }
    NumberText::Digits(format!("0.{}{short}", "0".repeat(before.unsigned_abs() as usize)))
}

/// Printed text of `d.ddd · 10^exponent`, from its digits.
fn scientific_text(digits: &str, exponent: i64) -> NumberText {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    NumberText::Scientific(format!("{first}{point}{rest}"), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(num: &str, den: &str, expected: &str) {
        let n = Exact { negative: false, num: num.into(), den: den.into() };
        let c = Closed::Number(n.clone());
        let shown = match NumberStyle::for_forms([&c]).number_text(&n) {
            NumberText::Digits(d) => d,
            NumberText::Scientific(d, e) => format!("{d}e{e}"),
            NumberText::Fraction(a, b) => format!("{a}/{b}"),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn decimals_of_a_spec_come_back_and_fractions_of_the_theory_stay() {
        check("2081", "1000000", "0.002081");
        check("981", "100", "9.81");
        check("3", "5", "0.6");
        check("1", "2", "1/2");
        check("7", "8", "7/8");
        check("1", "3", "1/3");
        check("1", "16", "0.0625");
        check("1", "100000000", "1e-8");
        check("2081", "1000000000000", "2.081e-9");
        check("1", "10000", "0.0001");
        check("210000000000", "1", "2.1e11");
        check("100000", "1", "100000");
        check("0", "1", "0");
        // Parsed from a decimal, not in lowest terms.
        check("50", "100", "0.5");
        check("2500", "100", "25");
        // The exact value of a double is not printed as a decimal.
        check("6004799503160661", "18014398509481984", "6004799503160661/18014398509481984");
    }
}
