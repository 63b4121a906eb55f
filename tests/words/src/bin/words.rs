//! Prints the findings below the paths in the arguments, or all:
//! `cargo run -p dqdt-words --bin words -- codegen/graph`.

use dqdt_words::{findings, names, sources};
use std::process::ExitCode;

fn run(paths: &[String]) -> Result<(), String> {
    let files = sources::files().map_err(|e| e.to_string())?;
    let is_asked_for = |file: &str| paths.is_empty() || paths.iter().any(|p| file.starts_with(p.as_str()));
    for f in findings(&files)?.into_iter().filter(|f| is_asked_for(&f.file)) {
        println!("{} {}:{} {}", f.rule.key(), f.file, f.line, f.text);
    }
    for (name, files) in names::repeated_types(&files)? {
        if files.len() > 2 && files.iter().any(|file| is_asked_for(file)) {
            println!("types {name}: {}", files.join(" "));
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    match run(&paths) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
