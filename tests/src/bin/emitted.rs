//! Readability of `generated/src`: tokens and lines of each module, and names used for two values.
//! With `--lets N [SEED]`: N random `let`s of all modules for a person to judge. With `--parts`:
//! tokens by kind of item.

use std::collections::BTreeMap;
use std::process::ExitCode;

use dqdt_tests::emitted::{functions, modules, parts};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| arguments.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let all = match modules() {
        Ok(all) => all,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    if arguments.first().is_some_and(|a| a == "--lets") {
        let mut lets = Vec::new();
        for module in &all {
            for f in functions(module) {
                lets.extend(f.lets.into_iter().map(|l| format!("{}::{}: {l}", module.name, f.name)));
            }
        }
        let mut state = number(2, 1);
        for _ in 0..number(1, 50).min(lets.len() as u64) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            println!("{}", lets.swap_remove((state >> 33) as usize % lets.len()));
        }
        return ExitCode::SUCCESS;
    }
    if arguments.first().is_some_and(|a| a == "--parts") {
        let mut sums: BTreeMap<String, usize> = BTreeMap::new();
        for (part, tokens) in all.iter().flat_map(parts) {
            *sums.entry(part).or_default() += tokens;
        }
        let mut sums: Vec<(String, usize)> = sums.into_iter().collect();
        sums.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
        sums.iter().for_each(|(part, tokens)| println!("{tokens:8} {part}"));
        return ExitCode::SUCCESS;
    }
    let (mut tokens, mut lines, mut ambiguous) = (0, 0, 0);
    for module in &all {
        let mut twice = 0;
        for f in functions(module) {
            twice += f.ambiguous.len();
            f.ambiguous.iter().for_each(|a| println!("{}::{}: {a}", module.name, f.name));
        }
        println!(
            "{:32} {:8} tokens {:6} lines {twice:4} names for two values",
            module.name, module.tokens, module.lines
        );
        (tokens, lines, ambiguous) = (tokens + module.tokens, lines + module.lines, ambiguous + twice);
    }
    println!("{:32} {tokens:8} tokens {lines:6} lines {ambiguous:4} names for two values", "all");
    ExitCode::SUCCESS
}
