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
    fn multiply_factors(factors: Vec<Expression>) -> Self {
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

    fn add_terms(mut terms: Vec<Expression>) -> Self {
        match terms.len() {
            0 => Expression::Number(Ratio::ZERO),
            1 => terms.remove(0),
            _ => Expression::Add(terms),
        }
    }

    /// Splits a product into its leading number and the remaining factors.
    pub fn split_leading_number(&self) -> (Ratio, Expression) {
        match self {
            Expression::Number(r) => (*r, Expression::Number(Ratio::ONE)),
            Expression::Multiply(factors) => match factors.split_first() {
                Some((Expression::Number(r), rest)) => (*r, Expression::multiply_factors(rest.to_vec())),
                _ => (Ratio::ONE, self.clone()),
            },
            _ => (Ratio::ONE, self.clone()),
        }
    }

    /// Size of the expression as a number of symbols to read, to select the shortest form.
    pub fn count_symbols(&self) -> usize {
        match self {
            Expression::Number(_) | Expression::Index(_) | Expression::Symbol(_) | Expression::Delta(_) => 1,
            Expression::Power(x, _, _) | Expression::Function(_, x, _) => 1 + x.count_symbols(),
            Expression::Sum(_, _, x) => 2 + x.count_symbols(),
            Expression::Add(all) | Expression::Multiply(all) => {
                1 + all.iter().map(Expression::count_symbols).sum::<usize>()
            }
        }
    }
}

/// Factors each part of a formula for readers; the range says for which entries the part holds.
pub fn factor_formula(formula: &IndexedFormula) -> Vec<(Range, Expression)> {
    formula.parts.iter().map(|(range, terms)| (*range, factor_shorter(terms))).collect()
}

/// Factors terms with scalars left and right of the brackets, and returns the shorter result.
fn factor_shorter(terms: &[Term]) -> Expression {
    let [a, b] = [false, true].map(|scalars_right| factor_terms(terms, scalars_right));
    if b.count_symbols() < a.count_symbols() { b } else { a }
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
    fn is_on_diagonal(&self) -> bool {
        self.deltas.contains(&Delta::DIAGONAL)
    }
}

/// Right part of a term: sines and cosines that do not depend on running indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Right {
    wave: Option<Wave>,
    factors: Vec<Factor>,
}

fn is_running_index(index: Option<Index>) -> bool {
    index.is_some_and(|i| matches!(i.base, Base::Run(_)))
}

fn angle_has_running_index(a: &Angle) -> bool {
    a.range.is_some_and(|(f, t)| is_running_index(Some(f)) || is_running_index(Some(t)))
}

/// Splits a term into left and right part; scalars go right if `scalars_right`.
fn split_term(term: &Term, scalars_right: bool) -> Split {
    let mut s = Split {
        number: term.coefficient.as_number().unwrap_or(Ratio::ONE),
        deltas: term.deltas.clone(),
        left: Vec::new(),
        inner: None,
        right: Right::default(),
    };
    let mut inner = Vec::new();
    for f in &term.factors {
        if is_running_index(f.symbol.index) {
            inner.push(f.clone());
        } else if f.function != FactorFunction::Value || (scalars_right && f.symbol.index.is_none()) {
            s.right.factors.push(f.clone());
        } else {
            s.left.push(f.clone());
        }
    }
    let (mut wave, mut free) = (None, term.wave.clone());
    if free.as_ref().is_some_and(|w| w.angles.iter().any(angle_has_running_index)) {
        (wave, free) = (free, None);
    }
    s.right.wave = free;
    let coefficient = match term.coefficient.as_number() {
        Some(_) => Coefficient::constant(Ratio::ONE),
        None => {
            let (sign, coefficient) = split_sign(&term.coefficient);
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
fn factor_terms(terms: &[Term], scalars_right: bool) -> Expression {
    let splits: Vec<Split> = terms.iter().map(|t| split_term(t, scalars_right)).collect();
    let mut groups: Vec<Bracket> = Vec::new();
    for s in splits.iter().filter(|s| !s.is_on_diagonal()) {
        match groups.iter_mut().find(|g| g.right[0].1 == s.right) {
            Some(g) => g.left.push(s.clone()),
            None => {
                groups.push(Bracket { left: vec![s.clone()], right: vec![(Ratio::ONE, s.right.clone())] })
            }
        }
    }
    for s in splits.iter().filter(|s| s.is_on_diagonal()) {
        let right = s.right.restrict_to_diagonal();
        match groups.iter_mut().find(|g| right.is_some() && g.right[0].1.restrict_to_diagonal() == right) {
            Some(g) => g.left.insert(g.left.iter().filter(|s| s.is_on_diagonal()).count(), s.clone()),
            None => {
                groups.push(Bracket { left: vec![s.clone()], right: vec![(Ratio::ONE, s.right.clone())] })
            }
        }
    }
    for g in &mut groups {
        g.left.sort_by_key(|s| (!s.is_on_diagonal(), s.inner.is_some()));
    }
    // Equal brackets are written once.
    let mut merged: Vec<Bracket> = Vec::new();
    for g in groups {
        match merged.iter_mut().find_map(|m| bracket_ratio(&g.left, &m.left).map(|r| (r, m))) {
            Some((r, m)) => m.right.push((r, g.right[0].1.clone())),
            None => merged.push(g),
        }
    }
    Expression::add_terms(merged.iter().map(Bracket::to_expression).collect())
}

/// The number `r` such that bracket `a` is `r` times bracket `b`, if there is one.
fn bracket_ratio(a: &[Split], b: &[Split]) -> Option<Ratio> {
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
fn index_at_diagonal(index: Index) -> Index {
    match index.base {
        Base::J | Base::Max | Base::Min => Index { base: Base::I, ..index },
        _ => index,
    }
}

impl Right {
    /// The right part at j = i, where equal angles cancel; `None` if it is zero there.
    fn restrict_to_diagonal(&self) -> Option<Right> {
        let mut factors: Vec<Factor> = Vec::new();
        for f in &self.factors {
            let named = Named { stem: f.symbol.stem.clone(), index: f.symbol.index.map(index_at_diagonal) };
            match factors.iter_mut().find(|g| g.function == f.function && g.symbol == named) {
                Some(g) => g.exponent += f.exponent,
                None => factors.push(Factor { symbol: named, ..f.clone() }),
            }
        }
        factors.sort();
        let mut wave = None;
        if let Some(w) = &self.wave {
            let mut angles: Vec<Angle> = Vec::new();
            for a in &w.angles {
                let range = a.range.map(|(f, t)| (index_at_diagonal(f), index_at_diagonal(t)));
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
    fn to_expression(&self, without: &Right) -> Expression {
        let mut factors = Vec::new();
        if without.wave.is_none() {
            factors.extend(self.wave.as_ref().map(|w| wave_expression(w, 0)));
        }
        let rest: Vec<Factor> =
            self.factors.iter().filter(|f| !without.factors.contains(f)).cloned().collect();
        // Symbols before functions.
        let (values, functions): (Vec<Factor>, Vec<Factor>) =
            rest.into_iter().partition(|f| f.function == FactorFunction::Value);
        let mut all: Vec<Expression> = values.iter().map(power_expression).collect();
        all.append(&mut factors);
        all.extend(trigonometric_expressions(&functions));
        Expression::multiply_factors(all)
    }
}

impl Bracket {
    /// The bracket times its right parts as an expression, common factors in front.
    fn to_expression(&self) -> Expression {
        let left = bracket_expression(&self.left);
        let first = &self.right[0].1;
        let common = Right {
            wave: first.wave.clone().filter(|w| self.right.iter().all(|r| r.1.wave.as_ref() == Some(w))),
            factors: (first.factors.iter())
                .filter(|f| self.right.iter().all(|r| r.1.factors.contains(f)))
                .cloned()
                .collect(),
        };
        if self.right.len() == 1 {
            return Expression::multiply_factors(vec![left, first.to_expression(&Right::default())]);
        }
        let terms = self.right.iter().map(|(r, right)| {
            Expression::multiply_factors(vec![Expression::Number(*r), right.to_expression(&common)])
        });
        let mut terms: Vec<Expression> = terms.collect();
        terms.sort_by_key(|t| t.split_leading_number().0 < Ratio::ZERO);
        let mut number = Ratio::ONE;
        if terms.iter().all(|t| t.split_leading_number().0 < Ratio::ZERO) {
            number = Ratio::integer(-1);
        }
        for t in &mut terms {
            let (r, rest) = t.split_leading_number();
            *t = Expression::multiply_factors(vec![
                Expression::Number(r.checked_mul(number).unwrap_or(r)),
                rest,
            ]);
        }
        let sum = Expression::add_terms(terms);
        let (left_number, left) = left.split_leading_number();
        let number = left_number.checked_mul(number).unwrap_or(left_number);
        Expression::multiply_factors(vec![
            Expression::Number(number),
            left,
            common.to_expression(&Right::default()),
            sum,
        ])
    }
}

fn absolute_value(r: Ratio) -> Ratio {
    if r < Ratio::ZERO { r.checked_neg().unwrap_or(r) } else { r }
}

/// A sum of left parts as an expression, common factors in front. Terms on the diagonal are
/// factored separately.
fn bracket_expression(all: &[Split]) -> Expression {
    let (diagonal, rest): (Vec<&Split>, Vec<&Split>) = all.iter().partition(|s| s.is_on_diagonal());
    let mut terms: Vec<Expression> = factor_out_common(&diagonal).into_iter().collect();
    terms.extend(factor_out_common(&rest));
    let numbers: Vec<Ratio> = terms.iter().map(|t| t.split_leading_number().0).collect();
    if let [first, _, ..] = numbers[..] {
        let mut common = if numbers.iter().all(|r| absolute_value(*r) == absolute_value(first)) {
            absolute_value(first)
        } else {
            Ratio::ONE
        };
        if numbers.iter().all(|r| *r < Ratio::ZERO) {
            common = common.checked_neg().unwrap_or(common);
        }
        for t in &mut terms {
            let (r, rest) = t.split_leading_number();
            *t = Expression::multiply_factors(vec![
                Expression::Number(r.checked_div(common).unwrap_or(r)),
                rest,
            ]);
        }
        let sum = Expression::add_terms(terms);
        return Expression::multiply_factors(vec![Expression::Number(common), sum]);
    }
    Expression::add_terms(terms)
}

/// A sum of left parts with their common number, deltas and symbols in front; `None` without parts.
fn factor_out_common(all: &[&Split]) -> Option<Expression> {
    let first = all.first()?;
    let left: Vec<Factor> =
        first.left.iter().filter(|f| all.iter().all(|s| s.left.contains(f))).cloned().collect();
    let deltas: Vec<Delta> =
        first.deltas.iter().filter(|d| all.iter().all(|s| s.deltas.contains(d))).copied().collect();
    let mut number = absolute_value(first.number);
    if !all.iter().all(|s| absolute_value(s.number) == number) {
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
            factors.push(coefficient_expression(coefficient));
        }
        factors.extend(rest.iter().map(power_expression));
        if let Some((coefficient, inner, wave, sums)) = &s.inner {
            factors.push(nest_sums(coefficient, inner, wave.as_ref(), sums));
        }
        terms.push(Expression::multiply_factors(factors));
    }
    terms.sort_by_key(|t| t.split_leading_number().0 < Ratio::ZERO);
    let sum = Expression::add_terms(terms);
    let mut factors = vec![Expression::Number(number)];
    factors.extend(deltas.into_iter().map(Expression::Delta));
    let front = left.iter().map(power_expression);
    // A bracket precedes its common factors; a single term follows them.
    if matches!(sum, Expression::Add(_)) {
        factors.push(sum);
        factors.extend(front);
    } else {
        factors.extend(front);
        factors.push(sum);
    }
    Some(Expression::multiply_factors(factors))
}

/// Number of nested sums inside which an index has a value.
fn sum_depth(index: Index) -> usize {
    match index.base {
        Base::Run(k) => k + 1,
        _ => 0,
    }
}

fn wave_sum_depth(w: &Wave) -> usize {
    let ends = w.angles.iter().filter_map(|a| a.range).flat_map(|(f, t)| [sum_depth(f), sum_depth(t)]);
    ends.max().unwrap_or(0)
}

/// Nested sums, with each factor moved out of as many sums as possible.
fn nest_sums(coefficient: &Coefficient, factors: &[Factor], wave: Option<&Wave>, sums: &[Sum]) -> Expression {
    let of_coefficient =
        coefficient.0.iter().flat_map(|(b, _)| b).map(|b| sum_depth(Index::new(*b))).max().unwrap_or(0);
    let mut expression = Expression::Number(Ratio::ONE);
    for depth in (0..=sums.len()).rev() {
        let mut product = Vec::new();
        if of_coefficient == depth && depth > 0 {
            product.push(coefficient_expression(coefficient));
        }
        product.extend(
            factors.iter().filter(|f| f.function == FactorFunction::Value).filter_map(|f| {
                f.symbol.index.filter(|i| sum_depth(*i) == depth).map(|_| power_expression(f))
            }),
        );
        let functions: Vec<Factor> = (factors.iter())
            .filter(|f| {
                f.function != FactorFunction::Value && f.symbol.index.is_some_and(|i| sum_depth(i) == depth)
            })
            .cloned()
            .collect();
        product.extend(trigonometric_expressions(&functions));
        product.extend(
            wave.filter(|w| wave_sum_depth(w) == depth).map(|w| self::wave_expression(w, sums.len())),
        );
        product.push(expression);
        expression = Expression::multiply_factors(product);
        if depth > 0 {
            expression = Expression::Sum(depth - 1, sums[depth - 1], Box::new(expression));
        }
    }
    expression
}

/// Splits off the sign of a coefficient, such that its first term with an index is positive.
fn split_sign(coefficient: &Coefficient) -> (Ratio, Coefficient) {
    let lead = coefficient.0.iter().find(|(bases, _)| !bases.is_empty());
    if lead.is_none_or(|(_, r)| *r > Ratio::ZERO) {
        return (Ratio::ONE, coefficient.clone());
    }
    let opposite = coefficient.0.iter().map(|(bases, r)| (bases.clone(), r.checked_neg().unwrap_or(*r)));
    (Ratio::integer(-1), Coefficient(opposite.collect()))
}

fn coefficient_expression(coefficient: &Coefficient) -> Expression {
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
        terms.push(Expression::multiply_factors(factors));
    }
    terms.sort_by_key(|t| (matches!(t, Expression::Number(_)), t.split_leading_number().0 < Ratio::ZERO));
    Expression::add_terms(terms)
}

fn power_expression(f: &Factor) -> Expression {
    let x = Expression::Symbol(f.symbol.clone());
    if (f.exponent, f.diagonal_exponent) == (1, 0) {
        x
    } else {
        Expression::Power(Box::new(x), f.exponent, f.diagonal_exponent)
    }
}

fn function_argument(f: &Factor) -> Box<Expression> {
    Box::new(Expression::Symbol(f.symbol.clone()))
}

/// Sines and cosines as expressions: a sine over a cosine becomes a tangent; remaining divisions by
/// cosines become secants.
fn trigonometric_expressions(all: &[Factor]) -> Vec<Expression> {
    let mut out = Vec::new();
    for f in all.iter().filter(|f| f.function == FactorFunction::Cos) {
        let sine = all.iter().any(|g| g.function == FactorFunction::Sin && g.symbol == f.symbol);
        match (f.exponent, sine) {
            (e, true) if e < 0 => {
                out.push(Expression::Function("tan", function_argument(f), 1));
                if e < -1 {
                    out.push(Expression::Function("sec", function_argument(f), -e - 1));
                }
            }
            (e, false) if e < 0 => out.push(Expression::Function("sec", function_argument(f), -e)),
            (e, _) => out.push(Expression::Function("cos", function_argument(f), e)),
        }
    }
    for f in all.iter().filter(|f| f.function == FactorFunction::Sin) {
        let in_tangent =
            all.iter().any(|g| g.function == FactorFunction::Cos && g.symbol == f.symbol && g.exponent < 0);
        if !in_tangent {
            out.push(Expression::Function("sin", function_argument(f), f.exponent));
        }
    }
    out
}

/// The sine or cosine of a sum of angles as an expression; an angle that is a sum itself uses the
/// running index at position `level`.
fn wave_expression(w: &Wave, level: usize) -> Expression {
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
        terms.push(Expression::multiply_factors(vec![Expression::Number(Ratio::integer(a.multiple)), x]));
    }
    let sum = Expression::add_terms(terms);
    Expression::Function(if w.sine { "sin" } else { "cos" }, Box::new(sum), 1)
}
