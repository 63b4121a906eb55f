//! Factors univariate polynomials modulo a prime.
//!
//! Method:  distinct-degree factorisation, then splitting by random elements (Cantor and
//!          Zassenhaus, A new algorithm for factoring polynomials over finite fields, Mathematics
//!          of Computation 36, 1981; von zur Gathen and Gerhard, Modern Computer Algebra, 3rd
//!          edition 2013, algorithms 14.3 and 14.8).
//! Cost:    O(n² log p) products for each degree of factors.

use super::budget::{Budget, Exhausted};
use super::modular::{Dense, Draws, PrimeField};

/// Distinct-degree factorisation of a monic square-free polynomial: for each degree, the product of
/// all irreducible factors of that degree.
pub(crate) fn distinct_degree_factors(
    f: &Dense,
    field: PrimeField,
    budget: &Budget,
) -> Result<Vec<(usize, Dense)>, Exhausted> {
    let mut products = Vec::new();
    let mut rest = f.clone();
    let x = vec![0, 1];
    let mut power = x.clone();
    let mut degree = 0;
    while rest.len() > 2 * (degree + 1) {
        degree += 1;
        budget.spend(64 * rest.len() * rest.len())?;
        field.dense_div(&mut power, &rest);
        power = field.dense_pow(&power, field.p, &rest);
        let common = field.dense_gcd(&rest, &field.dense_sub(&power, &x));
        if common.len() > 1 {
            rest = field.dense_div(&mut rest, &common);
            products.push((degree, common));
        }
    }
    if rest.len() > 1 {
        products.push((rest.len() - 1, rest));
    }
    Ok(products)
}

/// Equal-degree factorisation: the irreducible factors of a monic product of factors of one degree.
pub(crate) fn equal_degree_factors(
    product: Dense,
    degree: usize,
    field: PrimeField,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<Vec<Dense>, Exhausted> {
    let mut open = vec![product];
    let mut factors = Vec::new();
    while let Some(product) = open.pop() {
        let n = product.len() - 1;
        if n <= degree {
            factors.push(product);
            continue;
        }
        budget.spend(64 * degree * n * n)?;
        let mut element: Dense = (0..n).map(|_| draws.next_random() % field.p).collect();
        super::modular::trim_zeros(&mut element);
        // element^((p^degree − 1)/2) is 1 or −1 modulo each factor: the norm, then the power.
        let (mut norm, mut conjugate) = (element.clone(), element);
        for _ in 1..degree {
            conjugate = field.dense_pow(&conjugate, field.p, &product);
            norm = field.dense_mul(&norm, &conjugate);
            field.dense_div(&mut norm, &product);
        }
        let power = field.dense_pow(&norm, field.p / 2, &product);
        let common = field.dense_gcd(&product, &field.dense_sub(&power, &[1]));
        if common.len() > 1 && common.len() <= n {
            let mut rest = product;
            let quotient = field.dense_div(&mut rest, &common);
            open.push(quotient);
            open.push(common);
        } else {
            open.push(product);
        }
    }
    factors.sort();
    Ok(factors)
}

/// Cofactors `s` with Σ sᵢ ∏ⱼ≠ᵢ fⱼ = 1 and deg sᵢ < deg fᵢ, for coprime polynomials f.
pub(crate) fn bezout_cofactors(factors: &[Dense], field: PrimeField) -> Vec<Dense> {
    factors
        .iter()
        .enumerate()
        .map(|(i, f)| {
            let mut others = vec![1];
            for (_, g) in factors.iter().enumerate().filter(|(j, _)| *j != i) {
                others = field.dense_mul(&others, g);
                field.dense_div(&mut others, f);
            }
            inverse_modulo(&others, f, field)
        })
        .collect()
}

/// Inverse of `a` modulo a coprime polynomial, by Euclid's algorithm.
fn inverse_modulo(a: &Dense, modulus: &Dense, field: PrimeField) -> Dense {
    let (mut r, mut s) = ((modulus.clone(), a.clone()), (Vec::new(), vec![1]));
    while !r.1.is_empty() {
        let quotient = field.dense_div(&mut r.0, &r.1);
        let next = field.dense_sub(&s.0, &field.dense_mul(&quotient, &s.1));
        r = (r.1, r.0);
        s = (s.1, next);
    }
    let mut inverse = s.0;
    let scale = field.inverse(r.0.last().copied().unwrap_or(0));
    field.dense_scale(&mut inverse, scale);
    field.dense_div(&mut inverse, modulus);
    inverse
}
