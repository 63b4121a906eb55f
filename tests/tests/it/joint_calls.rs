//! Joint calls (several functions in one), emitted, compiled and run: the same
//! bits as single calls.

use dqdt_codegen::functions::{self, Definition, joint};
use dqdt_codegen::pipeline;
use dqdt_codegen::pipeline::FormalismChoice;
use dqdt_codegen::pipeline::Request;
use dqdt_graph::ir::Program;
use dqdt_tests::root;

use crate::compiled::{Module, run};

/// Rust text that passes a result to `show`.
fn show_argument(program: &Program, name: &str, place: &str) -> String {
    let f = program.functions.iter().find(|f| f.declaration.name == name).unwrap();
    let fields: Vec<String> = f
        .outputs
        .iter()
        .map(|o| match o.shape {
            dqdt_graph::ir::ResultShape::Scalar => format!("&[{place}.{}][..]", o.name),
            _ => format!("&{place}.{}[..]", o.name),
        })
        .collect();
    format!("&[{}].concat()", fields.join(", "))
}

fn to_bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
}

#[test]
fn compiled_joint_calls_give_the_bits_of_the_single_calls() {
    use functions::{DQDT, MULTIPLIERS, OUTPUTS, REACTIONS};
    let cases: [(&str, &[&'static Definition]); 3] = [
        ("double_pendulum", &[DQDT, OUTPUTS]),
        ("four_bar", &[DQDT, MULTIPLIERS, REACTIONS]),
        ("panda_arm", &[OUTPUTS, DQDT]),
    ];
    let modules: Vec<Module> = cases
        .iter()
        .map(|(name, parts)| {
            let loaded = pipeline::load(&root(&format!("examples/specs/{name}.toml"))).unwrap();
            let formalism =
                pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
            let both = joint(parts).unwrap();
            let functions = functions::defaults_and(&[REACTIONS, both]);
            let program = pipeline::program(&loaded, &Request::new(formalism, functions));
            let mut calls = String::from(
                "let model = m::Model::<f64>::default();\nlet t = 0.37;\nlet mut x = m::START;\n\
                 for (i, x) in x.iter_mut().enumerate() { *x += 0.01 * (i % 5) as f64; }\n\
                 let u = [0.25; m::NU];\nlet mut dx = [f64::NAN; m::NX];\n",
            );
            let mut places = Vec::new();
            for part in *parts {
                let name = part.name;
                if *part == DQDT {
                    places.push("&mut dx".to_owned());
                    calls.push_str("model.dqdt(t, &x, &u, &mut dx).done();\nshow(\"single\", &dx);\n");
                    continue;
                }
                let dqdt_graph::ir::declaration::Returns::Struct { name: ty, .. } = part.returns else {
                    panic!("{name}")
                };
                let values = show_argument(&program, name, name);
                calls.push_str(&format!(
                    "let mut {name} = m::{ty}::default();\nmodel.{name}(t, &x, &u, &mut {name}).done();\n\
                     show(\"single_{name}\", {values});\n{name} = m::{ty}::default();\n"
                ));
                places.push(format!("&mut {name}"));
            }
            calls.push_str("dx = [f64::NAN; m::NX];\n");
            calls.push_str(&format!("model.{}(t, &x, &u, {}).done();\n", both.name, places.join(", ")));
            calls.push_str("show(\"joint\", &dx);\n");
            for part in parts.iter().filter(|p| **p != DQDT) {
                let values = show_argument(&program, part.name, part.name);
                calls.push_str(&format!("show(\"joint_{}\", {values});\n", part.name));
            }
            Module { name: (*name).to_owned(), source: pipeline::rust(&program).unwrap(), calls }
        })
        .collect();
    let values = run("joint-calls", &modules);
    let mut compared = 0;
    for ((module, function), single) in values.iter().filter(|((_, f), _)| f.starts_with("single")) {
        let joined = &values[&(module.clone(), function.replace("single", "joint"))];
        assert_eq!(to_bits(single), to_bits(joined), "{module} {function}");
        assert!(
            single.iter().any(|x| *x != 0.0) && single.iter().all(|x| x.is_finite()),
            "{module} {function}"
        );
        compared += 1;
    }
    assert_eq!(compared, 7);
}
