//! Factors polynomials over the integers into irreducible ones.
//!
//! Method:  powers of variables and contents are extracted first; a polynomial that is linear in a
//!          variable and has no content in it is irreducible; repeated factors are found by
//!          derivatives (Yun, On square-free decomposition algorithms, SYMSAC 1976); the rest is
//!          factored by evaluation and lifting (`factor_multivariate.rs`).
//!
//! Limits: the budget.

use super::budget::{Budget, Exhausted};
use super::division::exact_quotient;
use super::factor_multivariate;
use super::factor_univariate;
use super::gcd::{content_in_variable, primitive_gcd};
use super::integer::Integer;
use super::integral::Integral;
use super::modular::Draws;
use super::terms::Terms;

/// Primitive factors of a polynomial with their exponents, without repetition.
pub(crate) type FactorPowers = Vec<(Integral, u32)>;

/// Content and irreducible factors, with exponents, of a nonzero polynomial over the integers.
pub(crate) fn factor_polynomial(
    f: &Integral,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<(Integer, FactorPowers), Exhausted> {
    let mut factors = FactorPowers::new();
    let content = f.content();
    append_factors(f.clone().primitive_part(), 1, &mut factors, draws, budget)?;
    // The same factor may occur in several contents.
    factors.sort_by(|(a, _), (b, _)| a.compare(b));
    factors.dedup_by(|(a, n), (b, m)| {
        let is_same = a == b;
        *m += if is_same { *n } else { 0 };
        is_same
    });
    Ok((content, factors))
}

/// Appends the factors of a primitive polynomial, with exponents multiplied by `exponent`.
fn append_factors(
    mut f: Integral,
    exponent: u32,
    out: &mut FactorPowers,
    draws: &mut Draws,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let width = f.width;
    let low = f.smallest_exponents();
    f.divide_by_monomial(&low);
    for (variable, e) in low.iter().enumerate().filter(|(_, e)| **e > 0) {
        let mut monomial = vec![0; width];
        monomial[variable] = 1;
        out.push((
            Terms { width, exponents: monomial, coefficients: vec![Integer::ONE] },
            exponent * u32::from(*e),
        ));
    }
    if f.is_constant() {
        return Ok(());
    }
    let variables = f.occurring_variables();
    let f = f.restrict_to_variables(&variables);
    budget.spend(f.len() * f.width)?;
    let degrees = f.degrees();
    let main = (0..f.width).min_by_key(|v| (degrees[*v], f.leading_coefficient_in(*v).len())).unwrap_or(0);
    if f.width > 1 {
        let content = content_in_variable(&f, main, draws, budget)?;
        if !content.is_constant() {
            let rest = divide_known_factor(&f, &content);
            append_factors(content.embed_in_variables(&variables, width), exponent, out, draws, budget)?;
            return append_factors(rest.embed_in_variables(&variables, width), exponent, out, draws, budget);
        }
    }
    let mut add =
        |part: Integral, n: u32| out.push((part.embed_in_variables(&variables, width), exponent * n));
    if degrees[main] == 1 {
        add(f, 1);
        return Ok(());
    }
    for (part, n) in square_free_parts(&f, main, budget)? {
        for factor in irreducible_factors(part, draws, budget)? {
            add(factor, n);
        }
    }
    Ok(())
}

/// The quotient of a division that is known to be exact, else `f` itself.
fn divide_known_factor(f: &Integral, divisor: &Integral) -> Integral {
    exact_quotient(f, divisor).unwrap_or_else(|| f.clone())
}

/// Square-free decomposition: square-free parts with their exponents, for a polynomial without
/// content in the variable.
fn square_free_parts(f: &Integral, variable: usize, budget: &Budget) -> Result<FactorPowers, Exhausted> {
    let slope = f.derivative(variable);
    let common = primitive_gcd(f, &slope, budget)?;
    if common.is_constant() {
        return Ok(vec![(f.clone(), 1)]);
    }
    let mut parts = FactorPowers::new();
    let (mut rest, slope) = (divide_known_factor(f, &common), divide_known_factor(&slope, &common));
    let mut difference = slope.add_or_subtract(&rest.derivative(variable), true);
    let mut exponent = 1;
    while !rest.is_constant() {
        let part = primitive_gcd(&rest, &difference, budget)?;
        rest = divide_known_factor(&rest, &part);
        let slope =
            if difference.is_zero() { difference.clone() } else { divide_known_factor(&difference, &part) };
        difference = slope.add_or_subtract(&rest.derivative(variable), true);
        if !part.is_constant() {
            parts.push((part, exponent));
        }
        exponent += 1;
    }
    Ok(parts)
}

/// The irreducible factors of a square-free polynomial without content in its variable of lowest
/// degree.
fn irreducible_factors(f: Integral, draws: &mut Draws, budget: &Budget) -> Result<Vec<Integral>, Exhausted> {
    let (width, variables) = (f.width, f.occurring_variables());
    let f = f.restrict_to_variables(&variables);
    let degrees = f.degrees();
    let factors = if f.width == 1 {
        factor_univariate::factor_square_free(&f, draws, budget)?
    } else if degrees.contains(&1) {
        // It is square-free, so no factor is repeated.
        let mut factors = FactorPowers::new();
        append_factors(f, 1, &mut factors, draws, budget)?;
        factors.into_iter().map(|(factor, _)| factor).collect()
    } else {
        factor_multivariate::factor_square_free(f, factor_polynomial, draws, budget)?
    };
    Ok(factors.into_iter().map(|factor| factor.embed_in_variables(&variables, width)).collect())
}
