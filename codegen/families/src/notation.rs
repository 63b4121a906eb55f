//! Converts indexed formulas to printable mathematics.
//!
//! Method:  one walk over the factored expression gives a tree of [`Math`]. Running indices get
//!          fixed letters, without the letter of the number of links.

use crate::indexed::{
    Base, Delta, Expression, Index, IndexedFormula, Named, Range, Stem, Sum, Term, factor_formula,
};
use dqdt_algebra::Ratio;
use dqdt_document::report::{Math, Spacing};

/// Letters for running indices of sums in printed formulas.
const LETTERS: [&str; 8] = ["k", "s", "p", "r", "a", "b", "d", "e"];
/// Letters for max(i, j) and min(i, j) in printed formulas.
const EXTREMES: [&str; 2] = ["h", "g"];

/// Names of the indices in printed formulas.
#[derive(Clone, Debug)]
pub struct Style {
    /// Name of the number of links, such as `n`.
    pub n: String,
    /// Names of the row and the column index, `i` and `j` by default.
    pub free_indices: [String; 2],
    running: Vec<String>,
}

impl Style {
    /// A style with the indices `i` and `j`, and this name for the number of links.
    pub fn new(n: &str) -> Self {
        let running = LETTERS.iter().filter(|l| **l != n).map(|l| (*l).to_owned()).collect();
        Style { n: n.to_owned(), free_indices: ["i".to_owned(), "j".to_owned()], running }
    }
}

/// Converts each part of a formula to mathematics, with the condition on the indices for which it
/// holds.
pub fn formula_math(f: &IndexedFormula, style: &Style) -> Vec<(Math, Option<Math>)> {
    let conditions = f.parts.iter().map(|(range, terms)| range_condition_math(*range, terms, style));
    factor_formula(f).iter().map(|(_, e)| sum_math(e, style)).zip(conditions).collect()
}

/// The mathematics of a symbol with or without an index, such as `m_i`.
pub fn symbol_math(stem: &Stem, index: Option<&str>) -> Math {
    let mut name = stem.prefix.trim_end_matches('_').to_owned();
    name.push_str(&stem.suffix);
    let base = Math::identifier(&name);
    match index {
        None => base,
        Some(index) => base.with_subscript(identifier_math(index)),
    }
}

/// The mathematics of the square `x²`, for products of equal rates.
pub fn square_math(x: &Math) -> Math {
    x.clone().to_power(Math::integer(2))
}

/// An operator by its text and its LaTeX.
fn operator_math(symbol: &str, latex: &str) -> Math {
    Math::operator(symbol, latex)
}

/// An identifier as mathematics.
fn identifier_math(name: &str) -> Math {
    Math::identifier(name)
}

/// The mathematics of an index expression, such as `j + 1`.
fn index_math(i: Index, style: &Style) -> Math {
    let base = match i.base {
        Base::Zero => return Math::integer(i.offset),
        Base::I => identifier_math(&style.free_indices[0]),
        Base::J => identifier_math(&style.free_indices[1]),
        Base::N => identifier_math(&style.n),
        Base::Run(k) => {
            style.running.get(k).map_or_else(|| identifier_math(&format!("k{k}")), |l| identifier_math(l))
        }
        Base::Max => identifier_math(EXTREMES[0]),
        Base::Min => identifier_math(EXTREMES[1]),
    };
    match i.offset {
        0 => base,
        o => {
            let sign = if o < 0 { operator_math("-", "-") } else { operator_math("+", "+") };
            Math::row([base, sign, Math::integer(o.abs())])
        }
    }
}

/// The mathematics of a Kronecker delta, `δ_ij` or `(1 − δ_ij)`.
fn delta_math(d: Delta, style: &Style) -> Math {
    let (a, b) = (index_math(d.a, style), index_math(d.b, style));
    let short = [&a, &b].iter().all(|x| x.text().chars().count() == 1);
    let both = if short { Math::row([a, b]) } else { Math::row([a, operator_math(",", ","), b]) };
    let delta = identifier_math("delta").with_subscript(both);
    if d.equal {
        delta
    } else {
        Math::row([
            operator_math("(", "("),
            Math::integer(1),
            operator_math(" − ", " - "),
            delta,
            operator_math(")", ")"),
        ])
    }
}

/// The condition under which a part of a formula holds, with definitions of the letters for max(i,
/// j) and min(i, j).
fn range_condition_math(range: Range, terms: &[Term], style: &Style) -> Option<Math> {
    let [i, j] = &style.free_indices;
    let compare = |sign: &str, latex: &str| {
        Math::row([identifier_math(i), operator_math(sign, latex), identifier_math(j)])
    };
    let mut all = match range {
        Range::All => vec![],
        Range::Symmetric => vec![compare(" ≤ ", r" \le "), Math::words("symmetric")],
        Range::Antisymmetric => vec![compare(" < ", " < "), Math::words("antisymmetric")],
        Range::Upper => vec![compare(" ≤ ", r" \le ")],
        Range::Lower => vec![compare(" > ", " > ")],
    };
    let names = [(Base::Max, "max", r"\max"), (Base::Min, "min", r"\min")];
    for ((base, text, latex), letter) in names.into_iter().zip(EXTREMES) {
        if terms.iter().any(|t| t.uses_index_base(base)) {
            all.push(Math::row([
                identifier_math(letter),
                operator_math(" = ", " = "),
                operator_math(text, latex),
                operator_math("(", "("),
                identifier_math(i),
                operator_math(", ", ", "),
                identifier_math(j),
                operator_math(")", ")"),
            ]));
        }
    }
    let mut parts = Vec::new();
    for (k, condition) in all.into_iter().enumerate() {
        if k > 0 {
            parts.push(operator_math(", ", ",\\ "));
        }
        parts.push(condition);
    }
    (!parts.is_empty()).then(|| Math::row(parts))
}

/// The mathematics of a sum of terms, or of one term with its sign.
fn sum_math(e: &Expression, style: &Style) -> Math {
    let Expression::Add(terms) = e else { return signed_term_math(e, style) };
    let mut parts = Vec::new();
    for (k, t) in terms.iter().enumerate() {
        let (number, rest) = t.split_leading_number();
        let negative = number < Ratio::ZERO;
        if k == 0 {
            parts.push(signed_term_math(t, style));
            continue;
        }
        parts.push(if negative { operator_math(" − ", " - ") } else { operator_math(" + ", " + ") });
        let number = if negative { number.checked_neg().unwrap_or(number) } else { number };
        parts.push(product_math(number, &rest, negative, style));
    }
    Math::row(parts)
}

/// The mathematics of one term with a leading minus sign if it is negative.
fn signed_term_math(e: &Expression, style: &Style) -> Math {
    let (number, rest) = e.split_leading_number();
    if number < Ratio::ZERO {
        let number = number.checked_neg().unwrap_or(number);
        Math::row([operator_math("−", "-"), product_math(number, &rest, true, style)])
    } else {
        product_math(number, &rest, false, style)
    }
}

/// The mathematics of a rational number, as an integer or a fraction.
fn number_math(r: Ratio) -> Math {
    if r.is_integer() {
        return Math::integer(r.num());
    }
    Math::integer(r.num()).quotient(Math::integer(r.den()))
}

/// The space that separates factors.
fn times_sign() -> Math {
    Math::Spacing(Spacing::Times)
}

/// The mathematics of a positive number times an expression without a leading number. After a minus
/// sign a sum needs brackets.
fn product_math(by: Ratio, rest: &Expression, negative: bool, style: &Style) -> Math {
    if *rest == Expression::Number(Ratio::ONE) {
        return number_math(by);
    }
    let mut parts = Vec::new();
    if !by.is_one() {
        parts.extend([number_math(by), times_sign()]);
    }
    let factors = match rest {
        Expression::Multiply(factors) => &factors[..],
        other => std::slice::from_ref(other),
    };
    let last = factors.len().saturating_sub(1);
    for (k, f) in factors.iter().enumerate() {
        if k > 0 {
            parts.push(times_sign());
        }
        let alone = factors.len() == 1 && by.is_one() && !negative;
        let open = match f {
            Expression::Add(_) => !alone,
            // A big sum extends to the end of the product.
            Expression::Sum(..) => k < last,
            _ => false,
        };
        let text = factor_math(f, style);
        parts.push(if open { text.bracketed() } else { text });
    }
    Math::row(parts)
}

/// The mathematics of one factor of a product.
fn factor_math(e: &Expression, style: &Style) -> Math {
    match e {
        Expression::Number(r) => number_math(*r),
        Expression::Index(i) => index_math(*i, style),
        Expression::Symbol(named) => indexed_symbol_math(named, style),
        Expression::Power(x, a, b) => factor_math(x, style).to_power(exponent_math(*a, *b, style)),
        Expression::Function(name, x, power) => function_math(name, x, *power, style),
        Expression::Sum(level, sum, x) => {
            let body = match &**x {
                Expression::Add(_) => sum_math(x, style).bracketed(),
                other => signed_term_math(other, style),
            };
            big_sum_math(*level, *sum, body, style)
        }
        Expression::Add(_) | Expression::Multiply(_) => sum_math(e, style),
        Expression::Delta(d) => delta_math(*d, style),
    }
}

/// The mathematics of a symbol with its index expression.
fn indexed_symbol_math(named: &Named, style: &Style) -> Math {
    let base = symbol_math(&named.stem, None);
    match named.index {
        None => base,
        Some(i) => base.with_subscript(index_math(i, style)),
    }
}

/// The mathematics of the exponent `a + b δ_ij`.
fn exponent_math(a: i64, b: i64, style: &Style) -> Math {
    if b == 0 {
        return Math::integer(a);
    }
    let mut parts =
        vec![Math::integer(a), if b < 0 { operator_math(" - ", "-") } else { operator_math("+", "+") }];
    if b.abs() != 1 {
        parts.push(Math::integer(b.abs()));
    }
    parts.push(delta_math(Delta::DIAGONAL, style));
    Math::row(parts)
}

/// The mathematics of a function of an argument, to a power.
fn function_math(name: &str, x: &Expression, power: i64, style: &Style) -> Math {
    let head = Math::Function(name.to_owned());
    let head = if power == 1 { head } else { head.to_power(Math::integer(power)) };
    match x {
        Expression::Symbol(named) => {
            Math::row([head, Math::Spacing(Spacing::Argument), indexed_symbol_math(named, style)])
        }
        other => Math::function_call(head, [sum_math(other, style)]),
    }
}

/// The mathematics of a sum `Σ` over a running index.
fn big_sum_math(level: usize, sum: Sum, body: Math, style: &Style) -> Math {
    let k = index_math(Index::new(Base::Run(level)), style);
    let (from, to) = (index_math(sum.from, style), index_math(sum.to, style));
    Math::Sum([k, from, to, body].map(Box::new))
}
