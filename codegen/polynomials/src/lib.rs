//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Exact algebra: integers and rational numbers of any size, and sparse multivariate polynomials
//! over them, with products, exact division, greatest common divisors and factors.
//!
//! The crate reads no files, clocks or random numbers, starts no threads, and does not panic; the
//! same input gives the same result. Work is limited by a [`Budget`].

mod arithmetic;
mod budget;
mod division;
mod evaluation;
mod factor;
mod factor_modular;
mod factor_multivariate;
mod factor_univariate;
mod gcd;
mod integer;
mod integral;
mod large_field;
mod lifting;
mod modular;
mod packing;
mod polynomial;
mod product;
mod rational;
mod terms;
#[cfg(test)]
mod tests;
mod zippel;

pub use budget::{Budget, Exhausted};
pub use integer::Integer;
pub use polynomial::{Polynomial, Term};
pub use rational::Rational;
