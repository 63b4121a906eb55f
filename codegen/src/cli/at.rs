//! The file of `--at`, read once: it may be a pipe, or standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::json;
use super::source::Failure;

/// A state as JSON, and where it is from.
pub(super) struct At {
    /// For messages.
    pub place: PathBuf,
    pub text: String,
}

impl At {
    /// What `--at` names; `-` is standard input.
    pub fn read(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if path.as_os_str() == "-" {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|e| Failure::file("read", Path::new(STANDARD_INPUT), e))?;
            return Ok(Some(At::new(PathBuf::from(STANDARD_INPUT), text)));
        }
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, e))?;
        Ok(Some(At::new(path.to_owned(), text)))
    }

    /// Of what `linearize --format json` writes, the state at which it is; every reader of the text sees the same. What is no JSON
    /// is told by who looks for a state in it.
    fn new(place: PathBuf, text: String) -> Self {
        let state = match json::parse(&text) {
            Ok(Value::Object(map)) if map.contains_key("A") => {
                map.get("at").filter(|at| at.is_object()).cloned()
            }
            _ => None,
        };
        At { place, text: state.map_or(text, |at| at.to_string()) }
    }
}

const STANDARD_INPUT: &str = "standard input";
