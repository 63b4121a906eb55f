//! Tests of the choice of blocks.

use super::share::{Needs, Shared, share};
use crate::ir::{Graph, NodeId, Op, SymbolKind, groups};

/// A chain of `n` steps `x vᵢ + vᵢ` from a start.
fn chain(g: &Graph, from: NodeId, n: usize) -> NodeId {
    (0..n).fold(from, |x, i| {
        let s = g.symbol(&format!("v{i}"), SymbolKind::Speed(i));
        let product = g.operation(Op::Mul, &[x, s]);
        g.operation(Op::Add, &[product, s])
    })
}

fn shared(g: &Graph, roots: &[Vec<NodeId>], argument: &dyn Fn(usize, SymbolKind) -> Option<usize>) -> Shared {
    share(&Needs { graph: g, groups: &groups(g), roots, argument })
}

#[test]
fn what_two_functions_need_is_a_block_if_it_is_long() {
    let g = Graph::new();
    let q = g.symbol("q", SymbolKind::Coordinate(0));
    let (short, long) = (chain(&g, q, 3), chain(&g, q, 60));
    let ends = |x: NodeId| [Op::Sqrt, Op::Neg].map(|op| vec![g.operation(op, &[x])]);
    let one = |_: usize, _: SymbolKind| Some(0);
    assert!(shared(&g, &ends(short), &one).places.is_empty());
    let found = shared(&g, &ends(long), &one);
    assert_eq!(found.places, [0b11]);
    assert_eq!(found.home(long, 0b01), Some(0b11));
    assert_eq!(found.home(long, 0b11), None, "the block computes it");
    let [root, other] = ends(long);
    assert_eq!([found.home(root[0], 0b01), found.home(other[0], 0b10)], [None, None]);
}

#[test]
fn functions_that_take_a_value_from_different_arguments_share_nothing_made_of_it() {
    let g = Graph::new();
    let q = g.symbol("q", SymbolKind::Coordinate(0));
    let long = chain(&g, q, 60);
    let roots = [Op::Sqrt, Op::Neg].map(|op| vec![g.operation(op, &[long])]);
    let argument = |f: usize, _: SymbolKind| Some(f);
    assert!(shared(&g, &roots, &argument).places.is_empty());
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
    let one = |_: usize, _: SymbolKind| Some(0);
    let found = shared(&g, &[vec![long], vec![more]], &one);
    assert_eq!(found.places, [0b11]);
    let sine = g.operation(Op::Sin, &[g.symbol("q0", SymbolKind::Coordinate(0))]);
    assert_eq!(found.home(sine, 0b01), None);
    assert!(found.is_handed(sine, 0b11) && !found.is_handed(sine, 0b01));
}
