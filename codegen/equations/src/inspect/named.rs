//! Definitions and prescribed coordinates as symbols of the equations, and what they stand for.
//!
//! Problem: a rope whose length a formula prescribes fills a page with that formula; a book writes l, l̇, l̈.
//! Method:  [`dqdt_derivation::symbols::named_symbols`] has a symbol for each, and for its first and second derivative by time
//!          where the formula is of time and parameters. One equation for each says what it is.
//! Limits:  where a definition that depends on the motion is differentiated (a potential, a constraint), its formula stands in
//!          its place; the note above the equations says so.

use super::groups::{Arrangement, GroupRole, Quantities, QuantityGroup, Recorder};
use super::view::Part;
use dqdt_algebra::Scalar;
use dqdt_derivation::symbols::name_of_formula;
use dqdt_document::report::Math;
use dqdt_graph::ir::{Graph, NodeId, Op, SymbolKind, Tracer, needed};
use dqdt_mechanics::kinematics::{self, value_of};
use dqdt_mechanics::mechanism::{Environment, Mechanism, NamedFormula, Variable};

/// The heading of definitions, limited inputs included.
pub(super) const DEFINITIONS: &str = "Definitions";

/// How many of a formula and its derivatives have a symbol.
fn orders(f: &NamedFormula) -> usize {
    if f.is_of_time() && f.formula.mentions(&|v| v == Variable::Time) { 3 } else { 1 }
}

/// What the symbols of formulas stand for, each over those before it.
pub fn named_formulas<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<(SymbolKind, S)> {
    let mut out = Vec::new();
    for f in &m.named_formulas {
        match orders(f) {
            1 => out.push((SymbolKind::Named(3 * f.place), value_of(m, env, &f.formula))),
            _ => {
                let values = kinematics::prescribed(&f.formula, env).into_iter().enumerate();
                out.extend(values.map(|(order, x)| (SymbolKind::Named(3 * f.place + order), x)));
            }
        }
    }
    out
}

/// One equation for each symbol of a formula. The symbols, in their order.
pub(super) fn group<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    env: &Environment<'_, Tracer<'g>>,
) -> Vec<SymbolKind> {
    let (kinds, values): (Vec<SymbolKind>, Vec<Tracer<'g>>) = named_formulas(m, env).into_iter().unzip();
    if kinds.is_empty() {
        return kinds;
    }
    let name = |f: &NamedFormula, order: usize| Math::identifier(&name_of_formula(m, f, order));
    let names = m.named_formulas.iter().flat_map(|f| (0..orders(f)).map(|order| name(f, order))).collect();
    r.at(Part::Definitions, &[]);
    let of_motion = m.named_formulas.iter().any(|f| !f.is_of_time());
    let note = match of_motion {
        true => {
            "definitions and prescribed coordinates that the equations name; where one of the motion is differentiated, its \
             formula stands in its place"
        }
        false => "definitions and prescribed coordinates that the equations name",
    };
    r.push(DEFINITIONS, note, GroupRole::Named, Arrangement::Equations(names), &values);
    kinds
}

/// Keeps the equations of those symbols that something shown has.
pub(super) fn keep_used(q: &mut Quantities) {
    let Quantities { graph, groups, named, .. } = q;
    let others = groups.iter().filter(|g| g.role != GroupRole::Named);
    let mut used = symbols(graph, others.flat_map(|g| g.nodes.iter().copied()).collect());
    let Some(own) = groups.iter_mut().find(|g| g.role == GroupRole::Named) else { return };
    // Each stands over those before it.
    let mut kept = vec![false; named.len()];
    for (i, kind) in named.iter().enumerate().rev() {
        if used.contains(kind) {
            kept[i] = true;
            used.extend(symbols(graph, own.nodes.get(i).copied().into_iter().collect()));
        }
    }
    keep(&mut own.nodes, &kept);
    keep(named, &kept);
    if let Arrangement::Equations(names) = &mut own.arrangement {
        keep(names, &kept);
    }
    groups.retain(|g: &QuantityGroup| g.role != GroupRole::Named || !g.nodes.is_empty());
}

fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next() == Some(&true));
}

/// The symbols of formulas that these values have.
fn symbols(graph: &Graph, values: Vec<NodeId>) -> Vec<SymbolKind> {
    let kind = |id: NodeId| match graph.node(id).op {
        Op::Symbol(s) => Some(graph.symbol_info(s).kind).filter(|k| matches!(k, SymbolKind::Named(_))),
        _ => None,
    };
    let needed = needed(graph, &values).into_iter().enumerate().filter(|(_, needed)| *needed);
    needed.filter_map(|(i, _)| kind(NodeId(i as u32))).collect()
}
