//! The request `linearize`: linearised equations around a state.

use std::collections::BTreeMap;

use dqdt_motion::linearize::{self, LinearizeRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::motion::read_state;
use crate::request::Refusal;

/// Arguments of the request `linearize`: values are by name, in SI units.
#[derive(Deserialize)]
pub struct LinearizationRequest {
    /// Coordinates, speeds and user states of the point; those of the start by default.
    #[serde(default)]
    at: BTreeMap<String, f64>,
    /// Overrides of parameters.
    #[serde(default)]
    parameters: BTreeMap<String, f64>,
    /// Overrides of constant inputs.
    #[serde(default)]
    inputs: BTreeMap<String, f64>,
    /// Names of states and inputs that a trim may change to remove accelerations.
    #[serde(default)]
    trim: Vec<String>,
}

/// Linearises around a state.
///
/// # Errors
/// If a name is unknown, the state cannot be assembled, or no steady state is linearized.
pub fn linearise(loaded: &Loaded, request: &LinearizationRequest) -> Result<Value, Refusal> {
    let mut at = read_state(loaded, &request.at)?;
    at.u = request.inputs.clone().into_iter().collect();
    at.p = request.parameters.clone().into_iter().collect();
    let request = LinearizeRequest { at, trim: request.trim.clone(), independent: Vec::new() };
    let linearized = linearize::linearize(&loaded.assembled, &request).map_err(|e| e.to_string())?;
    let eigenvalues: Vec<Value> =
        linearized.modes.iter().map(|mode| json!({ "re": mode.value[0], "im": mode.value[1] })).collect();
    let trim: BTreeMap<String, f64> = linearized.trim.into_iter().flat_map(|trim| trim.free).collect();
    Ok(json!({
        "ok": true,
        "states": linearized.states,
        "inputs": linearized.inputs,
        "outputs": linearized.outputs,
        "a": linearized.a,
        "b": linearized.b,
        "c": linearized.c,
        "d": linearized.d,
        "eigenvalues": eigenvalues,
        "kind": linearized.kind.description(),
        "note": linearized.start_note,
        "trim": trim,
    }))
}
