//! CUDA text as C++: its functions, kernels and rollouts have the bits of emitted C, without
//! warnings.
//!
//! The driver of each example calls both for the same states and compares them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_compilers::{compilers, is_installed};
use crate::emitted::hostile::BaseSpec;
use crate::emitted_c::{program, to_snake_case};
use crate::emitted_calls::{entries, functions_with_outputs, sample_points};
use dqdt_codegen::pipeline::{self, COptions, CScalar, Request};
use dqdt_codegen::{functions, languages};
use dqdt_graph::ir::declaration::{Returns, Role};
use dqdt_graph::ir::{Arguments, Function, Program};
use dqdt_print::target::TargetOptions;
use dqdt_samples::tier;
use dqdt_tests::{root, specs};

/// States of a kernel call, and the distance between rows: more than one and different, so that a
/// wrong row shows.
const STATES: usize = 2;
const LEADING: usize = 3;

const HELPERS: &str = "template <class T>\nstatic int differ(const char *what, const T *a, const T *b, int n, int stride) {\n    \
    int count = 0;\n    for (int i = 0; i < n; i++) {\n        const T x = a[i], y = b[i * stride];\n        \
    if (memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y)) {\n            \
    printf(\"%s, number %d: %.17g in C, %.17g in CUDA\\n\", what, i, (double)x, (double)y);\n            count++;\n        }\n    }\n    \
    return count;\n}\n\n";

struct Literals(&'static str);

impl Literals {
    fn literal(&self, x: f64) -> String {
        let scalar = self.0;
        match x {
            x if x.is_nan() => format!("({scalar})NAN"),
            x if scalar == "double" => format!("{x:?}"),
            x if (x as f32).is_infinite() => "INFINITY".to_owned(),
            x => format!("{:?}f", x as f32),
        }
    }

    fn list(&self, all: &[f64]) -> String {
        all.iter().map(|x| self.literal(*x)).collect::<Vec<_>>().join(", ")
    }

    /// Rows of an array by coordinate: the first state, this one, nothing.
    fn rows(&self, first: &[f64], this: &[f64]) -> String {
        let rows = first.iter().zip(this).flat_map(|(a, b)| [*a, *b, 0.0]).collect::<Vec<_>>();
        self.list(&rows)
    }

    fn suffix(&self) -> &'static str {
        if self.0 == "double" { "f64" } else { "f32" }
    }
}

/// A result in the driver: its C text, its text in CUDA, the pointers of a kernel.
struct DriverResult {
    declarations: String,
    c_argument: String,
    cuda_argument: String,
    kernel_arguments: Vec<String>,
    comparisons: String,
}

fn results(program: &Program, f: &Function, numbers: &Literals, what: &str) -> Vec<DriverResult> {
    let (name, real) = (&program.name, numbers.0);
    let mut all = Vec::new();
    for (k, (part, outputs)) in f.results().into_iter().enumerate() {
        let n = outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
        let (mut declarations, mut comparisons) = (String::new(), String::new());
        let mut kernel_arguments = Vec::new();
        let mut compare = |c: &str, cuda: &str, kernel: &str, n: usize| {
            let _ = write!(
                comparisons,
                "        bad += differ(\"{what}\", {c}, {cuda}, {n}, 1);\n        \
                 bad += differ(\"kernel of {what}\", {c}, {kernel} + 1, {n}, {LEADING});\n"
            );
        };
        let [mut c_argument, mut cuda_argument] = ["c", "cuda"].map(|which| format!("{which}{k}"));
        match part.returns {
            Returns::Struct { name: result, .. } => {
                let snake = to_snake_case(result);
                let _ = write!(
                    declarations,
                    "        struct {name}_{snake} c{k};\n        {name}::{result}<{real}> cuda{k};\n"
                );
                let mut start = 0;
                for (at, o) in outputs.iter().enumerate().filter(|(_, o)| !o.nodes.is_empty()) {
                    let n = o.nodes.len();
                    let _ = writeln!(declarations, "        {real} kernel{k}_{at}[{}];", n * LEADING);
                    kernel_arguments.push(format!("kernel{k}_{at}"));
                    let [c, cuda] = ["c", "cuda"].map(|w| format!("(const {real} *)&{w}{k} + {start}"));
                    compare(&c, &cuda, &format!("kernel{k}_{at}"), n);
                    start += n;
                }
                (c_argument, cuda_argument) = (format!("&c{k}"), format!("&cuda{k}"));
            }
            Returns::Array { .. } | Returns::Limited { .. } if n == 0 => {
                c_argument = "nullptr".to_owned();
                cuda_argument = format!("({real} *)nullptr");
                if matches!(part.returns, Returns::Limited { .. }) {
                    c_argument.push_str(", nullptr");
                    cuda_argument.push_str(", (int *)nullptr");
                }
            }
            returns => {
                let shape = match outputs[0].shape {
                    dqdt_graph::ir::ResultShape::Matrix(rows, columns)
                        if matches!(returns, Returns::Array { .. }) =>
                    {
                        format!("[{rows}][{columns}]")
                    }
                    _ => format!("[{n}]"),
                };
                let _ = writeln!(
                    declarations,
                    "        {real} c{k}{shape}, cuda{k}{shape}, kernel{k}[{}];",
                    n * LEADING
                );
                kernel_arguments.push(format!("kernel{k}"));
                let [c, cuda] = ["c", "cuda"].map(|which| format!("(const {real} *){which}{k}"));
                compare(&c, &cuda, &format!("kernel{k}"), n);
                if matches!(returns, Returns::Limited { .. }) {
                    let _ = writeln!(
                        declarations,
                        "        int c_acted[{n}], cuda_acted[{n}], kernel_acted[{}];",
                        n * LEADING
                    );
                    c_argument.push_str(", c_acted");
                    cuda_argument.push_str(", cuda_acted");
                    kernel_arguments.push("kernel_acted".to_owned());
                    compare("c_acted", "cuda_acted", "kernel_acted", n);
                }
            }
        }
        all.push(DriverResult { declarations, c_argument, cuda_argument, kernel_arguments, comparisons });
    }
    all
}

/// C++ text of the calls of a function for one point.
fn function_calls(
    program: &Program,
    f: &Function,
    points: &[Arguments],
    i: usize,
    numbers: &Literals,
) -> String {
    let (d, name, real) = (f.declaration, &program.name, numbers.0);
    let t = numbers.literal(points[i].t);
    let what = format!("{}@{i} of {name}", d.name);
    let all = results(program, f, numbers, &what);
    let mut out = String::from("    {\n");
    let (mut cuda_arguments, mut c_arguments, mut rows) = (String::new(), String::new(), String::new());
    for (k, a) in d.arguments.iter().enumerate() {
        let [first, this] = [0, i].map(|at| entries(program, &points[at], a.vector));
        if this.is_empty() {
            cuda_arguments.push_str(&format!(", (const {real} *)nullptr"));
            c_arguments.push_str(", nullptr");
            rows.push_str(", nullptr");
            continue;
        }
        let _ = writeln!(
            out,
            "        const {real} given{k}[] = {{{}}}, rows{k}[] = {{{}}};",
            numbers.list(&this),
            numbers.rows(&first, &this)
        );
        let _ = write!(cuda_arguments, ", given{k}");
        let _ = write!(c_arguments, ", given{k}");
        let _ = write!(rows, ", rows{k}");
    }
    all.iter().for_each(|r| out.push_str(&r.declarations));
    let joined = |texts: &dyn Fn(&DriverResult) -> Vec<String>| {
        all.iter().flat_map(texts).map(|a| format!(", {a}")).collect::<String>()
    };
    let c_results = joined(&|r| vec![r.c_argument.clone()]);
    let cuda_results = joined(&|r| vec![r.cuda_argument.clone()]);
    let kernel_results = joined(&|r| r.kernel_arguments.clone());
    let c_call = format!("{name}_{}(&c_model, {t}{c_arguments}{c_results})", d.name);
    let cuda_call = format!("{name}::{}(&model, {t}{cuda_arguments}{cuda_results})", d.name);
    let suffix = numbers.suffix();
    let verdicts = if f.is_fallible() { ", verdicts" } else { "" };
    let kernel_call = format!(
        "{name}_{}_{suffix}(model, {t}, {STATES}, {LEADING}{rows}{kernel_results}{verdicts});",
        d.name
    );
    let _ = match f.is_fallible() {
        true => write!(
            out,
            "        int verdicts[{LEADING}] = {{0}};\n        const int code = {c_call}, cuda_code = {cuda_call};\n        {kernel_call}\n        \
             bad += differ(\"verdict of {what}\", &code, &cuda_code, 1, 1) + differ(\"kernel verdict of {what}\", &code, verdicts + 1, 1, 1);\n"
        ),
        false => write!(out, "        {c_call};\n        {cuda_call};\n        {kernel_call}\n"),
    };
    all.iter().for_each(|r| out.push_str(&r.comparisons));
    out.push_str("    }\n");
    out
}

/// C++ text that compares a rollout with single steps of C.
fn rollout_calls(program: &Program, points: &[Arguments], numbers: &Literals) -> String {
    let l = &program.layout;
    let nx = l.q.len() + l.v.len() + l.z.len();
    if program.with_role(Role::StateDerivative).is_none() || nx == 0 {
        return String::new();
    }
    let (name, real, suffix) = (&program.name, numbers.0, numbers.suffix());
    let (first, this) = (&points[0], &points[1]);
    const STEPS: usize = 3;
    let nu = l.u.len();
    let u: Vec<Vec<f64>> = (0..STEPS).map(|s| this.u.iter().map(|u| u + 0.1 * s as f64).collect()).collect();
    let u_rows: Vec<String> = u.iter().map(|u| numbers.rows(&first.u, u)).collect();
    let u_given: Vec<String> = u.iter().map(|u| numbers.list(u)).collect();
    let inputs = match nu {
        0 => format!("        const {real} *u_rows = nullptr, *u_given = nullptr;\n"),
        _ => format!(
            "        const {real} u_rows[] = {{{}}}, u_given[] = {{{}}};\n",
            u_rows.join(", "),
            u_given.join(", ")
        ),
    };
    let params: Vec<f64> = l.p.iter().map(|p| p.value).collect();
    let by_parameters = match params.is_empty() {
        true => String::new(),
        false => format!(
            "        const {real} p_rows[] = {{{}}};\n        {real} own_last[{nx} * {LEADING}] = {{0}};\n        \
             {name}_rk4_rollout_by_parameters_{suffix}(p_rows, {}, {}, {STEPS}, 1, {STATES}, {LEADING}, x_rows, u_rows, own_last, nullptr, nullptr);\n        \
             bad += differ(\"rollout by parameters of {name}\", last, own_last, {nx} * {LEADING} - 1, 1);\n",
            numbers.rows(&params, &params),
            numbers.literal(this.t),
            numbers.literal(0.01)
        ),
    };
    format!(
        "    {{\n        const {real} x_rows[] = {{{}}};\n{inputs}        {real} x[] = {{{}}}, last[{nx} * {LEADING}] = {{0}}, all[{STEPS} * {nx} * {LEADING}];\n        \
         int completed[{LEADING}], steps = 0;\n        \
         {name}_rk4_rollout_{suffix}(model, {t}, {h}, {STEPS}, 1, {STATES}, {LEADING}, x_rows, u_rows, last, all, completed);\n        \
         for (; steps < {STEPS}; steps++) {{\n            \
         if ({name}_rk4_step(&c_model, {t} + {h} * ({real})steps, {h}, x, u_given + steps * {nu}) != 0) break;\n            \
         bad += differ(\"step of {name}\", x, all + steps * {nx} * {LEADING} + 1, {nx}, {LEADING});\n        }}\n        \
         bad += differ(\"steps of {name}\", &steps, completed + 1, 1, 1);\n        \
         bad += differ(\"last state of {name}\", x, last + 1, {nx}, {LEADING});\n{by_parameters}    }}\n",
        numbers.rows(&first.state(), &this.state()),
        numbers.list(&this.state()),
        t = numbers.literal(this.t),
        h = numbers.literal(0.01),
    )
}

/// C++ text of the semi-implicit Euler method by the functions of C, for one step of the rollout.
fn euler_calls(program: &Program, points: &[Arguments], numbers: &Literals) -> String {
    let l = &program.layout;
    let (nq, nv, nz) = (l.q.len(), l.v.len(), l.z.len());
    if program.with_role(Role::Rates).is_none() || nq == 0 || !l.quaternions.is_empty() {
        return String::new();
    }
    let (name, real, suffix, this) = (&program.name, numbers.0, numbers.suffix(), &points[1]);
    let (nx, h, t) = (nq + nv + nz, numbers.literal(0.01), numbers.literal(this.t));
    let [u, u_rows] = match l.u.is_empty() {
        true => [format!("        const {real} *u = nullptr;\n"), "nullptr".to_owned()],
        false => [format!("        const {real} u[] = {{{}}};\n", numbers.list(&this.u)), "u".to_owned()],
    };
    format!(
        "    {{\n{u}        const {real} start[] = {{{}}};\n        {real} x[] = {{{}}}, dx[{nx}], dq[{nq}], last[{nx}];\n        \
         {name}_semi_implicit_euler_rollout_{suffix}(model, {t}, {h}, 1, 0, 1, 1, start, {u_rows}, last, nullptr, nullptr);\n        \
         if ({name}_dqdt(&c_model, {t}, x, u, dx) == 0) {{\n            \
         for (int i = {nq}; i < {nq} + {nv}; i++) x[i] += {h} * dx[i];\n            {name}_rates(&c_model, {t}, x, dq);\n            \
         for (int i = 0; i < {nq}; i++) x[i] += {h} * dq[i];\n            for (int i = {nq} + {nv}; i < {nx}; i++) x[i] += {h} * dx[i];\n        }}\n        \
         bad += differ(\"semi-implicit step of {name}\", x, last, {nx}, 1);\n    }}\n",
        numbers.list(&this.state()),
        numbers.list(&this.state()),
    )
}

fn driver(program: &Program, points: &[Arguments], numbers: &Literals) -> String {
    let (name, real) = (&program.name, numbers.0);
    let mut out = format!(
        "#include \"{name}.h\"\n#include \"{name}.cuh\"\n#include <stdio.h>\n\n{HELPERS}int main() {{\n    int bad = 0;\n"
    );
    let _ = write!(
        out,
        "    struct {name}_model c_model;\n    {name}_model_init(&c_model, &{name}_defaults);\n    \
         const {name}::Params<{real}> params = {name}::default_params<{real}>();\n    {name}::Model<{real}> model;\n    \
         {name}::model_init(&model, &params);\n    \
         bad += differ(\"model of {name}\", (const {real} *)&c_model, (const {real} *)&model, sizeof model / sizeof({real}), 1);\n"
    );
    for i in 0..points.len() {
        functions_with_outputs(program)
            .for_each(|f| out.push_str(&function_calls(program, f, points, i, numbers)));
    }
    out.push_str(&rollout_calls(program, points, numbers));
    out.push_str(&euler_calls(program, points, numbers));
    out.push_str("    printf(\"%d numbers differ\\n\", bad);\n    return bad != 0;\n}\n");
    out
}

/// Flags for CUDA text as C++; every warning is an error.
const FLAGS: [&str; 4] = ["-std=c++14", "-Wall", "-Wextra", "-Werror"];

/// The emitted CUDA header of a program.
fn header(program: &Program) -> String {
    let options = TargetOptions::new(&languages::CUDA, []).unwrap();
    (languages::CUDA.print)(program, &options).unwrap().texts.remove(0)
}

/// C++ compilers: the default one, and clang where it is installed.
fn cpp_compilers() -> Vec<&'static str> {
    let all: Vec<&str> = ["c++", "clang++"].into_iter().filter(|name| is_installed(name)).collect();
    assert!(!all.is_empty(), "a C++ compiler");
    all
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let end = text.char_indices().nth(3000).map_or(text.len(), |(i, _)| i);
    assert!(output.status.success(), "{program} {}: {}", arguments.join(" "), &text[..end]);
    text
}

fn assert_bits_of_c(folder_name: &str, paths: impl Iterator<Item = PathBuf>, scalar: CScalar) {
    let folder = root("target").join(folder_name);
    std::fs::create_dir_all(&folder).unwrap();
    let numbers = Literals(if scalar == CScalar::Float { "float" } else { "double" });
    for path in paths {
        let program = program(&path);
        let points = sample_points(&program);
        let files = pipeline::c(&program, &COptions { scalar, steps: true, ..COptions::default() }).unwrap();
        let name = &files.name;
        for (file, text) in [
            (format!("{name}.h"), &files.header),
            (format!("{name}.c"), &files.source),
            (format!("{name}.cuh"), &header(&program)),
            (format!("{name}_driver.cpp"), &driver(&program, &points, &numbers)),
        ] {
            pipeline::write_if_changed(&folder.join(file), text).unwrap();
        }
        let object = format!("{name}.o");
        run(&folder, &compilers()[0], &["-std=c99", "-O1", "-g0", "-c", &format!("{name}.c"), "-o", &object]);
        for compiler in cpp_compilers() {
            let binary = format!("{name}-{compiler}");
            let source = format!("{name}_driver.cpp");
            run(
                &folder,
                compiler,
                &[
                    &FLAGS[..],
                    &["-O0", "-g0", "-ffp-contract=off"],
                    &[&source, &object, "-lm", "-o", &binary],
                ]
                .concat(),
            );
            let printed = run(&folder, &format!("./{binary}"), &[]);
            assert_eq!(printed, "0 numbers differ\n", "{name}, {compiler}");
        }
    }
}

#[test]
fn cuda_text_of_the_examples_has_the_bits_of_c() {
    let few = tier::cases_by_tier(14, 5);
    let every_function = root("tests/data/spec/pass/formulas.toml");
    let paths = specs().unwrap().into_iter().step_by(few).chain([every_function]);
    assert_bits_of_c("emitted-cuda", paths, CScalar::Double);
}

#[test]
fn cuda_text_over_floats_has_the_bits_of_c() {
    let few = ["quadrotor", "cart_pole", "four_bar", "bouncing_pendulum", "snakeboard"];
    let few = few.map(|name| root(&format!("examples/specs/{name}.toml")));
    assert_bits_of_c("emitted-cuda-float", few.into_iter().take(tier::cases_by_tier(1, 5)), CScalar::Float);
}

#[test]
fn names_that_mean_something_in_cuda_are_given_others() {
    let base = BaseSpec::read("tests/data/names/tree.toml");
    let words = [
        "Real",
        "real",
        "half",
        "dim3",
        "threadIdx",
        "blockDim",
        "warpSize",
        "std",
        "cuda",
        "model",
        "Model",
        "params",
        "Params",
        "p",
        "t",
        "x",
        "u",
        "y",
        "dx",
        "k",
        "n",
        "leading",
        "verdict",
        "verdicts",
        "finite",
        "again",
        "store",
        "rows",
        "Rows",
        "rate",
        "first",
        "project",
        "normalise",
        "model_init",
        "default_params",
        "sin_cos",
        "sine",
        "sin",
        "table",
        "class",
        "template",
        "typename",
        "namespace",
        "operator",
        "nullptr",
        "NX",
        "NU",
        "NMODEL",
        "nmodel",
        "check_divisor",
        "memset",
        "isfinite",
        "acted",
        "limited",
        "none",
        "fma",
        "float",
        "inline",
        "new",
        "XRows",
        "URows",
        "DxRows",
        "RAND_MAX",
        "SNAN",
    ];
    let folder = root("target").join("emitted-cuda-names");
    std::fs::create_dir_all(&folder).unwrap();
    for spec in base.covering(&words.map(str::to_owned)).into_iter().step_by(tier::cases_by_tier(4, 1)) {
        let spec = dqdt_codegen::read::parse("names.toml", spec.as_str()).unwrap();
        let loaded = pipeline::build(&spec, "names.toml").unwrap();
        let all = functions::defaults_and(&[functions::REACTIONS]);
        let program = pipeline::program(&loaded, &Request::new(dqdt_codegen::Formalism::Kane, all));
        std::fs::write(folder.join("names.cpp"), format!("{}int main() {{}}\n", header(&program))).unwrap();
        for compiler in cpp_compilers() {
            run(&folder, compiler, &[&FLAGS[..], &["-fsyntax-only", "names.cpp"]].concat());
        }
    }
}

#[test]
fn a_number_beyond_float_leaves_the_kernels_for_float_out() {
    let spec = "name = \"heavy\"\n[parameters]\nm = { value = 1e39, unit = \"kg\" }\n[bodies.b]\nmass = \"m\"\n\
        [joints.j]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\nchild = \"b\"\n";
    let loaded =
        pipeline::build(&dqdt_codegen::read::parse("heavy.toml", spec).unwrap(), "heavy.toml").unwrap();
    let program =
        pipeline::program(&loaded, &Request::new(dqdt_codegen::Formalism::Kane, functions::defaults()));
    let text = header(&program);
    assert!(text.contains("heavy_dqdt_f64(") && !text.contains("_f32("), "{text}");
    assert!(text.contains("There are no kernels for float: 1e39 is outside the range of `float`."), "{text}");
    let options = TargetOptions::new(&languages::CUDA, [("scalar", "float")]).unwrap();
    assert!((languages::CUDA.print)(&program, &options).is_err());
}

#[test]
fn the_cost_of_the_book_is_summed_over_a_rollout() {
    let page = std::fs::read_to_string(root("docs/cuda.md")).unwrap();
    let (_, block) = page.split_once("```cpp\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let program = program(&root("examples/specs/cart_pole.toml"));
    let folder = root("target").join("emitted-cuda-cost");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("cart_pole.cuh"), header(&program)).unwrap();
    // Two steps of a pole that is held upright by nothing cost nothing at the top.
    let main = "#include <stdio.h>\n\nint main() {\n    const cart_pole::Params<double> params = cart_pole::default_params<double>();\n    \
        cart_pole::Model<double> model;\n    cart_pole::model_init(&model, &params);\n    \
        const double x[] = {0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0}, u[] = {0.0, 10.0};\n    double totals[2];\n    \
        const cart_pole::Rollout<double> run = {0.0, 1e-9, 2, 0, 2};\n    \
        const cart_pole::RolloutResults<double> results = {nullptr, nullptr, nullptr, totals};\n    \
        for (int k = 0; k < 2; k++) cart_pole::rollout_of_sample<cart_pole::Rk4>(&model, run, k, x, u, results, Upright());\n    \
        printf(\"%.3f %.3f\\n\", totals[0], totals[1]);\n    return 0;\n}\n";
    std::fs::write(folder.join("cost.cpp"), format!("{block}\n{main}")).unwrap();
    let compiler = cpp_compilers()[0];
    run(&folder, compiler, &[&FLAGS[..], &["cost.cpp", "-lm", "-o", "cost"]].concat());
    // The other has x in row 0 and theta = 0, 3 in row 1 of two samples, and a force of 10 N.
    let by_hand = 12.0 * (1.0 - 3.0f64.cos()) + 2.0 * 1e-4 * 100.0;
    assert_eq!(run(&folder, "./cost", &[]), format!("0.000 {by_hand:.3}\n"));
}
