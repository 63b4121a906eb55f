//! Integration steps and state differences in emitted C have the same bits as in the Rust runtime:
//! with and without inputs, with and without quaternions, under the sanitisers.

use dqdt_codegen::pipeline::FormalismChoice;
use std::fmt::Write as _;

use crate::c_compilers::{compile, compilers, run_driver, sanitisers};
use crate::compiled::{self, Module};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, COptions, Request};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Program};
use dqdt_samples::tier;
use dqdt_tests::root;

struct StepCase {
    program: Program,
    /// State, inputs and step size of each test point.
    points: Vec<(Vec<f64>, Vec<f64>, f64)>,
}

fn case(name: &str) -> StepCase {
    let loaded = pipeline::load(&root(&format!("examples/specs/{name}.toml"))).unwrap();
    let all = vec![functions::DQDT, functions::RATES, functions::DQDT_DERIVATIVES];
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &all).unwrap();
    let program = pipeline::program(&loaded, &Request::new(formalism, all));
    let mut random = Random::new(5);
    let start = Arguments::defaults(&program);
    let mut points = vec![(start.state(), start.u.clone(), 0.01)];
    for h in [0.001, 0.02, 0.1] {
        let x = start.state().iter().map(|x| x + random.next_between(-0.4, 0.4)).collect();
        let u = start.u.iter().map(|u| u + random.next_between(-1.0, 1.0)).collect();
        points.push((x, u, h));
    }
    StepCase { program, points }
}

fn list(x: &[f64]) -> String {
    x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// Number of entries of a state difference.
fn differences(p: &Program) -> usize {
    let l = &p.layout;
    l.q.len() + l.v.len() + l.z.len() - l.quaternions.len()
}

fn rust_calls(c: &StepCase) -> String {
    let n = differences(&c.program);
    let mut out =
        "use dqdt::{differences as d, discrete as s, System};\nlet model = m::Model::<f64>::default();\n\
                   const E: &[usize] = <m::Model<f64> as System<f64, { m::NX }, { m::NU }>>::QUATERNIONS;\n"
            .to_owned();
    for (i, (x, u, h)) in c.points.iter().enumerate() {
        let _ = write!(
            out,
            "{{\nlet x: [f64; m::NX] = [{}];\nlet u: [f64; m::NU] = [{}];\nlet mut y = x;\n\
             let code = f64::from(u8::from(dqdt::rk4_step(&model, 0.3, {h:?}, &mut y, &u).is_err()));\n\
             show(\"rk4_step@{i}\", &[&[code], &y[..]].concat());\n\
             let flat = |s: &s::Step<f64, {{ m::NX }}, {{ m::NU }}>| [&s.x[..], s.by_state.as_flattened(), s.by_input.as_flattened()].concat();\n\
             let step = s::rk4_step_derivatives(&model, 0.3, {h:?}, &x, &u).unwrap();\n\
             show(\"derivatives@{i}\", &flat(&step));\n\
             let (step, correction) = s::implicit_midpoint_step(&model, 0.3, {h:?}, &x, &u, 3).unwrap();\n\
             show(\"midpoint@{i}\", &[&flat(&step)[..], &[correction]].concat());\n\
             let delta: [f64; {n}] = core::array::from_fn(|k| 0.1 * (k as f64) - 0.2);\n\
             let moved = d::plus(&x, &delta, E);\nshow(\"plus@{i}\", &moved);\n\
             let back: [f64; {n}] = d::minus(&moved, &x, E);\nshow(\"minus@{i}\", &back);\n\
             let e: [[f64; {n}]; m::NX] = d::plus_derivative(&x, E);\nshow(\"plus_derivative@{i}\", e.as_flattened());\n\
             let e: [[f64; m::NX]; {n}] = d::minus_derivative(&x, E);\nshow(\"minus_derivative@{i}\", e.as_flattened());\n}}\n",
            list(x),
            list(u)
        );
    }
    out
}

fn driver(c: &StepCase, p: &str) -> String {
    let (nx, nu) = (c.points[0].0.len(), c.points[0].1.len());
    let upper = p.to_uppercase();
    let inputs = |name: &str| match nu {
        0 => String::new(),
        _ => format!("        show({name}.by_input, {});\n", nx * nu),
    };
    let mut out = format!(
        "#include \"{p}.h\"\n#include <stdio.h>\n\nstatic void show(const void *at, int n) {{\n    const double *values = at;\n    \
         for (int i = 0; i < n; i++) printf(\" %.17g\", values[i]);\n}}\n\nint main(void) {{\n    struct {p}_model model;\n    \
         {p}_model_init(&model, &{p}_defaults);\n"
    );
    for (i, (x, u, h)) in c.points.iter().enumerate() {
        let inputs_declaration = match nu {
            0 => "        const double *u = 0;\n".to_owned(),
            _ => format!("        const double u[] = {{{}}};\n", list(u)),
        };
        let _ = write!(
            out,
            "    {{\n        const double x[] = {{{}}};\n{inputs_declaration}        double y[{nx}], delta[{upper}_NDX], back[{upper}_NDX], correction;\n        \
             double plus[{nx}][{upper}_NDX], minus[{upper}_NDX][{nx}];\n        struct {p}_step step;\n        \
             for (int k = 0; k < {nx}; k++) y[k] = x[k];\n        \
             printf(\"rk4_step@{i} %d\", {p}_rk4_step(&model, 0.3, {h:?}, y, u) != 0);\n        show(y, {nx});\n        \
             if ({p}_rk4_step_derivatives(&model, 0.3, {h:?}, x, u, &step) != 0) return 2;\n        \
             printf(\"\\nderivatives@{i}\");\n        show(step.x, {nx});\n        show(step.by_state, {});\n{}        \
             if ({p}_implicit_midpoint_step(&model, 0.3, {h:?}, x, u, 3, &step, &correction) != 0) return 3;\n        \
             printf(\"\\nmidpoint@{i}\");\n        show(step.x, {nx});\n        show(step.by_state, {});\n{}        show(&correction, 1);\n        \
             for (int k = 0; k < {upper}_NDX; k++) delta[k] = 0.1 * (double)k - 0.2;\n        \
             {p}_plus(x, delta, y);\n        printf(\"\\nplus@{i}\");\n        show(y, {nx});\n        \
             {p}_minus(y, x, back);\n        printf(\"\\nminus@{i}\");\n        show(back, {upper}_NDX);\n        \
             {p}_plus_derivative(x, plus);\n        printf(\"\\nplus_derivative@{i}\");\n        show(plus, {nx} * {upper}_NDX);\n        \
             {p}_minus_derivative(x, minus);\n        printf(\"\\nminus_derivative@{i}\");\n        show(minus, {nx} * {upper}_NDX);\n        \
             printf(\"\\n\");\n    }}\n",
            list(x),
            nx * nx,
            inputs("step"),
            nx * nx,
            inputs("step"),
        );
    }
    out.push_str("    return 0;\n}\n");
    out
}

#[test]
fn steps_and_differences_of_c_have_the_bits_of_rust() {
    let names = ["cart_pole", "quadrotor", "four_bar", "double_pendulum", "spinning_satellite_with_wheel"];
    let names = names.iter().skip(tier::cases_by_tier(3, 0));
    let cases: Vec<StepCase> = names.map(|name| case(name)).collect();
    assert!(cases.iter().any(|c| !c.program.layout.quaternions.is_empty()));
    assert!(cases.iter().any(|c| c.program.layout.u.is_empty()));
    let modules: Vec<Module> = cases
        .iter()
        .map(|c| Module {
            name: c.program.name.clone(),
            source: pipeline::rust(&c.program).unwrap(),
            calls: rust_calls(c),
        })
        .collect();
    let rust = compiled::run("c-steps-rust", &modules);
    let folder = root("target").join("c-steps");
    std::fs::create_dir_all(&folder).unwrap();
    let mut compared = 0;
    for case in &cases {
        let files = pipeline::c(&case.program, &COptions { steps: true, ..COptions::default() }).unwrap();
        for (file, text) in [
            (format!("{}.h", files.name), &files.header),
            (format!("{}.c", files.name), &files.source),
            (format!("{}_driver.c", files.name), &driver(case, &files.name)),
        ] {
            pipeline::write_if_changed(&folder.join(file), text).unwrap();
        }
        for compiler in compilers() {
            let sanitiser_flags = sanitisers(&compiler, &folder);
            let options = [&["-O1", "-g0"][..], sanitiser_flags.as_ref().map_or(&[], |s| &s[..])].concat();
            for (what, actual) in run_driver(&compile(&compiler, &folder, &files.name, &options)) {
                let expected = &rust[&(case.program.name.clone(), what.clone())];
                assert_eq!(actual.len(), expected.len(), "{what} of {}", files.name);
                for (k, (x, y)) in actual.iter().zip(expected).enumerate() {
                    assert!(
                        x.to_bits() == y.to_bits(),
                        "{compiler}, {what} of {}, number {k}: {x:?} in C, {y:?} in Rust",
                        files.name
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > tier::cases_by_tier(1000, 4000), "{compared}");
}
