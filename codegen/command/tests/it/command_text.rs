//! Printed text of commands: help texts, eigenvalues, refused file names.

use std::path::PathBuf;
use std::process::{Command, Output};

fn dqdt(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dqdt")).args(arguments).output().unwrap()
}

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(name);
    path.to_str().unwrap().to_owned()
}

fn run_to_text(arguments: &[&str]) -> String {
    let output = dqdt(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn helps_have_no_marks_of_doc_comments() {
    let all = run_to_text(&["help"]);
    let commands = all.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    // Continuation lines of a description are indented further.
    let commands = commands.filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let commands: Vec<&str> = commands.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(commands.len() > 8, "{all}");
    for command in commands.iter().filter(|c| **c != "help") {
        let help = run_to_text(&[command, "--help"]);
        for mark in ["\\[", "\\]", "[`", "0.000000001"] {
            assert!(!help.contains(mark), "{command}: {mark}");
        }
    }
}

#[test]
fn zero_eigenvalues_are_one_line_with_their_multiplicity() {
    // Position, heading and two cyclic coordinates at the ends of Jordan blocks.
    let text = run_to_text(&["linearize", &example("snowboarder3.toml")]);
    let values = text.split("eigenvalues of A").nth(1).unwrap();
    let zeros: Vec<&str> = values.lines().filter(|l| l.trim_start().starts_with("0 ")).collect();
    let zero = zeros.iter().filter(|l| !l.contains('±')).collect::<Vec<_>>();
    assert!(zero.len() == 1 && zero[0].ends_with("5 times"), "{values}");
    // No real or imaginary parts from rounding, and no spurious slow growth.
    assert!(!values.contains("0.000000000000") && !values.contains("e-6"), "{values}");
    assert!(values.contains("0 ±"), "{values}");
}

#[test]
fn files_are_what_their_names_say() {
    let folder = tempfile::tempdir().unwrap();
    let cart = example("cart_pole.toml");
    for (option, name, kind) in [
        ("--plot", "a.pdf", ".svg"),
        ("--plot", "a.jpg", ".svg"),
        ("--animate", "a.mp4", ".html"),
        ("--csv", "a.json", ".csv"),
    ] {
        let path = folder.path().join(name);
        let output = dqdt(&["simulate", &cart, "--t-end", "0.1", option, path.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(option), "{name}: {said}");
        assert!(said.contains(&format!("use a file name that ends with {kind}")), "{name}: {said}");
        assert!(!path.exists());
    }
    // PNG is supported only if the build enables the feature, as one step of `.ci/run` does.
    let path = folder.path().join("a.PNG");
    let output = dqdt(&["simulate", &cart, "--t-end", "0.1", "--plot", path.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    if dqdt_view::figure::png("").is_some() {
        assert!(output.status.success(), "{said}");
        assert_eq!(std::fs::read(&path).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    } else {
        assert!(!output.status.success() && said.contains("--features png"), "{said}");
        assert!(!path.exists());
    }
    let frames = folder.path().join("frames");
    let simulate = || {
        dqdt(&["simulate", &cart, "--t-end", "0.1", "--step", "0.05", "--frames", frames.to_str().unwrap()])
    };
    let (output, has_png) = (simulate(), dqdt_view::figure::png("").is_some());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() == has_png && (has_png || said.contains("--features png")), "{said}");
    if has_png {
        let picture = |k: usize| std::fs::read(frames.join(format!("frame_000{k}.png"))).unwrap();
        assert!((1..=3).all(|k| picture(k).starts_with(b"\x89PNG")) && picture(1) != picture(3));
        assert_eq!(std::fs::read_dir(&frames).unwrap().count(), 3);
        let output = simulate();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("choose an empty folder"), "{said}");
    }
    let output = dqdt(&["simulate", &cart, "--t-end", "0.1", "--arrows", "loads"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("--frames FOLDER"), "{said}");
    for name in ["a.pdf", "a.json", "b.PNG"] {
        let path = folder.path().join(name);
        let output = dqdt(&["inspect", &cart, "-o", path.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("FILE.html"), "{name}: {said}");
        assert!(!path.exists());
    }
}
