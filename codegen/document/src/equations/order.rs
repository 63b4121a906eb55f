//! Orders the statements within a section of a page, and arranges the sections as blocks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::Expressions;
use super::item::PageItem;
use super::naming::PageSymbols;
use crate::report::{Math, Steps};
use dqdt_graph::ir::{Layout, NodeId};

/// Number of equations of a section above which a page divides it by body or quantity.
const MAX_UNDIVIDED: usize = 8;
/// Minimum number of equations under a heading within a divided section of a page.
const MIN_PART: usize = 3;
/// Maximum width in columns of a vector equation on one line, for all its components together.
const MAX_VECTOR: usize = 44;

/// Subject of an equation, by which sections of a page are ordered and divided: a body, or else a
/// quantity.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Subject {
    Body(usize),
    Quantity(String),
    Nothing,
}

impl Subject {
    /// Subject of equations in words, for a heading on the page; `None` without a subject.
    fn heading_text(&self, layout: &Layout) -> Option<String> {
        match self {
            Subject::Body(b) => layout.bodies.get(*b).cloned(),
            Subject::Quantity(word) => super::words::STEMS
                .iter()
                .find(|s| s.word == word)
                .map(|s| s.meaning.to_owned())
                .or_else(|| Some(word.clone())),
            Subject::Nothing => None,
        }
    }
}

/// Page items without values that are written out in place. Each section is ordered by body, each
/// value after its operands.
pub(super) fn order_items(
    items: &[PageItem],
    kept: &FxHashSet<NodeId>,
    names: &PageSymbols,
    e: &Expressions,
) -> Vec<PageItem> {
    let items: Vec<PageItem> = (items.iter())
        .map(|item| PageItem {
            values: item.values.iter().copied().filter(|id| kept.contains(id)).collect(),
            ..item.clone()
        })
        .filter(|item| !item.values.is_empty())
        .collect();
    items.chunk_by(is_same_section).flat_map(|section| order_by_body(section, names, e)).collect()
}

fn is_same_section(a: &PageItem, b: &PageItem) -> bool {
    (a.function, &a.section) == (b.function, &b.section)
}

fn item_subject(item: &PageItem, names: &PageSymbols) -> Subject {
    match item.values.first().and_then(|id| names.symbols.get(id)) {
        Some(symbol) => match symbol.body {
            Some(body) => Subject::Body(body),
            // A wrench for a unit acceleration serves only to compute an entry of M.
            None if symbol.marks.contains('ᵘ') => Subject::Quantity("M".to_owned()),
            None => Subject::Quantity(symbol.word.clone()),
        },
        None => Subject::Nothing,
    }
}

/// Subject of each page item. A value without a meaning has the subject of its first use.
fn item_subjects(items: &[PageItem], needs: &[Vec<usize>], names: &PageSymbols) -> Vec<Subject> {
    let mut all: Vec<Subject> = items.iter().map(|item| item_subject(item, names)).collect();
    for i in (0..items.len()).rev() {
        for j in &needs[i] {
            if item_subject(&items[*j], names) == Subject::Nothing {
                all[*j] = all[i].clone();
            }
        }
    }
    all
}

/// For each page item, the indices of the items whose values it is computed from.
fn item_dependencies(items: &[PageItem], names: &PageSymbols, e: &Expressions) -> Vec<Vec<usize>> {
    let at: FxHashMap<NodeId, usize> =
        items.iter().enumerate().flat_map(|(i, item)| item.values.iter().map(move |id| (*id, i))).collect();
    // A quantity that occurs twice is written out once.
    let mut by_math: FxHashMap<String, usize> = FxHashMap::default();
    for (i, item) in items.iter().enumerate() {
        // A value without a symbol occurs once.
        for id in item.values.iter().filter(|id| names.symbols.contains_key(id)) {
            if let Some(shown) = e.shown.get(id) {
                by_math.entry(shown.math.text()).or_insert(i);
            }
        }
    }
    let mut needs = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let mut operands: Vec<usize> = (item.values.iter())
            .flat_map(|id| e.needed_symbols(*id))
            .filter_map(|id| match at.get(&id) {
                Some(j) => Some(*j),
                None => by_math.get(&e.shown.get(&id)?.math.text()).copied(),
            })
            .filter(|j| *j != i)
            .collect();
        operands.sort_unstable();
        operands.dedup();
        needs.push(operands);
    }
    needs
}

/// Returns `true` if a section of a page has values of several bodies.
fn has_several_bodies(subjects: &[Subject]) -> bool {
    let mut bodies = subjects.iter().filter(|s| matches!(s, Subject::Body(_)));
    let first = bodies.next();
    bodies.any(|b| Some(b) != first)
}

fn order_by_body(items: &[PageItem], names: &PageSymbols, e: &Expressions) -> Vec<PageItem> {
    let needs = item_dependencies(items, names, e);
    let subjects = item_subjects(items, &needs, names);
    if !has_several_bodies(&subjects) {
        return items.to_vec();
    }
    let quantity =
        |i: usize| items[i].values.first().and_then(|id| names.symbols.get(id)).map(|s| s.quantity.as_str());
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (i, needs) in needs.iter().enumerate() {
        for j in needs {
            users[*j].push(i);
        }
    }
    let mut ready: Vec<usize> = (0..items.len()).filter(|i| open[*i] == 0).collect();
    let mut out = Vec::with_capacity(items.len());
    let mut last: Option<usize> = None;
    while !ready.is_empty() {
        // An item of the same subject comes next, of these one of the same quantity.
        let (place, next) = (ready.iter().copied().enumerate())
            .min_by_key(|(_, i)| {
                let changes_subject = last.is_none_or(|l| subjects[l] != subjects[*i]);
                let changes_quantity =
                    last.is_none_or(|l| quantity(l).is_none() || quantity(l) != quantity(*i));
                (changes_subject, changes_quantity, *i)
            })
            .unwrap_or_default();
        ready.swap_remove(place);
        for user in &users[next] {
            open[*user] -= 1;
            if open[*user] == 0 {
                ready.push(*user);
            }
        }
        last = Some(next);
        out.push(items[next].clone());
    }
    // If ordering by body failed, the order of the plan is valid.
    if out.len() == items.len() { out } else { items.to_vec() }
}

/// Blocks of equations from page items, one for each section or part of a section.
pub(super) fn equation_blocks(
    items: &[PageItem],
    places: &[String],
    layout: &Layout,
    names: &PageSymbols,
    e: &Expressions,
) -> Vec<Steps> {
    let mut out: Vec<Steps> = Vec::new();
    for section in items.chunk_by(is_same_section) {
        let first = &section[0];
        let place = (places.get(first.function).cloned().unwrap_or_default(), first.section.clone());
        let turns = section.iter().flat_map(|i| &i.values).all(|id| is_sine_or_cosine(*id, e));
        for (i, (heading, part)) in split_by_subject(section, layout, names, e).into_iter().enumerate() {
            let place = (i == 0).then(|| place.clone());
            out.push(Steps { heading, place, flow: turns, equations: item_equations(part, names, e) });
        }
    }
    out
}

fn is_sine_or_cosine(id: NodeId, e: &Expressions) -> bool {
    matches!(e.graph.node(id).op, dqdt_graph::ir::Op::Sin | dqdt_graph::ir::Op::Cos)
}

/// Splits a long section of a page into parts with one subject each; each has its heading.
fn split_by_subject<'a>(
    section: &'a [PageItem],
    layout: &Layout,
    names: &PageSymbols,
    e: &Expressions,
) -> Vec<(String, &'a [PageItem])> {
    if section.len() <= MAX_UNDIVIDED {
        return vec![(String::new(), section)];
    }
    let needs = item_dependencies(section, names, e);
    let subjects = item_subjects(section, &needs, names);
    if !has_several_bodies(&subjects) {
        return vec![(String::new(), section)];
    }
    let mut runs: Vec<(Vec<&Subject>, usize)> = Vec::new();
    for subject in &subjects {
        match runs.last_mut() {
            Some((run, n)) if run.last() == Some(&subject) || *subject == Subject::Nothing => *n += 1,
            Some((run, n)) if *n < MIN_PART => {
                if !run.contains(&subject) {
                    run.push(subject);
                }
                *n += 1;
            }
            _ => runs.push((vec![subject], 1)),
        }
    }
    let mut out: Vec<(String, &[PageItem])> = Vec::new();
    let mut at = 0;
    for (run, n) in runs {
        let names: Vec<String> = run.iter().filter_map(|subject| subject.heading_text(layout)).collect();
        let text = names.join(", ");
        match out.last_mut() {
            // Too few equations for a heading of their own: append them to the part before.
            Some((heading, _)) if n < MIN_PART || *heading == text => {
                let length = out.last().map_or(0, |(_, part)| part.len());
                let start = at - length;
                if let Some((_, part)) = out.last_mut() {
                    *part = &section[start..at + n];
                }
            }
            _ => out.push((text, &section[at..at + n])),
        }
        at += n;
    }
    if out.len() == 1 {
        out[0].0.clear();
    }
    out
}

fn item_equations(items: &[PageItem], names: &PageSymbols, e: &Expressions) -> Vec<(Math, Math)> {
    let ids: Vec<NodeId> = items.iter().flat_map(|item| item.values.iter().copied()).collect();
    let definition = |id: NodeId| {
        let opposite = e.shown.get(&id).is_some_and(|s| s.opposite);
        e.defining_expression(id, opposite)
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < ids.len() {
        let vector =
            vector_components(&ids[at..], names).filter(|(_, components)| are_independent(components, e));
        if let Some((name, components)) = vector {
            let parts: Vec<Math> = components.iter().map(|id| definition(*id)).collect();
            if parts.iter().map(|m| m.text().chars().count()).sum::<usize>() <= MAX_VECTOR {
                let mut row = vec![Math::operator("[", "[")];
                for (i, part) in parts.into_iter().enumerate() {
                    if i > 0 {
                        row.push(Math::operator(", ", r",\; "));
                    }
                    row.push(part);
                }
                row.push(Math::operator("]", "]"));
                out.push((name, Math::row(row)));
                at += components.len();
                continue;
            }
        }
        let left = e.shown.get(&ids[at]).map_or_else(Math::default, |s| s.math.clone());
        out.push((left, definition(ids[at])));
        at += 1;
    }
    out
}

/// Returns `true` if none of these values is an operand of another one, so that they can be one
/// vector equation.
fn are_independent(ids: &[NodeId], e: &Expressions) -> bool {
    ids.iter().all(|id| !e.needed_symbols(*id).iter().any(|operand| ids.contains(operand)))
}

/// Symbol and three components (x, y, z) of a vector quantity, if these are the next values.
fn vector_components(ids: &[NodeId], names: &PageSymbols) -> Option<(Math, Vec<NodeId>)> {
    let three = ids.get(..3)?;
    let symbols: Vec<_> = three.iter().map(|id| names.symbols.get(id)).collect::<Option<_>>()?;
    let component = |axis: &str| symbols.iter().position(|s| s.axis == axis).map(|i| three[i]);
    let components = vec![component("x")?, component("y")?, component("z")?];
    if symbols.iter().any(|s| s.quantity != symbols[0].quantity) {
        return None;
    }
    Some((symbols[0].whole_vector()?, components))
}
