//! The equations of a program as a page: the computation of emitted functions, step by step, as
//! mathematics.
//!
//! Problem: from a few degrees of freedom on, closed forms fill books. Engineers compute with
//!          equations in intermediate variables, each named by its meaning.
//! Method:  the statements of the plan are these equations. Names are split into quantity, marks,
//!          body and axis (`symbols`). A value without a meaning of its own is Z with a number, or
//!          is written out where it is used if it is short. Signs are moved from names to the
//!          equations. Within a section, statements are ordered by body (`order`), each after its
//!          operands.
//! Cost:    O(n²) in the statements of a section, which are few.

mod constants;
mod expression;
mod item;
mod naming;
mod order;
mod symbols;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::{Math, Steps};
use dqdt_algebra::PiecewiseCubic;
use dqdt_graph::ir::{
    Declaration, Group, Layout, NodeId, Op, Program, ResultShape, SymbolKind, TableId, Taken, mark_needed,
    to_identifier,
};
use dqdt_graph::plan::{Plan, PlannedBody, Step};
use dqdt_print::code::{headings, leaves};
use expression::Expressions;
use item::PageItem;
use naming::PageSymbols;
use symbols::Labels;

/// The equations of some functions of a program as a page for reports.
#[derive(Debug)]
pub struct Page {
    /// Blocks of equations of the page, in an order in which they can be computed: numbers, values
    /// of the parameters alone, then section by section.
    pub steps: Vec<Steps>,
    /// The marks and letters that occur in symbols on the page, with their meaning.
    pub legend: Vec<(Math, String)>,
    /// Bodies, speeds and rows with the numbers that denote them in indices, if these differ from
    /// their own numbers.
    pub numbered: Vec<(String, Vec<(String, Math)>)>,
    /// Lookup tables that occur in the equations, by number, for printing their pieces.
    pub tables: Vec<(u32, PiecewiseCubic)>,
}

/// Page of the equations of `functions`, including those of all blocks that they call.
pub fn equations_page(program: &Program, plan: &mut Plan, functions: &[&Declaration]) -> Page {
    let graph = &program.graph;
    let wanted: Vec<usize> = (program.functions.iter().enumerate())
        .filter(|(_, f)| functions.iter().any(|d| f.is(d)))
        .map(|(i, _)| i)
        .collect();
    let roots: Vec<NodeId> =
        wanted.iter().flat_map(|i| &program.functions[*i].outputs).flat_map(|o| &o.nodes).copied().collect();
    let needed = mark_needed(graph, &roots);
    let parameters: Vec<String> = program.layout.p.iter().map(|s| to_identifier(&s.name)).collect();
    let layout = &program.layout;
    let texts = leaves::leaf_texts(program, plan, &parameters, |kind| entry_identifier(layout, kind));
    let _ = plan.name_values(graph, &mut Taken::default(), &|id| texts[id.0 as usize].clone());
    let plan = &*plan;

    let places = body_names(program, plan, &wanted);
    let items = collect_page_items(program, plan, &needed, &wanted);
    let labels = Labels::new(layout);
    let mut names = PageSymbols::new(program, plan, &labels);
    let mut e = Expressions { graph, plan, shown: FxHashMap::default() };
    names.name_leaf_symbols(&needed, &mut e);
    let constants = constants::name_constants(program, plan, &needed, &roots, &mut names, &mut e);
    let kept = names.name_values(&items, &needed, &mut e);
    let ordered = order::order_items(&items, &kept, &names, &e);
    names.number_auxiliary_values(&ordered, &mut e);

    let mut steps = Vec::new();
    if !constants.is_empty() {
        steps.push(Steps { heading: "numbers".to_owned(), place: None, flow: true, equations: constants });
    }
    steps.extend(order::equation_blocks(&ordered, &places, layout, &names, &e));
    for i in wanted {
        let results = result_equations(program, i, &e, &names);
        let short = results.iter().all(|(_, right)| right.text().chars().count() <= 24);
        if !results.is_empty() {
            steps.push(Steps {
                heading: String::new(),
                place: Some((program.functions[i].declaration.name.to_owned(), "results".to_owned())),
                flow: short,
                equations: results,
            });
        }
    }
    let tables: BTreeSet<u32> = (0..needed.len() as u32)
        .filter(|i| needed[*i as usize])
        .filter_map(|i| if let Op::Table(t) = graph.node(NodeId(i)).op { Some(t.0) } else { None })
        .collect();
    let tables = tables.into_iter().map(|t| (t + 1, PiecewiseCubic::clone(&graph.table_data(TableId(t)))));
    Page {
        steps,
        legend: names.legend_entries(),
        numbered: names.index_numbers(layout),
        tables: tables.collect(),
    }
}

/// Identifier of an entry of the state or of the inputs; `None` for other symbols.
fn entry_identifier(layout: &Layout, kind: SymbolKind) -> Option<String> {
    let slot = match kind {
        SymbolKind::Coordinate(i) => layout.q.get(i),
        SymbolKind::Speed(i) => layout.v.get(i),
        SymbolKind::State(i) => layout.z.get(i),
        SymbolKind::Input(i) => layout.u.get(i),
        _ => None,
    };
    slot.map(|s| to_identifier(&s.name))
}

/// Names of the emitted bodies, indexed by [`PageItem::function`]: `Model::new`, blocks, functions.
fn body_names(program: &Program, plan: &Plan, wanted: &[usize]) -> Vec<String> {
    let blocks = plan.blocks.iter().map(|b| b.name.clone());
    let functions = wanted.iter().map(|i| program.functions[*i].declaration.name.to_owned());
    std::iter::once("Model::new".to_owned()).chain(blocks).chain(functions).collect()
}

/// Page items of every value that the functions need, each once, in an order in which they can be
/// computed.
fn collect_page_items(program: &Program, plan: &Plan, needed: &[bool], wanted: &[usize]) -> Vec<PageItem> {
    let mut done: FxHashSet<NodeId> = FxHashSet::default();
    let mut items = Vec::new();
    let is_needed = |id: &NodeId| needed.get(id.0 as usize).copied().unwrap_or(false);
    let mut walk = |body: &PlannedBody, function: usize, setup: bool, part: Option<bool>| {
        let early = if setup {
            vec![false; body.schedule.statements.len()]
        } else {
            body.precedes_calls(&program.graph)
        };
        let texts = headings::statement_headings(body, &plan.names, &early, &program.layout.bodies);
        // A result without a statement may have no section comment.
        let mut section = String::new();
        for ((statement, early), text) in body.schedule.statements.iter().zip(early).zip(texts) {
            if part.is_some_and(|part| part != early) {
                continue;
            }
            if let Some(text) = text {
                section = text;
            }
            let values: Vec<NodeId> = match &statement.step {
                Step::Value(id) => vec![*id],
                Step::SinCos(pairs) => pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten().collect(),
                Step::Part(_) => Vec::new(),
            };
            let values: Vec<NodeId> =
                values.into_iter().filter(|id| is_needed(id) && done.insert(*id)).collect();
            if !values.is_empty() {
                items.push(PageItem { values, function, section: section.clone() });
            }
        }
        // Results without a statement of their own.
        if function <= plan.blocks.len() {
            let least = if setup { Group::Parameter } else { Group::Pose };
            for id in body.roots.iter().map(|root| root.node) {
                let is_leaf =
                    matches!(program.graph.node(id).op, Op::Symbol(_)) || plan.dependency_group(id) < least;
                if !is_leaf && !body.is_computed_elsewhere(id) && is_needed(&id) && done.insert(id) {
                    items.push(PageItem { values: vec![id], function, section: section.clone() });
                }
            }
        }
    };
    walk(&plan.setup, 0, true, None);
    let bodies =
        || wanted.iter().enumerate().map(|(at, i)| (1 + plan.blocks.len() + at, &plan.functions[*i]));
    for (number, body) in bodies() {
        walk(body, number, false, Some(true));
    }
    // Only blocks that these functions call: other functions may compute the same value in blocks
    // of their own.
    for (i, block) in plan.blocks.iter().enumerate() {
        if block.functions.iter().any(|f| wanted.contains(f)) {
            walk(&block.body, i + 1, false, None);
        }
    }
    for (number, body) in bodies() {
        walk(body, number, false, Some(false));
    }
    items
}

/// Equations `entry = value` for the results of a function, without those whose two sides are
/// equal.
fn result_equations(
    program: &Program,
    function: usize,
    e: &Expressions,
    names: &PageSymbols,
) -> Vec<(Math, Math)> {
    let function = &program.functions[function];
    let mut out: Vec<(Math, Math)> = Vec::new();
    for output in &function.outputs {
        let entries = function.declaration.entry_names(output, &program.layout);
        let columns = if let ResultShape::Matrix(_, columns) = output.shape { columns } else { usize::MAX };
        for (k, (node, name)) in output.nodes.iter().zip(entries).enumerate() {
            // A matrix is shown here only if it is symmetric; skip its lower triangle.
            if columns != usize::MAX && k % columns < k / columns {
                continue;
            }
            let left = names.result_left_side(&name, columns, k);
            let right = e.value_math(*node);
            if left.text() != right.text() {
                out.push((left, right));
            }
        }
    }
    // Entries that vanish share one equation.
    let zero = Math::integer(0);
    let mut zeros: BTreeMap<usize, (Math, Math)> = BTreeMap::new();
    let (none, some): (Vec<_>, Vec<_>) = out.into_iter().partition(|(_, right)| *right == zero);
    if none.len() > 1 {
        let mut parts = Vec::new();
        for (i, (left, _)) in none.into_iter().enumerate() {
            if i > 0 {
                parts.push(Math::operator(" = ", " = "));
            }
            parts.push(left);
        }
        zeros.insert(0, (Math::row(parts), zero));
    } else {
        zeros.extend(none.into_iter().enumerate());
    }
    some.into_iter().chain(zeros.into_values()).collect()
}
