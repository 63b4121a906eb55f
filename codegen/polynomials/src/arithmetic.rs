//! Sums of products of coefficients: in words where all of them fit, in big integers otherwise.

use super::integer::Integer;

/// A result that does not fit in words.
#[derive(Debug)]
pub(crate) struct Overflow;

/// How sums of products are computed.
pub(crate) trait Arithmetic {
    /// A coefficient.
    type Factor;
    /// A sum of products of two coefficients.
    type Sum;
    /// 0
    const ZERO: Self::Sum;

    fn start(factor: &Self::Factor) -> Self::Sum;
    fn is_zero(sum: &Self::Sum) -> bool;
    /// Adds `a b`.
    fn add(sum: &mut Self::Sum, a: &Self::Factor, b: &Self::Factor);
    /// Subtracts `a b`.
    fn subtract(sum: &mut Self::Sum, a: &Self::Factor, b: &Self::Factor) -> Result<(), Overflow>;
    /// The quotient of an exact division, if it is exact.
    fn divide(sum: Self::Sum, divisor: &Self::Factor) -> Result<Option<Self::Factor>, Overflow>;
    fn finish(sum: Self::Sum) -> Integer;
}

/// Words and double words.
pub(crate) struct Words;

impl Arithmetic for Words {
    type Factor = i64;
    type Sum = i128;
    const ZERO: i128 = 0;

    fn start(factor: &i64) -> i128 {
        i128::from(*factor)
    }

    fn is_zero(sum: &i128) -> bool {
        *sum == 0
    }

    #[inline]
    fn add(sum: &mut i128, a: &i64, b: &i64) {
        *sum = sum.wrapping_add(i128::from(*a) * i128::from(*b));
    }

    #[inline]
    fn subtract(sum: &mut i128, a: &i64, b: &i64) -> Result<(), Overflow> {
        *sum = sum.checked_sub(i128::from(*a) * i128::from(*b)).ok_or(Overflow)?;
        Ok(())
    }

    fn divide(sum: i128, divisor: &i64) -> Result<Option<i64>, Overflow> {
        let quotient = match i64::try_from(sum) {
            Ok(sum) => {
                let quotient = sum.checked_div(*divisor).ok_or(Overflow)?;
                if quotient.wrapping_mul(*divisor) != sum {
                    return Ok(None);
                }
                return Ok(Some(quotient));
            }
            Err(_) => sum.checked_div(i128::from(*divisor)).ok_or(Overflow)?,
        };
        if quotient * i128::from(*divisor) != sum {
            return Ok(None);
        }
        i64::try_from(quotient).map(Some).map_err(|_| Overflow)
    }

    fn finish(sum: i128) -> Integer {
        sum.into()
    }
}

/// Integers of any size.
pub(crate) struct Big;

impl Arithmetic for Big {
    type Factor = Integer;
    type Sum = Integer;
    const ZERO: Integer = Integer::ZERO;

    fn start(factor: &Integer) -> Integer {
        factor.clone()
    }

    fn is_zero(sum: &Integer) -> bool {
        sum.is_zero()
    }

    fn add(sum: &mut Integer, a: &Integer, b: &Integer) {
        *sum += &(a * b);
    }

    fn subtract(sum: &mut Integer, a: &Integer, b: &Integer) -> Result<(), Overflow> {
        *sum -= &(a * b);
        Ok(())
    }

    fn divide(sum: Integer, divisor: &Integer) -> Result<Option<Integer>, Overflow> {
        Ok(sum.div_exact(divisor))
    }

    fn finish(sum: Integer) -> Integer {
        sum
    }
}

/// The coefficients as words, if all fit.
pub(crate) fn words(coefficients: &[Integer]) -> Option<Vec<i64>> {
    coefficients.iter().map(Integer::to_i64).collect()
}
