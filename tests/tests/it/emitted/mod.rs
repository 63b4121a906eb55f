//! Emits modules from spec texts, and reports compiler messages about them.

// Each test target uses a part of this module.
#![allow(dead_code)]

pub mod hostile;
pub mod mutate;

use std::fmt::Write as _;

use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::read;
use dqdt_codegen::read::Settings;
use dqdt_families::indexed::{self, VERIFIED, derive_member, find_formulas};
use dqdt_tests::root;

use crate::compiled::Module;

/// The mechanism of a spec text with the given repeat sizes, or its errors.
pub fn load(text: &str, settings: Settings) -> Result<Assembled, String> {
    let settings = settings.folder(root("tests/data/spec/pass"));
    let spec = read::parse_with("mutant.toml", text, &settings).map_err(|e| e.to_string())?;
    pipeline::build(&spec, "mutant.toml").map_err(|e| e.to_string())
}

/// The module of a spec text with all functions, or its errors.
pub fn emit(text: &str, formalism: Formalism) -> Result<String, String> {
    let loaded = load(text, Settings::new())?;
    let functions = functions::ALL.to_vec();
    let program = pipeline::program(&loaded, &Request::new(formalism, functions));
    pipeline::rust(&program).map_err(|e| e.to_string())
}

/// The module of a family whose size is the first name of its section `[repeat]`.
pub fn emit_family(text: &str) -> Result<String, String> {
    let after = text.split_once("[repeat]").map_or("", |(_, after)| after);
    let size = after.split('"').nth(1).unwrap_or_default();
    let mut members = Vec::new();
    for n in 1..=VERIFIED {
        let loaded = load(text, Settings::new().set(size, n))?;
        members.push(derive_member(&loaded.mechanism, &loaded.partition, n).map_err(|e| e.to_string())?);
    }
    let origin = ("mutant.toml".to_owned(), String::new());
    let program = indexed::build_family_program("family", size, origin, &members, find_formulas(&members));
    dqdt_families::emit_rust_family(&program.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

/// The first compiler messages, and the specs of the modules that they name.
pub fn report(messages: &str, specs: &[String], modules: &[Module]) -> String {
    let mut out = String::new();
    for (module, spec) in modules.iter().zip(specs) {
        let file = format!("modules/{}.rs:", module.name);
        if messages.contains(&file) {
            let _ = writeln!(out, "---- {file}\n{spec}");
        }
        if out.len() > 6000 {
            break;
        }
    }
    let cut = messages.char_indices().map(|(i, _)| i).nth(6000).unwrap_or(messages.len());
    format!("{}\n{out}", &messages[..cut])
}
