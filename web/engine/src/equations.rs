//! The requests `equations` and `sketch`: a report of the mechanism, and its drawing.

use dqdt_equations::inspect::{self, Form, Part, View};
use dqdt_generate::pipeline::FormalismChoice;
use dqdt_view::report::{print_html, print_latex, print_text};
use dqdt_view::{figure, scene};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::request::Refusal;

/// Arguments of the request `equations`.
#[derive(Deserialize)]
pub struct EquationsRequest {
    /// Forms, as for `dqdt inspect --form`; empty for those that suit the mechanism.
    #[serde(default)]
    forms: Vec<String>,
    /// Sections of the report, as for `dqdt inspect --sections`; empty for all.
    #[serde(default)]
    sections: Vec<String>,
    /// Formalism; the default of `dqdt inspect` if there is none.
    #[serde(default)]
    formalism: Option<String>,
}

/// Width of the lines of the text \[columns\].
const WIDTH: usize = 100;

/// Prints the report as a page, as text and as LaTeX.
///
/// # Errors
/// If a word is unknown, or the equations would exceed the memory.
pub fn print_equations(loaded: &Loaded, request: &EquationsRequest) -> Result<Value, Refusal> {
    let forms = request.forms.iter().map(|name| Form::by_name(name).ok_or_else(|| unknown("form", name)));
    let parts =
        request.sections.iter().map(|name| Part::by_name(name).ok_or_else(|| unknown("section", name)));
    let view = View { forms: forms.collect::<Result<_, _>>()?, parts: parts.collect::<Result<_, _>>()? };
    let choice = read_formalism(request.formalism.as_deref())?;
    let sketch = figure::sketch(&scene::start_scene(&loaded.assembled.mechanism));
    let report = inspect::standard_report(&loaded.assembled, choice, Some(sketch), &view);
    let report = report.map_err(|e| e.render(false))?;
    Ok(json!({
        "ok": true,
        "html": print_html(&report),
        "text": print_text(&report, WIDTH),
        "latex": print_latex(&report),
    }))
}

/// Draws the start pose as SVG.
pub fn print_sketch(loaded: &Loaded) -> Value {
    json!({ "ok": true, "svg": figure::sketch(&scene::start_scene(&loaded.assembled.mechanism)) })
}

/// The formalism of this name.
///
/// # Errors
/// If there is none.
pub fn read_formalism(name: Option<&str>) -> Result<Option<FormalismChoice>, Refusal> {
    name.map(|name| name.parse().map_err(|_| unknown("formalism", name))).transpose()
}

fn unknown(kind: &str, name: &str) -> Refusal {
    format!("there is no {kind} `{name}`")
}
