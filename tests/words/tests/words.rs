//! Names and comments of the repository against the rules of language.
//!
//! `counts.toml` has the findings that are left, by rule and crate: a number may only fall. An
//! entry of `allowances.toml` is a finding that stays, with its reason.

use dqdt_words::names::repeated_types;
use dqdt_words::{Finding, Rule, findings, sources};
use std::collections::BTreeMap;
use toml::Table;

/// Greatest number of allowances.
const MOST_ALLOWANCES: usize = 40;

/// Greatest number of types with one name.
const MOST_TYPES: usize = 2;

fn table(text: &str) -> Table {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn files() -> Vec<(String, String)> {
    sources::files().unwrap_or_else(|e| panic!("{e}"))
}

/// `rule file: text` of each allowance, with its reason.
fn allowances() -> BTreeMap<String, String> {
    let all = table(include_str!("../allowances.toml"));
    all.into_iter().map(|(key, reason)| (key, reason.as_str().unwrap_or_default().to_owned())).collect()
}

fn key(f: &Finding) -> String {
    format!("{} {}: {}", f.rule.key(), f.file, f.text)
}

fn all_findings() -> Vec<Finding> {
    findings(&files()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn findings_are_those_that_are_counted_and_no_more() {
    let allowed = allowances();
    let mut counts: BTreeMap<(Rule, String), Vec<String>> = BTreeMap::new();
    for f in all_findings().iter().filter(|f| !allowed.contains_key(&key(f))) {
        let place = (f.rule, sources::crate_of(&f.file).to_owned());
        counts.entry(place).or_default().push(format!("{}:{} {}", f.file, f.line, f.text));
    }
    let committed = table(include_str!("../counts.toml"));
    let mut problems = Vec::new();
    for rule in Rule::ALL {
        let of_rule = committed.get(rule.key()).and_then(|v| v.as_table()).cloned().unwrap_or_default();
        let crates = counts.keys().filter(|k| k.0 == rule).map(|k| k.1.clone());
        let mut names: Vec<String> = crates.chain(of_rule.keys().cloned()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let committed = of_rule.get(&name).and_then(toml::Value::as_integer).unwrap_or(0);
            let list = counts.get(&(rule, name.clone())).cloned().unwrap_or_default();
            let count = i64::try_from(list.len()).unwrap_or(i64::MAX);
            if count > committed {
                let list = list.join("\n  ");
                problems.push(format!("{count} {} in {name}, {committed} allowed:\n  {list}", rule.key()));
            } else if count < committed {
                problems
                    .push(format!("{count} {} in {name}: lower the {committed} in counts.toml", rule.key()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_allowance_is_used_and_has_a_reason() {
    let allowed = allowances();
    assert!(allowed.len() <= MOST_ALLOWANCES, "{} allowances, at most {MOST_ALLOWANCES}", allowed.len());
    let keys: Vec<String> = all_findings().iter().map(key).collect();
    for (entry, reason) in &allowed {
        assert!(keys.contains(entry), "nothing needs the allowance `{entry}`: delete it");
        assert!(reason.split_whitespace().count() >= 3, "the allowance `{entry}` has no reason");
    }
}

#[test]
fn no_type_name_stands_for_more_than_two_types_and_pairs_have_reasons() {
    let reasons = table(include_str!("../pairs.toml"));
    let repeated = repeated_types(&files()).unwrap_or_else(|e| panic!("{e}"));
    let mut problems = Vec::new();
    for (name, files) in &repeated {
        if files.len() > MOST_TYPES {
            problems.push(format!("{} types are called {name}: {}", files.len(), files.join(" ")));
        } else if !reasons.contains_key(name) {
            problems.push(format!("no reason in pairs.toml for two types {name}: {}", files.join(" ")));
        }
    }
    for name in reasons.keys().filter(|name| !repeated.contains_key(*name)) {
        problems.push(format!("there are not two types {name}: delete the reason"));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
