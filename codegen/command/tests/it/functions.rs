//! A function from outside the registry is emitted, evaluated and counted like a registered one.

use std::path::Path;

use dqdt_derivation::assemble::{Assembled, Manifold};
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{
    self, ALL, Definition, Derivation, Derive, by_name, defaults_and, in_order,
};
use dqdt_generate::pipeline;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{Arguments, FunctionOutput, Machine, count};
use dqdt_mechanics::formalism::{self, Formalism};

/// Test function: momentum and angular momentum about the origin of the whole mechanism, `∂L/∂q̇`
/// of one rigid body.
const MOMENTUM: &Definition = &Definition {
    declaration: Declaration {
        name: "momentum",
        summary: "Momentum of {mechanism} and its angular momentum about the origin, in ground axes.",
        constraints: Some(ConstraintNote::new("Of the state as it is.")),
        arguments: &[Argument::STATE],
        returns: Returns::Struct { name: "Momentum", about: "Momenta of the whole mechanism." },
        in_eval: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(|d: &Derivation<'_, '_>| {
        let env = d.environment(d.saturated_inputs());
        let momentum = formalism::momentum(d.mechanism(), &env);
        let (linear, angular) = (d.node_ids(&momentum.linear.0), d.node_ids(&momentum.angular.0));
        vec![
            FunctionOutput::vector("linear", "kg*m/s", "momentum", linear),
            FunctionOutput::vector("angular", "kg*m^2/s", "angular momentum about the origin", angular),
        ]
    }),
};

fn load(name: &str) -> Assembled {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(name);
    pipeline::load(&path).unwrap()
}

fn is_momentum_function(item: &&syn::Item) -> bool {
    matches!(item, syn::Item::Fn(f) if f.sig.ident == "momentum")
}

fn is_momentum_result(item: &&syn::Item) -> bool {
    match item {
        syn::Item::Macro(m) => {
            let macro_of_results = m.mac.path.segments.last().is_some_and(|s| s.ident == "results");
            macro_of_results && m.mac.tokens.to_string().contains("Momentum {")
        }
        _ => false,
    }
}

#[test]
fn a_function_that_is_declared_elsewhere_is_emitted_evaluated_and_counted() {
    let loaded = load("kane_two_body.toml");
    let request = Request::new(Formalism::Kane, defaults_and(&[MOMENTUM]));
    let program = pipeline::program(&loaded, &request);
    let function = program.function(MOMENTUM).expect("it was asked for");

    let module = pipeline::rust(&program).unwrap();
    let file = syn::parse_file(&module).expect("Rust");
    assert_eq!(file.items.iter().filter(is_momentum_function).count(), 1);
    assert_eq!(file.items.iter().filter(is_momentum_result).count(), 1);
    assert!(module.contains("/// Momentum of kane_two_body and its angular momentum"), "{module}");

    // The operation counts in the header.
    let cost = count(&program, function);
    assert!(cost.call.total() > 20, "{cost}");
    assert!(module.contains(&format!("// momentum: {cost}.")), "{module}");

    // The interpreter against the mechanics in doubles.
    let mut a = Arguments::defaults(&program);
    for (i, x) in a.q.iter_mut().chain(&mut a.v).enumerate() {
        *x = 0.3 + 0.1 * i as f64;
    }
    let expected =
        Manifold::with_default_parameters(&loaded.mechanism).with_environment(a.t, &a.q, &a.v, |env| {
            let momentum = formalism::momentum(&loaded.mechanism, env);
            [momentum.linear.0, momentum.angular.0].concat()
        });
    let actual = Machine::new(&program, MOMENTUM).unwrap().call(&a).unwrap().to_vec();
    for (x, y) in actual.iter().zip(&expected) {
        assert!((x - y).abs() < 1e-12 * (1.0 + y.abs()), "{actual:?} against {expected:?}");
    }

    // The command prints the function because its declaration says so.
    {
        let shown = dqdt_command::cli::evaluate_as_json(&program, &a, &[]).unwrap();
        let momentum = shown["momentum"]["linear"].as_array().expect("it is shown");
        let momentum: Vec<f64> = momentum.iter().filter_map(serde_json::Value::as_f64).collect();
        assert_eq!(momentum, actual[..3]);
    }
}

#[test]
fn every_file_of_the_folder_is_registered_under_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../derivation/src/functions");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        // The last is derived for mock-up units alone, and not offered by name.
        .filter(|name| !["mod", "tests", "joint", "output_derivatives"].contains(&name.as_str()))
        .collect();
    files.sort();
    let mut names: Vec<String> = ALL.iter().map(|f| f.name.to_owned()).collect();
    names.sort();
    assert_eq!(files, names);
    assert!(ALL.iter().all(|f| by_name(f.name) == Some(f)));
}

#[test]
fn functions_come_in_the_order_of_the_registry_each_once_and_foreign_ones_last() {
    let requested = [MOMENTUM, functions::BIAS, functions::DQDT, functions::BIAS];
    assert_eq!(in_order(&requested), [functions::DQDT, functions::BIAS, MOMENTUM]);
}

#[test]
fn no_printer_names_a_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../print/src/rust");
    let mut entries = vec![folder];
    while let Some(path) = entries.pop() {
        if path.is_dir() {
            entries.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("functions::"), "{}", path.display());
    }
}
