//! Greatest common divisors (gcd) of polynomials over the integers.
//!
//! Problem: most pairs are coprime, some share a factor of a few terms, all in many variables.
//! Method:  the degrees of the gcd in each variable are bounded by images modulo a prime; a
//!          variable that cannot occur in the gcd is eliminated by taking coefficients (the gcd
//!          divides all of them). The rest is computed modulo primes by sparse interpolation
//!          (`zippel.rs`), combined by the Chinese remainder theorem, and verified by division
//!          (Geddes, Czapor, Labahn, Algorithms for Computer Algebra, 1992, sections 7.2 to 7.4).
//! Cost:    for coprime polynomials one image: O(n) for n terms and each variable.
//!
//! Limits: the budget.

use super::budget::{Budget, Exhausted};
use super::division::{exact_quotient, exact_quotient_within};
use super::evaluation::{Modular, Powers, random_point, reduce_modulo_prime};
use super::integer::Integer;
use super::integral::Integral;
use super::modular::{Dense, Draws, PrimeField, descending_primes, trim_zeros};
use super::product::multiply_polynomials;
use super::terms::Terms;
use super::zippel::{Failure, PolynomialPair, ZippelSearch};

/// The gcd with coprime coefficients, the last of them positive; zero for two zero polynomials.
pub(crate) fn primitive_gcd(a: &Integral, b: &Integral, budget: &Budget) -> Result<Integral, Exhausted> {
    if a.is_zero() || b.is_zero() {
        return Ok(if a.is_zero() { b } else { a }.clone().primitive_part());
    }
    if a.is_constant() || b.is_constant() {
        return Ok(Integral::constant_one(a.width));
    }
    let mut draws = Draws(1);
    gcd_with_monomials(a.clone().primitive_part(), b.clone().primitive_part(), &mut draws, budget)
}

/// The gcd of primitive polynomials; common powers of variables are separated first.
fn gcd_with_monomials(
    mut a: Integral,
    mut b: Integral,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let (low, other) = (a.smallest_exponents(), b.smallest_exponents());
    a.divide_by_monomial(&low);
    b.divide_by_monomial(&other);
    let monomial: Vec<u16> = low.iter().zip(&other).map(|(a, b)| *a.min(b)).collect();
    let mut divisor = gcd_without_monomials(&a, &b, draws, budget)?;
    for term in divisor.exponents.chunks_exact_mut(divisor.width.max(1)) {
        term.iter_mut().zip(&monomial).for_each(|(e, m)| *e += m);
    }
    Ok(divisor)
}

/// The gcd of primitive polynomials that no variable divides.
fn gcd_without_monomials(
    a: &Integral,
    b: &Integral,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let width = a.width;
    if a.is_constant() || b.is_constant() {
        return Ok(Integral::constant_one(width));
    }
    budget.spend((a.len() + b.len()) * width)?;
    let (mut of_a, mut of_b) = (a.degrees(), b.degrees());
    // Variables that occur in one polynomial only.
    let only = |degrees: &[u16], other: &[u16]| -> Vec<usize> {
        (0..width).filter(|v| degrees[*v] > 0 && other[*v] == 0).collect()
    };
    let (only_a, only_b) = (only(&of_a, &of_b), only(&of_b, &of_a));
    if !only_a.is_empty() || !only_b.is_empty() {
        return coefficient_gcd(a, &only_a, b, &only_b, draws, budget);
    }
    let variables: Vec<usize> = (0..width).filter(|v| of_a[*v] > 0).collect();
    let (a, b) = (a.restrict_to_variables(&variables), b.restrict_to_variables(&variables));
    (of_a, of_b) = (a.degrees(), b.degrees());
    let bounds = gcd_degree_bounds(&a, &b, draws, budget)?;
    let absent: Vec<usize> = (0..variables.len()).filter(|v| bounds[*v] == 0).collect();
    let divisor = if absent.len() == variables.len() {
        Integral::constant_one(variables.len())
    } else if !absent.is_empty() {
        coefficient_gcd(&a, &absent, &b, &absent, draws, budget)?
    } else if bounds == of_b
        && let Some(_) = try_division(&b, &a, budget)?
    {
        b
    } else if bounds == of_a
        && let Some(_) = try_division(&a, &b, budget)?
    {
        a
    } else {
        interpolate_gcd(&a, &b, &bounds, draws, budget)?
    };
    Ok(divisor.embed_in_variables(&variables, width))
}

/// The quotient `a / divisor`, if the division is exact; verifies candidates of a gcd.
fn try_division(divisor: &Integral, a: &Integral, budget: &Budget) -> Result<Option<Integral>, Exhausted> {
    budget.spend(divisor.len() + a.len())?;
    exact_quotient_within(a, divisor, budget)
}

/// The gcd of all coefficients of `a` with respect to the variables `in_a`, and of `b` with respect
/// to `in_b`.
fn coefficient_gcd(
    a: &Integral,
    in_a: &[usize],
    b: &Integral,
    in_b: &[usize],
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let mut all = a.coefficients_in_all(in_a);
    all.extend(b.coefficients_in_all(in_b));
    gcd_over_list(all, a.width, draws, budget)
}

/// The gcd of several polynomials, as a primitive polynomial.
fn gcd_over_list(
    mut all: Vec<Integral>,
    width: usize,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    all.sort_by(Integral::compare);
    let mut divisor = Terms::zero(width, 0);
    for a in all {
        divisor = if divisor.is_zero() {
            a.primitive_part()
        } else if try_division(&divisor, &a, budget)?.is_some() {
            continue;
        } else {
            gcd_with_monomials(divisor, a.primitive_part(), draws, budget)?
        };
        if divisor.is_constant() {
            return Ok(Integral::constant_one(width));
        }
    }
    Ok(divisor)
}

/// The content in a variable: the gcd of the coefficients of its powers, primitive.
pub(crate) fn content_in_variable(
    a: &Integral,
    variable: usize,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let all = a.power_coefficients(variable).into_iter().map(|(_, c)| c).collect();
    gcd_over_list(all, a.width, draws, budget)
}

/// Upper bounds of the degrees of the gcd in each variable, from gcds of univariate images. All
/// variables must occur in both polynomials.
fn gcd_degree_bounds(
    a: &Integral,
    b: &Integral,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Vec<u16>, Exhausted> {
    let (of_a, of_b) = (a.degrees(), b.degrees());
    let mut bounds: Vec<u16> = of_a.iter().zip(&of_b).map(|(a, b)| *a.min(b)).collect();
    let mut open: Vec<usize> = (0..a.width).collect();
    // A few points; an image is valid if no leading coefficient vanishes.
    for p in descending_primes().take(8) {
        let field = PrimeField { p };
        let point = random_point(a.width, draws, field);
        budget.spend((a.len() + b.len()) * a.width)?;
        let images =
            [(a, &of_a), (b, &of_b)].map(|(a, degrees)| univariate_images(a, &point, degrees, field));
        open.retain(|v| {
            let [x, y] = images.each_ref().map(|all| &all[*v]);
            if x.len() != usize::from(of_a[*v]) + 1 || y.len() != usize::from(of_b[*v]) + 1 {
                return true;
            }
            let degree = field.dense_gcd(x, y).len() - 1;
            bounds[*v] = bounds[*v].min(degree as u16);
            false
        });
        if open.is_empty() {
            break;
        }
    }
    Ok(bounds)
}

/// For each variable, the univariate polynomial that remains at a point of the others.
fn univariate_images(a: &Integral, point: &[u64], degrees: &[u16], field: PrimeField) -> Vec<Dense> {
    let inverses: Vec<u64> = point.iter().map(|x| field.inverse(*x)).collect();
    let powers = Powers::new(point, degrees, field);
    let inverse_powers = Powers::new(&inverses, degrees, field);
    let all: Vec<usize> = (0..a.width).collect();
    let mut out: Vec<Dense> = degrees.iter().map(|d| vec![0; usize::from(*d) + 1]).collect();
    for (monomial, coefficient) in a.iter() {
        let value = field.mul(field.reduce(coefficient), powers.monomial_value(monomial, &all, field));
        for (v, dense) in out.iter_mut().enumerate() {
            let e = monomial[v];
            let part = if e == 0 { value } else { field.mul(value, inverse_powers.variable_power(v, e)) };
            let place = &mut dense[usize::from(e)];
            *place = field.add(*place, part);
        }
    }
    out.iter_mut().for_each(trim_zeros);
    out
}

/// The polynomial divided by its content in a variable, which is known to divide it.
fn divide_by_content(a: &Integral, content: &Integral) -> Integral {
    match content.is_constant() {
        true => a.clone(),
        false => exact_quotient(a, content).unwrap_or_else(|| a.clone()),
    }
}

/// The gcd of primitive polynomials that may contain all their variables.
fn interpolate_gcd(
    a: &Integral,
    b: &Integral,
    bounds: &[u16],
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    // The variable whose leading coefficients have the fewest terms is the main one.
    let main = (0..a.width)
        .min_by_key(|v| {
            (a.leading_coefficient_in(*v).len().min(b.leading_coefficient_in(*v).len()), bounds[*v])
        })
        .unwrap_or(0);
    if a.width == 1 {
        return gcd_from_images(a, b, &Integral::constant_one(1), main, bounds, draws, budget);
    }
    // Contents in the main variable are divided out and handled separately.
    let (of_a, of_b) =
        (content_in_variable(a, main, draws, budget)?, content_in_variable(b, main, draws, budget)?);
    let outer = if of_a.is_constant() || of_b.is_constant() {
        Integral::constant_one(a.width)
    } else {
        gcd_with_monomials(of_a.clone(), of_b.clone(), draws, budget)?
    };
    let (a, b) = (divide_by_content(a, &of_a), divide_by_content(b, &of_b));
    let inner = gcd_with_common_lead(&a, &b, main, bounds, draws, budget)?;
    Ok(multiply_polynomials(&outer, &inner).primitive_part())
}

/// The gcd of polynomials without content in the main variable; its leading coefficient divides the
/// gcd of theirs.
fn gcd_with_common_lead(
    a: &Integral,
    b: &Integral,
    main: usize,
    bounds: &[u16],
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let (lead_a, lead_b) = (a.leading_coefficient_in(main), b.leading_coefficient_in(main));
    let lead = if lead_a.is_constant() || lead_b.is_constant() {
        Integral::constant_one(a.width)
    } else {
        gcd_with_monomials(lead_a.primitive_part(), lead_b.primitive_part(), draws, budget)?
    };
    gcd_from_images(a, b, &lead, main, bounds, draws, budget)
}

/// The gcd, from images modulo primes whose leading coefficients are images of `lead` times a
/// number.
fn gcd_from_images(
    a: &Integral,
    b: &Integral,
    lead: &Integral,
    main: usize,
    bounds: &[u16],
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Integral, Exhausted> {
    let number = a.leading_coefficient_in(main).content().gcd(&b.leading_coefficient_in(main).content());
    let lead = lead.map_coefficients(|c| c * &number);
    let others: Vec<usize> = (0..a.width).filter(|v| *v != main).collect();
    let of_lead = lead.degrees();
    // Exponents beyond 16 bits cannot be represented.
    let bounds_of_image = bounds.iter().zip(&of_lead).map(|(a, b)| a.checked_add(*b));
    let bounds_of_image: Vec<u16> = bounds_of_image.collect::<Option<_>>().ok_or(Exhausted)?;
    let mut degree = usize::from(bounds[main]);
    let mut sum: Option<(Integral, Integer, Modular)> = None;
    for p in descending_primes() {
        let field = PrimeField { p };
        let pair = PolynomialPair {
            a: reduce_modulo_prime(a, field),
            b: reduce_modulo_prime(b, field),
            lead: reduce_modulo_prime(&lead, field),
        };
        budget.spend(a.len() + b.len())?;
        let keeps = pair.a.degree(main) == a.degree(main) && pair.b.degree(main) == b.degree(main);
        if !keeps || pair.lead.is_zero() {
            continue;
        }
        let search = ZippelSearch { field, main, degree, bounds: &bounds_of_image, budget };
        let image = match &sum {
            Some((.., like)) => search.divisor_with_terms(&pair, &others, like, draws),
            None => search.interpolate_divisor(&pair, &others, draws),
        };
        let image = match image {
            Ok(image) => image,
            Err(Failure::Exhausted) => return Err(Exhausted),
            Err(Failure::Lower(0)) => return Ok(Integral::constant_one(a.width)),
            Err(Failure::Lower(lower)) => {
                degree = lower;
                sum = None;
                continue;
            }
            Err(Failure::Unlucky) => {
                sum = None;
                continue;
            }
        };
        let (whole, modulus, changed) = match &sum {
            None => (symmetric_lift(&image, field), Integer::from(p), true),
            Some((before, modulus, _)) => {
                budget.spend(before.len() * (1 + modulus.bit_length() as usize / 64))?;
                let (whole, changed) = combine_by_remainder_theorem(before, modulus, &image, field);
                (whole, modulus * &Integer::from(p), changed)
            }
        };
        // Coefficients much shorter than the modulus, or no change: probably complete.
        let is_small = whole.coefficients.iter().all(|c| c.bit_length() + 8 < modulus.bit_length());
        if is_small || !changed {
            let candidate = whole.clone().primitive_part();
            let content = match lead.is_constant() {
                true => Integral::constant_one(a.width),
                false => content_in_variable(&candidate, main, draws, budget)?,
            };
            if let Some(candidate) = exact_quotient(&candidate, &content)
                && try_division(&candidate, a, budget)?.is_some()
                && try_division(&candidate, b, budget)?.is_some()
            {
                return Ok(candidate);
            }
            if !changed {
                // Wrong terms: start again.
                sum = None;
                continue;
            }
        }
        let like = whole.map_coefficients(|_| 1);
        sum = Some((whole, modulus, like));
    }
    Err(Exhausted)
}

/// The polynomial over the integers with this image modulo a prime and coefficients of smallest
/// magnitude.
fn symmetric_lift(image: &Modular, field: PrimeField) -> Integral {
    image.map_coefficients(|c| Integer::from(field.symmetric_representative(*c)))
}

/// Chinese remainder theorem: the polynomial with one image modulo `modulus` and another modulo a
/// prime; true if it differs from the first.
fn combine_by_remainder_theorem(
    before: &Integral,
    modulus: &Integer,
    image: &Modular,
    field: PrimeField,
) -> (Integral, bool) {
    let inverse = field.inverse(field.reduce(modulus));
    let mut out = Terms::zero(before.width, before.len());
    let mut changed = false;
    let (mut i, mut j) = (0, 0);
    let zero = Integer::ZERO;
    while i < before.len() || j < image.len() {
        let order = match (i < before.len(), j < image.len()) {
            (true, true) => before.term_exponents(i).cmp(image.term_exponents(j)),
            (true, false) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        let monomial = if order.is_le() { before.term_exponents(i) } else { image.term_exponents(j) };
        let x = if order.is_le() { &before.coefficients[i] } else { &zero };
        let y = if order.is_ge() { image.coefficients[j] } else { 0 };
        // x + modulus k ≡ y
        let k = field.symmetric_representative(field.mul(field.sub(y, field.reduce(x)), inverse));
        changed |= k != 0;
        let value = x + &(modulus * &Integer::from(k));
        if !value.is_zero() {
            out.push_term(monomial, value);
        }
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    (out, changed)
}
