//! Validation of parameters.

use core::fmt;

use crate::mask::Mask;
use crate::quantity::Quantity;
use crate::real::Real;

/// Error of an emitted `Params::check`: the parameters describe no physical mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Senseless {
    /// The parameter of this name is infinite or NaN.
    NotFinite(&'static str),
    /// A validity condition fails, such as a positive mass; the text describes the fault with the
    /// names of the spec.
    Fault(&'static str),
}

impl fmt::Display for Senseless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite(parameter) => write!(f, "parameter `{parameter}` is not a finite number"),
            Self::Fault(fault) => f.write_str(fault),
        }
    }
}

impl core::error::Error for Senseless {}

/// A chain of validity conditions on parameters that keeps the first fault. A condition must hold
/// in every lane.
///
/// ```
/// use dqdt::{Conditions, Senseless, quantity};
///
/// let check = |mass: f64| {
///     Conditions::finite(&[quantity("m", "kg")], &[mass])
///         .not_negative(mass, "the mass of body `rod` is negative")
///         .result()
/// };
/// assert_eq!(check(0.0), Ok(()));
/// assert_eq!(check(-1.0), Err(Senseless::Fault("the mass of body `rod` is negative")));
/// assert_eq!(check(f64::NAN), Err(Senseless::NotFinite("m")));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "call `result` to get the first fault"]
pub struct Conditions(Option<Senseless>);

impl Conditions {
    /// Starts a chain: requires all parameters to be finite.
    pub fn finite<T: Real, const N: usize>(parameters: &[Quantity; N], values: &[T; N]) -> Self {
        let fault = parameters.iter().zip(values).find(|(_, value)| !value.is_finite().all());
        Self(fault.map(|(parameter, _)| Senseless::NotFinite(parameter.name)))
    }

    /// Adds the condition that a value computed from parameters is finite; `fault` describes the
    /// failure.
    pub fn and_finite<T: Real>(self, value: T, fault: &'static str) -> Self {
        self.and_condition(value.is_finite(), fault)
    }

    /// Adds the condition that a value is zero or positive; `fault` describes the failure.
    pub fn not_negative<T: Real>(self, value: T, fault: &'static str) -> Self {
        self.and_condition(value.is_ge(T::ZERO), fault)
    }

    /// Adds the condition that a value is positive; `fault` describes the failure.
    pub fn positive<T: Real>(self, value: T, fault: &'static str) -> Self {
        self.and_condition(value.is_gt(T::ZERO), fault)
    }

    /// Adds a condition to the chain; `fault` describes the failure.
    fn and_condition<M: Mask>(self, holds: M, fault: &'static str) -> Self {
        Self(self.0.or_else(|| (!holds.all()).then_some(Senseless::Fault(fault))))
    }

    /// Ends a chain: returns `Ok` if all conditions hold.
    ///
    /// # Errors
    /// The first fault.
    pub fn result(self) -> Result<(), Senseless> {
        self.0.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lanes, quantity};
    use std::string::ToString;

    fn check_with_last_lane(last: f64) -> Result<(), Senseless> {
        let value = Lanes([1.0, 2.0, last]);
        Conditions::finite(&[quantity("a", "1")], &[value])
            .not_negative(value, "it is negative")
            .positive(value, "it is not positive")
            .and_finite(value * Lanes::splat(1e300), "it overflows")
            .result()
    }

    #[test]
    fn one_lane_is_enough_to_fail() {
        assert_eq!(check_with_last_lane(3.0), Ok(()));
        assert_eq!(check_with_last_lane(-1.0), Err(Senseless::Fault("it is negative")));
        assert_eq!(check_with_last_lane(0.0), Err(Senseless::Fault("it is not positive")));
        assert_eq!(check_with_last_lane(1e10), Err(Senseless::Fault("it overflows")));
        let text = check_with_last_lane(f64::NAN).map_err(|e| e.to_string());
        assert_eq!(text, Err("parameter `a` is not a finite number".into()));
    }
}
