//! Events: functions of the state whose zeros change the motion.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// Which way an event function must cross zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative: a gap that closes.
    Falling,
    /// Either way.
    Both,
}

impl Crossing {
    /// True if the function crossed zero this way between two values. Zero itself lies on the side that was left, so that
    /// a motion that starts on a zero leaves it once.
    #[inline]
    pub fn happened(self, before: f64, after: f64) -> bool {
        let (falls, rises) = (before >= 0.0 && after < 0.0, before <= 0.0 && after > 0.0);
        match self {
            Crossing::Rising => rises,
            Crossing::Falling => falls,
            Crossing::Both => falls || rises,
        }
    }
}

/// What an event does to the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It ends.
    Ends,
    /// Speeds jump so that the event function turns back: an impact. The motion stays on the side that it came from.
    Bounces,
    /// The motion goes on to the other side; user states may have new values.
    Passes,
}

/// When an event happens, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventRule {
    /// Which way the event function must cross zero.
    pub crossing: Crossing,
    /// What follows.
    pub effect: Effect,
}

/// A [`System`] with `NE` events. `dqdt-codegen` implements this for the emitted `Model<T>` of a spec with events.
pub trait HybridSystem<T: Real, const NX: usize, const NU: usize, const NE: usize>:
    System<T, NX, NU>
{
    /// When each event happens, and what it does.
    const RULES: [EventRule; NE];

    /// Writes the values of the event functions, each in its own unit.
    fn events(&self, t: T, x: &[T; NX], u: &[T; NU], values: &mut [T; NE]);

    /// The state right after an event, from the state right before it: jumps of speeds in an impact, new values of user
    /// states. Coordinates do not jump.
    ///
    /// # Errors
    /// [`Singular`] where the equations of the impact cannot be solved; `x` is untouched then.
    fn after_event(&self, event: usize, t: T, x: &mut [T; NX], u: &[T; NU]) -> Result<(), Singular<T::Mask>>;
}

#[cfg(test)]
mod tests {
    use super::Crossing::{Both, Falling, Rising};

    #[test]
    fn a_zero_is_left_once() {
        assert!(Falling.happened(1.0, -1.0) && Falling.happened(0.0, -1.0));
        assert!(!Falling.happened(1.0, 0.0) && !Falling.happened(-1.0, -2.0) && !Falling.happened(-1.0, 1.0));
        assert!(Rising.happened(-1.0, 1.0) && !Rising.happened(1.0, -1.0));
        assert!(Both.happened(-1.0, 1.0) && Both.happened(1.0, -1.0) && !Both.happened(1.0, 2.0));
        assert!(!Both.happened(f64::NAN, 1.0));
    }
}
