//! Common factors of sums, moved in front of brackets.
//!
//! Problem: `m l² + m ρ² + 2 m l ρ cos θ` is usually written `m (l² + ρ² + 2 l ρ cos θ)`.
//! Method:  factors of all terms move in front; then the factor of most terms, provided that all of
//!          these have it with the same exponent, so that squares and products of geometry stay
//!          together; then the same for both parts; last, products with equal brackets are
//!          combined. Squares of sums are searched for first.
//! Limits:  factors that appear only after terms cancel are not found; the engine's factorisation
//!          finds those.

use dqdt_polynomials::{Integer, Rational};

use super::closed::Closed;
use super::conversion::{exact_from_rational, power_form, term_form};
use super::terms::{AtomProduct, Atoms, Terms, add_term, change_exponents, factor_exponent};

/// A sum with common factors in front of brackets. Recursion is as deep as a term has factors.
pub(super) fn factor_out_common(atoms: &Atoms, terms: &Terms) -> Closed {
    let (coefficient, common, rest) = split_common(terms);
    if rest.len() <= 1 {
        let coefficient = rest.values().next().map_or_else(|| Rational::ZERO, |v| v * &coefficient);
        return term_form(exact_from_rational(&coefficient), atoms.product_factors(&common));
    }
    if common.is_empty() && coefficient.abs().is_one() {
        return factored_bracket(atoms, terms);
    }
    let inner = factored_bracket(atoms, &rest);
    signed_product(atoms, coefficient, &common, inner)
}

/// Groups terms by their common coordinates and functions (`least` = [`SHAPES`]) or speeds and
/// accelerations (`least` = [`MOTIONS`]), each with its coefficient in a bracket. If `divided`,
/// factors of all terms move in front first.
pub(super) fn group_by_motion_factors(atoms: &Atoms, terms: &Terms, least: u32, divided: bool) -> Closed {
    if divided {
        let (coefficient, common, rest) = split_common(terms);
        let plain = common.is_empty() && coefficient.abs().is_one();
        return if plain || rest.len() < 2 {
            factor_out_common(atoms, terms)
        } else {
            signed_product(atoms, coefficient, &common, group_by_motion_factors(atoms, &rest, least, false))
        };
    }
    let mut groups = split_by_shared_factors(atoms, terms, least);
    // Groups with short common factors come first.
    let shape = |shared: &AtomProduct| Closed::product(atoms.product_factors(shared));
    groups.sort_by(|(a, _), (b, _)| shape(a).cmp_terms(&shape(b)));
    let sum = groups.iter().map(|(shared, rest)| {
        let mut forms = vec![factor_out_common(atoms, rest)];
        if least == MOTIONS {
            forms.extend([atoms.expanded_form(rest), group_by_motion_factors(atoms, rest, SHAPES, false)]);
        }
        let inner =
            forms.into_iter().min_by_key(Closed::simplicity_measure).unwrap_or_else(|| Closed::integer(0));
        let mut factors = vec![inner];
        factors.extend(atoms.product_factors(shared));
        move_signs_out_of_brackets(factors)
    });
    Closed::sum(sum.collect())
}

/// Groups of terms with equal factors of rank `least` or above, each with its remaining terms.
fn split_by_shared_factors(atoms: &Atoms, terms: &Terms, least: u32) -> Vec<(AtomProduct, Terms)> {
    let mut groups: Vec<(AtomProduct, Terms)> = Vec::new();
    for (product, value) in terms {
        let (shared, rest): (AtomProduct, AtomProduct) =
            product.iter().copied().partition(|(a, _)| atoms.closed[*a].factor_rank() >= least);
        match groups.iter_mut().find(|(s, _)| *s == shared) {
            Some((_, group)) => drop(group.insert(rest, value.clone())),
            None => groups.push((shared, Terms::from([(rest, value.clone())]))),
        }
    }
    groups
}

/// Groups as in [`group_by_motion_factors`]; groups with equal brackets are combined:
/// `(m a + n b) (x c + y d) + z e`. `None` if no two groups have the same bracket.
pub(super) fn combine_equal_brackets(atoms: &Atoms, terms: &Terms, least: u32) -> Option<Closed> {
    let groups = split_by_shared_factors(atoms, terms, least);
    // Each bracket with its multipliers; groups of a single term have the bracket 1.
    let mut brackets: Vec<(Terms, Terms)> = Vec::new();
    for (shared, terms) in groups {
        let (mut coefficient, mut common, mut rest) = split_common(&terms);
        if rest.len() > 1 && rest.values().next().is_some_and(Rational::is_negative) {
            coefficient = -coefficient;
            rest.values_mut().for_each(|value| *value = -value.clone());
        }
        for (atom, e) in shared {
            common = change_exponents(&common, &[(atom, i32::from(e))])?;
        }
        match brackets.iter_mut().find(|(bracket, _)| *bracket == rest) {
            Some((_, outer)) => add_term(outer, common, coefficient),
            None => brackets.push((rest, Terms::from([(common, coefficient)]))),
        }
    }
    if !brackets.iter().any(|(bracket, outer)| bracket.len() > 1 && outer.len() > 1) {
        return None;
    }
    let sum = brackets.iter().map(|(bracket, outer)| {
        let (coefficient, common, inner) = split_common(outer);
        let mut factors = atoms.product_factors(&common);
        factors.sort();
        factors.insert(0, Closed::Number(exact_from_rational(&coefficient)));
        factors.extend(
            [shortest_sum_form(atoms, bracket), shortest_sum_form(atoms, &inner)]
                .into_iter()
                .filter(|f| *f != Closed::integer(1)),
        );
        move_signs_out_of_brackets(factors)
    });
    let mut sum: Vec<Closed> = sum.collect();
    sum.sort_by(Closed::cmp_terms);
    Some(Closed::sum(sum))
}

/// The shortest of the collected, the expanded and the grouped form.
fn shortest_sum_form(atoms: &Atoms, terms: &Terms) -> Closed {
    let forms = [
        factor_out_common(atoms, terms),
        atoms.expanded_form(terms),
        group_by_motion_factors(atoms, terms, SHAPES, false),
    ];
    forms.into_iter().min_by_key(Closed::simplicity_measure).unwrap_or_else(|| Closed::integer(0))
}

/// Groups terms by parameters that occur linearly and never together, such as masses, each times a
/// bracket; then the terms without one. `None` if there is no such parameter.
pub(super) fn group_by_linear_parameter(atoms: &Atoms, terms: &Terms) -> Option<Closed> {
    let (coefficient, common, rest) = split_common(terms);
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for (a, e) in rest.keys().flatten().filter(|(a, _)| atoms.closed[*a].factor_rank() == PARAMETER) {
        match counts.iter_mut().find(|(b, _)| b == a) {
            // A parameter with an exponent above one is excluded.
            Some((_, n)) if *e > 1 => *n = 0,
            Some((_, n)) if *n > 0 => *n += 1,
            Some(_) => {}
            None => counts.push((*a, usize::from(*e == 1))),
        }
    }
    counts.retain(|(_, n)| *n > 1);
    counts.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| atoms.closed[*a].cmp(&atoms.closed[*b])));
    let mut parameters: Vec<usize> = Vec::new();
    for (a, _) in counts {
        let mut products = rest.keys().filter(|p| factor_exponent(p, a) > 0);
        if !products.any(|p| parameters.iter().any(|b| factor_exponent(p, *b) > 0)) {
            parameters.push(a);
        }
    }
    if parameters.is_empty() {
        return None;
    }
    let mut groups: Vec<(Option<usize>, Terms)> = Vec::new();
    for (product, value) in &rest {
        let parameter = parameters.iter().copied().find(|a| factor_exponent(product, *a) > 0);
        let product =
            parameter.map_or_else(|| Some(product.clone()), |a| change_exponents(product, &[(a, -1)]))?;
        match groups.iter_mut().find(|(a, _)| *a == parameter) {
            Some((_, terms)) => drop(terms.insert(product, value.clone())),
            None => groups.push((parameter, Terms::from([(product, value.clone())]))),
        }
    }
    let sum = groups.iter().map(|(parameter, terms)| match parameter {
        None => shortest_sum_form(atoms, terms),
        Some(a) => {
            let (value, common, rest) = split_common(terms);
            let mut factors = atoms.product_factors(&common);
            factors.push(atoms.closed[*a].clone());
            factors.sort();
            factors.insert(0, Closed::Number(exact_from_rational(&value)));
            factors.push(shortest_sum_form(atoms, &rest));
            move_signs_out_of_brackets(factors)
        }
    });
    let Closed::Sum(mut all) = Closed::sum(sum.collect()) else { return None };
    all = join_brackets(all);
    all.sort_by(Closed::cmp_terms);
    let inner = Closed::sum(all);
    let plain = common.is_empty() && coefficient.is_one();
    Some(if plain { inner } else { signed_product(atoms, coefficient, &common, inner) })
}

/// Rank of a parameter among the factors of a product ([`Closed::rank`]).
const PARAMETER: u32 = 3;
/// Lowest rank of coordinates and of functions of them, in the order of factors.
pub(super) const SHAPES: u32 = 8;
/// Lowest rank of speeds and accelerations, in the order of factors.
pub(super) const MOTIONS: u32 = 10;

/// The product `coefficient · common · inner`, with the sign chosen so that a bracket starts with a
/// positive term.
fn signed_product(atoms: &Atoms, coefficient: Rational, common: &AtomProduct, inner: Closed) -> Closed {
    if coefficient.is_one() && common.is_empty() {
        return inner;
    }
    let mut factors = atoms.product_factors(common);
    factors.sort();
    factors.insert(0, Closed::Number(exact_from_rational(&coefficient)));
    factors.push(inner);
    move_signs_out_of_brackets(factors)
}

/// A product whose brackets start with a positive term; the sign moves in front.
fn move_signs_out_of_brackets(factors: Vec<Closed>) -> Closed {
    let mut negative = false;
    let factors = factors.into_iter().map(|f| match f {
        Closed::Sum(terms) if terms.first().is_some_and(Closed::is_negative) => {
            negative = !negative;
            let mut terms: Vec<Closed> = terms.into_iter().map(Closed::negated).collect();
            terms.sort_by(Closed::cmp_terms);
            Closed::Sum(terms)
        }
        other => other,
    });
    let product = Closed::product(factors.collect());
    if negative { product.negated() } else { product }
}

/// The number and the product of atoms that divide all terms, and the remaining terms.
fn split_common(terms: &Terms) -> (Rational, AtomProduct, Terms) {
    let mut common: Option<AtomProduct> = None;
    for product in terms.keys() {
        common = Some(match common {
            None => product.clone(),
            Some(c) => c
                .iter()
                .map(|(a, e)| (*a, (*e).min(factor_exponent(product, *a))))
                .filter(|(_, e)| *e > 0)
                .collect(),
        });
    }
    let common = common.unwrap_or_default();
    let mut content = common_number(terms.values());
    // The sign of most terms also moves in front.
    if 2 * terms.values().filter(|v| v.is_negative()).count() > terms.len() {
        content = -content;
    }
    let changes: Vec<(usize, i32)> = common.iter().map(|(a, e)| (*a, -i32::from(*e))).collect();
    let rest = terms
        .iter()
        .filter_map(|(p, v)| change_exponents(p, &changes).zip(v.checked_div(&content)))
        .collect();
    (content, common, rest)
}

/// The positive number to factor out of a sum with these coefficients: their common divisor, unless
/// it is a fraction that leaves more numbers than before (`a + 0.5 b − 0.6 c`), or a decimal that
/// leaves as many.
pub(super) fn common_number<'a>(coefficients: impl Iterator<Item = &'a Rational> + Clone) -> Rational {
    let content = coefficients.clone().fold(Rational::ZERO, |content, value| content.gcd(value));
    if content.is_zero() {
        return Rational::ONE;
    }
    if content.is_integer() {
        return content;
    }
    let before = coefficients.clone().filter(|v| !v.abs().is_one()).count();
    let after = 1 + coefficients.filter(|v| v.abs() != content).count();
    let is_shorter = after < before || (after == before && !exact_from_rational(&content).is_decimal());
    if is_shorter { content } else { Rational::ONE }
}

/// Closed form of at least two terms without a common factor.
fn factored_bracket(atoms: &Atoms, terms: &Terms) -> Closed {
    if let Some(form) = extract_squares(atoms, terms) {
        return form;
    }
    let Some((atom, e)) = most_common_factor(atoms, terms) else { return atoms.expanded_form(terms) };
    let (mut with, mut without) = (Terms::new(), Terms::new());
    for (product, value) in terms {
        match change_exponents(product, &[(atom, -i32::from(e))]) {
            Some(p) if factor_exponent(product, atom) > 0 => with.insert(p, value.clone()),
            _ => without.insert(product.clone(), value.clone()),
        };
    }
    let (coefficient, mut common, rest) = split_common(&with);
    common = change_exponents(&common, &[(atom, i32::from(e))]).unwrap_or(common);
    let inner = if rest.len() > 1 { factored_bracket(atoms, &rest) } else { atoms.expanded_form(&rest) };
    let first = signed_product(atoms, coefficient, &common, inner);
    let second =
        if without.len() > 1 { factor_out_common(atoms, &without) } else { atoms.expanded_form(&without) };
    let Closed::Sum(mut all) = Closed::sum(vec![first, second]) else { return atoms.expanded_form(terms) };
    all = join_brackets(all);
    all.sort_by(Closed::cmp_terms);
    Closed::sum(all)
}

/// Replaces `a² + b² + c² + 2 a b − 2 a c − 2 b c + d` by `(a + b − c)² + d`, repeatedly; `None` if
/// there is no such square.
fn extract_squares(atoms: &Atoms, terms: &Terms) -> Option<Closed> {
    if !(3..=MAX_SQUARED).contains(&terms.len()) {
        return None;
    }
    let mut rest = terms.clone();
    let mut squares = Vec::new();
    while let Some(roots) = find_perfect_square(&rest) {
        for (i, (a, x)) in roots.iter().enumerate() {
            for (b, y) in &roots[i..] {
                let value = if a == b { x * y } else { &(x * y) * &Rational::from(2) };
                if let Some(product) = multiply_products(a, b) {
                    add_term(&mut rest, product, -value);
                }
            }
        }
        let (number, common, inner) = split_common(&roots.into_iter().collect());
        let mut factors: Vec<Closed> = atoms.product_factors(&common).into_iter().map(square_form).collect();
        factors.sort();
        factors.insert(0, Closed::Number(exact_from_rational(&(&number * &number))));
        // Opposite sums have equal squares, so the sum that starts with a positive term is used.
        factors.push(square_form(match atoms.expanded_form(&inner) {
            Closed::Sum(t) if t.first().is_some_and(Closed::is_negative) => {
                let mut t: Vec<Closed> = t.into_iter().map(Closed::negated).collect();
                t.sort_by(Closed::cmp_terms);
                Closed::Sum(t)
            }
            other => other,
        }));
        squares.push(Closed::product(factors));
    }
    if squares.is_empty() {
        return None;
    }
    if !rest.is_empty() {
        squares.push(factor_out_common(atoms, &rest));
    }
    // The rest may be a sum that contains the same square in one of its terms.
    let parts = squares.into_iter().flat_map(|square| match square {
        Closed::Sum(terms) => terms,
        other => vec![other],
    });
    let mut squares = join_brackets(parts.collect());
    squares.sort_by(Closed::cmp_terms);
    Some(Closed::sum(squares))
}

/// The square of a form; the exponent of a power is doubled.
fn square_form(base: Closed) -> Closed {
    match base {
        Closed::Power(base, n) => power_form(*base, 2 * n),
        base => power_form(base, 2),
    }
}

/// Largest number of terms of a sum in which squares of sums are searched for.
const MAX_SQUARED: usize = 60;

/// Product of two products of atoms; `None` if an exponent is out of range.
fn multiply_products(a: &AtomProduct, b: &AtomProduct) -> Option<AtomProduct> {
    let changes: Vec<(usize, i32)> = b.iter().map(|(f, e)| (*f, i32::from(*e))).collect();
    change_exponents(a, &changes)
}

/// At least two signed terms whose squares and double products all occur in the sum.
fn find_perfect_square(terms: &Terms) -> Option<Vec<(AtomProduct, Rational)>> {
    let roots: Vec<(AtomProduct, Rational)> =
        terms.iter().filter_map(|(p, v)| term_square_root(p, v)).collect();
    // The relative sign of two terms of a square, from the sign of their product; `None` if the
    // product does not occur.
    let relative_sign = |(a, x): &(AtomProduct, Rational), (b, y): &(AtomProduct, Rational)| {
        let value = terms.get(&multiply_products(a, b)?)?;
        let mixed = &(x * y).abs() * &Rational::from(2);
        (value.abs() == mixed).then(|| value.is_negative())
    };
    for (i, first) in roots.iter().enumerate() {
        let mut square = vec![first.clone()];
        for other in &roots[i + 1..] {
            let Some(negative) = relative_sign(first, other) else { continue };
            let signed = (other.0.clone(), if negative { -other.1.clone() } else { other.1.clone() });
            let fits = square[1..].iter().all(|known| {
                relative_sign(known, other) == Some(known.1.is_negative() != signed.1.is_negative())
            });
            if fits {
                square.push(signed);
            }
        }
        if square.len() > 1 {
            return Some(square);
        }
    }
    None
}

/// The square root of a term, if the term is a square.
fn term_square_root(product: &AtomProduct, value: &Rational) -> Option<(AtomProduct, Rational)> {
    let root = Rational::ratio(integer_root(value.numerator())?, integer_root(value.denominator())?);
    let even = product.iter().all(|(_, e)| e % 2 == 0);
    even.then(|| (product.iter().map(|(a, e)| (*a, e / 2)).collect(), root))
}

/// The square root of a positive integer, if that is an integer.
fn integer_root(n: &Integer) -> Option<Integer> {
    let n = n.to_i64().filter(|n| *n > 0)?;
    (n.isqrt().pow(2) == n).then(|| Integer::from(n.isqrt()))
}

/// The factor that occurs in most terms, in at least two and with one exponent; of several, the
/// first in printing order.
fn most_common_factor(atoms: &Atoms, terms: &Terms) -> Option<(usize, u16)> {
    let mut best: Option<(usize, usize, u16)> = None;
    for atom in 0..atoms.atoms.len() {
        let mut exponents = terms.keys().map(|p| factor_exponent(p, atom)).filter(|e| *e > 0);
        let Some(first) = exponents.next() else { continue };
        let mut count = 1;
        let uniform = exponents.all(|e| {
            count += 1;
            e == first
        });
        if !uniform || count < 2 {
            continue;
        }
        let is_better = match best {
            None => true,
            Some((most, other, _)) => {
                count > most || (count == most && atoms.closed[atom] < atoms.closed[other])
            }
        };
        if is_better {
            best = Some((count, atom, first));
        }
    }
    best.map(|(_, atom, e)| (atom, e))
}

/// Combines terms with equal brackets: `x (a + b) + y (a + b) → (x + y) (a + b)`.
fn join_brackets(terms: Vec<Closed>) -> Vec<Closed> {
    let mut result: Vec<Closed> = Vec::with_capacity(terms.len());
    for term in terms {
        let same = last_bracket(&term)
            .and_then(|bracket| result.iter().position(|other| last_bracket(other) == Some(bracket)));
        match same.and_then(|i| Some((i, split_bracket(&result[i])?, split_bracket(&term)?))) {
            Some((i, (other, _), (outer, bracket))) => {
                let (mut factors, mut sum) = split_shared_factors(other, outer);
                sum.sort_by(Closed::cmp_terms);
                factors.extend([Closed::sum(sum), bracket]);
                result[i] = move_signs_out_of_brackets(factors);
            }
            None => result.push(term),
        }
    }
    result
}

/// Common factors of two products, and the rest of each; numbers are not shared.
fn split_shared_factors(a: Closed, b: Closed) -> (Vec<Closed>, Vec<Closed>) {
    let [mut a, mut b] = [a, b].map(|c| match c {
        Closed::Product(factors) => factors,
        other => vec![other],
    });
    let mut common = Vec::new();
    a.retain(|f| {
        let same = b.iter().position(|g| g == f && !matches!(f, Closed::Number(_)));
        if let Some(at) = same {
            common.push(b.remove(at));
        }
        same.is_none()
    });
    (common, vec![Closed::product(a), Closed::product(b)])
}

/// The last factor of a product (or the term itself), if it is a sum or a power of one.
fn last_bracket(term: &Closed) -> Option<&Closed> {
    let last = match term {
        Closed::Product(factors) => factors.last()?,
        other => other,
    };
    let is_bracket = match last {
        Closed::Power(base, _) => matches!(**base, Closed::Sum(_)),
        other => matches!(other, Closed::Sum(_)),
    };
    is_bracket.then_some(last)
}

/// Splits a product into its last factor, if that is a bracket, and the rest.
fn split_bracket(term: &Closed) -> Option<(Closed, Closed)> {
    let bracket = last_bracket(term)?.clone();
    let Closed::Product(factors) = term else { return Some((Closed::integer(1), bracket)) };
    let (_, rest) = factors.split_last()?;
    Some((Closed::product(rest.to_vec()), bracket))
}
