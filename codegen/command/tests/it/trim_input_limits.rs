//! Trims with limited inputs, the choice of independent speeds, and the messages about both.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn dqdt(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dqdt")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn to_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn output_texts(output: &Output) -> (String, String) {
    (to_text(&output.stdout), to_text(&output.stderr))
}

/// Writes the spec of a mass of 3 kg held by a cylinder that can only push.
fn lift(folder: &Path, limit: f64) -> PathBuf {
    let file = folder.join("lift.toml");
    let text = format!(
        r#"
name = "lift"
gravity = [0, 0, -9.81]
[bodies.load]
mass = 3
[joints.rail]
type = "prismatic"
axis = "z"
parent = "ground"
child = "load"
coordinates = {{ names = ["h"] }}
[inputs]
push = {{ unit = "N", limits = [0, {limit}] }}
[loads.cylinder]
type = "actuator"
joint = "rail"
effort = "push"
"#
    );
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_free_input_that_starts_at_its_limit_is_trimmed_and_one_that_is_too_weak_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = lift(folder.path(), 100.0);
    let (out, error) = output_texts(&dqdt(&["linearize", file.to_str().unwrap(), "--trim", "push"]));
    let row =
        out.lines().find(|l| l.trim_start().starts_with("push ")).unwrap_or_else(|| panic!("{out}{error}"));
    let effort: f64 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((effort - 3.0 * 9.81).abs() < 1e-9, "{row}");
    // Untrimmed, the input is at a limit, where its derivative is zero.
    let (_, note) = output_texts(&dqdt(&["linearize", file.to_str().unwrap()]));
    assert!(note.contains("`push` = 0.000000 is at one of its limits [0, 100]"), "{note}");
    let weak = lift(folder.path(), 20.0);
    let output = dqdt(&["linearize", weak.to_str().unwrap(), "--trim", "push"]);
    let (_, error) = output_texts(&output);
    assert!(!output.status.success() && error.contains("its limits [0, 20]"), "{error}");
    // The reported residual is that of the reported state: g − 20 N / 3 kg.
    assert!(error.contains("is still 3.143e0"), "{error}");
}

#[test]
fn both_sides_of_a_switch_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = lift(folder.path(), 100.0);
    let input = "push = if(t < 2 [s], 10 [N], 20 [N])";
    let (_, error) =
        output_texts(&dqdt(&["simulate", file.to_str().unwrap(), "--t-end", "3", "--input", input]));
    assert!(error.contains("steps end at 1 time"), "{error}");
}
