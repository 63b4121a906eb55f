//! Numbers with names on a page of equations: constants of bodies and joints, and combinations of
//! them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::expression::{Expressions, Shown};
use super::naming::Names;
use super::symbols::Symbol;
use crate::report::{Math, Spacing};
use dqdt_graph::ir::{Group, NodeId, Program};
use dqdt_graph::plan::Plan;
use dqdt_print::code::numbers;

/// Quantities after which a number may be named, in order of preference.
const PREFERRED: [&str; 5] = ["arm", "m", "mc", "J", "g"];

/// Gives a symbol to each numeric constant of a page and returns the definitions `symbol = value`.
pub(super) fn name(
    program: &Program,
    plan: &Plan,
    needed: &[bool],
    roots: &[NodeId],
    names: &mut Names,
    e: &mut Expressions,
) -> Vec<(Math, Math)> {
    let mut mentioned: BTreeMap<NodeId, f64> = BTreeMap::new();
    let is_needed = (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32));
    for id in is_needed.filter(|id| plan.group(*id) > Group::Constant) {
        for a in program.graph.node(id).args() {
            if let Some(value) = plan.constant(*a) {
                mentioned.insert(*a, value);
            }
        }
    }
    mentioned.extend(roots.iter().filter_map(|id| Some((*id, plan.constant(*id)?))));
    let mut known: Vec<(Symbol, f64)> = Vec::new();
    let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let mut count = 0;
    for (id, value) in mentioned {
        let magnitude = value.abs();
        if value == 0.0 || magnitude == 1.0 || !value.is_finite() || numbers::is_universal(magnitude) {
            continue;
        }
        let notes = program.graph.constant_notes(id);
        let called: Vec<String> = notes.names.iter().map(|n| n.to_string()).collect();
        if called.is_empty() && numbers::is_short(magnitude) {
            continue;
        }
        let mut found: Vec<(usize, Symbol, f64, f64)> = Vec::new();
        for (i, name) in called.iter().enumerate() {
            let (name, times) = multiple(name);
            let Some((symbol, opposite)) = names.constant(&name) else { continue };
            // A number and its opposite share one name, which belongs to the positive one.
            let sign = if opposite { -1.0 } else { 1.0 };
            // The word of a moment is that of a mass, with an axis. A quantity with another mark
            // depends on the motion and is constant only by coincidence. Neither makes a good name.
            let own =
                matches!(symbol.marks.as_str(), "" | "ᵇ") && (symbol.word != "m" || symbol.axis.is_empty());
            let preferred = PREFERRED.iter().position(|w| *w == symbol.word).filter(|_| own);
            let preferred = preferred.unwrap_or(PREFERRED.len());
            found.push((preferred * 16 + i, symbol, sign * magnitude / times, times));
        }
        found.sort_by_key(|f| f.0);
        let free = |symbol: &Symbol, own: f64| {
            let same = known.iter().find(|(s, _)| s.text == symbol.text);
            same.map_or_else(|| names.is_free(&symbol.text), |(_, v)| v.to_bits() == own.to_bits())
        };
        let chosen = found.into_iter().find(|(_, symbol, own, _)| free(symbol, *own));
        let (symbol, own, times) = match chosen {
            Some((_, symbol, own, times)) => (symbol, own, times),
            None => {
                let symbol = loop {
                    count += 1;
                    let math = Math::identifier("K").lowered(Math::Number(count.to_string(), None));
                    let symbol = Symbol::plain(math);
                    if names.is_free(&symbol.text) {
                        break symbol;
                    }
                };
                (symbol, magnitude, 1.0)
            }
        };
        let shown = Shown { math: symbol.math(), opposite: (own * times) != value, times, rank: 0 };
        e.shown.insert(id, shown);
        if !known.iter().any(|(s, _)| s.text == symbol.text) {
            names.take(&symbol);
            if let Some(formula) = notes.formula {
                texts.insert(symbol.text.clone(), formula);
            }
            known.push((symbol, own));
        }
    }
    known.sort_by(|(a, _), (b, _)| {
        let key = |s: &Symbol| {
            (
                s.body.is_none(),
                s.body,
                PREFERRED.iter().position(|w| *w == s.word),
                s.quantity.clone(),
                s.axis.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    let formulas: Vec<Option<Math>> =
        known.iter().map(|(s, v)| composed(s, *v, texts.get(&s.text).map(|t| &**t), &known, names)).collect();
    let defined = |((symbol, value), formula): (&(Symbol, f64), Option<Math>)| {
        let number = Math::number(*value);
        let right = match formula {
            Some(formula) => Math::row([formula, Math::operator(" = ", " = "), number]),
            None => number,
        };
        (symbol.math(), right)
    };
    known.iter().zip(formulas).map(defined).collect()
}

/// Definition of a named number as a formula in other named numbers. Returns `None` if one of those
/// is not on the page.
fn composed(
    symbol: &Symbol,
    value: f64,
    text: Option<&str>,
    known: &[(Symbol, f64)],
    names: &Names,
) -> Option<Math> {
    if !symbol.word.is_empty() {
        return None;
    }
    for (other, x) in known.iter().filter(|(s, _)| !s.word.is_empty()) {
        let by = [(2.0, "2"), (-2.0, "−2"), (0.5, "0.5"), (-0.5, "−0.5")];
        if let Some((_, times)) = by.into_iter().find(|(k, _)| k * x == value) {
            let latex = times.replace('−', "-");
            return Some(Math::row([
                Math::operator(times, &latex),
                Math::Spacing(Spacing::Apart),
                other.math(),
            ]));
        }
        if 1.0 / x == value {
            return Some(Math::row([Math::integer(1), Math::operator("/", "/"), other.math()]));
        }
    }
    written(text?, known, names)
}

/// Parses a sum of names, such as `-(J_a - J_b)`, into mathematics with their symbols.
fn written(text: &str, known: &[(Symbol, f64)], names: &Names) -> Option<Math> {
    let (negative, text) = match text.strip_prefix("-(").and_then(|t| t.strip_suffix(')')) {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    if text.contains(['(', ')', '*', '/']) {
        return None;
    }
    let mut parts = Vec::new();
    let mut minus = false;
    for word in text.split(' ') {
        match word {
            "+" => minus = false,
            "-" => minus = true,
            name => {
                let (symbol, opposite) = names.constant(name)?;
                let (symbol, _) = known.iter().find(|(s, _)| s.text == symbol.text)?;
                match (parts.is_empty(), (minus != opposite) != negative) {
                    (true, false) => {}
                    (true, true) => parts.push(Math::operator("−", "-")),
                    (false, false) => parts.push(Math::operator(" + ", " + ")),
                    (false, true) => parts.push(Math::operator(" − ", " - ")),
                }
                parts.push(symbol.math());
            }
        }
    }
    Some(Math::row(parts))
}

/// Splits a factor off a name: `two_x` is 2 times `x`.
fn multiple(name: &str) -> (String, f64) {
    for (prefix, times) in [("two_", 2.0), ("half_", 0.5)] {
        if let Some(rest) = name.strip_prefix(prefix) {
            return (rest.to_owned(), times);
        }
    }
    (name.to_owned(), 1.0)
}
