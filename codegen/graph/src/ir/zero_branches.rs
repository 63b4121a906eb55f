//! Derivatives of functions whose argument does not move on some branch of a selection.
//!
//! Problem: the slope of a root or a power may be infinite or not a number on a branch that is not
//!          taken; times a rate of zero it would be not a number, not zero.
//! Method:  where the rate is zero by its structure, on a branch of a selection, the derivative is
//!          selected to be zero, too.

use super::graph::Graph;
use super::node::Op;
use super::tracer::Tracer;
use dqdt_algebra::{Func, Func2, Scalar};

/// The same derivative, with zero on those branches of selections on which `rate` is zero whatever
/// its symbols are.
pub(super) fn keep_zero_branches<'g>(
    graph: &'g Graph,
    rate: Tracer<'g>,
    derivative: Tracer<'g>,
) -> Tracer<'g> {
    if rate.is_zero() {
        return Tracer::ZERO;
    }
    let node = graph.node(rate.id(graph));
    let argument = |k: usize| Tracer::new(graph, node.args()[k]);
    match node.op {
        Op::Neg | Op::Div => keep_zero_branches(graph, argument(0), derivative),
        Op::Mul => {
            let first = keep_zero_branches(graph, argument(0), derivative);
            keep_zero_branches(graph, argument(1), first)
        }
        Op::Select(cmp) => {
            let [yes, no] = [2, 3].map(|k| keep_zero_branches(graph, argument(k), derivative));
            if yes.id(graph) == no.id(graph) {
                return yes;
            }
            Tracer::select(cmp, argument(0), argument(1), yes, no)
        }
        _ => derivative,
    }
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
    use dqdt_algebra::Cmp;

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
            (-(clamped / l)).apply_function2(Func2::Pow, power),
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
