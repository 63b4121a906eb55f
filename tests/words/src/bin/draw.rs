//! Draws by lot, for readers who have not seen the code.
//!
//! `cargo run -p dqdt-words --bin draw -- SEED` prints twenty doc comments and ten function names,
//! `-- SEED sentences` thirty sentences of messages and reports, `-- SEED all` all sentences.

use dqdt_words::drawing::{draw, items};
use dqdt_words::sentences::sentences;
use dqdt_words::sources;
use std::process::ExitCode;

fn run(arguments: &[String]) -> Result<(), String> {
    let seed: u64 =
        arguments.first().and_then(|a| a.parse().ok()).ok_or("the first argument is a seed, a number")?;
    let files = sources::files().map_err(|e| e.to_string())?;
    match arguments.get(1).map(String::as_str) {
        None => {
            let all = items(&files)?;
            let documented = all.iter().filter(|i| !i.doc.is_empty()).cloned().collect();
            for (i, item) in draw(documented, 20, seed).into_iter().enumerate() {
                println!("{}. {} ({}): {}", i + 1, item.name, item.file, item.doc);
            }
            let functions = all.into_iter().filter(|i| i.name.starts_with("fn ")).collect();
            for (i, item) in draw(functions, 10, seed).into_iter().enumerate() {
                println!("{}. {} ({})", i + 21, item.name, item.file);
            }
        }
        Some("sentences") => {
            for (i, (_, text)) in draw(sentences(&files)?, 30, seed).into_iter().enumerate() {
                println!("{}. {text}", i + 1);
            }
        }
        Some("all") => {
            for (file, text) in sentences(&files)? {
                println!("{file}: {text}");
            }
        }
        Some(other) => return Err(format!("`{other}` is not `sentences` or `all`")),
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
