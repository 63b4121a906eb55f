//! C and machine code of every example give the bits of Rust, C without warnings, under the
//! sanitisers.
//!
//! Above 500 lines: one driver and one comparison for all builds.

use dqdt_codegen::pipeline::FormalismChoice;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_compilers::{WARNINGS, compile, compilers, run_driver, sanitisers};
use crate::compiled::{self, Module};
use crate::emitted::hostile::BaseSpec;
use crate::emitted_calls::{entries, functions_with_outputs, place, rust_calls, rust_module, sample_points};
use crate::native_bits::assert_bits_of_machine_code;
use dqdt_algebra::Func;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, CFiles, COptions, CScalar, Request};
use dqdt_graph::ir::declaration::Returns;
use dqdt_graph::ir::{Arguments, Op, Program, ResultShape};
use dqdt_samples::tier;
use dqdt_tests::{root, specs};

/// Largest number of speeds for which every function is compared; above, the default functions are.
const SMALL: usize = 7;

struct EmittedCase {
    program: Program,
    points: Vec<Arguments>,
    files: CFiles,
}

pub(crate) fn program(path: &Path) -> Program {
    let loaded = pipeline::load(path).unwrap();
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
    let small = loaded.mechanism.nv() <= SMALL;
    let joint = functions::joint(&[functions::DQDT, functions::OUTPUTS]).unwrap();
    let mut all = if small { functions::ALL.to_vec() } else { functions::defaults() };
    all.push(joint);
    pipeline::program(&loaded, &Request::new(formalism, all))
}

pub(crate) fn to_snake_case(name: &str) -> String {
    let pieces = name.chars().enumerate().map(|(i, c)| match c.is_ascii_uppercase() {
        true if i > 0 => format!("_{}", c.to_ascii_lowercase()),
        _ => c.to_ascii_lowercase().to_string(),
    });
    pieces.collect()
}

/// C text of the same calls, with all digits of the values.
fn format_driver(case: &EmittedCase, scalar: &str) -> String {
    let scalar = if scalar == "f64" { "double" } else { "float" };
    let (program, name) = (&case.program, &case.files.name);
    let number = |x: f64| match x {
        x if x.is_nan() => "NAN".to_owned(),
        x if scalar == "double" => format!("{x:?}"),
        x if (x as f32).is_infinite() => "INFINITY".to_owned(),
        x => format!("{:?}f", x as f32),
    };
    let mut out = format!("#include \"{name}.h\"\n#include <math.h>\n#include <stdio.h>\n\n");
    let _ = write!(
        out,
        "static void show(const void *at, size_t n) {{\n    const {scalar} *values = at;\n    \
         for (size_t i = 0; i < n; i++) printf(\" %.17g\", (double)values[i]);\n}}\n\n"
    );
    out.push_str("int main(void) {\n");
    let _ = writeln!(out, "    struct {name}_model model;\n    {name}_model_init(&model, &{name}_defaults);");
    if program.parameter_checks.is_some() {
        let _ = writeln!(out, "    if ({name}_check(&{name}_defaults) != NULL) return 1;");
    }
    for (i, point) in case.points.iter().enumerate() {
        for f in functions_with_outputs(program) {
            let d = f.declaration;
            out.push_str("    {\n");
            let mut call = format!("{name}_{}(&model, {}", d.name, number(point.t));
            for (k, a) in d.arguments.iter().enumerate() {
                let values = entries(program, point, a.vector);
                if values.is_empty() {
                    call.push_str(", NULL");
                    continue;
                }
                let list = values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ");
                let _ = writeln!(out, "        const {scalar} given{k}[] = {{{list}}};");
                let _ = write!(call, ", given{k}");
            }
            let mut shown = String::new();
            for (k, (part, outputs)) in f.results().into_iter().enumerate() {
                let (y, n) = (place(k), outputs.iter().map(|o| o.nodes.len()).sum::<usize>());
                match part.returns {
                    Returns::Struct { name: result, .. } => {
                        let _ = writeln!(out, "        struct {name}_{} {y};", to_snake_case(result));
                        let _ = write!(call, ", &{y}");
                        let _ = writeln!(shown, "        show(&{y}, {n});");
                    }
                    Returns::Array { dims: [_, _], .. } => {
                        let ResultShape::Matrix(rows, columns) = outputs[0].shape else {
                            panic!("{}", d.name)
                        };
                        let _ = writeln!(out, "        {scalar} {y}[{rows}][{columns}];");
                        let _ = write!(call, ", {y}");
                        let _ = writeln!(shown, "        show({y}, {n});");
                    }
                    _ => {
                        let _ = writeln!(out, "        {scalar} {y}[{}];", n.max(1));
                        let _ = write!(call, ", {y}");
                        let _ = writeln!(shown, "        show({y}, {n});");
                    }
                }
            }
            if matches!(d.returns, Returns::Limited { .. }) {
                let n = f.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
                let _ = writeln!(out, "        int acted[{}];", n.max(1));
                call.push_str(", acted");
                let _ = writeln!(shown, "        for (int i = 0; i < {n}; i++) printf(\" %d\", acted[i]);");
            }
            let head = format!("printf(\"{}@{i}", d.name);
            let _ = if f.is_fallible() {
                writeln!(out, "        const int code = {call});\n        {head} %d\", code);")
            } else {
                writeln!(out, "        {call});\n        {head} 0\");")
            };
            let _ = writeln!(out, "{shown}        printf(\"\\n\");\n    }}");
        }
    }
    out.push_str("    return 0;\n}\n");
    out
}

/// True if the program calls library functions that differ between C and Rust on some targets.
fn calls_the_library(program: &Program) -> bool {
    (0..program.graph.len() as u32).any(|i| {
        let op = program.graph.node(dqdt_graph::ir::NodeId(i)).op;
        matches!(op, Op::Func2(_)) || matches!(op, Op::Func(f) if !matches!(f, Func::Abs | Func::Sign))
    })
}

fn cases(scalar: CScalar, fused: bool, specs: impl Iterator<Item = PathBuf>) -> Vec<EmittedCase> {
    specs
        .map(|path| {
            let program = program(&path);
            let files =
                pipeline::c(&program, &COptions { scalar, fused, casadi: true, steps: true, ascii: false })
                    .unwrap();
            EmittedCase { points: sample_points(&program), files, program }
        })
        .collect()
}

/// Compiler options for the comparison of Rust and C.
#[derive(Clone, Copy, Default)]
struct CompileOptions {
    /// Rust and C compiler flags for fused operations; `None` to compare without fusing.
    fused: Option<[&'static str; 2]>,
}

/// Compiles and runs both languages, and compares the bits.
fn assert_same_bits(folder_name: &str, cases: &[EmittedCase], scalar: &str, build: CompileOptions) {
    let modules: Vec<Module> = cases
        .iter()
        .map(|case| Module {
            name: case.program.name.clone(),
            source: rust_module(&case.program, build.fused.is_some()),
            calls: rust_calls(&case.program, &case.points, scalar),
        })
        .collect();
    let [rust_flags, c_flags] = build.fused.unwrap_or_default();
    let rust = compiled::run_with(&format!("{folder_name}-rust"), &modules, rust_flags);
    for case in cases.iter().filter(|_| build.fused.is_none()) {
        match scalar {
            "f64" => assert_bits_of_machine_code::<f64>(&case.program, &case.points, &rust),
            _ => assert_bits_of_machine_code::<f32>(&case.program, &case.points, &rust),
        }
    }
    let folder = root("target").join(folder_name);
    std::fs::create_dir_all(&folder).unwrap();
    let compilers: Vec<(String, Option<[&str; 2]>)> =
        compilers().into_iter().map(|c| (c.clone(), sanitisers(&c, &folder))).collect();
    assert!(
        compilers.iter().any(|(_, sanitisers)| sanitisers.is_some()),
        "no compiler has sanitisers: {compilers:?}"
    );
    for case in cases {
        let name = &case.files.name;
        for (file, text) in [
            (format!("{name}.h"), &case.files.header),
            (format!("{name}.c"), &case.files.source),
            (format!("{name}_driver.c"), &format_driver(case, scalar)),
        ] {
            pipeline::write_if_changed(&folder.join(file), text).unwrap();
        }
        let close = calls_the_library(&case.program);
        for (compiler, sanitisers) in &compilers {
            // Optimised only for fused operations: clang takes minutes for sanitised code.
            let plain = [if build.fused.is_some() { "-O2" } else { "-O0" }, "-g0", "-DDQDT_CASADI"];
            let sanitiser_flags = sanitisers.as_ref().filter(|_| build.fused.is_none());
            let more: Vec<&str> = c_flags.split_whitespace().collect();
            let options = [&plain[..], sanitiser_flags.map_or(&[], |s| &s[..]), &more].concat();
            let binary = compile(compiler, &folder, name, &options);
            let lines = run_driver(&binary);
            assert_eq!(
                lines.len(),
                case.points.len() * functions_with_outputs(&case.program).count(),
                "{name}"
            );
            for (what, actual) in lines {
                let expected = &rust[&(case.program.name.clone(), what.clone())];
                assert_eq!(actual.len(), expected.len(), "{what} of {name}");
                let size = expected.iter().filter(|x| x.is_finite()).fold(1.0f64, |m, x| m.max(x.abs()));
                for (k, (x, y)) in actual.iter().zip(expected).enumerate() {
                    let equal = x.to_bits() == y.to_bits()
                        || x.is_nan() && y.is_nan()
                        || close && (x - y).abs() <= 1e-13 * size;
                    assert!(equal, "{compiler}, {what} of {name}, number {k}: {x:?} in C, {y:?} in Rust");
                }
            }
        }
    }
}

/// Every second example from index `first`, or a few: two tests that run in parallel.
fn every_second_example(first: usize) -> Vec<EmittedCase> {
    cases(
        CScalar::Double,
        false,
        specs().unwrap().into_iter().skip(first).step_by(tier::cases_by_tier(30, 2)),
    )
}

#[test]
fn c_and_machine_code_of_every_second_example_have_the_bits_of_rust() {
    assert_same_bits("emitted-c", &every_second_example(0), "f64", CompileOptions::default());
}

#[test]
fn c_and_machine_code_of_the_examples_between_have_the_bits_of_rust() {
    assert_same_bits("emitted-c-between", &every_second_example(1), "f64", CompileOptions::default());
}

#[test]
fn c_and_machine_code_over_floats_have_the_bits_of_rust() {
    let few = ["cart_pole", "four_bar", "quadrotor", "bouncing_pendulum", "snakeboard"];
    let few = few.map(|name| root(&format!("examples/specs/{name}.toml")));
    assert_same_bits(
        "emitted-c-float",
        &cases(CScalar::Float, false, few.into_iter().take(tier::cases_by_tier(1, 5))),
        "f32",
        CompileOptions::default(),
    );
}

/// Compiler flags (Rust, C) for the fused operations of this machine; `None` if it has none.
fn fused_flags_of_this_machine() -> Option<[&'static str; 2]> {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("fma").then_some(["-Ctarget-feature=+fma", "-mfma"]);
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64").then_some(["", ""]);
}

/// C without fused operations.
fn unfused_source(case: &EmittedCase) -> String {
    let options = COptions { casadi: true, steps: true, ..COptions::default() };
    pipeline::c(&case.program, &options).unwrap().source
}

#[test]
fn a_linear_mechanism_has_the_entry_points_for_its_hessian_that_is_zero() {
    let text = r#"
        name = "slider"
        inputs.force = { unit = "N" }
        bodies.block = { mass = 2 }
        joints.rail = { type = "prismatic", axis = "x", parent = "ground", child = "block" }
        loads.motor = { type = "actuator", joint = "rail", effort = "force" }
    "#;
    let spec = dqdt_codegen::read::parse("slider.toml", text).unwrap();
    let loaded = pipeline::build(&spec, "slider.toml").unwrap();
    let wanted =
        vec![functions::DQDT, functions::RATES, functions::DQDT_DERIVATIVES, functions::DQDT_HESSIAN];
    let program = pipeline::program(&loaded, &Request::new(dqdt_codegen::Formalism::Kane, wanted));
    assert!(program.function(functions::DQDT_HESSIAN).is_none());
    let options = COptions { casadi: true, ..COptions::default() };
    let files = pipeline::c(&program, &options).unwrap();
    for kind in ["jac", "adj1", "jac_adj1"] {
        let entry = format!("int {kind}_casadi_slider_dqdt(");
        assert!(files.source.contains(&entry), "{entry}");
    }
    let folder = root("target").join("emitted-c-linear");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("slider.h"), &files.header).unwrap();
    std::fs::write(folder.join("slider.c"), &files.source).unwrap();
    std::fs::write(folder.join("slider_driver.c"), "int main(void) { return 0; }\n").unwrap();
    for compiler in compilers() {
        compile(&compiler, &folder, "slider", &["-DDQDT_CASADI"]);
    }
}

#[test]
fn fused_c_has_the_bits_of_fused_rust_where_the_target_has_fused_operations() {
    let Some(flags) = fused_flags_of_this_machine() else {
        println!("no fused operations here");
        return;
    };
    let few = [
        "cart_pole",
        "double_pendulum",
        "four_bar",
        "panda_arm",
        "quadrotor",
        "snakeboard",
        "furuta_pendulum",
        "stewart_platform",
    ];
    let few = few.map(|name| root(&format!("examples/specs/{name}.toml")));
    let all = cases(CScalar::Double, true, few.into_iter().take(tier::cases_by_tier(1, 8)));
    // Fusing must change the operations.
    assert!(all.iter().all(|case| case.files.source != unfused_source(case)), "products and sums are fused");
    assert_same_bits("emitted-c-fused", &all, "f64", CompileOptions { fused: Some(flags) });
}

/// Suppressed cppcheck warnings in emitted C: none.
const LEFT: [&str; 0] = [];

#[test]
fn cppcheck_finds_nothing_in_the_default_functions_of_any_example() {
    if !Command::new("cppcheck").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return;
    }
    let folder = root("target").join("emitted-c-checked");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new("cppcheck");
    command.current_dir(&folder).args(["-q", "-j2", "--std=c99", "--error-exitcode=1"]);
    command.arg("--enable=warning,style,performance,portability");
    command.args(LEFT.map(|id| format!("--suppress={id}")));
    for path in specs().unwrap().into_iter().step_by(tier::cases_by_tier(14, 1)) {
        let loaded = pipeline::load(&path).unwrap();
        let all = functions::defaults();
        let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &all).unwrap();
        let program = pipeline::program(&loaded, &Request::new(formalism, all));
        let files = pipeline::c(&program, &COptions { steps: true, ..COptions::default() }).unwrap();
        std::fs::write(folder.join(format!("{}.h", files.name)), &files.header).unwrap();
        std::fs::write(folder.join(format!("{}.c", files.name)), &files.source).unwrap();
        command.arg(format!("{}.c", files.name));
    }
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn descriptions_change_nothing_but_text() {
    let spec = "name = \"math\"\ndescription = \"which one??/\"\n\
        [parameters]\n\
        m = { value = 2, unit = \"kg\", description = \"which one??/\" }\n\
        n = { value = 1e39, description = \"ends in \\\\\" }\n\
        [bodies.b]\nmass = \"m\"\n\
        [joints.j]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\nchild = \"b\"\n\
        [inputs]\nf = { unit = \"N\", limits = [-2, \"m*1 [m/s^2]\"], description = \"a \u{202e}b\" }\n\
        [loads.l]\ntype = \"actuator\"\njoint = \"j\"\neffort = \"f\"\n";
    let loaded =
        pipeline::build(&dqdt_codegen::read::parse("math.toml", spec).unwrap(), "math.toml").unwrap();
    let program =
        pipeline::program(&loaded, &Request::new(dqdt_codegen::Formalism::Kane, functions::defaults()));
    let files = pipeline::c(&program, &COptions::default()).unwrap();
    // The file must not be named like the library header.
    assert_eq!((files.name.as_str(), files.beyond.as_slice()), ("math_", &[][..]));
    let float = pipeline::c(&program, &COptions { scalar: CScalar::Float, ..COptions::default() }).unwrap();
    assert_eq!(float.beyond, [1e39]);
    let folder = root("target").join("emitted-c-texts");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("math_.h"), &files.header).unwrap();
    std::fs::write(folder.join("math_.c"), &files.source).unwrap();
    for compiler in compilers() {
        let run = Command::new(&compiler)
            .current_dir(&folder)
            .args(WARNINGS)
            .args(["-I.", "-fsyntax-only", "math_.c"])
            .output()
            .unwrap();
        assert!(run.status.success(), "{compiler}: {}", String::from_utf8_lossy(&run.stderr));
        // A build that assumes finite numbers must be refused.
        let run = Command::new(&compiler)
            .current_dir(&folder)
            .args(["-std=c99", "-ffinite-math-only", "-fsyntax-only", "math_.c"])
            .output()
            .unwrap();
        assert!(!run.status.success(), "{compiler} takes -ffinite-math-only");
    }
}

#[test]
fn names_that_mean_something_in_c_are_given_others() {
    let base = BaseSpec::read("tests/data/names/tree.toml");
    let words = [
        "double",
        "struct",
        "int",
        "register",
        "class",
        "new",
        "this",
        "linux",
        "NAN",
        "M_PI",
        "m_pi",
        "sin",
        "cos",
        "sin_cos",
        "sine",
        "memset",
        "isfinite",
        "model",
        "params",
        "p",
        "t",
        "x",
        "u",
        "y",
        "dx",
        "verdict",
        "angles",
        "vanishing",
        "divisors",
        "scales",
        "table",
        "INFINITY",
        "NULL",
        "size_t",
        "uint64_t",
        "arg",
        "res",
        "y0",
        "gamma",
        "I",
        "and",
        "restrict",
        "inline",
        "none",
        "epsilon",
        "limited",
        "acted",
        "casadi_int",
        "main",
        "errno",
        "static",
        "dqdt_fma",
        "size_max",
        "raised",
    ];
    let folder = root("target").join("emitted-c-names");
    std::fs::create_dir_all(&folder).unwrap();
    for spec in base.covering(&words.map(str::to_owned)).into_iter().step_by(tier::cases_by_tier(4, 1)) {
        let spec = dqdt_codegen::read::parse("names.toml", spec.as_str()).unwrap();
        let loaded = pipeline::build(&spec, "names.toml").unwrap();
        let all = functions::defaults_and(&[functions::REACTIONS]);
        let program = pipeline::program(&loaded, &Request::new(dqdt_codegen::Formalism::Kane, all));
        let files =
            pipeline::c(&program, &COptions { casadi: true, steps: true, ..COptions::default() }).unwrap();
        std::fs::write(folder.join(format!("{}.h", files.name)), &files.header).unwrap();
        std::fs::write(folder.join(format!("{}.c", files.name)), &files.source).unwrap();
        for compiler in compilers() {
            let run = Command::new(&compiler)
                .current_dir(&folder)
                .args(WARNINGS)
                .args(["-DDQDT_CASADI", "-fsyntax-only", &format!("{}.c", files.name)])
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success(), "{compiler}: {}", errors.get(..3000).unwrap_or(&errors));
        }
    }
}
