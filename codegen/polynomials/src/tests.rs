//! Properties of products, quotients, gcds and factors of random polynomials.

use super::modular::Draws;
use super::*;

/// Number of cases in the quick tier, and in the full one (`DQDT_TESTS=all`).
fn cases(quick: u64, full: u64) -> u64 {
    if std::env::var("DQDT_TESTS").is_ok_and(|tier| tier == "all") { full } else { quick }
}

/// Value at a point, modulo a number.
fn value(a: &Polynomial, point: &[u64], p: u64) -> u64 {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(p)) as u64;
    let power = |base: u64, e: u16| {
        let bits = (0..16).rev().map(|bit| e >> bit & 1 == 1);
        bits.fold(1, |power, bit| times(times(power, power), if bit { base } else { 1 }))
    };
    a.terms().fold(0, |sum, term| {
        assert!(term.coefficient.is_integer());
        let c = term.coefficient.numerator().rem_u64(p);
        (sum + term.exponents.iter().zip(point).fold(c, |c, (e, x)| times(c, power(*x, *e)))) % p
    })
}

#[test]
fn products_and_sums_have_the_values_of_their_parts() {
    let mut draws = Draws(3);
    for round in 0..cases(400, 4_000) {
        // Up to 90 variables, so that packed exponents take one word, a few, or too many.
        let variables = [1, 3, 8, 30, 90][(round % 5) as usize];
        let degree = [1, 3, 40, 9000][(draws.next_random() % 4) as usize];
        let size = [3, 1 << 20, 1 << 62][(draws.next_random() % 3) as usize];
        let [a, b] = [0; 2].map(|_| random(&mut draws, variables, 12, degree, size));
        for p in [2_147_483_647, 1_000_000_007, 1 << 61 | 0xdead_beef] {
            let point: Vec<u64> = (0..variables).map(|_| draws.next_positive(p)).collect();
            let [x, y] = [&a, &b].map(|f| u128::from(value(f, &point, p)));
            let prime = u128::from(p);
            assert_eq!(u128::from(value(&times(&a, &b), &point, p)), x * y % prime, "({a}) ({b})");
            assert_eq!(u128::from(value(&(&a + &b), &point, p)), (x + y) % prime);
            assert_eq!(u128::from(value(&(&a - &b), &point, p)), (x + prime - y) % prime);
        }
        if !b.is_zero() {
            assert_eq!(times(&a, &b).checked_div(&b), Some(a), "by {b}");
        }
    }
}

#[test]
fn degenerate_polynomials_have_divisors_quotients_and_factors() {
    let budget = Budget::unlimited();
    let zero = Polynomial::zero(2);
    let [one, two] = [1, 2].map(|n| Polynomial::constant(2, Rational::from(n)));
    let x = Polynomial::variable(2, 0);
    assert_eq!(zero.gcd(&zero, &budget).unwrap(), zero);
    assert_eq!(zero.gcd(&times(&x, &two), &budget).unwrap(), x);
    assert_eq!(two.gcd(&x, &budget).unwrap(), one);
    assert_eq!(zero.checked_div(&x), Some(zero.clone()));
    assert_eq!((x.checked_div(&zero), x.checked_div(&two)), (None, Some(x.scale(&Rational::ratio(1, 2)))));
    assert_eq!(zero.factor(&budget).unwrap(), (Rational::ZERO, vec![]));
    assert_eq!(two.factor(&budget).unwrap(), (Rational::from(2), vec![]));
    assert_eq!(
        Polynomial::zero(0).gcd(&Polynomial::constant(0, Rational::from(6)), &budget).unwrap().len(),
        1
    );
    // Variables in one polynomial only, and different numbers of variables.
    let wide = times(&Polynomial::variable(5, 4), &(&x + &one));
    assert_eq!(wide.gcd(&(&x + &one), &budget).unwrap(), (&x + &one).extend_variables(5).into_owned());
}

#[test]
fn an_exponent_that_does_not_fit_is_no_product() {
    let high = Polynomial::from_monomial(vec![40_000, 0], Rational::ONE);
    let other = Polynomial::from_monomial(vec![0, 40_000], Rational::ONE);
    assert_eq!(high.checked_mul(&high), None);
    assert_eq!(
        high.checked_mul(&other),
        Some(Polynomial::from_monomial(vec![40_000, 40_000], Rational::ONE))
    );
}

#[test]
fn work_beyond_a_budget_is_an_error() {
    let mut draws = Draws(5);
    let [a, b, g] = [0; 3].map(|_| random(&mut draws, 5, 30, 4, 1000));
    let (x, y) = (times(&a, &g), times(&b, &g));
    assert_eq!(x.gcd(&y, &Budget::new(1000)), Err(Exhausted));
    assert_eq!(x.factor(&Budget::new(1000)), Err(Exhausted));
    let budget = Budget::new(1 << 40);
    assert!(x.gcd(&y, &budget).is_ok() && budget.left() < 1 << 40);
}

/// Polynomials that are irreducible over the rationals.
/// A polynomial in three variables, by exponents and coefficients.
fn in_three(terms: &[(&[u16], i64)]) -> Polynomial {
    Polynomial::from_terms(3, terms.iter().map(|(e, c)| (*e, Rational::from(*c))))
}

fn sorted(mut factors: Vec<(Polynomial, u32)>) -> Vec<(Polynomial, u32)> {
    factors.sort_by_key(|(f, n)| (f.to_string(), *n));
    factors
}

#[test]
fn irreducible_polynomials_stay_whole_and_hard_ones_come_apart() {
    let budget = Budget::unlimited();
    // x⁴ + 1 and x⁴ − 10 x² + 1 have factors modulo every prime.
    let whole = [
        in_three(&[(&[4], 1), (&[0], 1)]),
        in_three(&[(&[4], 1), (&[2], -10), (&[0], 1)]),
        in_three(&[(&[2, 2], 1), (&[0, 0, 2], 1), (&[0], 1)]),
        in_three(&[(&[3, 2], 1), (&[0, 3, 2], 2), (&[2, 0, 3], -1), (&[0], 5)]),
    ];
    for f in &whole {
        assert_eq!(f.factor(&budget).unwrap(), (Rational::ONE, vec![(f.clone(), 1)]), "{f}");
    }
    // x¹⁵ − 1 by cyclotomic polynomials (Gauss), x⁴ + 4 y⁴ (Germain).
    let cyclotomic = in_three(&[(&[15], 1), (&[0], -1)]).factor(&budget).unwrap().1;
    assert_eq!(cyclotomic.iter().map(|(f, _)| f.degree_in(0)).collect::<Vec<_>>(), [1, 2, 4, 8]);
    let germain = in_three(&[(&[4], 1), (&[0, 4], 4)]).factor(&budget).unwrap().1;
    assert_eq!(germain.iter().map(|(f, _)| f.len()).collect::<Vec<_>>(), [3, 3]);
    for a in &whole {
        for b in &whole {
            let factors = times(a, b).factor(&budget).unwrap().1;
            let expected = if a == b { vec![(a.clone(), 2)] } else { vec![(a.clone(), 1), (b.clone(), 1)] };
            assert_eq!(sorted(factors), sorted(expected), "({a}) ({b})");
        }
    }
}

/// The product `a b`.
fn times(a: &Polynomial, b: &Polynomial) -> Polynomial {
    a.checked_mul(b).unwrap()
}

/// A polynomial of at most `terms` terms with exponents up to `degree`.
fn random(draws: &mut Draws, variables: usize, terms: usize, degree: u64, size: u64) -> Polynomial {
    let mut all = Vec::new();
    for _ in 0..terms {
        // Each term contains few of the variables.
        let exponents: Vec<u16> = (0..variables)
            .map(|_| {
                if draws.next_random().is_multiple_of(3) {
                    (draws.next_random() % (degree + 1)) as u16
                } else {
                    0
                }
            })
            .collect();
        let c = (draws.next_random() % (2 * size + 1)) as i64 - size as i64;
        all.push((exponents, Rational::from(c)));
    }
    Polynomial::from_terms(variables, all)
}

fn associated(a: &Polynomial, b: &Polynomial) -> bool {
    monic(a) == monic(b)
}

fn monic(p: &Polynomial) -> Option<Polynomial> {
    p.leading_coefficient().inverse().map(|lead| p.scale(&lead))
}

#[test]
fn gcd_of_multiples_is_the_multiple_of_the_gcd() {
    let budget = Budget::unlimited();
    let mut draws = Draws(7);
    let rounds = cases(3000, 100_000);
    for round in 0..rounds {
        let variables = 1 + (draws.next_random() % 6) as usize;
        let terms = 2 + (10 * round / rounds) as usize;
        let size = [3, 100, 1 << 40][(draws.next_random() % 3) as usize];
        let [a, b, g] = [0; 3].map(|_| {
            let degree = 1 + draws.next_random() % 4;
            random(&mut draws, variables, terms, degree, size)
        });
        if g.is_zero() {
            continue;
        }
        let (x, y) = (times(&a, &g), times(&b, &g));
        assert_eq!(x.checked_div(&g).as_ref(), Some(&a), "{a} times {g}");
        let plain = a.gcd(&b, &budget).unwrap();
        let whole = x.gcd(&y, &budget).unwrap();
        assert!(
            associated(&whole, &times(&plain, &g)),
            "{round}: gcd of ({a}) and ({b}) times ({g}): {whole}"
        );
    }
}

#[test]
fn products_of_irreducible_factors_come_apart_into_them() {
    let budget = Budget::unlimited();
    let mut draws = Draws(11);
    let rounds = cases(400, 10_000);
    for round in 0..rounds {
        let variables = 1 + (draws.next_random() % 4) as usize;
        let count = 1 + (draws.next_random() % 3) as usize;
        let mut product = Polynomial::constant(variables, Rational::ONE);
        let mut expected: Vec<(Polynomial, u32)> = Vec::new();
        for _ in 0..count {
            let (terms, degree) = (2 + (4 * round / rounds) as usize, 1 + draws.next_random() % 3);
            let f = random(&mut draws, variables, terms, degree, 9);
            let n = 1 + (draws.next_random() % 2) as u32;
            if f.is_constant() {
                continue;
            }
            // The expected factors are those of each part.
            for _ in 0..n {
                product = times(&product, &f);
            }
            for (g, k) in f.factor(&budget).unwrap().1 {
                match expected.iter_mut().find(|(e, _)| *e == g) {
                    Some((_, m)) => *m += k * n,
                    None => expected.push((g, k * n)),
                }
            }
        }
        let (number, factors) = product.factor(&budget).unwrap();
        let mut back = Polynomial::constant(variables, number);
        for (f, n) in &factors {
            for _ in 0..*n {
                back = times(&back, f);
            }
        }
        assert_eq!(back, product, "{round}");
        assert_eq!(sorted(factors), sorted(expected), "{round}: {product}");
    }
}

/// A polynomial in x and y from coefficients and exponents.
fn in_two(terms: &[(i64, u16, u16)]) -> Polynomial {
    let terms = terms.iter().map(|(c, x, y)| Polynomial::from_monomial(vec![*x, *y], Rational::from(*c)));
    terms.fold(Polynomial::zero(2), |sum, term| &sum + &term)
}

#[test]
fn coefficients_that_vanish_modulo_the_first_prime_do_not_mislead() {
    let prime = (1 << 31) - 1;
    for lost in [prime, prime - 1, 3 * prime] {
        let g = in_two(&[(1, 1, 0), (lost, 0, 1), (1, 0, 0)]);
        let a = times(&g, &in_two(&[(1, 1, 0), (2, 0, 1), (3, 0, 0)]));
        let b = times(&g, &in_two(&[(1, 1, 0), (5, 0, 1), (7, 0, 0)]));
        assert!(associated(&a.gcd(&b, &Budget::new(1 << 16)).unwrap(), &g), "{lost}");
        assert_eq!(a.factor(&Budget::new(1 << 20)).unwrap().1.len(), 2, "{lost}");
    }
}

/// The product of `xⁿ − 1` over five variables.
fn powers_less_one(n: u16) -> Polynomial {
    let one = Polynomial::constant(5, Rational::ONE);
    (0..5).fold(one.clone(), |all, v| {
        let mut power = vec![0; 5];
        power[v] = n;
        times(&all, &(&Polynomial::from_monomial(power, Rational::ONE) - &one))
    })
}

#[test]
fn divisions_are_counted() {
    // The quotient has millions of terms.
    assert_eq!(powers_less_one(20).gcd(&powers_less_one(1), &Budget::new(10_000)), Err(Exhausted));
    assert_eq!(
        powers_less_one(20).checked_div_within(&powers_less_one(1), &Budget::new(10_000)),
        Err(Exhausted)
    );
    assert_eq!(
        powers_less_one(3).checked_div_within(&powers_less_one(1), &Budget::new(10_000)).unwrap(),
        powers_less_one(3).checked_div(&powers_less_one(1))
    );
}

/// A power of one of a hundred variables.
fn power_in_a_hundred(v: usize, e: u16) -> Polynomial {
    let mut exponents = vec![0; 100];
    exponents[v] = e;
    Polynomial::from_monomial(exponents, Rational::ONE)
}

#[test]
fn degrees_at_the_largest_exponent_are_no_panic() {
    let g = in_two(&[(1, 1, 40_000), (1, 0, 1), (1, 0, 0)]);
    let [a, b] = [1, 2].map(|c| times(&g, &in_two(&[(1, 1, 0), (c, 0, 0)])));
    let divisor = a.gcd(&b, &Budget::new(1 << 16));
    assert!(divisor.is_err() || divisor.is_ok_and(|d| associated(&d, &g)));
    // More variables than a few packed words can hold.
    let product =
        Polynomial::from_monomial((0..100).map(|v| if v == 0 { 0 } else { 40_000 }).collect(), Rational::ONE);
    let a = &power_in_a_hundred(0, 2) + &product;
    assert_eq!(a.checked_div(&(&power_in_a_hundred(0, 1) + &power_in_a_hundred(1, 40_000))), None);
    assert_eq!(Integer::from(7).rem_u64(0), 0);
}

#[test]
fn a_divisor_of_high_degree_is_interpolated_in_time() {
    let g = in_two(&[(1, 2, 0), (1, 0, 1_000), (1, 0, 0)]);
    let a = times(&g, &in_two(&[(1, 1, 0), (2, 0, 1), (3, 0, 0)]));
    let b = times(&g, &in_two(&[(1, 1, 0), (5, 0, 1), (7, 0, 0)]));
    assert!(associated(&a.gcd(&b, &Budget::new(1 << 24)).unwrap(), &g));
}
