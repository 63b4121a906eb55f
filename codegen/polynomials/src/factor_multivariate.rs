//! Factors multivariate polynomials over the integers.
//!
//! Problem: a square-free polynomial, of degree two at least in each variable.
//! Method:  small integers are substituted for all variables but one; the factors of the result are
//!          lifted to one variable after the other (Wang, An improved multivariate polynomial
//!          factoring algorithm, Mathematics of Computation 32, 1978). Leading coefficients are
//!          distributed by divisors that occur in only one of their values. Points are shifted to
//!          zero, so that powers of a difference are powers of a variable; coefficients are reduced
//!          modulo a prime above twice their bound (Gelfond 1960), and factors are verified by
//!          division.
//! Cost:    that of products as dense as the shifted polynomial.
//!
//! Limits: the budget.

use super::budget::{Budget, Exhausted};
use super::division::exact_quotient;
use super::factor_univariate;
use super::gcd::content_in_variable;
use super::integer::Integer;
use super::integral::Integral;
use super::large_field::LargeField;
use super::lifting::{LiftingTarget, lift_images};
use super::modular::Draws;
use super::product::multiply_polynomials;
use super::terms::Terms;

/// Number of valid evaluation points to try; the one with the fewest factors is used.
const POINTS: usize = 3;

/// An evaluation point with the univariate factors of the polynomial's image there, and their
/// leading coefficients up to a number.
struct Images {
    point: Vec<i64>,
    factors: Vec<Integral>,
    leading_coefficients: Vec<Integral>,
}

/// Function that factors polynomials of fewer variables: content, and irreducible factors with
/// exponents. A parameter, to avoid an import cycle.
pub(crate) type FactorFunction =
    fn(&Integral, &mut Draws, &Budget) -> Result<(Integer, Vec<(Integral, u32)>), Exhausted>;

/// The irreducible factors of a primitive square-free polynomial in several variables.
pub(crate) fn factor_square_free(
    f: Integral,
    factor: FactorFunction,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Vec<Integral>, Exhausted> {
    let degrees = f.degrees();
    let main = (0..f.width).min_by_key(|v| (f.leading_coefficient_in(*v).len(), degrees[*v])).unwrap_or(0);
    let content = content_in_variable(&f, main, draws, budget)?;
    if !content.is_constant() {
        let mut all = Vec::new();
        for part in [exact_quotient(&f, &content).unwrap_or_else(|| f.clone()), content] {
            let (_, factors) = factor(&part, draws, budget)?;
            all.extend(factors.into_iter().map(|(factor, _)| factor));
        }
        return Ok(all);
    }
    let lead = f.leading_coefficient_in(main);
    let (number, lead_factors) = factor(&lead, draws, budget)?;
    let mut size = 1;
    loop {
        let mut best: Option<Images> = None;
        let mut usable_points = 0;
        // The range of points grows slowly: small numbers keep coefficients small.
        for _ in 0..8 * POINTS {
            let point: Vec<i64> =
                (0..f.width)
                    .map(|v| {
                        if v == main {
                            0
                        } else {
                            (draws.next_random() % (2 * size + 1)) as i64 - size as i64
                        }
                    })
                    .collect();
            budget.spend(f.len() * f.width)?;
            let Some(images) = factor_image_at_point(&f, main, &number, &lead_factors, point, draws, budget)?
            else {
                continue;
            };
            if images.factors.len() == 1 {
                return Ok(vec![f]);
            }
            usable_points += 1;
            if best.as_ref().is_none_or(|b| images.factors.len() < b.factors.len()) {
                best = Some(images);
            }
            if usable_points == POINTS {
                break;
            }
        }
        if let Some(images) = best
            && let Some(factors) = lift_factors(&f, main, &number, &images, budget)?
        {
            return Ok(factors);
        }
        size = 2 * size + 1;
        budget.spend(f.len())?;
    }
}

/// Substitutes the point for all variables but `main`; the result has only that variable.
fn evaluate_at_point(f: &Integral, main: usize, point: &[i64]) -> Integral {
    let mut out = Terms::zero(1, f.len());
    for (monomial, c) in f.iter() {
        let mut value = c.clone();
        for (v, e) in monomial.iter().enumerate().filter(|(v, e)| *v != main && **e > 0) {
            value *= &Integer::from(point[v]).pow(u32::from(*e));
        }
        out.push_term(&[monomial[main]], value);
    }
    out.combine_like_terms();
    out
}

/// Value at the point of each factor of the leading coefficient, with a divisor of it that is
/// coprime to the earlier values and to `number` (Wang 1978, section 3). `None` if one has none.
fn find_coprime_divisors(
    lead_factors: &[(Integral, u32)],
    main: usize,
    point: &[i64],
    number: Integer,
) -> Option<Vec<(Integer, Integer)>> {
    let mut earlier = vec![number];
    let mut divisors = Vec::new();
    for (g, _) in lead_factors {
        let at_this_point = evaluate_at_point(g, main, point);
        let whole = at_this_point.coefficients.first().cloned().unwrap_or(Integer::ZERO);
        let mut rest = whole.abs();
        if rest.is_zero() {
            return None;
        }
        for other in &earlier {
            loop {
                let common = rest.gcd(other);
                if common.is_one() {
                    break;
                }
                rest = rest.div_exact(&common).unwrap_or(Integer::ONE);
            }
        }
        if rest.is_one() {
            return None;
        }
        earlier.push(whole.abs());
        divisors.push((whole, rest));
    }
    Some(divisors)
}

/// The factors of the image at a point; `None` if they cannot be lifted from it to factors of `f`.
fn factor_image_at_point(
    f: &Integral,
    main: usize,
    number: &Integer,
    lead_factors: &[(Integral, u32)],
    point: Vec<i64>,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Option<Images>, Exhausted> {
    let image = evaluate_at_point(f, main, &point);
    if image.is_zero() || image.degree(0) != f.degree(main) || image.smallest_exponents()[0] > 0 {
        return Ok(None);
    }
    let content = image.content().abs();
    let image = image.primitive_part();
    let Some(divisors) = find_coprime_divisors(lead_factors, main, &point, (number * &content).abs()) else {
        return Ok(None);
    };
    let slope = image.derivative(0);
    if !super::gcd::primitive_gcd(&image, &slope, budget)?.is_constant() {
        return Ok(None);
    }
    let factors = factor_univariate::factor_square_free(&image, draws, budget)?;
    let mut left: Vec<u32> = lead_factors.iter().map(|(_, n)| *n).collect();
    let mut leads = Vec::new();
    for u in &factors {
        let mut rest = u.coefficients.last().cloned().unwrap_or(Integer::ONE);
        rest *= &content;
        let mut lead = Integral::constant_one(f.width);
        for (k, (g, _)) in lead_factors.iter().enumerate().rev() {
            let (whole, divisor) = &divisors[k];
            while rest.div_exact(divisor).is_some() {
                let (Some(quotient), Some(n)) = (rest.div_exact(whole), left[k].checked_sub(1)) else {
                    return Ok(None);
                };
                (rest, left[k]) = (quotient, n);
                lead = multiply_polynomials(&lead, g);
            }
        }
        leads.push(lead);
    }
    Ok(left.iter().all(|n| *n == 0).then_some(Images { point, factors, leading_coefficients: leads }))
}

/// Lifts the factors of the image at a point to factors of `f`; `None` if they do not lift.
fn lift_factors(
    f: &Integral,
    main: usize,
    number: &Integer,
    images: &Images,
    budget: &Budget,
) -> Result<Option<Vec<Integral>>, Exhausted> {
    let largest = f.coefficients.iter().map(Integer::bit_length).max().unwrap_or(0);
    // Gelfond: coefficients of factors are at most e^(sum of degrees) times as large as those of
    // the product.
    let degrees: u64 = f.degrees().iter().map(|d| u64::from(*d)).sum();
    let bits = largest + number.bit_length() + 2 * degrees + 8;
    let field = LargeField::with_prime_above_bits(bits);
    // Each factor gets its leading coefficient, as far as it is known, times the number; then the
    // product of the factors is the polynomial times a power of the number.
    let count = images.factors.len();
    let scale = number.pow(count as u32 - 1);
    let target = LiftingTarget {
        polynomial: field.shift_variables(&f.map_coefficients(|c| c * &scale), &images.point),
        main,
        leads: images
            .leading_coefficients
            .iter()
            .map(|lead| field.shift_variables(&lead.map_coefficients(|c| c * number), &images.point))
            .collect(),
    };
    let Some(lifted) = lift_images(&target, &images.factors, &field, budget)? else { return Ok(None) };
    let back: Vec<i64> = images.point.iter().map(|x| -x).collect();
    let mut rest = f.clone();
    let mut factors = Vec::new();
    for factor in lifted {
        let factor = field.symmetric_coefficients(&field.shift_variables(&factor, &back)).primitive_part();
        let Some(quotient) = exact_quotient(&rest, &factor) else { return Ok(None) };
        rest = quotient;
        factors.push(factor);
    }
    Ok(rest.is_unit().then_some(factors))
}
