//! The request `load`: a text becomes a mechanism, or messages.

use dqdt_derivation::derive::vector_layout;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, Assembled};
use dqdt_graph::ir::{Layout, Slot};
use serde_json::{Value, json};

use crate::messages::describe_messages;
use crate::source::{MechanismText, ReadMechanism};

/// A mechanism with the layout of its arguments.
pub struct Loaded {
    pub assembled: Assembled,
    pub layout: Layout,
}

/// Reads a mechanism and describes it; `None` if the text has errors.
pub fn load(source: &MechanismText) -> (Value, Option<Loaded>) {
    match source.read() {
        Ok(read) => {
            let (answer, loaded) = describe_mechanism(read, &source.name);
            (answer, Some(loaded))
        }
        Err(errors) => (describe_errors(&errors, &source.name), None),
    }
}

fn describe_errors(errors: &Errors, name: &str) -> Value {
    json!({ "ok": false, "messages": describe_messages(errors, name), "rendered": errors.render(false) })
}

fn describe_mechanism(read: ReadMechanism, name: &str) -> (Value, Loaded) {
    let assembled = read.assembled;
    let m = &assembled.mechanism;
    let layout = vector_layout(m);
    let functions = pipeline::functions_of(&assembled).unwrap_or_default();
    let warnings = &assembled.warnings;
    let rendered = if warnings.diagnostics.is_empty() { String::new() } else { warnings.render(false) };
    let answer = json!({
        "ok": true,
        "messages": describe_messages(warnings, name),
        "rendered": rendered,
        "name": m.name,
        "description": m.description,
        "layout": {
            "q": describe_slots(&layout.q),
            "v": describe_slots(&layout.v),
            "z": describe_slots(&layout.z),
            "u": describe_slots(&layout.u),
            "p": describe_slots(&layout.p),
        },
        "outputs": m.outputs.iter().map(|o| &o.name).collect::<Vec<_>>(),
        "events": m.events.iter().map(|e| &e.name).collect::<Vec<_>>(),
        "functions": functions.iter().map(|f| f.name).collect::<Vec<_>>(),
        "on_request": functions_on_request(&functions),
        "duration": 10.0,
        "spec": read.converted,
    });
    (answer, Loaded { assembled, layout })
}

/// Functions that are emitted on request only: name and summary.
fn functions_on_request(default: &[&'static Definition]) -> Vec<Value> {
    let others = functions::ALL.iter().filter(|f| default.iter().all(|d| d.name != f.name));
    others.map(|f| json!({ "name": f.name, "summary": f.summary })).collect()
}

fn describe_slots(slots: &[Slot]) -> Vec<Value> {
    slots.iter().map(describe_slot).collect()
}

fn describe_slot(s: &Slot) -> Value {
    json!({ "name": s.name, "unit": s.unit, "description": s.description, "value": s.value })
}
