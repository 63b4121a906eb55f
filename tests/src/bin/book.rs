//! Writes the generated parts of the book: the reference, the gallery, and the pictures.
//!
//! `cargo run -p dqdt-tests --features cli --bin book` writes; with `--check` it writes
//! nothing and fails if anything is stale. `codegen/command/tests/it/book.rs` also checks that
//! the pages are fresh.

use std::path::PathBuf;
use std::process::ExitCode;

use dqdt_codegen::pipeline;
use dqdt_command::cli::reference;
use dqdt_equations::inspect;
use dqdt_tests::{root, specs};

const MEND: &str = "cargo run -p dqdt-tests --features cli --bin book";

/// Path and expected content of every generated file of the book.
fn files() -> Result<Vec<(PathBuf, String)>, String> {
    let mut files: Vec<(PathBuf, String)> = reference::reference_pages()
        .into_iter()
        .map(|p| (root(&format!("docs/reference/{}", p.file)), p.text))
        .collect();
    let specs = specs().map_err(|e| e.to_string())?;
    let pieces = reference::gallery_pages(&specs, &inspect::closed_forms).map_err(|e| e.to_string())?;
    files.extend(pieces.into_iter().map(|p| (root(&format!("docs/gallery/{}", p.file)), p.text)));
    let chapter = std::fs::read_to_string(root("docs/ten-minutes.md")).map_err(|e| e.to_string())?;
    let drawn = reference::chapter_pictures(&chapter).map_err(|e| e.to_string())?;
    files.extend(drawn.into_iter().map(|p| (root(&format!("docs/{}", p.file)), p.text)));
    Ok(files)
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
    let mut stale = Vec::new();
    for (path, text) in &files {
        if check {
            if std::fs::read_to_string(path).ok().as_ref() != Some(text) {
                stale.push(path.clone());
            }
        } else if let Err(e) = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| pipeline::write_if_changed(path, text).map(|_| ()))
        {
            eprintln!("cannot write {}: {e}", path.display());
            return ExitCode::FAILURE;
        }
    }
    for path in &stale {
        eprintln!("stale: {}", path.strip_prefix(root("")).unwrap_or(path).display());
    }
    if stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("help: `{MEND}` writes them anew");
    ExitCode::FAILURE
}
