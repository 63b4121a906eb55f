//! Events: functions of the state whose zeros end or change the motion.

use crate::real::Real;
use crate::singular::Singular;
use crate::system::System;

/// Direction in which an event function must cross zero for the event to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// The event happens when its function changes from negative to positive.
    Rising,
    /// The event happens when its function changes from positive to negative, like a gap that
    /// closes.
    Falling,
    /// The event happens when its function changes its sign in either direction.
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

/// Effect of an event of the spec on the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The event ends the motion.
    Ends,
    /// The event is an impact: speeds jump so that the event function changes direction. The motion
    /// stays on the same side of zero.
    Bounces,
    /// The motion continues on the other side of zero; user states may get new values.
    Passes,
}

/// Crossing direction and effect of one event, an element of [`HybridSystem::RULES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventRule {
    /// Direction in which the event function must cross zero for the event to happen.
    pub crossing: Crossing,
    /// Effect of the event on the motion.
    pub effect: Effect,
}

/// Terms of a stop at a state: an event with [`Effect::Bounces`] whose function is a gap that must
/// not become negative. By them a motion hits the stop, rests on it and leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopTerms<'a, T> {
    /// Index of the event, in spec order.
    pub event: usize,
    /// The gap `g` \[m or rad\]: value of the event function, positive on the allowed side.
    pub gap: T,
    /// Rate `ġ` of the gap.
    pub rate: T,
    /// Second derivative `g̈` of the gap at zero accelerations of the speeds.
    pub bias: T,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: T,
    /// Row `W`, one entry for each speed: `ġ = W v + w₀`, and the force λ of the stop acts as
    /// `Wᵀ λ` on the speeds.
    pub row: &'a [T],
    /// Displacement of each coordinate per unit of impulse and time: `N Y`, where `q̇ = N v` and
    /// `Y` is the response.
    pub displacement: &'a [T],
    /// Response `Y`: jump of each speed per unit of impulse of the stop, with the constraints of
    /// the mechanism obeyed. `M Y = Wᵀ + Aᵀ μ`, `A Y = 0`.
    pub response: &'a [T],
}

/// A [`System`] with `NE` events, such as impacts and switches. Implemented by `dqdt-codegen` for
/// the emitted `Model<T>` of a spec with events.
pub trait HybridSystem<T: Real, const NX: usize, const NU: usize, const NE: usize>:
    System<T, NX, NU>
{
    /// Crossing direction and effect of each event, in spec order.
    const RULES: [EventRule; NE];

    /// Writes the values of the event functions, whose zeros are the events, each in its own unit.
    fn events(&self, t: T, x: &[T; NX], u: &[T; NU], values: &mut [T; NE]);

    /// Applies the jump of an event: replaces the state right before the event by the state right
    /// after it. Speeds jump in an impact, user states get new values; coordinates do not jump.
    ///
    /// # Errors
    /// [`Singular`] where the equations of the impact cannot be solved; `x` is unchanged then.
    fn after_event(&self, event: usize, t: T, x: &mut [T; NX], u: &[T; NU]) -> Result<(), Singular<T::Mask>>;

    /// Calls `visit` with the terms of each stop, in spec order. Without them, as by default,
    /// impacts follow each other by [`HybridSystem::after_event`], and no motion rests on a stop.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved.
    fn stops(
        &self,
        _t: T,
        _x: &[T; NX],
        _u: &[T; NU],
        _visit: &mut dyn FnMut(StopTerms<'_, T>),
    ) -> Result<(), Singular<T::Mask>> {
        Ok(())
    }
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
