//! Evaluates polynomials modulo a prime.

use super::integral::Integral;
use super::modular::{Dense, Draws, PrimeField, trim_zeros};
use super::terms::Terms;

/// A polynomial with coefficients modulo a prime below 2³¹.
pub(crate) type Modular = Terms<u64>;

/// Reduces the coefficients of a polynomial over the integers modulo a prime; zero ones disappear.
pub(crate) fn reduce_modulo_prime(a: &Integral, field: PrimeField) -> Modular {
    let mut out = Terms::zero(a.width, a.len());
    for (monomial, coefficient) in a.iter() {
        let c = field.reduce(coefficient);
        if c != 0 {
            out.push_term(monomial, c);
        }
    }
    out
}

/// Table of powers of the coordinates of a point, by variable and exponent, to evaluate monomials
/// modulo a prime.
pub(crate) struct Powers(Vec<Vec<u64>>);

impl Powers {
    /// Powers up to the degree of each variable; `values[v]` is the value of variable `v`.
    pub fn new(values: &[u64], degrees: &[u16], field: PrimeField) -> Self {
        let mut tables = Vec::with_capacity(values.len());
        for (value, degree) in values.iter().zip(degrees) {
            let mut power = 1;
            let mut powers = vec![1];
            for _ in 0..*degree {
                power = field.mul(power, *value);
                powers.push(power);
            }
            tables.push(powers);
        }
        Powers(tables)
    }

    /// Value of a monomial at the point, with only these variables substituted.
    pub fn monomial_value(&self, monomial: &[u16], variables: &[usize], field: PrimeField) -> u64 {
        variables.iter().fold(1, |value, v| match monomial[*v] {
            0 => value,
            e => field.mul(value, self.0[*v][usize::from(e)]),
        })
    }

    /// The power of the point's coordinate for a variable.
    pub fn variable_power(&self, variable: usize, exponent: u16) -> u64 {
        self.0[variable][usize::from(exponent)]
    }
}

/// A random point modulo the prime, without a zero coordinate, at which polynomials are evaluated.
pub(crate) fn random_point(width: usize, draws: &mut Draws, field: PrimeField) -> Vec<u64> {
    (0..width).map(|_| draws.next_positive(field.p)).collect()
}

/// Substitutes a value for one variable of a polynomial modulo a prime.
pub(crate) fn substitute_value(a: &Modular, variable: usize, value: u64, field: PrimeField) -> Modular {
    let mut powers = vec![1];
    for e in 0..usize::from(a.degree(variable)) {
        powers.push(field.mul(powers[e], value));
    }
    let mut out = Terms::zero(a.width, a.len());
    let mut rest = vec![0; a.width];
    let mut terms: Vec<(Vec<u16>, u64)> = Vec::with_capacity(a.len());
    for (monomial, coefficient) in a.iter() {
        rest.copy_from_slice(monomial);
        rest[variable] = 0;
        terms.push((rest.clone(), field.mul(*coefficient, powers[usize::from(monomial[variable])])));
    }
    terms.sort_by(|a, b| a.0.cmp(&b.0));
    let mut i = 0;
    while i < terms.len() {
        let mut sum = 0;
        let first = i;
        while i < terms.len() && terms[i].0 == terms[first].0 {
            sum = field.add(sum, terms[i].1);
            i += 1;
        }
        if sum != 0 {
            out.push_term(&terms[first].0, sum);
        }
    }
    out
}

/// Substitutes values for all variables but one; the result is dense in that one.
pub(crate) fn evaluate_other_variables(
    a: &Modular,
    variable: usize,
    others: &[usize],
    powers: &Powers,
    field: PrimeField,
) -> Dense {
    let mut out = vec![0; usize::from(a.degree(variable)) + 1];
    for (monomial, coefficient) in a.iter() {
        let value = field.mul(*coefficient, powers.monomial_value(monomial, others, field));
        let place = &mut out[usize::from(monomial[variable])];
        *place = field.add(*place, value);
    }
    trim_zeros(&mut out);
    out
}
