//! The events of a layout.

use crate::ir::{Crossing, Effect, EventSlot};
use crate::mechanism::{self, EventAction, Mechanism};

/// The events of a layout.
pub(super) fn slots(m: &Mechanism) -> Vec<EventSlot> {
    let slot = |e: &mechanism::Event| EventSlot {
        name: e.name.clone(),
        description: e.description.clone(),
        crossing: match e.crossing {
            mechanism::Crossing::Falling => Crossing::Falling,
            mechanism::Crossing::Rising => Crossing::Rising,
            mechanism::Crossing::Both => Crossing::Both,
        },
        effect: match e.action {
            EventAction::End => Effect::Ends,
            EventAction::Impact(_) => Effect::Bounces,
            EventAction::Switch(_) => Effect::Passes,
        },
    };
    m.events.iter().map(slot).collect()
}
