//! Joint limits as data of emitted modules.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use dqdt_codegen::pipeline::{self, COptions, Request};
use dqdt_codegen::{Formalism, functions};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// The emitted Rust module, and the emitted C header and source in one text.
fn emit_rust_and_c(path: &Path) -> [String; 2] {
    let loaded = pipeline::load(path).unwrap_or_else(|e| panic!("{e}"));
    let program = pipeline::program(&loaded, &Request::new(Formalism::Kane, vec![functions::RATES]));
    let files = pipeline::c(&program, &COptions::default()).unwrap();
    [pipeline::rust(&program).unwrap(), format!("{}{}", files.header, files.source)]
}

/// The numbers of a constant in an emitted module.
fn numbers(module: &str, name: &str) -> Vec<f64> {
    let start = module.find(&format!("const {name}:")).unwrap_or_else(|| panic!("no {name}"));
    let value = module[start..].split_once('=').unwrap().1.split_once(';').unwrap().0;
    let value = value.replace("::core::f64::INFINITY", "inf");
    let entries = value.split(|c: char| "[], \n".contains(c)).filter(|x| !x.is_empty());
    entries.map(|x| x.parse().unwrap_or_else(|_| panic!("{value}"))).collect()
}

/// Values of an attribute of the `<limit>` elements of a URDF, in file order.
fn attribute(urdf: &str, name: &str) -> Vec<f64> {
    let limits = urdf.lines().filter(|l| l.contains("<limit"));
    limits
        .map(|l| l.split_once(&format!("{name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap())
        .collect()
}

#[test]
fn limits_of_a_robot_are_those_of_its_file() {
    for robot in ["panda", "ur5"] {
        let path = data(&format!("urdf/{robot}.urdf"));
        let urdf = std::fs::read_to_string(&path).unwrap();
        let [module, c] = emit_rust_and_c(&path);
        let position: Vec<f64> = attribute(&urdf, "lower")
            .into_iter()
            .zip(attribute(&urdf, "upper"))
            .flat_map(|(a, b)| [a, b])
            .collect();
        assert!(position.len() >= 12);
        let near = |a: &[f64], b: &[f64]| {
            assert_eq!(a.len(), b.len(), "{robot}");
            a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() <= 1e-11 * b.abs(), "{robot}: {a} {b}"));
        };
        near(&numbers(&module, "POSITION_LIMITS"), &position);
        near(&numbers(&module, "SPEED_LIMITS"), &attribute(&urdf, "velocity"));
        near(&numbers(&module, "EFFORT_LIMITS"), &attribute(&urdf, "effort"));
        for name in ["position_limits", "speed_limits", "effort_limits"] {
            let declared = format!("{robot}_{name}[");
            assert_eq!(c.matches(&declared).count(), 2, "{declared}: in the header and in the source\n{c}");
        }
    }
}

fn assert_all_near(a: Vec<f64>, b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?}");
    a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-14 * b.abs(), "{a} {b}"));
}

#[test]
fn limits_of_a_spec_are_in_si_and_infinite_where_there_are_none() {
    let [module, c] = emit_rust_and_c(&data("spec/pass/joints.toml"));
    let finite = |name: &str| -> Vec<f64> {
        let all = numbers(&module, name);
        assert!(all.contains(&f64::INFINITY), "{name}");
        all.into_iter().filter(|x| x.is_finite()).collect()
    };
    // Limits of the joints `swivel`, `slide` and `screw`.
    assert_all_near(finite("POSITION_LIMITS"), &[-PI / 2.0, PI / 2.0, -0.2, 0.3, -PI / 2.0, 1.5 * PI]);
    assert_all_near(finite("SPEED_LIMITS"), &[2.0, 2.0, PI]);
    assert_all_near(finite("EFFORT_LIMITS"), &[3.0, 1500.0, 2.0]);
    assert!(c.contains("{-0.2, 0.3}") && c.contains("INFINITY"), "{c}");
}

#[test]
fn a_module_without_limits_says_nothing_of_them() {
    let [module, c] =
        emit_rust_and_c(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/swing.toml"));
    assert!(!module.contains("_LIMITS") && !c.contains("_limits"));
}

#[test]
fn a_start_beyond_the_limits_is_a_warning() {
    let text = "name = 'x'\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[joints.j]\ntype = 'revolute'\naxis = 'z'\n\
                parent = 'ground'\nchild = 'a'\ncoordinates = { start = ['100 deg'] }\nlimits = { position = [0, 'pi/2'] }\n";
    let spec = dqdt_codegen::read::parse("x.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let loaded = pipeline::build(&spec, "x.toml").unwrap_or_else(|e| panic!("{e}"));
    let said: Vec<&str> = loaded.warnings.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(said, ["start-beyond-limits"]);
}
