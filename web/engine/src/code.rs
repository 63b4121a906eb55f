//! The request `code`: emitted functions in a language.

use dqdt_derivation::functions;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_print::target::{TargetError, TargetOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::request::Refusal;

/// Arguments of the request `code`.
#[derive(Deserialize)]
pub struct CodeRequest {
    /// Name of the language: `rust`, `c`, `cuda`.
    language: String,
    /// Names of functions; the default ones if there are none.
    #[serde(default)]
    functions: Vec<String>,
}

/// Derives and prints functions.
///
/// # Errors
/// If a name is unknown, or a function is not defined for the mechanism.
pub fn emit_code(loaded: &Loaded, request: &CodeRequest) -> Result<Value, Refusal> {
    let assembled = &loaded.assembled;
    let target = dqdt_targets::target_by_name(&request.language);
    let target = target.ok_or_else(|| format!("there is no language `{}`", request.language))?;
    let options = TargetOptions::new(target, std::iter::empty()).map_err(describe_target_error)?;
    let named = request
        .functions
        .iter()
        .map(|name| functions::by_name(name).ok_or_else(|| format!("there is no function `{name}`")));
    let mut definitions = named.collect::<Result<Vec<_>, _>>()?;
    if definitions.is_empty() {
        definitions = pipeline::functions_of(assembled).map_err(|e| e.render(false))?;
    }
    pipeline::check_functions(assembled, &definitions).map_err(|e| e.render(false))?;
    let derivation = pipeline::derive(assembled, FormalismChoice::default(), &definitions);
    let program = derivation.map_err(|e| e.render(false))?.program;
    let printed = (target.print)(&program, &options).map_err(describe_target_error)?;
    let stem = printed.name.unwrap_or_else(|| assembled.mechanism.name.clone());
    let files = target.endings.iter().zip(printed.texts);
    let files: Vec<Value> =
        files.map(|(ending, text)| json!({ "name": format!("{stem}.{ending}"), "text": text })).collect();
    Ok(json!({ "ok": true, "files": files }))
}

fn describe_target_error(e: TargetError) -> Refusal {
    match e {
        TargetError::Option { name, message } => format!("option `{name}`: {message}"),
        TargetError::Internal(errors) => errors.render(false),
    }
}
