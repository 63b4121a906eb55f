//! The tutorials in the documentation of both crates, and the chapters of the book that
//! build a crate: their files are written as shown, built by cargo as a user would, and
//! print the output shown.

use std::path::{Path, PathBuf};
use std::process::Command;

use dqdt_codegen::functions;
use dqdt_tests::root;

/// A fenced block: its info string and its text.
struct FencedBlock {
    fence: String,
    text: String,
}

/// The blocks of the documentation of a crate, or of a chapter, in order.
fn blocks(source: &str) -> Vec<FencedBlock> {
    let mut all: Vec<FencedBlock> = Vec::new();
    let mut inside = false;
    let chapter = !source.starts_with("//!");
    for line in source.lines().map_while(|l| if chapter { Some(l) } else { l.strip_prefix("//!") }) {
        let line = if chapter { line } else { line.strip_prefix(' ').unwrap_or(line) };
        match line.strip_prefix("```") {
            Some(fence) if !inside => {
                all.push(FencedBlock { fence: fence.to_owned(), text: String::new() });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                let block = all.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    all
}

/// The file name in the first line of a block, `# Cargo.toml` or `// build.rs`.
fn file(block: &FencedBlock) -> Option<&str> {
    let first = block.text.lines().next()?;
    let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("// "))?;
    (name.ends_with(".toml") || name.ends_with(".rs")).then_some(name)
}

fn absolute(path: &str) -> PathBuf {
    root(path).canonicalize().unwrap()
}

/// Writes the files of a tutorial and runs them. Returns the actual and the documented output.
fn run(source: &str) -> (String, String) {
    let text = std::fs::read_to_string(root(source)).unwrap();
    let blocks = blocks(&text);
    // The tutorial ends at the first output block.
    let end = blocks.iter().position(|b| b.fence == "text").unwrap();
    let folder = tutorial(source);
    let mut file_names = Vec::new();
    for block in &blocks[..end] {
        let name = file(block).unwrap_or_else(|| panic!("no name of a file:\n{}", block.text));
        let mut content = block.text.clone();
        if name == "Cargo.toml" {
            for (dependency, path) in [("dqdt", "runtime"), ("dqdt-codegen", "codegen")] {
                let published = format!("\n{dependency} = \"0.1\"\n");
                let with_options = format!("\n{dependency} = {{ version = \"0.1\",");
                assert!(content.contains(&published) || content.contains(&with_options), "{content}");
                let path = absolute(path);
                content = content
                    .replace(&published, &format!("\n{dependency} = {{ path = {path:?} }}\n"))
                    .replace(&with_options, &format!("\n{dependency} = {{ path = {path:?},"));
            }
            content.push_str("\n[workspace]\nresolver = \"3\"\n");
        }
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        dqdt_codegen::pipeline::write_if_changed(&path, &content).unwrap();
        file_names.push(name.to_owned());
    }
    for needed in ["Cargo.toml", "build.rs", "src/main.rs"] {
        assert!(file_names.iter().any(|w| w == needed), "{source} shows no {needed}");
    }
    assert!(file_names.iter().any(|w| w.starts_with("mechanisms/")), "{source} shows no spec");
    std::fs::copy(root("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    (cargo(&folder, &["run"]), blocks[end].text.clone())
}

/// The folder of everything that is built by cargo as a user would.
fn home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("satellites")
}

/// The folder in which the crate of a tutorial is written.
fn tutorial(source: &str) -> PathBuf {
    let name: String = source.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    home().join("tutorials").join(name)
}

/// Runs cargo on a crate, without warnings. Returns its standard output.
fn cargo(folder: &Path, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .args(["--quiet", "--offline", "--color=never", "--target-dir"])
        .arg(home().join("target"))
        .current_dir(folder)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let source = folder.display();
    // A quiet run prints nothing else.
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{source}");
    assert!(output.status.success(), "{source}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_tutorial_of_the_generator_runs_as_it_stands() {
    let (printed, expected) = run("codegen/src/lib.rs");
    assert_eq!(printed, expected);
}

#[test]
fn the_tutorial_of_the_runtime_runs_as_it_stands() {
    let (printed, expected) = run("runtime/src/lib.rs");
    assert_eq!(printed, expected);
}

#[test]
fn the_controller_crate_of_the_book_runs_as_it_stands() {
    let (printed, expected) = run("docs/how-to/controller-crate.md");
    assert_eq!(printed, expected);
}

#[test]
fn the_controller_of_a_loop_of_the_book_runs_as_it_stands() {
    let (printed, expected) = run("docs/how-to/controller-loop.md");
    assert_eq!(printed, expected);
}

#[test]
fn the_firmware_of_the_book_runs_as_it_stands_and_from_a_committed_file() {
    let chapter = "docs/how-to/firmware.md";
    let (printed, expected) = run(chapter);
    assert_eq!(printed, expected);

    let text = std::fs::read_to_string(root(chapter)).unwrap();
    let blocks = blocks(&text);
    let after = blocks.iter().skip_while(|b| b.fence != "sh");
    let declared = after.clone().find(|b| b.fence == "rust,ignore").unwrap();
    let built = tutorial(chapter);
    let folder = built.with_file_name("firmware_from_a_file");
    let read = |file: &str| std::fs::read_to_string(built.join(file)).unwrap();
    let write = |file: &str, text: &str| {
        std::fs::create_dir_all(folder.join("src")).unwrap();
        dqdt_codegen::pipeline::write_if_changed(&folder.join(file), text).unwrap();
    };
    // The command of the chapter; `book.rs` tests that it runs.
    let command = &after.clone().next().unwrap().text;
    assert!(command.contains("--scalar float --functions dqdt,inverse_dynamics,saturate -o src/rod.rs"));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    dqdt_codegen::Config::new()
        .single_precision()
        .functions([functions::DQDT, functions::INVERSE_DYNAMICS, functions::SATURATE])
        .out_dir(folder.join("src"))
        .compile(&[built.join("mechanisms/rod.toml")])
        .unwrap();
    let manifest = read("Cargo.toml");
    let (before, rest) = manifest.split_once("[build-dependencies]").unwrap();
    let rest = rest.split_once("\n[").unwrap().1;
    write(
        "Cargo.toml",
        &format!("{before}[{rest}").replace("\"rod_control\"", "\"rod_control_from_a_file\""),
    );
    let (includes, line) = (read("src/lib.rs"), "dqdt::include_mechanism!(pub mod rod = \"rod\");\n");
    assert!(includes.contains(line));
    write("src/lib.rs", &includes.replace(line, &declared.text));
    write("src/main.rs", &read("src/main.rs").replace("rod_control", "rod_control_from_a_file"));
    std::fs::copy(root("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    assert_eq!(cargo(&folder, &["run"]), expected);
    // Build for the board, if its target is installed.
    let target = "thumbv7em-none-eabihf";
    let root = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let root = PathBuf::from(String::from_utf8(root.stdout).unwrap().trim());
    if root.join("lib/rustlib").join(target).is_dir() {
        cargo(&folder, &["build", "--release", "--lib", "--target", target]);
    }
}
