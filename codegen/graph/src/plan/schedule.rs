//! The statements of a body, in order.
//!
//! Problem: a function is a list of readable `let` statements. Which nodes get a name, which are
//!          inlined in the expression of their user, and in what order?
//! Method:  labelled nodes and nodes used twice become statements; others are inlined while the
//!          line stays short. Each statement has a key (dependency group, section); without a label
//!          it takes the least key of its users. Labelled values are ordered by key, each directly
//!          after the values that it needs.
//! Cost:    O(n log n) for n nodes.
//!
//! The file is long because its steps share one set of tables, which separate functions would have
//! to pass around.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::equal::Equal;
use super::root::Root;
use crate::ir::{Graph, Group, Node, NodeId, Op};

/// Maximum width of an inlined expression in emitted code, in estimated columns.
const WIDTH: u32 = 70;
/// Maximum number of terms of a sum in one statement, over several lines.
const TERMS: u32 = 24;
/// Estimated width of a field of the model in an expression, in columns.
const FIELD: u32 = 16;
/// Estimated width of a generated name in an expression, in columns.
const DERIVED: u32 = 12;
/// Minimum number of angles for which a body computes sines and cosines in one call.
pub(super) const TOGETHER: usize = 3;
const NONE: u32 = u32::MAX;

/// An angle, with the nodes of its sine and cosine if they are needed: computed by one `sin_cos`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The angle, the common argument of sine and cosine.
    pub angle: NodeId,
    /// Node of the angle's sine, if it is needed.
    pub sin: Option<NodeId>,
    /// Node of the angle's cosine, if it is needed.
    pub cos: Option<NodeId>,
}

/// The content of a `let` statement: the values that it computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A `let` statement that computes one value.
    Value(NodeId),
    /// A statement that computes sines and cosines, those of several angles in one call.
    SinCos(Vec<Pair>),
    /// A call that computes an equal part in SIMD lanes, by index in the body's parts.
    Part(usize),
}

/// A `let` statement of an emitted function, with the section to which it belongs.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Heading of the paragraph of emitted code; equal for statements of one paragraph.
    pub section: Arc<str>,
    /// The value or values that the statement computes: one value, sines and cosines, or an equal
    /// part.
    pub step: Step,
}

/// The labelled value or root whose computation uses a node; gives its section and temporary names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Owner {
    /// The node with a label that uses the value.
    Label(NodeId),
    /// The root of the body that uses the value, by index.
    Root(u32),
}

/// The ordered statements of the body of an emitted function, and which nodes have one.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The `let` statements of the body in order of execution.
    pub statements: Vec<Statement>,
    /// Maximum number of named values that are alive at the same time: an estimate of register
    /// pressure.
    pub max_live_values: usize,
    bound: Vec<bool>,
    owners: Vec<Option<Owner>>,
}

impl Schedule {
    /// True if the node has a statement; else it is a leaf or inlined in its user.
    pub fn has_statement(&self, id: NodeId) -> bool {
        self.bound.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// The label or root that uses the node; `None` if it is not needed.
    pub fn label_or_root(&self, id: NodeId) -> Option<Owner> {
        self.owners.get(id.0 as usize).copied().flatten()
    }
}

/// Key by which statements are ordered: dependency group, number of the section.
type StepKey = (Group, u32);

/// State while the statements of one body are chosen and ordered.
struct Scheduler<'a, L> {
    graph: &'a Graph,
    groups: &'a [Group],
    leaf: L,
    parts: &'a [Equal],
    /// The equal part that computes and exports a value, by node.
    part_of: FxHashMap<NodeId, usize>,
    needed: Vec<bool>,
    pairs: FxHashMap<NodeId, Pair>,
    out: Schedule,
}

/// Orders the statements that `roots` and `parts` need. Nodes with `leaf` true are not computed;
/// exports of parts are leaves, too.
pub fn schedule_statements(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    parts: &[Equal],
    leaf: impl Fn(NodeId) -> bool,
) -> Schedule {
    let roots: Vec<Root> = roots.iter().cloned().chain(parts.iter().flat_map(Equal::input_roots)).collect();
    let roots = &roots[..];
    let part_of: FxHashMap<NodeId, usize> =
        parts.iter().enumerate().flat_map(|(i, part)| part.exported_nodes().map(move |n| (n, i))).collect();
    let ends = roots.iter().map(|r| r.node).chain(part_of.keys().copied());
    let end = ends.map(|n| n.0 as usize + 1).max().unwrap_or(0);
    let mut b = Scheduler {
        graph,
        groups,
        leaf,
        parts,
        part_of,
        needed: vec![false; end],
        pairs: FxHashMap::default(),
        out: Schedule { bound: vec![false; end], owners: vec![None; end], ..Schedule::default() },
    };
    b.mark_needed_nodes(roots);
    let together = b.find_sine_cosine_pairs();
    b.choose_statements(roots, &together);
    let (keys, sections) = b.statement_keys(roots);
    let steps = b.list_steps(together);
    b.order_statements(steps, &keys, &sections, roots);
    b.out
}

impl<L: Fn(NodeId) -> bool> Scheduler<'_, L> {
    /// True for a node that the body computes itself, in a statement or inlined.
    fn is_computed_here(&self, id: NodeId) -> bool {
        self.needed[id.0 as usize]
    }

    /// Marks the nodes that the body must compute, without leaves.
    fn mark_needed_nodes(&mut self, roots: &[Root]) {
        for r in roots {
            self.needed[r.node.0 as usize] = true;
        }
        for index in (0..self.needed.len()).rev() {
            if !self.needed[index] {
                continue;
            }
            let id = NodeId(index as u32);
            if (self.leaf)(id) {
                self.needed[index] = false;
                continue;
            }
            for a in self.graph.node(id).args() {
                self.needed[a.0 as usize] = true;
            }
        }
    }

    /// The nodes that the body computes, in order of ids.
    fn needed_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<L> {
        let needed: Vec<NodeId> =
            (0..self.needed.len()).filter(|i| self.needed[*i]).map(|i| NodeId(i as u32)).collect();
        needed.into_iter()
    }

    /// True for a node that is available without a statement: a symbol, a constant, a field of the
    /// model.
    fn is_available(&self, id: NodeId) -> bool {
        let symbol = matches!(self.graph.node(id).op, Op::Symbol(_));
        symbol || !self.is_computed_here(id) && self.groups[id.0 as usize] <= Group::Parameter
    }

    /// Collects sines and cosines by angle; returns the angles that are polynomials of symbols, to
    /// be computed in one call.
    fn find_sine_cosine_pairs(&mut self) -> Vec<NodeId> {
        let mut simple = vec![false; self.needed.len()];
        let mut angles = Vec::new();
        for id in self.needed_ids() {
            let node = self.graph.node(id);
            match node.op {
                Op::Add | Op::Sub | Op::Mul | Op::Neg => {
                    simple[id.0 as usize] =
                        node.args().iter().all(|a| simple[a.0 as usize] || self.is_available(*a));
                }
                Op::Sin | Op::Cos => {
                    let angle = node.args()[0];
                    let known = self.is_available(angle);
                    let pair = self.pairs.entry(angle).or_insert_with(|| {
                        if simple[angle.0 as usize] || known {
                            angles.push(angle);
                        }
                        Pair { angle, sin: None, cos: None }
                    });
                    let slot = if node.op == Op::Sin { &mut pair.sin } else { &mut pair.cos };
                    *slot = Some(id);
                }
                _ => {}
            }
        }
        if angles.len() < TOGETHER { Vec::new() } else { angles }
    }

    /// Number of uses of each node, by roots and by other nodes. A sine and a cosine of one angle,
    /// computed together, are one use of the angle.
    fn count_uses(&self, roots: &[Root]) -> Vec<u32> {
        let mut uses = vec![0u32; self.needed.len()];
        for r in roots {
            uses[r.node.0 as usize] += 1;
        }
        for id in self.needed_ids() {
            let node = self.graph.node(id);
            if node.op == Op::Cos && self.pairs.get(&node.args()[0]).is_some_and(|p| p.sin.is_some()) {
                continue;
            }
            for a in node.args() {
                uses[a.0 as usize] += 1;
            }
        }
        uses
    }

    /// Decides which nodes become statements: labelled ones, those used twice, and those that would
    /// make a line too long.
    fn choose_statements(&mut self, roots: &[Root], together: &[NodeId]) {
        let uses = self.count_uses(roots);
        for angle in together {
            if let Some(pair) = self.pairs.get(angle) {
                for id in [pair.sin, pair.cos].into_iter().flatten() {
                    self.out.bound[id.0 as usize] = true;
                }
            }
        }
        let mut width = vec![0u32; self.needed.len()];
        let mut terms = vec![1u32; self.needed.len()];
        for id in self.needed_ids() {
            let index = id.0 as usize;
            let node = self.graph.node(id);
            let label = self.graph.label_of(id);
            let paired = matches!(node.op, Op::Sin | Op::Cos)
                && self.pairs.get(&node.args()[0]).is_some_and(|p| p.sin.is_some() && p.cos.is_some());
            if label.is_some() || uses[index] > 1 || paired {
                self.out.bound[index] = true;
            }
            // A sum that this node continues is printed on its own lines and does not count.
            let sum = self.continued_sum(&node).filter(|a| terms[a.0 as usize] < TERMS);
            terms[index] = sum.map_or(1, |a| terms[a.0 as usize] + 1);
            loop {
                let total = operation_width(node.op)
                    + node.args().iter().map(|a| self.estimated_width(*a, &width)).sum::<u32>();
                let line = total - sum.map_or(0, |a| width[a.0 as usize].min(total));
                let widest = node
                    .args()
                    .iter()
                    .filter(|a| {
                        self.is_computed_here(**a) && !self.out.bound[a.0 as usize] && sum != Some(**a)
                    })
                    .max_by_key(|a| width[a.0 as usize]);
                match widest {
                    Some(a) if line > WIDTH => {
                        self.out.bound[a.0 as usize] = true;
                        width[a.0 as usize] = DERIVED;
                    }
                    _ => {
                        width[index] = total;
                        break;
                    }
                }
            }
            if self.out.bound[index] {
                width[index] = label.map_or(DERIVED, |l| l.name.len() as u32);
            }
        }
    }

    /// The operand of a sum that is itself an inlined sum: `a + b` in `a + b − c` and in
    /// `c + (a + b)`, printed as `a + b + c` with the same value.
    fn continued_sum(&self, node: &Node) -> Option<NodeId> {
        let sum = |a: &NodeId| {
            let inline = self.is_computed_here(*a) && !self.out.bound[a.0 as usize];
            inline && matches!(self.graph.node(*a).op, Op::Add | Op::Sub)
        };
        // On the right of a minus it would need parentheses.
        match (node.op, node.args()) {
            (Op::Add, [a, b]) => [*a, *b].into_iter().find(sum),
            (Op::Sub, [a, _]) => Some(*a).filter(sum),
            _ => None,
        }
    }

    /// Estimated width of a node inside an expression, in columns.
    fn estimated_width(&self, id: NodeId, width: &[u32]) -> u32 {
        match self.graph.node(id).op {
            Op::Symbol(s) => self.graph.symbol_info(s).name.len() as u32 + 1,
            _ if self.is_computed_here(id) => width[id.0 as usize],
            _ if self.groups[id.0 as usize] == Group::Parameter => FIELD,
            _ => 8,
        }
    }

    /// Sorting keys of all nodes, the label or root that uses each, and section headings by number.
    fn statement_keys(&mut self, roots: &[Root]) -> (Vec<StepKey>, Vec<Arc<str>>) {
        let mut sections: Vec<Arc<str>> = vec![Arc::from("rotations")];
        let mut numbers: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        let mut number = |heading: &Arc<str>| {
            *numbers.entry(Arc::clone(heading)).or_insert_with(|| {
                sections.push(Arc::clone(heading));
                sections.len() as u32 - 1
            })
        };
        let mut keys = vec![(Group::Acceleration, NONE); self.needed.len()];
        for id in self.needed_ids() {
            if let Some(label) = self.graph.label_of(id) {
                keys[id.0 as usize] = (self.groups[id.0 as usize], number(&label.section));
                self.out.owners[id.0 as usize] = Some(Owner::Label(id));
            }
        }
        for (index, root) in roots.iter().enumerate() {
            let at = root.node.0 as usize;
            let key = (self.groups[at], number(&root.heading));
            let owner = self.out.owners[at];
            if owner.is_none() || matches!(owner, Some(Owner::Root(_))) && key < keys[at] {
                keys[at] = key;
                self.out.owners[at] = Some(Owner::Root(index as u32));
            }
        }
        for id in self.needed_ids().rev() {
            let (key, owner) = (keys[id.0 as usize], self.out.owners[id.0 as usize]);
            for a in self.graph.node(id).args().iter().map(|a| a.0 as usize) {
                let labelled = matches!(self.out.owners[a], Some(Owner::Label(l)) if l.0 as usize == a);
                // The user with the smallest id comes last and wins among equals.
                if !labelled && (self.out.owners[a].is_none() || key <= keys[a]) {
                    keys[a] = key;
                    self.out.owners[a] = owner;
                }
            }
        }
        (keys, sections)
    }

    /// The statements of the body, not yet in order.
    fn list_steps(&self, together: Vec<NodeId>) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut done = vec![false; self.needed.len()];
        let all: Vec<Pair> = together.iter().filter_map(|a| self.pairs.get(a).copied()).collect();
        for pair in &all {
            for id in [pair.sin, pair.cos].into_iter().flatten() {
                done[id.0 as usize] = true;
            }
        }
        if !all.is_empty() {
            steps.push(Step::SinCos(all));
        }
        for id in self.needed_ids().filter(|id| self.out.bound[id.0 as usize]) {
            if done[id.0 as usize] {
                continue;
            }
            let node = self.graph.node(id);
            let pair = match node.op {
                Op::Sin | Op::Cos => self.pairs.get(&node.args()[0]).copied(),
                _ => None,
            };
            match pair {
                Some(pair @ Pair { sin: Some(s), cos: Some(c), .. }) => {
                    done[s.0 as usize] = true;
                    done[c.0 as usize] = true;
                    steps.push(Step::SinCos(vec![pair]));
                }
                _ => steps.push(Step::Value(id)),
            }
        }
        steps.extend((0..self.parts.len()).map(Step::Part));
        steps
    }

    /// True for a labelled value, a root, and any other step that needs no step to be its target.
    fn is_target(&self, step: &Step, roots: &[Root]) -> bool {
        match step {
            Step::Value(id) => match self.out.label_or_root(*id) {
                Some(Owner::Label(l)) => l == *id,
                Some(Owner::Root(r)) => roots[r as usize].node == *id,
                None => true,
            },
            Step::SinCos(_) | Step::Part(_) => true,
        }
    }

    /// Puts the statements in order by keys, each after those whose values it uses.
    fn order_statements(
        &mut self,
        steps: Vec<Step>,
        keys: &[StepKey],
        sections: &[Arc<str>],
        roots: &[Root],
    ) {
        let mut step_of = vec![NONE; self.needed.len()];
        for (number, step) in steps.iter().enumerate() {
            for id in self.step_values(step) {
                step_of[id.0 as usize] = number as u32;
            }
        }
        let key = |step: &Step| match step {
            Step::Value(id) => keys[id.0 as usize],
            Step::SinCos(pairs) => {
                let group = |p: &Pair| self.groups[p.angle.0 as usize];
                (pairs.iter().map(group).max().unwrap_or(Group::Pose), 0)
            }
            // After all other statements of its group.
            Step::Part(i) => {
                let inputs = self.parts[*i].inputs.iter().flat_map(|c| &c.nodes);
                let group = inputs.map(|n| self.groups[n.0 as usize]).max();
                (group.unwrap_or(Group::Acceleration).max(Group::Pose), NONE)
            }
        };
        let mut before: Vec<Vec<u32>> = Vec::with_capacity(steps.len());
        let mut uses: Vec<Vec<u32>> = Vec::with_capacity(steps.len());
        for step in &steps {
            let mut needs = BTreeSet::new();
            let starts: Vec<NodeId> = match step {
                Step::Value(id) => self.graph.node(*id).args().to_vec(),
                Step::SinCos(pairs) => pairs.iter().map(|p| p.angle).collect(),
                Step::Part(i) => self.parts[*i].input_roots().map(|r| r.node).collect(),
            };
            self.visit_statement_operands(&starts, &mut |id| {
                needs.insert(id.0);
            });
            let steps_before: BTreeSet<u32> = needs.iter().map(|id| step_of[*id as usize]).collect();
            before.push(steps_before.into_iter().collect());
            uses.push(needs.into_iter().collect());
        }
        // Labelled values and roots by sections; then the remaining steps, of which there should be
        // none.
        let mut targets: Vec<(bool, StepKey, u32)> = Vec::with_capacity(steps.len());
        for (n, step) in steps.iter().enumerate() {
            targets.push((!self.is_target(step, roots), key(step), n as u32));
        }
        targets.sort();
        let order = order_depth_first(&before, targets.into_iter().map(|t| t.2));
        if !follows_dependencies(&before, &order) {
            self.graph
                .invariants()
                .report_broken("a statement is scheduled before another statement whose value it uses");
        }
        self.out.max_live_values = self.count_live_values(&steps, &order, &uses, roots);
        let sorted = order.iter().map(|n| {
            let step = steps[*n as usize].clone();
            let section = match &step {
                Step::Part(i) if self.parts[*i].columns => {
                    Arc::from("columns with the same factors, in SIMD lanes")
                }
                Step::Part(_) => Arc::from("equal parts, in SIMD lanes"),
                step => sections.get(key(step).1 as usize).cloned().unwrap_or_else(|| Arc::from("values")),
            };
            Statement { section, step }
        });
        self.out.statements = sorted.collect();
    }

    /// Calls `visit` for every bound node that the expressions at `starts` mention.
    fn visit_statement_operands(&self, starts: &[NodeId], visit: &mut impl FnMut(NodeId)) {
        let mut stack = starts.to_vec();
        while let Some(id) = stack.pop() {
            if self.out.has_statement(id) || self.part_of.contains_key(&id) {
                visit(id);
            } else if self.is_computed_here(id) {
                stack.extend_from_slice(self.graph.node(id).args());
            }
        }
    }

    /// The nodes whose values a step computes.
    fn step_values(&self, step: &Step) -> Vec<NodeId> {
        match step {
            Step::Value(id) => vec![*id],
            Step::SinCos(pairs) => pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten().collect(),
            Step::Part(i) => self.parts[*i].exported_nodes().collect(),
        }
    }

    /// Maximum number of values with a statement that are still needed at the same time.
    fn count_live_values(&self, steps: &[Step], order: &[u32], uses: &[Vec<u32>], roots: &[Root]) -> usize {
        let mut last: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, number) in order.iter().enumerate() {
            for id in &uses[*number as usize] {
                last.insert(*id, at);
            }
        }
        let ends: Vec<NodeId> = roots.iter().map(|r| r.node).collect();
        self.visit_statement_operands(&ends, &mut |id| {
            last.insert(id.0, order.len());
        });
        let mut dying = vec![0usize; order.len() + 1];
        let (mut alive, mut most) = (0usize, 0usize);
        for (at, number) in order.iter().enumerate() {
            for id in self.step_values(&steps[*number as usize]) {
                alive += 1;
                dying[last.get(&id.0).copied().unwrap_or(at)] += 1;
            }
            most = most.max(alive);
            alive -= dying[at];
        }
        most
    }
}

/// Orders targets by depth-first search, each after its dependencies. The dependency with the
/// longest chain comes first, so that few values are alive (as in Sethi–Ullman numbering).
fn order_depth_first(before: &[Vec<u32>], targets: impl Iterator<Item = u32>) -> Vec<u32> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut height = vec![0u32; before.len()];
    let mut state = vec![NEW; before.len()];
    let mut order = Vec::with_capacity(before.len());
    let targets: Vec<u32> = targets.collect();
    // The first pass computes heights, which do not depend on the order.
    for pass in 0..2 {
        state.fill(NEW);
        let mut stack: Vec<u32> = Vec::new();
        for target in &targets {
            stack.push(*target);
            while let Some(n) = stack.last().copied() {
                let at = n as usize;
                match state[at] {
                    NEW => {
                        state[at] = OPEN;
                        let start = stack.len();
                        stack.extend(before[at].iter().filter(|b| state[**b as usize] == NEW));
                        // The stack is popped from its end.
                        stack[start..].sort_by_key(|b| (height[*b as usize], std::cmp::Reverse(*b)));
                    }
                    OPEN => {
                        state[at] = DONE;
                        height[at] = 1 + before[at].iter().map(|b| height[*b as usize]).max().unwrap_or(0);
                        if pass == 1 {
                            order.push(n);
                        }
                        stack.pop();
                    }
                    _ => {
                        stack.pop();
                    }
                }
            }
        }
    }
    order
}

/// True if the order of statements contains each after those that it depends on.
fn follows_dependencies(before: &[Vec<u32>], order: &[u32]) -> bool {
    let mut done = vec![false; before.len()];
    order.iter().all(|n| {
        let is_next = before[*n as usize].iter().all(|b| done[*b as usize]);
        done[*n as usize] = true;
        is_next
    }) && order.len() == before.len()
}

/// Estimated columns that an operation adds to its operands in emitted code.
fn operation_width(op: Op) -> u32 {
    match op {
        Op::Add | Op::Sub => 4,
        Op::Mul | Op::Div => 5,
        Op::Neg => 3,
        Op::Const(_) | Op::Symbol(_) => 0,
        Op::Sqrt | Op::Sin | Op::Cos | Op::Func(_) => 10,
        Op::Func2(_) => 12,
        Op::Select(_) => 30,
        Op::Table(_) => 44,
    }
}
