//! Names and units of states, inputs and parameters at run time.
//!
//! Emitted modules list them as data: `STATES`, `INPUTS`, `PARAMETERS`. Use these names for files
//! and displays. In a control loop use the index constants and the fields, which the compiler
//! checks.

use core::fmt;

/// Name and SI unit of one entry of the state, the inputs or the parameters; an element of
/// `STATES`, `INPUTS` or `PARAMETERS` of an emitted module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name of the quantity in the spec.
    pub name: &'static str,
    /// SI unit of the quantity as text; `1` for none.
    pub unit: &'static str,
}

/// Builds a [`Quantity`] from name and unit. Called by emitted modules.
pub const fn quantity(name: &'static str, unit: &'static str) -> Quantity {
    Quantity { name, unit }
}

/// Error of `Params::set`: no parameter has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName<'a> {
    /// The name that was looked up without success.
    pub name: &'a str,
}

impl fmt::Display for UnknownName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no parameter `{}`", self.name)
    }
}

impl core::error::Error for UnknownName<'_> {}

/// Index of the quantity with this name in a list such as `STATES`; `None` if there is none.
#[must_use]
pub fn index_of(quantities: &[Quantity], name: &str) -> Option<usize> {
    quantities.iter().position(|q| q.name == name)
}

/// Value with this name, from values in the order of `quantities`: `Params::get` of emitted
/// modules. `None` if there is none.
#[must_use]
pub fn value_of<T: Copy, const N: usize>(
    quantities: &[Quantity; N],
    values: &[T; N],
    name: &str,
) -> Option<T> {
    quantities.iter().zip(values).find(|(q, _)| q.name == name).map(|(_, value)| *value)
}

/// Sets the value with this name, among references in the order of `quantities`: `Params::set` of
/// emitted modules.
///
/// # Errors
/// [`UnknownName`] if no quantity has this name; nothing is changed then.
#[doc(hidden)]
pub fn set_value<'a, T, const N: usize>(
    quantities: &[Quantity; N],
    places: [&mut T; N],
    name: &'a str,
    value: T,
) -> Result<(), UnknownName<'a>> {
    let entry = quantities.iter().zip(places).find(|(q, _)| q.name == name);
    let (_, place) = entry.ok_or(UnknownName { name })?;
    *place = value;
    Ok(())
}

/// Values that display with their names and units, for logs: the quantities, then the values in the
/// same order.
///
/// ```
/// use dqdt::{Labelled, quantity};
///
/// let states = [quantity("x", "m"), quantity("share", "1")];
/// assert_eq!(Labelled(&states, &[0.5, 0.25]).to_string(), "x = 0.5 m, share = 0.25");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a, T, const N: usize>(pub &'a [Quantity; N], pub &'a [T; N]);

impl<T: fmt::Display, const N: usize> fmt::Display for Labelled<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (q, value)) in self.0.iter().zip(self.1).enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{} = ", q.name)?;
            fmt::Display::fmt(value, f)?;
            if q.unit != "1" {
                write!(f, " {}", q.unit)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Quantity; 2] = [quantity("mass", "kg"), quantity("gain", "1")];

    #[test]
    fn a_name_finds_its_value_and_another_changes_nothing() {
        let (mut mass, mut gain) = (1.0, 2.0);
        assert_eq!(set_value(&BOTH, [&mut mass, &mut gain], "gain", 5.0), Ok(()));
        let unknown = set_value(&BOTH, [&mut mass, &mut gain], "gian", 7.0);
        assert_eq!(unknown, Err(UnknownName { name: "gian" }));
        assert_eq!((mass, gain), (1.0, 5.0));
        assert_eq!(value_of(&BOTH, &[mass, gain], "gain"), Some(5.0));
        assert_eq!(value_of(&BOTH, &[mass, gain], ""), None);
        assert_eq!(index_of(&BOTH, "mass"), Some(0));
    }
}
