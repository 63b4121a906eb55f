//! Sines and cosines of sums of angles by addition formulas.
//!
//! Problem: sin(a + b) costs a call although the sines and cosines of a and b are computed anyway.
//! Method:  addition formulas where the sines and cosines of both angles are computed anyway or
//!          depend on parameters only; the same for double angles. Six operations replace a sin/cos
//!          pair and an addition.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{
    Graph, GraphBuilder, Group, NodeId, Op, Program, dependency_groups, mark_needed, program_roots, rebuild,
};
use dqdt_algebra::Number;

/// The angles of a program whose sines and cosines are computed anyway, and those done in the new
/// graph.
struct Angles<'a> {
    graph: &'a Graph,
    groups: Vec<Group>,
    evaluated_angles: FxHashSet<NodeId>,
    done: FxHashMap<NodeId, (NodeId, NodeId)>,
}

/// The pass: applies addition formulas where they save a sin/cos pair.
pub fn apply_addition_formulas(program: &Program) -> Program {
    let graph = &program.graph;
    let needed = mark_needed(graph, &program_roots(program));
    let mut at_hand = FxHashSet::default();
    for index in (0..needed.len()).filter(|i| needed[*i]) {
        let node = graph.node(NodeId(index as u32));
        if let (Op::Sin | Op::Cos, [angle]) = (node.op, node.args()) {
            at_hand.insert(*angle);
        }
    }
    let mut angles = Angles {
        graph,
        groups: dependency_groups(graph),
        evaluated_angles: at_hand,
        done: FxHashMap::default(),
    };
    rebuild(program, |b, _, node, map| {
        if let (Op::Sin | Op::Cos, [angle]) = (node.op, node.args()) {
            let (sin, cos) = angles.sine_and_cosine(b, *angle, map);
            return Some(if node.op == Op::Sin { sin } else { cos });
        }
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(b.copy_operation(graph, node, &args))
    })
}

impl Angles<'_> {
    /// True for an angle whose sine and cosine are computed anyway, or once in `Model::new`.
    fn is_cheap_angle(&self, angle: NodeId) -> bool {
        self.evaluated_angles.contains(&angle) || self.groups[angle.0 as usize] <= Group::Parameter
    }

    /// Sine and cosine of an angle of the old graph, as nodes of the new graph.
    fn sine_and_cosine(
        &mut self,
        b: &mut GraphBuilder,
        angle: NodeId,
        map: &dyn Fn(NodeId) -> NodeId,
    ) -> (NodeId, NodeId) {
        if let Some(pair) = self.done.get(&angle) {
            return *pair;
        }
        let node = self.graph.node(angle);
        let late = self.groups[angle.0 as usize] > Group::Parameter;
        let pair = match (node.op, node.args()) {
            (Op::Add | Op::Sub, &[x, y]) if late && self.is_cheap_angle(x) && self.is_cheap_angle(y) => {
                let (sx, cx) = self.sine_and_cosine(b, x, map);
                let (sy, cy) = self.sine_and_cosine(b, y, map);
                let [ss, sc, cs, cc] =
                    [(sx, sy), (sx, cy), (cx, sy), (cx, cy)].map(|(p, q)| b.record_product(p, q));
                let (for_sin, for_cos) =
                    if node.op == Op::Add { (Op::Add, Op::Sub) } else { (Op::Sub, Op::Add) };
                (b.graph.operation(for_sin, &[sc, cs]), b.graph.operation(for_cos, &[cc, ss]))
            }
            (Op::Mul, &[k, x])
                if late && self.graph.constant(k) == Some(Number::integer(2)) && self.is_cheap_angle(x) =>
            {
                let (s, c) = self.sine_and_cosine(b, x, map);
                let (two, one) = (b.graph.number(Number::integer(2)), b.graph.number(Number::ONE));
                let double = b.record_product(two, s);
                let (sin, square) = (b.record_product(double, c), b.record_product(double, s));
                (sin, b.graph.operation(Op::Sub, &[one, square]))
            }
            _ => {
                let x = map(angle);
                (b.graph.operation(Op::Sin, &[x]), b.graph.operation(Op::Cos, &[x]))
            }
        };
        self.done.insert(angle, pair);
        pair
    }
}
