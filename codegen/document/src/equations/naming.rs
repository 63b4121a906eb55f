//! Chooses which values of a page get a symbol, and the symbol.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::{Expressions, ValueSymbol};
use super::item::PageItem;
use super::symbols::{Labels, MathSymbol, parse_symbol};
use super::words::{MARKS, STEMS};
use crate::report::Math;
use dqdt_graph::ir::{
    Fingerprint, Graph, Group, Layout, NodeId, Op, Program, SymbolKind, fingerprints, fingerprints_match,
};
use dqdt_graph::plan::Plan;

/// Maximum number of symbols in the expression of a value without a mechanical meaning that a page
/// writes in place, where it is used, instead of naming it.
const MAX_INLINED: usize = 2;
/// Same as [`MAX_INLINED`], for a value that is used once.
const MAX_INLINED_ONCE: usize = 8;

/// Symbols of the values on a page of equations, with the text of each so that none is used twice.
pub(super) struct PageSymbols<'a> {
    program: &'a Program,
    plan: &'a Plan,
    labels: &'a Labels,
    taken: FxHashSet<String>,
    /// Symbols of the values with a mechanical meaning, by graph node.
    pub symbols: FxHashMap<NodeId, MathSymbol>,
    worths: Vec<Fingerprint>,
    /// Words and marks that occur in symbols on the page, for its legend.
    used: BTreeSet<String>,
    auxiliary: bool,
}

impl<'a> PageSymbols<'a> {
    pub(super) fn new(program: &'a Program, plan: &'a Plan, labels: &'a Labels) -> Self {
        let l = &program.layout;
        let slots = [&l.q, &l.v, &l.z, &l.u, &l.p].into_iter().flatten();
        let mut taken: FxHashSet<String> = slots.map(|s| Math::identifier(&s.name).text()).collect();
        taken.insert("t".to_owned());
        let worths = fingerprints(&program.graph, program.graph.len());
        PageSymbols {
            program,
            plan,
            labels,
            taken,
            symbols: FxHashMap::default(),
            worths,
            used: BTreeSet::new(),
            auxiliary: false,
        }
    }

    fn graph(&self) -> &'a Graph {
        &self.program.graph
    }

    pub(super) fn is_unused_text(&self, text: &str) -> bool {
        !self.taken.contains(text)
    }

    pub(super) fn reserve_symbol(&mut self, symbol: &MathSymbol) {
        self.taken.insert(symbol.text.clone());
        self.record_marks(symbol);
    }

    /// Symbol of a constant with this emitted name, and `true` if the constant is the opposite of
    /// the symbol.
    pub(super) fn constant_symbol(&self, name: &str) -> Option<(MathSymbol, bool)> {
        parse_symbol(name, self.labels)
    }

    fn record_marks(&mut self, symbol: &MathSymbol) {
        if !symbol.word.is_empty() {
            let moment = symbol.word == "m" && symbol.axis.is_empty();
            self.used.insert(if moment { "mass".to_owned() } else { symbol.word.clone() });
        }
        for mark in symbol.marks.chars() {
            self.used.insert(mark.to_string());
        }
    }

    /// Gives the coordinates, speeds, inputs and parameters on a page the names that they have in
    /// the spec.
    pub(super) fn name_leaf_symbols(&mut self, needed: &[bool], e: &mut Expressions) {
        for id in (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32)) {
            if let Op::Symbol(s) = self.graph().node(id).op {
                let symbol = self.graph().symbol_info(s);
                let rank = if matches!(symbol.kind, SymbolKind::Parameter(_)) { 1 } else { 3 };
                let math = Math::identifier(&symbol.name);
                e.shown.insert(id, ValueSymbol { math, opposite: false, times: 1.0, rank });
            }
        }
    }

    /// Gives a symbol to each value with a mechanical meaning. Returns all values that the page
    /// defines by an equation, which also include long values without a meaning.
    pub(super) fn name_values(
        &mut self,
        items: &[PageItem],
        needed: &[bool],
        e: &mut Expressions,
    ) -> FxHashSet<NodeId> {
        let graph = self.graph();
        let mut by_text: FxHashMap<String, (NodeId, bool)> = FxHashMap::default();
        let mut kept: FxHashSet<NodeId> = FxHashSet::default();
        let mut unknown: Vec<NodeId> = Vec::new();
        for id in items.iter().flat_map(|item| item.values.iter().copied()) {
            let Some((symbol, opposite)) = self.value_symbol(id, e) else {
                unknown.push(id);
                continue;
            };
            let rank = match graph.node(id).op {
                Op::Sin | Op::Cos => 2,
                _ if self.plan.dependency_group(id) <= Group::Parameter => 1,
                _ => 3,
            };
            if let Some((other, other_opposite)) = by_text.get(&symbol.text) {
                // The same quantity computed by other operations, or its opposite: one equation is
                // enough.
                let sign = if *other_opposite == opposite { 1.0 } else { -1.0 };
                let worth = self.worths[id.0 as usize].map(|x| x * sign);
                if fingerprints_match(&worth, &self.worths[other.0 as usize]) {
                    e.shown.insert(id, ValueSymbol { math: symbol.to_math(), opposite, times: 1.0, rank });
                    continue;
                }
            }
            let symbol = match self.is_unused_text(&symbol.text) {
                true => symbol,
                false => {
                    let mut symbol = symbol;
                    while !self.is_unused_text(&symbol.text) {
                        symbol = symbol.with_prime();
                    }
                    symbol
                }
            };
            by_text.insert(symbol.text.clone(), (id, opposite));
            self.reserve_symbol(&symbol);
            e.shown.insert(id, ValueSymbol { math: symbol.to_math(), opposite, times: 1.0, rank });
            self.symbols.insert(id, symbol);
            kept.insert(id);
        }
        // Operands come before the values computed from them.
        unknown.sort_unstable();
        kept.extend(self.separate_long_values(&unknown, needed, e));
        kept
    }

    /// Gives a placeholder to each value without a meaning that is too long to be inlined. Returns
    /// these values.
    fn separate_long_values(&self, unknown: &[NodeId], needed: &[bool], e: &mut Expressions) -> Vec<NodeId> {
        let graph = self.graph();
        let mut uses: FxHashMap<NodeId, u32> = FxHashMap::default();
        for id in (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32)) {
            for a in graph.node(id).args() {
                *uses.entry(*a).or_insert(0) += 1;
            }
        }
        let mut kept = Vec::new();
        for id in unknown.iter().copied() {
            let symbols = e.count_symbols(id);
            let is_used_once = uses.get(&id).is_none_or(|n| *n <= 1);
            if symbols <= MAX_INLINED || is_used_once && symbols <= MAX_INLINED_ONCE {
                continue;
            }
            let math = Math::identifier("Z");
            e.shown.insert(id, ValueSymbol { math, opposite: false, times: 1.0, rank: 3 });
            kept.push(id);
        }
        kept
    }

    /// Symbol of the value of a statement, and `true` if the value is the opposite of the symbol.
    /// `None` without a meaning.
    fn value_symbol(&self, id: NodeId, e: &Expressions) -> Option<(MathSymbol, bool)> {
        let graph = self.graph();
        let node = graph.node(id);
        if let (Op::Sin | Op::Cos, [angle]) = (node.op, node.args()) {
            let letter = if node.op == Op::Sin { "s" } else { "c" };
            let Op::Symbol(s) = graph.node(*angle).op else { return None };
            let math = &e.shown.get(angle)?.math;
            return Some((self.labels.sine_cosine_symbol(letter, &graph.symbol_info(s).name, math), false));
        }
        let name = self.plan.names.node_name(id)?;
        if let Some(speed) = name.strip_prefix("acc_") {
            let layout = &self.program.layout;
            let at = layout.v.iter().position(|s| layout.stem(&s.name) == speed || s.name == speed);
            if let Some(i) = at {
                return Some((MathSymbol::from_letters(acceleration_symbol(&layout.v[i].name)), false));
            }
        }
        let coordinate = self.program.layout.q.iter().find(|s| name.strip_suffix("_dot") == Some(&s.name));
        if let Some(slot) = coordinate {
            return Some((MathSymbol::from_letters(Math::identifier(&format!("{}_dot", slot.name))), false));
        }
        parse_symbol(name, self.labels)
    }

    /// Names the values without a mechanical meaning `Z1`, `Z2`, … in the order of the page.
    pub(super) fn number_auxiliary_values(&mut self, ordered: &[PageItem], e: &mut Expressions) {
        let mut count = 0;
        for id in ordered.iter().flat_map(|item| &item.values) {
            if self.symbols.contains_key(id) {
                continue;
            }
            let math = loop {
                count += 1;
                let math = Math::identifier("Z").with_subscript(Math::Number(count.to_string(), None));
                if self.is_unused_text(&math.text()) {
                    break math;
                }
            };
            self.auxiliary = true;
            e.shown.insert(*id, ValueSymbol { math, opposite: false, times: 1.0, rank: 3 });
        }
    }

    /// Left side of the equation of result entry `k`: an indexed matrix entry, or the name of the
    /// entry.
    pub(super) fn result_left_side(&self, name: &str, columns: usize, k: usize) -> Math {
        if columns != usize::MAX {
            let [i, j] = [k / columns + 1, k % columns + 1].map(|i| Math::Number(i.to_string(), None));
            let comma = if columns > 9 { Math::operator(",", ",") } else { Math::row([]) };
            return match parse_symbol(name, self.labels) {
                Some((symbol, false)) => symbol.to_math(),
                _ => Math::identifier("M").with_subscript(Math::row([i, comma, j])),
            };
        }
        let l = &self.program.layout;
        if let Some(i) = k.checked_sub(l.q.len()).filter(|i| *i < l.v.len() && name.ends_with("_dot")) {
            return acceleration_symbol(&l.v[i].name);
        }
        match parse_symbol(name, self.labels) {
            Some((symbol, false)) => symbol.to_math(),
            _ => Math::identifier(name),
        }
    }

    /// Marks and letters that occur in symbols on the page, with their meaning.
    pub(super) fn legend_entries(&self) -> Vec<(Math, String)> {
        let occurs = |word: &str| self.used.contains(word);
        let mut out: Vec<(Math, String)> = Vec::new();
        if occurs("mass") {
            out.push((Math::symbol("m", "m"), "mass".to_owned()));
        }
        for stem in STEMS.iter().filter(|s| occurs(s.word)) {
            if !out.iter().any(|(_, meaning)| meaning == stem.meaning) {
                out.push((Math::symbol(stem.text, stem.latex), stem.meaning.to_owned()));
            }
        }
        for (_, text, latex, meaning) in MARKS.iter().filter(|m| occurs(m.1)) {
            let above = Math::symbol(text, latex);
            let shown = Math::symbol("", "").to_power(Math::symbol(latex, latex));
            out.push((Math::TerminalName(above.text(), Box::new(shown)), (*meaning).to_owned()));
        }
        if occurs("*") {
            let shown = Math::symbol("", "").to_power(Math::symbol("*", "*"));
            out.push((
                Math::TerminalName("*".to_owned(), Box::new(shown)),
                "at the computed accelerations v̇".to_owned(),
            ));
        }
        if self.auxiliary {
            out.push((Math::symbol("Z", "Z"), "intermediate values without a physical meaning".to_owned()));
        }
        out
    }

    /// Bodies, speeds and rows with the numbers that denote them in indices, if these differ from
    /// their own numbers.
    pub(super) fn index_numbers(&self, layout: &Layout) -> Vec<(String, Vec<(String, Math)>)> {
        let mut out = Vec::new();
        let bodies = self.labels.bodies();
        if bodies.iter().any(|(name, label)| name != label) {
            let list = bodies.iter().map(|(name, label)| (label.clone(), Math::words(name))).collect();
            out.push(("bodies".to_owned(), list));
        }
        let speeds =
            (1..).zip(&layout.v).map(|(i, s): (usize, _)| (i.to_string(), Math::identifier(&s.name)));
        out.push(("speeds".to_owned(), speeds.collect()));
        if !layout.velocity_rows.is_empty() {
            let rows = (1..).zip(&layout.velocity_rows);
            let rows = rows.map(|(i, r): (usize, _)| (i.to_string(), Math::words(&r.name)));
            out.push(("constraint rows".to_owned(), rows.collect()));
        }
        out
    }
}

/// Symbol of the acceleration of a speed: `theta_ddot` for `theta_dot`, else the speed with `_dot`.
fn acceleration_symbol(speed: &str) -> Math {
    match speed.strip_suffix("_dot") {
        Some(coordinate) => Math::identifier(&format!("{coordinate}_ddot")),
        None => Math::identifier(&format!("{speed}_dot")),
    }
}
