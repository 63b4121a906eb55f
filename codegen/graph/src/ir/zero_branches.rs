//! Derivatives of functions whose argument does not move on some branch of a selection.
//!
//! Problem: the slope of a root or a power may be infinite or not a number on a branch that is not
//!          taken; times a rate of zero it would be not a number, not zero.
//! Method:  where the rate is zero by its structure, on a branch of a selection, the derivative is
//!          selected to be zero, too.

use super::graph::Graph;
use super::node::Op;
use super::tracer::Tracer;
use dqdt_algebra::{Cmp, Func, Func2, Scalar};

/// Largest number of operations between a rate and the selections that make it zero.
const DEEPEST: usize = 6;

/// The same derivative, with zero on those branches of selections on which `rate` is zero whatever
/// its symbols are.
pub(super) fn keep_zero_branches<'g>(
    graph: &'g Graph,
    rate: Tracer<'g>,
    derivative: Tracer<'g>,
) -> Tracer<'g> {
    choose_where_zero(graph, rate, (Tracer::ZERO, derivative), DEEPEST)
}

/// The first value where `rate` is zero by its structure, else the second.
fn choose_where_zero<'g>(
    graph: &'g Graph,
    rate: Tracer<'g>,
    (if_zero, otherwise): (Tracer<'g>, Tracer<'g>),
    depth: usize,
) -> Tracer<'g> {
    if rate.is_zero() {
        return if_zero;
    }
    let Some(depth) = depth.checked_sub(1) else { return otherwise };
    let node = graph.node(rate.id(graph));
    let argument = |k: usize| Tracer::new(graph, node.args()[k]);
    let choose = |k: usize, values| choose_where_zero(graph, argument(k), values, depth);
    match node.op {
        Op::Neg | Op::Div => choose(0, (if_zero, otherwise)),
        Op::Mul => choose(0, (if_zero, choose(1, (if_zero, otherwise)))),
        Op::Add | Op::Sub => choose(0, (choose(1, (if_zero, otherwise)), otherwise)),
        Op::Select(cmp) => {
            let [yes, no] = [2, 3].map(|k| choose(k, (if_zero, otherwise)));
            select(graph, (cmp, argument(0), argument(1)), yes, no)
        }
        Op::Func2(Func2::Max) if argument(1).is_zero() => {
            select(graph, (Cmp::Le, argument(0), argument(1)), if_zero, otherwise)
        }
        Op::Func2(Func2::Max) if argument(0).is_zero() => {
            select(graph, (Cmp::Le, argument(1), argument(0)), if_zero, otherwise)
        }
        _ => otherwise,
    }
}

/// A selection; nothing is recorded if both branches are the same value.
fn select<'g>(
    graph: &'g Graph,
    (cmp, a, b): (Cmp, Tracer<'g>, Tracer<'g>),
    yes: Tracer<'g>,
    no: Tracer<'g>,
) -> Tracer<'g> {
    if yes.id(graph) == no.id(graph) { yes } else { Tracer::select(cmp, a, b, yes, no) }
}

/// True if the slope of an operation can be infinite or not a number where its value is finite, or
/// where the operation is not needed.
pub(super) fn has_poles(op: Op) -> bool {
    match op {
        Op::Sqrt | Op::Div => true,
        Op::Func(f) => !matches!(f, Func::Atan | Func::Tanh | Func::Abs | Func::Sign),
        Op::Func2(f) => matches!(f, Func2::Pow | Func2::Atan2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::adjoint::gradient;
    use super::super::eval::evaluate;
    use super::super::node::SymbolKind;
    use super::super::tangent::Tangents;
    use super::*;

    #[test]
    fn a_branch_that_is_not_taken_has_no_derivative_where_it_is_singular() {
        let g = Graph::new();
        let y = Tracer::new(&g, g.symbol("y", SymbolKind::Coordinate(0)));
        let l = Tracer::new(&g, g.symbol("l", SymbolKind::Coordinate(1)));
        let power = Tracer::ratio(3, 2);
        let (zero, gap) = (Tracer::ZERO, (-y / l).apply_function2(Func2::Max, Tracer::ZERO));
        let clamped = Tracer::select(Cmp::Lt, zero, -y / l, -y / l, zero);
        let values = [
            gap.apply_function2(Func2::Pow, power),
            (l * gap).apply_function2(Func2::Pow, power),
            (clamped / l).apply_function2(Func2::Pow, power),
            clamped.sqrt() * clamped,
            Tracer::select(Cmp::Lt, y, zero, (-y / l).apply_function2(Func2::Pow, power), zero),
            Tracer::select(Cmp::Lt, y, zero, (-y / l).sqrt(), zero),
            Tracer::select(Cmp::Lt, y, zero, (-y).apply_function(Func::Ln), zero),
        ];
        let symbols = [y.id(&g), l.id(&g)];
        for value in values {
            let slopes = gradient(&g, value, &symbols);
            let tangents = Tangents::new(&g, &[slopes[0], slopes[1], value]);
            let along = symbols.map(|x| tangents.derivatives_along(&[(x, Tracer::ONE)], "x"));
            let ids: Vec<_> = slopes.iter().chain(along.iter().flatten()).map(|x| x.id(&g)).collect();
            let at = |py: f64| evaluate(&g, &ids, |k| if k == SymbolKind::Coordinate(0) { py } else { 0.7 });
            assert!(at(0.5).iter().all(|x| *x == 0.0), "{value:?}: {:?}", at(0.5));
            assert!(at(-0.5).iter().all(|x| x.is_finite()), "{value:?}: {:?}", at(-0.5));
            assert!(at(-0.5)[0] != 0.0, "{value:?}");
        }
    }
}
