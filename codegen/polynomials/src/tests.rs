//! Properties of products, quotients and divisors over random polynomials.

use super::modular::Draws;
use super::*;

/// A polynomial of at most `terms` terms with exponents up to `degree`.
fn random(draws: &mut Draws, variables: usize, terms: usize, degree: u64, size: u64) -> Polynomial {
    let term = |draws: &mut Draws| {
        // Each term has few of the variables.
        let exponents: Vec<u16> = (0..variables)
            .map(|_| if draws.next().is_multiple_of(3) { (draws.next() % (degree + 1)) as u16 } else { 0 })
            .collect();
        let c = (draws.next() % (2 * size + 1)) as i64 - size as i64;
        (exponents, Rational::from(c))
    };
    let all: Vec<_> = (0..terms).map(|_| term(draws)).collect();
    Polynomial::from_terms(variables, all)
}

fn associated(a: &Polynomial, b: &Polynomial) -> bool {
    let monic = |p: &Polynomial| p.leading_coefficient().inverse().map(|lead| p.scale(&lead));
    monic(a) == monic(b)
}

#[test]
fn gcd_of_multiples_is_the_multiple_of_the_gcd() {
    let budget = Budget::unlimited();
    let mut draws = Draws(7);
    for round in 0..3000u64 {
        let variables = 1 + (draws.next() % 6) as usize;
        let terms = 2 + (round / 300) as usize;
        let size = [3, 100, 1 << 40][(draws.next() % 3) as usize];
        let [a, b, g] = [0; 3].map(|_| {
            let degree = 1 + draws.next() % 4;
            random(&mut draws, variables, terms, degree, size)
        });
        if g.is_zero() {
            continue;
        }
        let (x, y) = (&a * &g, &b * &g);
        assert_eq!(x.checked_div(&g).as_ref(), Some(&a), "{a} times {g}");
        let plain = a.gcd(&b, &budget).unwrap();
        let whole = x.gcd(&y, &budget).unwrap();
        assert!(associated(&whole, &(&plain * &g)), "{round}: gcd of ({a}) and ({b}) times ({g}): {whole}");
    }
}

#[test]
fn products_of_irreducible_factors_come_apart_into_them() {
    let budget = Budget::unlimited();
    let mut draws = Draws(11);
    for round in 0..400u64 {
        let variables = 1 + (draws.next() % 4) as usize;
        let count = 1 + (draws.next() % 3) as usize;
        let mut product = Polynomial::constant(variables, Rational::ONE);
        let mut expected: Vec<(Polynomial, u32)> = Vec::new();
        for _ in 0..count {
            let (terms, degree) = (2 + (round / 100) as usize, 1 + draws.next() % 3);
            let f = random(&mut draws, variables, terms, degree, 9);
            let n = 1 + (draws.next() % 2) as u32;
            if f.is_constant() {
                continue;
            }
            // Each part is known by its own factors.
            for _ in 0..n {
                product = &product * &f;
            }
            for (g, k) in f.factor(&budget).unwrap().1 {
                match expected.iter_mut().find(|(e, _)| *e == g) {
                    Some((_, m)) => *m += k * n,
                    None => expected.push((g, k * n)),
                }
            }
        }
        let (number, mut factors) = product.factor(&budget).unwrap();
        let mut back = Polynomial::constant(variables, number);
        for (f, n) in &factors {
            for _ in 0..*n {
                back = &back * f;
            }
        }
        assert_eq!(back, product, "{round}");
        let key = |(f, n): &(Polynomial, u32)| (f.to_string(), *n);
        factors.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(factors, expected, "{round}: {product}");
    }
}
