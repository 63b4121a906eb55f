//! The added target language `python`.

use std::process::Command;

use dqdt_derivation::derive::Request;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Machine, Program, SymbolKind};
use dqdt_mechanics::formalism::Formalism;
use dqdt_print::target::{TargetError, TargetOptions};
use dqdt_targets::{TARGETS, target_by_name};

use crate::{assert_close, example};

/// The Python module printed for a program.
fn print(program: &Program, options: &TargetOptions) -> String {
    let python = target_by_name("python").unwrap_or_else(|| panic!("no such target"));
    (python.print)(program, options).unwrap_or_else(|e| panic!("{e:?}")).texts.concat()
}

/// Runs a Python program. Returns its output.
fn python(program: &str) -> String {
    let output = Command::new("python3").args(["-c", program]).output().unwrap_or_else(|e| panic!("{e}"));
    let [stdout, errors] = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    assert!(output.status.success(), "{errors}");
    stdout
}

/// State, inputs and parameters away from the start, and the same values as Python text.
fn arguments(program: &Program) -> (Arguments, String) {
    let mut at = Arguments::defaults(program);
    at.t = 0.3;
    let mut entries = Vec::new();
    let mut fill = |values: &mut Vec<f64>, kind: &dyn Fn(usize) -> SymbolKind, scale: f64| {
        for (i, x) in values.iter_mut().enumerate() {
            *x += scale * (0.7 + i as f64).sin();
            entries.push(format!("'{:?}': {x:?}", kind(i)));
        }
    };
    fill(&mut at.q, &SymbolKind::Coordinate, 0.4);
    fill(&mut at.v, &SymbolKind::Speed, 0.9);
    fill(&mut at.z, &SymbolKind::State, 0.5);
    fill(&mut at.u, &SymbolKind::Input, 1.5);
    let text = format!("{:?}, {:?}, {{{}}}", at.p, at.t, entries.join(", "));
    (at, text)
}

#[test]
fn python_evaluates_what_the_interpreter_does() {
    for name in ["cart_pole", "double_pendulum", "four_bar", "rolling_disc", "furuta_pendulum"] {
        let program = pipeline::program(&example(name), &Request::all(Formalism::Kane));
        let (at, call) = arguments(&program);
        let printed = print(&program, &TargetOptions::default());
        for (_, function) in program.emitted() {
            let declaration = function.declaration;
            let vectors = ["x", "u"];
            if declaration.arguments.iter().any(|a| !vectors.contains(&a.name)) {
                continue;
            }
            let expected = Machine::new(&program, declaration).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
            let Some(Ok(expected)) = expected else { panic!("{name}: {}", declaration.name) };
            let program = format!(
                "{printed}\nfor values in {}({call}).values():\n    for x in values: print(repr(float(x)))\n",
                declaration.name
            );
            let values: Vec<f64> =
                python(&program).lines().map(|line| line.parse().unwrap_or(f64::NAN)).collect();
            assert_close(&values, &expected, &format!("{name}: {}", declaration.name));
        }
    }
}

#[test]
fn what_is_not_finite_does_not_raise() {
    let spec = crate::build(
        &(crate::pendulum("type = \"revolute\"\naxis = \"z\"")
            + "[outputs]\nabove = \"1/pin\"\nbelow = \"-2/(pin*pin)\"\nnone = \"pin/pin_dot\"\nroot = \"sqrt(pin - 1)\"\ngrown = \"exp(pin + 1000)\"\n\
               endless = \"1/(pin - pin)\"\nnowhere = \"(pin - pin)/(pin - pin)\"\n"),
    );
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let printed = print(&program, &TargetOptions::default());
    let at = "[0.0] * 99, 0.0, __import__(\"collections\").defaultdict(float)";
    let call = format!("{printed}\nprint([x for values in outputs({at}).values() for x in values])\n");
    assert_eq!(python(&call).trim(), "[inf, -inf, nan, nan, inf, inf, nan]");
}

#[test]
fn a_table_is_constant_beside_its_knots() {
    let text = crate::pendulum("type = \"revolute\"\naxis = \"z\"")
        + "[tables]\ncurve = { x = [0, 1, 2], y = [1, 3, 2], x_unit = \"rad\" }\n[outputs]\nvalue = \"curve(pin)\"\n";
    let program = pipeline::program(&crate::build(&text), &Request::all(Formalism::Kane));
    let printed = print(&program, &TargetOptions::default());
    let (mut at, _) = arguments(&program);
    let named = program.emitted().map(|(_, f)| f.declaration).find(|d| d.name == "outputs");
    let outputs = named.unwrap_or_else(|| panic!("no outputs"));
    for x in [-0.5, 0.0, 0.4, 1.0, 1.7, 2.0, 2.5, f64::INFINITY] {
        at.q.fill(x);
        let expected = Machine::new(&program, outputs).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
        let Some(Ok(expected)) = expected else { panic!("no outputs") };
        let angle = if x.is_finite() { format!("{x:?}") } else { "math.inf".to_owned() };
        let at = format!("[0.0] * 99, 0.0, __import__(\"collections\").defaultdict(lambda: {angle})");
        let values = python(&format!("{printed}\nprint(outputs({at})[\"value\"][0])\n"));
        assert_eq!(values.trim().parse::<f64>().ok(), expected.first().copied(), "at {x}");
    }
}

#[test]
fn it_stands_among_the_targets_and_its_options_are_checked() {
    assert!(TARGETS.iter().any(|target| target.name == "python"));
    let python = target_by_name("python").unwrap_or_else(|| panic!("no such target"));
    let short = TargetOptions::new(python, [("docs", "none")]).unwrap_or_else(|e| panic!("{e:?}"));
    let program = pipeline::program(&example("cart_pole"), &Request::all(Formalism::Kane));
    assert!(print(&program, &short).len() < print(&program, &TargetOptions::default()).len());
    for (name, word, expected) in [
        ("scalar", "float", "Python accepts only docs"),
        ("docs", "short", "`short` is not an accepted value; use one of long, none"),
    ] {
        let error = TargetOptions::new(python, [(name, word)]);
        let Err(TargetError::Option { message, .. }) = error else { panic!("{error:?}") };
        assert_eq!(message, expected);
    }
}
