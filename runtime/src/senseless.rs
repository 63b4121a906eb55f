//! Parameters that make no sense.

use core::fmt;

use crate::mask::Mask;

/// A fault in a set of parameters: what an emitted `Params::check` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Senseless {
    /// What is wrong, with the names of the spec.
    pub fault: &'static str,
}

impl fmt::Display for Senseless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.fault)
    }
}

impl core::error::Error for Senseless {}

/// Ok if all conditions hold, in every lane.
///
/// # Errors
/// The fault of the first one that does not.
pub fn check_parameters<M: Mask>(conditions: &[(M, &'static str)]) -> Result<(), Senseless> {
    match conditions.iter().find(|(holds, _)| !holds.all()) {
        Some((_, fault)) => Err(Senseless { fault }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LaneMask;

    #[test]
    fn one_lane_is_enough_to_fail() {
        let all = |mask| check_parameters(&[(LaneMask([true; 3]), "the first"), (mask, "the second")]);
        assert_eq!(all(LaneMask([true; 3])), Ok(()));
        assert_eq!(all(LaneMask([true, false, true])), Err(Senseless { fault: "the second" }));
    }
}
