//! Passes keep values, and each has a measured effect.

mod emit_support;

use dqdt_codegen::emit::{RustOptions, rust, rust_stats};
use dqdt_codegen::ir::{PASSES, Program, SymbolKind, clean, count, evaluate, roots, simplify};
use emit_support::{chain, everything, nothing, pendulum};

fn value(program: &Program, k: usize, kind: SymbolKind) -> f64 {
    let (salt, i) = match kind {
        SymbolKind::Parameter(i) => return program.layout.p[i].value,
        SymbolKind::Time => (0, 0),
        SymbolKind::Coordinate(i) => (1, i),
        SymbolKind::Speed(i) => (2, i),
        SymbolKind::State(i) => (3, i),
        SymbolKind::Input(i) => (4, i),
        _ => (5, 0),
    };
    (((k * 7919 + salt * 104_729 + i * 1_299_709) % 1999) as f64) / 1000.0 - 0.9995
}

fn same_values(a: &Program, b: &Program, tolerance: f64) {
    for (f, g) in a.functions.iter().zip(&b.functions) {
        for k in 0..3 {
            let x = evaluate(&a.graph, &roots(f), |kind| value(a, k, kind));
            let y = evaluate(&b.graph, &roots(g), |kind| value(b, k, kind));
            assert_eq!(x.len(), y.len());
            let scale = x.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            for (i, (x, y)) in x.iter().zip(&y).enumerate() {
                assert!((x - y).abs() < tolerance * scale, "{} {:?} {i}: {x} against {y}", a.name, f.kind);
            }
        }
    }
}

#[test]
fn every_pass_keeps_the_values() {
    for program in [pendulum(), chain(5), everything(), nothing()] {
        let mut now = clean(&program);
        same_values(&program, &now, 1e-13);
        for (_, pass) in PASSES {
            let next = pass(&now);
            same_values(&now, &next, 1e-11);
            now = next;
        }
        same_values(&program, &simplify(&program), 1e-11);
    }
}

#[test]
#[ignore = "a measurement"]
fn chain_of_fifty() {
    use std::time::Instant;
    let start = Instant::now();
    let program = chain(50);
    println!("trace {:?}, {} nodes", start.elapsed(), program.graph.len());
    println!("{}", count(&program, &program.functions[0]));
    let mut now = program;
    for (name, pass) in [("clean", clean as dqdt_codegen::ir::Pass)].into_iter().chain(PASSES) {
        let start = Instant::now();
        now = pass(&now);
        println!(
            "{name}: {:?}, {} nodes; {}",
            start.elapsed(),
            now.graph.len(),
            count(&now, &now.functions[0])
        );
    }
    let start = Instant::now();
    let stats = rust_stats(&now);
    println!("plan {:?}: {stats:?}", start.elapsed());
    let start = Instant::now();
    let text = rust(&now, &RustOptions::default());
    println!("print {:?}: {} lines, {} bytes", start.elapsed(), text.lines().count(), text.len());
    std::fs::write("/tmp/chain50.rs", text).unwrap();
}

#[test]
#[ignore = "a measurement"]
fn table() {
    for program in [pendulum(), chain(2), chain(3), chain(6), chain(12), everything()] {
        let mut now = clean(&program);
        println!("{} {:<14} {}", program.name, "before", count(&now, &now.functions[0]));
        for (name, pass) in PASSES {
            now = pass(&now);
            println!("{} {:<14} {}", program.name, name, count(&now, &now.functions[0]));
        }
    }
}
