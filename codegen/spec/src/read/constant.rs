//! Numeric values of formulas in numbers and constant parameters, where a spec requires numbers:
//! the components of an axis.

use std::collections::BTreeMap;

use crate::spec::Parameter;
use crate::spec::formula::{Expr, Node, Operator, scale_to_si};
use dqdt_algebra::{Func, Func2, Number, Ratio, Scalar};

/// Values of the constant parameters of a spec, by name.
pub(super) type Constants = BTreeMap<String, Number>;

/// Evaluates all constant parameters of a spec that can be evaluated while it is read; axes may use
/// them.
pub(super) fn evaluate_constants(parameters: &[Parameter]) -> Constants {
    let mut known = Constants::new();
    // A parameter may be defined before those it depends on, so this takes one pass for each link
    // of the longest chain.
    loop {
        let before = known.len();
        for p in parameters.iter().filter(|p| p.constant) {
            let Some(expr) = p.value.expr() else { continue };
            let Ok(value) = evaluate_constant_formula(expr, &known) else { continue };
            // A bare number is in the unit of its parameter.
            let bare =
                matches!(expr.nodes(), [(Node::Number(_), _)] | [(Node::Number(_), _), (Node::Neg(_), _)]);
            let value = match p.unit.as_ref().filter(|_| bare) {
                Some(u) => scale_to_si(value, u.unit),
                None => Some(value),
            };
            known.extend(value.map(|v| (p.name.value.clone(), v)));
        }
        if known.len() == before {
            return known;
        }
    }
}

/// Value of a formula of numbers and constant parameters, exact if it is rational or a multiple of
/// π. The error is the name or the function that has no value here.
pub(super) fn evaluate_constant_formula<'e>(
    expr: &'e Expr,
    constants: &Constants,
) -> Result<Number, &'e str> {
    let mut values: Vec<Number> = Vec::with_capacity(expr.nodes().len());
    for (node, _) in expr.nodes() {
        let at = |i: usize| values[i];
        let value = match node {
            Node::Number(n) | Node::Quantity(n, _) => *n,
            Node::Name(name) if name == "pi" => Number::pi(Ratio::ONE),
            Node::Name(name) => *constants.get(name).ok_or(name.as_str())?,
            Node::Neg(a) => at(*a).checked_neg().unwrap_or_else(|| Number::float(-at(*a).to_f64())),
            Node::Binary(op, a, b) => apply_operator(*op, at(*a), at(*b)),
            Node::Call(name, args) => {
                let args: Vec<Number> = args.iter().map(|a| at(*a)).collect();
                apply_constant_function(name, &args).ok_or(name.as_str())?
            }
            Node::If(cmp, [a, b, yes, no]) => {
                let holds = f64::select(*cmp, at(*a).to_f64(), at(*b).to_f64(), 1.0, 0.0) > 0.5;
                at(if holds { *yes } else { *no })
            }
        };
        values.push(value);
    }
    values.pop().ok_or("")
}

/// Result of an arithmetic operator on numbers; exact if possible.
fn apply_operator(op: Operator, a: Number, b: Number) -> Number {
    let (x, y) = (a.to_f64(), b.to_f64());
    let (exact, rounded) = match op {
        Operator::Add => (a.checked_add(b), x + y),
        Operator::Sub => (b.checked_neg().and_then(|b| a.checked_add(b)), x - y),
        Operator::Mul => (a.checked_mul(b), x * y),
        Operator::Div => (a.checked_div(b), x / y),
        Operator::Pow => {
            let whole = b.as_ratio().filter(|r| r.is_integer() && (0..=8).contains(&r.num()));
            let power = whole.and_then(|r| (0..r.num()).try_fold(Number::ONE, |p, _| p.checked_mul(a)));
            (power, x.powf(y))
        }
    };
    exact.unwrap_or_else(|| Number::float(rounded))
}

/// Value of a function that formulas of constants may call; `None` for all others.
fn apply_constant_function(name: &str, args: &[Number]) -> Option<Number> {
    let value = |i: usize| args[i].to_f64();
    Some(match (name, args) {
        ("sqrt", [x]) => x.exact_sqrt().unwrap_or_else(|| Number::float(x.to_f64().sqrt())),
        ("sin", [x]) => round_trigonometric_value(*x, x.to_f64().sin()),
        ("cos", [x]) => round_trigonometric_value(*x, x.to_f64().cos()),
        ("tan", [x]) => round_trigonometric_value(*x, x.to_f64().tan()),
        ("abs", [x]) => {
            if x.to_f64() < 0.0 {
                apply_operator(Operator::Sub, Number::ZERO, *x)
            } else {
                *x
            }
        }
        ("asin", [_]) => Number::float(Func::Asin.eval(value(0))),
        ("acos", [_]) => Number::float(Func::Acos.eval(value(0))),
        ("atan", [_]) => Number::float(Func::Atan.eval(value(0))),
        ("atan2", [_, _]) => Number::float(Func2::Atan2.eval(value(0), value(1))),
        _ => return None,
    })
}

/// Value of a trigonometric function of `angle`. At multiples of π/12 its rational values, such as
/// ±1/2, are made exact.
fn round_trigonometric_value(angle: Number, value: f64) -> Number {
    let special = match angle {
        Number::Pi(r) => 12 % r.den() == 0,
        other => other.is_zero(),
    };
    let twice = (2.0 * value).round();
    if special && (2.0 * value - twice).abs() < 1e-14 && twice.abs() <= 2.0 {
        return Number::ratio(twice as i64, 2).unwrap_or(Number::float(value));
    }
    Number::float(value)
}
