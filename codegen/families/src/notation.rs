//! Converts indexed formulas to printable mathematics.
//!
//! Method:  one walk over the factored expression gives a tree of [`Math`]. Running indices get
//!          fixed letters, without the letter of the number of links.

use crate::indexed::{
    Base, Delta, Expression, Index, IndexedFormula, Named, Range, Stem, Sum, Term, expressions,
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
    pub free: [String; 2],
    running: Vec<String>,
}

impl Style {
    /// A style with the indices `i` and `j`, and this name for the number of links.
    pub fn new(n: &str) -> Self {
        let running = LETTERS.iter().filter(|l| **l != n).map(|l| (*l).to_owned()).collect();
        Style { n: n.to_owned(), free: ["i".to_owned(), "j".to_owned()], running }
    }
}

/// Converts each part of a formula to mathematics, with the condition on the indices for which it
/// holds.
pub fn formula(f: &IndexedFormula, style: &Style) -> Vec<(Math, Option<Math>)> {
    let conditions = f.parts.iter().map(|(range, terms)| conditions(*range, terms, style));
    expressions(f).iter().map(|(_, e)| sum_or_term(e, style)).zip(conditions).collect()
}

/// The mathematics of a symbol with or without an index, such as `m_i`.
pub fn symbol(stem: &Stem, index: Option<&str>) -> Math {
    let mut name = stem.before.trim_end_matches('_').to_owned();
    name.push_str(&stem.after);
    let base = Math::identifier(&name);
    match index {
        None => base,
        Some(index) => base.lowered(word(index)),
    }
}

/// The mathematics of the square `x²`, for products of equal rates.
pub fn square(x: &Math) -> Math {
    x.clone().raised(Math::integer(2))
}

/// An operator by its text and its LaTeX.
fn op(symbol: &str, latex: &str) -> Math {
    Math::operator(symbol, latex)
}

/// An identifier as mathematics.
fn word(name: &str) -> Math {
    Math::identifier(name)
}

/// The mathematics of an index expression, such as `j + 1`.
fn index(i: Index, style: &Style) -> Math {
    let base = match i.base {
        Base::Zero => return Math::integer(i.offset),
        Base::I => word(&style.free[0]),
        Base::J => word(&style.free[1]),
        Base::N => word(&style.n),
        Base::Run(k) => style.running.get(k).map_or_else(|| word(&format!("k{k}")), |l| word(l)),
        Base::Max => word(EXTREMES[0]),
        Base::Min => word(EXTREMES[1]),
    };
    match i.offset {
        0 => base,
        o => {
            let sign = if o < 0 { op("-", "-") } else { op("+", "+") };
            Math::row([base, sign, Math::integer(o.abs())])
        }
    }
}

/// The mathematics of a Kronecker delta, `δ_ij` or `(1 − δ_ij)`.
fn delta(d: Delta, style: &Style) -> Math {
    let (a, b) = (index(d.a, style), index(d.b, style));
    let short = [&a, &b].iter().all(|x| x.text().chars().count() == 1);
    let both = if short { Math::row([a, b]) } else { Math::row([a, op(",", ","), b]) };
    let delta = word("delta").lowered(both);
    if d.equal {
        delta
    } else {
        Math::row([op("(", "("), Math::integer(1), op(" − ", " - "), delta, op(")", ")")])
    }
}

/// The condition under which a part of a formula holds, with definitions of the letters for max(i,
/// j) and min(i, j).
fn conditions(range: Range, terms: &[Term], style: &Style) -> Option<Math> {
    let [i, j] = &style.free;
    let compare = |sign: &str, latex: &str| Math::row([word(i), op(sign, latex), word(j)]);
    let mut all = match range {
        Range::All => vec![],
        Range::Symmetric => vec![compare(" ≤ ", r" \le "), Math::words("symmetric")],
        Range::Antisymmetric => vec![compare(" < ", " < "), Math::words("antisymmetric")],
        Range::Upper => vec![compare(" ≤ ", r" \le ")],
        Range::Lower => vec![compare(" > ", " > ")],
    };
    let names = [(Base::Max, "max", r"\max"), (Base::Min, "min", r"\min")];
    for ((base, text, latex), letter) in names.into_iter().zip(EXTREMES) {
        if terms.iter().any(|t| t.mentions(base)) {
            all.push(Math::row([
                word(letter),
                op(" = ", " = "),
                op(text, latex),
                op("(", "("),
                word(i),
                op(", ", ", "),
                word(j),
                op(")", ")"),
            ]));
        }
    }
    let mut parts = Vec::new();
    for (k, condition) in all.into_iter().enumerate() {
        if k > 0 {
            parts.push(op(", ", ",\\ "));
        }
        parts.push(condition);
    }
    (!parts.is_empty()).then(|| Math::row(parts))
}

/// The mathematics of a sum of terms, or of one term with its sign.
fn sum_or_term(e: &Expression, style: &Style) -> Math {
    let Expression::Add(terms) = e else { return signed(e, style) };
    let mut parts = Vec::new();
    for (k, t) in terms.iter().enumerate() {
        let (number, rest) = t.split_number();
        let negative = number < Ratio::ZERO;
        if k == 0 {
            parts.push(signed(t, style));
            continue;
        }
        parts.push(if negative { op(" − ", " - ") } else { op(" + ", " + ") });
        let number = if negative { number.checked_neg().unwrap_or(number) } else { number };
        parts.push(times(number, &rest, negative, style));
    }
    Math::row(parts)
}

/// The mathematics of one term with a leading minus sign if it is negative.
fn signed(e: &Expression, style: &Style) -> Math {
    let (number, rest) = e.split_number();
    if number < Ratio::ZERO {
        let number = number.checked_neg().unwrap_or(number);
        Math::row([op("−", "-"), times(number, &rest, true, style)])
    } else {
        times(number, &rest, false, style)
    }
}

/// The mathematics of a rational number, as an integer or a fraction.
fn number(r: Ratio) -> Math {
    if r.is_integer() {
        return Math::integer(r.num());
    }
    Math::integer(r.num()).over(Math::integer(r.den()))
}

/// The space that separates factors.
fn times_sign() -> Math {
    Math::Spacing(Spacing::Times)
}

/// The mathematics of a positive number times an expression without a leading number. After a minus
/// sign a sum needs brackets.
fn times(by: Ratio, rest: &Expression, negative: bool, style: &Style) -> Math {
    if *rest == Expression::Number(Ratio::ONE) {
        return number(by);
    }
    let mut parts = Vec::new();
    if !by.is_one() {
        parts.extend([number(by), times_sign()]);
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
        let text = piece(f, style);
        parts.push(if open { text.bracketed() } else { text });
    }
    Math::row(parts)
}

/// The mathematics of one factor of a product.
fn piece(e: &Expression, style: &Style) -> Math {
    match e {
        Expression::Number(r) => number(*r),
        Expression::Index(i) => index(*i, style),
        Expression::Symbol(named) => named_symbol(named, style),
        Expression::Power(x, a, b) => piece(x, style).raised(exponent(*a, *b, style)),
        Expression::Function(name, x, power) => function(name, x, *power, style),
        Expression::Sum(level, sum, x) => {
            let body = match &**x {
                Expression::Add(_) => sum_or_term(x, style).bracketed(),
                other => signed(other, style),
            };
            big_sum(*level, *sum, body, style)
        }
        Expression::Add(_) | Expression::Multiply(_) => sum_or_term(e, style),
        Expression::Delta(d) => delta(*d, style),
    }
}

/// The mathematics of a symbol with its index expression.
fn named_symbol(named: &Named, style: &Style) -> Math {
    let base = symbol(&named.stem, None);
    match named.index {
        None => base,
        Some(i) => base.lowered(index(i, style)),
    }
}

/// The mathematics of the exponent `a + b δ_ij`.
fn exponent(a: i64, b: i64, style: &Style) -> Math {
    if b == 0 {
        return Math::integer(a);
    }
    let mut parts = vec![Math::integer(a), if b < 0 { op(" - ", "-") } else { op("+", "+") }];
    if b.abs() != 1 {
        parts.push(Math::integer(b.abs()));
    }
    parts.push(delta(Delta::DIAGONAL, style));
    Math::row(parts)
}

/// The mathematics of a function of an argument, to a power.
fn function(name: &str, x: &Expression, power: i64, style: &Style) -> Math {
    let head = Math::Function(name.to_owned());
    let head = if power == 1 { head } else { head.raised(Math::integer(power)) };
    match x {
        Expression::Symbol(named) => {
            Math::row([head, Math::Spacing(Spacing::Argument), named_symbol(named, style)])
        }
        other => Math::call(head, [sum_or_term(other, style)]),
    }
}

/// The mathematics of a sum `Σ` over a running index.
fn big_sum(level: usize, sum: Sum, body: Math, style: &Style) -> Math {
    let k = index(Index::new(Base::Run(level)), style);
    let (from, to) = (index(sum.from, style), index(sum.to, style));
    Math::Sum([k, from, to, body].map(Box::new))
}
