//! Random expressions: printed forms have the value of the graph, and unequal expressions
//! are never proved equal.
use crate::common::leaf;
use dqdt_algebra::{Func, Number, Ratio, Scalar};
use dqdt_diagnostics::base::Random;
use dqdt_equations::symbolic::{
    Assumptions, Expressions, Verdict, closed_forms, parse_text, plain_text, prove_closed, prove_equal,
};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer, evaluate};

/// A random expression with common subexpressions: repeated sums, products, quotients and functions
/// of earlier ones.
fn expression<'g>(g: &'g Graph, r: &mut Random) -> Tracer<'g> {
    let mut all: Vec<Tracer<'g>> = vec![
        Tracer::new(g, g.symbol("a", SymbolKind::Parameter(0))),
        Tracer::new(g, g.symbol("b", SymbolKind::Parameter(1))),
        Tracer::new(g, g.symbol("x", SymbolKind::Coordinate(0))),
        Tracer::new(g, g.symbol("y", SymbolKind::Coordinate(1))),
        Tracer::new(g, g.symbol("v", SymbolKind::Speed(0))),
        Tracer::ratio(1, 2),
        Tracer::number(g, Number::pi(Ratio::new(1, 4).unwrap())),
    ];
    for _ in 0..9 {
        let n = all.len();
        let (i, j) = (r.next_below(n), r.next_below(n));
        let (p, q) = (all[i], all[j]);
        // Angles are sums of leaves.
        let angle = all[2 + r.next_below(2)]
            * Tracer::ratio(1 + r.next_below(3) as i32, 1 + r.next_below(2) as u32)
            + all[r.next_below(7)];
        all.push(match r.next_below(9) {
            0 | 1 => p + q,
            2 => p - q,
            3 | 4 => p * q,
            5 => p / (Tracer::ONE + q * q),
            6 => angle.sin_cos().0 * p,
            7 => angle.sin_cos().1 + q,
            _ if r.next_below(2) == 0 => (p * p + Tracer::ONE).sqrt(),
            _ => (p - q).apply_function(Func::Tanh),
        });
    }
    all[all.len() - 1] + all[all.len() - 2]
}

#[test]
fn printed_forms_have_the_value_of_the_graph() {
    let mut closed_count = 0;
    for seed in 0..120 {
        let g = Graph::new();
        let x = expression(&g, &mut Random::new(seed));
        let assumptions = Assumptions { limit: 400, ..Assumptions::default() };
        let expressions = Expressions::new(&g, &[x.id(&g)]);
        let forms = closed_forms(&expressions, &assumptions).unwrap();
        let Some(closed) = forms[0].closed_form() else { continue };
        closed_count += 1;
        let printed = plain_text(closed);
        let back = parse_text(&printed, expressions.symbol_names()).unwrap();
        let wanted = evaluate(&g, &[x.id(&g)], leaf)[0];
        let got = crate::common::value(&back, &leaf);
        assert!((got - wanted).abs() <= 1e-8 * wanted.abs().max(1.0), "{seed}: {printed}: {got}, {wanted}");
        let verdict = prove_closed(&expressions, &[back], &assumptions).unwrap().remove(0);
        assert!(verdict.is_proved(), "{seed}: {printed}: {verdict:?}");
    }
    assert!(closed_count > 100, "{closed_count}");
}

#[test]
fn unequal_expressions_are_never_proved_equal() {
    let mut refuted = 0;
    for seed in 200..300 {
        let g = Graph::new();
        let mut r = Random::new(seed);
        let x = expression(&g, &mut r);
        let y = x + Tracer::ratio(1, 1000) * expression(&g, &mut r);
        let far = evaluate(&g, &[(x - y).id(&g)], leaf)[0].abs() > 1e-9;
        let side = |t: Tracer<'_>| Expressions::new(&g, &[t.id(&g)]);
        let assumptions = Assumptions { limit: 400, ..Assumptions::default() };
        match prove_equal(&side(x), &side(y), &assumptions).unwrap().remove(0) {
            Verdict::Proved { .. } => assert!(!far, "{seed}"),
            Verdict::Refuted { .. } => refuted += 1,
            Verdict::Undecided { largest, .. } => {
                assert!(!far || largest.as_deref() != Some("0"), "{seed}");
            }
        }
    }
    assert!(refuted > 40, "{refuted}");
}
