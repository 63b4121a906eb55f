//! What is computed where: once in `Model::new`, or in which function, in what order.
//!
//! Problem: values of parameters only are needed by several functions and must be computed once.
//! Method:  the frontier: what depends on parameters only and is used by something that depends on more, or is a
//!          result itself, becomes a field of the model. Then one schedule for `Model::new` and one a function.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::depend::{Group, groups};
use super::graph::{Graph, NodeId, Op};
use super::names::{Taken, letters};
use super::program::{Function, Layout, Program};
use super::replay::replay;
use super::schedule::{Owner, Root, Schedule, schedule};

/// Roots and statements of one body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Outputs first, entry by entry, then divisors, each with what it is compared with.
    pub roots: Vec<Root>,
    /// The statements.
    pub schedule: Schedule,
}

/// A value that the model keeps.
#[derive(Clone, Debug)]
pub struct Hoisted {
    /// What.
    pub node: NodeId,
    /// Name of the field.
    pub name: String,
}

/// Everything in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The group of every node.
    pub groups: Vec<Group>,
    /// Fields of the model besides parameters and ε.
    pub hoisted: Vec<Hoisted>,
    /// Body of `Model::new`; its roots are the fields.
    pub setup: Body,
    /// Bodies of the functions.
    pub functions: Vec<Body>,
    values: FxHashMap<NodeId, f64>,
}

impl Plan {
    /// Plans a program.
    pub fn new(program: &Program) -> Self {
        let graph = &program.graph;
        let groups = groups(graph);
        let leaf = |id: NodeId| is_symbol(graph, id) || groups[id.0 as usize] <= Group::Parameter;
        let functions: Vec<Body> = program
            .functions
            .iter()
            .map(|f| {
                let roots = function_roots(f, &program.layout);
                let schedule = schedule(graph, &groups, &roots, leaf);
                Body { roots, schedule }
            })
            .collect();
        let (hoisted, roots) = hoist(graph, &groups, &functions);
        let leaf = |id: NodeId| is_symbol(graph, id) || groups[id.0 as usize] == Group::Constant;
        let setup = Body { schedule: schedule(graph, &groups, &roots, leaf), roots };
        let values = constants(graph, &groups);
        Plan { groups, hoisted, setup, functions, values }
    }

    /// The value of a node that depends on nothing.
    pub fn constant(&self, id: NodeId) -> Option<f64> {
        self.values.get(&id).copied()
    }

    /// The group of a node.
    pub fn group(&self, id: NodeId) -> Group {
        self.groups[id.0 as usize]
    }
}

fn is_symbol(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.node(id).op, Op::Symbol(_))
}

fn constants(graph: &Graph, groups: &[Group]) -> FxHashMap<NodeId, f64> {
    let ids: Vec<NodeId> =
        (0..groups.len()).filter(|i| groups[*i] == Group::Constant).map(|i| NodeId(i as u32)).collect();
    let values = replay(graph, &ids, |_, op, a: &[f64]| super::eval::eval_op(graph, op, a, |_| f64::NAN));
    ids.into_iter().zip(values).collect()
}

/// The frontier in order of ids, with names after labels or after what it serves.
fn hoist(graph: &Graph, groups: &[Group], functions: &[Body]) -> (Vec<Hoisted>, Vec<Root>) {
    let mut found: BTreeSet<NodeId> = BTreeSet::new();
    let mut served: FxHashMap<NodeId, (String, Arc<str>, bool)> = FxHashMap::default();
    let wanted = |id: NodeId| groups[id.0 as usize] == Group::Parameter && !is_symbol(graph, id);
    for body in functions {
        let mut stack: Vec<NodeId> = body.roots.iter().map(|r| r.node).collect();
        let mut seen = vec![false; groups.len()];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            if groups[id.0 as usize] > Group::Parameter {
                stack.extend_from_slice(graph.node(id).args());
            } else if wanted(id) && found.insert(id) {
                let named = match body.schedule.owner(id) {
                    Some(Owner::Label(l)) => graph.label_of(l).map(|l| (l.name, l.section, false)),
                    Some(Owner::Root(r)) => {
                        let root = &body.roots[r as usize];
                        Some((root.name.clone(), Arc::clone(&root.heading), root.node == id))
                    }
                    None => None,
                };
                served.insert(id, named.unwrap_or_else(|| ("value".to_owned(), Arc::from("values"), false)));
            }
        }
    }
    let mut taken = Taken::new(["params", "epsilon"]);
    let mut names: FxHashMap<NodeId, String> = FxHashMap::default();
    for id in &found {
        if let Some(label) = graph.label_of(*id) {
            names.insert(*id, taken.unique(&label.name));
        }
    }
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    let (mut hoisted, mut roots) = (Vec::new(), Vec::new());
    for node in found {
        let Some((base, heading, itself)) = served.remove(&node) else { continue };
        let name = names.remove(&node).unwrap_or_else(|| {
            if itself {
                return taken.unique(&base);
            }
            let count = counts.entry(base.clone()).or_insert(0);
            *count += 1;
            taken.unique(&format!("{base}_{}", letters(*count - 1)))
        });
        roots.push(Root { node, name: name.clone(), heading });
        hoisted.push(Hoisted { node, name });
    }
    (hoisted, roots)
}

fn function_roots(function: &Function, layout: &Layout) -> Vec<Root> {
    let mut roots = Vec::new();
    for output in &function.outputs {
        let text = if output.description.is_empty() { &output.name } else { &output.description };
        let heading: Arc<str> = Arc::from(text.as_str());
        let names = function.declaration.entry_names(output, layout);
        let entries = output.nodes.iter().zip(names);
        roots.extend(entries.map(|(node, name)| Root { node: *node, name, heading: Arc::clone(&heading) }));
    }
    let heading: Arc<str> = Arc::from("pivots");
    for check in &function.checks {
        for node in [check.value, check.scale] {
            roots.push(Root { node, name: check.name.clone(), heading: Arc::clone(&heading) });
        }
    }
    roots
}
