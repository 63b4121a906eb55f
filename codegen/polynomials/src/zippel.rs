//! Greatest common divisors (gcd) modulo a prime, by sparse interpolation.
//!
//! Problem: the gcd of two polynomials that share all their variables. Images are comparable only
//!          up to a factor, so the leading coefficient of the gcd in the main variable is given.
//! Method:  values are substituted for the variables one by one; the first image gives the terms of
//!          the gcd, and the coefficients of all other images follow from linear equations, each
//!          from a gcd of univariate polynomials (Zippel, Probabilistic algorithms for sparse
//!          polynomials, EUROSAM 1979; Geddes, Czapor, Labahn, Algorithms for Computer Algebra,
//!          1992, section 7.4). Points are powers of one point, which gives Vandermonde systems
//!          (Zippel 1990).
//! Cost:    for T terms and degrees d: O(T d n) images, each of the length of the polynomials.
//!
//! Limits: a result may be wrong with a probability of about terms times degree over the prime; the
//! caller verifies it by division.

use super::budget::{Budget, Exhausted};
use super::evaluation::{Modular, Powers, evaluate_other_variables, random_point, substitute_value};
use super::modular::{Dense, Draws, PrimeField};
use super::terms::Terms;

/// Reason why no image of the gcd modulo a prime was interpolated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The gcd has this degree in the main variable, less than assumed: the search restarts with
    /// it.
    Lower(usize),
    /// The random points or the prime were unlucky; other ones are tried.
    Unlucky,
    /// The budget of work is spent.
    Exhausted,
}

impl From<Exhausted> for Failure {
    fn from(_: Exhausted) -> Self {
        Failure::Exhausted
    }
}

/// Number of attempts with new random points before a prime is given up.
const ATTEMPTS: usize = 16;

/// Two polynomials modulo a prime, with the leading coefficient of their gcd.
pub(crate) struct PolynomialPair {
    pub a: Modular,
    pub b: Modular,
    /// Leading coefficient of the gcd in the main variable.
    pub lead: Modular,
}

/// Parameters of an interpolation of the gcd modulo a prime that are common to all images.
pub(crate) struct ZippelSearch<'a> {
    pub field: PrimeField,
    /// The main variable, in which images are univariate.
    pub main: usize,
    /// Assumed degree of the gcd in the main variable.
    pub degree: usize,
    /// Upper bounds of the gcd's degree in each variable.
    pub bounds: &'a [u16],
    pub budget: &'a Budget,
}

impl ZippelSearch<'_> {
    /// The gcd modulo the prime with the leading coefficient of the pair, in the main variable and
    /// `others`.
    pub fn interpolate_divisor(
        &self,
        pair: &PolynomialPair,
        others: &[usize],
        draws: &mut Draws,
    ) -> Result<Modular, Failure> {
        let field = self.field;
        let Some((&variable, rest)) = others.split_last() else {
            let powers = Powers::new(&[], &[], field);
            let image = self.univariate_image(pair, &[], &powers)?;
            let mut out = Terms::zero(pair.a.width, image.len());
            let mut monomial = vec![0; pair.a.width];
            for (e, c) in image.iter().enumerate().filter(|(_, c)| **c > 0) {
                monomial[self.main] = e as u16;
                out.push_term(&monomial, *c);
            }
            return Ok(out);
        };
        let mut values: Vec<u64> = Vec::new();
        let mut images: Vec<Modular> = Vec::new();
        let mut failures = 0;
        while images.len() <= usize::from(self.bounds[variable]) {
            let value = draws.next_positive(field.p);
            if values.contains(&value) {
                continue;
            }
            let at = |a: &Modular| substitute_value(a, variable, value, field);
            let part = PolynomialPair { a: at(&pair.a), b: at(&pair.b), lead: at(&pair.lead) };
            self.budget.spend(pair.a.len() + pair.b.len())?;
            let image = match self.keeps_degree(pair, &part) {
                false => Err(Failure::Unlucky),
                true => match images.first() {
                    None => self.interpolate_divisor(&part, rest, draws),
                    Some(first) => self.divisor_with_terms(&part, rest, first, draws),
                },
            };
            match image {
                Ok(image) => {
                    values.push(value);
                    images.push(image);
                }
                Err(Failure::Unlucky) => {
                    failures += 1;
                    // The first image may lack terms.
                    images.clear();
                    values.clear();
                    if failures > ATTEMPTS {
                        return Err(Failure::Unlucky);
                    }
                }
                Err(other) => return Err(other),
            }
        }
        Ok(self.interpolate_variable(&images, &values, variable))
    }

    /// True if a substitution keeps the leading coefficient and the degrees in the main variable,
    /// so that the image is usable.
    fn keeps_degree(&self, whole: &PolynomialPair, part: &PolynomialPair) -> bool {
        let main = self.main;
        !part.lead.is_zero()
            && part.a.degree(main) == whole.a.degree(main)
            && part.b.degree(main) == whole.b.degree(main)
    }

    /// The gcd as a univariate polynomial in the main variable, at a point of the others.
    fn univariate_image(
        &self,
        pair: &PolynomialPair,
        others: &[usize],
        powers: &Powers,
    ) -> Result<Dense, Failure> {
        let dense = |a: &Modular| evaluate_other_variables(a, self.main, others, powers, self.field);
        let lead = dense(&pair.lead).first().copied().unwrap_or(0);
        self.scaled_gcd_image(&dense(&pair.a), &dense(&pair.b), lead, pair)
    }

    /// The gcd of two univariate images, scaled to the leading coefficient; an error if a degree is
    /// not as expected.
    fn scaled_gcd_image(
        &self,
        a: &[u64],
        b: &[u64],
        lead: u64,
        pair: &PolynomialPair,
    ) -> Result<Dense, Failure> {
        let degree = |a: &Modular| usize::from(a.degree(self.main));
        if lead == 0 || a.len() != degree(&pair.a) + 1 || b.len() != degree(&pair.b) + 1 {
            return Err(Failure::Unlucky);
        }
        self.budget.spend(a.len() * b.len())?;
        let mut divisor = self.field.dense_gcd(a, b);
        match (divisor.len() - 1).cmp(&self.degree) {
            std::cmp::Ordering::Less => return Err(Failure::Lower(divisor.len() - 1)),
            std::cmp::Ordering::Greater => return Err(Failure::Unlucky),
            std::cmp::Ordering::Equal => {}
        }
        self.field.dense_scale(&mut divisor, lead);
        Ok(divisor)
    }

    /// The gcd modulo the prime, if it has no other terms than `like`, the image at another point
    /// or prime.
    pub fn divisor_with_terms(
        &self,
        pair: &PolynomialPair,
        others: &[usize],
        like: &Modular,
        draws: &mut Draws,
    ) -> Result<Modular, Failure> {
        for _ in 0..ATTEMPTS {
            match self.solve_for_coefficients(pair, others, like, draws) {
                Err(Failure::Unlucky) => {}
                result => return result,
            }
        }
        Err(Failure::Unlucky)
    }

    /// The coefficients of the terms of `like`, from linear equations in gcds at powers of a random
    /// point.
    fn solve_for_coefficients(
        &self,
        pair: &PolynomialPair,
        others: &[usize],
        like: &Modular,
        draws: &mut Draws,
    ) -> Result<Modular, Failure> {
        let field = self.field;
        let width = pair.a.width;
        let point = random_point(width, draws, field);
        let mut degrees = pair.a.degrees();
        for other in [pair.b.degrees(), pair.lead.degrees(), like.degrees()] {
            degrees.iter_mut().zip(other).for_each(|(d, o)| *d = (*d).max(o));
        }
        let powers = Powers::new(&point, &degrees, field);
        // Unknown coefficients by power of the main variable: index in `like` and node.
        let mut groups: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.degree];
        for (term, (monomial, _)) in like.iter().enumerate() {
            if let Some(group) = groups.get_mut(usize::from(monomial[self.main])) {
                group.push((term, powers.monomial_value(monomial, others, field)));
            }
        }
        for group in &groups {
            let mut nodes: Vec<u64> = group.iter().map(|(_, node)| *node).collect();
            nodes.sort_unstable();
            if nodes.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Failure::Unlucky);
            }
        }
        let count = groups.iter().map(Vec::len).max().unwrap_or(0);
        // One image more than unknowns: if `like` lacks a term, that one does not fit.
        let images = self.images_at_powers(pair, others, &powers, count + 1)?;
        let mut coefficients = vec![0; like.len()];
        for (power, group) in groups.iter().enumerate() {
            let values: Vec<u64> = images.iter().take(group.len()).map(|image| image[power]).collect();
            self.budget.spend(group.len() * group.len())?;
            let mut at_last = 0;
            for ((term, node), c) in group.iter().zip(solve_vandermonde(group, &values, field)) {
                coefficients[*term] = c;
                at_last = field.add(at_last, field.mul(c, field.power(*node, count as u64 + 1)));
            }
            if images.last().and_then(|image| image.get(power)) != Some(&at_last) {
                return Err(Failure::Unlucky);
            }
        }
        let mut out = Terms::zero(width, like.len());
        for (term, (monomial, _)) in like.iter().enumerate() {
            if coefficients[term] != 0 {
                out.push_term(monomial, coefficients[term]);
            }
        }
        // The highest power has the given leading coefficient.
        let mut monomial = vec![0; width];
        for (rest, c) in pair.lead.iter() {
            monomial.copy_from_slice(rest);
            monomial[self.main] = self.degree as u16;
            out.push_term(&monomial, *c);
        }
        out.sort_terms();
        Ok(out)
    }

    /// The univariate gcds at the powers 1, 2, …, `count` of a point.
    fn images_at_powers(
        &self,
        pair: &PolynomialPair,
        others: &[usize],
        powers: &Powers,
        count: usize,
    ) -> Result<Vec<Dense>, Failure> {
        let field = self.field;
        // Exponent, value at the next point, and ratio between successive points, of each term.
        let terms = |a: &Modular| -> Vec<(usize, u64, u64)> {
            let mut terms = Vec::with_capacity(a.len());
            for (monomial, c) in a.iter() {
                let ratio = powers.monomial_value(monomial, others, field);
                terms.push((usize::from(monomial[self.main]), field.mul(*c, ratio), ratio));
            }
            terms
        };
        let mut all = [&pair.a, &pair.b, &pair.lead].map(terms);
        let lengths = [&pair.a, &pair.b, &pair.lead].map(|a| usize::from(a.degree(self.main)) + 1);
        let mut images = Vec::with_capacity(count);
        for _ in 0..count {
            self.budget.spend(all.iter().map(Vec::len).sum())?;
            let mut dense = lengths.map(|n| vec![0; n]);
            for (terms, dense) in all.iter_mut().zip(&mut dense) {
                for (e, c, ratio) in terms {
                    dense[*e] = field.add(dense[*e], *c);
                    *c = field.mul(*c, *ratio);
                }
            }
            let [mut a, mut b, lead] = dense;
            super::modular::trim_zeros(&mut a);
            super::modular::trim_zeros(&mut b);
            images.push(self.scaled_gcd_image(&a, &b, lead[0], pair)?);
        }
        Ok(images)
    }

    /// Interpolates images of the gcd that belong to these values of a variable (Lagrange).
    fn interpolate_variable(&self, images: &[Modular], values: &[u64], variable: usize) -> Modular {
        let field = self.field;
        // Lagrange basis: quotients of the product of all factors by each one, scaled to one at its
        // value.
        let all = values.iter().fold(vec![1], |all, v| field.dense_mul(&all, &[field.neg(*v), 1]));
        let basis: Vec<Dense> = values
            .iter()
            .map(|v| {
                let (mut poly, at) = divide_by_root(&all, *v, field);
                field.dense_scale(&mut poly, field.inverse(at));
                poly
            })
            .collect();
        let width = images.first().map_or(0, |image| image.width);
        let mut all: Vec<(&[u16], usize, u64)> = Vec::new();
        for (i, image) in images.iter().enumerate() {
            all.extend(image.iter().map(|(monomial, c)| (monomial, i, *c)));
        }
        all.sort_unstable();
        let mut out = Terms::zero(width, all.len());
        let mut rest = &all[..];
        while let Some((monomial, ..)) = rest.first() {
            let n = rest.iter().take_while(|(m, ..)| m == monomial).count();
            let mut sum = vec![0; values.len()];
            for (_, i, c) in &rest[..n] {
                for (s, b) in sum.iter_mut().zip(&basis[*i]) {
                    *s = (*s + b * c) % field.p;
                }
            }
            let mut term = monomial.to_vec();
            for (e, c) in sum.iter().enumerate().filter(|(_, c)| **c != 0) {
                term[variable] = e as u16;
                out.push_term(&term, *c);
            }
            rest = &rest[n..];
        }
        out.sort_terms();
        out
    }
}

/// Solves the Vandermonde system Σ cⱼ nodeⱼˢ = valueₛ for s = 1, 2, …, n (Zippel 1990, section 2).
fn solve_vandermonde(group: &[(usize, u64)], values: &[u64], field: PrimeField) -> Vec<u64> {
    let mut master = vec![1];
    for (_, node) in group {
        master = field.dense_mul(&master, &[field.neg(*node), 1]);
    }
    let mut solution = Vec::with_capacity(group.len());
    for (_, node) in group {
        let (quotient, at) = divide_by_root(&master, *node, field);
        let sum = quotient.iter().zip(values).fold(0, |sum, (q, v)| field.add(sum, field.mul(*q, *v)));
        solution.push(field.mul(sum, field.inverse(field.mul(at, *node))));
    }
    solution
}

/// The quotient of a polynomial by z − root, and the value of the quotient at the root.
fn divide_by_root(poly: &[u64], root: u64, field: PrimeField) -> (Dense, u64) {
    // Horner's scheme, from the highest coefficient down.
    let n = poly.len() - 1;
    let (mut quotient, mut carry) = (vec![0; n], 0);
    for i in (0..n).rev() {
        carry = field.add(field.mul(carry, root), poly[i + 1]);
        quotient[i] = carry;
    }
    let at = quotient.iter().rev().fold(0, |at, q| field.add(field.mul(at, root), *q));
    (quotient, at)
}
