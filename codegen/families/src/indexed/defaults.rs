//! Default values of a family's parameters, as functions of the index i and of n.
//!
//! Problem: the spec gives each member of a family numbers, `gamma3 = 2*pi*3/6`; emitted code needs
//!          them for any n.
//! Method:  sums of up to three of the functions [`BASIS`] with exact coefficients, the shortest
//!          first, solved from the values and checked against all of them. Values are rational, or
//!          rational multiples of π.
//! Not handled: other functions of the index; inexact values, unless they are all equal.

use dqdt_algebra::{Number, Ratio};

/// Default value of one kind of parameter, for any index i and number of links n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Default {
    /// The parameter has the same default for all indices and n.
    Constant(Number),
    /// A sum of powers of the index i and of n, such as `2 i / n`.
    Formula {
        /// True if the sum is multiplied by π.
        times_pi: bool,
        /// Nonzero coefficients of the sum, each with the exponents of i and n.
        terms: Vec<(Ratio, [i32; 2])>,
    },
}

/// Default value of one parameter in one member of a family; a sample from which the function of i
/// and n is fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefaultSample {
    /// Number of links n of the mechanism that has the parameter.
    pub n: i64,
    /// Index of the parameter, such as 3 of `m3`; zero for a scalar.
    pub index: i64,
    /// Default value of the parameter in the spec of that mechanism.
    pub default: Number,
}

/// Exponents of i and n of the functions that a default may combine.
const BASIS: [[i32; 2]; 9] = [[0, 0], [1, 0], [0, 1], [1, -1], [0, -1], [-1, 0], [1, 1], [2, 0], [0, 2]];

/// Maximum number of terms in the sum for a default value.
const TERMS: usize = 3;

/// Finds the simplest function of index and n that gives all these default values; `None` if there
/// is none.
pub fn fit_default(samples: &[DefaultSample]) -> Option<Default> {
    let first = samples.first()?;
    if samples.iter().all(|g| g.default == first.default) {
        return Some(Default::Constant(first.default));
    }
    let of_pi = samples.iter().any(|g| matches!(g.default, Number::Pi(_)));
    let values = samples.iter().map(|g| match g.default {
        Number::Pi(r) => Some(r),
        Number::Rational(r) if !of_pi || r.is_zero() => Some(r),
        _ => None,
    });
    let values: Vec<Ratio> = values.collect::<Option<_>>()?;
    let indexed = samples.iter().all(|g| g.index > 0);
    let basis: Vec<[i32; 2]> = BASIS.into_iter().filter(|[i, _]| indexed || *i == 0).collect();
    (1..=TERMS).find_map(|count| {
        index_subsets(basis.len(), count).into_iter().find_map(|functions| {
            let functions: Vec<[i32; 2]> = functions.into_iter().map(|k| basis[k]).collect();
            let terms =
                solve_coefficients(samples, &values, &functions)?.into_iter().zip(functions).collect();
            Some(Default::Formula { times_pi: of_pi, terms })
        })
    })
}

/// All subsets of `0..len` with `count` elements, in lexicographic order.
fn index_subsets(len: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for mut rest in index_subsets(len, count - 1) {
        for k in rest.last().map_or(0, |k| k + 1)..len {
            rest.push(k);
            all.push(rest.clone());
            rest.pop();
        }
    }
    all
}

/// The product `i^a n^b` for the index and n of a sample; `None` on overflow or division by zero.
fn index_power(g: &DefaultSample, [a, b]: [i32; 2]) -> Option<Ratio> {
    let mut product = Ratio::integer(1);
    for (base, exponent) in [(g.index, a), (g.n, b)] {
        for _ in 0..exponent.unsigned_abs() {
            let base = Ratio::integer(base);
            product = if exponent < 0 { product.checked_div(base) } else { product.checked_mul(base) }?;
        }
    }
    Some(product)
}

/// Coefficients with which these functions give all default values; `None` if there are none, if
/// they are not unique, or if one of them is zero.
fn solve_coefficients(
    samples: &[DefaultSample],
    values: &[Ratio],
    functions: &[[i32; 2]],
) -> Option<Vec<Ratio>> {
    let row = |(g, value): (&DefaultSample, &Ratio)| -> Option<Vec<Ratio>> {
        functions.iter().map(|f| index_power(g, *f)).chain([Some(*value)]).collect()
    };
    let mut rows: Vec<Vec<Ratio>> = samples.iter().zip(values).map(row).collect::<Option<_>>()?;
    let count = functions.len();
    for column in 0..count {
        let pivot = (column..rows.len()).find(|r| !rows[*r][column].is_zero())?;
        rows.swap(column, pivot);
        let scale = rows[column][column];
        let unit: Vec<Ratio> = rows[column].iter().map(|x| x.checked_div(scale)).collect::<Option<_>>()?;
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != column) {
            let factor = row[column];
            for (x, u) in row.iter_mut().zip(&unit) {
                *x = x.checked_sub(factor.checked_mul(*u)?)?;
            }
        }
        rows[column] = unit;
    }
    let (solved, rest) = rows.split_at(count);
    let met = rest.iter().all(|row| row[count].is_zero());
    let terms: Vec<Ratio> = solved.iter().map(|row| row[count]).collect();
    (met && terms.iter().all(|t| !t.is_zero())).then_some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default found for `value(i, n)`, sampled on the members up to `last`.
    fn fit_sampled_default(last: i64, value: impl Fn(i64, i64) -> Number) -> Option<Default> {
        let all = (1..=last).flat_map(|n| (1..=n).map(move |i| (i, n)));
        fit_default(
            &all.map(|(i, n)| DefaultSample { n, index: i, default: value(i, n) }).collect::<Vec<_>>(),
        )
    }

    fn ratio(n: i64, d: i64) -> Ratio {
        Ratio::new(n.into(), d.into()).unwrap()
    }

    #[test]
    fn a_constant_is_one_whatever_number_it_is() {
        assert_eq!(
            fit_sampled_default(6, |_, _| Number::float(0.3)),
            Some(Default::Constant(Number::float(0.3)))
        );
    }

    #[test]
    fn an_angle_on_a_rim_is_found() {
        let default = fit_sampled_default(6, |i, n| Number::pi(ratio(2 * i, n)));
        assert_eq!(default, Some(Default::Formula { times_pi: true, terms: vec![(ratio(2, 1), [1, -1])] }));
    }

    #[test]
    fn sums_are_found_and_zero_among_multiples_of_pi() {
        let default = fit_sampled_default(6, |i, n| Number::pi(ratio(2 * (i - 1), n)));
        let terms = vec![(ratio(2, 1), [1, -1]), (ratio(-2, 1), [0, -1])];
        assert_eq!(default, Some(Default::Formula { times_pi: true, terms }));
        let default = fit_sampled_default(6, |i, n| Number::Rational(ratio(3 * i * i - 4 * n + 1, 2)));
        let terms = vec![(ratio(1, 2), [0, 0]), (ratio(-2, 1), [0, 1]), (ratio(3, 2), [2, 0])];
        assert_eq!(default, Some(Default::Formula { times_pi: false, terms }));
    }

    #[test]
    fn what_is_no_such_function_has_no_default() {
        assert_eq!(fit_sampled_default(6, |i, _| Number::integer(if i == 1 { 2 } else { 1 })), None);
        assert_eq!(fit_sampled_default(6, |i, _| Number::integer(1 << i)), None);
        assert_eq!(fit_sampled_default(6, |i, _| Number::Float((0.1 * i as f64).to_bits())), None);
    }
}
