//! Formulas in the indices as text, LaTeX and MathML.
//!
//! Problem: one formula for three readers.
//! Method:  the factored expression is walked once; every piece is a [`MathText`], which holds the three forms. Running
//!          indices get letters that no symbol of the formula has.

use super::MathText;
use crate::algebra::Ratio;
use crate::indexed::{
    Base, Delta, Expression, Index, IndexedFormula, Named, Range, Stem, Sum, Term, expressions,
};

/// Letters of running indices.
const LETTERS: [&str; 8] = ["k", "s", "p", "r", "a", "b", "d", "e"];
/// The larger and the smaller of i and j.
const EXTREMES: [&str; 2] = ["h", "g"];

/// How indices are called.
#[derive(Clone, Debug)]
pub struct Style {
    /// The number of links.
    pub n: String,
    /// Row, column.
    pub free: [String; 2],
    running: Vec<String>,
}

impl Style {
    /// `i`, `j` and the given name of the number of links.
    pub fn new(n: &str) -> Self {
        let running = LETTERS.iter().filter(|l| **l != n).map(|l| (*l).to_owned()).collect();
        Style { n: n.to_owned(), free: ["i".to_owned(), "j".to_owned()], running }
    }
}

/// The formula of each part, and the indices it is stated for.
pub fn formula(f: &IndexedFormula, style: &Style) -> Vec<(MathText, Option<MathText>)> {
    let conditions = f.parts.iter().map(|(range, terms)| conditions(*range, terms, style));
    expressions(f).iter().map(|(_, e)| sum_or_term(e, style)).zip(conditions).collect()
}

/// A symbol with an index: `m_i`, or a scalar.
pub fn symbol(stem: &Stem, index: Option<&str>) -> MathText {
    let mut name = stem.before.trim_end_matches('_').to_owned();
    name.push_str(&stem.after);
    let base = MathText::identifier(&name);
    match index {
        None => base,
        Some(index) => subscript(&base, &word(index)),
    }
}

/// `x²`
pub fn square(x: &MathText) -> MathText {
    superscript(x, &MathText::integer(2))
}

fn op(symbol: &str, latex: &str) -> MathText {
    MathText::operator(symbol, latex)
}

fn word(name: &str) -> MathText {
    MathText::identifier(name)
}

fn subscript(base: &MathText, index: &MathText) -> MathText {
    let short = index.text.chars().map(small).collect::<Option<String>>();
    let text = match short {
        Some(small) => format!("{}{small}", base.text),
        None if index.text.chars().count() == 1 => format!("{}_{}", base.text, index.text),
        None => format!("{}_({})", base.text, index.text),
    };
    let plain = !base.latex.contains('_');
    let latex = if plain { base.latex.clone() } else { format!("{{{}}}", base.latex) };
    MathText::new(
        text,
        format!("{latex}_{{{}}}", index.latex),
        format!("<msub><mrow>{}</mrow><mrow>{}</mrow></msub>", base.mathml, index.mathml),
    )
}

/// A letter below the line, for terminals.
fn small(c: char) -> Option<char> {
    let at = "0123456789aehijklmnoprstuvx+-".chars().position(|x| x == c)?;
    "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋".chars().nth(at)
}

fn superscript(base: &MathText, exponent: &MathText) -> MathText {
    let digit =
        |c: char| "0123456789".chars().position(|x| x == c).and_then(|at| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(at));
    let text = match exponent.text.chars().map(digit).collect::<Option<String>>() {
        Some(small) => format!("{}{small}", base.text),
        None => format!("{}^({})", base.text, exponent.text),
    };
    MathText::new(
        text,
        format!("{}^{{{}}}", base.latex, exponent.latex),
        format!("<msup><mrow>{}</mrow><mrow>{}</mrow></msup>", base.mathml, exponent.mathml),
    )
}

fn index(i: Index, style: &Style) -> MathText {
    let base = match i.base {
        Base::Zero => return MathText::integer(i.offset),
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
            MathText::row([base, sign, MathText::integer(o.abs())])
        }
    }
}

fn delta(d: Delta, style: &Style) -> MathText {
    let (a, b) = (index(d.a, style), index(d.b, style));
    let short = a.text.chars().count() == 1 && b.text.chars().count() == 1;
    let both = if short { MathText::row([a, b]) } else { MathText::row([a, op(",", ","), b]) };
    let delta = subscript(&word("delta"), &both);
    if d.equal {
        delta
    } else {
        MathText::row([op("(", "("), MathText::integer(1), op(" − ", " - "), delta, op(")", ")")])
    }
}

/// For which indices a part is stated, and what its letters mean.
fn conditions(range: Range, terms: &[Term], style: &Style) -> Option<MathText> {
    let [i, j] = &style.free;
    let compare = |sign: &str, latex: &str| MathText::row([word(i), op(sign, latex), word(j)]);
    let mut all = match range {
        Range::All => vec![],
        Range::Symmetric => vec![compare(" ≤ ", r" \le "), MathText::words("symmetric")],
        Range::Antisymmetric => vec![compare(" < ", " < "), MathText::words("antisymmetric")],
        Range::Upper => vec![compare(" ≤ ", r" \le ")],
        Range::Lower => vec![compare(" > ", " > ")],
    };
    let names = [(Base::Max, "max", r"\max"), (Base::Min, "min", r"\min")];
    for ((base, text, latex), letter) in names.into_iter().zip(EXTREMES) {
        if terms.iter().any(|t| t.mentions(base)) {
            all.push(MathText::row([
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
    (!parts.is_empty()).then(|| MathText::row(parts))
}

fn bracketed(inner: MathText) -> MathText {
    MathText::row([op("(", r"\left("), inner, op(")", r"\right)")])
}

fn sum_or_term(e: &Expression, style: &Style) -> MathText {
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
    MathText::row(parts)
}

fn signed(e: &Expression, style: &Style) -> MathText {
    let (number, rest) = e.split_number();
    if number < Ratio::ZERO {
        let number = number.checked_neg().unwrap_or(number);
        MathText::row([op("−", "-"), times(number, &rest, true, style)])
    } else {
        times(number, &rest, false, style)
    }
}

fn number(r: Ratio) -> MathText {
    if r.is_integer() {
        return MathText::integer(r.num());
    }
    MathText::new(
        format!("{}/{}", r.num(), r.den()),
        format!(r"\tfrac{{{}}}{{{}}}", r.num(), r.den()),
        format!("<mfrac><mn>{}</mn><mn>{}</mn></mfrac>", r.num(), r.den()),
    )
}

/// A positive number times something without a number; behind a minus sign a sum needs brackets.
fn times(by: Ratio, rest: &Expression, negative: bool, style: &Style) -> MathText {
    if *rest == Expression::Number(Ratio::ONE) {
        return number(by);
    }
    let space = || MathText::new(" ", " ", "<mo>⁢</mo>");
    let mut parts = Vec::new();
    if !by.is_one() {
        parts.extend([number(by), space()]);
    }
    let factors = match rest {
        Expression::Multiply(factors) => &factors[..],
        other => std::slice::from_ref(other),
    };
    let last = factors.len().saturating_sub(1);
    for (k, f) in factors.iter().enumerate() {
        if k > 0 {
            parts.push(space());
        }
        let alone = factors.len() == 1 && by.is_one() && !negative;
        let open = match f {
            Expression::Add(_) => !alone,
            // A sum reaches as far as the product does.
            Expression::Sum(..) => k < last,
            _ => false,
        };
        let text = piece(f, style);
        parts.push(if open { bracketed(text) } else { text });
    }
    MathText::row(parts)
}

fn piece(e: &Expression, style: &Style) -> MathText {
    match e {
        Expression::Number(r) => number(*r),
        Expression::Index(i) => index(*i, style),
        Expression::Symbol(named) => named_symbol(named, style),
        Expression::Power(x, a, b) => superscript(&piece(x, style), &exponent(*a, *b, style)),
        Expression::Function(name, x, power) => function(name, x, *power, style),
        Expression::Sum(level, sum, x) => {
            let body = match &**x {
                Expression::Add(_) => bracketed(sum_or_term(x, style)),
                other => signed(other, style),
            };
            big_sum(*level, *sum, body, style)
        }
        Expression::Add(_) | Expression::Multiply(_) => sum_or_term(e, style),
        Expression::Delta(d) => delta(*d, style),
    }
}

fn named_symbol(named: &Named, style: &Style) -> MathText {
    let base = symbol(&named.stem, None);
    match named.index {
        None => base,
        Some(i) => subscript(&base, &index(i, style)),
    }
}

fn exponent(a: i64, b: i64, style: &Style) -> MathText {
    if b == 0 {
        return MathText::integer(a);
    }
    let mut parts = vec![MathText::integer(a), if b < 0 { op(" - ", "-") } else { op("+", "+") }];
    if b.abs() != 1 {
        parts.push(MathText::integer(b.abs()));
    }
    parts.push(delta(Delta::DIAGONAL, style));
    MathText::row(parts)
}

fn function(name: &str, x: &Expression, power: i64, style: &Style) -> MathText {
    let head = MathText::new(name, format!(r"\{name}"), format!("<mi>{name}</mi>"));
    let head = if power == 1 { head } else { superscript(&head, &MathText::integer(power)) };
    match x {
        Expression::Symbol(named) => {
            let argument = named_symbol(named, style);
            let space = MathText::new(" ", " ", "<mo>⁡</mo>");
            MathText::row([head, space, argument])
        }
        other => MathText::row([head, bracketed(sum_or_term(other, style))]),
    }
}

fn big_sum(level: usize, sum: Sum, body: MathText, style: &Style) -> MathText {
    let k = index(Index::of(Base::Run(level)), style);
    let (from, to) = (index(sum.from, style), index(sum.to, style));
    MathText::new(
        format!("Σ[{}={}..{}] {}", k.text, from.text, to.text, body.text),
        format!(r"\sum_{{{}={}}}^{{{}}} {}", k.latex, from.latex, to.latex, body.latex),
        format!(
            "<mrow><munderover><mo>∑</mo><mrow>{}<mo>=</mo>{}</mrow><mrow>{}</mrow></munderover>{}</mrow>",
            k.mathml, from.mathml, to.mathml, body.mathml
        ),
    )
}
