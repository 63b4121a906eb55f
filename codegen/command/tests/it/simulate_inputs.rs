//! Motions with inputs, parameters and several values, against the spec, closed forms, each other.
//!
//! Above 500 lines: all tests compare tables, with one table parser.

use crate::files::{example_path, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn dqdt(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.args(arguments).current_dir(root("")).stdin(Stdio::null()).output().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The table of a simulated motion.
struct MotionTable {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
    error: String,
}

impl MotionTable {
    fn run(spec: &Path, options: &[&str]) -> Self {
        let output = dqdt(&[&["simulate", spec.to_str().unwrap(), "--csv", "-"], options].concat());
        assert!(output.status.success(), "{}", error(&output));
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let mut lines = text.lines();
        let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let rows = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        MotionTable { names, rows, error: error(&output) }
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let i =
            self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}: {:?}", self.names));
        self.rows.iter().map(|row| row[i]).collect()
    }

    /// Largest difference of a column between two tables.
    fn largest_difference(&self, other: &MotionTable, name: &str) -> f64 {
        let (a, b) = (self.column(name), other.column(name));
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
    }

    /// Energy error of a motion: largest change of T + V − W, relative to the peak of T.
    fn balance(&self) -> f64 {
        let [t, v, w] = ["kinetic_energy", "potential_energy", "work"].map(|n| self.column(n));
        let closed: Vec<f64> = (0..t.len()).map(|k| t[k] + v[k] - w[k]).collect();
        closed.iter().fold(0.0f64, |m, x| m.max((x - closed[0]).abs()))
            / t.iter().fold(0.0f64, |m, x| m.max(*x))
    }
}

fn write_file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Spec of a mass on a rail without friction.
const MASS: &str = r#"
name = "mass"
[parameters]
m = { value = 2, unit = "kg" }
[bodies.block]
mass = "m"
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "block"
coordinates = { names = ["x"] }
[inputs]
force = { unit = "N" }
[loads.push]
type = "actuator"
joint = "rail"
effort = "force"
"#;

fn run_eval(spec: &Path, options: &[&str]) -> String {
    let output = dqdt(&[&["eval", spec.to_str().unwrap()], options].concat());
    assert!(output.status.success(), "{}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn run_linearize(spec: &Path, options: &[&str]) -> String {
    String::from_utf8(
        dqdt(&[&["linearize", spec.to_str().unwrap(), "--trim", "theta"], options].concat()).stdout,
    )
    .unwrap()
}

fn run_assemble(spec: &Path, options: &[&str]) -> String {
    String::from_utf8(dqdt(&[&["assemble", spec.to_str().unwrap()], options].concat()).stdout).unwrap()
}

#[test]
fn a_parameter_of_the_command_is_that_of_the_file_and_of_the_spec() {
    let folder = tempfile::tempdir().unwrap();
    let cart = example_path("cart_pole");
    let at = write_file(&folder, "at.json", r#"{"p":{"m_pole":0.3,"l":0.2}}"#);
    let text = std::fs::read_to_string(&cart).unwrap();
    let edited = text
        .replace("m_pole = { value = 0.2,", "m_pole = { value = 0.3,")
        .replace("l = { value = 0.3,", "l = { value = 0.2,");
    assert_ne!(text, edited);
    let edited = write_file(&folder, "cart_pole.toml", &edited);
    let expected = run_eval(&cart, &["-p", "m_pole=0.3", "-p", "l=20 cm"]);
    // J depends on both parameters.
    assert_eq!(expected, run_eval(&cart, &["--at", at.to_str().unwrap()]));
    assert_eq!(expected, run_eval(&edited, &[]));
    assert_eq!(
        expected,
        run_eval(&cart, &["-p", "m_pole=3*m_cart/10", "-p", "l = 0.2"]),
        "a formula of others"
    );
    assert_eq!(run_linearize(&cart, &["-p", "m_pole=0.3", "-p", "l=20 cm"]), run_linearize(&edited, &[]));
    // A start on constraints changes with the parameters.
    let four_bar = example_path("four_bar");
    let text = std::fs::read_to_string(&four_bar).unwrap();
    let edited =
        write_file(&folder, "four_bar.toml", &text.replace("b = { value = 0.5,", "b = { value = 0.48,"));
    assert_eq!(run_assemble(&four_bar, &["-p", "b=0.48"]), run_assemble(&edited, &[]));
    assert_ne!(run_assemble(&four_bar, &["-p", "b=0.48"]), run_assemble(&four_bar, &[]));
    let options = ["--t-end", "0.5"];
    let a = MotionTable::run(&four_bar, &[&options[..], &["-p", "b=0.48"]].concat());
    assert!(a.largest_difference(&MotionTable::run(&edited, &options), "psi") < 1e-9);
}

#[test]
fn what_is_wrong_with_parameters_is_said_at_once() {
    let cart = example_path("cart_pole");
    let options = [
        "-p",
        "m_pol=0.3",
        "-p",
        "l=20 kg",
        "-p",
        "J=3",
        "-p",
        "m_cart=",
        "-p",
        "g=9.81+",
        "-p",
        "d_rail=1",
        "-p",
        "d_rail=2",
    ];
    let output = dqdt(&[&["eval", cart.to_str().unwrap()], &options[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    let text = error(&output);
    for part in [
        "-p:1:1",
        "did you mean `m_pole`?",
        "parameter `l` must be in m, but is in kg",
        "`J` cannot be set: it is computed from other parameters",
        "`-p` must have the form NAME=VALUE",
        "-p:1:8",
        "`d_rail` cannot be set: it is given twice",
        "error: 6 errors",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let output = dqdt(&["simulate", cart.to_str().unwrap(), "-p", "m_pole=-1"]);
    assert!(error(&output).contains("the mass of body `pole` is -1 kg"), "{}", error(&output));
    let folder = tempfile::tempdir().unwrap();
    let at = write_file(&folder, "at.json", r#"{"p":{"l":0.2}, "u":{"force":1}}"#);
    let simulated = |at: &std::path::Path, option: [&str; 2]| {
        let fixed = ["simulate", cart.to_str().unwrap(), "--t-end", "0.1", "--at", at.to_str().unwrap()];
        dqdt(&[&fixed, &option[..]].concat())
    };
    for option in [["-p", "l=1"], ["--vary", "l=1,2"]] {
        let output = simulated(&at, option);
        assert!(error(&output).contains("remove one of the two values"), "{}", error(&output));
    }
    // `--input` overrides inputs of a state, such as those of a trim.
    let at = write_file(&folder, "trimmed.json", r#"{"u":{"force":1}}"#);
    let output = simulated(&at, ["--input", "force=2"]);
    assert!(output.status.success(), "{}", error(&output));
    assert!(error(&output).contains("`u.force` is ignored, because `--input` sets it"), "{}", error(&output));
}

#[test]
fn feedback_as_an_input_is_the_same_feedback_as_a_load() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example_path("cart_pole")).unwrap();
    let law = "10 [N/m]*x + 12 [N*s/m]*x_dot + 60*theta + 9*theta_dot";
    let law = law.replace("60*theta", "60 [N]*theta").replace("9*theta_dot", "9 [N*s]*theta_dot");
    for limit in ["10", "2.5"] {
        let clamped = format!("effort = \"clamp({law}, -f_max, f_max)\"");
        let load = text.replace("effort = \"force\"", &clamped);
        let load = load
            .lines()
            .filter(|l| !l.starts_with("[inputs]") && !l.starts_with("force = "))
            .collect::<Vec<_>>()
            .join("\n");
        let load = write_file(&folder, "load.toml", &load);
        let limit = format!("f_max={limit}");
        let options = ["--t-end", "4", "-p", &limit, "--rtol", "1e-11", "--atol", "1e-11"];
        let by_load = MotionTable::run(&load, &options);
        let input = format!("force = {law}");
        for method in ["dop853", "radau"] {
            let by_input = MotionTable::run(
                &example_path("cart_pole"),
                &[&options[..], &["--input", &input, "--method", method]].concat(),
            );
            let close = if method == "radau" { 1e-7 } else { 1e-9 };
            for name in ["x", "theta", "x_dot", "theta_dot", "work"] {
                let largest_difference = by_input.largest_difference(&by_load, name);
                assert!(largest_difference < close, "{name} {method} {limit}: {largest_difference:e}");
            }
            assert!(by_input.balance() < 1e-8, "{:e}", by_input.balance());
            // The pole is balanced, and the force in the table is within its limits.
            assert!(by_input.column("theta").last().unwrap().abs() < 0.05);
            let force = by_input.column("force");
            let most: f64 = limit[6..].parse().unwrap();
            assert!(force.iter().all(|f| f.abs() <= most), "{force:?}");
            let reached = force.iter().any(|f| f.abs() == most);
            assert_eq!(reached, most < 5.0, "{limit}");
        }
    }
}

#[test]
fn a_table_of_a_sine_is_the_sine_up_to_interpolation() {
    let folder = tempfile::tempdir().unwrap();
    let cart = example_path("cart_pole");
    let options = ["--t-end", "1", "--rtol", "1e-11", "--atol", "1e-11"];
    let sine =
        MotionTable::run(&cart, &[&options[..], &["--input", "force = 3 [N]*sin(7 [rad/s]*t)"]].concat());
    let by_table = |count: usize| {
        let rows =
            (0..=count).map(|k| k as f64 / count as f64).map(|t| format!("{t},{}\n", 3.0 * (7.0 * t).sin()));
        let path = write_file(&folder, "sine.csv", &format!("t,force\n{}", rows.collect::<String>()));
        let file = format!("force=@{}", path.display());
        MotionTable::run(&cart, &[&options[..], &["--input", &file]].concat())
    };
    let [coarse, fine] = [100, 200].map(|count| by_table(count).largest_difference(&sine, "x"));
    // The interpolation error is of order h²/8 max|u''|; twice the points leave a quarter.
    assert!(coarse < 1e-3 && coarse > 1e-6, "{coarse:e}");
    assert!((3.6..4.4).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    let table = by_table(100);
    assert!(table.balance() < 1e-8, "{:e}", table.balance());
    assert!(table.error.contains("steps end at 99 times"), "{}", table.error);
    // All columns of a file that are inputs, by the file name alone.
    let whole = format!("@{}", folder.path().join("sine.csv").display());
    let all = MotionTable::run(&cart, &[&options[..], &["--input", &whole]].concat());
    assert_eq!(all.rows, by_table(100).rows);
}

#[test]
fn a_pulse_between_two_rows_is_neither_missed_nor_smeared() {
    let folder = tempfile::tempdir().unwrap();
    let mass = write_file(&folder, "mass.toml", MASS);
    let csv = write_file(&folder, "pulse.csv", "t;force\n0;0\n# on\n 1.0003 ; 4\n1.0013;0\n9;0\n");
    let file = format!("force=@{}", csv.display());
    let pulse = "force=if(t < 1.0003, 0 [N], if(t < 1.0013, 4 [N], 0 [N]))";
    let both: [&[&str]; 2] = [&["--input", pulse], &["--input", &file, "--hold"]];
    for options in both {
        let table = MotionTable::run(&mass, &[&["--t-end", "10", "--step", "5"], options].concat());
        // 4 N for a millisecond on 2 kg.
        let (v, x) = (table.column("x_dot"), table.column("x"));
        assert!((v[2] - 0.002).abs() < 1e-10, "{v:?}");
        assert!((x[2] - 0.002 * (10.0 - 1.0008)).abs() < 1e-9, "{x:?}");
        assert_eq!(table.column("force"), [0.0, 0.0, 0.0]);
        // This takes few steps only.
        let steps = table.error.split(" steps").next().unwrap().rsplit(' ').next().unwrap();
        assert!(steps.parse::<usize>().unwrap() < 120, "{}", table.error);
    }
    // A constant, in the unit of the input; and times after the end of a table.
    let constant = MotionTable::run(&mass, &["--t-end", "2", "--input", "force=4"]);
    assert!((constant.column("x").last().unwrap() - 4.0).abs() < 1e-9);
    let ramp = write_file(&folder, "ramp.csv", "t,force\n0,0\n1,4\n");
    let ramp = MotionTable::run(&mass, &["--t-end", "2", "--input", &format!("@{}", ramp.display())]);
    // v(1) = 1, x(1) = 1/3; then 2 m/s².
    assert!((ramp.column("x").last().unwrap() - (1.0 / 3.0 + 1.0 + 1.0)).abs() < 1e-9);
}

fn simulate_error(spec: &Path, options: &[&str]) -> String {
    let output = dqdt(&[&["simulate", spec.to_str().unwrap()], options].concat());
    assert_eq!(output.status.code(), Some(1), "{}", error(&output));
    error(&output)
}

#[test]
fn what_is_wrong_with_inputs_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mass = MASS.replace("force = { unit = \"N\" }", "force = { unit = \"N\" }\nother = { unit = \"N\" }");
    let mass =
        write_file(&folder, "mass.toml", &mass.replace("effort = \"force\"", "effort = \"force + other\""));
    let text = simulate_error(&mass, &["--input", "force=2*other", "--input", "other=force/3"]);
    assert!(text.contains("inputs depend on each other in a cycle: force → other → force"), "{text}");
    let text = simulate_error(
        &mass,
        &[
            "--input",
            "fore=1",
            "--input",
            "other=2*y [N]",
            "--input",
            "force",
            "--input",
            "force=1",
            "--input",
            "force=2",
        ],
    );
    for part in [
        "did you mean `force`?",
        "--input:1:",
        "must have the form NAME=WHAT",
        "input `force` is specified twice",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = simulate_error(&mass, &["--input", "force=x"]);
    assert!(text.contains("input `force` must be in N, but is in m"), "{text}");
    for (table, part) in [
        ("t,force\n0,1\n1,2e\n", "bad.csv:3:3"),
        ("t,force\n0,1\n1\n", "bad.csv:3:1"),
        ("t,force\n0,1\n0,2\n", "the time 0 is not later than the previous time 0"),
        ("time,force\n0,1\n1,2\n", "no column `t`"),
        ("t,forces\n0,1\n1,2\n", "no column `force`"),
        ("t,force\n0,1\n", "fewer than two rows"),
        ("", "the table is empty"),
        ("t,force\n0,1\n1,nan\n", "`nan` is not a finite number"),
    ] {
        let path = write_file(&folder, "bad.csv", table);
        let text = simulate_error(&mass, &["--input", &format!("force=@{}", path.display())]);
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(simulate_error(&mass, &["--input", "force=@nowhere.csv"]).contains("cannot read nowhere.csv"));
    // An input that a constraint determines.
    let program = MASS.to_owned()
        + "[constraints.path]\ntype = \"position\"\nformula = \"x - 1 [m/s^2]*t^2/2\"\nrealised_by = [\"force\"]\n";
    let program = write_file(&folder, "program.toml", &program);
    let text = simulate_error(&program, &["--input", "force=1"]);
    assert!(text.contains("`force` cannot be set: a constraint determines its value"), "{text}");
}

#[test]
fn several_values_are_the_motions_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let cart = example_path("cart_pole");
    let plot = folder.path().join("m.svg");
    let options = ["--t-end", "1", "--step", "0.1"];
    let vary = ["--vary", "l=10 cm,0.2,0.3", "--plot", plot.to_str().unwrap()];
    let all = MotionTable::run(&cart, &[&options[..], &vary].concat());
    assert_eq!((all.names[0].as_str(), all.names[1].as_str(), all.rows.len()), ("l", "t", 33));
    for (k, l) in ["0.1", "0.2", "0.3"].into_iter().enumerate() {
        let alone = MotionTable::run(&cart, &[&options[..], &["-p", &format!("l={l}")]].concat());
        let value: f64 = l.parse().unwrap();
        for (row, row_alone) in all.rows[11 * k..].iter().zip(&alone.rows) {
            assert_eq!((row[0], &row[1..]), (value, &row_alone[..]));
        }
    }
    let plot = std::fs::read_to_string(&plot).unwrap();
    for label in ["l = 10 cm", "l = 0.2 m", "l = 0.3 m"] {
        assert_eq!(plot.matches(label).count(), 1, "{label}");
    }
    // `--vary` also takes inputs, and parameters that affect an assembled start.
    let pushed = MotionTable::run(&cart, &[&options[..], &["--vary", "force=-1:1:3"]].concat());
    assert_eq!(pushed.column("force").iter().step_by(11).copied().collect::<Vec<_>>(), [-1.0, 0.0, 1.0]);
    let bars =
        MotionTable::run(&example_path("four_bar"), &[&options[..], &["--vary", "b=0.48,0.5"]].concat());
    let alone = MotionTable::run(&example_path("four_bar"), &[&options[..], &["-p", "b=0.48"]].concat());
    assert!(bars.rows[..11].iter().zip(&alone.rows).all(|(a, b)| (a[2] - b[1]).abs() < 1e-9));
    let refused = dqdt(&["simulate", cart.to_str().unwrap(), "--vary", "l=1,2", "--animate", "a.html"]);
    assert!(error(&refused).contains("shows a single motion"), "{}", error(&refused));
}

fn panel_heads(svg: &str) -> Vec<String> {
    let texts = svg.split("<text").skip(2).filter(|t| t.contains("font-weight=\"600\""));
    texts.map(|t| t.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned()).collect()
}

#[test]
fn signals_choose_the_panels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.svg");
    let plot = |name: &str, signals: &str| {
        let spec = example_path(name);
        let output = dqdt(&[
            "simulate",
            spec.to_str().unwrap(),
            "--t-end",
            "0.2",
            "--plot",
            path.to_str().unwrap(),
            "--signals",
            signals,
        ]);
        assert!(output.status.success(), "{}", error(&output));
        std::fs::read_to_string(&path).unwrap()
    };
    assert_eq!(
        panel_heads(&plot("cart_pole", "coordinates,force,tip")),
        ["coordinates [m]", "coordinates [rad]", "inputs [N]", "outputs [m]"]
    );
    assert_eq!(panel_heads(&plot("cart_pole", "theta,balance")), ["coordinates [rad]", "energies [J]"]);
    let forces = panel_heads(&plot("four_bar", "forces"));
    assert!(
        forces.contains(&"multipliers [N]".to_owned()) && forces.contains(&"reactions [N]".to_owned()),
        "{forces:?}"
    );
    let cart = example_path("cart_pole");
    let wrong = dqdt(&["simulate", cart.to_str().unwrap(), "--signals", "coordinate,tehta,nothing"]);
    let text = error(&wrong);
    for part in ["did you mean `coordinates`?", "did you mean `theta`?", "no signal `nothing`"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_played_motion_has_the_inputs_and_energies_of_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let output = dqdt(&[
        "simulate",
        example_path("cart_pole").to_str().unwrap(),
        "--csv",
        "-",
        "--t-end",
        "1",
        "--input",
        "force = 2 [N]*sin(4 [rad/s]*t)",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let made = MotionTable::run(
        &example_path("cart_pole"),
        &["--t-end", "1", "--input", "force = 2 [N]*sin(4 [rad/s]*t)"],
    );
    let file = write_file(&folder, "made.csv", &text);
    let played = MotionTable::run(&example_path("cart_pole"), &["--motion", file.to_str().unwrap()]);
    for name in ["x", "theta_dot", "kinetic_energy", "force"] {
        assert_eq!(made.largest_difference(&played, name), 0.0, "{name}");
    }
    assert!(!played.error.contains("note"), "{}", played.error);
    // Misspelt columns are reported.
    let renamed = text.replacen("theta_dot", "theta_dott", 1);
    let played = MotionTable::run(
        &example_path("cart_pole"),
        &["--motion", write_file(&folder, "renamed.csv", &renamed).to_str().unwrap()],
    );
    assert!(played.error.contains("`theta_dott`; did you mean `theta_dot`?"), "{}", played.error);
    assert!(played.error.contains("no column for `theta_dot`, so zero is used"), "{}", played.error);
    // The table is in SI, whatever the unit of the input.
    let kilo = std::fs::read_to_string(example_path("cart_pole")).unwrap().replacen(
        "unit = \"N\"",
        "unit = \"kN\"",
        1,
    );
    let played =
        MotionTable::run(&write_file(&folder, "kilo.toml", &kilo), &["--motion", file.to_str().unwrap()]);
    assert!(made.largest_difference(&played, "force") < 1e-12);
    // Options of the command override the table.
    let overridden = MotionTable::run(
        &example_path("cart_pole"),
        &["--motion", file.to_str().unwrap(), "--input", "force=3"],
    );
    assert_eq!(overridden.column("force")[5], 3.0);
}

fn run_to_text(arguments: &[&str]) -> String {
    let output = dqdt(arguments);
    assert!(output.status.success(), "{}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Printed values and their units are SI.
#[test]
fn what_is_printed_and_emitted_has_the_unit_of_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example_path("cart_pole")).unwrap();
    let text = text.replacen(
        "unit = \"N\", limits = [\"-f_max\", \"f_max\"]",
        "unit = \"kN\", limits = [-2, 2], default = 0.5",
        1,
    );
    let file = write_file(&folder, "kilo.toml", &text);
    let file = file.to_str().unwrap();
    let emitted = run_to_text(&["emit", file]);
    assert!(emitted.contains("\"force\",") && !emitted.contains("kN"), "{emitted}");
    let place = emitted.lines().find(|l| l.contains("U_FORCE = ")).unwrap_or_default();
    assert!(place.contains("\"N\"") && emitted.contains("limited to -2000 … 2000"), "{place}");
    let report = run_to_text(&["inspect", file, "--sections", "parameters"]);
    let row = report.lines().find(|l| l.contains("2000")).unwrap_or_default();
    assert!(row.split_whitespace().any(|w| w == "N") && row.contains("500"), "{report}");
    let around = run_to_text(&["linearize", file]);
    assert!(around.lines().any(|l| l.split_whitespace().eq(["force", "500", "N"])), "{around}");
}

#[test]
fn a_file_of_linearize_is_the_state_that_a_trim_found() {
    let folder = tempfile::tempdir().unwrap();
    let cart = example_path("cart_pole");
    let cart = cart.to_str().unwrap();
    // The spec starts at another angle.
    let trim = dqdt(&["linearize", cart, "--trim", "theta,force", "-p", "l=0.7", "--format", "json"]);
    let file = write_file(&folder, "trim.json", &String::from_utf8(trim.stdout).unwrap());
    let file = file.to_str().unwrap();
    let start =
        MotionTable::run(&example_path("cart_pole"), &["--t-end", "0.1", "-p", "l=0.7", "--at", file]);
    assert!(start.column("theta")[0].abs() < 1e-12, "{}", start.column("theta")[0]);
    for command in [&["eval"][..], &["linearize", "--format", "json"]] {
        let output = dqdt(&[command, &[cart, "-p", "l=0.7", "--at", file]].concat());
        assert!(output.status.success(), "{}", error(&output));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let still = match command[0] {
            "eval" => value["vdot"]["theta_dot"].as_f64().unwrap(),
            _ => {
                value["f0"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap().abs()).fold(0.0, f64::max)
            }
        };
        assert!(still.abs() < 1e-9, "{command:?}: {still}");
    }
}

#[test]
fn a_state_has_units_where_it_says_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |text: &str| write_file(&folder, "at.json", text).to_str().unwrap().to_owned();
    let file = at(
        r#"{"q": {"theta": "30 deg", "x": "20 cm"}, "v": {"theta_dot": "60 deg/s"}, "u": {"force": "2 N"}}"#,
    );
    let start = MotionTable::run(&example_path("cart_pole"), &["--t-end", "0.1", "--at", &file]);
    let close = |name: &str, x: f64| assert!((start.column(name)[0] - x).abs() < 1e-15, "{name}");
    close("theta", 30f64.to_radians());
    close("x", 0.2);
    close("theta_dot", 60f64.to_radians());
    for (text, message) in [
        (
            r#"{"q": {"theta": "20 cm"}}"#,
            "`q.theta` must be a number in rad, or a number with a unit of the same dimension, not \"20 cm\"",
        ),
        (
            r#"{"q": {"theta": "much"}}"#,
            "`q.theta` must be a number in rad, or a number with a unit of the same dimension, not \"much\"",
        ),
        (r#"{"q": {"theta": null}}"#, "`q.theta` must be a number, not null"),
    ] {
        let output = dqdt(&["eval", example_path("cart_pole").to_str().unwrap(), "--at", &at(text)]);
        assert!(!output.status.success() && error(&output).contains(message), "{}", error(&output));
    }
}

#[test]
fn a_motion_that_a_jump_holds_up_is_not_called_stiff() {
    let cart = example_path("cart_pole");
    let words = ["simulate", cart.to_str().unwrap(), "--t-end", "2", "--input", "force=-5 [N]*sign(x_dot)"];
    let text = error(&dqdt(&words));
    assert!(text.contains("where a formula is discontinuous: in `sign(x_dot)`"), "{text}");
    assert!(!text.contains("stiff"), "{text}");
}

#[test]
fn every_command_of_the_page_about_simulation_runs() {
    let page = std::fs::read_to_string(root("docs/simulate.md")).unwrap();
    std::fs::create_dir_all(root("target")).unwrap();
    let shells = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut count = 0;
    for command in shells.flat_map(|block| {
        block
            .split("\n")
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    }) {
        let words = words(&command);
        assert_eq!(words[..2], ["cargo", "dqdt"], "{command}");
        let words: Vec<&str> = words[2..].iter().map(String::as_str).collect();
        let output = dqdt(&words);
        assert!(output.status.success(), "{command}: {}", error(&output));
        count += 1;
    }
    assert!(count > 8, "{count} commands");
}

/// The words of a command line; double quotes group words.
fn words(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|w| !w.is_empty());
    out
}
