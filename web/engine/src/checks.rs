//! The requests `claims` and `decide`: what `dqdt prove` proves, one claim at a time.

use dqdt_derivation::derive::size;
use dqdt_derivation::functions;
use dqdt_equations::prove::{self, Claim};
use dqdt_equations::symbolic::Status;
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::Formalism;
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

/// Decides the claim of this index.
///
/// # Errors
/// If there is no such claim, or it was decided already.
pub fn decide_claim(claims: &mut Claims, index: usize) -> Result<Value, Refusal> {
    let claim = claims.get_mut(index).and_then(Option::take);
    let claim = claim.ok_or("there is no such claim, or it was decided already: send `claims` first")?;
    let decision = prove::decide_claim(claim).map_err(|e| e.to_string())?;
    let open = decision.entries.iter().zip(&decision.verdicts);
    let open = open.filter(|(_, verdict)| verdict.status() != Status::Proved);
    let open: Vec<String> =
        open.map(|(entry, verdict)| format!("{entry}: {}", verdict.status().status_word())).collect();
    let status = decision.status().status_word().to_lowercase();
    Ok(json!({ "ok": true, "title": decision.title, "status": status, "open": open }))
}
