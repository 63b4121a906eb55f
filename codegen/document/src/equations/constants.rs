//! Numbers with names on a page of equations: constants of bodies and joints, and combinations of
//! them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::expression::{Expressions, ValueSymbol};
use super::naming::PageSymbols;
use super::symbols::MathSymbol;
use crate::report::{Math, Spacing};
use dqdt_graph::ir::{Group, NodeId, Program};
use dqdt_graph::plan::Plan;
use dqdt_print::code::numbers;

/// Words of quantities after which a numeric constant may be named on a page of equations, in order
/// of preference.
const PREFERRED: [&str; 5] = ["arm", "m", "mc", "J", "g"];

/// Gives a symbol to each numeric constant of a page and returns the definitions `symbol = value`.
pub(super) fn name_constants(
    program: &Program,
    plan: &Plan,
    needed: &[bool],
    roots: &[NodeId],
    names: &mut PageSymbols,
    e: &mut Expressions,
) -> Vec<(Math, Math)> {
    let mut mentioned: BTreeMap<NodeId, f64> = BTreeMap::new();
    let is_needed = (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32));
    for id in is_needed.filter(|id| plan.dependency_group(*id) > Group::Constant) {
        for a in program.graph.node(id).args() {
            if let Some(value) = plan.constant_value(*a) {
                mentioned.insert(*a, value);
            }
        }
    }
    mentioned.extend(roots.iter().filter_map(|id| Some((*id, plan.constant_value(*id)?))));
    let mut known: Vec<(MathSymbol, f64)> = Vec::new();
    let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let mut count = 0;
    for (id, value) in mentioned {
        let magnitude = value.abs();
        if value == 0.0 || magnitude == 1.0 || !value.is_finite() || numbers::is_universal(magnitude) {
            continue;
        }
        let notes = program.graph.constant_notes(id);
        let spec_names: Vec<String> = notes.names.iter().map(|n| n.to_string()).collect();
        if spec_names.is_empty() && numbers::has_few_digits(magnitude) {
            continue;
        }
        let mut candidates = collect_symbol_candidates(&spec_names, magnitude, names);
        candidates.sort_by_key(|candidate| candidate.rank);
        let free = candidates.into_iter().find(|candidate| {
            let text = &candidate.symbol.text;
            let same = known.iter().find(|(s, _)| s.text == *text);
            same.map_or_else(|| names.is_unused_text(text), |(_, v)| v.to_bits() == candidate.base.to_bits())
        });
        let (symbol, base, times) = match free {
            Some(SymbolCandidate { symbol, base, times, .. }) => (symbol, base, times),
            None => (next_numbered_symbol(&mut count, names), magnitude, 1.0),
        };
        let shown = ValueSymbol { math: symbol.to_math(), opposite: (base * times) != value, times, rank: 0 };
        e.shown.insert(id, shown);
        if !known.iter().any(|(s, _)| s.text == symbol.text) {
            names.reserve_symbol(&symbol);
            if let Some(formula) = notes.formula {
                texts.insert(symbol.text.clone(), formula);
            }
            known.push((symbol, base));
        }
    }
    known.sort_by(|(a, _), (b, _)| page_sort_key(a).cmp(&page_sort_key(b)));
    define_constants(&known, &texts, names)
}

/// Definitions `symbol = value` of the constants, with a formula in other constants if known.
fn define_constants(
    known: &[(MathSymbol, f64)],
    texts: &BTreeMap<String, Arc<str>>,
    names: &PageSymbols,
) -> Vec<(Math, Math)> {
    let formulas: Vec<Option<Math>> = known
        .iter()
        .map(|(s, v)| definition_from_constants(s, *v, texts.get(&s.text).map(|t| &**t), known, names))
        .collect();
    (known.iter().zip(formulas))
        .map(|((symbol, value), formula)| {
            let number = Math::number(*value);
            let right = match formula {
                Some(formula) => Math::row([formula, Math::operator(" = ", " = "), number]),
                None => number,
            };
            (symbol.to_math(), right)
        })
        .collect()
}

/// The next unused symbol among `K₁`, `K₂`, …; `count` is the number of the last one.
fn next_numbered_symbol(count: &mut usize, names: &PageSymbols) -> MathSymbol {
    loop {
        *count += 1;
        let math = Math::identifier("K").with_subscript(Math::Number(count.to_string(), None));
        let symbol = MathSymbol::from_letters(math);
        if names.is_unused_text(&symbol.text) {
            return symbol;
        }
    }
}

/// Symbols that a constant with this magnitude could get from its names in the spec.
fn collect_symbol_candidates(
    spec_names: &[String],
    magnitude: f64,
    names: &PageSymbols,
) -> Vec<SymbolCandidate> {
    let mut candidates: Vec<SymbolCandidate> = Vec::new();
    for (i, name) in spec_names.iter().enumerate() {
        let (name, times) = split_numeric_prefix(name);
        let Some((symbol, opposite)) = names.constant_symbol(&name) else { continue };
        // A number and its opposite share one name, which belongs to the positive one.
        let sign = if opposite { -1.0 } else { 1.0 };
        // The word of a moment is that of a mass, with an axis. A quantity with another mark
        // depends on the motion and is constant only by coincidence. Neither makes a good name.
        let is_suitable =
            matches!(symbol.marks.as_str(), "" | "ᵇ") && (symbol.word != "m" || symbol.axis.is_empty());
        let preferred = PREFERRED.iter().position(|w| *w == symbol.word).filter(|_| is_suitable);
        let preferred = preferred.unwrap_or(PREFERRED.len());
        let base = sign * magnitude / times;
        candidates.push(SymbolCandidate { rank: preferred * 16 + i, symbol, base, times });
    }
    candidates
}

/// A symbol that a numeric constant of a page could get: the constant is `times` the value `base`
/// of the symbol.
struct SymbolCandidate {
    /// Order of preference among candidates, lowest first.
    rank: usize,
    symbol: MathSymbol,
    base: f64,
    times: f64,
}

/// Sort key of a named numeric constant on a page of equations: by body, quantity and axis.
fn page_sort_key(s: &MathSymbol) -> (bool, Option<usize>, Option<usize>, &str, &str) {
    let preference = PREFERRED.iter().position(|w| *w == s.word);
    (s.body.is_none(), s.body, preference, &s.quantity, &s.axis)
}

/// Definition of a named number as a formula in other named numbers of the page. Returns `None` if
/// one of those is not on the page.
fn definition_from_constants(
    symbol: &MathSymbol,
    value: f64,
    text: Option<&str>,
    known: &[(MathSymbol, f64)],
    names: &PageSymbols,
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
                other.to_math(),
            ]));
        }
        if 1.0 / x == value {
            return Some(Math::row([Math::integer(1), Math::operator("/", "/"), other.to_math()]));
        }
    }
    parse_name_sum(text?, known, names)
}

/// Parses a sum of names, such as `-(J_a - J_b)`, into mathematics with the symbols of the names.
fn parse_name_sum(text: &str, known: &[(MathSymbol, f64)], names: &PageSymbols) -> Option<Math> {
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
                let (symbol, opposite) = names.constant_symbol(name)?;
                let (symbol, _) = known.iter().find(|(s, _)| s.text == symbol.text)?;
                match (parts.is_empty(), (minus != opposite) != negative) {
                    (true, false) => {}
                    (true, true) => parts.push(Math::operator("−", "-")),
                    (false, false) => parts.push(Math::operator(" + ", " + ")),
                    (false, true) => parts.push(Math::operator(" − ", " - ")),
                }
                parts.push(symbol.to_math());
            }
        }
    }
    Some(Math::row(parts))
}

/// Splits a factor off a name: `two_x` is 2 times `x`, `half_x` is 0.5 times `x`.
fn split_numeric_prefix(name: &str) -> (String, f64) {
    for (prefix, times) in [("two_", 2.0), ("half_", 0.5)] {
        if let Some(rest) = name.strip_prefix(prefix) {
            return (rest.to_owned(), times);
        }
    }
    (name.to_owned(), 1.0)
}
