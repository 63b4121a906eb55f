//! Events of a mechanism in the layout of a program.

use dqdt_graph::ir::{Effect, EventCrossing, EventSlot};
use dqdt_mechanics::mechanism::event::Outcome;
use dqdt_mechanics::mechanism::{self, Mechanism};

/// Unit of the function whose zero is the event; empty if it is unknown.
pub fn event_unit(e: &mechanism::Event) -> String {
    e.kind.form().trigger().dimension.map_or(String::new(), |d| d.to_string())
}

/// Events of a mechanism as entries of the layout: name, unit, crossing and effect.
pub(super) fn event_slots(m: &Mechanism) -> Vec<EventSlot> {
    m.events.iter().map(event_slot).collect()
}

/// One event of a mechanism as an entry of the program's layout.
fn event_slot(e: &mechanism::Event) -> EventSlot {
    EventSlot {
        name: e.name.clone(),
        unit: event_unit(e),
        description: e.description.clone(),
        crossing: match e.kind.form().trigger().crossing {
            mechanism::Crossing::Falling => EventCrossing::Falling,
            mechanism::Crossing::Rising => EventCrossing::Rising,
            mechanism::Crossing::Both => EventCrossing::Both,
        },
        effect: match e.kind.form().outcome() {
            Outcome::Ends => Effect::Ends,
            Outcome::Bounces(_) => Effect::Bounces,
            Outcome::Passes(_) => Effect::Passes,
        },
    }
}
