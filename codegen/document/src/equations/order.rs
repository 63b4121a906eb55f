//! Orders the statements within a section of a page, and arranges the sections as blocks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::Expressions;
use super::item::Item;
use super::naming::Names;
use crate::report::{Math, Steps};
use dqdt_graph::ir::{Layout, NodeId};

/// A section with more equations than this is divided by body or quantity.
const DIVIDED: usize = 8;
/// Minimum number of equations under a heading within a section.
const FEW: usize = 3;
/// Maximum width, in columns, of a vector on one line, for all its components together.
const VECTOR: usize = 44;

/// The subject of an equation: a body, or else its quantity.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum About {
    Body(usize),
    Quantity(String),
    Nothing,
}

/// The items without values that are not written out. Each section is ordered by body, each value
/// after its operands.
pub(super) fn ordered(items: &[Item], kept: &FxHashSet<NodeId>, names: &Names, e: &Expressions) -> Vec<Item> {
    let items: Vec<Item> = (items.iter())
        .map(|item| Item {
            values: item.values.iter().copied().filter(|id| kept.contains(id)).collect(),
            ..item.clone()
        })
        .filter(|item| !item.values.is_empty())
        .collect();
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    let mut start = 0;
    while start < items.len() {
        let same =
            |item: &&Item| (item.function, &item.section) == (items[start].function, &items[start].section);
        let length = items[start..].iter().take_while(same).count();
        out.extend(by_body(&items[start..start + length], names, e));
        start += length;
    }
    out
}

fn about(item: &Item, names: &Names) -> About {
    match item.values.first().and_then(|id| names.symbols.get(id)) {
        Some(symbol) => match symbol.body {
            Some(body) => About::Body(body),
            // A wrench for a unit acceleration serves only to compute an entry of M.
            None if symbol.marks.contains('ᵘ') => About::Quantity("M".to_owned()),
            None => About::Quantity(symbol.word.clone()),
        },
        None => About::Nothing,
    }
}

/// The subject of each item. A value without a meaning has the subject of its first use.
fn subjects(items: &[Item], needs: &[Vec<usize>], names: &Names) -> Vec<About> {
    let mut all: Vec<About> = items.iter().map(|item| about(item, names)).collect();
    for i in (0..items.len()).rev() {
        for j in &needs[i] {
            if about(&items[*j], names) == About::Nothing {
                all[*j] = all[i].clone();
            }
        }
    }
    all
}

fn dependencies(items: &[Item], names: &Names, e: &Expressions) -> Vec<Vec<usize>> {
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
    let of =
        |id: &NodeId| at.get(id).copied().or_else(|| by_math.get(&e.shown.get(id)?.math.text()).copied());
    let needs = |(i, item): (usize, &Item)| {
        let all = item.values.iter().flat_map(|id| e.needs(*id));
        let mut found: Vec<usize> = all.filter_map(|id| of(&id)).filter(|j| *j != i).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    items.iter().enumerate().map(needs).collect()
}

/// Returns `true` if a section has values of several bodies.
fn of_bodies(subjects: &[About]) -> bool {
    let mut bodies = subjects.iter().filter(|s| matches!(s, About::Body(_)));
    let first = bodies.next();
    bodies.any(|b| Some(b) != first)
}

fn by_body(items: &[Item], names: &Names, e: &Expressions) -> Vec<Item> {
    let needs = dependencies(items, names, e);
    let subjects = subjects(items, &needs, names);
    if !of_bodies(&subjects) {
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
        let rank = |i: usize| {
            let other = last.is_none_or(|l| subjects[l] != subjects[i]);
            let apart = last.is_none_or(|l| quantity(l).is_none() || quantity(l) != quantity(i));
            (other, apart, i)
        };
        let (place, next) =
            ready.iter().copied().enumerate().min_by_key(|(_, i)| rank(*i)).unwrap_or_default();
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

/// The items as blocks of equations, one for each section or part of a section.
pub(super) fn steps(
    items: &[Item],
    places: &[String],
    layout: &Layout,
    names: &Names,
    e: &Expressions,
) -> Vec<Steps> {
    let mut out: Vec<Steps> = Vec::new();
    let mut start = 0;
    while start < items.len() {
        let first = &items[start];
        let same = |item: &&Item| (item.function, &item.section) == (first.function, &first.section);
        let length = items[start..].iter().take_while(same).count();
        let section = &items[start..start + length];
        let place = (places.get(first.function).cloned().unwrap_or_default(), first.section.clone());
        let turns = section.iter().flat_map(|i| &i.values).all(|id| is_turn(*id, e));
        for (i, (heading, part)) in parts(section, layout, names, e).into_iter().enumerate() {
            let place = (i == 0).then(|| place.clone());
            out.push(Steps { heading, place, flow: turns, equations: equations(part, names, e) });
        }
        start += length;
    }
    out
}

fn is_turn(id: NodeId, e: &Expressions) -> bool {
    matches!(e.graph.node(id).op, dqdt_graph::ir::Op::Sin | dqdt_graph::ir::Op::Cos)
}

/// Splits a long section into parts with one subject each.
fn parts<'a>(
    section: &'a [Item],
    layout: &Layout,
    names: &Names,
    e: &Expressions,
) -> Vec<(String, &'a [Item])> {
    if section.len() <= DIVIDED {
        return vec![(String::new(), section)];
    }
    let needs = dependencies(section, names, e);
    let subjects = subjects(section, &needs, names);
    if !of_bodies(&subjects) {
        return vec![(String::new(), section)];
    }
    let mut runs: Vec<(Vec<&About>, usize)> = Vec::new();
    for about in &subjects {
        match runs.last_mut() {
            Some((of, n)) if of.last() == Some(&about) || *about == About::Nothing => *n += 1,
            Some((of, n)) if *n < FEW => {
                if !of.contains(&about) {
                    of.push(about);
                }
                *n += 1;
            }
            _ => runs.push((vec![about], 1)),
        }
    }
    let mut out: Vec<(String, &[Item])> = Vec::new();
    let mut at = 0;
    for (of, n) in runs {
        let name = |about: &&About| match about {
            About::Body(b) => layout.bodies.get(*b).cloned(),
            About::Quantity(word) => super::words::STEMS
                .iter()
                .find(|s| s.word == word)
                .map(|s| s.meaning.to_owned())
                .or_else(|| Some(word.clone())),
            About::Nothing => None,
        };
        let text = of.iter().filter_map(name).collect::<Vec<_>>().join(", ");
        match out.last_mut() {
            // Too few equations for a heading of their own: append them to the part before.
            Some((heading, _)) if n < FEW || *heading == text => {
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

fn equations(items: &[Item], names: &Names, e: &Expressions) -> Vec<(Math, Math)> {
    let ids: Vec<NodeId> = items.iter().flat_map(|item| item.values.iter().copied()).collect();
    let one = |id: NodeId| {
        let opposite = e.shown.get(&id).is_some_and(|s| s.opposite);
        e.definition(id, opposite)
    };
    let left = |id: NodeId| e.shown.get(&id).map_or_else(Math::default, |s| s.math.clone());
    let mut out = Vec::new();
    let mut at = 0;
    while at < ids.len() {
        let apart = |all: &[NodeId]| all.iter().all(|id| !e.needs(*id).iter().any(|n| all.contains(n)));
        if let Some((name, components)) = vector(&ids[at..], names).filter(|(_, all)| apart(all)) {
            let parts: Vec<Math> = components.iter().map(|id| one(*id)).collect();
            if parts.iter().map(|m| m.text().chars().count()).sum::<usize>() <= VECTOR {
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
        out.push((left(ids[at]), one(ids[at])));
        at += 1;
    }
    out
}

/// The three components of a vector quantity, if these come next and none depends on another.
fn vector(ids: &[NodeId], names: &Names) -> Option<(Math, Vec<NodeId>)> {
    let three = ids.get(..3)?;
    let symbols: Vec<_> = three.iter().map(|id| names.symbols.get(id)).collect::<Option<_>>()?;
    let of = |axis: &str| symbols.iter().position(|s| s.axis == axis).map(|i| three[i]);
    let components = vec![of("x")?, of("y")?, of("z")?];
    if symbols.iter().any(|s| s.quantity != symbols[0].quantity) {
        return None;
    }
    Some((symbols[0].whole()?, components))
}
