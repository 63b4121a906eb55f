//! Tests of the choice of blocks.

use super::share::{Needs, Shared, choose_blocks};
use crate::ir::{Graph, NodeId, Op, SymbolKind, dependency_groups};

/// A chain of `n` steps `x vᵢ + vᵢ` from a start.
fn chain(g: &Graph, from: NodeId, n: usize) -> NodeId {
    (0..n).fold(from, |x, i| {
        let s = g.symbol(&format!("v{i}"), SymbolKind::Speed(i));
        let product = g.operation(Op::Mul, &[x, s]);
        g.operation(Op::Add, &[product, s])
    })
}

fn shared(g: &Graph, roots: &[Vec<NodeId>], argument: &dyn Fn(usize, SymbolKind) -> Option<usize>) -> Shared {
    choose_blocks(&Needs { graph: g, groups: &dependency_groups(g), roots, argument })
}

/// All functions read all symbols from the same argument.
fn read_from_the_first(_: usize, _: SymbolKind) -> Option<usize> {
    Some(0)
}

#[test]
fn what_two_functions_need_is_a_block_if_it_is_long() {
    let g = Graph::new();
    let q = g.symbol("q", SymbolKind::Coordinate(0));
    let (short, long) = (chain(&g, q, 3), chain(&g, q, 60));
    let ends = |x: NodeId| [Op::Sqrt, Op::Neg].map(|op| vec![g.operation(op, &[x])]);
    assert!(shared(&g, &ends(short), &read_from_the_first).places.is_empty());
    let sharing = shared(&g, &ends(long), &read_from_the_first);
    assert_eq!(sharing.places, [0b11]);
    assert_eq!(sharing.exporting_block(long, 0b01), Some(0b11));
    assert_eq!(sharing.exporting_block(long, 0b11), None, "the block computes it");
    let [root, other] = ends(long);
    assert_eq!(
        [sharing.exporting_block(root[0], 0b01), sharing.exporting_block(other[0], 0b10)],
        [None, None]
    );
}

#[test]
fn functions_that_take_a_value_from_different_arguments_share_nothing_made_of_it() {
    let g = Graph::new();
    let q = g.symbol("q", SymbolKind::Coordinate(0));
    let long = chain(&g, q, 60);
    let roots = [Op::Sqrt, Op::Neg].map(|op| vec![g.operation(op, &[long])]);
    assert!(shared(&g, &roots, &|f, _| Some(f)).places.is_empty());
}

#[test]
fn angles_of_one_call_stay_together() {
    let g = Graph::new();
    let sum = |first: usize, n: usize| {
        let sines = (first..first + n).map(|i| {
            let angle = g.symbol(&format!("q{i}"), SymbolKind::Coordinate(i));
            g.operation(Op::Sin, &[angle])
        });
        sines.reduce(|a, b| g.operation(Op::Add, &[a, b]))
    };
    let long = chain(&g, sum(0, 3).unwrap(), 60);
    let more = g.operation(Op::Mul, &[long, sum(3, 1).unwrap()]);
    let sharing = shared(&g, &[vec![long], vec![more]], &read_from_the_first);
    assert_eq!(sharing.places, [0b11]);
    let sine = g.operation(Op::Sin, &[g.symbol("q0", SymbolKind::Coordinate(0))]);
    assert_eq!(sharing.exporting_block(sine, 0b01), None);
    assert!(sharing.is_passed_by_callers(sine, 0b11) && !sharing.is_passed_by_callers(sine, 0b01));
}

#[test]
fn a_cosine_of_another_function_takes_no_sine_of_the_call_into_a_block() {
    let g = Graph::new();
    let angle = |i: usize| g.symbol(&format!("q{i}"), SymbolKind::Coordinate(i));
    let sines = (0..4).map(|i| g.operation(Op::Sin, &[angle(i)]));
    let long = chain(&g, sines.reduce(|a, b| g.operation(Op::Add, &[a, b])).unwrap(), 60);
    let [sine, cosine] = [Op::Sin, Op::Cos].map(|op| g.operation(op, &[angle(0)]));
    let ends = [Op::Sqrt, Op::Neg].map(|op| vec![g.operation(op, &[long])]);
    let [first, second] = ends;
    let third = vec![g.operation(Op::Neg, &[cosine])];
    let sharing = shared(&g, &[first, second, third], &read_from_the_first);
    assert_eq!(sharing.places, [0b011]);
    for function in [0b001, 0b010, 0b100] {
        assert_eq!([sine, cosine].map(|x| sharing.exporting_block(x, function)), [None, None]);
    }
}
