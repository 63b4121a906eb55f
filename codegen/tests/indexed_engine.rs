//! Formulas in the indices against the symbolic engine: M, c and Q put together from the formulas are proved equal to
//! the derived ones, by another normal form than the one that found them.

#![cfg(feature = "symbolica")]

#[path = "indexed_support/mod.rs"]
mod indexed_support;

use dqdt_codegen::algebra::Number;
use dqdt_codegen::indexed::{Answer, Class, Member, Symbol, Values, assemble, formulas};
use dqdt_codegen::ir::{Graph, NodeId, SymbolKind, Tracer};
use dqdt_codegen::symbolic::{Assumptions, Expressions, Verdict, prove_equal};
use indexed_support::*;

fn class(kind: SymbolKind) -> Class {
    match kind {
        SymbolKind::Coordinate(_) => Class::Coordinate,
        SymbolKind::Speed(_) => Class::Speed,
        SymbolKind::Input(_) => Class::Input,
        _ => Class::Parameter,
    }
}

fn proved(answers: &[Answer], m: &Member) {
    let start = std::time::Instant::now();
    let graph = Graph::new();
    let symbols = m.graph.symbols();
    let symbol = |s: &Symbol| {
        let info = symbols.iter().find(|x| x.name == s.name && class(x.kind) == s.class).unwrap();
        Tracer::new(&graph, graph.symbol(&info.name, info.kind))
    };
    let number = |r| Tracer::number(&graph, Number::Rational(r));
    let e = assemble(answers, &m.rows, m.n, &Values { number: &number, symbol: &symbol }).unwrap();
    let all = e.mass.iter().flatten().chain(&e.c).chain(&e.force);
    let left: Vec<NodeId> = all.map(|x| x.id(&graph)).collect();
    let right: Vec<NodeId> = m.mass.iter().flatten().chain(&m.c).chain(&m.force).copied().collect();
    let verdicts = prove_equal(
        Expressions::new(&graph, &left),
        Expressions::new(&m.graph, &right),
        &Assumptions::default(),
    )
    .unwrap();
    println!("n = {}: {} entries, {:?}", m.n, left.len(), start.elapsed());
    assert!(Verdict::overall(&verdicts).is_proved(), "n = {}: {:?}", m.n, Verdict::overall(&verdicts));
}

#[test]
fn formulas_are_proved_by_the_engine() {
    for make in [|n| chain(n, true), |n| chain(n, false), pendulums_on_a_cart, star, snowboarder] {
        let members = members(6, make);
        let answers = formulas(&members);
        for m in &members[..4] {
            proved(&answers, m);
        }
    }
}
