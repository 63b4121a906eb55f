//! The file of `--at`, read once: it may be a pipe, or standard input.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::json;
use super::source::Failure;
use dqdt_diagnostics::base::{read_text_at_most, read_text_file_at_most};
use dqdt_spec::spec::formula::{Node, parse_quantity};

/// A state as JSON, and where it is from.
pub(super) struct At {
    /// For messages.
    pub place: PathBuf,
    pub text: String,
    /// By `linearize` or `assemble`, whose parameters are those of that call.
    pub is_written: bool,
}

impl At {
    /// What `--at` names; `-` is standard input.
    pub fn read(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if path.as_os_str() == "-" {
            let text = read_text_at_most(std::io::stdin().lock(), LONGEST)
                .map_err(|e| Failure::file("read", Path::new(STANDARD_INPUT), e))?;
            return Ok(Some(At::new(PathBuf::from(STANDARD_INPUT), text)));
        }
        let text = read_text_file_at_most(path, LONGEST).map_err(|e| Failure::file("read", path, e))?;
        Ok(Some(At::new(path.to_owned(), text)))
    }

    /// Of what `linearize --format json` writes, the state at which it is; every reader of the text sees the same. What is no JSON
    /// is told by who looks for a state in it.
    fn new(place: PathBuf, text: String) -> Self {
        let written = |map: &Map<String, Value>| map.contains_key("A") || map.contains_key("mobility");
        let map = match json::parse(&text) {
            Ok(Value::Object(map)) if written(&map) => map,
            _ => return At { place, text, is_written: false },
        };
        let state = map.get("at").filter(|at| at.is_object() && map.contains_key("A"));
        At { place, text: state.map_or(text, Value::to_string), is_written: true }
    }

    /// Without these parameters.
    pub fn without(self, names: &[String]) -> Self {
        let mut file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        if let Some(parameters) = file.get_mut("p").and_then(Value::as_object_mut) {
            parameters.retain(|name, _| !names.contains(name));
        }
        At { text: file.to_string(), ..self }
    }

    /// Beside time, coordinates and speeds, what it gives as it stands there: inputs, accelerations and the like.
    pub fn others(&self) -> Map<String, Value> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        let kept = ["u", "z", "dv", "impulse", "effort", "on"];
        kept.iter().filter_map(|key| Some(((*key).to_owned(), file.get(key)?.clone()))).collect()
    }

    /// The values of the coordinates that it gives, finite ones. What is wrong with others, and whether units fit, is told by who reads
    /// the state.
    pub fn coordinates(&self) -> impl Fn(&str) -> Option<f64> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        move |name| {
            let value = file["q"].get(name)?;
            let quantity = || match parse_quantity(value.as_str()?)?.nodes() {
                [(Node::Quantity(n, _), _)] => Some(n.to_f64()),
                _ => None,
            };
            value.as_f64().or_else(quantity).filter(|x| x.is_finite())
        }
    }

    /// The names of the parameters that it gives.
    pub fn parameters(&self) -> Vec<String> {
        let file: Value = serde_json::from_str(&self.text).unwrap_or_default();
        file["p"].as_object().map(|p| p.keys().cloned().collect()).unwrap_or_default()
    }
}

const STANDARD_INPUT: &str = "standard input";

/// The longest text that is read, in bytes: matrices of a linearisation stand in it too.
const LONGEST: usize = 256 << 20;
