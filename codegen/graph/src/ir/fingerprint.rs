//! Numerical fingerprints of values: their numbers at a few random states, the same in every graph.
//!
//! Operations that decide (a selection, a minimum, a sign, the sign of a root) are replaced by a
//! smooth blend of their results, so that two fingerprints are equal only if the values are equal
//! whichever result is selected.

use std::sync::Arc;

use super::eval::evaluate_operation;
use super::graph::Graph;
use super::lexicon::{Fingerprint, Lexicon, STATES};
use super::node::{NodeId, Op, SymbolKind};
use dqdt_algebra::{Func, Func2};
use dqdt_diagnostics::base::Random;

/// Numerical fingerprints of the first `n` nodes of a graph: their values at a few random states.
pub fn fingerprints(graph: &Graph, n: usize) -> Vec<Fingerprint> {
    let mut all: Vec<Fingerprint> = Vec::with_capacity(n);
    for index in 0..n {
        let node = graph.node(NodeId(index as u32));
        all.push(std::array::from_fn(|state| {
            let mut args = [0.0; 4];
            for (x, a) in args.iter_mut().zip(node.args()) {
                *x = all[a.0 as usize][state];
            }
            fingerprint_value(graph, node.op, &args[..node.args().len()], state)
        }));
    }
    all
}

/// A blend of the two results `yes` and `no` of a decision, equal to neither; `tag` is the kind of
/// the decision, `by` the number that decides.
fn blend_results(tag: f64, by: f64, yes: f64, no: f64) -> f64 {
    let share = 0.5 + 0.3 * (3.0 * by + tag).sin();
    share * yes + (1.0 - share) * no
}

/// The number of a node at one state, with decisions blended; `a` has the operands' numbers.
fn fingerprint_value(graph: &Graph, op: Op, a: &[f64], state: usize) -> f64 {
    match op {
        Op::Select(cmp) => blend_results(cmp as u8 as f64, a[0] - a[1], a[2], a[3]),
        Op::Func2(Func2::Min) => blend_results(20.0, a[0] - a[1], a[0], a[1]),
        Op::Func2(Func2::Max) => blend_results(21.0, a[0] - a[1], a[0], a[1]),
        Op::Func(Func::Sign) => blend_results(22.0, a[0], 1.0, -1.0),
        Op::Func(Func::Abs) => blend_results(22.0, a[0], a[0], -a[0]),
        // The root of a square is the value or its opposite.
        Op::Sqrt => blend_results(23.0, a[0], a[0].sqrt(), -a[0].sqrt()),
        _ => evaluate_operation(graph, op, a, |kind| symbol_value(kind, state)),
    }
}

/// The pseudorandom value of a symbol at a state, the same in every graph.
fn symbol_value(kind: SymbolKind, state: usize) -> f64 {
    let (class, index) = kind.place();
    let mut random = Random::new(((index * 16 + class as usize) * STATES + state) as u64);
    let size = random.next_between(0.3, 1.7);
    // Parameters are positive, as lengths and masses are.
    if class > 1 && random.next_below(2) == 1 { -size } else { size }
}

/// Stores the name of every value by its fingerprint, labels before notes, in the lexicon of the
/// graph; passes keep it, and naming reads it.
pub fn store_names_by_fingerprint(graph: &Graph) {
    let fingerprints = fingerprints(graph, graph.len());
    let ids = || (0..fingerprints.len()).map(|i| NodeId(i as u32));
    let labels = ids().filter_map(|id| Some((id, graph.label_of(id)?.name)));
    let notes = ids().filter_map(|id| Some((id, graph.note_of(id)?)));
    let named = labels.chain(notes).map(|(id, name)| (fingerprints[id.0 as usize], name)).collect();
    graph.set_lexicon(Arc::new(Lexicon::new(named)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_algebra::{Cmp, Number};

    fn symbols(g: &Graph) -> [NodeId; 3] {
        [0, 1, 2].map(|i| g.symbol(["a", "b", "c"][i], SymbolKind::Speed(i)))
    }

    #[test]
    fn a_value_keeps_its_name_whatever_it_is_computed_by() {
        let before = Graph::new();
        let [a, b, c] = symbols(&before);
        let [ac, bc] = [a, b].map(|x| before.operation(Op::Mul, &[x, c]));
        let sum = before.operation(Op::Add, &[ac, bc]);
        before.note(sum, &|| "h_arm_x".to_owned());
        store_names_by_fingerprint(&before);
        let lexicon = before.lexicon();

        let after = Graph::new();
        let [a, b, c] = symbols(&after);
        let factored = after.operation(Op::Mul, &[after.operation(Op::Add, &[a, b]), c]);
        let opposite = after.operation(Op::Neg, &[factored]);
        let two = after.number(Number::integer(2));
        let twice = after.operation(Op::Mul, &[two, factored]);
        let halved = after.operation(Op::Div, &[factored, two]);
        let other = after.operation(Op::Sub, &[a, b]);
        let fingerprints = fingerprints(&after, after.len());
        let name = |id: NodeId| lexicon.name_by_fingerprint(&fingerprints[id.0 as usize]);
        assert_eq!(name(factored).as_deref(), Some("h_arm_x"));
        assert_eq!(name(opposite).as_deref(), Some("neg_h_arm_x"));
        assert_eq!(name(twice).as_deref(), Some("two_h_arm_x"));
        assert_eq!(name(halved).as_deref(), Some("half_h_arm_x"));
        assert_eq!(name(other), None);
    }

    #[test]
    fn what_decides_is_neither_of_its_sides() {
        let g = Graph::new();
        let [a, b, c] = symbols(&g);
        let sum = g.operation(Op::Add, &[a, b]);
        let product = g.operation(Op::Mul, &[a, b]);
        g.note(sum, &|| "sum".to_owned());
        g.note(product, &|| "product".to_owned());
        let selected = g.operation(Op::Select(Cmp::Lt), &[a, c, sum, product]);
        let smaller = g.operation(Op::Func2(Func2::Min), &[sum, product]);
        let size = g.operation(Op::Func(Func::Abs), &[sum]);
        let root = g.operation(Op::Sqrt, &[g.operation(Op::Mul, &[sum, sum])]);
        g.note(selected, &|| "chosen".to_owned());
        store_names_by_fingerprint(&g);
        let lexicon = g.lexicon();
        let fingerprints = fingerprints(&g, g.len());
        let name = |id: NodeId| lexicon.name_by_fingerprint(&fingerprints[id.0 as usize]);
        assert_eq!([smaller, size, root].map(name), [None, None, None]);
        assert_eq!(name(selected).as_deref(), Some("chosen"));
    }
}
