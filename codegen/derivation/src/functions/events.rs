//! The emitted function `events`: functions that cross zero where an event happens.

use super::{Definition, Derivation, Derive};
use crate::derive::event_unit;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::formalism;

/// The emitted function `events`: one value for each event, in the unit of its formula, or in m for
/// gaps. An event happens where its value crosses zero.
pub const EVENTS: &Definition = &Definition {
    declaration: Declaration {
        name: "events",
        summary: "Values of the event functions, in the order of [`EVENTS`].",
        constraints: None,
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Events", about: "Functions that cross zero when an event occurs." },
        entries: EntryNames::Numbered,
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::Events),
        by_default: true,
        in_eval: true,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.events.is_empty() {
        return Vec::new();
    }
    let env = d.environment(d.saturated_inputs());
    let mut outputs = Vec::with_capacity(m.events.len());
    for e in &m.events {
        let value = formalism::evaluate_event_function(m, &env, e);
        let about = if e.description.is_empty() { &e.name } else { &e.description };
        let about = format!("{} of {about}", e.kind.form().function_noun());
        outputs.push(FunctionOutput::scalar(e.name.clone(), event_unit(e), about, d.node_id(value)));
    }
    outputs
}
