//! Emitted Rust modules compile without warnings and compute the values of the interpreter.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::emit_support::{chain, everything, nothing, pendulum};
use dqdt_codegen::{Formalism, pipeline, read};
use dqdt_graph::ir::declaration::{Returns, Role, Vector};
use dqdt_graph::ir::{Program, SymbolKind, evaluate, needed_roots};
use dqdt_graph::simplify::simplify;
use dqdt_print::{RustOptions, rust, rust_stats};

fn emit_module(program: &Program) -> String {
    rust(program, dqdt_graph::plan::Plan::new_with_equal_parts(program, true), &RustOptions::default())
        .unwrap()
}

/// A body with four legs, two of them mirror images; some names collide with
/// names of emitted items.
fn legs() -> Program {
    let mut text = String::from(
        "name = \"legs\"\ngravity = [0, 0, -9.81]\n[inputs]\nDqdtPart = { default = 1 }\n[bodies.base]\nmass = 10\n\
         inertia = [0.5, 0.6, 0.7]\n[joints.base]\ntype = \"free\"\nparent = \"ground\"\nchild = \"base\"\n\
         coordinates = { quaternion = true }\n[outputs]\nturned = \"sin(T) + S\"\n",
    );
    for (k, name) in ["inputs", "T", "S", "InverseDynamicsPart"].iter().enumerate() {
        let (x, s) = (0.1 + 0.2 * k as f64, 1 - 2 * (k as i32 % 2));
        text += &format!(
            "[bodies.u{k}]\nmass = 1.5\ncenter_of_mass = [0.1, {0}, -0.3]\n\
             inertia = {{ xx = 0.1, yy = 0.12, zz = 0.05, xy = {1}, yz = {2} }}\n\
             [bodies.l{k}]\nmass = 0.5\ncenter_of_mass = [0, {0}, -0.2]\ninertia = [0.01, 0.02, 0.03]\n\
             [joints.a{k}]\ntype = \"revolute\"\naxis = \"x\"\nparent = {{ body = \"base\", at = [{x}, {0}, 0.1] }}\n\
             child = \"u{k}\"\ncoordinates = {{ names = [\"{name}\"] }}\n\
             [joints.b{k}]\ntype = \"revolute\"\naxis = \"y\"\nparent = {{ body = \"u{k}\", at = [0, {0}, -0.4] }}\n\
             child = \"l{k}\"\n[loads.d{k}]\ntype = \"actuator\"\njoint = \"b{k}\"\neffort = \"DqdtPart\"\n",
            0.2 * f64::from(s),
            0.01 * f64::from(s),
            -0.015 * f64::from(s),
        );
    }
    let loaded =
        pipeline::build(&read::parse("legs.toml", text).unwrap_or_else(|e| panic!("{e}")), "legs.toml")
            .unwrap_or_else(|e| panic!("{e}"));
    let program = pipeline::program(&loaded, &pipeline::Request::all(Formalism::ArticulatedBody));
    assert!(emit_module(&program).contains("enum DqdtPart2 {}"), "{}", emit_module(&program));
    program
}

/// Compiles the runtime crate to a library. `DQDT_RUNTIME` overrides the path of its sources.
fn compile_runtime(folder: &Path) -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let sources = std::env::var_os("DQDT_RUNTIME").map_or(beside, PathBuf::from);
    let library = folder.join("libdqdt.rlib");
    run(Command::new("rustc")
        .args(["--edition=2024", "--crate-name=dqdt", "--crate-type=rlib", "-O", "--cfg", "feature=\"std\""])
        .args(["--cap-lints=allow", "-o"])
        .args([&library, &sources.join("src/lib.rs")]));
    library
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{command:?}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Deterministic value of an argument at test point `k`, between −1 and 1; parameters
/// keep their defaults.
fn value(program: &Program, k: usize, kind: SymbolKind) -> f64 {
    let (salt, i) = match kind {
        SymbolKind::Parameter(i) => return program.layout.p[i].value,
        SymbolKind::Time => (0, 0),
        SymbolKind::Coordinate(i) => (1, i),
        SymbolKind::Speed(i) => (1, program.layout.q.len() + i),
        SymbolKind::State(i) => (1, program.layout.q.len() + program.layout.v.len() + i),
        SymbolKind::Input(i) => (2, i),
        SymbolKind::Acceleration(i) => (3, i),
        SymbolKind::Impulse(i) => (4, i),
        SymbolKind::Effort(i) => (5, i),
        SymbolKind::Contact(i) => (6, i),
        SymbolKind::Costate(i) => (7, i),
        SymbolKind::Rate(_) | SymbolKind::Auxiliary(_) | SymbolKind::Length(_) | SymbolKind::Named(_) => {
            panic!("not an argument")
        }
    };
    (((k * 7919 + salt * 104_729 + i * 1_299_709) % 1999) as f64) / 1000.0 - 0.9995
}

/// The symbol number `i` of the same kind.
fn with_index(kind: SymbolKind, i: usize) -> SymbolKind {
    match kind {
        SymbolKind::Input(_) => SymbolKind::Input(i),
        SymbolKind::Acceleration(_) => SymbolKind::Acceleration(i),
        SymbolKind::Impulse(_) => SymbolKind::Impulse(i),
        SymbolKind::Effort(_) => SymbolKind::Effort(i),
        SymbolKind::Contact(_) => SymbolKind::Contact(i),
        SymbolKind::Costate(_) => SymbolKind::Costate(i),
        _ => SymbolKind::Coordinate(i),
    }
}

/// Appends calls of every function at test point `k` to a `main`, which prints one value per line.
fn append_calls(program: &Program, k: usize, main: &mut String) {
    let l = &program.layout;
    let list = |salt: SymbolKind, n: usize| {
        (0..n).map(|i| value(program, k, with_index(salt, i))).collect::<Vec<f64>>()
    };
    let (nq, nv, nx) = (l.q.len(), l.v.len(), l.q.len() + l.v.len() + l.z.len());
    let x = list(SymbolKind::Coordinate(0), nx);
    let m = &program.name;
    writeln!(
        main,
        "{{ use {m} as e; let model = e::Model::<f64>::default(); let t = {:?};",
        value(program, k, SymbolKind::Time)
    )
    .unwrap();
    writeln!(main, "let x: [f64; {nx}] = {x:?}; let q: [f64; {nq}] = {:?}; let u: [f64; {}] = {:?}; let dv: [f64; {nv}] = {:?}; let impulse: [f64; {}] = {:?}; let effort: [f64; {nv}] = {:?}; let on: [f64; {}] = {:?}; let costate: [f64; {nx}] = {:?}; let _ = (&x, &q, &u, &dv, &impulse, &effort, &on, &costate, t, &model);",
        &x[..nq], l.u.len(), list(SymbolKind::Input(0), l.u.len()), list(SymbolKind::Acceleration(0), nv), l.u.len(), list(SymbolKind::Impulse(0), l.u.len()), list(SymbolKind::Effort(0), nv), l.contacts.len(), list(SymbolKind::Contact(0), l.contacts.len()), list(SymbolKind::Costate(0), nx)).unwrap();
    for f in program.functions.iter().filter(|f| !f.outputs.is_empty()) {
        let show: String = f
            .outputs
            .iter()
            .map(|o| format!("show(&r.{}{}); ", o.name, if o.name == "type" { "_" } else { "" }))
            .collect();
        let d = f.declaration;
        let arguments: String = d.arguments.iter().map(|a| format!(", &{}", a.name)).collect();
        let name = d.name;
        let unwrap = if f.is_fallible() { ".unwrap()" } else { "" };
        let independent = d.takes(Vector::IndependentAccelerations);
        let selection = match (independent, d.takes(Vector::DrivenAccelerations)) {
            (true, _) => "let dv = e::INDEPENDENT.map(|i| dv[i]); ",
            (_, true) => "let dv = e::DRIVEN.map(|i| dv[i]); ",
            _ => "",
        };
        let mut code = match d.returns {
            Returns::Array { dims, .. } => {
                let zeros = dims.iter().rev().fold("0.0".to_owned(), |zeros, vector| {
                    let n = match vector {
                        Vector::State | Vector::Costates => "NX",
                        Vector::Coordinates => "NQ",
                        Vector::Speeds | Vector::Accelerations | Vector::Efforts => "NV",
                        Vector::IndependentAccelerations => "NI",
                        Vector::DrivenAccelerations => "NDRIVEN",
                        Vector::Inputs | Vector::Impulses => "NU",
                        Vector::Contacts => "NCON",
                    };
                    format!("[{zeros}; e::{n}]")
                });
                format!(
                    "{selection}let mut r = {zeros}; model.{name}(t{arguments}, &mut r){unwrap}; show(&r);"
                )
            }
            Returns::Struct { name: result, .. } => {
                format!(
                    "{selection}let mut r = e::{result}::default(); model.{name}(t{arguments}, &mut r){unwrap}; {show}"
                )
            }
            Returns::Limited { of: vector } => format!(
                "let mut r = {}; let acted = model.{name}(t{arguments}, &mut r); show(&r); assert_eq!(acted, core::array::from_fn(|i| r[i] != {}[i]));",
                vector.name, vector.name
            ),
            // Tested in `joint_calls`.
            Returns::Joint(_) => continue,
        };
        if d.role == Some(Role::StateDerivative) {
            code.push_str(&format!("let mut s = r; e::dqdt(&model, t, &x, &u, &mut s){unwrap}; "));
            code.push_str(" assert_eq!(r, s); let mut w = [0.0; e::NX]; dqdt::System::coordinate_rates(&model, t, &x, &mut w).unwrap(); assert_eq!(w[..e::NQ], r[..e::NQ]); lanes!(e);");
        }
        writeln!(main, "{{ {code} }}").unwrap();
    }
    writeln!(main, "}}").unwrap();
}

const MAIN: &str = r#"
trait Show { fn show(&self); }
impl Show for f64 { fn show(&self) { println!("{self:?}"); } }
impl<S: Show, const N: usize> Show for [S; N] { fn show(&self) { for s in self { s.show(); } } }
fn show(s: &impl Show) { s.show(); }
macro_rules! lanes { ($e:ident) => {
    let model = $e::Model::<dqdt::Lanes<f32, 4>>::default();
    let zero = dqdt::Lanes::<f32, 4>::splat(0.5);
    let mut dx = [zero; $e::NX];
    let _ = $e::dqdt(&model, zero, &[zero; $e::NX], &[zero; $e::NU], &mut dx);
} }
"#;

#[test]
fn emitted_values_are_those_of_the_interpreter() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emit_rust");
    std::fs::create_dir_all(&folder).unwrap();
    let library = compile_runtime(&folder);
    let programs = [pendulum(), simplify(&chain(9)), everything(), nothing(), legs()];
    let mut source = String::from("//! Test.\n#![deny(warnings, missing_docs)]\n#![deny(clippy::all)]\n");
    let mut main = String::from(MAIN);
    main.push_str("fn main() {\n");
    for program in &programs {
        let name = &program.name;
        std::fs::write(folder.join(format!("{name}.rs")), emit_module(program)).unwrap();
        writeln!(source, "/// Test.\npub mod {name} {{ include!(\"{name}.rs\"); }}").unwrap();
        for k in 0..3 {
            append_calls(program, k, &mut main);
        }
    }
    main.push_str("}\n");
    source.push_str("mod unused { include!(\"everything.rs\"); }\n");
    source.push_str(&main);
    let path = folder.join("main.rs");
    std::fs::write(&path, source).unwrap();
    let external = format!("dqdt={}", library.display());
    let binary = folder.join("main");
    // Clippy is optional, but must not warn if installed.
    let mut clippy = Command::new("clippy-driver");
    clippy.args(["--edition=2024", "--extern", &external, "-o"]).args([&binary, &path]).current_dir(&folder);
    if let Ok(output) = clippy.output() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && errors.is_empty(), "{errors}");
    }
    run(Command::new("rustc")
        .args(["--edition=2024", "--extern", &external, "-o"])
        .args([&binary, &path])
        .current_dir(&folder));
    let printed = run(&mut Command::new(&binary));
    let mut printed = printed.lines().map(|line| line.parse::<f64>().unwrap());
    for program in &programs {
        for k in 0..3 {
            for f in program.functions.iter().filter(|f| !f.outputs.is_empty()) {
                let entries = f.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
                let expected =
                    evaluate(&program.graph, &needed_roots(f)[..entries], |kind| value(program, k, kind));
                for (i, b) in expected.into_iter().enumerate() {
                    let a = printed.next().unwrap();
                    let error = (a - b).abs() / b.abs().max(1.0);
                    // Nine rods amplify the last digit of a sine.
                    let tolerance = if program.name == "chain" { 1e-10 } else { 1e-13 };
                    assert!(
                        error < tolerance,
                        "{} {:?} [{i}]: {a} against {b}",
                        program.name,
                        f.declaration.name
                    );
                }
            }
        }
    }
    assert_eq!(printed.next(), None);
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    for make in [pendulum, || chain(6), everything, nothing, legs] {
        assert_eq!(emit_module(&make()), emit_module(&make()));
    }
}

/// The items of an emitted module that the Rust printer lays out, without the data macros.
fn strip_data_macros(text: &str) -> String {
    let mut data = false;
    let kept = text.lines().filter(|line| {
        let starts = line.starts_with("::dqdt::");
        let kept = !data && !starts;
        data = (data || starts) && !line.ends_with("}") || data && !line.starts_with('}');
        kept
    });
    kept.fold(String::new(), |all, line| all + line + "\n")
}

/// The text without spaces, and without the comments that a second printing loses.
/// Names that share a line are printed one per line.
fn strip_comments_and_spaces(text: &str) -> String {
    let kept = text.lines().filter(|l| {
        !l.trim().is_empty() && (!l.trim_start().starts_with("//") || l.trim_start().starts_with("///"))
    });
    kept.flat_map(str::split_whitespace).collect()
}

fn is_macro(item: &&syn::Item) -> bool {
    matches!(item, syn::Item::Macro(_))
}

#[test]
fn the_printer_would_print_it_so_again() {
    for program in [pendulum(), chain(4), everything(), nothing()] {
        let text = emit_module(&program);
        let file = syn::parse_file(&text).unwrap();
        assert!(file.items.iter().filter(is_macro).count() > 4, "{text}");
        let text = strip_data_macros(&text);
        let again = prettyplease::unparse(&syn::parse_file(&text).unwrap());
        assert_eq!(strip_comments_and_spaces(&again), strip_comments_and_spaces(&text));
    }
}

#[test]
fn sections_stand_as_comments_before_their_statements() {
    let text = emit_module(&pendulum());
    assert!(
        text.contains("\n            // pendulum: moment about the joint [N*m]\n            let moment = "),
        "{text}"
    );
    assert!(text.contains("\n            // results\n            dx[0] = omega;\n"), "{text}");
    assert!(text.starts_with(
        "// @generated by dqdt-codegen 0.1.0 from pendulum.toml (sha256 0123456789ab…), formalism: by hand. Do not edit.\n"
    ));
    assert!(emit_module(&everything()).contains("// clashing names and a second line\n"));
}

#[test]
fn lines_stay_readable() {
    for program in [pendulum(), chain(8), everything()] {
        for line in emit_module(&program).lines().filter(|l| !l.trim_start().starts_with("//")) {
            assert!(line.chars().count() < 110, "{line}");
        }
    }
}

#[test]
fn sizes_are_reported() {
    let stats = rust_stats(&chain(3));
    let names: Vec<&str> = stats.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names[..3], ["new", "dqdt", "mass_matrix"]);
    let shared: usize = stats[3..].iter().map(|s| s.statements).sum();
    assert!(stats[1].statements + shared > 50);
    assert!(stats[1].live > 5 && stats[1].live < stats[1].statements);
}
