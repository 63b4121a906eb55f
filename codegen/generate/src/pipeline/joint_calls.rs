//! Rejects joint calls of functions that the mechanism does not have.

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count};
use dqdt_derivation::functions::Derive;
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_graph::ir::Program;
use dqdt_mechanics::mechanism::Formulation;

/// Rejects a joint call (`dqdt+outputs`) if one of its functions has no result for the mechanism.
/// Silently omitting the call would surprise the user.
pub(super) fn check_joint_calls(
    loaded: &Assembled,
    formulation: &Formulation,
    request: &Request,
    program: &Program,
) -> Result<(), Errors> {
    let missing = request.functions.iter().find_map(|f| match f.derive {
        Derive::Joint(parts) if program.function(f).is_none() => Some((f, parts)),
        _ => None,
    });
    let Some((f, parts)) = missing else { return Ok(()) };
    let request = Request::new(request.formalism, parts.to_vec());
    let alone = derive_to_count(loaded, formulation, &request);
    let lacks: Vec<&str> = parts.iter().filter(|p| alone.function(p).is_none()).map(|p| p.name).collect();
    let d = Diagnostic::error(
        "joint-call",
        format!("`{}`: `{}` has no `{}`", f.name, loaded.mechanism.name, lacks.join("`, `")),
    )
    .help("remove this function from the joint call");
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}
