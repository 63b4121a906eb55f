//! The numbers of a module: constants with a name, once, where they say more than their digits.
//!
//! A number that the spec gives to something (`m_link3`) or that is composed of such ones is a constant of the module; small
//! ones that stand for themselves (½, 2) are written where they are used.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use syn::{Expr, Item, parse_quote};

use super::data::Part;
use super::literal::{self, literal};
use super::syntax::{associated, comment_of, ident, path};
use crate::ir::{ConstantNotes, Graph, NodeId, Program, Taken};
use crate::plan::Plan;

/// From so many uses in a body on a constant gets a local name there.
const NAMED: u32 = 2;
/// The same for a number that is written with its digits.
const DIGITS: u32 = 4;

struct Constant {
    value: f64,
    /// The constant of the module; `None` for digits.
    item: Option<String>,
    local: String,
    about: Option<String>,
}

/// The numbers of a module, by their magnitude.
#[derive(Default)]
pub struct Constants {
    all: Vec<Constant>,
    by_bits: FxHashMap<u64, usize>,
    used: RefCell<BTreeSet<usize>>,
}

/// What a number is called before it has a name of its own: its word, or what it is of.
pub fn text(graph: &Graph, plan: &Plan, id: NodeId) -> Option<String> {
    let value = plan.constant(id)?;
    if literal::is_universal(value.abs()) {
        return (value > 0.0).then(|| literal::word(value).map(str::to_owned)).flatten();
    }
    graph.constant_notes(id).names.first().map(|n| n.to_string())
}

impl Constants {
    /// Names the numbers that the bodies of a plan mention. `part_of` says what a value goes into.
    pub fn new(
        program: &Program,
        plan: &Plan,
        taken: &mut Taken,
        part_of: impl Fn(NodeId) -> Option<String>,
    ) -> Self {
        let graph = &program.graph;
        let mut ids: BTreeSet<NodeId> = BTreeSet::new();
        for body in plan.bodies() {
            ids.extend(plan.numbers(graph, body).into_keys());
        }
        let mut constants = Constants::default();
        let mut noted: FxHashMap<u64, Vec<(bool, ConstantNotes)>> = FxHashMap::default();
        for id in &ids {
            if let Some(value) = plan.constant(*id) {
                let notes = (value < 0.0, graph.constant_notes(*id));
                noted.entry(value.abs().to_bits()).or_default().push(notes);
            }
        }
        for id in ids {
            let Some(value) = plan.constant(id).map(f64::abs) else { continue };
            let bits = value.to_bits();
            if value == 0.0 || value == 1.0 || constants.by_bits.contains_key(&bits) {
                continue;
            }
            let constant = named(value, noted.get(&bits).map_or(&[], Vec::as_slice), taken, || part_of(id));
            constants.by_bits.insert(bits, constants.all.len());
            constants.all.push(constant);
        }
        constants
    }

    /// A positive number that a body uses `uses` times; with its local name where it should have one.
    pub fn expression(&self, value: f64, uses: u32) -> (Expr, Option<&str>) {
        let Some(index) = self.by_bits.get(&value.to_bits()) else {
            return (associated("from_f64", vec![literal(value)]), None);
        };
        let constant = &self.all[*index];
        let (inner, least) = match &constant.item {
            Some(item) => {
                self.used.borrow_mut().insert(*index);
                (path(item), NAMED)
            }
            None => (literal(value), DIGITS),
        };
        (associated("from_f64", vec![inner]), (uses >= least).then_some(constant.local.as_str()))
    }

    /// The constants that were used.
    pub fn items(&self) -> Vec<Part> {
        let item = |index: &usize| {
            let constant = &self.all[*index];
            let name = ident(constant.item.as_ref()?);
            let value = literal(constant.value);
            let about = constant.about.as_deref().map(comment_of);
            let item: Item = parse_quote!(#about const #name: f64 = #value;);
            Some(item.into())
        };
        self.used.borrow().iter().filter_map(item).collect()
    }
}

fn named(
    value: f64,
    notes: &[(bool, ConstantNotes)],
    taken: &mut Taken,
    part_of: impl Fn() -> Option<String>,
) -> Constant {
    let sign = |negative: bool, name: &str| match (negative, name.strip_prefix("neg_")) {
        (false, _) => name.to_owned(),
        (true, Some(positive)) => positive.to_owned(),
        (true, None) => format!("neg_{name}"),
    };
    let mut names: Vec<String> = Vec::new();
    // What is given as it stands comes before what is given with the other sign.
    let mut sorted: Vec<&(bool, ConstantNotes)> = notes.iter().collect();
    sorted.sort_by_key(|n| n.0);
    for (negative, notes) in &sorted {
        names.extend(notes.names.iter().map(|n| sign(*negative, n)));
    }
    let formula = sorted.iter().find_map(|(negative, notes)| {
        let text = notes.formula.as_ref()?;
        Some(if *negative { format!("-({text})") } else { text.to_string() })
    });
    let plain =
        literal::is_universal(value) || names.is_empty() && formula.is_none() && literal::is_short(value);
    if plain {
        let local = taken.unique(&literal::name(value));
        return Constant { value, item: None, local, about: None };
    }
    let product = |text: &String| {
        let name = text.replace(" * ", "_");
        (name.len() <= 30 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(name)
    };
    let name = names
        .first()
        .cloned()
        .or_else(|| formula.as_ref().and_then(product))
        .or_else(|| part_of().map(|owner| format!("k_{owner}")))
        .unwrap_or_else(|| literal::name(value));
    // Small letters whatever the spec has: a number of its own needs no allowance.
    let local = taken.unique(&name.to_lowercase());
    let item = taken.unique(&local.to_uppercase());
    let others = names.get(1..).unwrap_or_default().join(", ");
    let about = match (formula, others.is_empty()) {
        (Some(formula), true) => Some(formula),
        (Some(formula), false) => Some(format!("{formula}; also {others}")),
        (None, true) => None,
        (None, false) => Some(format!("also {others}")),
    };
    Constant { value, item: Some(item), local, about }
}
