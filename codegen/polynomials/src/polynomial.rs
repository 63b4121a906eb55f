//! Polynomials over the rational numbers.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::budget::{Budget, Exhausted};
use super::division;
use super::factor;
use super::gcd;
use super::integer::Integer;
use super::integral::Integral;
use super::modular::Draws;
use super::product;
use super::rational::Rational;
use super::terms::Terms;

/// A polynomial over the rational numbers in variables 0, 1, ….
///
/// Terms are in increasing lexicographic order of their exponents. Operations on two polynomials
/// use the larger number of variables; polynomials are equal only if they have the same number of
/// variables.
///
/// ```
/// use dqdt_polynomials::{Budget, Polynomial, Rational};
///
/// let x = Polynomial::variable(2, 0);
/// let y = Polynomial::variable(2, 1);
/// let one = Polynomial::constant(2, Rational::ONE);
/// let a = (&x + &y).checked_mul(&(&x - &y)).unwrap();
/// let b = (&x + &y).checked_mul(&(&x + &one)).unwrap();
/// assert_eq!(a.gcd(&b, &Budget::unlimited()), Ok(&x + &y));
/// assert_eq!(a.checked_div(&(&x + &y)), Some(&x - &y));
/// assert_eq!(a.checked_div(&(&x + &one)), None);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Polynomial {
    terms: Terms<Rational>,
}

/// A term of a polynomial, borrowed: exponents and coefficient.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// One exponent per variable of the polynomial.
    pub exponents: &'a [u16],
    /// The coefficient of the monomial, never zero.
    pub coefficient: &'a Rational,
}

impl Polynomial {
    /// The zero polynomial in this many variables, 0, 1, ….
    pub fn zero(variables: usize) -> Self {
        Polynomial { terms: Terms::zero(variables, 0) }
    }

    /// A constant polynomial in this many variables, 0, 1, ….
    pub fn constant(variables: usize, value: Rational) -> Self {
        Polynomial::from_monomial(vec![0; variables], value)
    }

    /// The polynomial `x` of a single variable, among this many variables.
    pub fn variable(variables: usize, variable: usize) -> Self {
        let mut exponents = vec![0; variables.max(variable + 1)];
        exponents[variable] = 1;
        Polynomial::from_monomial(exponents, Rational::ONE)
    }

    /// A polynomial of one term; zero if the coefficient is 0.
    pub fn from_monomial(exponents: Vec<u16>, coefficient: Rational) -> Self {
        let mut terms = Terms::zero(exponents.len(), 1);
        if !coefficient.is_zero() {
            terms.push_term(&exponents, coefficient);
        }
        Polynomial { terms }
    }

    /// Sums terms given in any order. Missing exponents are zero; those beyond `variables` are
    /// ignored.
    pub fn from_terms<E: AsRef<[u16]>>(
        variables: usize,
        all: impl IntoIterator<Item = (E, Rational)>,
    ) -> Self {
        let mut terms = Terms::zero(variables, 0);
        let mut monomial = vec![0; variables];
        for (exponents, coefficient) in all {
            monomial.fill(0);
            monomial.iter_mut().zip(exponents.as_ref()).for_each(|(m, e)| *m = *e);
            terms.push_term(&monomial, coefficient);
        }
        terms.combine_like_terms();
        Polynomial { terms }
    }

    /// Number of variables of the polynomial, whether they occur in it or not.
    pub fn variable_count(&self) -> usize {
        self.terms.width
    }

    /// Number of terms of the polynomial.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True for the zero polynomial, without terms.
    pub fn is_zero(&self) -> bool {
        self.terms.is_zero()
    }

    /// True for the zero polynomial, like [`Polynomial::is_zero`].
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// True for a polynomial in which no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.terms.is_constant()
    }

    /// True for the constant polynomial 1.
    pub fn is_one(&self) -> bool {
        self.is_constant() && self.terms.coefficients.first().is_some_and(Rational::is_one)
    }

    /// The value of a constant polynomial; `None` if a variable occurs.
    pub fn constant_value(&self) -> Option<Rational> {
        self.is_constant().then(|| self.terms.coefficients.first().cloned().unwrap_or(Rational::ZERO))
    }

    /// Terms in increasing lexicographic order of their exponents.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = Term<'_>> + ExactSizeIterator {
        self.terms.iter().map(|(exponents, coefficient)| Term { exponents, coefficient })
    }

    /// Coefficients of all terms, in the order of the terms.
    pub fn coefficients(&self) -> &[Rational] {
        &self.terms.coefficients
    }

    /// Coefficient of the last term; 0 for the zero polynomial.
    pub fn leading_coefficient(&self) -> Rational {
        self.terms.coefficients.last().cloned().unwrap_or(Rational::ZERO)
    }

    /// Largest exponent of a variable; 0 if it does not occur.
    pub fn degree_in(&self, variable: usize) -> u16 {
        if variable < self.variable_count() { self.terms.degree(variable) } else { 0 }
    }

    /// Largest exponent of any variable in any term.
    pub fn max_exponent(&self) -> u16 {
        self.terms.exponents.iter().copied().max().unwrap_or(0)
    }

    /// Smallest exponent of each variable over all terms; zeros for the zero polynomial.
    pub fn smallest_exponents(&self) -> Vec<u16> {
        self.terms.smallest_exponents()
    }

    /// True if the variable occurs in some term.
    pub fn contains_variable(&self, variable: usize) -> bool {
        variable < self.variable_count()
            && self.terms.exponents.iter().skip(variable).step_by(self.variable_count()).any(|e| *e > 0)
    }

    /// The same polynomial in at least this many variables; new ones do not occur.
    pub fn extend_variables(&self, variables: usize) -> Cow<'_, Self> {
        if self.variable_count() >= variables {
            return Cow::Borrowed(self);
        }
        let mut terms = Terms::zero(variables, self.len());
        for (monomial, coefficient) in self.terms.iter() {
            terms.exponents.extend_from_slice(monomial);
            terms.exponents.resize(terms.exponents.len() + variables - monomial.len(), 0);
            terms.coefficients.push(coefficient.clone());
        }
        Cow::Owned(Polynomial { terms })
    }

    /// The product of the polynomial with the number `k`.
    #[must_use]
    pub fn scale(&self, k: &Rational) -> Self {
        if k.is_zero() {
            return Polynomial::zero(self.variable_count());
        }
        if k.is_one() {
            return self.clone();
        }
        Polynomial { terms: self.terms.map_coefficients(|c| c * k) }
    }

    /// Derivative of the polynomial with respect to a variable.
    #[must_use]
    pub fn derivative(&self, variable: usize) -> Self {
        let mut terms = Terms::zero(self.variable_count(), self.len());
        let mut rest = vec![0; self.variable_count()];
        for (monomial, coefficient) in self.terms.iter() {
            let Some(e) = monomial.get(variable).copied().filter(|e| *e > 0) else { continue };
            rest.copy_from_slice(monomial);
            rest[variable] -= 1;
            terms.push_term(&rest, coefficient * &Rational::from(i64::from(e)));
        }
        Polynomial { terms }
    }

    /// The content: the positive rational by which division makes all coefficients coprime
    /// integers; 1 for the zero polynomial.
    pub fn content(&self) -> Rational {
        let content = self.terms.coefficients.iter().fold(Rational::ZERO, |c, x| c.gcd(x));
        if content.is_zero() { Rational::ONE } else { content }
    }

    /// The content, and the quotient by it, which has coprime integer coefficients.
    pub fn split_content(&self) -> (Rational, Self) {
        let content = self.content();
        let rest = content.inverse().map_or_else(|| self.clone(), |inverse| self.scale(&inverse));
        (content, rest)
    }

    /// The leading coefficient, and the quotient by it; two zeros for the zero polynomial.
    pub fn split_leading_coefficient(&self) -> (Rational, Self) {
        let lead = self.leading_coefficient();
        let rest = lead.inverse().map_or_else(|| self.clone(), |inverse| self.scale(&inverse));
        (lead, rest)
    }

    /// The greatest monomial that divides all terms, and the quotient by it.
    pub fn split_monomial(&self) -> (Self, Self) {
        let monomial = self.smallest_exponents();
        let mut terms = self.terms.clone();
        terms.divide_by_monomial(&monomial);
        (Polynomial::from_monomial(monomial, Rational::ONE), Polynomial { terms })
    }

    /// Coefficients with respect to some variables: for each monomial in these variables, in
    /// increasing order, its exponents and its coefficient, which does not contain them.
    pub fn coefficients_in(&self, variables: &[usize]) -> Vec<(Vec<u16>, Self)> {
        let key = |monomial: &[u16]| -> Vec<u16> {
            variables.iter().map(|v| monomial.get(*v).copied().unwrap_or(0)).collect()
        };
        let mut order: Vec<(Vec<u16>, usize)> =
            self.terms.iter().enumerate().map(|(i, (monomial, _))| (key(monomial), i)).collect();
        order.sort_unstable();
        let mut all: Vec<(Vec<u16>, Self)> = Vec::new();
        let mut rest = vec![0; self.variable_count()];
        for (key, i) in order {
            let monomial = self.terms.term_exponents(i);
            rest.copy_from_slice(monomial);
            variables.iter().filter(|v| **v < monomial.len()).for_each(|v| rest[*v] = 0);
            if all.last().is_none_or(|(last, _)| *last != key) {
                all.push((key, Polynomial::zero(self.variable_count())));
            }
            if let Some((_, part)) = all.last_mut() {
                part.terms.push_term(&rest, self.terms.coefficients[i].clone());
            }
        }
        all
    }

    /// Splits into the terms whose exponent of the variable is below `power`, and the other terms
    /// divided by that power.
    pub fn split_at_power(&self, variable: usize, power: u16) -> (Self, Self) {
        let [mut low, mut high] = [0; 2].map(|_| Polynomial::zero(self.variable_count()));
        let mut rest = vec![0; self.variable_count()];
        for (monomial, c) in self.terms.iter() {
            match monomial.get(variable).and_then(|e| e.checked_sub(power)) {
                None => low.terms.push_term(monomial, c.clone()),
                Some(e) => {
                    rest.copy_from_slice(monomial);
                    rest[variable] = e;
                    high.terms.push_term(&rest, c.clone());
                }
            }
        }
        (low, high)
    }

    /// Substitutes −x for a variable x: changes the sign of its odd powers.
    #[must_use]
    pub fn substitute_opposite(&self, variable: usize) -> Self {
        let mut terms = self.terms.clone();
        for (i, c) in terms.coefficients.iter_mut().enumerate() {
            if self.terms.term_exponents(i).get(variable).is_some_and(|e| e % 2 == 1) {
                *c = -&*c;
            }
        }
        Polynomial { terms }
    }

    /// The polynomial with integer coefficients, and the common denominator by which they were
    /// multiplied.
    fn to_integer_terms(&self) -> (Integral, Integer) {
        let mut denominator = Integer::ONE;
        for c in self.terms.coefficients.iter().filter(|c| !c.is_integer()) {
            denominator = denominator.lcm(c.denominator());
        }
        let terms = self.terms.map_coefficients(|c| match denominator.is_one() {
            true => c.numerator().clone(),
            false => c.numerator() * &denominator.div_exact(c.denominator()).unwrap_or(Integer::ONE),
        });
        (terms, denominator)
    }

    /// The polynomial of integer coefficients divided by a nonzero denominator.
    fn from_integer_terms(terms: Integral, denominator: &Integer) -> Self {
        let terms = terms.map_coefficients(|c| match denominator.is_one() {
            true => c.clone().into(),
            false => Rational::new(c.clone(), denominator.clone()).unwrap_or(Rational::ZERO),
        });
        Polynomial { terms }
    }

    /// Both polynomials over the same, larger number of variables.
    fn in_common_variables<'a>(&'a self, other: &'a Self) -> (Cow<'a, Self>, Cow<'a, Self>) {
        (self.extend_variables(other.variable_count()), other.extend_variables(self.variable_count()))
    }

    /// The product `self other`; `None` if an exponent does not fit in 16 bits.
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        let (a, b) = self.in_common_variables(other);
        if a.max_exponent().checked_add(b.max_exponent()).is_none() {
            // The largest exponents may belong to different variables.
            let sums = a.terms.degrees().into_iter().zip(b.terms.degrees());
            for (x, y) in sums {
                x.checked_add(y)?;
            }
        }
        if let Some(product) = a.multiply_by_few_terms(&b).or_else(|| b.multiply_by_few_terms(&a)) {
            return Some(product);
        }
        let ((a, below_a), (b, below_b)) = (a.to_integer_terms(), b.to_integer_terms());
        Some(Polynomial::from_integer_terms(product::multiply_polynomials(&a, &b), &(&below_a * &below_b)))
    }

    /// The product by a polynomial of few terms, term by term: a common denominator of many
    /// coefficients takes longer than their products. Sums of exponents must fit.
    fn multiply_by_few_terms(&self, other: &Self) -> Option<Self> {
        /// Maximum number of terms of `other` for a product term by term.
        const FEW: usize = 2;
        (other.len() <= FEW).then(|| {
            other.terms().fold(Polynomial::zero(self.variable_count()), |sum, factor| {
                let mut product = self.terms.map_coefficients(|c| c * factor.coefficient);
                for exponents in product.exponents.chunks_exact_mut(self.variable_count().max(1)) {
                    exponents.iter_mut().zip(factor.exponents).for_each(|(a, b)| *a += b);
                }
                if sum.is_zero() {
                    return Polynomial { terms: product };
                }
                Polynomial { terms: sum.terms.add_or_subtract(&product, false) }
            })
        })
    }

    /// The exact quotient `self / divisor`; `None` if it is not a polynomial.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        self.checked_div_within(divisor, &Budget::unlimited()).ok().flatten()
    }

    /// Same as [`Polynomial::checked_div`], within a budget: a quotient may have far more terms
    /// than its operands.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn checked_div_within(&self, divisor: &Self, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if divisor.is_zero() {
            return Ok(None);
        }
        let (a, b) = self.in_common_variables(divisor);
        if a.is_zero() {
            return Ok(Some(a.into_owned()));
        }
        let ((a, below_a), (b, below_b)) = (a.to_integer_terms(), b.to_integer_terms());
        // By Gauss's lemma a quotient of primitive polynomials has integer coefficients.
        let content = b.content();
        let content_a = a.content();
        let quotient = division::exact_quotient_within(&a.primitive_part(), &b.primitive_part(), budget)?;
        let scale = Rational::new(&content_a * &below_b, &content * &below_a);
        Ok(quotient.zip(scale).map(|(quotient, scale)| Polynomial {
            terms: quotient.map_coefficients(|c| &Rational::from(c.clone()) * &scale),
        }))
    }

    /// Greatest common divisor, with coprime integer coefficients and a positive last one; zero for
    /// two zero polynomials.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn gcd(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        let (a, b) = self.in_common_variables(other);
        let divisor = gcd::primitive_gcd(&a.to_integer_terms().0, &b.to_integer_terms().0, budget)?;
        Ok(Polynomial::from_integer_terms(divisor, &Integer::ONE))
    }

    /// Factors the polynomial: a number, and distinct irreducible factors with exponents, in a
    /// fixed order. Coefficients of factors are coprime integers, the last one positive. The zero
    /// polynomial has no factors.
    ///
    /// ```
    /// use dqdt_polynomials::{Budget, Polynomial, Rational};
    ///
    /// let x = Polynomial::variable(2, 0);
    /// let y = Polynomial::variable(2, 1);
    /// let sum = &x + &y;
    /// let square = sum.checked_mul(&sum).unwrap();
    /// let product = square.checked_mul(&(&x - &y).scale(&Rational::ratio(2, 3))).unwrap();
    /// let (number, factors) = product.factor(&Budget::unlimited())?;
    /// assert_eq!(number, Rational::ratio(2, 3));
    /// assert_eq!(factors, [(&x - &y, 1), (sum, 2)]);
    /// # Ok::<(), dqdt_polynomials::Exhausted>(())
    /// ```
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn factor(&self, budget: &Budget) -> Result<(Rational, Vec<(Self, u32)>), Exhausted> {
        if self.is_zero() {
            return Ok((Rational::ZERO, Vec::new()));
        }
        let (whole, denominator) = self.to_integer_terms();
        let (content, factors) = factor::factor_polynomial(&whole, &mut Draws(1), budget)?;
        let number = Rational::new(content, denominator).unwrap_or(Rational::ZERO);
        let factors = factors.into_iter().map(|(f, n)| (Polynomial::from_integer_terms(f, &Integer::ONE), n));
        Ok((number, factors.collect()))
    }
}

impl Add<&Polynomial> for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        let (a, b) = self.in_common_variables(other);
        Polynomial { terms: a.terms.add_or_subtract(&b.terms, false) }
    }
}

impl Sub<&Polynomial> for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: &Polynomial) -> Polynomial {
        let (a, b) = self.in_common_variables(other);
        Polynomial { terms: a.terms.add_or_subtract(&b.terms, true) }
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;

    fn neg(self) -> Polynomial {
        Polynomial { terms: self.terms.map_coefficients(|c| -c) }
    }
}

impl fmt::Display for Polynomial {
    /// Prints terms from the last one: `2*x0^2*x1 - 1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (i, (monomial, coefficient)) in self.terms.iter().rev().enumerate() {
            let sign = match (coefficient.is_negative(), i) {
                (true, 0) => "-",
                (true, _) => " - ",
                (false, 0) => "",
                (false, _) => " + ",
            };
            f.write_str(sign)?;
            let size = coefficient.abs();
            let mut is_first = size.is_one() && monomial.iter().any(|e| *e > 0);
            if !is_first {
                write!(f, "{size}")?;
            }
            for (variable, e) in monomial.iter().enumerate().filter(|(_, e)| **e > 0) {
                write!(f, "{}x{variable}", if is_first { "" } else { "*" })?;
                if *e > 1 {
                    write!(f, "^{e}")?;
                }
                is_first = false;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
