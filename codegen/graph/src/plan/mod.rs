//! The stage `plan`: places every computation in `Model::new`, a shared block or a function, and
//! orders and names it.
//!
//! Problem: values of parameters only must be computed once; other values that several functions
//!          need must be written once.
//! Method:  a value of parameters only that is a result, or is used by a value that depends on
//!          more, becomes a field of the model. Values that functions share go to blocks (`share`),
//!          whose exports others use. Then one schedule for `Model::new`, and one for each block
//!          and function.

mod blocks;
mod body;
mod equal;
mod naming;
mod parts;
mod root;
mod schedule;
mod share;
mod signs;
#[cfg(test)]
mod tests;

pub use blocks::{Block, saved_by_lanes};
pub use body::{Import, PlannedBody};
pub use equal::{Column, Equal, common_constant};
pub use naming::{Naming, name_values};
pub use root::Root;
pub use schedule::{Owner, Pair, Schedule, Statement, Step, schedule_statements};
pub use share::{FunctionSet, Needs, Shared, choose_blocks};

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::{
    Graph, Group, NodeId, Program, Taken, ValueNames, dependency_groups, evaluate_operation, replay,
};
use body::is_symbol;

/// Choices of a plan that depend on the printer.
#[derive(Clone, Copy)]
struct PlanStyle {
    /// Equal parts of a body are computed in SIMD lanes.
    in_lanes: bool,
    /// Values that several functions share are computed in blocks.
    with_blocks: bool,
}

/// A value of parameters only that the emitted `Model` stores, computed once in `Model::new`.
#[derive(Clone, Debug)]
pub struct Hoisted {
    /// The value that the model stores.
    pub node: NodeId,
    /// Name of the value's field in the emitted `Model`.
    pub name: String,
}

/// The plan of a module of emitted code: bodies, blocks, fields and names. Printers emit it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The dependency group of every node of the program's graph.
    pub groups: Vec<Group>,
    /// Fields of the model, other than parameters and the tolerance ε.
    pub hoisted: Vec<Hoisted>,
    /// Body of `Model::new`; its roots are the fields of the model.
    pub setup: PlannedBody,
    /// Blocks shared by functions, each after those from which it takes values.
    pub blocks: Vec<Block>,
    /// Angles, sines and cosines that any function passes to blocks.
    pub angles: Vec<NodeId>,
    /// Bodies of the emitted functions, in the order of the program.
    pub functions: Vec<PlannedBody>,
    /// Names of values in the module; empty until the plan is named.
    pub names: ValueNames,
    values: FxHashMap<NodeId, f64>,
}

impl Plan {
    /// Plans a program, with blocks for values that several functions compute.
    pub fn new(program: &Program) -> Self {
        Plan::new_with_equal_parts(program, false)
    }

    /// Same as [`Plan::new`]; with `side_by_side`, equal parts of a body are emitted once and
    /// computed in SIMD lanes.
    pub fn new_with_equal_parts(program: &Program, side_by_side: bool) -> Self {
        Plan::new_in_style(program, PlanStyle { in_lanes: side_by_side, with_blocks: true })
    }

    /// Plans a program with equal parts and without blocks: each function computes all its values.
    pub fn new_without_blocks(program: &Program) -> Self {
        Plan::new_in_style(program, PlanStyle { in_lanes: true, with_blocks: false })
    }

    fn new_in_style(program: &Program, style: PlanStyle) -> Self {
        let graph = &program.graph;
        let groups = dependency_groups(graph);
        let (blocks, functions, angles) = blocks::plan_blocks_and_bodies(program, &groups, style);
        let bodies: Vec<&PlannedBody> = blocks.iter().map(|b| &b.body).chain(&functions).collect();
        let (hoisted, roots) = find_model_fields(graph, &groups, &bodies);
        let schedule = schedule_with_parameters(graph, &groups, &roots);
        let setup = PlannedBody { schedule, roots, ..PlannedBody::default() };
        let values = evaluate_constants(graph, &groups);
        Plan { groups, hoisted, setup, blocks, angles, functions, names: ValueNames::default(), values }
    }

    /// The plan of a single body without a model. `groups` may assign a symbol a later group than
    /// its kind has.
    pub fn plan_single_body(graph: &Graph, groups: Vec<Group>, roots: Vec<Root>) -> Self {
        let schedule = schedule_with_parameters(graph, &groups, &roots);
        let body = PlannedBody { schedule, roots, ..PlannedBody::default() };
        let values = evaluate_constants(graph, &groups);
        Plan { groups, functions: vec![body], values, ..Plan::default() }
    }

    /// The equal parts (vectorised in SIMD lanes) of all functions, then those of all blocks.
    pub fn equal_parts(&self) -> impl Iterator<Item = &Equal> {
        self.functions.iter().chain(self.blocks.iter().map(|b| &b.body)).flat_map(|body| &body.parts)
    }

    /// The equal parts (vectorised in SIMD lanes) of a function and of the blocks that it calls.
    pub fn function_equal_parts(&self, function: usize) -> impl Iterator<Item = &Equal> {
        let blocks = self.blocks.iter().filter(move |b| b.functions.contains(&function)).map(|b| &b.body);
        self.functions.get(function).into_iter().chain(blocks).flat_map(|body| &body.parts)
    }

    /// Names the values and the fields of the model. Each name is unique in the module and not in
    /// `taken`, the words that the language and the printer use. `leaf` returns the text of symbols
    /// and constants that have one. The returned function names the value of which an unnamed one
    /// is a part.
    pub fn name_values(
        &mut self,
        graph: &Graph,
        taken: &mut Taken,
        leaf: &dyn Fn(NodeId) -> Option<String>,
    ) -> impl Fn(NodeId) -> Option<String> + use<> {
        let bodies = self.bodies().collect();
        let kept = self.hoisted.iter().map(|h| h.node).collect();
        let naming = Naming { graph, bodies, kept };
        let (names, part_of) = name_values(&naming, taken, leaf);
        for h in &mut self.hoisted {
            let name = names.node_name(h.node);
            h.name = graph
                .invariants()
                .require(name, "value", "a field of the emitted model has no name")
                .to_owned();
        }
        self.names = names;
        let blocks = self.blocks.iter_mut().map(|b| &mut b.body);
        for body in self.functions.iter_mut().chain(blocks) {
            body.opposites = equal::name_negated_values(graph, &body.parts, &self.names, taken);
        }
        part_of
    }

    /// All bodies of the module: functions, `Model::new`, blocks.
    pub fn bodies(&self) -> impl Iterator<Item = &PlannedBody> {
        self.functions.iter().chain([&self.setup]).chain(self.blocks.iter().map(|b| &b.body))
    }

    /// The names of the values for which `Model::new` has statements.
    pub fn setup_names(&self) -> impl Iterator<Item = &str> {
        let all = (0..self.groups.len() as u32).map(NodeId);
        all.filter(|id| self.setup.schedule.has_statement(*id)).filter_map(|id| self.names.node_name(id))
    }

    /// The constants that the statements of a body mention, in order of ids, each with its number
    /// of uses.
    pub fn count_constant_uses(&self, graph: &Graph, body: &PlannedBody) -> BTreeMap<NodeId, u32> {
        let mut uses: BTreeMap<NodeId, u32> = BTreeMap::new();
        let mut visited = vec![false; self.groups.len()];
        let mut stack: Vec<NodeId> = body.computed_roots().collect();
        let setup = std::ptr::eq(body, &self.setup);
        while let Some(id) = stack.pop() {
            if body.is_computed_elsewhere(id) {
            } else if self.dependency_group(id) == Group::Constant {
                *uses.entry(id).or_insert(0) += 1;
            } else if (setup || self.dependency_group(id) > Group::Parameter)
                && !std::mem::replace(&mut visited[id.0 as usize], true)
            {
                stack.extend_from_slice(graph.node(id).args());
            }
        }
        uses
    }

    /// The value of a node that depends on constants only.
    pub fn constant_value(&self, id: NodeId) -> Option<f64> {
        self.values.get(&id).copied()
    }

    /// The value of a node that depends on constants only; for any other node NaN and a broken
    /// invariant.
    pub fn constant_or_nan(&self, graph: &Graph, id: NodeId) -> f64 {
        graph.invariants().require(
            self.constant_value(id),
            f64::NAN,
            "a constant node of the graph has no numeric value",
        )
    }

    /// The dependency group of a node in the plan.
    pub fn dependency_group(&self, id: NodeId) -> Group {
        self.groups[id.0 as usize]
    }
}

/// The values of all nodes that depend on constants only, in `f64`.
fn evaluate_constants(graph: &Graph, groups: &[Group]) -> FxHashMap<NodeId, f64> {
    let ids: Vec<NodeId> =
        (0..groups.len()).filter(|i| groups[*i] == Group::Constant).map(|i| NodeId(i as u32)).collect();
    let values = replay(graph, &ids, |_, op, a: &[f64]| evaluate_operation(graph, op, a, |_| f64::NAN));
    ids.into_iter().zip(values).collect()
}

/// The values that the model stores, in order of ids, each with the section heading of its user.
/// Names come later.
fn find_model_fields(graph: &Graph, groups: &[Group], bodies: &[&PlannedBody]) -> (Vec<Hoisted>, Vec<Root>) {
    let mut headings: BTreeMap<NodeId, Arc<str>> = BTreeMap::new();
    for body in bodies {
        let mut stack: Vec<NodeId> = body.computed_roots().collect();
        let mut visited = vec![false; groups.len()];
        while let Some(id) = stack.pop() {
            if body.is_computed_elsewhere(id) || std::mem::replace(&mut visited[id.0 as usize], true) {
                continue;
            }
            if groups[id.0 as usize] > Group::Parameter {
                stack.extend_from_slice(graph.node(id).args());
            } else if groups[id.0 as usize] == Group::Parameter
                && !is_symbol(graph, id)
                && !headings.contains_key(&id)
            {
                let heading = match body.schedule.label_or_root(id) {
                    Some(Owner::Label(l)) => graph.label_of(l).map(|l| l.section),
                    Some(Owner::Root(r)) => body.roots.get(r as usize).map(|r| Arc::clone(&r.heading)),
                    None => None,
                };
                headings.insert(id, heading.unwrap_or_else(|| Arc::from("values")));
            }
        }
    }
    let hoisted = headings.keys().map(|node| Hoisted { node: *node, name: String::new() }).collect();
    let roots = headings.into_iter().map(|(node, heading)| Root { node, name: String::new(), heading });
    (hoisted, roots.collect())
}

/// Schedules the statements of a body that also computes the values of parameters.
fn schedule_with_parameters(graph: &Graph, groups: &[Group], roots: &[Root]) -> Schedule {
    schedule_statements(graph, groups, roots, &[], |id| {
        is_symbol(graph, id) || groups[id.0 as usize] == Group::Constant
    })
}
