//! Simplification passes preserve values, and each reduces operations measurably.

use crate::emit_support::{chain, everything, function, nothing, output, pendulum, program, slot};
use dqdt_algebra::{Number, Scalar};
use dqdt_codegen::functions;
use dqdt_graph::ir::{
    Graph, Layout, NodeId, Program, ResultShape, Slot, SymbolKind, Tracer, count, drop_unneeded_nodes,
    evaluate, needed_roots,
};
use dqdt_graph::plan::Plan;
use dqdt_graph::simplify::{
    PASSES, Pass, apply_addition_formulas, extract_common_factors, regroup_by_dependency, simplify,
};
use dqdt_mechanics::mechanism::Formulation;
use dqdt_print::{RustOptions, rust};

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

fn assert_same_values(a: &Program, b: &Program, tolerance: f64) {
    for (f, g) in a.functions.iter().zip(&b.functions) {
        for k in 0..3 {
            let x = evaluate(&a.graph, &needed_roots(f), |kind| value(a, k, kind));
            let y = evaluate(&b.graph, &needed_roots(g), |kind| value(b, k, kind));
            assert_eq!(x.len(), y.len());
            let scale = x.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            for (i, (x, y)) in x.iter().zip(&y).enumerate() {
                assert!(
                    (x - y).abs() < tolerance * scale,
                    "{} {:?} {i}: {x} against {y}",
                    a.name,
                    f.declaration.name
                );
            }
        }
    }
}

#[test]
fn every_pass_keeps_the_values() {
    for program in [pendulum(), chain(5), everything(), nothing()] {
        let mut now = drop_unneeded_nodes(&program);
        assert_same_values(&program, &now, 1e-13);
        for (_, pass) in PASSES {
            let next = pass(&now);
            assert_same_values(&now, &next, 1e-11);
            now = next;
        }
        assert_same_values(&program, &simplify(&program), 1e-11);
    }
}

#[test]
fn passes_keep_the_values_of_the_examples_and_never_cost_more() {
    use dqdt_codegen::Formalism;
    use dqdt_codegen::pipeline;
    use dqdt_derivation::derive::{Request, derive};
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    for name in ["cart_pole", "chain10", "double_pendulum", "kane_two_body", "swing"] {
        let loaded = pipeline::load(&folder.join(format!("{name}.toml"))).unwrap();
        for formalism in Formalism::ALL {
            let before = derive(&loaded, &Formulation::default(), &Request::all(formalism));
            let after = simplify(&before);
            assert_same_values(&before, &after, 1e-9);
            for (b, a) in before.functions.iter().zip(&after.functions) {
                let (b, a) = (count(&before, b).call.cost(), count(&after, a).call.cost());
                assert!(a <= b, "{name}: {a} operations after, {b} before");
            }
        }
    }
}

fn make_slots(n: usize) -> Vec<Slot> {
    (0..n).map(|i| slot(&format!("s{i}"), "1", 0.3 + 0.1 * i as f64)).collect()
}

/// A program with one function of one scalar output.
fn build_one_output(build: impl FnOnce(&Graph) -> NodeId) -> Program {
    let graph = Graph::new();
    let node = build(&graph);
    let functions =
        vec![function(functions::ENERGY, vec![output("value", "1", ResultShape::Scalar, vec![node])])];
    let layout = Layout { q: make_slots(4), v: make_slots(4), p: make_slots(4), ..Layout::default() };
    program("one", layout, graph, functions)
}

fn symbol(g: &Graph, kind: SymbolKind) -> Tracer<'_> {
    Tracer::new(g, g.symbol(&format!("{kind:?}"), kind))
}

fn format_counts(p: &Program) -> String {
    count(p, &p.functions[0]).to_string()
}

fn count_before_and_after(pass: Pass, program: &Program) -> (String, String) {
    let before = drop_unneeded_nodes(program);
    let after = pass(&before);
    assert_same_values(program, &after, 1e-13);
    (format_counts(&before), format_counts(&after))
}

#[test]
fn regroup_computes_products_of_parameters_once() {
    let program = build_one_output(|g| {
        let [m, l] = [0, 1].map(|i| symbol(g, SymbolKind::Parameter(i)));
        let [q, r] = [0, 1].map(|i| symbol(g, SymbolKind::Coordinate(i)));
        (Tracer::ratio(1, 2) * (m * q * l * r) + q / m + m + l).id(g)
    });
    let (before, after) = count_before_and_after(regroup_by_dependency, &program);
    assert_eq!(before, "4 multiplications, 3 additions, 1 division");
    assert_eq!(
        after,
        "3 multiplications, 2 additions; computed once in `Model::new`: 2 multiplications, 1 addition, 1 division"
    );
}

#[test]
fn factor_takes_out_what_saves_most() {
    let program = build_one_output(|g| {
        let [m, l, a, b] = [0, 1, 2, 3].map(|i| symbol(g, SymbolKind::Parameter(i)));
        let [q, r] = [0, 1].map(|i| symbol(g, SymbolKind::Coordinate(i)));
        (m * q * r - l * q * r + a * r * q + b * r).id(g)
    });
    let (before, after) = count_before_and_after(extract_common_factors, &program);
    assert_eq!(before, "7 multiplications, 3 additions");
    assert_eq!(after, "2 multiplications, 1 addition; computed once in `Model::new`: 2 additions");
}

#[test]
fn trig_replaces_pairs_of_sums_and_double_angles() {
    let program = build_one_output(|g| {
        let [a, b] = [0, 1].map(|i| symbol(g, SymbolKind::Coordinate(i)));
        let p = symbol(g, SymbolKind::Parameter(0));
        let angles = [a, b, a + b, a - b, Tracer::ratio(2, 1) * a, a + p];
        let sum = angles.map(|x| x.sin_cos()).into_iter().reduce(|x, y| (x.0 + y.0, x.1 * y.1));
        sum.map_or(g.number(Number::ZERO), |(s, c)| (s * c).id(g))
    });
    let (before, after) = count_before_and_after(apply_addition_formulas, &program);
    assert_eq!(before, "7 multiplications, 8 additions, 6 sin/cos pairs");
    assert!(after.contains(", 2 sin/cos pairs;") && after.ends_with("1 sin/cos pair"), "{after}");
}

#[test]
fn squares_of_sine_and_cosine_meet_after_factoring() {
    let program = build_one_output(|g| {
        let m = symbol(g, SymbolKind::Parameter(0));
        let v = symbol(g, SymbolKind::Speed(0));
        let (s, c) = symbol(g, SymbolKind::Coordinate(0)).sin_cos();
        (m * s * s * v + m * v * c * c).id(g)
    });
    assert_eq!(count(&simplify(&program), &simplify(&program).functions[0]).to_string(), "1 multiplication");
}

#[test]
fn operation_counts_of_chains_do_not_rise() {
    for (n, expected) in [(2, [46, 26]), (3, [96, 64]), (6, [388, 303]), (12, [1971, 1614])] {
        let program = simplify(&chain(n));
        let call = count(&program, &program.functions[0]).call;
        assert_eq!([call.multiplications, call.additions], expected, "{n}");
    }
}

fn emit_rust(p: Program) -> String {
    rust(&p, Plan::new(&p), &RustOptions::default()).unwrap()
}

#[test]
fn passes_give_the_same_graph_again() {
    for make in [pendulum, || chain(6), everything] {
        assert_eq!(emit_rust(simplify(&make())), emit_rust(simplify(&make())));
    }
}
