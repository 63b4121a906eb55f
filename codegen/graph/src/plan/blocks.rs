//! Shared blocks of a plan: their imports, exports and names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::PlanStyle;
use super::body::{Import, PlannedBody, is_symbol};
use super::equal::{Columns, Equal, find_equal_limbs, find_equal_parts};
use super::root::Root;
use super::schedule::schedule_statements;
use super::share::{FunctionSet, Needs, Shared, choose_blocks, function_indices};
use crate::ir::declaration::Argument;
use crate::ir::{
    Function, Graph, Group, Layout, NodeId, Program, ResultShape, SymbolKind, Taken, count, to_identifier,
};

/// A block of a plan: an inner function of emitted code that computes values shared by several
/// functions.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name of the inner function, after the most frequent section of its exports.
    pub name: String,
    /// Headings of the sections of its exports, the most frequent first.
    pub section_names: Vec<String>,
    /// Indices in the program of the functions that call the block.
    pub functions: Vec<usize>,
    /// Statements of the block; the roots are its exports.
    pub body: PlannedBody,
}

/// Computes the blocks and the bodies of the functions of a program, and the angles, sines and
/// cosines that functions pass to blocks.
pub(super) fn plan_blocks_and_bodies(
    program: &Program,
    groups: &[Group],
    PlanStyle { in_lanes, with_blocks }: PlanStyle,
) -> (Vec<Block>, Vec<PlannedBody>, Vec<NodeId>) {
    let graph = &program.graph;
    let roots: Vec<Vec<Root>> =
        program.functions.iter().map(|f| function_roots(graph, f, Some(&program.layout))).collect();
    let mut nodes: Vec<Vec<NodeId>> = roots.iter().map(|r| r.iter().map(|r| r.node).collect()).collect();
    if !with_blocks {
        nodes.iter_mut().for_each(Vec::clear);
    } else if in_lanes {
        // A function that gains much from lanes shares nothing: values from blocks would enter the
        // lanes one by one.
        for ((nodes, f), saved) in nodes.iter_mut().zip(&program.functions).zip(saved_by_lanes(program)) {
            if saved * 4 >= count(program, f).call.total() {
                nodes.clear();
            }
        }
    }
    let arguments = symbol_arguments(program);
    let shared = choose_blocks(&Needs {
        graph,
        groups,
        roots: &nodes,
        argument: &|f, kind| arguments[f].get(&kind).copied(),
    });
    let flow = ValueFlow::new(graph, groups, &shared, &nodes);
    let planner = BodyPlanner { program, groups, shared: &shared, flow: &flow, in_lanes };
    let headings = section_headings(graph, &roots);
    // Arguments and the struct of angles are in scope at a call, so a block cannot have the name of
    // one.
    let arguments = program.functions.iter().flat_map(|f| f.declaration.arguments.iter().map(|a| a.name));
    let declared = program.functions.iter().map(|f| f.declaration.name).chain(arguments);
    let mut names = Taken::new(declared.chain(["model", "t", "p", "y", "verdict", "angles"]));
    let mut blocks: Vec<Block> = Vec::with_capacity(shared.places.len());
    for place in &shared.places {
        let nodes = flow.exports.get(place).into_iter().flatten();
        let roots: Vec<Root> = nodes
            .map(|node| Root {
                node: *node,
                name: String::new(),
                heading: headings.get(node).cloned().unwrap_or_else(|| Arc::from("values")),
            })
            .collect();
        let sections = section_names(graph, &roots);
        let name = names.make_unique(&block_name(program, &sections));
        let functions = function_indices(*place).collect();
        let body = planner.plan_body(*place, roots);
        blocks.push(Block { name, section_names: sections, functions, body });
    }
    let mut functions: Vec<PlannedBody> =
        roots.into_iter().enumerate().map(|(f, roots)| planner.plan_body(1 << f, roots)).collect();
    name_equal_parts(program, &mut functions, &mut blocks);
    (blocks, functions, flow.all_angles())
}

/// Names the equal parts of functions and blocks after their owners.
fn name_equal_parts(program: &Program, functions: &mut [PlannedBody], blocks: &mut [Block]) {
    let callers = program.functions.iter().map(|f| f.declaration.name);
    let of_functions =
        callers.zip(functions).flat_map(|(name, b)| b.parts.iter_mut().map(move |p| (name, p)));
    let of_blocks = blocks.iter_mut().flat_map(|b| b.body.parts.iter_mut().map(|p| (b.name.as_str(), p)));
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    for (owner, part) in of_functions.chain(of_blocks) {
        let name = format!("{}{}", camel_case(owner), if part.columns { "Columns" } else { "Part" });
        let number = types.entry(name.clone()).or_insert(0);
        *number += 1;
        part.name = if *number == 1 { name } else { format!("{name}{number}") };
    }
}

/// Quantities from which the bodies of functions and blocks are planned.
struct BodyPlanner<'a> {
    program: &'a Program,
    groups: &'a [Group],
    shared: &'a Shared,
    flow: &'a ValueFlow,
    in_lanes: bool,
}

impl BodyPlanner<'_> {
    /// The body of the function or block with this place, for these results.
    fn plan_body(&self, place: FunctionSet, mut roots: Vec<Root>) -> PlannedBody {
        let Self { program, groups, shared, flow, in_lanes } = *self;
        let graph = &program.graph;
        let leaf = |id: NodeId| {
            let known = is_symbol(graph, id) || groups[id.0 as usize] <= Group::Parameter;
            known || shared.is_passed_by_callers(id, place) || shared.exporting_block(id, place).is_some()
        };
        let imports: Vec<Import> = flow.imports(place, shared);
        let mut taken: FxHashSet<NodeId> = imports.iter().flat_map(|i| &i.nodes).copied().collect();
        let angles: Vec<NodeId> = flow.angles.get(&place).into_iter().flatten().copied().collect();
        if place.count_ones() > 1 {
            taken.extend(&angles);
        } else {
            let heading: Arc<str> = Arc::from("rotations");
            roots.extend(angles.iter().map(|node| Root {
                node: *node,
                name: String::new(),
                heading: Arc::clone(&heading),
            }));
        }
        let matrices: Vec<Columns> = match in_lanes {
            true => function_indices(place).flat_map(|f| matrix_columns(&program.functions[f])).collect(),
            false => Vec::new(),
        };
        let parts =
            if in_lanes { find_equal_parts(graph, groups, &roots, &matrices, &leaf) } else { Vec::new() };
        let exports: FxHashSet<NodeId> = parts.iter().flat_map(Equal::exported_nodes).collect();
        taken.extend(&exports);
        let leaf = |id: NodeId| leaf(id) || exports.contains(&id);
        let schedule = schedule_statements(graph, groups, &roots, &parts, leaf);
        PlannedBody { schedule, roots, imports, angles, taken, parts, ..PlannedBody::default() }
    }
}

/// Number of operations that SIMD lanes save in each function of a program, if it shares no blocks.
pub fn saved_by_lanes(program: &Program) -> Vec<u32> {
    let graph = &program.graph;
    let groups = crate::ir::dependency_groups(graph);
    let mut all = Vec::with_capacity(program.functions.len());
    for f in &program.functions {
        let parts = find_equal_limbs(graph, &groups, &function_roots(graph, f, None), &|id| {
            is_symbol(graph, id) || groups[id.0 as usize] <= Group::Parameter
        });
        all.push(super::equal::saved_operations(&parts) as u32);
    }
    all
}

/// For each function, the number of the argument that contains each symbol; equal arguments of
/// several functions have one number.
fn symbol_arguments(program: &Program) -> Vec<FxHashMap<SymbolKind, usize>> {
    let mut all: Vec<Argument> = Vec::new();
    let arguments = program.functions.iter().map(|f| {
        let mut symbols = FxHashMap::default();
        for a in f.declaration.arguments {
            let known = all.iter().position(|other| other.name == a.name && other.vector == a.vector);
            let number = known.unwrap_or_else(|| {
                all.push(*a);
                all.len() - 1
            });
            for (kind, _) in a.vector.slots(&program.layout) {
                symbols.entry(kind).or_insert(number);
            }
        }
        symbols
    });
    arguments.collect()
}

/// Values that flow from blocks to other blocks and to functions, by the set of functions that each
/// block serves.
struct ValueFlow {
    exports: BTreeMap<FunctionSet, BTreeSet<NodeId>>,
    block_imports: BTreeMap<FunctionSet, BTreeMap<FunctionSet, BTreeSet<NodeId>>>,
    /// Angles, sines and cosines that functions pass to blocks.
    angles: BTreeMap<FunctionSet, BTreeSet<NodeId>>,
}

impl ValueFlow {
    fn new(graph: &Graph, groups: &[Group], shared: &Shared, roots: &[Vec<NodeId>]) -> Self {
        let mut flow =
            ValueFlow { exports: BTreeMap::new(), block_imports: BTreeMap::new(), angles: BTreeMap::new() };
        let bodies = roots.iter().enumerate().map(|(f, roots)| (1 << f, roots.clone()));
        for (place, roots) in bodies {
            flow.follow_operands(graph, groups, shared, place, roots);
        }
        // A block that imports values is handled before the block that exports them.
        for place in shared.places.iter().rev() {
            let roots = flow.exports.get(place).into_iter().flatten().copied().collect();
            flow.follow_operands(graph, groups, shared, *place, roots);
            let handed = flow.angles.get(place).cloned().unwrap_or_default();
            for f in function_indices(*place) {
                flow.angles.entry(1 << f).or_default().extend(&handed);
            }
        }
        flow
    }

    /// All angles, sines and cosines that functions pass to blocks, in order of ids.
    fn all_angles(&self) -> Vec<NodeId> {
        let all: BTreeSet<NodeId> = self.angles.values().flatten().copied().collect();
        all.into_iter().collect()
    }

    /// Follows the operands of a body's roots, and notes which values come from blocks or from
    /// callers.
    fn follow_operands(
        &mut self,
        graph: &Graph,
        groups: &[Group],
        shared: &Shared,
        place: FunctionSet,
        roots: Vec<NodeId>,
    ) {
        let imports = self.block_imports.entry(place).or_default();
        let mut visited: FxHashSet<NodeId> = FxHashSet::default();
        let mut stack = roots;
        while let Some(id) = stack.pop() {
            if groups[id.0 as usize] <= Group::Parameter || is_symbol(graph, id) || !visited.insert(id) {
                continue;
            }
            if shared.is_passed_by_callers(id, place) {
                self.angles.entry(place).or_default().insert(id);
            } else if let Some(home) = shared.exporting_block(id, place) {
                if shared.is_angle(id) {
                    graph.invariants().report_broken("a block exports an angle that its callers pass to it");
                }
                imports.entry(home).or_default().insert(id);
                self.exports.entry(home).or_default().insert(id);
            } else {
                stack.extend_from_slice(graph.node(id).args());
            }
        }
    }

    /// The values that a body takes from each block, in the order of blocks.
    fn imports(&self, place: FunctionSet, shared: &Shared) -> Vec<Import> {
        let Some(all) = self.block_imports.get(&place) else { return Vec::new() };
        let homes = shared.places.iter().enumerate();
        homes
            .filter_map(|(block, home)| {
                let nodes = all.get(home)?.iter().copied().collect();
                Some(Import { block, nodes })
            })
            .collect()
    }
}

/// A name in camel case: `angular_velocity` becomes `AngularVelocity`.
fn camel_case(name: &str) -> String {
    name.split('_').map(capitalise).collect()
}

/// The word with an upper-case first letter.
fn capitalise(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The section heading of every value in emitted code: its own, or that of a value that uses it.
fn section_headings(graph: &Graph, roots: &[Vec<Root>]) -> FxHashMap<NodeId, Arc<str>> {
    let mut headings: FxHashMap<NodeId, Arc<str>> = FxHashMap::default();
    for root in roots.iter().flatten() {
        headings.entry(root.node).or_insert_with(|| Arc::clone(&root.heading));
    }
    let end = roots.iter().flatten().map(|r| r.node.0 + 1).max().unwrap_or(0);
    for id in (0..end).rev().map(NodeId) {
        let section = graph.label_of(id).map(|l| l.section);
        let Some(heading) = section.or_else(|| headings.get(&id).cloned()) else { continue };
        for a in graph.node(id).args() {
            headings.insert(*a, Arc::clone(&heading));
        }
        headings.insert(id, heading);
    }
    headings
}

/// Section headings of the labelled roots, or of all if none is labelled, the most frequent first,
/// without the body's name and the unit.
fn section_names(graph: &Graph, roots: &[Root]) -> Vec<String> {
    let labelled: Vec<&Root> = roots.iter().filter(|r| graph.has_label(r.node)).collect();
    let roots = if labelled.is_empty() { roots.iter().collect() } else { labelled };
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (i, root) in roots.iter().enumerate() {
        let text: &str = &root.heading;
        let text = text.split_once(": ").map_or(text, |(_, what)| what);
        let text = text.split_once(" [").map_or(text, |(what, _)| what);
        counts.entry(text).or_insert((0, i)).0 += 1;
    }
    let mut sections: Vec<_> = counts.into_iter().collect();
    sections.sort_by_key(|(_, (count, first))| (std::cmp::Reverse(*count), *first));
    sections.into_iter().map(|(text, _)| text.to_owned()).collect()
}

/// A name for a block from its first section, different from the names of functions.
fn block_name(program: &Program, sections: &[String]) -> String {
    let stops = ["of", "to", "by", "at", "for", "from", "in", "through", "along", "M", "c", "Q"];
    let text = sections.first().map_or("values", String::as_str);
    let text = text.split([',', '=', '(']).next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take_while(|w| !stops.contains(w)).take(3).collect();
    let derivatives = words.iter().any(|w| w.contains('∂'));
    let words: Vec<&str> = words.into_iter().filter(|w| w.is_ascii()).collect();
    let name = match words.is_empty() {
        _ if derivatives => "derivatives".to_owned(),
        true => "values".to_owned(),
        false => to_identifier(&words.join("_").to_lowercase()).replace("__", "_"),
    };
    let taken = program.functions.iter().any(|f| f.declaration.name == name);
    if taken { format!("{name}_terms") } else { name }
}

/// The entries of the matrix outputs of a function, by column. Matrices with equally many columns
/// are stacked: their columns are derivatives along the same directions.
fn matrix_columns(function: &Function) -> Vec<Columns> {
    let mut all: BTreeMap<usize, Columns> = BTreeMap::new();
    for output in function.results().into_iter().flat_map(|(_, outputs)| outputs) {
        let ResultShape::Matrix(_, count) = output.shape else { continue };
        let columns = all.entry(count).or_insert_with(|| vec![Vec::new(); count]);
        for (i, node) in output.nodes.iter().enumerate() {
            columns[i % count].push(*node);
        }
    }
    all.into_values().collect()
}

/// The nonzero output entries of a function, then its divisors with their scales, as roots of its
/// body.
fn function_roots(graph: &Graph, function: &Function, layout: Option<&Layout>) -> Vec<Root> {
    let mut roots = Vec::new();
    let results = function.results();
    for (declaration, output) in results.iter().flat_map(|(d, outputs)| outputs.iter().map(move |o| (*d, o)))
    {
        let text = if output.description.is_empty() { &output.name } else { &output.description };
        let heading: Arc<str> = Arc::from(text.as_str());
        // Zeros have no statement.
        let names = match layout {
            Some(layout) => declaration
                .entry_names_of(output, layout, |i| output.nodes.get(i).is_none_or(|id| !graph.is_zero(*id))),
            None => vec![String::new(); output.nodes.len()],
        };
        let entries = output.nodes.iter().zip(names).filter(|(node, _)| !graph.is_zero(**node));
        roots.extend(entries.map(|(node, name)| Root { node: *node, name, heading: Arc::clone(&heading) }));
    }
    let heading: Arc<str> = Arc::from("pivots");
    // An unchecked function does not test divisors.
    for check in function.checks.iter().filter(|_| function.declaration.checked) {
        for node in [check.value, check.scale] {
            roots.push(Root { node, name: check.name.clone(), heading: Arc::clone(&heading) });
        }
    }
    roots
}
