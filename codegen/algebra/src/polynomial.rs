//! Exact polynomials with a unique form for sines and cosines.
//!
//! Problem: decide whether an expression vanishes or two are equal, and list terms. Equal
//!          expressions must have equal terms.
//! Method:  sparse polynomials over complex rationals. An angle is either a *phase*, `z = exp(i q)`
//!          with integer exponents, so that products of sines and cosines become sums over
//!          combinations of angles; or a *pair*, with `s² → 1 − c²` and integer exponents of c,
//!          negative ones for tangents. Both forms are unique. The caller defines the atoms behind
//!          the variables: any ordered type. Exponents have 16 bits, coefficients are 64-bit
//!          rationals; overflow is an error.
//! Cost:    a product takes as many steps as there are pairs of terms; a ring may limit the steps
//!          of all its products.
//! Not handled: division by sums, roots, functions other than sine, cosine and tangent; see
//!          [`PolynomialError`].

use std::collections::BTreeMap;

use super::Ratio;

/// Maximum number of terms of a polynomial; more are the error `TooLarge`.
const MAX_TERMS: usize = 60_000;

/// Reason why an expression cannot become a polynomial in symbols, sines and cosines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolynomialError {
    /// A function other than sine, cosine and tangent, by name.
    #[error("{0} of a formula is not a polynomial in sines and cosines")]
    Function(&'static str),
    /// A divisor is a sum of terms, by which these polynomials cannot divide.
    #[error("the divisor of a quotient is a sum")]
    Division,
    /// The argument of a sine or cosine is not an integer combination of symbols.
    #[error("the argument of a sine or cosine is not an integer combination of symbols")]
    Angle,
    /// A constant is a double of inexact origin, such as a solver or a mesh.
    #[error("a constant is not an exact number")]
    Inexact,
    /// A 64-bit coefficient or a 16-bit exponent overflows.
    #[error("a number or an exponent became too large")]
    Overflow,
    /// A polynomial has more terms than the limit, or the ring's steps for products are used up.
    #[error("an expression has too many terms")]
    TooLarge,
}

/// A complex number `re + i im` with rational parts: a coefficient of a [`Poly`], complex because
/// of phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Complex {
    /// The real part of the coefficient.
    pub re: Ratio,
    /// The imaginary part of the coefficient.
    pub im: Ratio,
}

/// The product of two numbers, which cannot overflow if one is zero.
fn multiply_unless_zero(a: Ratio, b: Ratio) -> Option<Ratio> {
    if a.is_zero() || b.is_zero() { Some(Ratio::ZERO) } else { a.checked_mul(b) }
}

impl Complex {
    /// The complex number 1, as coefficient of a monomial.
    pub const ONE: Complex = Complex { re: Ratio::ONE, im: Ratio::ZERO };

    /// A real number as a complex one.
    pub fn from_real(re: Ratio) -> Self {
        Complex { re, im: Ratio::ZERO }
    }

    /// An imaginary number as a complex one.
    fn from_imaginary(im: Ratio) -> Self {
        Complex { re: Ratio::ZERO, im }
    }

    fn is_zero(self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    fn add(self, o: Self) -> Option<Self> {
        Some(Complex { re: self.re.checked_add(o.re)?, im: self.im.checked_add(o.im)? })
    }

    fn neg(self) -> Option<Self> {
        Some(Complex { re: self.re.checked_neg()?, im: self.im.checked_neg()? })
    }

    fn mul(self, o: Self) -> Option<Self> {
        if self.im.is_zero() && o.im.is_zero() {
            return self.re.checked_mul(o.re).map(Complex::from_real);
        }
        let re = multiply_unless_zero(self.re, o.re)?.checked_sub(multiply_unless_zero(self.im, o.im)?)?;
        let im = multiply_unless_zero(self.re, o.im)?.checked_add(multiply_unless_zero(self.im, o.re)?)?;
        Some(Complex { re, im })
    }
}

/// Role of a variable of a [`Ring`]: the function of its atom that it represents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VariableRole {
    /// The atom itself, such as a parameter or a speed.
    Plain,
    /// The sine of the atom (an angle), one of a pair of variables.
    Sin,
    /// The cosine of the atom (an angle), one of a pair of variables.
    Cos,
    /// The phase `exp(i q)` of the atom `q`, an angle.
    Phase,
}

/// Variables of a [`Ring`] with their nonzero exponents, by increasing variable.
pub type Monomial = Vec<(u16, i16)>;

/// A polynomial: a sum of monomials with nonzero coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Poly(pub BTreeMap<Monomial, Complex>);

/// The variables shared by the polynomials of one computation, with rewriting rules for squares and
/// with limits for products. `A` is the type of atoms.
#[derive(Clone, Debug)]
pub struct Ring<A> {
    variables: Vec<(VariableRole, A)>,
    find_variable: BTreeMap<(A, VariableRole), u16>,
    /// Rewriting rules: polynomials equal to the squares of some variables.
    squares: BTreeMap<u16, Poly>,
    max_terms: usize,
    steps: usize,
}

impl<A: Ord + Clone> Default for Ring<A> {
    fn default() -> Self {
        Ring::with_limits(MAX_TERMS, usize::MAX)
    }
}

impl Poly {
    /// A constant polynomial; without terms if `value` is zero.
    pub fn constant(value: Ratio) -> Self {
        let mut p = Poly::default();
        if !value.is_zero() {
            p.0.insert(Vec::new(), Complex::from_real(value));
        }
        p
    }

    /// A polynomial of one term, `value · monomial`.
    pub fn from_monomial(monomial: Monomial, value: Complex) -> Self {
        let mut p = Poly::default();
        if !value.is_zero() {
            p.0.insert(monomial, value);
        }
        p
    }

    /// True for the zero polynomial, which has no terms.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of terms of the polynomial.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The rational number, if the polynomial is a real constant.
    pub fn as_number(&self) -> Option<Ratio> {
        match self.0.len() {
            0 => Some(Ratio::ZERO),
            1 => self.0.get(&Vec::new()).filter(|c| c.im.is_zero()).map(|c| c.re),
            _ => None,
        }
    }

    /// Adds `value · monomial` to the polynomial; a term whose coefficient becomes zero is removed.
    fn add_term(&mut self, monomial: Monomial, value: Complex) -> Result<(), PolynomialError> {
        use std::collections::btree_map::Entry;
        match self.0.entry(monomial) {
            Entry::Vacant(e) => {
                if !value.is_zero() {
                    e.insert(value);
                }
            }
            Entry::Occupied(mut e) => {
                let sum = e.get().add(value).ok_or(PolynomialError::Overflow)?;
                if sum.is_zero() {
                    e.remove();
                } else {
                    e.insert(sum);
                }
            }
        }
        if self.0.len() > MAX_TERMS { Err(PolynomialError::TooLarge) } else { Ok(()) }
    }

    /// The negative `−a`; an error if a coefficient overflows.
    pub fn neg(&self) -> Result<Self, PolynomialError> {
        let mut p = self.clone();
        for c in p.0.values_mut() {
            *c = c.neg().ok_or(PolynomialError::Overflow)?;
        }
        Ok(p)
    }

    /// The sum `a + b`; an error if a coefficient overflows or there are too many terms.
    pub fn add(&self, o: &Poly) -> Result<Self, PolynomialError> {
        let (small, mut sum) = if self.len() < o.len() { (self, o.clone()) } else { (o, self.clone()) };
        for (m, c) in &small.0 {
            sum.add_term(m.clone(), *c)?;
        }
        Ok(sum)
    }

    /// The difference `a − b`; an error if a coefficient overflows or there are too many terms.
    pub fn sub(&self, o: &Poly) -> Result<Self, PolynomialError> {
        self.add(&o.neg()?)
    }
}

impl<A: Ord + Clone> Ring<A> {
    /// A ring whose products have at most `max_terms` terms, and which allows `steps` steps for all
    /// products together.
    pub fn with_limits(max_terms: usize, steps: usize) -> Self {
        Ring {
            variables: Vec::new(),
            find_variable: BTreeMap::new(),
            squares: BTreeMap::new(),
            max_terms,
            steps,
        }
    }

    /// The variable of an atom in a role, created on first use.
    pub fn intern_variable(&mut self, symbol: &A, role: VariableRole) -> Result<u16, PolynomialError> {
        if let Some(id) = self.find_variable.get(&(symbol.clone(), role)) {
            return Ok(*id);
        }
        let id = u16::try_from(self.variables.len()).map_err(|_| PolynomialError::TooLarge)?;
        self.variables.push((role, symbol.clone()));
        self.find_variable.insert((symbol.clone(), role), id);
        Ok(id)
    }

    /// The variable of an atom in a role, if it was created before.
    pub fn known(&self, atom: &A, role: VariableRole) -> Option<u16> {
        self.find_variable.get(&(atom.clone(), role)).copied()
    }

    /// The role and the atom that a variable represents.
    pub fn role_and_atom(&self, id: u16) -> (VariableRole, &A) {
        let (role, symbol) = &self.variables[id as usize];
        (*role, symbol)
    }

    /// The role of a variable: plain, sine, cosine or phase.
    fn variable_role(&self, id: u16) -> VariableRole {
        self.variables[id as usize].0
    }

    /// The product `a b`, with squares of sines and of other ruled variables rewritten.
    pub fn mul(&mut self, a: &Poly, b: &Poly) -> Result<Poly, PolynomialError> {
        let steps = a.len().saturating_mul(b.len());
        self.steps = self.steps.checked_sub(steps).ok_or(PolynomialError::TooLarge)?;
        let mut product = Poly::default();
        for (x, cx) in &a.0 {
            for (y, cy) in &b.0 {
                let value = cx.mul(*cy).ok_or(PolynomialError::Overflow)?;
                let monomial = multiply_monomials(x, y)?;
                self.add_with_square_rules(monomial, value, &mut product)?;
            }
        }
        if product.len() > self.max_terms { Err(PolynomialError::TooLarge) } else { Ok(product) }
    }

    /// Adds the rule `v² → square`, where `square` must not contain v or a variable with such a
    /// rule. As `s² → 1 − c²` does, the rule makes forms unique, for products computed from now on.
    pub fn set_square_rule(&mut self, variable: u16, square: Poly) {
        self.squares.insert(variable, square);
    }

    /// True if a rule rewrites the square of the variable.
    pub fn has_square_rule(&self, variable: u16) -> bool {
        self.variable_role(variable) == VariableRole::Sin || self.squares.contains_key(&variable)
    }

    /// Adds `value · monomial` to `sum`, after squares are rewritten: `s² → 1 − c²`, and by the
    /// rules of `set_square`.
    fn add_with_square_rules(
        &mut self,
        mut monomial: Monomial,
        value: Complex,
        sum: &mut Poly,
    ) -> Result<(), PolynomialError> {
        let square = monomial.iter().position(|(v, e)| *e >= 2 && self.has_square_rule(*v));
        let Some(at) = square else { return sum.add_term(monomial, value) };
        let variable = monomial[at].0;
        monomial[at].1 -= 2;
        if monomial[at].1 == 0 {
            monomial.remove(at);
        }
        if let Some(square) = self.squares.get(&variable).cloned() {
            self.steps = self.steps.checked_sub(square.len()).ok_or(PolynomialError::TooLarge)?;
            for (other, factor) in &square.0 {
                let value = value.mul(*factor).ok_or(PolynomialError::Overflow)?;
                self.add_with_square_rules(multiply_monomials(&monomial, other)?, value, sum)?;
            }
            return Ok(());
        }
        let symbol = self.variables[variable as usize].1.clone();
        let cos = self.intern_variable(&symbol, VariableRole::Cos)?;
        let other = multiply_monomials(&monomial, &[(cos, 2)])?;
        self.add_with_square_rules(monomial, value, sum)?;
        self.add_with_square_rules(other, value.neg().ok_or(PolynomialError::Overflow)?, sum)
    }

    /// `1 / a` if `a` is a single term without variables whose squares are rewritten, such as
    /// sines.
    pub fn invert_single_term(&self, a: &Poly) -> Result<Poly, PolynomialError> {
        let mut terms = a.0.iter();
        let (Some((monomial, c)), None) = (terms.next(), terms.next()) else {
            return Err(PolynomialError::Division);
        };
        if monomial.iter().any(|(v, _)| self.has_square_rule(*v)) {
            return Err(PolynomialError::Division);
        }
        let monomial = monomial.iter().map(|(v, e)| (*v, -e)).collect();
        // 1 / (a + i b) = (a − i b) / (a² + b²)
        let value = (|| {
            let norm = c.re.checked_mul(c.re)?.checked_add(c.im.checked_mul(c.im)?)?;
            let (re, im) = (c.re.checked_div(norm)?, c.im.checked_neg()?.checked_div(norm)?);
            Some(Complex { re, im })
        })();
        Ok(Poly::from_monomial(monomial, value.ok_or(PolynomialError::Overflow)?))
    }

    /// Integer power `aⁿ`; for negative n of the reciprocal, which needs a single term.
    pub fn pow(&mut self, a: &Poly, n: i64) -> Result<Poly, PolynomialError> {
        let base = if n < 0 { self.invert_single_term(a)? } else { a.clone() };
        let mut result = Poly::constant(Ratio::ONE);
        for _ in 0..n.unsigned_abs().min(1 << 12) {
            result = self.mul(&result, &base)?;
        }
        Ok(result)
    }

    /// Sine and cosine of an atom as polynomials: in the phase `exp(i q)` if `phase`, else as a
    /// pair of variables.
    pub fn sine_and_cosine(&mut self, symbol: &A, phase: bool) -> Result<(Poly, Poly), PolynomialError> {
        if !phase {
            let (s, c) = (
                self.intern_variable(symbol, VariableRole::Sin)?,
                self.intern_variable(symbol, VariableRole::Cos)?,
            );
            return Ok((
                Poly::from_monomial(vec![(s, 1)], Complex::ONE),
                Poly::from_monomial(vec![(c, 1)], Complex::ONE),
            ));
        }
        let z = self.intern_variable(symbol, VariableRole::Phase)?;
        let half = Ratio::new(1, 2).ok_or(PolynomialError::Overflow)?;
        let minus = half.checked_neg().ok_or(PolynomialError::Overflow)?;
        let sum = |plus: Complex, minus: Complex| {
            Poly::from_monomial(vec![(z, 1)], plus).add(&Poly::from_monomial(vec![(z, -1)], minus))
        };
        // sin q = (z − 1/z) / 2i, cos q = (z + 1/z) / 2
        Ok((
            sum(Complex::from_imaginary(minus), Complex::from_imaginary(half))?,
            sum(Complex::from_real(half), Complex::from_real(half))?,
        ))
    }
}

/// The product of two monomials: exponents of common variables are added, and zero ones removed.
fn multiply_monomials(x: &[(u16, i16)], y: &[(u16, i16)]) -> Result<Monomial, PolynomialError> {
    let (mut i, mut j) = (0, 0);
    let mut result = Vec::with_capacity(x.len() + y.len());
    while i < x.len() || j < y.len() {
        match (x.get(i), y.get(j)) {
            (Some(a), Some(b)) if a.0 == b.0 => {
                let e = a.1.checked_add(b.1).ok_or(PolynomialError::Overflow)?;
                if e != 0 {
                    result.push((a.0, e));
                }
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), Some(b)) if a.0 > b.0 => {
                result.push(*b);
                j += 1;
            }
            (Some(a), _) => {
                result.push(*a);
                i += 1;
            }
            (None, Some(b)) => {
                result.push(*b);
                j += 1;
            }
            (None, None) => break,
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(ring: &mut Ring<u8>, atom: u8) -> Result<Poly, PolynomialError> {
        Ok(Poly::from_monomial(vec![(ring.intern_variable(&atom, VariableRole::Plain)?, 1)], Complex::ONE))
    }

    fn sum_of_two_variables(ring: &mut Ring<u8>) -> Result<Poly, PolynomialError> {
        variable(ring, 1)?.add(&variable(ring, 2)?)
    }

    #[test]
    fn products_beyond_the_limits_are_refused() -> Result<(), PolynomialError> {
        let mut few = Ring::with_limits(2, usize::MAX);
        let a = sum_of_two_variables(&mut few)?;
        assert_eq!(few.mul(&a, &a), Err(PolynomialError::TooLarge));
        let mut tired = Ring::with_limits(3, 7);
        let a = sum_of_two_variables(&mut tired)?;
        assert_eq!(tired.mul(&a, &a)?.len(), 3);
        assert_eq!(tired.mul(&a, &a), Err(PolynomialError::TooLarge));
        Ok(())
    }
}
