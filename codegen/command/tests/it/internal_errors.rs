//! Internal errors as reported to users. Each test breaks an invariant on purpose.

use std::path::Path;

use dqdt_codegen::Config;
use dqdt_derivation::derive::{Definition, Derivation, Derive, Request};
use dqdt_derivation::functions;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns, Vector};
use dqdt_graph::ir::{FunctionOutput, Program, ResultShape, rebuild};
use dqdt_mechanics::formalism::Formalism;
use dqdt_targets::COptions;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/cart_pole.toml");

/// A function that declares one value per coordinate, but computes a single value.
const TOO_SHORT: &Definition = &Definition {
    declaration: Declaration {
        name: "too_short",
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "dq", dims: &[Vector::Coordinates] },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(|d: &Derivation<'_, '_>| {
        let output = FunctionOutput::vector("rates", "", "", d.node_ids(&d.coordinate_rates()[..1]));
        vec![FunctionOutput { shape: ResultShape::Vector(2), ..output }]
    }),
};

fn cart_pole() -> Program {
    let loaded = pipeline::load(Path::new(SPEC)).unwrap();
    pipeline::program(&loaded, &Request::new(Formalism::Kane, vec![functions::DQDT]))
}

/// A message without the line number of the source file.
fn without_line(message: &str) -> String {
    let (before, rest) = message.split_once(".rs:").unwrap();
    format!("{before}.rs{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
}

fn first_line(errors: &Errors) -> String {
    let text = without_line(&errors.to_string());
    text.lines().next().unwrap().to_owned()
}

#[test]
fn an_internal_error_asks_for_a_report_and_leaves_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("cart_pole.rs");
    std::fs::write(&module, "// the last good code").unwrap();
    let error = Config::new().functions([TOO_SHORT]).out_dir(folder.path()).compile(&[SPEC]).unwrap_err();
    let expected = "\
error[internal-error]: internal error, please report: output `rates` of function `too_short` needs 2 values, but has 1 (at codegen/graph/src/ir/consistency.rs)
 |
 = help: this is a bug in the generator, not an error in the spec: report it with this message and the spec at https://github.com/dqdt/dqdt/issues

";
    assert_eq!(without_line(&error.to_string()), expected);
    assert_eq!(std::fs::read_to_string(&module).unwrap(), "// the last good code");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no other file");
}

fn cart_pole_without_inputs() -> Program {
    let mut program = cart_pole();
    program.layout.u.clear();
    program
}

#[test]
fn a_function_that_takes_what_is_no_argument_of_it_is_not_printed() {
    let rust = pipeline::rust(&cart_pole_without_inputs()).unwrap_err();
    let c = dqdt_targets::c(&cart_pole_without_inputs(), &COptions::default()).unwrap_err();
    let what = "error[internal-error]: internal error, please report:";
    let expected = format!(
        "{what} a function uses a symbol that is not one of its arguments (at codegen/print/src/rust/scope.rs)"
    );
    assert_eq!(first_line(&rust), expected);
    let expected = format!(
        "{what} an entry of an argument has no name in the emitted code (at codegen/targets/src/c/scope.rs)"
    );
    assert_eq!(first_line(&c), expected);
}

#[test]
fn a_pass_that_drops_a_value_in_use_ends_in_an_internal_error() {
    let program = cart_pole();
    let broken = rebuild(&program, |_, _, _, _| None);
    let reported = first_line(&pipeline::rust(&broken).unwrap_err());
    assert!(
        reported.ends_with("a graph pass uses a node that was not copied to the new graph (at codegen/graph/src/ir/rebuild.rs)"),
        "{reported}"
    );
}

#[test]
fn a_call_of_several_functions_has_the_outputs_of_all() {
    let loaded = pipeline::load(Path::new(SPEC)).unwrap();
    let joint = functions::joint(&[functions::DQDT, functions::OUTPUTS]).unwrap();
    let mut program = pipeline::program(&loaded, &Request::new(Formalism::Kane, vec![joint]));
    assert!(pipeline::rust(&program).is_ok());
    program.functions[0].parts.pop();
    let reported = first_line(&pipeline::rust(&program).unwrap_err());
    assert!(
        reported.contains("the parts of joint function `dqdt_and_outputs` do not match its outputs"),
        "{reported}"
    );
}
