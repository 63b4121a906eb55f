//! Lifts factors at a point to factors in all variables (multivariate Hensel lifting).
//!
//! Method:  one variable after the other, and one power of it after the other: the error of the
//!          product is a sum of corrections times cofactors, an equation that is solved recursively
//!          in fewer variables and finally by Euclid's algorithm (Wang 1978; Geddes, Czapor, Labahn
//!          1992, algorithms 6.2 to 6.4). The point is zero.

use super::budget::{Budget, Exhausted};
use super::integer::Integer;
use super::integral::Integral;
use super::large_field::LargeField;
use super::terms::Terms;

/// The polynomial to factor, shifted so that the point is zero.
pub(crate) struct LiftingTarget {
    /// The polynomial to factor, shifted.
    pub polynomial: Integral,
    /// The main variable, which is not evaluated: the images are univariate in it.
    pub main: usize,
    /// Leading coefficients of the factors in the main variable, one per factor.
    pub leads: Vec<Integral>,
}

/// Factors in the main variable and the variables lifted so far, with their cofactors: for each,
/// the product of all other factors.
struct LiftingLevel {
    factors: Vec<Integral>,
    cofactors: Vec<Integral>,
}

/// State of a multivariate Hensel lifting.
struct Lifting<'a> {
    target: &'a LiftingTarget,
    field: &'a LargeField,
    budget: &'a Budget,
    /// The variables other than the main one, in the order of lifting.
    others: Vec<usize>,
    /// Levels by number of lifted variables, beginning with none.
    levels: Vec<LiftingLevel>,
    /// Inverses `sᵢ` with Σ sᵢ cofactorᵢ = 1 at the point.
    inverses: Vec<Integral>,
}

/// Scales an image to the constant term of the leading coefficient `lead`.
fn scale_to_lead(image: &Integral, lead: &Integral, field: &LargeField) -> Integral {
    let old = image.coefficients.last().cloned().unwrap_or(Integer::ONE);
    let new = match lead.iter().next() {
        Some((monomial, c)) if monomial.iter().all(|e| *e == 0) => c.clone(),
        _ => Integer::ZERO,
    };
    let scale = field.mul(&new, &field.inverse(&field.reduce(&old)));
    field.reduce_coefficients(&image.map_coefficients(|c| c * &scale))
}

/// Lifts univariate images at zero to factors of the target; `None` if there are no such factors.
/// Images are scaled to the given leading coefficients.
pub(crate) fn lift_images(
    target: &LiftingTarget,
    images: &[Integral],
    field: &LargeField,
    budget: &Budget,
) -> Result<Option<Vec<Integral>>, Exhausted> {
    let (main, width) = (target.main, target.polynomial.width);
    let others: Vec<usize> = (0..width).filter(|v| *v != main).collect();
    let scaled = images.iter().zip(&target.leads).map(|(image, lead)| scale_to_lead(image, lead, field));
    let factors: Vec<Integral> = scaled.map(|image| image.embed_in_variables(&[main], width)).collect();
    if factors.iter().any(Terms::is_zero) {
        return Ok(None);
    }
    let mut lifting = Lifting { target, field, budget, others, levels: Vec::new(), inverses: Vec::new() };
    let level = lifting.level_with_cofactors(factors)?;
    for (factor, cofactor) in level.factors.iter().zip(&level.cofactors) {
        let Some(inverse) = lifting.inverse_modulo(cofactor, factor)? else { return Ok(None) };
        lifting.inverses.push(inverse);
    }
    lifting.levels.push(level);
    for position in 0..lifting.others.len() {
        let Some(factors) = lifting.lift_next_variable(position)? else { return Ok(None) };
        let level = lifting.level_with_cofactors(factors)?;
        lifting.levels.push(level);
    }
    Ok(lifting.levels.pop().map(|level| level.factors))
}

impl Lifting<'_> {
    /// Product modulo the prime, within the budget.
    fn multiply(&self, a: &Integral, b: &Integral) -> Result<Integral, Exhausted> {
        self.budget.spend(a.len() * b.len())?;
        Ok(self.field.multiply_polynomials(a, b))
    }

    /// Product of several polynomials modulo the prime, within the budget.
    fn product_of_all<'p>(&self, mut all: impl Iterator<Item = &'p Integral>) -> Result<Integral, Exhausted> {
        all.try_fold(Integral::constant_one(self.target.polynomial.width), |p, f| self.multiply(&p, f))
    }

    /// The factors of a level of the lifting, with the cofactor of each.
    fn level_with_cofactors(&self, factors: Vec<Integral>) -> Result<LiftingLevel, Exhausted> {
        let cofactors = (0..factors.len())
            .map(|i| {
                let others = factors.iter().enumerate().filter(|(j, _)| *j != i);
                self.product_of_all(others.map(|(_, f)| f))
            })
            .collect::<Result<_, _>>()?;
        Ok(LiftingLevel { factors, cofactors })
    }

    /// The polynomial with the variables not yet lifted, from `position` in `others` on, set to
    /// zero.
    fn truncate_after(&self, f: &Integral, position: usize) -> Integral {
        let mut out = Terms::zero(f.width, f.len());
        let zero = &self.others[position..];
        for (monomial, c) in f.iter().filter(|(m, _)| zero.iter().all(|v| m[*v] == 0)) {
            out.push_term(monomial, c.clone());
        }
        out
    }

    /// The coefficient of a power of a variable, as a polynomial in the other variables.
    fn power_coefficient(f: &Integral, variable: usize, power: u16) -> Integral {
        let mut out = Terms::zero(f.width, 0);
        let mut rest = vec![0; f.width];
        for (monomial, c) in f.iter().filter(|(m, _)| m[variable] == power) {
            rest.copy_from_slice(monomial);
            rest[variable] = 0;
            out.push_term(&rest, c.clone());
        }
        out
    }

    /// The product `f xⁿ` of a polynomial and a power of a variable x.
    fn multiply_by_power(f: &Integral, variable: usize, power: u16) -> Integral {
        let mut out = f.clone();
        out.exponents.iter_mut().skip(variable).step_by(f.width).for_each(|e| *e += power);
        out
    }

    /// Lifts the factors to one more variable, power by power; `None` if the product of the lifted
    /// factors differs from the target.
    fn lift_next_variable(&self, position: usize) -> Result<Option<Vec<Integral>>, Exhausted> {
        let (variable, main) = (self.others[position], self.target.main);
        let whole = self.truncate_after(&self.target.polynomial, position + 1);
        let mut factors: Vec<Integral> = self.levels[position]
            .factors
            .iter()
            .zip(&self.target.leads)
            .map(|(factor, lead)| {
                let degree = factor.degree(main);
                let mut out = Terms::zero(factor.width, factor.len());
                for (monomial, c) in factor.iter().filter(|(m, _)| m[main] < degree) {
                    out.push_term(monomial, c.clone());
                }
                let lead = Self::multiply_by_power(&self.truncate_after(lead, position + 1), main, degree);
                out.add_or_subtract(&lead, false)
            })
            .collect();
        for power in 1..=whole.degree(variable) {
            let error = self.field.subtract_polynomials(&whole, &self.product_of_all(factors.iter())?);
            if error.is_zero() {
                return Ok(Some(factors));
            }
            let part = Self::power_coefficient(&error, variable, power);
            if part.is_zero() {
                continue;
            }
            let Some(changes) = self.solve_for_corrections(position, &part)? else { return Ok(None) };
            for (factor, change) in factors.iter_mut().zip(changes) {
                *factor =
                    self.field.add_polynomials(factor, &Self::multiply_by_power(&change, variable, power));
            }
        }
        let error = self.field.subtract_polynomials(&whole, &self.product_of_all(factors.iter())?);
        Ok(error.is_zero().then_some(factors))
    }

    /// Solves Σ δᵢ cofactorᵢ = c for corrections δ in the first `position` of the other variables.
    fn solve_for_corrections(
        &self,
        position: usize,
        c: &Integral,
    ) -> Result<Option<Vec<Integral>>, Exhausted> {
        let Some(last) = position.checked_sub(1) else {
            return self
                .inverses
                .iter()
                .zip(&self.levels[0].factors)
                .map(|(inverse, factor)| {
                    Ok(Some(self.univariate_remainder(&self.multiply(inverse, c)?, factor)?))
                })
                .collect();
        };
        let variable = self.others[last];
        let cofactors = &self.levels[position].cofactors;
        let Some(mut all) = self.solve_for_corrections(last, &Self::power_coefficient(c, variable, 0))?
        else {
            return Ok(None);
        };
        let mut error = c.clone();
        for (change, cofactor) in all.iter().zip(cofactors) {
            error = self.field.subtract_polynomials(&error, &self.multiply(change, cofactor)?);
        }
        let bound = self.target.polynomial.degree(variable);
        for power in 1..=bound {
            if error.is_zero() {
                break;
            }
            let part = Self::power_coefficient(&error, variable, power);
            if part.is_zero() {
                continue;
            }
            let Some(changes) = self.solve_for_corrections(last, &part)? else { return Ok(None) };
            for ((sum, change), cofactor) in all.iter_mut().zip(changes).zip(cofactors) {
                let change = Self::multiply_by_power(&change, variable, power);
                error = self.field.subtract_polynomials(&error, &self.multiply(&change, cofactor)?);
                *sum = self.field.add_polynomials(sum, &change);
            }
        }
        Ok(error.is_zero().then_some(all))
    }

    /// Remainder of a division of univariate polynomials in the main variable.
    fn univariate_remainder(&self, a: &Integral, divisor: &Integral) -> Result<Integral, Exhausted> {
        Ok(self.divide_univariate(a, divisor)?.1)
    }

    /// Quotient and remainder of univariate polynomials in the main variable.
    fn divide_univariate(&self, a: &Integral, divisor: &Integral) -> Result<(Integral, Integral), Exhausted> {
        let main = self.target.main;
        let degree = divisor.degree(main);
        let lead = divisor.coefficients.last().cloned().unwrap_or(Integer::ONE);
        let inverse = self.field.inverse(&lead);
        let (mut rest, mut quotient) = (a.clone(), Terms::zero(a.width, 0));
        while !rest.is_zero() && rest.degree(main) >= degree {
            let power = rest.degree(main) - degree;
            let c = rest.coefficients.last().cloned().unwrap_or(Integer::ZERO);
            let c = self.field.mul(&c, &inverse);
            self.budget.spend(divisor.len())?;
            let step = Self::multiply_by_power(&divisor.map_coefficients(|d| d * &c), main, power);
            rest = self.field.subtract_polynomials(&rest, &step);
            let term = Self::multiply_by_power(&Terms::constant(a.width, c), main, power);
            quotient = quotient.add_or_subtract(&term, false);
        }
        Ok((quotient, rest))
    }

    /// Inverse modulo a univariate polynomial in the main variable; `None` if they share a factor.
    fn inverse_modulo(&self, a: &Integral, modulus: &Integral) -> Result<Option<Integral>, Exhausted> {
        let (mut r, mut s) = (
            (modulus.clone(), self.univariate_remainder(a, modulus)?),
            (Terms::zero(a.width, 0), Integral::constant_one(a.width)),
        );
        while !r.1.is_zero() {
            let (quotient, rest) = self.divide_univariate(&r.0, &r.1)?;
            let next = self.field.subtract_polynomials(&s.0, &self.multiply(&quotient, &s.1)?);
            r = (r.1, rest);
            s = (s.1, next);
        }
        if !r.0.is_constant() {
            return Ok(None);
        }
        let scale = self.field.inverse(&r.0.coefficients.first().cloned().unwrap_or(Integer::ZERO));
        let inverse = self.field.reduce_coefficients(&s.0.map_coefficients(|c| c * &scale));
        Ok(Some(self.univariate_remainder(&inverse, modulus)?))
    }
}
