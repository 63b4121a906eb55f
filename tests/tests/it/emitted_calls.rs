//! Calls of all functions of an emitted Rust module at sample points, with their results printed.

use std::fmt::Write as _;

use dqdt_codegen::pipeline::{self, RustOptions};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::declaration::{Returns, Vector};
use dqdt_graph::ir::{Arguments, Function, Program, ResultShape, Taken};

fn for_each_entry(a: &mut Arguments, f: &mut dyn FnMut(&mut f64)) {
    a.q.iter_mut()
        .chain(&mut a.v)
        .chain(&mut a.z)
        .chain(&mut a.u)
        .chain(&mut a.a)
        .chain(&mut a.impulses)
        .chain(&mut a.efforts)
        .chain(&mut a.costates)
        .for_each(f);
}

/// Test points: the start, rest at zero, states around the start, one that overflows, one with NaN.
pub fn sample_points(program: &Program) -> Vec<Arguments> {
    let mut random = Random::new(11);
    let start = Arguments::defaults(program);
    let mut all = vec![start.clone()];
    for (k, size) in [0.3, 2.0, 40.0, 1e6].into_iter().enumerate() {
        let mut a = start.clone();
        a.t = 0.25 * k as f64;
        for_each_entry(&mut a, &mut |x| *x += size * random.next_between(-1.0, 1.0));
        all.push(a);
    }
    let mut zero = start.clone();
    for_each_entry(&mut zero, &mut |x| *x = 0.0);
    let mut huge = start.clone();
    for_each_entry(&mut huge, &mut |x| *x = 1e200);
    let mut nan = start;
    if let Some(x) = nan.q.last_mut().or(nan.v.last_mut()) {
        *x = f64::NAN;
    }
    all.extend([zero, huge, nan]);
    all
}

pub fn entries(program: &Program, point: &Arguments, vector: Vector) -> Vec<f64> {
    match vector {
        Vector::State => point.state(),
        Vector::Coordinates => point.q.clone(),
        Vector::Speeds => point.v.clone(),
        Vector::Accelerations => point.a.clone(),
        Vector::IndependentAccelerations => {
            program.layout.independent_speeds.iter().map(|i| point.a[*i]).collect()
        }
        Vector::DrivenAccelerations => program.layout.driven_speeds.iter().map(|i| point.a[*i]).collect(),
        Vector::Inputs => point.u.clone(),
        Vector::Impulses => point.impulses.clone(),
        Vector::Efforts => point.efforts.clone(),
        Vector::Contacts => point.contacts.clone(),
        Vector::Costates => point.costates.clone(),
    }
}

pub fn functions_with_outputs(program: &Program) -> impl Iterator<Item = &Function> {
    program.functions.iter().filter(|f| !f.outputs.is_empty())
}

/// Variable name of the `k`-th part of a result, distinct from all other names.
pub fn place(k: usize) -> String {
    format!("result{k}")
}

/// Rust text of all calls; it prints a line per function and point: error code, values.
pub fn rust_calls(program: &Program, points: &[Arguments], scalar: &str) -> String {
    let number = |x: &f64| match *x {
        x if x.is_nan() => format!("{scalar}::NAN"),
        x if scalar == "f64" => format!("{x:?}"),
        x if (x as f32).is_infinite() => "f32::INFINITY".to_owned(),
        x => format!("{:?}", x as f32),
    };
    let mut out = format!("let model = m::Model::<{scalar}>::new(m::Params::default());\n");
    for (i, point) in points.iter().enumerate() {
        for f in functions_with_outputs(program) {
            let d = f.declaration;
            let _ = write!(out, "{{\nlet mut values: Vec<{scalar}> = Vec::new();\n");
            let mut call = format!("m::{}(&model, {}", d.name, number(&point.t));
            for a in d.arguments {
                let numbers: Vec<_> = entries(program, point, a.vector).iter().map(number).collect();
                let _ = write!(call, ", &[{}]", numbers.join(", "));
            }
            let mut after = String::new();
            for (k, (part, outputs)) in f.results().into_iter().enumerate() {
                let (y, n) = (place(k), outputs.iter().map(|o| o.nodes.len()).sum::<usize>());
                let _ = write!(call, ", &mut {y}");
                match part.returns {
                    Returns::Struct { name, .. } => {
                        let _ = writeln!(out, "let mut {y} = m::{name}::<{scalar}>::default();");
                        let mut taken = Taken::default();
                        for o in outputs {
                            let field = taken.make_unique(&o.name);
                            let _ = match o.shape {
                                ResultShape::Scalar => writeln!(after, "values.push({y}.{field});"),
                                ResultShape::Vector(_) => writeln!(after, "values.extend({y}.{field});"),
                                ResultShape::Matrix(..) => {
                                    writeln!(after, "values.extend({y}.{field}.as_flattened());")
                                }
                            };
                        }
                    }
                    Returns::Array { dims: [_, _], .. } => {
                        let ResultShape::Matrix(rows, columns) = outputs[0].shape else {
                            panic!("{}", d.name)
                        };
                        let _ = writeln!(out, "let mut {y} = [[0.0 as {scalar}; {columns}]; {rows}];");
                        let _ = writeln!(after, "values.extend({y}.as_flattened());");
                    }
                    _ => {
                        let _ = writeln!(out, "let mut {y} = [0.0 as {scalar}; {n}];");
                        let _ = writeln!(after, "values.extend({y});");
                    }
                }
            }
            let names: Vec<&str> = f.checks.iter().map(|c| c.name.as_str()).collect();
            if matches!(d.returns, Returns::Limited { .. }) {
                let _ = write!(out, "let acted = {call});\nvalues.push(0.0);\n{after}");
                let _ = writeln!(out, "values.extend(acted.map(|a| {scalar}::from(u8::from(a))));");
            } else {
                let _ = write!(
                    out,
                    "let code = {call}).code(&{names:?});\nvalues.push(code as {scalar});\n{after}"
                );
            }
            let _ = write!(
                out,
                "show(\"{}@{i}\", &values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());\n}}\n",
                d.name
            );
        }
    }
    out
}

/// The Rust module of a program, with or without fused operations.
pub fn rust_module(program: &Program, fused: bool) -> String {
    pipeline::rust_with(program, &RustOptions { unfused: !fused, ..RustOptions::default() }).unwrap()
}
