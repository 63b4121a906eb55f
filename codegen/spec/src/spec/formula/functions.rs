//! The functions in formulas: names, arguments, values, domains, derivatives.
//!
//! Formulas are resolved by this table, and the reference is printed from it. Functions of frames
//! are measures, each in a file of `mechanism/measure`.

use dqdt_mechanics::mechanism::MeasureKind;

/// Row of the table of functions that formulas of a spec may call; the reference is printed from
/// it.
#[derive(Debug)]
pub struct FormulaFunction {
    /// Name of the function in a formula.
    pub name: &'static str,
    /// Names of the arguments of the function.
    pub arguments: &'static [&'static str],
    /// Value of the function, in words or as a formula.
    pub value: &'static str,
    /// Domain of the function, and its value outside.
    pub domain: &'static str,
    /// Derivative by the first argument, and the value used where there is none.
    pub derivative: &'static str,
}

const fn declare_function(
    name: &'static str,
    arguments: &'static [&'static str],
    value: &'static str,
    domain: &'static str,
    derivative: &'static str,
) -> FormulaFunction {
    FormulaFunction { name, arguments, value, domain, derivative }
}

/// Domain of a function that is defined for all numbers.
const ALL: &str = "all numbers";
/// Domain of a smooth function with a transition of width `e`.
const WIDTH: &str = "all numbers; e > 0 in the same unit as x";

/// All functions of numbers that formulas may call, in the order of the reference.
pub static FUNCTIONS: &[FormulaFunction] = &[
    declare_function(
        "sqrt",
        &["x"],
        "√x; the exponents in its unit are halved",
        "x ≥ 0, else NaN",
        "1/(2 √x); infinite at x = 0",
    ),
    declare_function("sin", &["x"], "sine of x in radians, or of an angle such as `30 deg`", ALL, "cos x"),
    declare_function("cos", &["x"], "cosine", ALL, "−sin x"),
    declare_function("tan", &["x"], "tangent", "all numbers except odd multiples of π/2", "1 + tan² x"),
    declare_function(
        "asin",
        &["x"],
        "angle from −π/2 to π/2 whose sine is x",
        "−1 ≤ x ≤ 1, else NaN",
        "1/√(1 − x²); infinite at ±1",
    ),
    declare_function(
        "acos",
        &["x"],
        "angle from 0 to π whose cosine is x",
        "−1 ≤ x ≤ 1, else NaN",
        "−1/√(1 − x²); infinite at ±1",
    ),
    declare_function("atan", &["x"], "angle from −π/2 to π/2 whose tangent is x", ALL, "1/(1 + x²)"),
    declare_function(
        "atan2",
        &["y", "x"],
        "angle of the vector (x, y), from −π to π",
        "both arguments in the same unit; at y = 0, x < 0, the value is π and jumps by 2π",
        "x/(x² + y²) with respect to y, −y/(x² + y²) with respect to x; NaN at (0, 0)",
    ),
    declare_function("sinh", &["x"], "hyperbolic sine", ALL, "cosh x"),
    declare_function("cosh", &["x"], "hyperbolic cosine", ALL, "sinh x"),
    declare_function(
        "tanh",
        &["x"],
        "hyperbolic tangent; a smooth approximation of the sign",
        ALL,
        "1 − tanh² x",
    ),
    declare_function("exp", &["x"], "exponential function", ALL, "exp x"),
    declare_function("ln", &["x"], "natural logarithm", "x > 0, else NaN or −∞", "1/x"),
    declare_function(
        "abs",
        &["x"],
        "the larger of x and −x",
        ALL,
        "sign x; taken as 0 at x = 0, where the derivative does not exist",
    ),
    declare_function("sign", &["x"], "−1, 0 or 1", ALL, "0, even at x = 0, where the function jumps"),
    declare_function(
        "min",
        &["a", "b"],
        "the smaller",
        "both arguments in the same unit",
        "derivative of the smaller argument, or of a if both are equal",
    ),
    declare_function(
        "max",
        &["a", "b"],
        "the larger",
        "both arguments in the same unit",
        "derivative of the larger argument, or of b if both are equal",
    ),
    declare_function(
        "clamp",
        &["x", "low", "high"],
        "min(max(x, low), high)",
        "all arguments in the same unit, low ≤ high",
        "1 between the bounds and at the upper bound, 0 outside and at the lower bound",
    ),
    declare_function("smooth_abs", &["x", "e"], "√(x² + e²)", WIDTH, "x/√(x² + e²)"),
    declare_function("smooth_sign", &["x", "e"], "x/√(x² + e²)", WIDTH, "e²/(x² + e²)^(3/2)"),
    declare_function(
        "smooth_min",
        &["a", "b", "e"],
        "(a + b − √((a − b)² + e²))/2",
        WIDTH,
        "(1 − (a − b)/√((a − b)² + e²))/2",
    ),
    declare_function(
        "smooth_max",
        &["a", "b", "e"],
        "(a + b + √((a − b)² + e²))/2",
        WIDTH,
        "(1 + (a − b)/√((a − b)² + e²))/2",
    ),
    declare_function(
        "smooth_clamp",
        &["x", "low", "high", "e"],
        "smooth_min(smooth_max(x, low, e), high, e)",
        WIDTH,
        "continuous, between 0 and 1",
    ),
    declare_function(
        "smooth_step",
        &["x", "a", "b"],
        "s² (3 − 2 s) with s = clamp((x − a)/(b − a), 0, 1)",
        "a ≠ b; all arguments in the same unit",
        "6 s (1 − s)/(b − a); 0 at both ends and beyond",
    ),
];

/// Conditions and tables, which formulas call like functions; rows of the reference.
pub static FORMS: &[FormulaFunction] = &[
    declare_function(
        "if",
        &["a < b", "yes", "no"],
        "`yes` if the condition is true, otherwise `no`; the other comparisons are `<= > >= == !=`",
        "both sides of the condition in the same unit, and `yes` and `no` in the same unit",
        "derivative of the active branch; undefined where the branch changes",
    ),
    declare_function(
        "name",
        &["x"],
        "value of the table `[tables.name]` at x; outside its range, the value at the nearest end",
        ALL,
        "slope of the segment that contains x: piecewise constant for a linear table, continuous for a cubic one; 0 outside the range",
    ),
];

/// Functions of formulas that measure points and frames, one for each kind of measure.
pub fn measure_functions() -> Vec<FormulaFunction> {
    let functions = MeasureKind::TEXTS
        .iter()
        .map(|t| declare_function(t.function, t.arguments, t.value, t.domain, t.derivative));
    functions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numeric values of the functions, with fixed values for all arguments but one.
    fn function_value(name: &str, x: f64) -> f64 {
        let e: f64 = 0.3;
        match name {
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "exp" => x.exp(),
            "ln" => x.ln(),
            "sqrt" => x.sqrt(),
            "smooth_abs" => (x * x + e * e).sqrt(),
            "smooth_sign" => x / (x * x + e * e).sqrt(),
            _ => f64::NAN,
        }
    }

    /// Numeric values of the printed derivatives.
    fn derivative_value(text: &str, x: f64) -> f64 {
        let e: f64 = 0.3;
        match text.split(';').next().unwrap_or_default() {
            "1/(2 √x)" => 0.5 / x.sqrt(),
            "cos x" => x.cos(),
            "−sin x" => -x.sin(),
            "1 + tan² x" => 1.0 + x.tan().powi(2),
            "1/√(1 − x²)" => 1.0 / (1.0 - x * x).sqrt(),
            "−1/√(1 − x²)" => -1.0 / (1.0 - x * x).sqrt(),
            "1/(1 + x²)" => 1.0 / (1.0 + x * x),
            "cosh x" => x.cosh(),
            "sinh x" => x.sinh(),
            "1 − tanh² x" => 1.0 - x.tanh().powi(2),
            "exp x" => x.exp(),
            "1/x" => 1.0 / x,
            "x/√(x² + e²)" => x / (x * x + e * e).sqrt(),
            "e²/(x² + e²)^(3/2)" => e * e / (x * x + e * e).powf(1.5),
            other => panic!("not known here: {other}"),
        }
    }

    #[test]
    fn printed_derivatives_of_one_argument_are_right() {
        let (x, h) = (0.4, 1e-6);
        let mut tried = 0;
        for f in FUNCTIONS.iter().filter(|f| function_value(f.name, x).is_finite()) {
            let expected = (function_value(f.name, x + h) - function_value(f.name, x - h)) / (2.0 * h);
            let printed = derivative_value(f.derivative, x);
            assert!((printed - expected).abs() < 1e-8, "{}: {printed} against {expected}", f.name);
            tried += 1;
        }
        assert_eq!(tried, 14);
    }

    #[test]
    fn names_are_there_once() {
        for (i, f) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[..i].iter().all(|g| g.name != f.name), "{}", f.name);
        }
    }
}
