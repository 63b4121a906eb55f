//! Reader of the file of `--at`. The file is read only once, because it may be a pipe or standard
//! input.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::json;
use super::source::Failure;
use dqdt_diagnostics::base::{read_text_at_most, read_text_file_at_most};
use dqdt_spec::spec::formula::{Node, parse_quantity};

/// The state of `--at` as JSON text, with the name of its source.
pub(super) struct StateFile {
    /// Path of the state file, or the words `standard input`; for messages.
    pub place: PathBuf,
    pub text: String,
    /// True if `dqdt linearize` or `dqdt assemble` wrote the file. Its parameters are then those of
    /// that call, and `-p` overrides them.
    pub is_command_output: bool,
}

impl StateFile {
    /// Reads the state file that `--at` names; `-` is standard input.
    pub fn read_state_file(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if path.as_os_str() == "-" {
            let text = read_text_at_most(std::io::stdin().lock(), LONGEST)
                .map_err(|e| Failure::from_file_error("read", Path::new(STANDARD_INPUT), e))?;
            return Ok(Some(StateFile::new(PathBuf::from(STANDARD_INPUT), text)));
        }
        let text =
            read_text_file_at_most(path, LONGEST).map_err(|e| Failure::from_file_error("read", path, e))?;
        Ok(Some(StateFile::new(path.to_owned(), text)))
    }

    /// Keeps the state `at` of the output of `linearize --format json`; any other text is kept
    /// unchanged. Invalid JSON is no error here: the later parse reports it.
    fn new(place: PathBuf, text: String) -> Self {
        let map = match json::parse_json(&text) {
            Ok(Value::Object(map)) if is_command_output(&map) => map,
            _ => return StateFile { place, text, is_command_output: false },
        };
        let state = map.get("at").filter(|at| at.is_object() && map.contains_key("A"));
        StateFile { place, text: state.map_or(text, Value::to_string), is_command_output: true }
    }

    /// Removes these parameters from the state file, so that the command line sets them.
    pub fn without_parameters(self, names: &[String]) -> Self {
        let mut file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        if let Some(parameters) = file.get_mut("p").and_then(Value::as_object_mut) {
            parameters.retain(|name, _| !names.contains(name));
        }
        StateFile { text: file.to_string(), ..self }
    }

    /// Entries of the state file other than time, coordinates, speeds and parameters, copied
    /// unchanged: inputs, user states, accelerations, impulses, efforts and contacts.
    pub fn remaining_entries(&self) -> Map<String, Value> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        let kept = ["u", "z", "dv", "impulse", "effort", "on"];
        kept.iter().filter_map(|key| Some(((*key).to_owned(), file.get(key)?.clone()))).collect()
    }

    /// Lookup of a coordinate by name: its finite value in the state file, if any. Wrong values and
    /// units are not reported here but by `eval::read_arguments`.
    pub fn coordinate_lookup(&self) -> impl Fn(&str) -> Option<f64> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        move |name| {
            let value = file["q"].get(name)?;
            value.as_f64().or_else(|| quantity_value(value.as_str()?)).filter(|x| x.is_finite())
        }
    }

    /// Names of the parameters that the state file sets.
    pub fn parameter_names(&self) -> Vec<String> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        file["p"].as_object().map(|p| p.keys().cloned().collect()).unwrap_or_default()
    }
}

/// True if the JSON object was written by `dqdt linearize` or `dqdt assemble`.
fn is_command_output(map: &Map<String, Value>) -> bool {
    map.contains_key("A") || map.contains_key("mobility")
}

/// SI value of a text with a number and a unit; `None` for any other text.
fn quantity_value(text: &str) -> Option<f64> {
    match parse_quantity(text)?.nodes() {
        [(Node::Quantity(n, _), _)] => Some(n.to_f64()),
        _ => None,
    }
}

/// Name of standard input in messages.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// Maximum length of a state file in bytes. Output of `linearize` is long, because it contains
/// matrices.
const LONGEST: usize = 256 << 20;
