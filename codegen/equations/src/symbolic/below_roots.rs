//! Forms with roots and lengths in denominators.
//!
//! Problem: a normal form has no root in a denominator. The force of a spring, `k (1 − l0/√R) x`,
//!          becomes `k (R − l0 √R) x/R`, fully expanded; if the length has a letter,
//!          `k (ℓ − l0) x/ℓ`, and with two springs everything has one denominator.
//! Method:  terms are grouped by the roots, or by the powers of lengths, that they contain. Of
//!          `a √R` and `(a R)/√R` the form whose `a` has no denominator is used. Then either the
//!          common factor of all parts moves in front, or terms that occur with and without a root
//!          are combined: `x + y − y l0/√R` is `x + y (1 − l0/√R)`. A number next to the root moves
//!          into it if that leaves no fractions: √R was the length of something. The result is
//!          proved like every other form.
//! Limits:  no such form for quotients without a root or a length, for those that keep another
//!          denominator, and for the magnitude `√(x²)`.

use std::rc::Rc;

use dqdt_polynomials::Rational;

use super::closed::{Closed, Function};
use super::conversion::{SymbolNames, exact_from_rational};
use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::terms::Atoms;
use super::tidy::apply_square_identities;
use super::variable::{Fraction, Poly, VariableMeaning};
use dqdt_graph::ir::SymbolKind;

/// A part of a sum in a form with roots below: a polynomial times powers of roots or lengths.
struct RootPart {
    /// Variables of the roots or lengths with their exponents; negative exponents divide.
    powers: Vec<(usize, i32)>,
    /// Polynomial that the powers multiply or divide.
    value: Poly,
}

impl RootPart {
    /// True if the part is divided by roots or lengths and multiplied by none.
    fn is_divided_by_roots(&self) -> bool {
        !self.powers.is_empty() && self.powers.iter().all(|(_, n)| *n < 0)
    }
}

impl SymbolicEngine {
    /// Forms of a quotient with roots or lengths in denominators, two for each way of grouping;
    /// empty if there are none.
    pub fn forms_with_roots_below(
        &mut self,
        value: &Fraction,
        names: &SymbolNames,
    ) -> EngineResult<Vec<Closed>> {
        let mut forms: Vec<Closed> = self.root_with_number_inside(value, names)?.into_iter().collect();
        for parts in [self.group_by_roots(value)?, self.group_by_lengths(value)?].into_iter().flatten() {
            let mut magnitude = false;
            for (root, _) in parts.iter().flat_map(|p| &p.powers) {
                let closed = apply_square_identities(&self.variable_form(*root, names)?);
                magnitude |=
                    matches!(&closed, Closed::Function(_, args) if matches!(args[..], [Closed::Power(_, 2)]));
            }
            if !magnitude {
                let mut atoms = Atoms::new(self, names)?;
                forms.extend(self.combine_spring_forces(&parts, &mut atoms, names)?);
                forms.push(self.factor_out_common(parts, &mut atoms, names)?);
            }
        }
        Ok(forms)
    }

    /// Writes `(x + y) + z/√R` as `x + y (1 + l0/√R)`, if z = `l0 y`: a spring force `y` among
    /// others, with its rest length.
    fn combine_spring_forces(
        &self,
        parts: &[RootPart],
        atoms: &mut Atoms,
        names: &SymbolNames,
    ) -> EngineResult<Option<Closed>> {
        let Some(plain) = parts.iter().find(|p| p.powers.is_empty()) else { return Ok(None) };
        let mut rest = plain.value.clone();
        let mut sum = Vec::with_capacity(parts.len());
        let mut any = false;
        for part in parts.iter().filter(|p| !p.powers.is_empty()) {
            let shared =
                if part.is_divided_by_roots() { self.find_shared_terms(&rest, &part.value)? } else { None };
            let Some((length, force, without)) = shared else {
                sum.push(self.root_part_form(part, atoms, names)?);
                continue;
            };
            (rest, any) = (without, true);
            let length = RootPart { powers: part.powers.clone(), value: length };
            let share = self.root_part_form(&length, atoms, names)?;
            let mut bracket = vec![Closed::integer(1), share];
            bracket.sort_by(Closed::cmp_terms);
            let (front, force) = force.split_monomial();
            let (front, force) =
                (self.polynomial_form(&front, names)?, self.shortest_polynomial_form(&force, atoms, names)?);
            sum.push(Closed::product(vec![front, force, Closed::sum(bracket)]));
        }
        if !rest.is_zero() {
            sum.push(self.shortest_polynomial_form(&rest, atoms, names)?);
        }
        sum.sort_by(Closed::cmp_terms);
        Ok(any.then(|| Closed::sum(sum)))
    }

    /// A variable or number `l` and a polynomial `y` with `z = l y` such that x contains all terms
    /// of y; also returns x − y.
    fn find_shared_terms(&self, x: &Poly, z: &Poly) -> EngineResult<Option<(Poly, Poly, Poly)>> {
        let factors = (0..z.variable_count()).filter(|v| z.terms().all(|t| t.exponents[*v] > 0));
        let mut lengths = vec![self.constant_poly(Rational::ONE)];
        let variable = |v: usize| {
            let mut exponents = vec![0; z.variable_count()];
            exponents[v] = 1;
            self.monomial_poly(Rational::ONE, exponents)
        };
        // Roots of primes belong to the length.
        let (primes, others): (Vec<usize>, Vec<usize>) =
            factors.partition(|v| matches!(self.variables[*v].meaning, VariableMeaning::Prime(_)));
        for prime in primes {
            lengths[0] = self.mul_poly(&lengths[0], &variable(prime))?;
        }
        for v in others {
            lengths.push(self.mul_poly(&lengths[0], &variable(v))?);
        }
        for length in lengths {
            let Some(force) = z.checked_div(&length) else { continue };
            let Some(first) = force.terms().next() else { continue };
            let same = x.terms().find(|t| t.exponents == first.exponents);
            let ratio = same.and_then(|t| t.coefficient.checked_div(first.coefficient));
            let Some((ratio, inverse)) = ratio.and_then(|r| r.inverse().map(|i| (r, i))) else { continue };
            let force = force.scale(&ratio);
            let without = x - &force;
            if without.len() + force.len() == x.len() {
                return Ok(Some((length.scale(&inverse), force, without)));
            }
        }
        Ok(None)
    }

    /// The sum of the parts, with their common factor in front.
    fn factor_out_common(
        &self,
        mut parts: Vec<RootPart>,
        atoms: &mut Atoms,
        names: &SymbolNames,
    ) -> EngineResult<Closed> {
        let common = self.divide_by_common_factor(&mut parts)?;
        let plain = parts.iter().find(|p| p.powers.is_empty()).map(|p| p.value.content());
        // A single number is factored out of all parts, the content of the part without a root.
        let number = plain.unwrap_or(Rational::ONE);
        let inverse = number.inverse().ok_or(Reason::DivisionByZero)?;
        let mut sum = Vec::with_capacity(parts.len());
        for part in &parts {
            let value = part.value.scale(&inverse);
            sum.push(self.root_part_form(&RootPart { powers: part.powers.clone(), value }, atoms, names)?);
        }
        sum.sort_by(Closed::cmp_terms);
        let common = self.shortest_polynomial_form(&common.scale(&number), atoms, names)?;
        Ok(Closed::product(vec![common, Closed::sum(sum)]))
    }

    /// Parts grouped by roots, each without another denominator; `None` unless at least one has
    /// roots in its denominator.
    fn group_by_roots(&mut self, value: &Fraction) -> EngineResult<Option<Vec<RootPart>>> {
        let num = self.over_all_variables(&value.num).into_owned();
        let present: Vec<usize> = (0..num.variable_count())
            .filter(|v| {
                matches!(self.variables[*v].meaning, VariableMeaning::Root(_)) && num.contains_variable(*v)
            })
            .collect();
        if present.is_empty()
            || value.den.iter().any(|(f, _)| present.iter().any(|r| contains_variable(&self.factors[*f], *r)))
        {
            return Ok(None);
        }
        let groups = num.coefficients_in(&present);
        let mut parts = Vec::with_capacity(groups.len());
        let mut any_below = false;
        for (exponents, poly) in groups {
            let of_one = present.iter().zip(exponents).filter(|(_, e)| *e == 1);
            let roots: Vec<usize> = of_one.map(|(r, _)| *r).collect();
            let part = Fraction { num: poly, den: value.den.clone(), degree: value.degree };
            let mut above = self.normalise_fraction(&part)?;
            let mut below = false;
            if !above.den.is_empty() && !roots.is_empty() {
                let mut product = part;
                for root in &roots {
                    let Some(square) = self.variables[*root].square.as_ref().map(Rc::clone) else {
                        return Ok(None);
                    };
                    product = self.mul(&product, &square)?;
                }
                (above, below) = (self.normalise_fraction(&product)?, true);
            }
            if !above.den.is_empty() || present.iter().any(|r| contains_variable(&above.num, *r)) {
                return Ok(None);
            }
            let value = self.over_all_variables(&above.num).into_owned();
            any_below |= below;
            let power = if below { -1 } else { 1 };
            parts.push(RootPart { powers: roots.into_iter().map(|r| (r, power)).collect(), value });
        }
        Ok(any_below.then_some(parts))
    }

    /// Parts of a quotient, grouped by the powers of lengths that multiply or divide them; `None`
    /// unless only lengths divide it and there are several parts.
    fn group_by_lengths(&self, value: &Fraction) -> EngineResult<Option<Vec<RootPart>>> {
        let num = self.over_all_variables(&value.num).into_owned();
        let is_length =
            |v: usize| matches!(self.variables[v].meaning, VariableMeaning::Symbol(SymbolKind::Length(_)));
        let mut divisor = vec![0u16; num.variable_count()];
        for (factor, exponent) in &value.den {
            let factor = &self.factors[*factor];
            let present: Vec<usize> =
                (0..factor.variable_count()).filter(|v| factor.contains_variable(*v)).collect();
            match present[..] {
                [v] if is_length(v) && factor.len() == 1 => divisor[v] += *exponent as u16,
                _ => return Ok(None),
            }
        }
        let lengths: Vec<usize> = (0..num.variable_count()).filter(|v| is_length(*v)).collect();
        let parts = num.coefficients_in(&lengths).into_iter().map(|(exponents, value)| {
            let powers = lengths.iter().zip(exponents);
            let powers = powers.map(|(v, e)| (*v, i32::from(e) - i32::from(divisor[*v])));
            RootPart { powers: powers.filter(|(_, n)| *n != 0).collect(), value }
        });
        let parts: Vec<RootPart> = parts.collect();
        Ok((parts.len() > 1 && divisor.iter().any(|n| *n > 0)).then_some(parts))
    }

    /// A quotient in expanded form; if lengths divide it, one quotient for each part.
    pub fn expanded_quotient_by_parts(&self, value: &Fraction, names: &SymbolNames) -> EngineResult<Closed> {
        let Some(parts) = self.group_by_lengths(value)? else { return self.quotient_form(value, names) };
        let mut sum = Vec::with_capacity(parts.len());
        for part in &parts {
            sum.push(self.multiply_powers(self.polynomial_form(&part.value, names)?, part, names)?);
        }
        sum.sort_by(Closed::cmp_terms);
        Ok(Closed::sum(sum))
    }

    /// Divides all parts by their common divisor and returns it.
    fn divide_by_common_factor(&self, parts: &mut [RootPart]) -> EngineResult<Poly> {
        let mut common: Option<Poly> = None;
        for part in parts.iter() {
            let value = self.over_all_variables(&part.value).into_owned();
            common = Some(match common {
                None => value,
                Some(c) => self.gcd(&c, &value)?,
            });
        }
        let one = || self.constant_poly(Rational::ONE);
        let common = common.unwrap_or_else(one);
        let divided: Option<Vec<Poly>> = parts
            .iter()
            .map(|p| self.over_all_variables(&p.value).into_owned().checked_div(&common))
            .collect();
        let Some(divided) = divided else { return Ok(one()) };
        parts.iter_mut().zip(divided).for_each(|(p, value)| p.value = value);
        Ok(common)
    }

    /// Closed form of a part. Numbers in front of a single root in the denominator move into it, if
    /// that leaves no fractions.
    fn root_part_form(
        &self,
        part: &RootPart,
        atoms: &mut Atoms,
        names: &SymbolNames,
    ) -> EngineResult<Closed> {
        if let Some((value, root)) = self.divisor_with_number_inside(part, names)? {
            let value = self.shortest_polynomial_form(&value, atoms, names)?;
            return Ok(Closed::Quotient(Box::new(value), Box::new(root)));
        }
        self.multiply_powers(self.shortest_polynomial_form(&part.value, atoms, names)?, part, names)
    }

    /// Multiplies and divides a value by the roots and lengths of a part.
    fn multiply_powers(&self, value: Closed, part: &RootPart, names: &SymbolNames) -> EngineResult<Closed> {
        let (mut above, mut below) = (vec![value], Vec::new());
        for (v, n) in &part.powers {
            let base = self.variable_form(*v, names)?;
            let power = match n.unsigned_abs() {
                1 => base,
                n => Closed::Power(Box::new(base), n),
            };
            if *n > 0 { above.push(power) } else { below.push(power) }
        }
        let above = Closed::product(above);
        Ok(match below.is_empty() {
            true => above,
            false => Closed::Quotient(Box::new(above), Box::new(Closed::product(below))),
        })
    }

    /// A single term of a number, roots of primes and one root, written as one root if that leaves
    /// no fractions; for a length such as `√2 √(8 − …)/100`.
    fn root_with_number_inside(&self, value: &Fraction, names: &SymbolNames) -> EngineResult<Option<Closed>> {
        let Some(term) = value.num.terms().next().filter(|_| value.num.len() == 1 && value.den.is_empty())
        else {
            return Ok(None);
        };
        let mut square = term.coefficient * term.coefficient;
        let mut inside = None;
        for (v, exponent) in term.exponents.iter().enumerate().filter(|(_, n)| **n > 0) {
            match (&self.variables[v].meaning, exponent, &inside) {
                (VariableMeaning::Prime(p), 1, _) => square = &square * p,
                (VariableMeaning::Root(radicand), 1, None) => inside = Some(radicand),
                _ => return Ok(None),
            }
        }
        let Some(radicand) = inside.filter(|_| !square.is_one() && !term.coefficient.is_negative()) else {
            return Ok(None);
        };
        let inside = self.scale(radicand, square);
        let is_finite = has_finite_decimals(&inside.num) && inside.den.is_empty();
        is_finite
            .then(|| Ok(Closed::Function(Function::Sqrt, vec![self.quotient_form(&inside, names)?])))
            .transpose()
    }

    /// For a part divided by one root: the value without its number, and the root with that number
    /// inside.
    fn divisor_with_number_inside(
        &self,
        part: &RootPart,
        names: &SymbolNames,
    ) -> EngineResult<Option<(Poly, Closed)>> {
        let [(root, -1)] = part.powers[..] else { return Ok(None) };
        let VariableMeaning::Root(radicand) = &self.variables[root].meaning else { return Ok(None) };
        let value = part.value.clone();
        // Only roots of primes that divide every term move into the root.
        let number = value.content();
        let mut square = &number * &number;
        let mut exponents = vec![0; value.variable_count()];
        for (v, exponent) in exponents.iter_mut().enumerate() {
            if let VariableMeaning::Prime(prime) = &self.variables[v].meaning
                && value.terms().all(|t| t.exponents[v] > 0)
            {
                square = &square * prime;
                *exponent = 1;
            }
        }
        if square.is_one() {
            return Ok(None);
        }
        let inside = self.scale(radicand, square.inverse().ok_or(Reason::DivisionByZero)?);
        let divisor = self.monomial_poly(number, exponents);
        match value.checked_div(&divisor) {
            Some(rest) if inside.den.is_empty() && has_finite_decimals(&inside.num) => {
                Ok(Some((rest, Closed::Function(Function::Sqrt, vec![self.quotient_form(&inside, names)?]))))
            }
            _ => Ok(None),
        }
    }
}

/// True if all coefficients have finitely many decimal digits.
fn has_finite_decimals(poly: &Poly) -> bool {
    poly.coefficients().iter().all(|c| exact_from_rational(c).has_finite_decimals())
}

/// True if the variable occurs in the polynomial; false if the polynomial is over fewer variables.
fn contains_variable(poly: &Poly, variable: usize) -> bool {
    variable < poly.variable_count() && poly.contains_variable(variable)
}
