//! What is printed as C compiles, and gives what the interpreter gives.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::{c, literal};
use crate::base::Random;
use crate::derive::Request;
use crate::formalism::Formalism;
use crate::functions;
use crate::ir::declaration::{Argument, Returns, Vector};
use crate::ir::{Arguments, Machine, Program, SingularPivot};
use crate::pipeline;
use crate::plan::Plan;

/// Calls every function at every point, and prints the verdict and the values.
fn driver(program: &Program, points: &[Arguments]) -> String {
    let mut out = String::from("#include <stdio.h>\n#include \"module.c\"\n\nint main(void) {\n");
    out.push_str("    Model model = model_new(PARAMS);\n");
    for point in points {
        for f in program.functions.iter().filter(|f| !f.outputs.is_empty()) {
            let d = f.declaration;
            out.push_str("    {\n");
            for a in d.arguments {
                let _ =
                    writeln!(out, "        const double {}[] = {{{}0}};", a.name, values(program, point, *a));
            }
            let mut call = format!("{}(&model, {}", d.name, literal(point.t));
            d.arguments.iter().for_each(|a| call.push_str(&format!(", {}", a.name)));
            let mut shown = String::new();
            for (k, (part, outputs)) in f.results().into_iter().enumerate() {
                let n: usize = outputs.iter().map(|o| o.nodes.len()).sum();
                let (result, place) = match part.returns {
                    Returns::Struct { name, .. } => (format!("{name} result{k}"), "&"),
                    _ => (format!("double result{k}[{}]", n.max(1)), ""),
                };
                let _ = writeln!(out, "        {result};");
                call.push_str(&format!(", {place}result{k}"));
                let _ = writeln!(
                    shown,
                    "        for (size_t i = 0; i < {n}; i++) printf(\" %.17g\", ((const double *)&result{k})[i]);"
                );
            }
            let _ =
                writeln!(out, "        printf(\"%d\", {call}));\n{shown}        printf(\"\\n\");\n    }}");
        }
    }
    out.push_str("    return 0;\n}\n");
    out
}

fn values(program: &Program, point: &Arguments, a: Argument) -> String {
    let of = match a.vector {
        Vector::State => point.state(),
        Vector::Coordinates => point.q.clone(),
        Vector::Speeds => point.v.clone(),
        Vector::Accelerations => point.a.clone(),
        Vector::IndependentAccelerations => {
            program.layout.independent_speeds.iter().map(|i| point.a[*i]).collect()
        }
        Vector::Inputs => point.u.clone(),
    };
    of.iter().map(|x| format!("{}, ", literal(*x))).collect()
}

/// The defaults, and points around them.
fn points(program: &Program) -> Vec<Arguments> {
    let mut random = Random::new(7);
    (0..4)
        .map(|k| {
            let mut a = Arguments::defaults(program);
            a.t = 0.25 * f64::from(k);
            let size = if k == 0 { 0.0 } else { 0.3 };
            for x in a.q.iter_mut().chain(&mut a.v).chain(&mut a.z).chain(&mut a.u).chain(&mut a.a) {
                *x += size * random.within(-1.0, 1.0);
            }
            a
        })
        .collect()
}

fn agrees(name: &str, formalism: Formalism) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/specs").join(format!("{name}.toml"));
    let loaded = pipeline::load(&path).unwrap();
    let both = functions::joint(&[functions::DQDT, functions::OUTPUTS]).unwrap();
    let request = Request::new(formalism, [functions::ALL, &[both]].concat());
    let program = pipeline::program(&loaded, &request);
    let points = points(&program);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("module.c"), c(&program, Plan::new(&program))).unwrap();
    std::fs::write(folder.path().join("driver.c"), driver(&program, &points)).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(compiler)
        .current_dir(folder.path())
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"])
        // A sine is bound with its cosine, whichever of them is used.
        .args(["-Wno-unused-function", "-Wno-unused-variable"])
        .args(["driver.c", "-lm", "-o", "driver"])
        .output()
        .expect("a C compiler, as every linker of Rust programs has one");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(folder.path().join("driver")).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let mut lines = text.lines();

    for point in &points {
        for f in program.functions.iter().filter(|f| !f.outputs.is_empty()) {
            let what = format!("{} of {name}", f.declaration.name);
            let line = lines.next().unwrap_or_else(|| panic!("no line for {what}"));
            let mut words = line.split(' ');
            let verdict: i32 = words.next().unwrap().parse().unwrap();
            let found: Vec<f64> = words.map(|w| w.parse().unwrap()).collect();
            match Machine::of(&program, f).call(point) {
                Ok(expected) => {
                    let limited = matches!(f.declaration.returns, Returns::Limited { .. });
                    assert!(verdict == 0 || limited, "{what}: {verdict}");
                    let size = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
                    assert_eq!(found.len(), expected.len(), "{what}");
                    for (x, y) in found.iter().zip(expected) {
                        assert!((x - y).abs() <= 1e-11 * size, "{what}: {found:?} against {expected:?}");
                    }
                }
                Err(SingularPivot::Vanishes { name, .. }) => {
                    assert_eq!(f.checks[verdict as usize - 1].name, name, "{what}");
                }
                Err(SingularPivot::NotFinite { .. }) => assert_eq!(verdict, -1, "{what}"),
            }
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn c_of_a_tree_gives_what_the_interpreter_gives() {
    agrees("kane_two_body", Formalism::Kane);
}

#[test]
fn c_of_a_closed_loop_gives_what_the_interpreter_gives() {
    agrees("four_bar", Formalism::Kane);
}

#[test]
fn c_of_events_limits_and_quaternions_gives_what_the_interpreter_gives() {
    for name in ["bouncing_pendulum", "quadrotor"] {
        agrees(name, Formalism::ArticulatedBody);
    }
}

/// A printer is a folder: no other file of the crate names it, but the list of printers.
#[test]
fn the_printer_names_no_function() {
    for text in [include_str!("mod.rs"), include_str!("body.rs")] {
        for f in functions::ALL {
            assert!(
                !text.contains(&format!("\"{}\"", f.name)) && !text.contains("functions::"),
                "{}",
                f.name
            );
        }
    }
}
