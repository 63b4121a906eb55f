//! Names of numbers in emitted code.

use std::f64::consts;

/// Constants of the core library: value, word in emitted names, and name in `core::f64::consts`;
/// empty if it has none.
pub const KNOWN: &[(f64, &str, &str)] = &[
    (consts::PI, "pi", "PI"),
    (consts::TAU, "tau", "TAU"),
    (consts::FRAC_PI_2, "half_pi", "FRAC_PI_2"),
    (consts::FRAC_PI_3, "pi_3", "FRAC_PI_3"),
    (consts::FRAC_PI_4, "pi_4", "FRAC_PI_4"),
    (consts::FRAC_PI_6, "pi_6", "FRAC_PI_6"),
    (consts::FRAC_PI_8, "pi_8", "FRAC_PI_8"),
    (consts::FRAC_1_PI, "one_over_pi", "FRAC_1_PI"),
    (consts::FRAC_2_PI, "two_over_pi", "FRAC_2_PI"),
    (consts::FRAC_2_SQRT_PI, "two_over_sqrt_pi", "FRAC_2_SQRT_PI"),
    (consts::SQRT_2, "sqrt_2", "SQRT_2"),
    (consts::FRAC_1_SQRT_2, "half_sqrt_2", "FRAC_1_SQRT_2"),
    (consts::E, "e", "E"),
    (consts::LN_2, "ln_2", "LN_2"),
    (consts::LN_10, "ln_10", "LN_10"),
    (consts::LOG2_E, "log2_e", "LOG2_E"),
    (consts::LOG10_E, "log10_e", "LOG10_E"),
    (consts::LOG2_10, "log2_10", "LOG2_10"),
    (consts::LOG10_2, "log10_2", "LOG10_2"),
    (1.618_033_988_749_895, "phi", ""),
];

/// Small numbers, with their words in emitted names.
const SMALL: &[(f64, &str)] = &[
    (0.5, "half"),
    (2.0, "two"),
    (3.0, "three"),
    (4.0, "four"),
    (0.25, "quarter"),
    (1.0 / 3.0, "third"),
    (1.5, "one_and_a_half"),
];

/// Word in emitted names for a small number or for a constant of the core library; `None` for other
/// numbers.
pub fn number_word(x: f64) -> Option<&'static str> {
    let small = SMALL.iter().find(|(v, _)| *v == x).map(|(_, word)| *word);
    small.or_else(|| KNOWN.iter().find(|k| k.0 == x).map(|k| k.1))
}

/// Returns `true` for a number with the same meaning everywhere, such as 2 or 4/3. Such a number
/// gets no name of a body's quantity.
pub fn is_universal(x: f64) -> bool {
    number_word(x).is_some() || small_quotient(x).is_some()
}

/// Returns `true` for a number with few digits, which needs no name.
pub fn has_few_digits(x: f64) -> bool {
    format!("{x:?}").len() <= 8
}

/// Numerator and denominator of a quotient of small integers without a finite decimal, such as 4/3;
/// `None` for other numbers.
pub fn small_quotient(x: f64) -> Option<(u32, u32)> {
    [3, 6, 7, 9, 12]
        .into_iter()
        .find_map(|d: u32| (1..=16u32).find(|n| f64::from(*n) / f64::from(d) == x).map(|n| (n, d)))
        .filter(|_| !has_few_digits(x))
}

/// Name of a number as a local or constant of emitted code, made of its word or its digits.
pub fn number_name(x: f64) -> String {
    if let Some(word) = number_word(x) {
        return word.to_owned();
    }
    let exact = format!("{x:?}");
    let exact = exact.strip_suffix(".0").unwrap_or(&exact);
    let text = if exact.len() <= 8 { exact.to_owned() } else { format!("{x:.3e}") };
    format!("const_{}", text.replace('.', "_").replace('-', "m"))
}

#[cfg(test)]
mod tests {
    use super::number_name;

    #[test]
    fn constants_have_short_names() {
        let names = [0.5, 9.81, 12.0, 0.1234567890123, 1e-12].map(number_name);
        assert_eq!(names, ["half", "const_9_81", "const_12", "const_1_235em1", "const_1em12"]);
    }
}
