//! Factors formulas for readers: common factors in front, and brackets.
//!
//! Problem: an inferred formula is a list of products.
//! Method:  each term is a left part (numbers, symbols, sums) times a right part (sines, cosines,
//!          tangents of free indices). Terms with the same right part share a bracket; a term with
//!          `δ_ij` joins it if both right parts are equal on the diagonal. Brackets that are equal
//!          up to a number are written once. Common factors within a bracket move in front of it.
//! Not handled: scalars go left or right, whichever is shorter; other rearrangements are not tried.
//!
//! Above 500 lines: the steps share the private types of split terms and brackets.

use super::formula::{
    Angle, Base, Coefficient, Delta, Factor, FactorFunction, Index, IndexedFormula, Named, Range, Sum, Term,
    Wave,
};
use dqdt_algebra::Ratio;

/// A factored formula as a tree, for printers of mathematics and Rust.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Expression {
    /// A rational number, such as a coefficient.
    Number(Ratio),
    /// An index expression used as a number, as in the factor `n − j`.
    Index(Index),
    /// A symbol, possibly with an index.
    Symbol(Named),
    /// Power `x^(a + b δ_ij)`; a negative exponent divides.
    Power(Box<Expression>, i64, i64),
    /// A function (`sin`, `cos`, `tan`, `sec`) of an argument, to an integer power.
    Function(&'static str, Box<Expression>, i64),
    /// `Σ` over a running index; the first field is its position among nested sums, the last the
    /// summand.
    Sum(usize, Sum, Box<Expression>),
    /// Sum of these expressions.
    Add(Vec<Expression>),
    /// Product of these expressions.
    Multiply(Vec<Expression>),
    /// Kronecker delta `δ_ab`, or `1 − δ_ab`, of two indices.
    Delta(Delta),
}

impl Expression {
    fn product(factors: Vec<Expression>) -> Self {
        let mut flat = Vec::new();
        for f in factors {
            match f {
                Expression::Multiply(inner) => flat.extend(inner),
                Expression::Number(r) if r.is_one() => {}
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Expression::Number(Ratio::ONE),
            1 => flat.remove(0),
            _ => Expression::Multiply(flat),
        }
    }

    fn sum(mut terms: Vec<Expression>) -> Self {
        match terms.len() {
            0 => Expression::Number(Ratio::ZERO),
            1 => terms.remove(0),
            _ => Expression::Add(terms),
        }
    }

    /// Splits a product into its leading number and the remaining factors.
    pub fn split_number(&self) -> (Ratio, Expression) {
        match self {
            Expression::Number(r) => (*r, Expression::Number(Ratio::ONE)),
            Expression::Multiply(factors) => match factors.split_first() {
                Some((Expression::Number(r), rest)) => (*r, Expression::product(rest.to_vec())),
                _ => (Ratio::ONE, self.clone()),
            },
            _ => (Ratio::ONE, self.clone()),
        }
    }

    /// Size of the expression as a number of symbols to read, to select the shortest form.
    pub fn size(&self) -> usize {
        match self {
            Expression::Number(_) | Expression::Index(_) | Expression::Symbol(_) | Expression::Delta(_) => 1,
            Expression::Power(x, _, _) | Expression::Function(_, x, _) => 1 + x.size(),
            Expression::Sum(_, _, x) => 2 + x.size(),
            Expression::Add(all) | Expression::Multiply(all) => {
                1 + all.iter().map(Expression::size).sum::<usize>()
            }
        }
    }
}

/// Factors each part of a formula for readers; the range says for which entries the part holds.
pub fn expressions(formula: &IndexedFormula) -> Vec<(Range, Expression)> {
    formula.parts.iter().map(|(range, terms)| (*range, shorter(terms))).collect()
}

/// Factors terms with scalars left and right of the brackets, and returns the shorter result.
fn shorter(terms: &[Term]) -> Expression {
    let [a, b] = [false, true].map(|scalars_right| factor(terms, scalars_right));
    if b.size() < a.size() { b } else { a }
}

/// Contents of the nested sums of a term: a coefficient that depends on indices, factors, a sine or
/// cosine, and the sums.
type SumContents = (Coefficient, Vec<Factor>, Option<Wave>, Vec<Sum>);

/// A term as a product: number, conditions, left part (symbols, sums) and right part (sines,
/// cosines).
#[derive(Clone, PartialEq, Eq, Debug)]
struct Split {
    number: Ratio,
    deltas: Vec<Delta>,
    /// Symbols of the left part that are not under a sum.
    left: Vec<Factor>,
    inner: Option<SumContents>,
    right: Right,
}

impl Split {
    fn is_diagonal(&self) -> bool {
        self.deltas.contains(&Delta::DIAGONAL)
    }
}

/// Right part of a term: sines and cosines that do not depend on running indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Right {
    wave: Option<Wave>,
    factors: Vec<Factor>,
}

fn runs(index: Option<Index>) -> bool {
    index.is_some_and(|i| matches!(i.base, Base::Run(_)))
}

fn has_running_index(a: &Angle) -> bool {
    a.range.is_some_and(|(f, t)| runs(Some(f)) || runs(Some(t)))
}

/// Splits a term into left and right part; scalars go right if `scalars_right`.
fn split(term: &Term, scalars_right: bool) -> Split {
    let mut s = Split {
        number: term.coefficient.as_number().unwrap_or(Ratio::ONE),
        deltas: term.deltas.clone(),
        left: Vec::new(),
        inner: None,
        right: Right::default(),
    };
    let mut inner = Vec::new();
    for f in &term.factors {
        if runs(f.of.index) {
            inner.push(f.clone());
        } else if f.function != FactorFunction::Value || (scalars_right && f.of.index.is_none()) {
            s.right.factors.push(f.clone());
        } else {
            s.left.push(f.clone());
        }
    }
    let (mut wave, mut free) = (None, term.wave.clone());
    if free.as_ref().is_some_and(|w| w.angles.iter().any(has_running_index)) {
        (wave, free) = (free, None);
    }
    s.right.wave = free;
    let coefficient = match term.coefficient.as_number() {
        Some(_) => Coefficient::number(Ratio::ONE),
        None => {
            let (sign, coefficient) = positive(&term.coefficient);
            s.number = sign;
            coefficient
        }
    };
    if !term.sums.is_empty() || coefficient.as_number().is_none() {
        s.inner = Some((coefficient, inner, wave, term.sums.clone()));
    }
    s
}

/// A sum of left parts in brackets, with the right parts that multiply it.
struct Bracket {
    left: Vec<Split>,
    right: Vec<(Ratio, Right)>,
}

/// Factors terms: those with equal right parts share a bracket, equal brackets are written once.
fn factor(terms: &[Term], scalars_right: bool) -> Expression {
    let splits: Vec<Split> = terms.iter().map(|t| split(t, scalars_right)).collect();
    let mut groups: Vec<Bracket> = Vec::new();
    for s in splits.iter().filter(|s| !s.is_diagonal()) {
        match groups.iter_mut().find(|g| g.right[0].1 == s.right) {
            Some(g) => g.left.push(s.clone()),
            None => {
                groups.push(Bracket { left: vec![s.clone()], right: vec![(Ratio::ONE, s.right.clone())] })
            }
        }
    }
    for s in splits.iter().filter(|s| s.is_diagonal()) {
        let right = s.right.on_the_diagonal();
        match groups.iter_mut().find(|g| right.is_some() && g.right[0].1.on_the_diagonal() == right) {
            Some(g) => g.left.insert(g.left.iter().filter(|s| s.is_diagonal()).count(), s.clone()),
            None => {
                groups.push(Bracket { left: vec![s.clone()], right: vec![(Ratio::ONE, s.right.clone())] })
            }
        }
    }
    for g in &mut groups {
        g.left.sort_by_key(|s| (!s.is_diagonal(), s.inner.is_some()));
    }
    // Equal brackets are written once.
    let mut merged: Vec<Bracket> = Vec::new();
    for g in groups {
        match merged.iter_mut().find_map(|m| ratio(&g.left, &m.left).map(|r| (r, m))) {
            Some((r, m)) => m.right.push((r, g.right[0].1.clone())),
            None => merged.push(g),
        }
    }
    Expression::sum(merged.iter().map(Bracket::expression).collect())
}

/// The number `r` such that bracket `a` is `r` times bracket `b`, if there is one.
fn ratio(a: &[Split], b: &[Split]) -> Option<Ratio> {
    if a.len() != b.len() {
        return None;
    }
    let mut ratio = None;
    for x in a {
        let same = b.iter().find(|y| x.deltas == y.deltas && x.left == y.left && x.inner == y.inner)?;
        let r = x.number.checked_div(same.number)?;
        if *ratio.get_or_insert(r) != r {
            return None;
        }
    }
    ratio
}

/// The index at j = i: j, max(i, j) and min(i, j) become i.
fn index_on_the_diagonal(index: Index) -> Index {
    match index.base {
        Base::J | Base::Max | Base::Min => Index { base: Base::I, ..index },
        _ => index,
    }
}

impl Right {
    /// The right part at j = i, where equal angles cancel; `None` if it is zero there.
    fn on_the_diagonal(&self) -> Option<Right> {
        let mut factors: Vec<Factor> = Vec::new();
        for f in &self.factors {
            let named = Named { stem: f.of.stem.clone(), index: f.of.index.map(index_on_the_diagonal) };
            match factors.iter_mut().find(|g| g.function == f.function && g.of == named) {
                Some(g) => g.exponent += f.exponent,
                None => factors.push(Factor { of: named, ..f.clone() }),
            }
        }
        factors.sort();
        let mut wave = None;
        if let Some(w) = &self.wave {
            let mut angles: Vec<Angle> = Vec::new();
            for a in &w.angles {
                let range = a.range.map(|(f, t)| (index_on_the_diagonal(f), index_on_the_diagonal(t)));
                match angles.iter_mut().find(|b| b.stem == a.stem && b.range == range) {
                    Some(b) => b.multiple += a.multiple,
                    None => angles.push(Angle { range, ..a.clone() }),
                }
            }
            angles.retain(|a| a.multiple != 0);
            match (w.sine, angles.is_empty()) {
                (true, true) => return None,
                (false, true) => {}
                _ => wave = Some(Wave { sine: w.sine, angles }),
            }
        }
        Some(Right { wave, factors })
    }

    /// The right part as an expression, without the factors that `without` contains.
    fn expression(&self, without: &Right) -> Expression {
        let mut factors = Vec::new();
        if without.wave.is_none() {
            factors.extend(self.wave.as_ref().map(|w| wave(w, 0)));
        }
        let rest: Vec<Factor> =
            self.factors.iter().filter(|f| !without.factors.contains(f)).cloned().collect();
        // Symbols before functions.
        let (values, functions): (Vec<Factor>, Vec<Factor>) =
            rest.into_iter().partition(|f| f.function == FactorFunction::Value);
        let mut all: Vec<Expression> = values.iter().map(value).collect();
        all.append(&mut factors);
        all.extend(trigonometric(&functions));
        Expression::product(all)
    }
}

impl Bracket {
    /// The bracket times its right parts as an expression, common factors in front.
    fn expression(&self) -> Expression {
        let left = bracket(&self.left);
        let first = &self.right[0].1;
        let common = Right {
            wave: first.wave.clone().filter(|w| self.right.iter().all(|r| r.1.wave.as_ref() == Some(w))),
            factors: (first.factors.iter())
                .filter(|f| self.right.iter().all(|r| r.1.factors.contains(f)))
                .cloned()
                .collect(),
        };
        if self.right.len() == 1 {
            return Expression::product(vec![left, first.expression(&Right::default())]);
        }
        let terms = self
            .right
            .iter()
            .map(|(r, right)| Expression::product(vec![Expression::Number(*r), right.expression(&common)]));
        let mut terms: Vec<Expression> = terms.collect();
        terms.sort_by_key(|t| t.split_number().0 < Ratio::ZERO);
        let mut number = Ratio::ONE;
        if terms.iter().all(|t| t.split_number().0 < Ratio::ZERO) {
            number = Ratio::integer(-1);
        }
        for t in &mut terms {
            let (r, rest) = t.split_number();
            *t = Expression::product(vec![Expression::Number(r.checked_mul(number).unwrap_or(r)), rest]);
        }
        let sum = Expression::sum(terms);
        let (left_number, left) = left.split_number();
        let number = left_number.checked_mul(number).unwrap_or(left_number);
        Expression::product(vec![Expression::Number(number), left, common.expression(&Right::default()), sum])
    }
}

fn magnitude(r: Ratio) -> Ratio {
    if r < Ratio::ZERO { r.checked_neg().unwrap_or(r) } else { r }
}

/// A sum of left parts as an expression, common factors in front. Terms on the diagonal are
/// factored separately.
fn bracket(all: &[Split]) -> Expression {
    let (diagonal, rest): (Vec<&Split>, Vec<&Split>) = all.iter().partition(|s| s.is_diagonal());
    let mut terms: Vec<Expression> = factor_out_common(&diagonal).into_iter().collect();
    terms.extend(factor_out_common(&rest));
    let numbers: Vec<Ratio> = terms.iter().map(|t| t.split_number().0).collect();
    if let [first, _, ..] = numbers[..] {
        let mut common = if numbers.iter().all(|r| magnitude(*r) == magnitude(first)) {
            magnitude(first)
        } else {
            Ratio::ONE
        };
        if numbers.iter().all(|r| *r < Ratio::ZERO) {
            common = common.checked_neg().unwrap_or(common);
        }
        for t in &mut terms {
            let (r, rest) = t.split_number();
            *t = Expression::product(vec![Expression::Number(r.checked_div(common).unwrap_or(r)), rest]);
        }
        let sum = Expression::sum(terms);
        return Expression::product(vec![Expression::Number(common), sum]);
    }
    Expression::sum(terms)
}

/// A sum of left parts with their common number, deltas and symbols in front; `None` without parts.
fn factor_out_common(all: &[&Split]) -> Option<Expression> {
    let first = all.first()?;
    let left: Vec<Factor> =
        first.left.iter().filter(|f| all.iter().all(|s| s.left.contains(f))).cloned().collect();
    let deltas: Vec<Delta> =
        first.deltas.iter().filter(|d| all.iter().all(|s| s.deltas.contains(d))).copied().collect();
    let mut number = magnitude(first.number);
    if !all.iter().all(|s| magnitude(s.number) == number) {
        number = Ratio::ONE;
    }
    if all.iter().all(|s| s.number < Ratio::ZERO) {
        number = number.checked_neg().unwrap_or(number);
    }
    let mut terms: Vec<Expression> = Vec::with_capacity(all.len());
    for s in all {
        let mut factors = vec![Expression::Number(s.number.checked_div(number).unwrap_or(s.number))];
        factors.extend(s.deltas.iter().filter(|d| !deltas.contains(d)).map(|d| Expression::Delta(*d)));
        let rest: Vec<Factor> = s.left.iter().filter(|f| !left.contains(f)).cloned().collect();
        if let Some((coefficient, ..)) = &s.inner
            && coefficient.as_number().is_none()
            && !coefficient.0.iter().flat_map(|(b, _)| b).any(|b| matches!(b, Base::Run(_)))
        {
            factors.push(polynomial(coefficient));
        }
        factors.extend(rest.iter().map(value));
        if let Some((coefficient, inner, wave, sums)) = &s.inner {
            factors.push(nest_sums(coefficient, inner, wave.as_ref(), sums));
        }
        terms.push(Expression::product(factors));
    }
    terms.sort_by_key(|t| t.split_number().0 < Ratio::ZERO);
    let sum = Expression::sum(terms);
    let mut factors = vec![Expression::Number(number)];
    factors.extend(deltas.into_iter().map(Expression::Delta));
    let front = left.iter().map(value);
    // A bracket precedes its common factors; a single term follows them.
    if matches!(sum, Expression::Add(_)) {
        factors.push(sum);
        factors.extend(front);
    } else {
        factors.extend(front);
        factors.push(sum);
    }
    Some(Expression::product(factors))
}

/// Number of nested sums inside which an index has a value.
fn level(index: Index) -> usize {
    match index.base {
        Base::Run(k) => k + 1,
        _ => 0,
    }
}

fn wave_level(w: &Wave) -> usize {
    let ends = w.angles.iter().filter_map(|a| a.range).flat_map(|(f, t)| [level(f), level(t)]);
    ends.max().unwrap_or(0)
}

/// Nested sums, with each factor moved out of as many sums as possible.
fn nest_sums(coefficient: &Coefficient, factors: &[Factor], wave: Option<&Wave>, sums: &[Sum]) -> Expression {
    let of_coefficient =
        coefficient.0.iter().flat_map(|(b, _)| b).map(|b| level(Index::new(*b))).max().unwrap_or(0);
    let mut expression = Expression::Number(Ratio::ONE);
    for depth in (0..=sums.len()).rev() {
        let mut product = Vec::new();
        if of_coefficient == depth && depth > 0 {
            product.push(polynomial(coefficient));
        }
        product.extend(
            factors
                .iter()
                .filter(|f| f.function == FactorFunction::Value)
                .filter_map(|f| f.of.index.filter(|i| level(*i) == depth).map(|_| value(f))),
        );
        let functions: Vec<Factor> = (factors.iter())
            .filter(|f| f.function != FactorFunction::Value && f.of.index.is_some_and(|i| level(i) == depth))
            .cloned()
            .collect();
        product.extend(trigonometric(&functions));
        product.extend(wave.filter(|w| wave_level(w) == depth).map(|w| self::wave(w, sums.len())));
        product.push(expression);
        expression = Expression::product(product);
        if depth > 0 {
            expression = Expression::Sum(depth - 1, sums[depth - 1], Box::new(expression));
        }
    }
    expression
}

/// Splits off the sign of a coefficient, such that its first term with an index is positive.
fn positive(coefficient: &Coefficient) -> (Ratio, Coefficient) {
    let lead = coefficient.0.iter().find(|(bases, _)| !bases.is_empty());
    if lead.is_none_or(|(_, r)| *r > Ratio::ZERO) {
        return (Ratio::ONE, coefficient.clone());
    }
    let opposite = coefficient.0.iter().map(|(bases, r)| (bases.clone(), r.checked_neg().unwrap_or(*r)));
    (Ratio::integer(-1), Coefficient(opposite.collect()))
}

fn polynomial(coefficient: &Coefficient) -> Expression {
    let mut terms: Vec<Expression> = Vec::with_capacity(coefficient.0.len());
    for (bases, r) in &coefficient.0 {
        let mut factors = vec![Expression::Number(*r)];
        for base in bases {
            let index = Expression::Index(Index::new(*base));
            match factors.last_mut() {
                Some(Expression::Power(x, e, _)) if **x == index => *e += 1,
                Some(x) if *x == index => *x = Expression::Power(Box::new(index), 2, 0),
                _ => factors.push(index),
            }
        }
        terms.push(Expression::product(factors));
    }
    terms.sort_by_key(|t| (matches!(t, Expression::Number(_)), t.split_number().0 < Ratio::ZERO));
    Expression::sum(terms)
}

fn value(f: &Factor) -> Expression {
    let x = Expression::Symbol(f.of.clone());
    if (f.exponent, f.diagonal) == (1, 0) {
        x
    } else {
        Expression::Power(Box::new(x), f.exponent, f.diagonal)
    }
}

fn argument(f: &Factor) -> Box<Expression> {
    Box::new(Expression::Symbol(f.of.clone()))
}

/// Sines and cosines as expressions: a sine over a cosine becomes a tangent; remaining divisions by
/// cosines become secants.
fn trigonometric(all: &[Factor]) -> Vec<Expression> {
    let mut out = Vec::new();
    for f in all.iter().filter(|f| f.function == FactorFunction::Cos) {
        let sine = all.iter().any(|g| g.function == FactorFunction::Sin && g.of == f.of);
        match (f.exponent, sine) {
            (e, true) if e < 0 => {
                out.push(Expression::Function("tan", argument(f), 1));
                if e < -1 {
                    out.push(Expression::Function("sec", argument(f), -e - 1));
                }
            }
            (e, false) if e < 0 => out.push(Expression::Function("sec", argument(f), -e)),
            (e, _) => out.push(Expression::Function("cos", argument(f), e)),
        }
    }
    for f in all.iter().filter(|f| f.function == FactorFunction::Sin) {
        let in_tangent =
            all.iter().any(|g| g.function == FactorFunction::Cos && g.of == f.of && g.exponent < 0);
        if !in_tangent {
            out.push(Expression::Function("sin", argument(f), f.exponent));
        }
    }
    out
}

/// The sine or cosine of a sum of angles as an expression; an angle that is a sum itself uses the
/// running index at position `level`.
fn wave(w: &Wave, level: usize) -> Expression {
    let mut terms = Vec::with_capacity(w.angles.len());
    for a in &w.angles {
        let named = |index| Expression::Symbol(Named { stem: a.stem.clone(), index });
        let x = match a.range {
            None => named(None),
            Some((f, t)) if f == t => named(Some(f)),
            Some((from, to)) => {
                let k = Index::new(Base::Run(level));
                Expression::Sum(level, Sum { from, to }, Box::new(named(Some(k))))
            }
        };
        terms.push(Expression::product(vec![Expression::Number(Ratio::integer(a.multiple)), x]));
    }
    let sum = Expression::sum(terms);
    Expression::Function(if w.sine { "sin" } else { "cos" }, Box::new(sum), 1)
}
