//! The command `dqdt` as its users see it.
//!
//! Above 500 lines: one short test for each feature of the command, all with the same helpers.

use crate::files::{example_path, root};
use dqdt_samples::tier::cases_by_tier;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn dqdt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_dqdt"))
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn eval(spec: &Path, formalism: &str, at: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("at.json");
    std::fs::write(&path, at.to_string()).unwrap();
    let output = run(dqdt().arg("eval").arg(spec).args(["--formalism", formalism, "--at"]).arg(&path));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn to_named_values(names: &[&str], values: &[f64]) -> Value {
    Value::Object(names.iter().zip(values).map(|(n, x)| ((*n).to_owned(), Value::from(*x))).collect())
}

fn values(object: &Value) -> Vec<f64> {
    object.as_object().unwrap().values().map(|x| x.as_f64().unwrap()).collect()
}

/// Relative error as defined in the conventions, "Agreement and proof".
fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / scale
}

fn reference(name: &str) -> Value {
    let text = std::fs::read_to_string(root("tests/data/reference").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn eval_gives_the_reference_accelerations_of_kane_two_body_by_both_formalisms() {
    let q = ["alpha1", "alpha2", "alpha3", "alpha4"];
    let v = ["omega_x", "omega_y", "omega_z", "alpha4_dot"];
    for state in reference("kane_two_body_states.json")["states"].as_array().unwrap() {
        let x = numbers(&state["state"]);
        let expected = numbers(&state["rhs"]);
        let at = serde_json::json!({ "q": to_named_values(&q, &x[..4]), "v": to_named_values(&v, &x[4..]) });
        for formalism in ["kane", "lagrange"] {
            let result = eval(&example_path("kane_two_body"), formalism, &at);
            let dx = [values(&result["qdot"]), values(&result["vdot"])].concat();
            let error = relative(&dx, &expected);
            assert!(error < 1e-12, "{formalism}: {error:e} at {x:?}");
        }
    }
}

#[test]
fn eval_gives_the_reference_accelerations_of_chains_of_2_3_and_10_rods() {
    for state in reference("chain_states.json")["states"].as_array().unwrap() {
        let n = state["n"].as_u64().unwrap();
        let path = match n {
            10 => example_path("chain10"),
            n => root(&format!("tests/data/specs/chain{n}.toml")),
        };
        let names: Vec<String> = (1..=n).map(|i| format!("q{i}")).collect();
        let rates: Vec<String> = names.iter().map(|n| format!("{n}_dot")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rates: Vec<&str> = rates.iter().map(String::as_str).collect();
        let at = serde_json::json!({
            "q": to_named_values(&names, &numbers(&state["q"])),
            "v": to_named_values(&rates, &numbers(&state["dq"])),
        });
        for formalism in ["kane", "lagrange"] {
            let result = eval(&path, formalism, &at);
            let error = relative(&values(&result["vdot"]), &numbers(&state["ddq"]));
            assert!(error < 1e-12, "n = {n}, {formalism}: {error:e}");
        }
    }
}

#[test]
fn eval_names_what_is_wrong_with_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("at.json");
    for (text, message) in [
        (
            "{\"q\":{\"nobody\":1}}",
            "`q` has no entry `nobody`; its entries are alpha1, alpha2, alpha3, alpha4",
        ),
        ("{\"t\":0,\"w\":{}}", "unknown key `w`; the keys are t, q, v, u, z, p"),
        ("{\"password\":\"hidden\"}", "the text contains no key of a state; the keys are t, q, v, u, z, p"),
        ("{\"t\":\"now\"}", "`t` must be a number"),
        ("[1]", "expected a JSON object"),
        ("{", "invalid JSON"),
        ("{\"q\":{\"alpha1\":1,\n\"alpha1\":2}}", "`alpha1` occurs twice; keep one at line 2"),
    ] {
        std::fs::write(&path, text).unwrap();
        let output = run(dqdt().arg("eval").arg(example_path("kane_two_body")).arg("--at").arg(&path));
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn eval_at_gimbal_lock_is_singular_and_not_nan() {
    let at = folder_with(r#"{"q":{"alpha2":1.5707963267948966}}"#);
    let output =
        run(dqdt().arg("eval").arg(example_path("kane_two_body")).arg("--at").arg(at.path().join("at.json")));
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("singular"), "{error}");
}

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("at.json"), text).unwrap();
    folder
}

#[test]
fn emit_twice_gives_the_same_bytes() {
    for name in ["kane_two_body", "quadrotor"] {
        for formalism in ["kane", "lagrange"] {
            let once =
                || stdout(&run(dqdt().arg("emit").arg(example_path(name)).args(["--formalism", formalism])));
            assert_eq!(once(), once());
        }
    }
}

#[test]
fn check_fails_on_a_stale_file_and_names_the_command_that_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swing.rs");
    stdout(&run(dqdt().arg("emit").arg(example_path("swing")).arg("-o").arg(&path)));
    stdout(&run(dqdt().arg("emit").arg(example_path("swing")).arg("--check").arg("-o").arg(&path)));
    let good = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{good}\n")).unwrap();
    let output = run(dqdt().arg("emit").arg(example_path("swing")).arg("--check").arg("-o").arg(&path));
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    let command = format!("dqdt emit {} -o {}", example_path("swing").display(), path.display());
    assert!(error.contains("is stale") && error.contains(&command), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{good}\n"), "--check writes nothing");
}

#[test]
fn a_kill_during_emit_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain10.rs");
    let old = "// the old file\n".repeat(1000);
    let new = stdout(&run(dqdt().arg("emit").arg(example_path("chain10"))));
    let mut delay = Duration::ZERO;
    for _ in 0..cases_by_tier(10, 40) {
        std::fs::write(&path, &old).unwrap();
        let mut child = dqdt().arg("emit").arg(example_path("chain10")).arg("-o").arg(&path).spawn().unwrap();
        std::thread::sleep(delay);
        let _ = child.kill();
        child.wait().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text == old || text == new, "a part of a file after {delay:?}");
        delay += Duration::from_millis(cases_by_tier(40, 10));
    }
}

#[test]
fn no_output_goes_over_a_file_that_is_read_or_over_another_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::copy(example_path("swing"), path("swing.toml")).unwrap();
    std::fs::write(path("at.csv"), "{}").unwrap();
    let text = std::fs::read_to_string(path("swing.toml")).unwrap();
    let refused = |arguments: &[&str], message: &str| {
        let output = run(dqdt().current_dir(&folder).args(arguments));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(message), "{error}");
        assert_eq!(std::fs::read_to_string(path("swing.toml")).unwrap(), text);
        assert_eq!(std::fs::read_to_string(path("at.csv")).unwrap(), "{}");
    };
    refused(&["emit", "swing.toml", "-o", "./swing.toml"], "read by this command (swing.toml)");
    refused(&["inspect", "swing.toml", "-o", "swing.toml"], "read by this command");
    let simulate = ["simulate", "swing.toml", "--at", "at.csv"];
    refused(&[&simulate[..], &["--csv", "at.csv"]].concat(), "read by this command (at.csv)");
    refused(&[&simulate[..], &["--csv", "a", "--plot", "a"]].concat(), "also written by --csv");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("swing.toml", path("link")).unwrap();
        refused(&["emit", "swing.toml", "-o", "link"], "read by this command");
    }
}

#[test]
fn emit_of_a_bad_spec_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.toml");
    std::fs::write(&bad, "name = \"bad\"\nmas = 3\n").unwrap();
    let out = folder.path().join("bad.rs");
    let output = run(dqdt().arg("emit").arg(&bad).arg("-o").arg(&out));
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(!out.exists());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("bad.toml:2:1"), "{error}");
}

#[test]
fn simulate_writes_table_plot_and_animation() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let output = run(dqdt()
        .arg("simulate")
        .arg(example_path("double_pendulum"))
        .args(["--t-end", "2", "--step", "0.1", "--rtol", "1e-11", "--atol", "1e-11"])
        .arg("--csv")
        .arg(file("m.csv"))
        .arg("--plot")
        .arg(file("m.svg"))
        .arg("--animate")
        .arg(file("m.html")));
    assert_eq!(stdout(&output), "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("energy"));
    let csv = std::fs::read_to_string(file("m.csv")).unwrap();
    assert_eq!(csv.lines().count(), 22);
    assert!(std::fs::read_to_string(file("m.svg")).unwrap().starts_with("<svg"));
    assert!(std::fs::read_to_string(file("m.html")).unwrap().contains("<canvas"));
}

#[test]
fn a_new_spec_can_be_emitted_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    let output = run(dqdt().args(["new", "robot", "-o"]).arg(&path));
    assert_eq!(stdout(&output), "");
    let text = stdout(&run(dqdt().arg("emit").arg(&path)));
    assert!(text.starts_with("// @generated"));
    let again = run(dqdt().args(["new", "robot", "-o"]).arg(&path));
    assert_eq!(again.status.code(), Some(1), "an existing file is not overwritten");
}

#[test]
fn every_command_takes_a_size() {
    let chain = root("examples/specs/families/chain.toml");
    let bodies = |set: &[&str]| {
        let output = run(dqdt().arg("eval").arg(&chain).args(set));
        let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
        result["qdot"].as_object().unwrap().len()
    };
    assert_eq!(bodies(&[]), 3);
    assert_eq!(bodies(&["--set", "n=5"]), 5);
    let output = run(dqdt().arg("emit").arg(&chain).args(["--set", "n=2"]));
    assert!(stdout(&output).contains("planar chain of 2 rods"));
    let wrong = run(dqdt().arg("inspect").arg(&chain).args(["--set", "m=2"]));
    assert_eq!(wrong.status.code(), Some(1));
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert!(error.contains("no size `m`") && error.contains("sizes defined in the spec: n"), "{error}");
    let wrong = run(dqdt().arg("inspect").arg(&chain).args(["--set", "n=many"]));
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_stale_file_of_a_family_is_mended_with_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.rs");
    std::fs::write(&path, "stale").unwrap();
    let chain = root("examples/specs/families/chain.toml");
    let output = run(dqdt().arg("emit").arg(&chain).args(["--set", "n=2", "--check", "-o"]).arg(&path));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--set n=2 -o"), "{error}");
}

fn emit_joint_call(spec_name: &str, joint: &str) -> Output {
    run(dqdt().arg("emit").arg(example_path(spec_name)).args(["--joint", joint]))
}

#[test]
fn emit_gives_a_joint_call_or_says_why_not() {
    let module = stdout(&emit_joint_call("double_pendulum", "dqdt+outputs"));
    assert!(module.contains("pub fn dqdt_and_outputs<T: ::dqdt::Real>("), "{module}");
    let folder = tempfile::tempdir().unwrap();
    let stale = folder.path().join("stale.rs");
    std::fs::write(&stale, "// old").unwrap();
    let output = run(dqdt()
        .arg("emit")
        .arg(example_path("double_pendulum"))
        .args(["--joint", "dqdt+outputs", "--check", "-o"])
        .arg(&stale));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("--joint dqdt+outputs"), "{errors}");
    for (spec, joint, message) in [
        ("double_pendulum", "dqdt", "a joint call requires at least two functions"),
        ("double_pendulum", "dqdt+dqdt", "`dqdt` is listed twice in a joint call"),
        ("double_pendulum", "dqdt+output", "did you mean `outputs`?"),
        ("double_pendulum", "dqdt+multipliers", "`double_pendulum` has no `multipliers`"),
    ] {
        let output = emit_joint_call(spec, joint);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(message), "{joint}: {errors}");
    }
}

fn prove_against(spec: PathBuf, file: &str) -> Output {
    let file = root("tests/data/formulas").join(file);
    run(dqdt().arg("prove").arg(spec).arg("--against").arg(file))
}

#[test]
fn formulas_of_other_origin_are_proved_or_refuted() {
    let good = prove_against(example_path("swing"), "swing.toml");
    let text = stdout(&good);
    assert_eq!(text.matches("proved     ").count(), 12, "{text}");
    let bad = prove_against(example_path("snowboarder1"), "snowboarder_one_link_printed.toml");
    assert_eq!(bad.status.code(), Some(1));
    let text = String::from_utf8(bad.stdout).unwrap();
    let line = "REFUTED    equation[phi1]: the derived expression minus the one in the file is g1*m1*l1*n1*sin(phi1)*cos(psi1)\n";
    // The last line is wrapped if the path is long.
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(text.contains(line) && words.windows(2).any(|w| w == ["refuted", "in"]), "{text}");
    let wrong = prove_against(example_path("swing"), "snowboarder_formula7.toml");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(wrong.stdout.is_empty());
}

/// Writes the spec of a four-bar linkage whose start guess for the rocker does not close the loop.
fn loose_four_bar(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(example_path("four_bar")).unwrap();
    let guess =
        text.replace(r#"names = ["psi"], start = ["90 deg"]"#, r#"names = ["psi"], start = ["80 deg"]"#);
    assert_ne!(guess, text);
    let path = folder.join("loose.toml");
    std::fs::write(&path, guess).unwrap();
    path
}

#[test]
fn assemble_marks_what_is_given_and_what_moved_and_its_json_is_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = loose_four_bar(folder.path());
    let text = stdout(&run(dqdt().arg("assemble").arg(&path)));
    let line = |name: &str| text.lines().find(|l| l.trim_start().starts_with(name)).unwrap().to_owned();
    assert!(line("phi ").ends_with("held"), "{text}");
    assert!(line("phi_dot ").ends_with("given"), "{text}");
    assert!(line("psi ").contains("guess 1.396") && line("psi ").contains("changed by 1.745e-1"), "{text}");
    assert!(line("psi_dot ").ends_with("computed"), "{text}");
    // The rocker's pin is 0.4 m from its hinge: 10° displace it by 0.4 sin 10° m horizontally.
    assert!(text.contains("; before assembly: 6.9e-2 and "), "{text}");
    let json = stdout(&run(dqdt().arg("assemble").arg(&path).args(["--format", "json"])));
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["starts"]["q"]["psi"]["role"], "guess");
    assert_eq!(value["starts"]["v"]["phi_dot"]["role"], "given");
    let at = folder.path().join("at.json");
    std::fs::write(&at, json).unwrap();
    let again = stdout(&run(dqdt().arg("assemble").arg(&path).arg("--at").arg(&at)));
    assert!(!again.contains("changed by") && again.contains("assembled from the given start"), "{again}");
}

/// Assembles the four-bar with d = 0.95 m: its loop cannot close at the upright crank angle that
/// the spec fixes.
fn assemble_four_bar(options: &[&str]) -> Output {
    run(dqdt()
        .arg("assemble")
        .arg(example_path("four_bar"))
        .args(["-p", "d=0.95", "--format", "json"])
        .args(options))
}

#[test]
fn assemble_begins_at_the_state_that_is_given_and_not_at_the_start_of_the_spec() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{"q":{"phi":"0 deg","beta":0.3,"psi":2.8}}"#).unwrap();
    assert_eq!(assemble_four_bar(&[]).status.code(), Some(1));
    let value: Value =
        serde_json::from_str(&stdout(&assemble_four_bar(&["--at", at.to_str().unwrap()]))).unwrap();
    let psi = value["q"]["psi"].as_f64().unwrap();
    let beta = value["q"]["beta"].as_f64().unwrap();
    assert_eq!(value["q"]["phi"], 0.0);
    assert!((0.1 + 0.5 * beta.cos() - 0.95 - 0.4 * psi.cos()).abs() < 1e-10, "{value}");
    assert!((0.5 * beta.sin() - 0.4 * psi.sin()).abs() < 1e-10, "{value}");
}

/// Standard error of a short simulation.
fn simulate_notes(path: &Path) -> String {
    let output = run(dqdt().arg("simulate").arg(path).args(["--t-end", "0.01"]));
    stdout(&output);
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn simulate_tells_of_guesses_that_moved() {
    let folder = tempfile::tempdir().unwrap();
    let text = simulate_notes(&loose_four_bar(folder.path()));
    assert!(text.contains("note[start-moved]: assembly changed a value in the start state"), "{text}");
    assert!(text.contains("`psi`: 1.3962634 rad becomes 1.57079633 rad, a change of 0.175 rad"), "{text}");
    assert!(!simulate_notes(&example_path("four_bar")).contains("start-moved"));
}

/// The rows of an attitude constraint vanish at an error of 180° too.
#[test]
fn eval_tells_of_a_weld_that_is_half_a_turn_off_although_its_rows_vanish() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("welds.toml");
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases/two_welds.toml");
    let text = std::fs::read_to_string(case).unwrap().replace("170 deg", "180 deg");
    std::fs::write(&path, text).unwrap();
    let at = folder.path().join("at.json");
    let reported = |angle: f64| {
        std::fs::write(&at, format!(r#"{{"q":{{"j1_1":{angle},"j2_1":{angle}}}}}"#)).unwrap();
        let output = run(dqdt().arg("eval").arg(&path).arg("--at").arg(&at));
        String::from_utf8(output.stderr).unwrap()
    };
    let reversed = reported(0.0);
    assert!(reversed.contains("note[constraints-not-fulfilled]"), "{reversed}");
    assert!(reversed.contains("whose axis points backwards"), "{reversed}");
    let closed = reported(std::f64::consts::PI);
    assert!(!closed.contains("constraints-not-fulfilled"), "{closed}");
}

fn help_without_spaces(command: &str) -> String {
    stdout(&run(dqdt().args([command, "--help"]))).replace(['\n', ' '], "")
}

#[test]
fn eval_and_inspect_tell_of_guesses_that_moved_and_who_assembles() {
    let folder = tempfile::tempdir().unwrap();
    let path = loose_four_bar(folder.path());
    let reported = |command: &str, options: &[&str]| {
        let output = run(dqdt().arg(command).arg(&path).args(options));
        String::from_utf8(output.stderr).unwrap()
    };
    let line = "`psi`: 1.3962634 rad becomes 1.57079633 rad, a change of 0.175 rad";
    for command in ["eval", "inspect"] {
        let text = reported(command, &[]);
        assert!(text.contains("note[start-moved]") && text.contains(line), "{command}: {text}");
    }
    // A state from a file is used without assembly.
    let at = folder.path().join("at.json");
    std::fs::write(&at, r#"{"q":{"psi":1.3962634015954636},"v":{"psi_dot":1}}"#).unwrap();
    let text = reported("eval", &["--at", at.to_str().unwrap()]);
    assert!(!text.contains("start-moved") && text.contains("note[constraints-not-fulfilled]"), "{text}");
    // The rocker's pin is off by 0.4 sin 10° m horizontally.
    assert!(text.contains("by -0.0695 in position") || text.contains("by 0.0695 in position"), "{text}");
    assert!(text.contains("in speed"), "{text}");
    assert!(
        help_without_spaces("eval").contains("evaluatedatexactlythisstate"),
        "{}",
        help_without_spaces("eval")
    );
    assert!(
        help_without_spaces("simulate").contains("assembledfirst,unlikein`eval`"),
        "{}",
        help_without_spaces("simulate")
    );
}

#[test]
fn inspect_writes_what_the_name_of_its_output_says() {
    let folder = tempfile::tempdir().unwrap();
    let inspect_to = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let mut command = dqdt();
        command.arg("inspect").arg(example_path("cart_pole")).args(["--sections", "state"]).args(options);
        stdout(&run(command.arg("-o").arg(&path)));
        std::fs::read_to_string(&path).unwrap()
    };
    assert!(inspect_to("cart.html", &[]).starts_with("<!doctype html>"));
    assert!(inspect_to("cart.HTML", &[]).starts_with("<!doctype html>"));
    assert!(inspect_to("cart.tex", &[]).contains("\\documentclass"));
    assert!(inspect_to("cart.txt", &[]).starts_with("cart"));
    assert!(inspect_to("asked.html", &["--format", "text"]).starts_with("cart"));
}

fn inspect_cart_pole(options: &[&str]) -> String {
    let mut command = dqdt();
    command.arg("inspect").arg(example_path("cart_pole")).args(["--sections", "state,bodies"]).args(options);
    stdout(&run(command.env_remove("NO_COLOR")))
}

#[test]
fn inspect_writes_sources_colours_and_the_width_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let bib = folder.path().join("sources.bib");
    let plain = inspect_cart_pole(&["--bib", bib.to_str().unwrap()]);
    let bibliography = std::fs::read_to_string(&bib).unwrap();
    assert!(
        bibliography.starts_with("@book{KaneLevinson1985,") && bibliography.contains("year = {1985}"),
        "{bibliography}"
    );
    // Output to a pipe is plain text of 100 columns.
    assert!(!plain.contains('\u{1b}') && plain.contains("State\n─────\n"), "{plain}");
    let colored = inspect_cart_pole(&["--color", "always"]);
    assert!(colored.contains("\u{1b}[1;36mState\u{1b}[0m"), "{colored}");
    let narrow = inspect_cart_pole(&["--width", "60"]);
    assert!(
        narrow.lines().all(|l| l.chars().count() <= 60) && narrow.lines().count() > plain.lines().count()
    );
    let same = folder.path().join("same.tex");
    let same = same.to_str().unwrap();
    let refused = run(dqdt().arg("inspect").arg(example_path("cart_pole")).args(["-o", same, "--bib", same]));
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("written by"));
}

#[test]
fn speeds_of_a_file_are_kept_and_win_over_those_of_the_spec() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("at.json");
    let assemble = |v: &str| {
        std::fs::write(&at, format!("{{\"v\":{v}}}")).unwrap();
        run(dqdt()
            .arg("assemble")
            .arg(example_path("four_bar"))
            .arg("--at")
            .arg(&at)
            .args(["--format", "json"]))
    };
    let value: Value = serde_json::from_str(&stdout(&assemble(r#"{"psi_dot":5}"#))).unwrap();
    assert_eq!(value["v"]["psi_dot"], 5.0);
    // With crank and rocker upright: 0.1 m φ̇ = 0.4 m ψ̇.
    assert!((value["v"]["phi_dot"].as_f64().unwrap() - 20.0).abs() < 1e-11, "{value}");
    let simulate = dqdt()
        .arg("simulate")
        .arg(example_path("four_bar"))
        .arg("--at")
        .arg(&at)
        .args(["--t-end", "0.01"])
        .output();
    let text = String::from_utf8(simulate.unwrap().stderr).unwrap();
    assert!(text.contains("`phi_dot`: 10 rad/s becomes 20 rad/s"), "{text}");
    let output = assemble(r#"{"psi_dot":5,"phi_dot":1}"#);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("`phi_dot` = 1 rad/s") && text.contains("`psi_dot` = 5 rad/s"), "{text}");
    assert!(text.contains("contradict each other") && text.contains("at.json"), "{text}");
}

#[test]
fn what_a_file_leaves_out_comes_from_the_spec_at_the_parameters_of_the_file() {
    let at = serde_json::json!({ "p": { "r": 0.4 } });
    // The disc starts on the plane: the height of its centre depends on its radius.
    let value = eval(&example_path("rolling_disc"), "kane", &at);
    assert!(values(&value["constraints"]["position"]).iter().all(|x| x.abs() < 1e-12), "{value}");
    let height = 0.4 * 0.1f64.cos() * 9.81;
    assert!((value["energy"]["potential"].as_f64().unwrap() - height).abs() < 1e-12, "{value}");
}

#[test]
fn a_quaternion_of_a_file_is_brought_to_length_one_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("at.json");
    let assemble = |q: &str| {
        std::fs::write(&at, format!("{{\"q\":{q}}}")).unwrap();
        run(dqdt()
            .arg("assemble")
            .arg(example_path("quadrotor"))
            .arg("--at")
            .arg(&at)
            .args(["--format", "json"]))
    };
    let output = assemble(r#"{"qw":3,"qx":0,"qy":4,"qz":0}"#);
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(["qw", "qx", "qy", "qz"].map(|n| value["q"][n].as_f64().unwrap()), [0.6, 0.0, 0.8, 0.0]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("has length 5.000000"));
    let output = assemble(r#"{"qw":0,"qx":0,"qy":0,"qz":0}"#);
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not describe an attitude"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_last_line_of_prove_has_the_word_of_the_weakest_claim() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sliders.toml");
    let mut text = String::from("name = \"sliders\"\n[inputs]\nforce = { unit = \"N\" }\n");
    text.push_str("[loads.motor]\ntype = \"actuator\"\njoint = \"j1\"\neffort = \"force\"\n");
    for (i, parent) in ["ground", "b1", "b2", "b3", "b4", "b5", "b6"].iter().enumerate() {
        let i = i + 1;
        text.push_str(&format!(
            "[parameters.m{i}]\nvalue = {i}\n[bodies.b{i}]\nmass = \"m{i}\"\n[joints.j{i}]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"{parent}\"\n\
             child = \"b{i}\"\n"
        ));
    }
    std::fs::write(&path, text).unwrap();
    let output = run(dqdt().arg("prove").arg(&path));
    let shown = stdout(&output);
    // Accelerations of seven speeds are not proved exactly, so the last line must not say "proved".
    let last = shown.lines().last().unwrap();
    assert!(last.starts_with("sliders: checked in ") && last.contains(" claims checked"), "{last}");
    assert!(shown.contains("\nchecked    accelerations of kane, "), "{shown}");
}

#[test]
fn a_second_opinion_without_its_feature_names_the_feature_and_the_licence() {
    if cfg!(feature = "symbolica") {
        return;
    }
    let output =
        run(dqdt().arg("prove").arg(example_path("double_pendulum")).args(["--engine", "symbolica"]));
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("feature `symbolica`") && message.contains("docs/licence.md"), "{message}");
}

fn eval_in_shell(redirection: &str) -> Output {
    let line = format!("\"$0\" eval \"$1\" {redirection}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_dqdt")]).arg(example_path("swing")).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_standard_output_that_the_shell_closed_is_an_error_and_one_to_the_null_device_is_none() {
    let closed = eval_in_shell(">&-");
    assert_eq!(closed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&closed.stderr).contains("standard output"), "{closed:?}");
    assert!(eval_in_shell(">/dev/null").status.success());
    // A closed standard input is no error.
    assert!(eval_in_shell("2>&1 <&-").status.success());
}

#[test]
fn emit_explains_what_was_chosen_and_writes_no_module() {
    let output =
        run(dqdt().arg("emit").arg(example_path("cart_pole")).args(["--functions", "dqdt", "--explain"]));
    let text = stdout(&output);
    for part in ["kane", "chosen", "base parameters", "as recorded", "constants", "saved"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains("pub fn"));
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    let both =
        dqdt().arg("emit").arg(example_path("cart_pole")).args(["--explain", "-o", "x.rs"]).output().unwrap();
    assert!(!both.status.success() && !std::path::Path::new("x.rs").exists());
}

#[test]
fn options_of_a_language_belong_to_it_and_its_files_go_where_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let emit = |words: &[&str]| {
        run(dqdt()
            .arg("emit")
            .arg(example_path("swing"))
            .args(["--formalism", "kane"])
            .args(words)
            .current_dir(&folder))
    };
    for (words, message) in [
        (&["--steps"][..], "--steps: this option applies only to C: add `--language c`"),
        (
            &["--language", "c"],
            "--output: C output consists of a header and a source file: specify a folder for them",
        ),
        (
            &["--language", "c", "-o", "-"],
            "--output: C output consists of a header and a source file, which cannot be written to standard output",
        ),
        (
            &["--language", "c", "-o", "swing.rs"],
            "--output: swing.rs looks like a file: C output requires a folder",
        ),
        (
            &["-o", "swing.c"],
            "--output: swing.c has the extension of C, but the output is Rust: use `--language c`",
        ),
        (
            &["--language", "c", "--casadi", "--scalar", "float", "-o", "c"],
            "--casadi: CasADi supports only `double`",
        ),
        (&["--check", "-o", "-"], "--output: `--check` cannot compare with standard output: specify a file"),
    ] {
        let output = emit(words);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(message), "{words:?}: {error}");
    }
    // `double` is the default scalar, and `-` means standard output.
    let module = stdout(&emit(&[]));
    assert_eq!(stdout(&emit(&["--scalar", "double", "-o", "-"])), module);
    assert!(stdout(&emit(&["--scalar", "float"])).contains("Model compiled for f32"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing was written");
    // The suggested command must be quoted for the shell.
    std::fs::create_dir(folder.path().join("it's mine")).unwrap();
    std::fs::write(folder.path().join("it's mine/a.rs"), "old").unwrap();
    let output = emit(&["--check", "-o", "it's mine/a.rs"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(r"--formalism kane -o 'it'\''s mine/a.rs'"), "{error}");
}
