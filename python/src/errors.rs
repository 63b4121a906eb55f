//! Exceptions of the package, all subclasses of `dqdt.Error`, which is a `ValueError`.

use dqdt_codegen::error::{Diagnostic, Errors, Severity};
use dqdt_spec::spec::did_you_mean;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

create_exception!(dqdt, Error, PyValueError, "Error of the package dqdt; the text says what was expected.");
create_exception!(
    dqdt,
    SpecError,
    Error,
    "Errors in the description of a mechanism.\n\n`diagnostics` has one dictionary for each message: file, line, \
     column, code, severity, message, help."
);
create_exception!(
    dqdt,
    Singular,
    Error,
    "A function has no result at a state.\n\n`name`: the divisor that vanishes, or the value that is not \
     finite; `value`: its value; `hint`: the cause and the remedy."
);

/// Exception with a text.
pub fn error(message: impl Into<String>) -> PyErr {
    Error::new_err(message.into())
}

/// A diagnostic as a dictionary: file, line, column, code, severity, message, help.
pub fn diagnostic_as_dict<'py>(
    py: Python<'py>,
    errors: &Errors,
    d: &Diagnostic,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let place = errors.place(d);
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    dict.set_item("file", place.map(|p| p.file))?;
    dict.set_item("line", place.map(|p| p.line))?;
    dict.set_item("column", place.map(|p| p.column))?;
    dict.set_item("code", d.code)?;
    dict.set_item("severity", severity)?;
    dict.set_item("message", &d.message)?;
    dict.set_item("help", d.help.join("\n"))?;
    Ok(dict)
}

/// The messages of a run as a list of dictionaries.
pub fn diagnostics_as_list<'py>(py: Python<'py>, errors: &Errors) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    for d in &errors.diagnostics {
        all.append(diagnostic_as_dict(py, errors, d)?)?;
    }
    Ok(all)
}

/// Exception with the diagnostics of a spec, rendered as in a terminal.
pub fn spec_error(errors: &Errors) -> PyErr {
    let exception = SpecError::new_err(errors.render(false).trim_end().to_owned());
    Python::attach(|py| match diagnostics_as_list(py, errors) {
        Ok(list) => match exception.value(py).setattr("diagnostics", list) {
            Ok(()) => exception,
            Err(e) => e,
        },
        Err(e) => e,
    })
}

/// Exception for a function that has no result at a state.
pub fn singular(function: &str, name: &str, value: f64, hint: &str) -> PyErr {
    let text = if hint.is_empty() {
        format!("`{function}`: a result overflows, or an argument is not finite: {name} = {value:e}")
    } else {
        format!("`{function}` is singular at this state: {name} = {value:.3e}: {hint}")
    };
    let exception = Singular::new_err(text);
    let attributes = Python::attach(|py| {
        let object = exception.value(py);
        object.setattr("name", name)?;
        object.setattr("value", value)?;
        object.setattr("hint", hint)
    });
    attributes.map_or_else(|e| e, |()| exception)
}

/// Exception for an unknown name, with a similar name or the list of known ones.
pub fn unknown_name(what: &str, name: &str, known: &[&str]) -> PyErr {
    let help = match did_you_mean(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    };
    error(format!("there is no {what} `{name}`; {help}"))
}
