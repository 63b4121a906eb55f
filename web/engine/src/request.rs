//! Requests of the page, and the workbench that answers them.

use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::checks::{Claims, DecisionRequest, decide_claim, list_claims};
use crate::code::{CodeRequest, emit_code};
use crate::equations::{EquationsRequest, print_equations, print_sketch};
use crate::linearised::{LinearizationRequest, linearise};
use crate::load::{Loaded, load};
use crate::motion::{MotionRequest, Motions, simulate};
use crate::source::MechanismText;
use crate::words::list_words;

/// A request of the page.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum PageRequest {
    /// Reads a mechanism, which the following requests are about.
    Load(MechanismText),
    /// The equations of motion, as a page, as text and as LaTeX.
    Equations(EquationsRequest),
    /// The drawing of the start pose.
    Sketch {},
    /// Emitted code.
    Code(CodeRequest),
    /// Titles of the claims about the equations.
    Claims {},
    /// Decides one of the claims.
    Decide(DecisionRequest),
    /// A motion, with its animation and its curves.
    Simulate(MotionRequest),
    /// Linearised equations around a state.
    Linearize(LinearizationRequest),
    /// Words of the format, for completion.
    Words {},
}

/// Throws the message of a panic, so that the page can tell a panic from memory that is used up: a
/// failed allocation ends in a trap without a message.
#[cfg(target_family = "wasm")]
#[wasm_bindgen(start)]
fn throw_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Reason why a request has no answer, as a text for the user.
pub(crate) type Refusal = String;

/// The mechanism that requests are about, and what was derived of it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Workbench {
    loaded: Option<Loaded>,
    claims: Claims,
    motions: Motions,
}

#[wasm_bindgen]
impl Workbench {
    /// A workbench without a mechanism.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a request: JSON in, JSON out.
    pub fn request(&mut self, text: &str) -> String {
        let answer = match serde_json::from_str(text) {
            Ok(request) => self.answer(request).unwrap_or_else(|why| json!({ "ok": false, "error": why })),
            Err(e) => json!({ "ok": false, "error": format!("the request cannot be read: {e}") }),
        };
        answer.to_string()
    }
}

impl Workbench {
    fn answer(&mut self, request: PageRequest) -> Result<Value, Refusal> {
        if let PageRequest::Load(source) = request {
            *self = Workbench::new();
            let (answer, loaded) = load(&source);
            self.loaded = loaded;
            return Ok(answer);
        }
        if let PageRequest::Words {} = request {
            return Ok(list_words());
        }
        let loaded = self.loaded.as_ref().ok_or("no mechanism is loaded")?;
        match request {
            PageRequest::Load(_) | PageRequest::Words {} => {
                Err("internal error: the request was answered".to_owned())
            }
            PageRequest::Equations(request) => print_equations(loaded, &request),
            PageRequest::Sketch {} => Ok(print_sketch(loaded)),
            PageRequest::Code(request) => emit_code(loaded, &request),
            PageRequest::Claims {} => list_claims(loaded, &mut self.claims),
            PageRequest::Decide(request) => decide_claim(loaded, &mut self.claims, &request),
            PageRequest::Simulate(request) => simulate(loaded, &mut self.motions, &request),
            PageRequest::Linearize(request) => linearise(loaded, &request),
        }
    }
}
