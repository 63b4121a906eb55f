//! Functional mock-up units: their files, their equations, and how they refuse what is wrong.
//!
//! `tests/fmu/compare.py` validates units of more mechanisms with fmpy and compares their motions.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dqdt_codegen::pipeline;
use dqdt_codegen::{Formalism, functions};
use dqdt_graph::ir::{Arguments, Machine};

/// Driver in C of a unit, shared by all tests.
const DRIVER: &str = include_str!("../../../../tests/fmu/driver.c");

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(format!("{name}.toml"))
}

fn dqdt(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("fmu").args(arguments).output().unwrap()
}

/// Files of a unit in their order, path and bytes.
fn unpack(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|i| {
            let mut file = archive.by_index(i).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().to_owned(), bytes)
        })
        .collect()
}

/// Exports a unit without a binary and returns its model description, after writing its sources to
/// the folder.
fn export(folder: &Path, spec: &Path, options: &[&str]) -> String {
    let unit = folder.join("x.fmu");
    let mut arguments = vec![spec.to_str().unwrap(), "-o", unit.to_str().unwrap(), "--no-binary"];
    arguments.extend(options);
    let output = dqdt(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut description = String::new();
    for (path, bytes) in unpack(&unit) {
        match path.strip_prefix("sources/") {
            Some(file) => {
                let file = folder.join(file);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, bytes).unwrap();
            }
            None => description = String::from_utf8(bytes).unwrap(),
        }
    }
    description
}

/// Compiles the sources of a unit with the driver, without a warning, runs it with these numbers,
/// and returns those that it prints.
fn drive(folder: &Path, name: &str, description: &str, numbers: &[&str]) -> Vec<f64> {
    std::fs::write(folder.join("driver.c"), DRIVER).unwrap();
    let program = folder.join("driver");
    let sources = ["driver.c".to_owned(), format!("{name}.c"), format!("{name}_fmu.c")];
    let exchanged = description.contains("<ModelExchange");
    let output = Command::new("gcc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"])
        .args(if exchanged { None } else { Some("-DNO_MODEL_EXCHANGE") })
        .arg("-o")
        .arg(&program)
        .args(sources)
        .arg("-lm")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document = roxmltree::Document::parse(description).unwrap();
    let token = document.root_element().attribute("instantiationToken").unwrap();
    let output = Command::new(program).arg(token).args(numbers).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn a_unit_has_the_rates_and_derivatives_of_the_equations_and_refuses_wrong_calls() {
    let folder = tempfile::tempdir().unwrap();
    let description = export(folder.path(), &example("cart_pole"), &["--with", "energies"]);
    let loaded = pipeline::load(&example("cart_pole")).unwrap();
    let wanted = vec![functions::DQDT, functions::DQDT_DERIVATIVES];
    let program = pipeline::program(&loaded, &pipeline::Request::new(Formalism::Kane, wanted));
    let mut arguments = Arguments::defaults(&program);
    arguments.set_state(&[0.3, 0.7, -0.4, 1.1]);
    arguments.u = vec![2.5];
    let rates = Machine::new(&program, functions::DQDT).unwrap().call(&arguments).unwrap().to_vec();
    let mut machine = Machine::new(&program, functions::DQDT_DERIVATIVES).unwrap();
    let derivatives = machine.call(&arguments).unwrap();
    let n = rates.len();
    // By columns, after the rates.
    let columns = (0..n).flat_map(|j| (0..n).map(move |i| n + i * n + j)).map(|k| derivatives[k]);
    let expected: Vec<f64> = rates.iter().copied().chain(columns).collect();
    let numbers = ["4", "0.3", "0.7", "-0.4", "1.1", "2.5"];
    let values = drive(folder.path(), "cart_pole", &description, &numbers);
    assert_eq!(values.len(), expected.len() + n);
    for (x, y) in values.iter().zip(&expected) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{x} instead of {y}");
    }
}

#[test]
fn a_ball_bounces_in_co_simulation() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fmu/bouncing_ball.toml");
    let description = export(folder.path(), &spec, &[]);
    let values = drive(folder.path(), "bouncing_ball", &description, &["2", "1.0", "0.0"]);
    let (gravity, restitution) = (9.81f64, 0.7);
    let first = (2.0 / gravity).sqrt();
    let (t, v) = (1.0 - first, restitution * gravity * first);
    let expected = [v * t - 0.5 * gravity * t * t, v - gravity * t];
    for (x, y) in values[values.len() - 2..].iter().zip(expected) {
        assert!((x - y).abs() < 1e-8, "{x} instead of {y}");
    }
}

#[test]
fn a_closed_loop_stays_closed_in_co_simulation() {
    let folder = tempfile::tempdir().unwrap();
    let description = export(folder.path(), &example("four_bar"), &["--no-derivatives"]);
    let values = drive(folder.path(), "four_bar", &description, &["6"]);
    let loaded = pipeline::load(&example("four_bar")).unwrap();
    let wanted = vec![functions::POSITION_CONSTRAINTS, functions::VELOCITY_CONSTRAINTS];
    let program = pipeline::program(&loaded, &pipeline::Request::new(Formalism::Kane, wanted.clone()));
    let mut arguments = Arguments::defaults(&program);
    arguments.set_state(&values);
    for function in wanted {
        let mut machine = Machine::new(&program, function).unwrap();
        let residuals = machine.call(&arguments).unwrap();
        assert!(residuals[..2].iter().all(|x| x.abs() < 1e-9), "{residuals:?}");
    }
}

#[test]
fn the_same_spec_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let spec = example("cart_pole");
    let units = ["first.fmu", "second.fmu"].map(|name| folder.path().join(name));
    for unit in &units {
        let output = dqdt(&[spec.to_str().unwrap(), "-o", unit.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let [first, second] = units.map(|unit| std::fs::read(unit).unwrap());
    assert!(first == second);
    let files = unpack(&folder.path().join("first.fmu"));
    assert_eq!(files[0].0, "modelDescription.xml");
    assert!(files.iter().any(|(path, _)| path == "sources/buildDescription.xml"));
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        assert_eq!(files.last().unwrap().0, "binaries/x86_64-linux/cart_pole.so");
    }
}

#[test]
fn the_description_lists_events_dependencies_and_fixed_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let text = export(folder.path(), &example("bouncing_pendulum"), &[]);
    let document = roxmltree::Document::parse(&text).unwrap();
    let variable = |name: &str| {
        document
            .descendants()
            .find(|n| n.has_tag_name("Float64") && n.attribute("name") == Some(name))
            .unwrap()
    };
    let reference = |name: &str| variable(name).attribute("valueReference").unwrap();
    assert_eq!(variable("theta_dot").attribute("reinit"), Some("true"));
    assert_eq!(variable("theta").attribute("reinit"), None);
    assert_eq!(variable("der(theta)").attribute("derivative"), Some(reference("theta")));
    assert_eq!(variable("e").attribute("variability"), Some("tunable"));
    let indicators = document.descendants().filter(|n| n.has_tag_name("EventIndicator"));
    let indicators: Vec<_> = indicators.map(|n| n.attribute("valueReference").unwrap()).collect();
    assert_eq!(indicators, [reference("bounce"), reference("late")]);
    let rate = document
        .descendants()
        .find(|n| {
            n.has_tag_name("ContinuousStateDerivative")
                && n.attribute("valueReference") == Some(reference("der(theta)"))
        })
        .unwrap();
    assert_eq!(rate.attribute("dependencies"), Some(reference("theta_dot")));

    let text = export(folder.path(), &example("four_bar"), &[]);
    assert!(!text.contains("<ModelExchange") && text.contains("<CoSimulation"));
    assert!(text.contains("variability=\"fixed\""), "{text}");
}

/// A mass that a force moves, with an event and terms of the time.
fn pushed_mass(name: &str) -> String {
    format!(
        r#"name = "{name}"
[parameters]
f_max = {{ value = 3, unit = "N" }}
k = {{ value = 2, unit = "N*m/rad" }}
[bodies.mass]
mass = "1 kg"
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "mass"
coordinates = {{ names = ["x"], start = ["1 m"] }}
[inputs]
force = {{ unit = "N", limits = ["-2*f_max", 3], description = "a\uFFFEb" }}
[loads.push]
type = "actuator"
joint = "rail"
effort = "force + k*1[1/m]*sin(3[rad/s]*t)"
[events.end]
type = "end"
when = "x"
[outputs]
ramp = "2*t"
"#
    )
}

#[test]
fn the_description_lists_time_and_the_dependencies_of_event_functions() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("pushed.toml");
    std::fs::write(&spec, pushed_mass("pushed")).unwrap();
    let text = export(folder.path(), &spec, &[]);
    // Time has the reference 0, x has 1, its speed 2, the input 5, the output 8, the event 9.
    for element in [
        "<ContinuousStateDerivative valueReference=\"4\" dependencies=\"0 5\"/>",
        "<Output valueReference=\"8\" dependencies=\"0\"/>",
        "<EventIndicator valueReference=\"9\" dependencies=\"1\"/>",
        "mightReturnEarlyFromDoStep=\"true\"",
        "<BaseUnit m=\"2\" kg=\"1\" s=\"-2\" rad=\"-1\"/>",
        "description=\"a b; clamped between a formula of the spec and 3\"",
    ] {
        assert!(text.contains(element), "{element}: {text}");
    }
}

#[test]
fn a_unit_compiles_whatever_the_name_of_its_mechanism() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["fmi3", "sample", "apply"] {
        let (spec, unit) = (folder.path().join("x.toml"), folder.path().join("x.fmu"));
        std::fs::write(&spec, pushed_mass(name)).unwrap();
        let output = dqdt(&[spec.to_str().unwrap(), "-o", unit.to_str().unwrap(), "--no-derivatives"]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn what_a_unit_does_not_offer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("x.fmu");
    let unit = unit.to_str().unwrap();
    let [cart_pole, four_bar] = ["cart_pole", "four_bar"].map(|name| example(name).display().to_string());
    let cases: [(&[&str], &str); 6] = [
        (&[&cart_pole, "-o", "x.zip"], "ends with .fmu"),
        (&[&cart_pole, "-o", unit, "--independent", "x"], "has no constraints"),
        (&[&four_bar, "-o", unit, "--independent", "no_such"], "nor a speed; the coordinates"),
        (
            &[&four_bar, "-o", unit, "--independent", "phi,psi"],
            "is 1, but the number of named ones is 2: name 1",
        ),
        (&[&cart_pole], "--output"),
        (&["no_such.toml", "-o", unit], "no_such.toml"),
    ];
    for (arguments, message) in cases {
        let output = dqdt(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(message), "{arguments:?}: {text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}
