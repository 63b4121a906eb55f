//! Arithmetic for sums of products of coefficients: in machine words if they fit, else in big
//! integers.

use super::integer::Integer;

/// Error: a sum of products does not fit in machine words; big integers are tried then.
#[derive(Debug)]
pub(crate) struct Overflow;

/// Arithmetic of sums of products, generic over words and big integers; for products and divisions
/// of polynomials.
pub(crate) trait Arithmetic {
    /// The type of the coefficients that are multiplied.
    type Factor;
    /// An accumulator: a sum of products of two coefficients.
    type Sum;
    /// The empty accumulator, 0.
    const ZERO: Self::Sum;

    /// An accumulator with the value of a coefficient.
    fn from_factor(factor: &Self::Factor) -> Self::Sum;
    /// True if the accumulator is 0.
    fn is_zero(sum: &Self::Sum) -> bool;
    /// Adds `a b` to the accumulator.
    fn add_product(sum: &mut Self::Sum, a: &Self::Factor, b: &Self::Factor);
    /// Subtracts `a b` from the accumulator.
    fn subtract_product(sum: &mut Self::Sum, a: &Self::Factor, b: &Self::Factor) -> Result<(), Overflow>;
    /// The quotient of an accumulator by a coefficient; `None` if the division leaves a remainder.
    fn divide_exactly(sum: Self::Sum, divisor: &Self::Factor) -> Result<Option<Self::Factor>, Overflow>;
    /// The value of an accumulator as an integer of any size.
    fn integer_value(sum: Self::Sum) -> Integer;
}

/// Arithmetic with 64-bit coefficients and 128-bit accumulators, the fast case.
pub(crate) struct Words;

impl Arithmetic for Words {
    type Factor = i64;
    type Sum = i128;
    const ZERO: i128 = 0;

    fn from_factor(factor: &i64) -> i128 {
        i128::from(*factor)
    }

    fn is_zero(sum: &i128) -> bool {
        *sum == 0
    }

    #[inline]
    fn add_product(sum: &mut i128, a: &i64, b: &i64) {
        *sum = sum.wrapping_add(i128::from(*a) * i128::from(*b));
    }

    #[inline]
    fn subtract_product(sum: &mut i128, a: &i64, b: &i64) -> Result<(), Overflow> {
        *sum = sum.checked_sub(i128::from(*a) * i128::from(*b)).ok_or(Overflow)?;
        Ok(())
    }

    fn divide_exactly(sum: i128, divisor: &i64) -> Result<Option<i64>, Overflow> {
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

    fn integer_value(sum: i128) -> Integer {
        sum.into()
    }
}

/// Arithmetic with integers of any size, used after an overflow of words.
pub(crate) struct Big;

impl Arithmetic for Big {
    type Factor = Integer;
    type Sum = Integer;
    const ZERO: Integer = Integer::ZERO;

    fn from_factor(factor: &Integer) -> Integer {
        factor.clone()
    }

    fn is_zero(sum: &Integer) -> bool {
        sum.is_zero()
    }

    fn add_product(sum: &mut Integer, a: &Integer, b: &Integer) {
        *sum += &(a * b);
    }

    fn subtract_product(sum: &mut Integer, a: &Integer, b: &Integer) -> Result<(), Overflow> {
        *sum -= &(a * b);
        Ok(())
    }

    fn divide_exactly(sum: Integer, divisor: &Integer) -> Result<Option<Integer>, Overflow> {
        Ok(sum.div_exact(divisor))
    }

    fn integer_value(sum: Integer) -> Integer {
        sum
    }
}

/// The coefficients as 64-bit words; `None` if one does not fit.
pub(crate) fn to_words(coefficients: &[Integer]) -> Option<Vec<i64>> {
    coefficients.iter().map(Integer::to_i64).collect()
}
