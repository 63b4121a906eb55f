//! Definitions and prescribed coordinates as symbols of the equations, and the equations that
//! define them.
//!
//! Problem: a rope whose length is prescribed by a formula fills a page with that formula; a book
//!          writes l, l̇, l̈.
//! Method:  [`dqdt_derivation::symbols::symbols_for_printing`] has a symbol for each, and symbols
//!          for its first and second time derivatives if the formula depends on time and parameters
//!          only. One equation defines each symbol.
//! Limits:  where a definition that depends on the motion is differentiated (in a potential or a
//!          constraint), its formula is printed instead; the note above the equations says so.

use super::clamps::{PrintedDefinition, PrintedDefinitions};
use super::groups::{Arrangement, GroupRole, Quantities, QuantityGroup, Recorder};
use super::letters;
use super::view::Part;
use dqdt_algebra::Scalar;
use dqdt_derivation::symbols::{formula_name, formula_symbol};
use dqdt_document::report::Math;
use dqdt_graph::ir::{Graph, NodeId, Op, SymbolKind, Tracer, mark_needed};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Formula, Mechanism, Variable};

/// Heading of the section with the definitions of the spec, prescribed coordinates and limited
/// inputs.
pub(super) const DEFINITIONS: &str = "Definitions";

/// A symbol that the report defines, with its name.
struct DefinedSymbol<'m> {
    kind: SymbolKind,
    name: String,
    value: DefinedValue<'m>,
}

/// Value that a symbol defined by the report denotes.
#[derive(Clone, Copy)]
enum DefinedValue<'m> {
    /// A formula, or its time derivative of the given order (0 to 2).
    Formula(&'m Formula, usize),
    /// A measure of frames that a definition uses, by its index.
    Measure(usize),
}

/// All symbols in an order in which each depends only on earlier ones: formulas of time, measures,
/// other definitions.
fn defined_symbols<'m>(m: &Mechanism, definitions: &'m PrintedDefinitions) -> Vec<DefinedSymbol<'m>> {
    let (of_time, of_motion): (Vec<_>, Vec<_>) =
        definitions.0.iter().partition(|d| d.named.depends_only_on_time());
    let mut out = Vec::new();
    for definition in of_time {
        let varies = definition.named.formula.any_variable(&|v| v == Variable::Time);
        let orders = if varies { 3 } else { 1 };
        out.extend((0..orders).map(|order| symbol_of_order(m, definition, order)));
    }
    let measured = m.named_formulas.iter().any(|f| f.formula.uses_measures());
    for (i, measure) in m.measures.iter().enumerate().filter(|_| measured) {
        let name = letters::unused_name(m, measure.name.clone());
        let kind = measure_symbol(m, i);
        out.push(DefinedSymbol { kind, name, value: DefinedValue::Measure(i) });
    }
    out.extend(of_motion.into_iter().map(|definition| symbol_of_order(m, definition, 0)));
    out
}

/// The symbol of a definition, or of its time derivative of the given order.
fn symbol_of_order<'m>(m: &Mechanism, definition: &'m PrintedDefinition, order: usize) -> DefinedSymbol<'m> {
    DefinedSymbol {
        kind: SymbolKind::Named(3 * definition.named.place + order),
        name: formula_name(m, &definition.named, order),
        value: DefinedValue::Formula(&definition.formula, order),
    }
}

/// The symbol of a measure that definitions use.
pub(super) fn measure_symbol(m: &Mechanism, measure: usize) -> SymbolKind {
    SymbolKind::Named(3 * (m.named_formulas.len() + measure))
}

/// Name of the symbol of a measure, distinct from all names of the mechanism.
pub(super) fn measure_name(m: &Mechanism, measure: usize) -> String {
    m.measures.get(measure).map(|x| letters::unused_name(m, x.name.clone())).unwrap_or_default()
}

/// Values of these symbols. Definitions are evaluated over `measures`, if given, else over the
/// measures in the current pose.
fn symbol_values<S: Scalar>(
    m: &Mechanism,
    all: &[DefinedSymbol<'_>],
    env: &Environment<'_, S>,
    measures: Option<&[S]>,
) -> Vec<S> {
    let has_measures = all.iter().any(|s| matches!(s.value, DefinedValue::Measure(_)));
    let current = if has_measures {
        kinematics::evaluate_measures(m, &kinematics::kinematics(m, env), env)
    } else {
        Vec::new()
    };
    let env = Environment { measures: measures.unwrap_or(&current), ..*env };
    (all.iter())
        .map(|symbol| match symbol.value {
            DefinedValue::Formula(f, 0) => f.eval(&env),
            DefinedValue::Formula(f, order) => kinematics::evaluate_prescribed_motion(f, &env)[order.min(2)],
            DefinedValue::Measure(i) => current[i],
        })
        .collect()
}

/// Symbols of definitions, prescribed coordinates and measures, each with its value in `env`.
pub fn named_formula_values<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<(SymbolKind, S)> {
    let definitions = PrintedDefinitions::new(m);
    let all = defined_symbols(m, &definitions);
    let values = symbol_values(m, &all, env, None);
    all.into_iter().map(|s| s.kind).zip(values).collect()
}

/// Adds one defining equation for each symbol and returns the symbols in that order. If `by_name`,
/// an equation may contain other symbols; otherwise all are expanded.
pub(super) fn record_definitions<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    env: &Environment<'_, Tracer<'g>>,
    by_name: bool,
) -> Vec<SymbolKind> {
    let definitions = PrintedDefinitions::new(m);
    let all = defined_symbols(m, &definitions);
    if all.is_empty() {
        return Vec::new();
    }
    let measures: Vec<Tracer<'g>> = (0..m.measures.len())
        .map(|i| Tracer::new(r.graph, r.graph.symbol(&measure_name(m, i), measure_symbol(m, i))))
        .collect();
    let mut named = env.named.to_vec();
    if by_name {
        for PrintedDefinition { named: f, .. } in &definitions.0 {
            named.resize(named.len().max(f.place + 1), None);
            named[f.place].get_or_insert_with(|| formula_symbol(r.graph, m, f, env));
        }
    }
    let env = Environment { named: &named, ..*env };
    let values = symbol_values(m, &all, &env, by_name.then_some(&measures[..]));
    let names = all.iter().map(|s| Math::identifier(&s.name)).collect();
    let depend_on_motion = m.named_formulas.iter().any(|f| !f.depends_only_on_time());
    let note = match depend_on_motion {
        true => {
            "definitions and prescribed coordinates that occur in the equations; where a definition that depends on \
             the motion is differentiated, its formula replaces its name"
        }
        false => "definitions and prescribed coordinates that occur in the equations",
    };
    r.set_part(Part::Definitions, &[]);
    r.push_group(DEFINITIONS, note, GroupRole::Named, Arrangement::Equations(names), &values);
    all.into_iter().map(|s| s.kind).collect()
}

/// Removes the defining equations of symbols that no shown quantity uses, directly or through
/// others.
pub(super) fn drop_unused_definitions(q: &mut Quantities) {
    let Quantities { graph, groups, named, .. } = q;
    let others = groups.iter().filter(|g| g.role != GroupRole::Named);
    let mut used = named_symbols_in(graph, others.flat_map(|g| g.nodes.iter().copied()).collect());
    let Some(definitions) = groups.iter_mut().find(|g| g.role == GroupRole::Named) else { return };
    // A definition depends only on earlier ones, so a single pass in reverse order is enough.
    let mut kept = vec![false; named.len()];
    for (i, kind) in named.iter().enumerate().rev() {
        if used.contains(kind) {
            kept[i] = true;
            used.extend(named_symbols_in(graph, definitions.nodes.get(i).copied().into_iter().collect()));
        }
    }
    retain_used(&mut definitions.nodes, &kept);
    retain_used(named, &kept);
    if let Arrangement::Equations(names) = &mut definitions.arrangement {
        retain_used(names, &kept);
    }
    groups.retain(|g: &QuantityGroup| g.role != GroupRole::Named || !g.nodes.is_empty());
}

/// Retains the items of a list whose flag is true, such as definitions that are used.
fn retain_used<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next() == Some(&true));
}

/// The symbols of named formulas and measures on which these values depend.
fn named_symbols_in(graph: &Graph, values: Vec<NodeId>) -> Vec<SymbolKind> {
    let needed = mark_needed(graph, &values).into_iter().enumerate().filter(|(_, needed)| *needed);
    needed
        .filter_map(|(i, _)| match graph.node(NodeId(i as u32)).op {
            Op::Symbol(s) => Some(graph.symbol_info(s).kind).filter(|k| matches!(k, SymbolKind::Named(_))),
            _ => None,
        })
        .collect()
}
