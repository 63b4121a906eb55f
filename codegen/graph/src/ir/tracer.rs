//! `Tracer`, the scalar that records: a `Copy` handle to a node of a graph, or a literal without
//! one.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::eval::evaluate_operation;
use super::graph::Graph;
use super::node::{NodeId, Op};
use super::normal_form::compute_normal_forms;
use super::replay::replay;
use dqdt_algebra::{Cmp, Func, Func2, Number, PiecewiseCubic, Scalar};

/// The scalar that records its operations in a graph. `==` compares nodes, not values.
#[derive(Clone, Copy)]
pub enum Tracer<'g> {
    /// A constant of the mechanics code, which has no access to a graph; recorded when used.
    Literal(Number),
    /// A recorded value: a handle to a node of a graph.
    Node(&'g Graph, NodeId),
}

impl<'g> Tracer<'g> {
    /// The tracer of the node `id` of `graph`.
    pub fn new(graph: &'g Graph, id: NodeId) -> Self {
        Tracer::Node(graph, id)
    }

    /// The constant `n` as a node, so that functions of it stay exact.
    pub fn number(graph: &'g Graph, n: Number) -> Self {
        Tracer::Node(graph, graph.number(n))
    }

    /// The node of this value in `graph`; a literal is recorded there.
    pub fn id(self, graph: &Graph) -> NodeId {
        match self {
            Tracer::Literal(n) => graph.number(n),
            Tracer::Node(_, id) => id,
        }
    }

    /// The constant that the tracer represents, if it is one.
    pub fn constant(self) -> Option<Number> {
        match self {
            Tracer::Literal(n) => Some(n),
            Tracer::Node(g, id) => g.constant(id),
        }
    }

    /// The graph in which the tracer records; `None` for a literal.
    fn recording_graph(self) -> Option<&'g Graph> {
        match self {
            Tracer::Literal(_) => None,
            Tracer::Node(g, _) => Some(g),
        }
    }

    /// Records an operation in the graph of its first argument that has one, or evaluates it on
    /// literals.
    fn record_operation(op: Op, args: &[Tracer<'g>]) -> Self {
        let Some(graph) = args.iter().find_map(|a| a.recording_graph()) else {
            return Tracer::evaluate_literals(op, args);
        };
        if let Some(result) = Tracer::fold_zero_or_one(op, args) {
            return result;
        }
        let mut ids = [NodeId(0); 4];
        for (id, a) in ids.iter_mut().zip(args) {
            *id = a.id(graph);
        }
        Tracer::new(graph, graph.operation(op, &ids[..args.len()]))
    }

    /// True for the literal with this number.
    fn is_literal(self, number: Number) -> bool {
        matches!(self, Tracer::Literal(n) if n == number)
    }

    /// Sums and products with literal zeros and ones, which the mechanics produces in large
    /// numbers: faster than the graph's folding.
    fn fold_zero_or_one(op: Op, args: &[Tracer<'g>]) -> Option<Self> {
        let (zero, one) = (Number::ZERO, Number::ONE);
        match (op, args) {
            (Op::Mul, &[z, x] | &[x, z]) if z.is_literal(zero) || x.is_literal(zero) => {
                Some(Tracer::number(x.recording_graph().or(z.recording_graph())?, Number::ZERO))
            }
            (Op::Add, &[x, z]) | (Op::Sub, &[x, z]) if z.is_literal(zero) => Some(x),
            (Op::Add, &[z, x]) if z.is_literal(zero) => Some(x),
            (Op::Mul, &[x, e]) if e.is_literal(one) => Some(x),
            (Op::Mul, &[e, x]) if e.is_literal(one) => Some(x),
            _ => None,
        }
    }

    /// An operation on literals only, for which there is no graph: exact if it folds, else the
    /// nearest double.
    fn evaluate_literals(op: Op, args: &[Tracer<'g>]) -> Self {
        let exact = match (op, args) {
            (Op::Add, [Tracer::Literal(a), Tracer::Literal(b)]) => a.checked_add(*b),
            (Op::Mul, [Tracer::Literal(a), Tracer::Literal(b)]) => a.checked_mul(*b),
            (Op::Neg, [Tracer::Literal(a)]) => a.checked_neg(),
            _ => None,
        };
        if let Some(exact) = exact {
            return Tracer::Literal(exact);
        }
        let scratch = Graph::new();
        let mut ids = [NodeId(0); 4];
        for (id, a) in ids.iter_mut().zip(args) {
            *id = a.id(&scratch);
        }
        let result = scratch.operation(op, &ids[..args.len()]);
        let value = scratch.constant(result).unwrap_or_else(|| {
            let value = replay(&scratch, &[result], |_, op, a: &[f64]| {
                evaluate_operation(&scratch, op, a, |_| f64::NAN)
            });
            Number::float(value[0])
        });
        Tracer::Literal(value)
    }
}

impl PartialEq for Tracer<'_> {
    fn eq(&self, o: &Self) -> bool {
        match (self, o) {
            (Tracer::Literal(a), Tracer::Literal(b)) => a == b,
            (Tracer::Node(g, a), Tracer::Node(h, b)) => std::ptr::eq(*g, *h) && a == b,
            _ => false,
        }
    }
}

impl fmt::Debug for Tracer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tracer::Literal(r) => write!(f, "{r}"),
            Tracer::Node(_, id) => write!(f, "#{}", id.0),
        }
    }
}

impl Add for Tracer<'_> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Tracer::record_operation(Op::Add, &[self, o])
    }
}

impl Sub for Tracer<'_> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Tracer::record_operation(Op::Sub, &[self, o])
    }
}

impl Mul for Tracer<'_> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Tracer::record_operation(Op::Mul, &[self, o])
    }
}

impl Div for Tracer<'_> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        Tracer::record_operation(Op::Div, &[self, o])
    }
}

impl Neg for Tracer<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        Tracer::record_operation(Op::Neg, &[self])
    }
}

impl Scalar for Tracer<'_> {
    const ZERO: Self = Tracer::Literal(Number::ZERO);
    const ONE: Self = Tracer::Literal(Number::ONE);

    fn ratio(n: i32, d: u32) -> Self {
        // A denominator of zero is a mistake in the mechanics code; it becomes infinity.
        let exact = Number::ratio(i64::from(n), i64::from(d));
        Tracer::Literal(exact.unwrap_or_else(|| Number::float(f64::from(n) / f64::from(d))))
    }

    fn is_zero(self) -> bool {
        self.constant().is_some_and(Number::is_zero)
    }

    fn sin_cos(self) -> (Self, Self) {
        (Tracer::record_operation(Op::Sin, &[self]), Tracer::record_operation(Op::Cos, &[self]))
    }

    fn sqrt(self) -> Self {
        Tracer::record_operation(Op::Sqrt, &[self])
    }

    fn apply_function(self, f: Func) -> Self {
        Tracer::record_operation(Op::Func(f), &[self])
    }

    fn apply_function2(self, f: Func2, other: Self) -> Self {
        Tracer::record_operation(Op::Func2(f), &[self, other])
    }

    fn select(cmp: Cmp, a: Self, b: Self, yes: Self, no: Self) -> Self {
        Tracer::record_operation(Op::Select(cmp), &[a, b, yes, no])
    }

    fn suggest_name(self, name: &dyn Fn() -> String) -> Self {
        if let Tracer::Node(g, id) = self {
            g.note(id, name);
        }
        self
    }

    fn suggest_name_like(self, other: Self, kind: &str) -> Self {
        if let (Tracer::Node(g, id), Tracer::Node(_, other)) = (self, other)
            && let Some(name) = g.name_of(other)
        {
            let prefix = format!("{kind}_");
            g.note(id, &|| if name.starts_with(&prefix) { name.clone() } else { format!("{prefix}{name}") });
        }
        self
    }

    fn interpolate_table(self, table: &PiecewiseCubic) -> Self {
        match self {
            Tracer::Node(g, _) => Tracer::record_operation(Op::Table(g.table(table)), &[self]),
            Tracer::Literal(n) => Tracer::Literal(Number::float(table.eval(n.to_f64()))),
        }
    }

    fn normal_forms(groups: &[&[Self]]) -> Vec<Vec<Self>> {
        let graph = groups.iter().copied().flatten().find_map(|x| x.recording_graph());
        let Some(graph) = graph.filter(|g| g.has_normal_forms()) else {
            return groups.iter().map(|group| group.to_vec()).collect();
        };
        // Zeros have no other form, and most entries of a large M are zeros.
        let ids: Vec<Vec<NodeId>> = groups
            .iter()
            .map(|group| group.iter().filter(|x| !x.is_zero()).map(|x| x.id(graph)).collect())
            .collect();
        let forms = graph.cached_normal_forms(&ids).unwrap_or_else(|| {
            let forms = compute_normal_forms(graph, &ids);
            graph.cache_normal_forms(&ids, &forms);
            forms
        });
        let mut with_zeros = Vec::with_capacity(groups.len());
        for (group, forms) in groups.iter().zip(forms) {
            let (mut entries, mut forms) = (group.to_vec(), forms.into_iter());
            for x in entries.iter_mut().filter(|x| !x.is_zero()) {
                let form = forms.next().map(|id| Tracer::new(graph, id));
                *x = graph.invariants().require(form, *x, "the normal form of a nonzero entry is missing");
            }
            with_zeros.push(entries);
        }
        with_zeros
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::SymbolKind;
    use super::*;
    use dqdt_algebra::Ratio;

    #[test]
    fn structural_zeros_and_signs_vanish() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let y = Tracer::new(&g, g.symbol("y", SymbolKind::Coordinate(1)));
        assert!((x * Tracer::ZERO).is_zero());
        assert!((x - x).is_zero());
        assert_eq!((x + y) - y, x);
        assert_eq!(-(x - y), y - x);
        assert_eq!((-x) * (-y), x * y);
        let (s, c) = (x - y).sin_cos();
        let (s2, c2) = (y - x).sin_cos();
        assert_eq!((s2, c2), (-s, c));
        assert_eq!((s * s + c * c).constant(), Some(Number::ONE));
    }

    #[test]
    fn angles_shifted_by_right_angles_share_their_sine() {
        let g = Graph::new();
        let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
        let (s, c) = x.sin_cos();
        for k in -4i32..5 {
            let quarter = Tracer::number(&g, Number::pi(Ratio::new(i128::from(k), 2).unwrap()));
            let expected = [(s, c), (c, -s), (-s, -c), (-c, s)][k.rem_euclid(4) as usize];
            assert_eq!((x + quarter).sin_cos(), expected, "{k}");
        }
        for k in 0..48i64 {
            let angle = Number::pi(Ratio::new(i128::from(k - 24), 12).unwrap());
            let (s, c) = Tracer::number(&g, angle).sin_cos();
            for (got, expected) in [(s, angle.to_f64().sin()), (c, angle.to_f64().cos())] {
                let id = got.id(&g);
                let value =
                    replay(&g, &[id], |_, op, a: &[f64]| evaluate_operation(&g, op, a, |_| f64::NAN))[0];
                assert!((value - expected).abs() < 1e-15, "{k}: {value} against {expected}");
            }
        }
    }

    #[test]
    fn functions_of_literals_need_no_graph() {
        let two = Tracer::ratio(2, 1);
        assert_eq!(two.sqrt().constant(), Some(Number::float(2f64.sqrt())));
        assert_eq!((two * two).sqrt(), two);
    }

    fn coordinate(g: &Graph, i: usize) -> NodeId {
        g.symbol(&format!("q{i}"), SymbolKind::Coordinate(i))
    }

    #[test]
    fn the_memo_table_returns_the_node_that_folding_returns() {
        let (fast, slow) = (Graph::with_normal_forms(), Graph::new());
        let mut random = dqdt_diagnostics::base::Random::new(5);
        let mut ids: Vec<NodeId> = (0..4)
            .map(|i| {
                assert_eq!(coordinate(&fast, i), coordinate(&slow, i));
                coordinate(&fast, i)
            })
            .collect();
        for _ in 0..20_000 {
            let [a, b] = [0, 0].map(|_: usize| ids[random.next_below(ids.len())]);
            let op = [Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Sin, Op::Cos][random.next_below(6)];
            let args = if matches!(op, Op::Neg | Op::Sin | Op::Cos) { &[a][..] } else { &[a, b][..] };
            let id = fast.operation(op, args);
            assert_eq!(id, slow.operation(op, args), "{op:?} of {args:?}");
            if ids.len() < 300 {
                ids.push(id);
            }
        }
    }
}
