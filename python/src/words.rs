//! Words of arguments: names of functions, formalisms, forms and sections; values by name.

use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::FormalismChoice;
use dqdt_equations::inspect::{FORM_NAMES, Form, PART_NAMES, Part};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrays::{read_number, type_name};
use crate::errors::{error, unknown_name};
use crate::source::Setting;

/// Reads a dictionary of parameters or inputs: numbers in SI units, or texts as in a spec.
///
/// # Errors
/// If a name is no text, or a value neither a finite number nor a text.
pub fn read_settings(dict: &Bound<'_, PyDict>, what: &str) -> PyResult<Vec<(String, Setting)>> {
    let mut all = Vec::new();
    for (key, value) in dict.iter() {
        let Ok(name) = key.extract::<String>() else {
            return Err(error(format!("names of {what}s must be texts, not {}", type_name(&key))));
        };
        if let Ok(text) = value.cast::<PyString>() {
            all.push((name, Setting::Text(text.to_cow()?.into_owned())));
            continue;
        }
        let Some(x) = read_number(&value).filter(|x| x.is_finite()) else {
            let got = value.repr().map_or_else(|_| type_name(&value), |r| r.to_string());
            let text = format!("{what} `{name}` must be a finite number, or a text as in a spec, not {got}");
            return Err(error(text));
        };
        all.push((name, Setting::Number(x)));
    }
    Ok(all)
}

/// The formalism of this name.
///
/// # Errors
/// If there is none.
pub fn read_formalism(name: Option<&str>) -> PyResult<Option<FormalismChoice>> {
    let Some(name) = name else { return Ok(None) };
    let known: Vec<&str> = FormalismChoice::named().map(|c| c.name()).collect();
    name.parse().map(Some).map_err(|_| unknown_name("formalism", name, &known))
}

/// The function of this name.
fn read_function(name: &str) -> PyResult<&'static Definition> {
    let known: Vec<&str> = functions::ALL.iter().map(|f| f.name).collect();
    functions::by_name(name).ok_or_else(|| unknown_name("function", name, &known))
}

/// The functions of these names; `a+b` is a joint call.
///
/// # Errors
/// If there is no such function, or functions cannot be joined.
pub fn read_functions(names: &[String]) -> PyResult<Vec<&'static Definition>> {
    let mut all = Vec::new();
    for name in names {
        let parts = name.split('+').map(|part| read_function(part.trim())).collect::<PyResult<Vec<_>>>()?;
        all.push(match parts[..] {
            [one] => one,
            _ => functions::joint(&parts).map_err(|e| error(e.to_string()))?,
        });
    }
    Ok(all)
}

/// Form of the equations by its name.
///
/// # Errors
/// If there is none.
pub fn read_form(name: &str) -> PyResult<Form> {
    Form::by_name(name).ok_or_else(|| unknown_name("form", name, &FORM_NAMES.map(|(n, _)| n)))
}

/// Part of a report by its name.
///
/// # Errors
/// If there is none.
pub fn read_part(name: &str) -> PyResult<Part> {
    Part::by_name(name).ok_or_else(|| unknown_name("section", name, &PART_NAMES.map(|(n, _)| n)))
}
