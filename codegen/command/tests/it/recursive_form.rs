//! Equations with intermediate variables: printed pages are parsed and evaluated, and agree with
//! the program to all digits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::page::{Equation, Tables, evaluate_equations, of_latex, of_terminal, tables};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_document::report::{Math, Report};
use dqdt_equations::inspect::{self, Form, View};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_graph::plan::Plan;
use dqdt_mechanics::formalism::Formalism;
use dqdt_print as print;
use dqdt_samples::tier::cases_by_tier;
use dqdt_view::report;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs")
}

fn load(name: &str) -> Assembled {
    pipeline::load(&examples().join(format!("{name}.toml"))).unwrap()
}

fn page(loaded: &Assembled, formalism: Formalism) -> Report {
    let view = View { forms: vec![Form::Recursive], parts: Vec::new() };
    inspect::report(loaded, formalism, &mut |_| panic!("no closed form is asked for"), None, &view)
}

fn program(loaded: &Assembled, formalism: Formalism) -> Program {
    pipeline::program(loaded, &Request::new(formalism, functions::defaults()))
}

fn displace(x: &mut f64, i: usize, by: f64) {
    *x += by * (1.0 + (i as f64 * 0.7).sin())
}

/// The start state, slightly displaced so that nothing vanishes. Quaternions and constraints need
/// not be satisfied.
fn state(program: &Program) -> Arguments {
    let mut a = Arguments::defaults(program);
    a.t = 0.3;
    a.q.iter_mut().enumerate().for_each(|(i, x)| displace(x, i, 0.05));
    a.v.iter_mut().enumerate().for_each(|(i, x)| displace(x, i, 0.3));
    a.z.iter_mut().enumerate().for_each(|(i, x)| displace(x, i, 0.2));
    a.u.iter_mut().enumerate().for_each(|(i, x)| displace(x, i, 0.4));
    a
}

/// Printed symbols of the state and their values; `print` formats a symbol for the target.
fn known_values(program: &Program, a: &Arguments, print: fn(&Math) -> String) -> BTreeMap<String, f64> {
    let l = &program.layout;
    let lists = [(&l.q, &a.q), (&l.v, &a.v), (&l.z, &a.z), (&l.u, &a.u)];
    let all = lists.into_iter().flat_map(|(slots, values)| std::iter::zip(slots, values));
    let named = all.map(|(slot, x)| (print(&Math::identifier(&slot.name)), *x));
    named.chain([("t".to_owned(), a.t)]).collect()
}

/// Largest relative difference of accelerations and rates between a page and the program.
fn worst_difference(
    program: &Program,
    equations: &[Equation],
    tables: &Tables,
    a: &Arguments,
    print: fn(&Math) -> String,
) -> f64 {
    let values = evaluate_equations(equations, known_values(program, a, print), tables);
    let mut machine = Machine::new(program, functions::DQDT).unwrap();
    let dx = machine.call(a).unwrap().to_vec();
    let size = dx.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    let l = &program.layout;
    let rates = l.q.iter().map(|s| format!("{}_dot", s.name));
    let accelerations = l.v.iter().map(|s| inspect::acceleration_name(&s.name));
    let names = rates.chain(accelerations).chain(l.z.iter().map(|s| format!("{}_dot", s.name)));
    let mut worst: f64 = 0.0;
    for (name, x) in names.zip(&dx) {
        let symbol = print(&Math::identifier(&name));
        let printed =
            values.get(&symbol).unwrap_or_else(|| panic!("{}: {symbol} is not on the page", program.name));
        worst = worst.max((printed - x).abs() / size);
    }
    worst
}

fn difference_of_page(loaded: &Assembled, formalism: Formalism) -> f64 {
    let (text, program) = (report::print_text(&page(loaded, formalism), 100), program(loaded, formalism));
    worst_difference(&program, &of_terminal(&text), &tables(&text), &state(&program), Math::text)
}

fn difference_of_article(loaded: &Assembled, formalism: Formalism) -> f64 {
    let (article, program) = (report::print_latex(&page(loaded, formalism)), program(loaded, formalism));
    worst_difference(&program, &of_latex(&article), &Tables::new(), &state(&program), Math::latex)
}

fn all_examples() -> Vec<String> {
    let files = std::fs::read_dir(examples()).unwrap().map(|e| e.unwrap().path());
    let specs = files.filter(|p| p.extension().is_some_and(|e| e == "toml"));
    let mut names: Vec<String> =
        specs.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn subscript_digit(i: usize) -> char {
    "₀₁₂₃₄₅₆₇".chars().nth(i).unwrap()
}

#[test]
fn the_printed_mass_matrix_of_a_panda_has_the_digits_of_eval() {
    let loaded = load("panda_arm");
    let (report, program) = (page(&loaded, Formalism::Kane), program(&loaded, Formalism::Kane));
    let a = state(&program);
    let mass = Machine::new(&program, functions::MASS_MATRIX).unwrap().call(&a).unwrap().to_vec();
    let text = report::print_text(&report, 100);
    assert!(!text.contains("not shown"));
    let printed = [
        evaluate_equations(&of_terminal(&text), known_values(&program, &a, Math::text), &Tables::new()),
        evaluate_equations(
            &of_latex(&report::print_latex(&report)),
            known_values(&program, &a, Math::latex),
            &Tables::new(),
        ),
    ];
    for i in 1..=7 {
        for j in i..=7 {
            let expected = mass[(i - 1) * 7 + j - 1];
            let names = [format!("M{}{}", subscript_digit(i), subscript_digit(j)), format!("M_{{{i}{j}}}")];
            for (values, name) in printed.iter().zip(names) {
                let value = values.get(&name).unwrap_or_else(|| panic!("{name} is not on the page"));
                assert!((value - expected).abs() < 1e-14, "{name} = {value}, eval {expected}");
            }
        }
    }
    assert_eq!(format!("{:.13}", printed[0]["M₁₂"]), format!("{:.13}", mass[1]));
}

#[test]
fn printed_pages_of_all_examples_compute_what_the_programs_compute() {
    for name in all_examples().into_iter().step_by(cases_by_tier(3, 1)) {
        let loaded = load(&name);
        let error = difference_of_page(&loaded, Formalism::Kane);
        assert!(error < 1e-9, "{name}: {error:e}");
    }
}

#[test]
fn printed_pages_of_other_formalisms_do_so_too() {
    let names = ["four_bar", "quadrotor", "kane_two_body", "panda_arm", "chain10"];
    for name in names.into_iter().take(cases_by_tier(2, 5)) {
        let Ok(loaded) = pipeline::load(&examples().join(format!("{name}.toml"))) else { continue };
        for formalism in
            [Formalism::ArticulatedBody, Formalism::Mixed, Formalism::Extended, Formalism::Momentum]
        {
            let error = difference_of_page(&loaded, formalism);
            assert!(error < 1e-9, "{name}, {}: {error:e}", formalism.name());
        }
    }
}

#[test]
fn latex_says_the_same() {
    for name in ["panda_arm", "kane_two_body", "four_bar"] {
        let error = difference_of_article(&load(name), Formalism::Kane);
        assert!(error < 1e-9, "{name}: {error:e}");
    }
}

/// Comments of each function in an emitted module, as pairs (function, comment).
fn collect_comments(module: &str) -> BTreeSet<(String, String)> {
    let mut function = String::new();
    let mut comments = BTreeSet::new();
    for line in module.lines() {
        let line = line.trim_start();
        let start = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("fn "));
        if let Some(start) = start {
            function = start.split(['<', '(']).next().unwrap().to_owned();
            if function == "new" {
                function = "Model::new".to_owned();
            }
            // A function without statements before its results has no comment.
            comments.insert((function.clone(), String::new()));
        } else if let Some(comment) = line.strip_prefix("// ") {
            comments.insert((function.clone(), comment.to_owned()));
        }
    }
    comments
}

fn split_heading(line: &str) -> Option<(String, String)> {
    let (function, section) = line.strip_prefix('[')?.split_once(']')?;
    let section = section.strip_prefix(' ').unwrap_or(section);
    Some((function.to_owned(), section.to_owned()))
}

/// Pairs (function, section) from the headings of a page, `[function] section`.
fn places(text: &str) -> Vec<(String, String)> {
    text.lines().filter_map(split_heading).collect()
}

#[test]
fn each_block_names_the_section_of_the_emitted_function_that_computes_it() {
    let mut blocks = 0;
    for name in all_examples().into_iter().step_by(cases_by_tier(4, 1)) {
        let loaded = load(&name);
        let program = program(&loaded, Formalism::Kane);
        let plan = Plan::new(&program);
        let emitted = collect_comments(&print::rust(&program, plan, &Default::default()).unwrap());
        for place in places(&report::print_text(&page(&loaded, Formalism::Kane), 400)) {
            assert!(emitted.contains(&place), "{name}: {place:?} is no section of the emitted code");
            blocks += 1;
        }
    }
    assert!(blocks > cases_by_tier(60, 300), "{blocks}");
}
