//! Every accepted spec gives code that compiles without warnings: names that clash with names in
//! emitted code, in every role of a name; numbers at the limits of their range; specs with parts
//! dropped, exchanged and changed.
//!
//! `DQDT_MUTANTS=20000` tries that many mutated specs instead of 300, and every word of emitted
//! code as a name.

use std::collections::BTreeSet;

use crate::compiled::Module;
use crate::emitted::hostile::{self, BaseSpec};
use crate::emitted::mutate::Mutator;
use crate::emitted::{emit, emit_family, report};
use dqdt_codegen::Formalism;

/// Largest number of modules per crate, to limit the memory of the compiler.
const BATCH: usize = 300;

/// Compiles all modules. Panics with the compiler messages and the specs that they concern.
fn check(what: &str, all: Vec<(String, Module)>) {
    println!(
        "{what}: {} modules, {} lines",
        all.len(),
        all.iter().map(|(_, m)| m.source.lines().count()).sum::<usize>()
    );
    let (specs, modules): (Vec<String>, Vec<Module>) = all.into_iter().unzip();
    for (specs, modules) in specs.chunks(BATCH).zip(modules.chunks(BATCH)) {
        if let Err(messages) = crate::compiled::check(what, modules) {
            panic!("{}", report(&messages, specs, modules));
        }
    }
}

fn module(index: usize, source: String) -> Module {
    Module { name: format!("module{index}"), source, calls: String::new() }
}

#[test]
fn every_accepted_name_in_every_role_gives_code_that_compiles() {
    let bases = ["tree", "loop"].map(|name| BaseSpec::read(&format!("tests/data/names/{name}.toml")));
    // The items of emitted code, read from an emitted module, so that new ones are included.
    let plain = bases.each_ref().map(|b| emit(&b.with(&[]), Formalism::Kane).unwrap());
    let items: BTreeSet<String> = plain.iter().flat_map(|text| hostile::item_names(text)).collect();
    for known in ["NE", "EVENTS", "POSITION_ROWS", "MULTIPLIERS_PIVOTS", "dqdt", "Outputs"] {
        assert!(items.contains(known), "{known} is not found");
    }
    let long = std::env::var("DQDT_MUTANTS").is_ok();
    let mut all = Vec::new();
    for (base, plain) in bases.iter().zip(&plain) {
        let mut names: Vec<String> = items.iter().cloned().collect();
        // The second spec differs in its roles only, so CI tries the items alone.
        let more = [hostile::NAMES, hostile::MORE];
        let more = if long { &more[..] } else { &more[..usize::from(base.has("role_table"))] };
        names.extend(more.iter().flat_map(|list| list.iter().map(|n| (*n).to_owned())));
        if long {
            names.extend(hostile::words(plain));
        }
        let mut distinct = BTreeSet::new();
        names.retain(|n| distinct.insert(n.clone()));
        for spec in base.covering(&names) {
            let source = emit(&spec, Formalism::Kane).unwrap_or_else(|e| panic!("{e}\n{spec}"));
            all.push((spec, module(all.len(), source)));
        }
    }
    check("emitted-names", all);
}

#[test]
fn a_family_compiles_whatever_its_names() {
    let base = BaseSpec::read("tests/data/names/family.toml");
    let names = hostile::FAMILY.map(str::to_owned);
    let mut all = Vec::new();
    for spec in base.covering(&names) {
        let source = emit_family(&spec).unwrap_or_else(|e| panic!("{e}\n{spec}"));
        all.push((spec, module(all.len(), source)));
    }
    // Defaults that are a function of the index, with and without a known formula.
    for (value, text) in [
        ("pi - {role_index}^2/3 + {role_size}*pi", None),
        ("1 - {role_index}^2/3 + 2*{role_size}", Some("`1 + 2*n - i^2/3` by default")),
        ("pi*({role_index} - 1)/{role_size}", Some("`pi*i/n - pi/n` by default")),
        ("2^{role_index}", None),
    ] {
        let spec = base.text.replacen("value = 1,", &format!("value = \"{value}\","), 1);
        let source = emit_family(&spec).unwrap_or_else(|e| panic!("{e}\n{spec}"));
        assert_eq!(source.contains("Default for Params<T, N>"), text.is_some(), "{value}\n{source}");
        let text = text.unwrap_or("`Default` is not implemented, because the values of these parameters in the spec are not a known function of the index for any n: `role_mass{i}`");
        assert!(source.contains(text), "{value}\n{source}");
        all.push((spec, module(all.len(), source)));
    }
    check("emitted-families", all);
}

#[test]
fn a_mutated_spec_is_refused_or_gives_code_that_compiles() {
    let count = std::env::var("DQDT_MUTANTS").map_or(300, |n| n.parse().expect("DQDT_MUTANTS is a number"));
    let mutator = Mutator::new();
    let mut accepted = 0;
    for first in (0..count).step_by(BATCH) {
        let mut all = Vec::new();
        for seed in first..count.min(first + BATCH) {
            let spec = mutator.mutant(seed as u64);
            let formalism = Formalism::ALL[seed % Formalism::ALL.len()];
            let emitted = std::panic::catch_unwind(|| emit(&spec, formalism));
            let Ok(emitted) = emitted else { panic!("mutant {seed} by {}:\n{spec}", formalism.name()) };
            // A refusal is valid too.
            if let Ok(source) = emitted {
                all.push((
                    format!("# mutant {seed} by {}\n{spec}", formalism.name()),
                    module(seed - first, source),
                ));
            }
        }
        accepted += all.len();
        check("emitted-mutants", all);
    }
    println!("{accepted} of {count} mutants are accepted");
    // The sweep is useless if everything is refused, or nothing.
    assert!(accepted * 5 > count && accepted < count, "{accepted} of {count}");
}
