//! Misuse of emitted code gives compiler errors with helpful messages: a module for another runtime
//! version, parameters changed behind the model's back, methods that were not emitted.

use crate::compiled::{Module, check, run};
use dqdt_codegen::Config;
use dqdt_tests::root;

/// The emitted module of the cart-pole, by a build script with the given options.
fn emit_cart_pole(change: impl FnOnce(&mut Config)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new();
    config.out_dir(folder.path());
    change(&mut config);
    config.compile(&[root("examples/specs/cart_pole.toml")]).unwrap();
    std::fs::read_to_string(folder.path().join("cart_pole.rs")).unwrap()
}

fn module(source: &str, calls: &str) -> Module {
    Module { name: "cart_pole".to_owned(), source: source.to_owned(), calls: calls.to_owned() }
}

/// The compiler messages about a module and calls of it. Panics if it compiles.
fn compile_error(name: &str, source: &str, calls: &str) -> String {
    match check(name, &[module(source, calls)]) {
        Ok(()) => panic!("this compiles:\n{calls}"),
        Err(messages) => messages,
    }
}

#[test]
fn a_module_of_another_format_is_refused_with_what_to_do() {
    let source = emit_cart_pole(|_| ());
    let (before, rest) = source.split_once("::dqdt::format::<").expect("the module asks for its format");
    let (number, after) = rest.split_once(">()").unwrap();
    let number: u32 = number.parse().unwrap();
    assert_eq!(check("guard-format", &[module(&source, "")]), Ok(()));
    for other in [number - 1, number + 1] {
        let changed = format!("{before}::dqdt::format::<{other}>(){after}");
        let messages = compile_error("guard-format", &changed, "");
        assert!(messages.contains("emit it again with the matching version of `dqdt-codegen`"), "{messages}");
    }
}

#[test]
fn parameters_change_only_through_their_model() {
    let source = emit_cart_pole(|_| ());
    let messages = compile_error(
        "guard-parameters",
        &source,
        "let mut model = m::Model::<f64>::default();\nmodel.params.m_pole = 0.4;\nshow(\"\", &[model.params().m_pole]);\n",
    );
    assert!(messages.contains("E0616") && messages.contains("field `params`"), "{messages}");

    // `set_params` updates the values computed by `Model::new`.
    let calls = "let changed = m::Params { m_pole: 0.4, ..m::Params::default() };\n\
                 let mut model = m::Model::<f64>::default();\nmodel.set_params(changed);\n\
                 let x = [0.1, 0.2, 0.3, 0.4];\n\
                 for (name, model) in [(\"set\", model), (\"new\", m::Model::new(changed)), (\"old\", m::Model::default())] {\n\
                 let mut dx = [f64::NAN; m::NX];\nmodel.dqdt(0.0, &x, &[1.0], &mut dx).unwrap();\nshow(name, &dx);\n}\n";
    let values = run("guard-parameters-set", &[module(&source, calls)]);
    let values_of = |name: &str| &values[&("cart_pole".to_owned(), name.to_owned())];
    assert_eq!(values_of("set"), values_of("new"));
    assert_ne!(values_of("set"), values_of("old"));
}

/// Rust text that calls the method `dqdt` over `f32`.
const SINGLE: &str = "let model = m::Model::<f32>::default();\nlet mut dx = [f32::NAN; m::NX];\n\
                      model.dqdt(0.0, &[0.1, 0.2, 0.3, 0.4], &[1.0], &mut dx).unwrap();\n\
                      show(\"single\", &dx.map(f64::from));\n";
/// Rust text that calls the method `dqdt` over `f64`.
const DOUBLE: &str = "let model = m::Model::<f64>::default();\nlet mut dx = [f64::NAN; m::NX];\n\
                      model.dqdt(0.0, &[0.1, 0.2, 0.3, 0.4], &[1.0], &mut dx).unwrap();\nshow(\"double\", &dx);\n";

#[test]
fn methods_serve_singles_and_doubles_whichever_the_module_is_compiled_for() {
    let source = emit_cart_pole(|config| {
        config.single_precision();
    });
    assert!(source.contains("Model compiled for f32 {"), "{source}");
    let both = format!("{{\n{SINGLE}}}\n{{\n{DOUBLE}}}\n");
    let values = run("guard-single-asked", &[module(&source, &both)]);
    let values_of = |name: &str| &values[&("cart_pole".to_owned(), name.to_owned())];
    let (single, double) = (values_of("single"), values_of("double"));
    let for_doubles = emit_cart_pole(|_| ());
    assert!(for_doubles.contains("Model compiled for f64 {"));
    assert_eq!(run("guard-double-asked", &[module(&for_doubles, &both)]), values);
    let size = double.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let error = single.iter().zip(double).fold(0.0f64, |m, (a, b)| m.max((a - b).abs())) / size;
    // The error of some ten operations in 24 bits, so the values are not
    // doubles under another name.
    assert!(error < 1e-5 && error > 1e-12, "{error:e}: {single:?} against {double:?}");
}
