//! Test points on both sides of every switch of two sides that are compared.
//!
//! Problem: sides that agree between −2 and 2 can differ beyond a limit, between two knots, or in
//!          the other branch of a condition.
//! Method:  both sides become one graph; `ir::SwitchSearch` finds points in doubles, whose numbers
//!          are replaced by the simplest fractions nearby. The side of a switch on which a point
//!          lies is decided by values with 100 digits, and only points at which both sides are
//!          defined count.
//! Limits:  the number of points is bounded by a number of operations; a switch with points on one
//!          side only is reported.

use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::closed::Closed;
use super::evaluation::{TestPoint, absolute_value, float_from_rational, values_at_point};
use super::expressions::Expressions;
use super::float::Float;
use super::record::record_form;
use dqdt_algebra::Number;
use dqdt_diagnostics::base::simplest_fraction;
use dqdt_graph::ir::{
    Graph, NodeId, Op, Snapshot, Space, Switch, SwitchPoint, SwitchSearch, SymbolKind, Tracer, find_switches,
    mark_needed,
};

/// Largest number of operations with 100 digits, for all points of a query together.
const WORK: usize = 4_000_000;
/// Number of points that are kept even if they need more operations than [`WORK`].
const LEAST: usize = 48;
/// Power of ten that bounds the values of symbols in the search for switches, in SI units.
const LARGEST: i32 = 9;
/// Largest magnitude of intermediate values at a point: beyond, the rounding error after
/// cancellation could pass for a difference or decide a side.
const CANCELLING: f64 = 1e30;
/// The same bound if derivatives are computed by finite differences at the point.
const CANCELLING_SLOPES: f64 = 1e15;
/// Range of magnitudes of parameters and time at points with finite differences, since their high
/// powers occur in the error.
const MODERATE: std::ops::Range<f64> = 1e-2..1e2;
/// Negative power of ten of the argument of a switch within which finite differences may cross it.
const NEAR: u32 = 9;
/// Largest length, in characters, of the text of a switch in a message.
const LONGEST: usize = 60;

/// Test points on both sides of switches (conditions, limits, knots), in addition to random ones.
#[derive(Default)]
pub(super) struct Samples {
    /// Values of the symbols at each point.
    points: Vec<BTreeMap<SymbolKind, Rational>>,
    /// Arguments of all switches, whose sign decides the side.
    switch_arguments: Expressions,
    /// Texts of the arguments of the switches, for messages.
    names: Vec<String>,
    /// Positions of the switches of each pair.
    relevant: Vec<Vec<usize>>,
}

/// Sides (negative, positive) of each switch, by its index, on which compared points lie.
#[derive(Clone, Default, Debug)]
pub(super) struct Coverage(BTreeMap<usize, [bool; 2]>);

impl Samples {
    /// Test points for pairs of outputs at the same positions.
    pub fn around_switches_in_pairs(
        left: &Expressions,
        right: &Expressions,
        quaternions: &[[usize; 4]],
    ) -> Self {
        let graph = Graph::new();
        let (a, b) = (record_outputs(left, &graph), record_outputs(right, &graph));
        let roots: Vec<Vec<Tracer<'_>>> = a.into_iter().zip(b).map(|(a, b)| vec![a, b]).collect();
        Samples::around_switches_in_nodes(
            &graph,
            &roots,
            quaternions,
            (left.nodes.len() + right.nodes.len(), false),
        )
    }

    /// Test points for outputs and closed forms at the same positions.
    pub fn around_switches_in_forms(
        expressions: &Expressions,
        forms: &[Closed],
        quaternions: &[[usize; 4]],
    ) -> Self {
        let graph = Graph::new();
        let outputs = record_outputs(expressions, &graph);
        let roots = outputs.into_iter().zip(forms).map(|(output, form)| {
            let form = record_form(form, &graph, expressions, &|kind, name| {
                Tracer::new(&graph, graph.symbol(name, kind))
            });
            let ids = std::iter::once(output.id(&graph)).chain(form.map(|form| form.id(&graph)));
            ids.map(|id| Tracer::new(&graph, id)).collect()
        });
        let roots: Vec<Vec<Tracer<'_>>> = roots.collect();
        Samples::around_switches_in_nodes(&graph, &roots, quaternions, (2 * expressions.nodes.len(), false))
    }

    /// Test points for entries each of which depends on all outputs, as in Lagrange's equations.
    pub fn around_switches_in_outputs(
        expressions: &Expressions,
        entries: usize,
        quaternions: &[[usize; 4]],
    ) -> Self {
        let graph = Graph::new();
        let all = record_outputs(expressions, &graph);
        Samples::around_switches_in_nodes(
            &graph,
            &vec![all; entries],
            quaternions,
            (30 * expressions.nodes.len(), true),
        )
    }

    /// Test points for groups of nodes. `cost` is the number of operations at a point; `has_slopes`
    /// is true if finite differences are computed there.
    fn around_switches_in_nodes(
        graph: &Graph,
        roots: &[Vec<Tracer<'_>>],
        quaternions: &[[usize; 4]],
        (cost, has_slopes): (usize, bool),
    ) -> Self {
        let ids: Vec<Vec<_>> = roots.iter().map(|r| r.iter().map(|x| x.id(graph)).collect()).collect();
        let mut outputs: Vec<_> = ids.iter().flatten().copied().collect();
        outputs.sort_unstable();
        outputs.dedup();
        let all = find_switches(graph, &outputs);
        if all.is_empty() {
            return Samples { relevant: vec![Vec::new(); roots.len()], ..Samples::default() };
        }
        let space = Space::new(graph.symbols().into_iter().map(|s| s.kind), quaternions, |_| 1.0);
        let mut points = SwitchSearch::new(graph, &outputs, &all, &space, LARGEST).find_points(Vec::new());
        let largest = if has_slopes { CANCELLING_SLOPES } else { CANCELLING };
        points.retain(|p| {
            let snapshot = Snapshot::new(graph, &outputs, |kind| space.symbol_value(kind, &p.x));
            (!has_slopes || has_moderate_magnitudes(&space, p)) && snapshot.largest_magnitude() < largest
        });
        let most = (WORK / cost.max(1)).max(LEAST);
        let mut samples = Samples {
            switch_arguments: Expressions::new(graph, &all.iter().map(|s| s.argument).collect::<Vec<_>>()),
            names: all.iter().map(|s| short_text(graph, s.argument)).collect(),
            relevant: ids.iter().map(|ids| relevant_switches(graph, &all, ids)).collect(),
            ..Samples::default()
        };
        for p in &points[..points.len().min(most)] {
            samples.points.push(exact_point(&space, p));
        }
        samples
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The test point at an index, with exact values of the symbols.
    pub fn test_point(&self, index: usize) -> TestPoint {
        TestPoint::with_values(self.points.get(index).cloned().unwrap_or_default())
    }

    /// True if the point lies on a switch, or so near that a step of finite differences crosses it:
    /// there are no derivatives. Random points can lie on one too: a knot at `t = 1`.
    pub fn has_switch_at(&self, point: &mut TestPoint) -> bool {
        let near = float_from_rational(&Rational::ratio(1, 10).pow(NEAR));
        self.arguments(point).iter().flatten().any(|x| (absolute_value(x) - &near).is_negative())
    }

    /// Arguments of all switches at a point.
    pub fn arguments(&self, point: &mut TestPoint) -> Vec<Option<Float>> {
        let all: Vec<usize> = (0..self.names.len()).collect();
        values_at_point(&self.switch_arguments, &all, point)
    }

    /// Text of the first switch of a pair that the points do not cover on both sides.
    pub fn uncrossed_switch(&self, which: usize, coverage: &Coverage) -> Option<String> {
        let mut switches = self.relevant.get(which)?.iter();
        let switch = switches.find(|s| coverage.0.get(s) != Some(&[true, true]))?;
        self.names.get(*switch).cloned()
    }
}

impl Coverage {
    /// Adds a point at which the sides were compared.
    pub fn add_point(&mut self, arguments: &[Option<Float>]) {
        for (switch, value) in arguments.iter().enumerate() {
            let Some(value) = value.as_ref().filter(|v| !v.is_zero()) else { continue };
            let side = usize::from(!value.is_negative());
            self.0.entry(switch).or_default()[side] = true;
        }
    }
}

/// Values of symbols at a point, as simple fractions.
fn exact_point(space: &Space, p: &SwitchPoint) -> BTreeMap<SymbolKind, Rational> {
    let mut x: Vec<Rational> =
        p.x.iter().map(|t| simplest_rational(t - 1e-15 * t.abs(), t + 1e-15 * t.abs())).collect();
    if let Some((i, low, high)) = p.at_zero {
        x[i] = simplest_rational(low, high);
    }
    let mut out: BTreeMap<SymbolKind, Rational> =
        space.plain().map(|(kind, i)| (kind, x[i].clone())).collect();
    for (group, first) in space.quaternions() {
        out.extend(TestPoint::unit_quaternion_values(*group, &x[*first..*first + 3]));
    }
    out
}

/// The fraction with the smallest denominator in an interval.
fn simplest_rational(low: f64, high: f64) -> Rational {
    let (num, den) = simplest_fraction(low, high);
    Rational::ratio(num, den)
}

/// True if parameters and time have moderate magnitudes at a point.
fn has_moderate_magnitudes(space: &Space, p: &SwitchPoint) -> bool {
    let mut steady =
        space.plain().filter(|(kind, _)| matches!(kind, SymbolKind::Parameter(_) | SymbolKind::Time));
    steady.all(|(_, i)| MODERATE.contains(&p.x[i].abs()))
}

/// Positions of the switches on which some nodes depend.
fn relevant_switches(graph: &Graph, switches: &[Switch], nodes: &[NodeId]) -> Vec<usize> {
    let needed = mark_needed(graph, nodes);
    (0..switches.len())
        .filter(|s| {
            let mut operations = switches[*s].operations.iter();
            operations.any(|o| needed.get(o.0 as usize).copied().unwrap_or(false))
        })
        .collect()
}

/// Records the outputs of expressions in a graph.
fn record_outputs<'g>(expressions: &Expressions, graph: &'g Graph) -> Vec<Tracer<'g>> {
    let mut ids: Vec<NodeId> = Vec::with_capacity(expressions.nodes.len());
    for node in &expressions.nodes {
        let args: Vec<_> = node.args.iter().map(|a| ids[*a as usize]).collect();
        ids.push(match node.op {
            Op::Const(n) => graph.number(n),
            Op::Symbol(s) => {
                let symbol = &expressions.symbols[s.0 as usize];
                graph.symbol(&symbol.name, symbol.kind)
            }
            Op::Table(t) => {
                let table = graph.table(&expressions.tables[t.0 as usize].to_function());
                graph.operation(Op::Table(table), &args)
            }
            op => graph.operation(op, &args),
        });
    }
    expressions.outputs.iter().map(|o| Tracer::new(graph, ids[*o as usize])).collect()
}

/// An argument as text, truncated if long.
fn short_text(graph: &Graph, argument: NodeId) -> String {
    let mut text = String::new();
    write_argument(graph, argument, 0, &mut text);
    if let Some((cut, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(cut);
        text.push_str(" …");
    }
    text
}

/// Writes a node as text, in brackets if it binds weaker than `strength`; stops when long enough.
fn write_argument(graph: &Graph, id: NodeId, strength: u8, text: &mut String) {
    if text.len() > 4 * LONGEST {
        return;
    }
    let node = graph.node(id);
    let args = node.args();
    let infix = |sign: &str, left: u8, right: u8, text: &mut String| {
        let is_weaker = left < strength;
        text.push_str(if is_weaker { "(" } else { "" });
        write_argument(graph, args[0], left, text);
        text.push_str(sign);
        write_argument(graph, args[1], right, text);
        text.push_str(if is_weaker { ")" } else { "" });
    };
    match node.op {
        Op::Const(n) => text.push_str(&number_text(n)),
        Op::Symbol(s) => text.push_str(&graph.symbol_info(s).name),
        Op::Add => infix(" + ", 1, 1, text),
        Op::Sub => infix(" - ", 1, 2, text),
        Op::Mul => infix("*", 2, 2, text),
        Op::Div => infix("/", 2, 3, text),
        op => {
            let name = match op {
                Op::Neg => "-".to_owned(),
                Op::Sqrt => "sqrt".to_owned(),
                Op::Sin => "sin".to_owned(),
                Op::Cos => "cos".to_owned(),
                Op::Func(f) => f.name().to_owned(),
                Op::Func2(f) => f.name().to_owned(),
                Op::Table(t) => graph.table_data(t).name.clone(),
                _ => "if".to_owned(),
            };
            text.push_str(&name);
            text.push('(');
            for (place, a) in args.iter().enumerate() {
                text.push_str(if place > 0 { ", " } else { "" });
                write_argument(graph, *a, 0, text);
            }
            text.push(')');
        }
    }
}

/// A number of the graph as text.
fn number_text(n: Number) -> String {
    match n {
        Number::Rational(r) if r.den() != 1 => format!("{}/{}", r.num(), r.den()),
        n => n.to_f64().to_string(),
    }
}
