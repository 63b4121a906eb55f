//! Factors univariate polynomials over the integers.
//!
//! Method:  factors modulo a prime are lifted to a power of the prime above all coefficients of a
//!          factor, and recombined until products divide (Zassenhaus, On Hensel factorization, J.
//!          Number Theory 1, 1969; von zur Gathen and Gerhard 2013, sections 15.4 and 15.6). The
//!          degrees that several primes admit often prove early that the polynomial is irreducible.
//! Cost:    exponential in the number of factors modulo the prime, which is small; limited by the
//!          budget.

use super::budget::{Budget, Exhausted};
use super::division::exact_quotient;
use super::factor_modular::{bezout_cofactors, distinct_degree_factors, equal_degree_factors};
use super::integer::Integer;
use super::integral::Integral;
use super::modular::{Dense, Draws, PrimeField, descending_primes, trim_zeros};
use super::terms::Terms;

/// The distinct-degree factorisation of a univariate polynomial modulo a prime.
struct Image {
    field: PrimeField,
    /// Number of irreducible factors modulo the prime.
    count: usize,
    /// For each degree, the product of the factors of that degree.
    products: Vec<(usize, Dense)>,
}

/// Number of primes to factor modulo; the one with the fewest factors is lifted.
const PRIMES: usize = 4;

/// The irreducible factors of a primitive square-free polynomial of positive degree in one variable
/// (width 1).
pub(crate) fn factor_square_free(
    f: &Integral,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Vec<Integral>, Exhausted> {
    let degree = usize::from(f.degree(0));
    if degree <= 1 {
        return Ok(vec![f.clone()]);
    }
    let mut best: Option<Image> = None;
    // Degrees that are possible for products of factors modulo every prime tried.
    let mut possible = vec![true; degree + 1];
    let mut tried = 0;
    for p in descending_primes() {
        let field = PrimeField { p };
        budget.spend(degree)?;
        let image = reduce_to_dense(f, field);
        if image.len() != degree + 1 {
            continue;
        }
        let image = field.make_monic(image);
        if field.dense_gcd(&image, &field.dense_derivative(&image)).len() > 1 {
            continue;
        }
        let products = distinct_degree_factors(&image, field, budget)?;
        let mut sums = vec![false; degree + 1];
        sums[0] = true;
        let mut count = 0;
        for (d, product) in &products {
            for _ in 0..(product.len() - 1) / d {
                count += 1;
                for i in (*d..=degree).rev() {
                    sums[i] |= sums[i - d];
                }
            }
        }
        possible.iter_mut().zip(&sums).for_each(|(a, b)| *a &= b);
        if count == 1 || !possible[1..degree].contains(&true) {
            return Ok(vec![f.clone()]);
        }
        if best.as_ref().is_none_or(|b| count < b.count) {
            best = Some(Image { field, count, products });
        }
        tried += 1;
        if tried == PRIMES {
            break;
        }
    }
    let Some(Image { field, products, .. }) = best else { return Ok(vec![f.clone()]) };
    let mut factors = Vec::new();
    for (d, product) in products {
        factors.extend(equal_degree_factors(product, d, field, draws, budget)?);
    }
    let (lifted, modulus) = hensel_lift(f, &factors, field, budget)?;
    recombine_factors(f, lifted, &modulus, &possible, budget)
}

/// The univariate polynomial modulo a prime, with dense coefficients.
fn reduce_to_dense(f: &Integral, field: PrimeField) -> Dense {
    let mut out = vec![0; usize::from(f.degree(0)) + 1];
    for (monomial, c) in f.iter() {
        out[usize::from(monomial[0])] = field.reduce(c);
    }
    trim_zeros(&mut out);
    out
}

/// Dense coefficients of a univariate polynomial, the constant one first.
fn dense_coefficients(f: &Integral) -> Vec<Integer> {
    let mut out = vec![Integer::ZERO; usize::from(f.degree(0)) + 1];
    for (monomial, c) in f.iter() {
        out[usize::from(monomial[0])] = c.clone();
    }
    out
}

/// The univariate polynomial with these dense coefficients, the constant one first.
fn from_dense_coefficients(all: &[Integer]) -> Integral {
    let mut out = Terms::zero(1, all.len());
    for (e, c) in all.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        out.push_term(&[e as u16], c.clone());
    }
    out
}

/// Bits of twice a bound of the coefficients of any factor times the leading coefficient (Mignotte
/// 1974).
fn factor_bound_bits(f: &Integral) -> u64 {
    let largest = f.coefficients.iter().map(Integer::bit_length).max().unwrap_or(0);
    let lead = f.coefficients.last().map_or(0, Integer::bit_length);
    let degree = u64::from(f.degree(0));
    largest + lead + degree + (64 - u64::from((degree + 1).leading_zeros())) + 2
}

/// Hensel lifting: monic factors modulo a power of the prime above the bound, one digit at a time
/// (von zur Gathen and Gerhard 2013, section 15.4).
fn hensel_lift(
    f: &Integral,
    factors: &[Dense],
    field: PrimeField,
    budget: &Budget,
) -> Result<(Vec<Vec<Integer>>, Integer), Exhausted> {
    let p = Integer::from(field.p);
    let inverses = bezout_cofactors(factors, field);
    let f = dense_coefficients(f);
    let lead = f.last().cloned().unwrap_or(Integer::ONE);
    let inverse_lead = field.inverse(field.reduce(&lead));
    let mut all: Vec<Vec<Integer>> =
        factors.iter().map(|g| g.iter().map(|c| Integer::from(*c)).collect()).collect();
    let bits = factor_bound_bits(&from_dense_coefficients(&f));
    let mut modulus = p.clone();
    while modulus.bit_length() <= bits {
        let mut product = vec![lead.clone()];
        for g in &all {
            budget.spend(product.len() * g.len() * cost_in_words(&modulus))?;
            product = multiply_dense(&product, g);
        }
        // The next digit of the error, made monic.
        let error: Dense = f
            .iter()
            .zip(&product)
            .map(|(a, b)| {
                let digit = (a - b).div_exact(&modulus).unwrap_or(Integer::ZERO);
                field.mul(field.reduce(&digit), inverse_lead)
            })
            .collect();
        for ((g, image), inverse) in all.iter_mut().zip(factors).zip(&inverses) {
            let mut change = error.clone();
            trim_zeros(&mut change);
            field.dense_div(&mut change, image);
            change = field.dense_mul(&change, inverse);
            field.dense_div(&mut change, image);
            for (c, digit) in g.iter_mut().zip(&change) {
                c.add_product(&modulus, &Integer::from(*digit));
            }
        }
        modulus = &modulus * &p;
    }
    Ok((all, modulus))
}

/// Number of words of an integer plus one: the cost of its products, for the budget.
fn cost_in_words(n: &Integer) -> usize {
    1 + n.bit_length() as usize / 64
}

/// Product of two univariate polynomials with dense coefficients.
fn multiply_dense(a: &[Integer], b: &[Integer]) -> Vec<Integer> {
    let mut out = vec![Integer::ZERO; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (o, y) in out[i..].iter_mut().zip(b) {
            o.add_product(x, y);
        }
    }
    out
}

/// The representative of smallest magnitude modulo `modulus`.
fn symmetric_remainder(a: &Integer, modulus: &Integer) -> Integer {
    let (_, mut r) = a.div_rem(modulus).unwrap_or((Integer::ZERO, Integer::ZERO));
    let twice = &r + &r;
    if twice > *modulus {
        r -= modulus;
    } else if -&twice > *modulus {
        r += modulus;
    }
    r
}

/// The irreducible factors of `f`: products of lifted factors that divide it, smallest sets first.
fn recombine_factors(
    f: &Integral,
    mut factors: Vec<Vec<Integer>>,
    modulus: &Integer,
    possible: &[bool],
    budget: &Budget,
) -> Result<Vec<Integral>, Exhausted> {
    let mut rest = f.clone();
    let mut out = Vec::new();
    let mut size = 1;
    while 2 * size <= factors.len() {
        let mut set: Vec<usize> = (0..size).collect();
        let mut is_found = false;
        loop {
            budget.spend(size * cost_in_words(modulus))?;
            let degree: usize = set.iter().map(|i| factors[*i].len() - 1).sum();
            if possible[degree]
                && let Some((factor, quotient)) = try_combination(&rest, &factors, &set, modulus, budget)?
            {
                out.push(factor);
                rest = quotient;
                for i in set.iter().rev() {
                    factors.remove(*i);
                }
                is_found = true;
                break;
            }
            if !advance_combination(&mut set, factors.len()) {
                break;
            }
        }
        size += usize::from(!is_found);
    }
    out.push(rest);
    Ok(out)
}

/// Advances to the next set of the same size below `n`, in lexicographic order; false after the
/// last.
fn advance_combination(set: &mut [usize], n: usize) -> bool {
    let size = set.len();
    for i in (0..size).rev() {
        if set[i] < n - size + i {
            set[i] += 1;
            for j in i + 1..size {
                set[j] = set[j - 1] + 1;
            }
            return true;
        }
    }
    false
}

/// The product of a set of lifted factors and the quotient by it, if it divides.
fn try_combination(
    f: &Integral,
    factors: &[Vec<Integer>],
    set: &[usize],
    modulus: &Integer,
    budget: &Budget,
) -> Result<Option<(Integral, Integral)>, Exhausted> {
    let lead = f.coefficients.last().cloned().unwrap_or(Integer::ONE);
    // The constant terms alone usually decide.
    let constant = match f.iter().next() {
        Some(([0], c)) => c.clone(),
        _ => Integer::ZERO,
    };
    let mut at_zero = lead.clone();
    for i in set {
        at_zero = symmetric_remainder(&(&at_zero * &factors[*i][0]), modulus);
    }
    let whole = &constant * &lead;
    if !whole.is_zero() && whole.div_exact(&at_zero).is_none() {
        return Ok(None);
    }
    let mut product = vec![lead];
    for i in set {
        budget.spend(product.len() * factors[*i].len())?;
        product = multiply_dense(&product, &factors[*i]);
        product.iter_mut().for_each(|c| *c = symmetric_remainder(c, modulus));
    }
    let factor = from_dense_coefficients(&product).primitive_part();
    Ok(exact_quotient(f, &factor).map(|q| (factor, q)))
}
