//! The requests `claims` and `decide`: what `dqdt prove` proves, one claim at a time.

use dqdt_derivation::derive::size;
use dqdt_derivation::functions;
use dqdt_equations::prove::{self, Claim};
use dqdt_equations::symbolic::{Assumptions, Status};
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::Formalism;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::request::Refusal;

/// Claims about the loaded mechanism that are not decided yet, by index.
pub type Claims = Vec<Option<Claim>>;

/// Lists the titles of all claims about the equations.
///
/// # Errors
/// If a motion of the mechanism has no inertia, or the equations would exceed the memory.
pub fn list_claims(loaded: &Loaded, claims: &mut Claims) -> Result<Value, Refusal> {
    let assembled = &loaded.assembled;
    pipeline::check_functions(assembled, &[functions::DQDT]).map_err(|e| e.render(false))?;
    size::check_formalism_sizes(&assembled.mechanism, &Formalism::ALL).map_err(|e| e.render(false))?;
    let mut all = prove::mechanism_claims(assembled).map_err(|e| e.to_string())?;
    all.extend(prove::printed_forms_claims(assembled).map_err(|e| e.to_string())?.claims);
    let titles: Vec<String> = all.iter().map(|claim| claim.title.clone()).collect();
    *claims = all.into_iter().map(Some).collect();
    Ok(json!({ "ok": true, "claims": titles }))
}

/// Arguments of the request `decide`.
#[derive(Deserialize)]
pub struct DecisionRequest {
    /// Index among the titles of the claims.
    index: usize,
    /// True to compare at random points with 100 digits, without an exact proof, which may need far
    /// more memory.
    #[serde(default)]
    numerically: bool,
}

/// Decides a claim. Lists the claims if this one is not in the list: the workbench is new, or the
/// claim was decided before.
///
/// # Errors
/// If there is no such claim, or the claims cannot be listed.
pub fn decide_claim(
    loaded: &Loaded,
    claims: &mut Claims,
    request: &DecisionRequest,
) -> Result<Value, Refusal> {
    if claims.get(request.index).is_none_or(Option::is_none) {
        list_claims(loaded, claims)?;
    }
    let claim = claims.get_mut(request.index).and_then(Option::take);
    let mut claim = claim.ok_or_else(|| format!("there is no claim {}", request.index))?;
    if request.numerically {
        claim.assumptions = Assumptions { limit: 0, together: true, ..claim.assumptions };
    }
    let decision = prove::decide_claim(claim).map_err(|e| e.to_string())?;
    let open = decision.entries.iter().zip(&decision.verdicts);
    let open = open.filter(|(_, verdict)| verdict.status() != Status::Proved);
    let open: Vec<String> =
        open.map(|(entry, verdict)| format!("{entry}: {}", verdict.status().status_word())).collect();
    let status = decision.status().status_word().to_lowercase();
    Ok(json!({ "ok": true, "title": decision.title, "status": status, "open": open }))
}
