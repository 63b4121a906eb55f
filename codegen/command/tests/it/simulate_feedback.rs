//! `simulate --feedback`: against the same law as a formula, and mistakes in its file.

use crate::files::{example_path, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn dqdt(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.args(arguments).current_dir(root("")).stdin(Stdio::null()).output().unwrap()
}

/// The table of a motion: column names, then rows.
fn simulate(spec: &Path, options: &[&str]) -> (Vec<String>, Vec<Vec<f64>>, String) {
    let output = dqdt(&[&["simulate", spec.to_str().unwrap(), "--csv", "-"], options].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let rows = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    (names, rows, error)
}

/// Largest difference between the columns that two tables have in common.
fn largest_difference(
    a: &(Vec<String>, Vec<Vec<f64>>, String),
    b: &(Vec<String>, Vec<Vec<f64>>, String),
) -> f64 {
    assert_eq!(a.1.len(), b.1.len());
    let mut largest = 0.0f64;
    for (i, name) in a.0.iter().enumerate() {
        let j = b.0.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}: {:?}", b.0));
        for (x, y) in a.1.iter().zip(&b.1) {
            largest = largest.max((x[i] - y[j]).abs());
        }
    }
    largest
}

/// Error text of a simulation that must be refused.
fn refuse(spec: &Path, options: &[&str]) -> String {
    let output = dqdt(&[&["simulate", spec.to_str().unwrap(), "--t-end", "0.1"], options].concat());
    assert!(!output.status.success(), "{options:?} was accepted");
    String::from_utf8(output.stderr).unwrap()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

const GAIN: &str = r#"{
  "trim": {"theta": 0.05, "x": 6, "theta_dot": 0, "x_dot": 0, "inputs": {"force": 0.5}},
  "states": ["theta", "x", "theta_dot", "x_dot"],
  "inputs": ["force"],
  "gain": [[-46, -3, -9, -6]]
}"#;

const FORMULA: &str =
    "force = 0.5 [N] + 46 [N]*(theta - 0.05) + 3 [N/m]*(x - 6 [m]) + 9 [N*s]*theta_dot + 6 [N*s/m]*x_dot";

#[test]
fn the_feedback_of_a_file_is_the_same_law_as_a_formula() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    // A byte order mark, as some editors write it, is no part of the text.
    let file = folder.write("gain.json", &format!("\u{feff}{GAIN}"));
    // The force saturates at first: the cart starts six metres away.
    for options in
        [&["--t-end", "3"][..], &["--t-end", "3", "--method", "radau"], &["--t-end", "1", "-p", "m_pole=0.3"]]
    {
        let formula = simulate(&spec, &[options, &["--input", FORMULA]].concat());
        let feedback = simulate(&spec, &[options, &["--feedback", &file]].concat());
        let difference = largest_difference(&formula, &feedback);
        assert!(difference < 1e-7, "{options:?}: {difference}");
        let force = feedback.0.iter().position(|n| n == "force").unwrap();
        assert!(feedback.1.iter().any(|row| row[force].abs() == 10.0), "the force does not saturate");
    }
}

#[test]
fn one_motion_has_the_same_bits_by_the_interpreter_and_without_a_choice() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    let file = folder.write("gain.json", GAIN);
    let rows = |words: &[&str]| simulate(&spec, &[&["--t-end", "1", "--feedback", &file], words].concat()).1;
    assert_eq!(rows(&[]), rows(&["--evaluate", "interpreter"]));
}

#[test]
fn the_point_of_linearize_is_a_trim_and_several_values_are_simulated() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    let linear = dqdt(&["linearize", spec.to_str().unwrap(), "--trim", "theta", "--format", "json"]);
    let linear: serde_json::Value = serde_json::from_slice(&linear.stdout).unwrap();
    let feedback = serde_json::json!({
        "gain": [[-3.2, -46, -5.8, -9.2]], "inputs": linear["inputs"], "states": linear["states"], "trim": linear["at"],
    });
    let file = folder.write("gain.json", &feedback.to_string());
    let plot = folder.path("lengths.svg");
    let words =
        ["--feedback", &file, "--vary", "l=0.25,0.3,0.35", "--t-end", "12", "--plot", plot.to_str().unwrap()];
    let (names, rows, _) = simulate(&spec, &words);
    let theta = names.iter().position(|n| n == "theta").unwrap();
    let ends = rows.chunks(501).map(|motion| motion[500][theta].abs());
    assert!(ends.clone().count() == 3 && ends.into_iter().all(|x| x < 0.05), "the pole falls");
    // The plot shows the input that the feedback sets.
    assert!(std::fs::read_to_string(plot).unwrap().contains("force"));
}

#[test]
fn outputs_are_fed_back_unless_they_contain_the_input() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example_path("cart_pole")).unwrap();
    let outputs =
        "angle = \"theta\"\nrate = \"theta_dot\"\nplace = \"x\"\nspeed = \"x_dot\"\nforce_used = \"force\"\n";
    let spec = folder.write("cart.toml", &format!("{text}{outputs}"));
    let trim = r#""trim": {"angle": 0.05, "rate": 0, "place": 6, "speed": 0, "force_used": 0, "inputs": {"force": 0.5}}"#;
    let file = folder.write(
        "outputs.json",
        &format!(
            r#"{{"outputs": ["angle", "place", "rate", "speed"], "inputs": ["force"], "gain": [[-46, -3, -9, -6]], {trim}}}"#
        ),
    );
    let states = folder.write("states.json", GAIN);
    let by_outputs = simulate(Path::new(&spec), &["--t-end", "2", "--feedback", &file]);
    let by_states = simulate(Path::new(&spec), &["--t-end", "2", "--feedback", &states]);
    let difference = largest_difference(&by_outputs, &by_states);
    assert!(difference < 1e-9, "{difference}");
    let loops = format!(r#"{{"outputs": ["force_used"], "inputs": ["force"], "gain": [[1]], {trim}}}"#);
    let file = folder.write("loop.json", &loops);
    let error = refuse(Path::new(&spec), &["--feedback", &file]);
    assert!(error.contains("output `force_used` depends on the input that it sets: `force`"), "{error}");
    assert!(error.contains("loop.json:1:14"), "{error}");
}

#[test]
fn all_mistakes_of_a_file_are_shown_with_their_places() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    let text = "{\n  \"gain\": [[1, NaN, \"2\", 1e999], [1]],\n  \"inputs\": [\"forc\", 3],\n  \"states\": [\"x\", \"x\", \"thet\"],\n  \
                \"gains\": 1,\n  \"trim\": {\"theta\": true, \"q\": {\"y\": 1}, \"inputs\": {\"push\": 1}}\n}\n";
    let file = folder.write("gain.json", text);
    let error = refuse(&spec, &["--feedback", &file]);
    for (place, message) in [
        ("2:16", "`NaN` is not a finite number"),
        ("2:21", "an entry of `gain` must be a number, not a text"),
        ("2:26", "an entry of `gain` is too large for a number of double precision"),
        ("3:14", "there is no input `forc`"),
        ("3:22", "an entry of `inputs` must be a name, not a number"),
        ("4:19", "`x` occurs twice in `states`"),
        ("4:24", "there is no state `thet`"),
        ("5:3", "a feedback file has no key `gains`"),
        ("6:21", "the value of `theta` must be a number, not true or false"),
        ("6:33", "there is no state `y`"),
        ("6:53", "there is no input `push`"),
    ] {
        assert!(error.contains(message), "{message}\n{error}");
        assert!(error.contains(&format!("gain.json:{place}")), "{place}\n{error}");
    }
}

#[test]
fn each_mistake_has_a_message() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    for (from, to, message) in [
        ("[-46, -3, -9, -6]", "[-46, -3, -9]", "a row of `gain` has 3 numbers, but `states` lists 4"),
        ("[[-46", "[[1, 2, 3, 4], [-46", "`gain` has 2 rows, but `inputs` lists 1"),
        ("[[-46, -3, -9, -6]]", "[-46, -3, -9, -6]", "`gain` must be a list of rows, not a list of numbers"),
        ("\"theta_dot\", \"x_dot\"]", "\"x_dot\"]", "`states` does not list `theta_dot`"),
        ("\"theta\": 0.05, ", "", "`trim` has no value for `theta`"),
        ("{\"force\": 0.5}", "{}", "`trim` has no value for `force`"),
        ("\"inputs\": [\"force\"],", "", "`inputs` is missing"),
        ("\"inputs\": [\"force\"],", "\"inputs\": [\"force\"]", "invalid JSON"),
        ("\"states\"", "\"outputs\"", "there is no output `theta`"),
        (
            "\"inputs\": [",
            "\"outputs\": [\"tip_x\"], \"inputs\": [",
            "a feedback measures either states or outputs",
        ),
        ("\"gain\":", "\"gain\": [[0]], \"gain\":", "`gain` occurs twice"),
    ] {
        assert!(GAIN.contains(from), "{from}");
        let file = folder.write("gain.json", &GAIN.replacen(from, to, 1));
        let error = refuse(&spec, &["--feedback", &file]);
        assert!(error.contains(message), "{message}\n{error}");
        assert!(error.contains("gain.json:"), "{error}");
    }
    let named = GAIN.replacen("\"theta_dot\", \"x_dot\"]", "\"x_dot\"], \"unused\": [\"theta_dot\"]", 1);
    let file = folder.write("gain.json", &named.replacen("-9, ", "", 1));
    simulate(&spec, &["--t-end", "0.1", "--feedback", &file]);
}

#[test]
fn positions_alone_are_not_the_states_of_a_linkage() {
    let (folder, spec) = (Folder::new(), example_path("four_bar"));
    let trim = r#""trim": {"phi": 1.5, "beta": -1, "psi": 1.5, "phi_dot": 10, "beta_dot": 0, "psi_dot": 0, "inputs": {"M": 0}}"#;
    let file = |states: &str, gain: &str| {
        let text = format!(r#"{{"inputs": ["M"], "states": [{states}], "gain": [[{gain}]], {trim}}}"#);
        folder.write("gain.json", &text)
    };
    let error = refuse(&spec, &["--feedback", &file(r#""beta", "psi""#, "1, 2")]);
    let message =
        "does not list `phi_dot`, `beta_dot`, `psi_dot`; constraints determine at most 2 of the speeds";
    assert!(error.contains(message) && error.contains("gain.json:1:29"), "{error}");
    let error = refuse(&spec, &["--feedback", &file(r#""psi""#, "1")]);
    assert!(error.contains("constraints determine at most 4 of the states"), "{error}");
    // Any position and any speed determine the state nearby; a speed may be left out on purpose.
    simulate(&spec, &["--t-end", "0.1", "--feedback", &file(r#""psi", "beta_dot""#, "0.1, 0.1")]);
    let file = folder.write(
        "unused.json",
        &format!(r#"{{"inputs": ["M"], "states": ["phi"], "unused": ["phi_dot"], "gain": [[0.1]], {trim}}}"#),
    );
    simulate(&spec, &["--t-end", "0.1", "--feedback", &file]);
}

#[test]
fn no_message_quotes_a_file_that_is_no_feedback() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    for text in ["root:hunter2:0:0", "{\"password\": \"hunter2\"}", "[\"hunter2\"]", ""] {
        let error = refuse(&spec, &["--feedback", &folder.write("shadow", text)]);
        assert!(error.contains("has no key of a feedback file") && !error.contains("hunter2"), "{error}");
    }
}

#[test]
fn an_input_has_one_law() {
    let (folder, spec) = (Folder::new(), example_path("cart_pole"));
    let file = folder.write("gain.json", GAIN);
    for words in [["--input", "force=2"], ["--vary", "force=1,2"]] {
        let error = refuse(&spec, &[&["--feedback", &file], &words[..]].concat());
        assert!(
            error.contains(&format!("input `force` is set by the feedback and by `{}`", words[0])),
            "{error}"
        );
    }
    let at = folder.write("at.json", r#"{"q": {"theta": 0.1}, "u": {"force": 3}}"#);
    let (_, _, note) = simulate(&spec, &["--t-end", "0.1", "--feedback", &file, "--at", &at]);
    assert!(note.contains("`u.force` is ignored, because `--feedback` sets it"), "{note}");
}
