//! Equal parts as functions: the same computation for several limbs or columns, run in SIMD lanes.
//!
//! Problem: a computation that several lanes share is emitted once, with the names of the first
//!          lane, and called with the values of all lanes.
//! Method:  each part has a graph of its own. Each input is a symbol there, whatever it is in the
//!          lanes. Numbers that are equal in all lanes stay numbers. Signs are those of the first
//!          lane.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use dqdt_algebra::Number;
use dqdt_graph::ir::{Graph, Group, NodeId, Op, SymbolKind, Taken, dependency_groups};
use dqdt_graph::plan::{Column, Equal, Plan, PlannedBody, Root, common_constant};

/// Computation that several limbs or columns share: emitted once, run in several SIMD lanes.
#[derive(Clone, Debug)]
pub struct EqualPart {
    /// Name of the equal part as a type of the emitted module.
    pub name: String,
    /// Number of SIMD lanes of the part: limbs or columns with the same computation.
    pub lanes: usize,
    /// True if the lanes are columns of a matrix of derivatives, not limbs.
    pub columns: bool,
    /// Inputs of the part, those that all lanes share first. Input `i` is the auxiliary symbol `i`
    /// of `graph`.
    pub inputs: Vec<Column>,
    /// Number of inputs with the same value in all lanes; they come first.
    pub shared: usize,
    /// Number of outputs of each lane of the part.
    pub outputs: usize,
    /// Symbols (coordinates, speeds, parameters) of the outer graph that each lane reads.
    pub symbols: Vec<Vec<NodeId>>,
    /// Numbers of `graph`, each with its node in the graph of the whole program.
    pub numbers: BTreeMap<NodeId, NodeId>,
    /// Names of the inputs in emitted code, after [`EqualPart::name_inputs_and_values`] has
    /// assigned them.
    pub input_names: Vec<String>,
    /// Graph with the operations of one lane, separate from the graph of the program.
    pub graph: Rc<Graph>,
    /// Plan of `graph`, with one function.
    pub plan: Box<Plan>,
}

impl EqualPart {
    /// Builds the emitted function of the equal parts `equal`, which belong to a body of the graph
    /// `outer`.
    pub fn new(outer: &Graph, outer_groups: &[Group], equal: &Equal) -> Self {
        let graph = Graph::sharing_invariants(outer);
        let mut ids: FxHashMap<Vec<NodeId>, NodeId> = FxHashMap::default();
        let mut group: BTreeMap<NodeId, Group> = BTreeMap::new();
        for (i, input) in equal.inputs.iter().enumerate() {
            let id = graph.symbol(&format!("input {i}"), SymbolKind::Auxiliary(i));
            group.insert(id, outer_groups[input.nodes[0].0 as usize].max(Group::Pose));
            ids.insert(input.nodes.clone(), id);
        }
        let mut numbers = BTreeMap::new();
        for value in &equal.values {
            let mut signed = Vec::with_capacity(2);
            for (column, negative) in &value.argument_columns {
                let id = ids.get(&column.nodes).copied().unwrap_or_else(|| {
                    // Neither an input nor computed here, so the argument is the same number in all
                    // lanes.
                    let number = common_constant(outer, column);
                    let what = "the shared computation of equal parts uses a value that is neither an input nor a number";
                    let id = graph.number(graph.invariants().require(number, Number::ZERO, what));
                    numbers.insert(id, column.nodes[0]);
                    id
                });
                signed.push((id, *negative));
            }
            let op = outer.node(value.nodes[0]).op;
            let id = record_signed_operation(&graph, op, &signed);
            if let Some(label) = outer.label_of(value.nodes[0]) {
                graph.label(id, &label.name, &label.section);
            }
            if let Some(note) = outer.note_of(value.nodes[0]) {
                graph.note(id, &|| note.to_string());
            }
            ids.insert(value.nodes.clone(), id);
        }
        let roots: Vec<Root> = (equal.outputs.iter())
            .map(|column| Root {
                node: ids[&column.nodes],
                name: String::new(),
                heading: outer.label_of(column.nodes[0]).map_or_else(|| "values".into(), |l| l.section),
            })
            .collect();
        let mut groups = dependency_groups(&graph);
        for index in 0..groups.len() {
            let id = NodeId(index as u32);
            let args = graph.node(id);
            let known = args.args().iter().map(|a| groups[a.0 as usize]).max();
            groups[index] = group.get(&id).copied().or(known).unwrap_or(Group::Constant);
        }
        let plan = Plan::plan_single_body(&graph, groups, roots);
        EqualPart {
            name: equal.name.clone(),
            lanes: equal.lanes,
            columns: equal.columns,
            inputs: equal.inputs.clone(),
            shared: equal.shared_input_count(),
            outputs: equal.outputs.len(),
            symbols: equal.symbols.clone(),
            numbers,
            input_names: Vec::new(),
            graph: Rc::new(graph),
            plan: Box::new(plan),
        }
    }

    /// Planned statements of the computation; `None` if the plan is empty.
    pub fn planned_body(&self) -> Option<&PlannedBody> {
        self.plan.functions.first()
    }

    /// Documentation of the part for emitted code, in paragraphs: the limbs or columns that share
    /// it.
    pub fn documentation_paragraphs(&self, graph: &Graph) -> Vec<String> {
        if self.columns {
            return vec![format!(
                "Computation shared by {} columns of derivatives, which have equal factors but different right-hand sides. The names are those of the first column.",
                self.lanes
            )];
        }
        let lanes: Vec<String> = (self.symbols.iter())
            .map(|symbols| {
                let names: Vec<String> =
                    symbols.iter().filter_map(|id| quoted_coordinate_name(graph, *id)).collect();
                names.join(", ")
            })
            .filter(|text| !text.is_empty())
            .collect();
        let mut text = vec![format!(
            "Computation shared by {} equal parts of the mechanism. The names are those of the first part.",
            self.lanes
        )];
        if let Some((first, others)) = lanes.split_first() {
            text.push(String::new());
            text.push(format!("The first part moves with {first}, the others with {}.", others.join("; ")));
        }
        text
    }

    /// Names the inputs of the part after the values of the first lane, and all other values.
    /// `called` returns the name of a value in the enclosing body, `number` that of a number.
    pub fn name_inputs_and_values(
        &mut self,
        outer: &mut Taken,
        called: &dyn Fn(NodeId) -> Option<String>,
        number: &dyn Fn(NodeId) -> Option<String>,
    ) {
        let mut taken = outer.copy_reserved();
        for argument in ["shared", "inputs", "outputs"] {
            taken.make_unique(argument);
        }
        self.input_names = (self.inputs.iter())
            .map(|c| taken.make_unique(&called(c.nodes[0]).unwrap_or_else(|| "input".to_owned())))
            .collect();
        let (graph, names, numbers) = (Rc::clone(&self.graph), &self.input_names, &self.numbers);
        let _ = self.plan.name_values(&graph, &mut taken, &|id| match graph.node(id).op {
            Op::Symbol(s) => match graph.symbol_info(s).kind {
                SymbolKind::Auxiliary(i) => names.get(i).cloned(),
                _ => None,
            },
            _ => numbers.get(&id).and_then(|outer| number(*outer)),
        });
        // Constants of the module are local names in the part, too.
        outer.add_used_names(&taken);
    }
}

/// Name of a coordinate, as code for documentation; `None` for any other node.
fn quoted_coordinate_name(graph: &Graph, id: NodeId) -> Option<String> {
    match graph.node(id).op {
        Op::Symbol(s) => {
            let symbol = graph.symbol_info(s);
            matches!(symbol.kind, SymbolKind::Coordinate(_)).then(|| format!("`{}`", symbol.name))
        }
        _ => None,
    }
}

/// Names the values of a plan and of its equal parts in emitted code. `leaf` returns the text of
/// symbols and numbers. Returns the same function as `Plan::name_values`: for a node without a
/// name, the name of a value of which it is a part.
pub fn name_plan_values(
    graph: &Graph,
    plan: &mut Plan,
    equal: &mut [EqualPart],
    taken: &mut Taken,
    leaf: &dyn Fn(NodeId) -> Option<String>,
) -> impl Fn(NodeId) -> Option<String> + use<> {
    let part_of = plan.name_values(graph, taken, leaf);
    let fields: FxHashMap<NodeId, &str> = plan.hoisted.iter().map(|h| (h.node, h.name.as_str())).collect();
    for part in equal {
        part.name_inputs_and_values(
            taken,
            &|id| match graph.node(id).op {
                Op::Symbol(_) | Op::Const(_) => leaf(id),
                _ => fields.get(&id).copied().or_else(|| plan.names.node_name(id)).map(str::to_owned),
            },
            leaf,
        );
    }
    part_of
}

/// Records the operation of the first lane in the graph of an equal part. Each argument has its
/// sign in the flag, `true` for negative.
fn record_signed_operation(graph: &Graph, op: Op, args: &[(NodeId, bool)]) -> NodeId {
    let negated = |id: NodeId, negative: bool| if negative { graph.raw(Op::Neg, &[id]) } else { id };
    match (op, args) {
        (Op::Add | Op::Sub, [(a, false), (b, false)]) => graph.raw(Op::Add, &[*a, *b]),
        (Op::Add | Op::Sub, [(a, false), (b, true)]) => graph.raw(Op::Sub, &[*a, *b]),
        (Op::Add | Op::Sub, [(a, true), (b, false)]) => graph.raw(Op::Sub, &[*b, *a]),
        (Op::Add | Op::Sub, [(a, true), (b, true)]) => {
            let sum = graph.raw(Op::Add, &[*a, *b]);
            graph.raw(Op::Neg, &[sum])
        }
        (op, [(a, n), (b, m)]) => {
            let value = graph.raw(op, &[*a, *b]);
            negated(value, n ^ m)
        }
        (op, args) => {
            let args: Vec<NodeId> = args.iter().map(|(a, n)| negated(*a, *n)).collect();
            graph.raw(op, &args)
        }
    }
}
