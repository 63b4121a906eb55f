//! Writes `generated/`: one module per spec of `examples/specs`, the list of modules, and the table
//! of operation counts.
//!
//! The modules are printed by prettyplease and skipped by rustfmt.
//! `cargo run -p dqdt-tests --bin regenerate` writes; with `--check` it writes nothing and fails
//! if anything is stale.

use crate::pipeline::FormalismChoice;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dqdt_codegen::functions;
use dqdt_codegen::pipeline;
use dqdt_codegen::pipeline::Request;
use dqdt_codegen::read::Settings;
use dqdt_families::indexed::{self, VERIFIED, derive_member, find_formulas};
use dqdt_graph::ir::count;
use dqdt_tests::{root, specs};

/// Families of `examples/specs/families` that have formulas.
const FAMILIES: [&str; 5] = ["cart_pendulums", "chain", "chain_absolute", "snowboarder_edge", "star"];

/// Optional functions by module, for the tests of controllers.
const MORE: [(&str, &[&functions::Definition]); 1] =
    [("four_bar", &[functions::INPUT_MATRIX, functions::INVERSE_DYNAMICS_CONSTRAINED])];

const MEND: &str = "cargo run -p dqdt-tests --bin regenerate";

/// Path and expected content of every file of `generated/`.
fn files() -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = Vec::new();
    let mut modules = String::new();
    let mut index = String::new();
    let mut counts = String::from(
        "# Operation counts\n\nOne call of each emitted function; what depends on parameters only is computed once, in \
         `Model::new`, and not counted.\nWritten by `cargo run -p dqdt-tests --bin regenerate`; a review sees what a \
         change costs.\n",
    );
    for path in specs().map_err(|e| e.to_string())? {
        let loaded = pipeline::load(&path).map_err(|e| e.to_string())?;
        let name = loaded.mechanism.name.clone();
        let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
        let more = MORE.iter().find(|m| m.0 == name).map_or(&[][..], |m| m.1);
        let functions = functions::defaults_and(more);
        let program = pipeline::program(&loaded, &Request::new(formalism, functions));
        let module = pipeline::rust(&program).map_err(|e| e.to_string())?;
        files.push((root(&format!("generated/src/{name}.rs")), module));
        let description = &loaded.mechanism.description;
        let _ = writeln!(modules, "\n/// {}\n#[rustfmt::skip]\npub mod {name};", sentence(description));
        let (q, v, u, z) =
            (program.layout.q.len(), program.layout.v.len(), program.layout.u.len(), program.layout.z.len());
        let _ =
            writeln!(index, "//! | [`{name}`] | {q} | {v} | {u} | {z} | {} |", description.replace('|', "/"));
        let _ = writeln!(counts, "\n## {name}\n\nDerived by {}.\n", formalism.name());
        let (header, rows) = count::table(&program);
        let _ = writeln!(counts, "| {} |", header.join(" | "));
        let _ = writeln!(counts, "|{}", "---|".repeat(header.len()));
        for row in rows {
            let _ = writeln!(counts, "| {} |", row.join(" | "));
        }
    }
    let mut families = String::new();
    for name in FAMILIES {
        let path = root(&format!("examples/specs/families/{name}.toml"));
        let module = format!("family_{name}");
        files.push((root(&format!("generated/src/{module}.rs")), family(&path)?));
        let _ =
            writeln!(modules, "\n/// `families/{name}.toml` for any n.\n#[rustfmt::skip]\npub mod {module};");
        let _ = writeln!(families, "//! - [`{module}`] from `families/{name}.toml`");
    }
    let lib = format!(
        "//! Equations of motion of every mechanism in `examples/specs`, as `dqdt emit` writes them, checked in.\n\
         //!\n//! | module | q | v | u | z | mechanism |\n//! |---|---|---|---|---|---|\n{index}//!\n\
         //! Families, generic over the number of links:\n{families}//!\n\
         //! Written by `{MEND}`; CI checks that it is fresh. Costs: `OPERATIONS.md`.\n\n\
         #![no_std]\n{modules}"
    );
    files.push((root("generated/src/lib.rs"), lib));
    files.push((root("generated/OPERATIONS.md"), counts));
    Ok(files)
}

/// The emitted module of a family.
fn family(path: &Path) -> Result<String, String> {
    let mut members = Vec::new();
    let mut first = None;
    for n in 1..=VERIFIED {
        let loaded = pipeline::load_with(path, &Settings::new().set("n", n)).map_err(|e| e.to_string())?;
        members.push(derive_member(&loaded.mechanism, &loaded.partition, n).map_err(|e| e.to_string())?);
        first.get_or_insert(loaded);
    }
    let Some(first) = first else { return Err("no member".to_owned()) };
    let origin = (first.origin.file, first.origin.hash);
    let program =
        indexed::build_family_program(&first.mechanism.name, "n", origin, &members, find_formulas(&members));
    let program = program.map_err(|e| format!("{}: {e}", path.display()))?;
    dqdt_families::emit_rust_family(&program).map_err(|e| e.to_string())
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map_or_else(String::new, |c| c.to_uppercase().collect());
    let text = format!("{first}{}", letters.as_str());
    if text.ends_with('.') { text } else { format!("{text}.") }
}

/// Paths of modules in `generated/src` whose spec no longer exists.
fn orphans(files: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let present = std::fs::read_dir(root("generated/src")).into_iter().flatten().flatten().map(|e| e.path());
    let mut gone: Vec<_> =
        present.filter(|p| files.iter().all(|(path, _)| path.file_name() != p.file_name())).collect();
    gone.sort();
    gone
}

fn main() -> ExitCode {
    let check = std::env::args().nth(1).is_some_and(|a| a == "--check");
    let files = match files() {
        Ok(files) => files,
        Err(message) => {
            eprint!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let mut stale: Vec<PathBuf> = orphans(&files);
    if !check {
        stale.retain(|p| std::fs::remove_file(p).is_err());
    }
    for (path, text) in &files {
        if check {
            if std::fs::read_to_string(path).ok().as_ref() != Some(text) {
                stale.push(path.clone());
            }
        } else if let Err(e) = pipeline::write_if_changed(path, text) {
            eprintln!("cannot write {}: {e}", path.display());
            return ExitCode::FAILURE;
        }
    }
    if stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    for path in stale {
        let name = path.strip_prefix(root("")).unwrap_or(&path).display().to_string();
        eprintln!("stale: {name}");
    }
    eprintln!("help: `{MEND}` writes them anew");
    ExitCode::FAILURE
}
