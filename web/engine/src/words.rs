//! The request `words`: what an editor can complete.

use dqdt_algebra::UNITS;
use dqdt_spec::spec::formula::{FORMS, FUNCTIONS, measure_functions};
use dqdt_spec::spec::schema;
use serde_json::{Value, json};

/// Schema of specs, functions of formulas, and units.
pub fn list_words() -> Value {
    let measures = measure_functions();
    let functions = FUNCTIONS.iter().chain(FORMS).chain(&measures);
    let functions: Vec<Value> = functions
        .map(|f| json!({ "name": f.name, "arguments": f.arguments, "description": f.value }))
        .collect();
    let units: Vec<Value> =
        UNITS.iter().map(|u| json!({ "name": u.name, "description": u.meaning })).collect();
    json!({ "ok": true, "schema": schema(), "functions": functions, "units": units })
}
