//! `FormalismChoice::Auto` selects the formalism of least cost. Reactions are
//! computed only on request.
use crate::files::example_path;
use std::process::Command;

use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, AUTO_ALL, Assembled, FormalismChoice, HOPELESS, Request};
use dqdt_codegen::read::Settings;
use dqdt_codegen::{Config, Formalism};
use dqdt_derivation::derive::{derive_to_count, size};
use dqdt_graph::ir::{Program, count};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::mechanism::Formulation;

fn cost(loaded: &Assembled, formalism: Formalism, functions: &[&'static Definition]) -> u32 {
    pipeline::cost(&pipeline::program(loaded, &Request::new(formalism, functions.to_vec())))
}

#[test]
fn auto_takes_the_formalism_with_the_least_cost() {
    let sets =
        [vec![functions::DQDT], vec![functions::MASS_MATRIX], vec![functions::DQDT, functions::REACTIONS]];
    let mut choices = Vec::new();
    for name in ["cart_pole", "rolling_disc", "chaplygin_sleigh", "chain10"] {
        let loaded = pipeline::load(&example_path(name)).unwrap();
        for functions in &sets {
            let choice = pipeline::choose(&loaded, FormalismChoice::LeastCost, functions).unwrap();
            let all = Formalism::ALL.map(|f| cost(&loaded, f, functions));
            let least = *all.iter().min().unwrap();
            let first = all.iter().position(|n| *n == least).unwrap();
            assert_eq!(choice, Formalism::ALL[first], "{name}: {functions:?}: {all:?}");
            println!("{name}: {functions:?}: {} with {least} of {all:?}", choice.name());
            choices.push(choice);
        }
    }
    assert!(choices.iter().any(|f| *f != choices[0]), "a constant would do as well: {choices:?}");
}

fn count_all(p: &Program) -> u32 {
    p.functions.iter().map(|f| count(p, f).call.total()).sum()
}

#[test]
fn what_is_counted_without_names_takes_the_operations_of_what_is_emitted() {
    let functions = functions::defaults();
    let (mut most, mut all) = (0.0f64, 0);
    for entry in std::fs::read_dir(example_path("x").parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let loaded = pipeline::load(&path).unwrap();
        // The formulation of the spec: a search would choose different ones for
        // different formalisms.
        let spec_formulation = Formulation::default();
        for formalism in [Formalism::Kane, Formalism::CompositeBody, Formalism::ArticulatedBody] {
            if !size::is_within_size_limit(&loaded.mechanism, formalism) {
                continue;
            }
            let request = Request::new(formalism, functions.clone());
            let recorded = derive_to_count(&loaded, &spec_formulation, &request);
            let counted = count_all(&simplify(&recorded));
            assert_eq!(
                counted,
                count_all(&pipeline::program_with(&loaded, &spec_formulation, &request)),
                "{}",
                path.display()
            );
            // `least_cost` assumes that passes never reduce operations by more than `HOPELESS`.
            // Keep a margin.
            let passes = f64::from(count_all(&recorded)) / f64::from(counted);
            (most, all) = (most.max(passes), all + 1);
        }
    }
    assert!(all > 50 && most < 0.9 * f64::from(HOPELESS), "{all}: passes took out a factor of {most}");
}

#[test]
fn of_many_speeds_auto_tries_the_lean_formalisms_only() {
    let settings = Settings::default().set("n", 1 + AUTO_ALL as i64);
    let loaded = pipeline::load_with(&example_path("families/chain"), &settings).unwrap();
    assert!(loaded.mechanism.nv() > AUTO_ALL);
    let lean = [Formalism::Kane, Formalism::CompositeBody, Formalism::ArticulatedBody, Formalism::Mixed];
    let functions = [functions::DQDT];
    let choice = pipeline::choose(&loaded, FormalismChoice::LeastCost, &functions).unwrap();
    let least = lean.into_iter().min_by_key(|f| cost(&loaded, *f, &functions)).unwrap();
    assert_eq!(choice, least);
}

fn emit_four_bar(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let output = command.arg("emit").arg(example_path("four_bar")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_command_emits_the_module_of_the_builder_by_auto_and_with_reactions() {
    let folder = tempfile::tempdir().unwrap();
    let built = |config: &mut Config| {
        config.out_dir(folder.path()).compile(&[example_path("four_bar")]).unwrap();
        std::fs::read_to_string(folder.path().join("four_bar.rs")).unwrap()
    };
    let plain = emit_four_bar(&[]);
    assert!(!plain.contains("pub fn reactions"));
    assert!(plain == built(&mut Config::new()));
    let with_reactions = emit_four_bar(&["--reactions"]);
    assert!(with_reactions.contains("pub fn reactions<") && with_reactions.contains("    Reactions {"));
    assert!(with_reactions == built(Config::new().reactions()));
    let auto = emit_four_bar(&["--formalism", "auto", "--reactions"]);
    assert!(auto == built(Config::new().formalism(FormalismChoice::LeastCost).reactions()));
    let functions = functions::defaults_and(&[functions::REACTIONS]);
    let auto_choice = pipeline::choose(
        &pipeline::load(&example_path("four_bar")).unwrap(),
        FormalismChoice::LeastCost,
        &functions,
    )
    .unwrap();
    assert!(auto.lines().next().unwrap().contains(&format!("formalism: {}", auto_choice.name())));
}
