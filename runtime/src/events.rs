//! Events: functions of the state whose zeros end or change the motion.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// Direction in which an event function must cross zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// The event function changes from negative to positive.
    Rising,
    /// The event function changes from positive to negative, like a gap that closes.
    Falling,
    /// The event function changes its sign in either direction.
    Both,
}

impl Crossing {
    /// Returns `true` if the function crossed zero in this direction between two values. Zero
    /// itself belongs to the side before the crossing, so that a motion that starts at a zero
    /// crosses it when it leaves.
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

/// Effect of an event on the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The motion ends.
    Ends,
    /// An impact: speeds jump so that the event function changes direction. The motion stays on the
    /// same side of zero.
    Bounces,
    /// The motion continues on the other side; user states may get new values.
    Passes,
}

/// Crossing direction and effect of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventRule {
    /// Direction in which the event function must cross zero.
    pub crossing: Crossing,
    /// Effect of the event.
    pub effect: Effect,
}

/// A [`System`] with `NE` events. Implemented by `dqdt-codegen` for the emitted `Model<T>` of a
/// spec with events.
pub trait HybridSystem<T: Real, const NX: usize, const NU: usize, const NE: usize>:
    System<T, NX, NU>
{
    /// Crossing direction and effect of each event.
    const RULES: [EventRule; NE];

    /// Writes the values of the event functions, each in its own unit.
    fn events(&self, t: T, x: &[T; NX], u: &[T; NU], values: &mut [T; NE]);

    /// Replaces the state right before an event by the state right after it: speeds jump in an
    /// impact, user states get new values. Coordinates do not jump.
    ///
    /// # Errors
    /// [`Singular`] where the equations of the impact cannot be solved; `x` is unchanged then.
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
