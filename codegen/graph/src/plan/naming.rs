//! Names all values of a module.
//!
//! Problem: readable identifiers; each value has one name in the whole module, each name one value;
//!          edits elsewhere do not change them.
//! Method:  labels, notes and result names are used directly. A sine is named after its angle
//!          (`s_theta`), a small expression after its operands (`m_pole_l`, `inv_D_theta`,
//!          `c12_x_minus_c11_x`). Values that passes have transformed are recognised by their
//!          numerical fingerprints. The others are named after the value that they are a part of
//!          and their operands (`parts`).
//! Cost:    O(n log n).

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::PlannedBody;
use super::parts::{OperandKind, Owner, Role, candidate_names, shared_name_part};
use crate::ir::{
    Fingerprint, Graph, Node, NodeId, Op, SymbolKind, Taken, ValueNames, fingerprints, fingerprints_match,
    mark_needed, toggle_negative_prefix,
};
use dqdt_algebra::Func2;

/// Maximum length of a composed name of a value in emitted code.
const LONGEST: usize = 30;
/// Maximum number of names that a composed name joins.
const ATOMS: usize = 3;
/// Maximum number of named wholes that are recorded for a part without a name.
const OWNERS: usize = 8;
/// Maximum number of operand names of a part that are considered for its name.
const MADE_OF: usize = 48;

/// The values of a module that need names: those of its bodies, and the fields of the model.
pub struct Naming<'a> {
    /// The graph whose values get names.
    pub graph: &'a Graph,
    /// The bodies whose statements need names.
    pub bodies: Vec<&'a PlannedBody>,
    /// Values that the model stores as fields.
    pub kept: Vec<NodeId>,
}

/// Names the values of a module that have a statement or a field. `leaf` returns the text of
/// symbols and constants that have one. The second result is a function that names the value of
/// which an unnamed one is a part.
pub fn name_values(
    naming: &Naming,
    taken: &mut Taken,
    leaf: &dyn Fn(NodeId) -> Option<String>,
) -> (ValueNames, impl Fn(NodeId) -> Option<String> + use<>) {
    let graph = naming.graph;
    let roots: Vec<NodeId> = naming.bodies.iter().flat_map(|b| &b.roots).map(|r| r.node).collect();
    let needed = mark_needed(graph, &roots);
    let ids: Vec<NodeId> = (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32)).collect();
    let mut wanted = vec![false; needed.len()];
    let angles = naming.bodies.iter().flat_map(|b| &b.angles);
    for id in naming.kept.iter().chain(angles) {
        wanted[id.0 as usize] = true;
    }
    for id in &ids {
        wanted[id.0 as usize] |=
            naming.bodies.iter().any(|b| b.schedule.has_statement(*id) || b.is_computed_elsewhere(*id));
    }
    let fingerprints = fingerprints(graph, needed.len());
    let mut namer = Namer {
        naming,
        taken,
        leaf,
        names: ValueNames::default(),
        wanted,
        fingerprints,
        by_name: FxHashMap::default(),
        composed_names: FxHashSet::default(),
        inlined_names: FxHashMap::default(),
    };
    namer.name_by_labels_and_notes(&ids);
    namer.name_by_fingerprint(&ids);
    namer.name_expressions(&ids);
    let owners = namer.find_owners(&ids);
    namer.name_parts(&ids, &owners);
    (namer.names, move |id| owners.get(&id).and_then(|owners| common_owner_name(owners)))
}

/// The common part of the names of the values that a part enters.
fn common_owner_name(owners: &[Owner]) -> Option<String> {
    shared_name_part(&owners.iter().map(|o| o.name.as_str()).collect::<Vec<_>>())
}

/// The value of this name as the whole of which another is a term.
fn term_owner(name: &str) -> Owner {
    Owner { name: name.to_owned(), role: Role::Term }
}

/// Adds owners to a list; one that enters twice in different roles gets the role `Inside`.
fn add_owners(all: &mut Vec<Owner>, new: impl IntoIterator<Item = Owner>) {
    for owner in new {
        if let Some(known) = all.iter_mut().find(|o| o.name == owner.name) {
            if known.role != owner.role {
                known.role = Role::Inside;
            }
        } else if all.len() < OWNERS {
            all.push(owner);
        }
    }
}

/// State while the values of a module get their names.
struct Namer<'a> {
    naming: &'a Naming<'a>,
    taken: &'a mut Taken,
    leaf: &'a dyn Fn(NodeId) -> Option<String>,
    names: ValueNames,
    wanted: Vec<bool>,
    fingerprints: Vec<Fingerprint>,
    /// The value that has each name, by name.
    by_name: FxHashMap<String, NodeId>,
    /// Values whose name is composed of others.
    composed_names: FxHashSet<NodeId>,
    /// Names of values without a statement, used to compose other names.
    inlined_names: FxHashMap<NodeId, String>,
}

/// A composed name, with the number of names in it and true for a sum.
struct Text {
    text: String,
    atoms: usize,
    sum: bool,
}

impl Text {
    /// A single name.
    fn from_name(text: String) -> Self {
        Text { text, atoms: 1, sum: false }
    }
}

impl Namer<'_> {
    /// True for a value with a statement or a field that has no name yet.
    fn needs_name(&self, id: NodeId) -> bool {
        self.wanted[id.0 as usize] && self.names.node_name(id).is_none()
    }

    /// Gives a value this name, made unique by a suffix.
    fn set_unique_name(&mut self, id: NodeId, text: &str) {
        // The same quantity computed by other operations gets the suffix `_again`.
        let fingerprint = |id: NodeId| &self.fingerprints[id.0 as usize];
        let again = self
            .by_name
            .get(text)
            .is_some_and(|other| fingerprints_match(fingerprint(id), fingerprint(*other)));
        let name = self.taken.make_unique(&if again { format!("{text}_again") } else { text.to_owned() });
        self.by_name.insert(name.clone(), id);
        self.names.set_name(id, name);
    }

    /// Names values by labels first, so that nothing else takes these names; then by notes,
    /// results, sines and cosines. A field of the model prefers its note, which says more about a
    /// value of parameters than its use.
    fn name_by_labels_and_notes(&mut self, ids: &[NodeId]) {
        let graph = self.naming.graph;
        let mut kept = self.naming.kept.clone();
        kept.sort_unstable();
        for id in kept {
            if let Some(note) =
                graph.note_of(id).filter(|_| self.needs_name(id) && !self.is_parameter_product(id))
            {
                self.set_unique_name(id, &note);
            }
        }
        for id in ids {
            if let Some(label) = graph.label_of(*id).filter(|_| self.needs_name(*id)) {
                self.set_unique_name(*id, &label.name);
            }
        }
        for id in ids {
            if let Some(note) =
                graph.note_of(*id).filter(|_| self.needs_name(*id) && !self.is_parameter_product(*id))
            {
                self.set_unique_name(*id, &note);
            }
        }
        let bodies = &self.naming.bodies;
        for root in bodies.iter().flat_map(|b| &b.roots).filter(|r| !r.name.is_empty()) {
            if self.needs_name(root.node) {
                self.set_unique_name(root.node, &root.name);
            }
        }
        for id in ids.iter().filter(|id| matches!(graph.node(**id).op, Op::Sin | Op::Cos)) {
            if let Some(text) = self.sine_or_cosine_name(graph.node(*id)).filter(|_| self.needs_name(*id)) {
                self.set_unique_name(*id, &text);
            }
        }
    }

    /// True for a product `a b` of two parameters: this name says more than a quantity that happens
    /// to equal it.
    fn is_parameter_product(&self, id: NodeId) -> bool {
        let graph = self.naming.graph;
        let node = graph.node(id);
        node.op == Op::Mul
            && node.args().iter().all(|id| match graph.node(*id).op {
                Op::Symbol(s) => matches!(graph.symbol_info(s).kind, SymbolKind::Parameter(_)),
                _ => false,
            })
    }

    /// Names values by fingerprint, for values that passes compute by other operations, and for
    /// inlined ones.
    fn name_by_fingerprint(&mut self, ids: &[NodeId]) {
        let graph = self.naming.graph;
        let lexicon = graph.lexicon();
        for id in ids {
            let leaf = matches!(graph.node(*id).op, Op::Const(_) | Op::Symbol(_));
            if leaf || self.names.node_name(*id).is_some() || self.is_parameter_product(*id) {
                continue;
            }
            let by_fingerprint = || lexicon.name_by_fingerprint(&self.fingerprints[id.0 as usize]);
            if self.needs_name(*id) {
                if let Some(name) = by_fingerprint() {
                    self.set_unique_name(*id, &name);
                }
            } else if let Some(name) = graph.name_of(*id).or_else(by_fingerprint) {
                self.inlined_names.insert(*id, name);
            }
        }
    }

    /// The name of a value, with or without a statement.
    fn current_name(&self, id: NodeId) -> Option<&str> {
        self.names.node_name(id).or_else(|| self.inlined_names.get(&id).map(String::as_str))
    }

    /// The name of a sine or cosine after its angle, such as `s_theta`, if that is short.
    fn sine_or_cosine_name(&self, node: Node) -> Option<String> {
        let letter = if node.op == Op::Sin { "s" } else { "c" };
        let angle = self.angle_name(node.args()[0], 4).filter(|a| a.len() <= 24)?;
        Some(format!("{letter}_{angle}"))
    }

    /// The name of an angle, composed of names of its terms, at most `depth` operations deep.
    fn angle_name(&self, id: NodeId, depth: u32) -> Option<String> {
        if let Some(name) = self.names.node_name(id) {
            return Some(name.to_owned());
        }
        let graph = self.naming.graph;
        let node = graph.node(id);
        let depth = depth.checked_sub(1)?;
        match (node.op, node.args()) {
            (Op::Symbol(_), _) => (self.leaf)(id),
            (Op::Add, [a, b]) => {
                Some(format!("{}_{}", self.angle_name(*a, depth)?, self.angle_name(*b, depth)?))
            }
            (Op::Sub, [a, b]) => {
                Some(format!("{}_m_{}", self.angle_name(*a, depth)?, self.angle_name(*b, depth)?))
            }
            (Op::Mul, [k, a]) => {
                let k = graph.constant(*k)?.as_ratio().filter(|k| k.is_integer() && k.num() > 0)?;
                Some(format!("{}{}", k.num(), self.angle_name(*a, depth)?))
            }
            _ => None,
        }
    }

    /// Names small expressions of named values.
    fn name_expressions(&mut self, ids: &[NodeId]) {
        for id in ids {
            if self.needs_name(*id)
                && let Some(text) = self.expression_name(*id, true)
            {
                self.set_unique_name(*id, &text.text);
                if text.atoms > 1 {
                    self.composed_names.insert(*id);
                }
            }
        }
    }

    /// The name of a small expression composed of its operands; at the `top` its own name does not
    /// count.
    fn expression_name(&self, id: NodeId, top: bool) -> Option<Text> {
        if let Some(name) = self.current_name(id).filter(|_| !top) {
            return Some(Text::from_name(name.to_owned()));
        }
        if let Some(text) = (self.leaf)(id) {
            return Some(Text::from_name(text));
        }
        if !top && self.wanted[id.0 as usize] {
            return None;
        }
        let graph = self.naming.graph;
        let node = graph.node(id);
        let operand = |id: &NodeId| self.expression_name(*id, false);
        let product = |id: &NodeId| operand(id).filter(|t| !t.sum);
        let one =
            |before: &str, a: &NodeId| product(a).map(|t| Text { text: format!("{before}_{}", t.text), ..t });
        let two = |a: Text, between: &str, b: Text, sum: bool| Text {
            text: format!("{}_{between}{}", a.text, b.text),
            atoms: a.atoms + b.atoms,
            sum,
        };
        let text = match (node.op, node.args()) {
            (Op::Neg, [a]) => product(a).map(|t| Text { text: toggle_negative_prefix(&t.text), ..t }),
            (Op::Mul, [a, b]) if a == b => product(a).map(|t| Text { text: format!("{}_sq", t.text), ..t }),
            (Op::Mul, [a, b]) => Some(two(product(a)?, "", product(b)?, false)),
            (Op::Div, [a, b]) if graph.constant(*a).is_some_and(|n| n.is_one()) => one("inv", b),
            (Op::Div, [a, b]) => Some(two(product(a)?, "by_", product(b)?, false)),
            (Op::Add, [a, b]) => Some(two(operand(a)?, "plus_", product(b)?, true)),
            (Op::Sub, [a, b]) => Some(two(operand(a)?, "minus_", product(b)?, true)),
            (Op::Sqrt, [a]) => one("sqrt", a),
            (Op::Sin | Op::Cos, _) => self.sine_or_cosine_name(node).map(Text::from_name),
            (Op::Func(f), [a]) => one(f.name(), a),
            (Op::Func2(Func2::Min), [a, b]) => Some(two(product(a)?, "min_", product(b)?, false)),
            (Op::Func2(Func2::Max), [a, b]) => Some(two(product(a)?, "max_", product(b)?, false)),
            _ => None,
        };
        // A sign, a reciprocal or a square of one name may be longer.
        text.filter(|t| {
            let limit = if t.atoms == 1 { LONGEST + 18 } else { LONGEST };
            t.atoms <= ATOMS && t.text.len() <= limit
        })
    }

    /// For each value without a name, the named values that it enters, nearest first.
    fn find_owners(&self, ids: &[NodeId]) -> FxHashMap<NodeId, Vec<Owner>> {
        let graph = self.naming.graph;
        let mut owners: FxHashMap<NodeId, Vec<Owner>> = FxHashMap::default();
        for root in self.naming.bodies.iter().flat_map(|b| &b.roots).filter(|r| !r.name.is_empty()) {
            if self.current_name(root.node).is_none() {
                add_owners(owners.entry(root.node).or_default(), [term_owner(&root.name)]);
            }
        }
        for id in ids.iter().rev() {
            let wholes = match self.current_name(*id) {
                Some(name) => vec![term_owner(name)],
                None => owners.get(id).cloned().unwrap_or_default(),
            };
            let node = graph.node(*id);
            for a in node.args() {
                if self.names.node_name(*a).is_none() {
                    let parts = wholes.iter().map(|whole| Owner {
                        name: whole.name.clone(),
                        role: self.argument_role(node, *a, &whole.role),
                    });
                    add_owners(owners.entry(*a).or_default(), parts);
                }
            }
        }
        owners
    }

    /// The role of the argument `a` of a node in a whole in which the node has `role`.
    fn argument_role(&self, node: Node, a: NodeId, role: &Role) -> Role {
        match (node.op, node.args()) {
            (Op::Add | Op::Sub | Op::Neg, _) => role.clone(),
            (Op::Mul, [x, y]) if x != y => {
                let other = if *x == a { *y } else { *x };
                if self.naming.graph.constant(other).is_some() {
                    return role.clone();
                }
                let text = self.current_name(other).map(str::to_owned).or_else(|| (self.leaf)(other));
                role.factor_role(text.as_deref())
            }
            _ => Role::Inside,
        }
    }

    /// For each term of a value, the names of the operands that it contains.
    fn operand_names_by_term(&self, id: NodeId) -> Vec<Vec<(String, OperandKind)>> {
        let graph = self.naming.graph;
        let (mut terms, mut stack) = (Vec::new(), vec![id]);
        while let Some(at) = stack.pop() {
            let node = graph.node(at);
            let inner = at == id || self.current_name(at).is_none();
            if inner && matches!(node.op, Op::Add | Op::Sub | Op::Neg) {
                stack.extend(node.args().iter().rev());
            } else if terms.len() < MADE_OF {
                let mut term = Vec::new();
                self.collect_operand_names(at, at == id, &mut term);
                terms.push(term);
            }
        }
        terms
    }

    /// Collects the names that a term contains, with their kinds.
    fn collect_operand_names(&self, id: NodeId, top: bool, atoms: &mut Vec<(String, OperandKind)>) {
        let graph = self.naming.graph;
        let node = graph.node(id);
        if atoms.len() >= MADE_OF {
            return;
        }
        // A composed part name is not an atom; descend to its own operands.
        let known = self.current_name(id).filter(|_| !top && !self.composed_names.contains(&id));
        let known = known.filter(|n| !n.contains("_from_") && !n.contains("_per_"));
        match (known, node.op) {
            (Some(name), op) => {
                let turn = matches!(op, Op::Sin | Op::Cos);
                atoms.push((name.to_owned(), if turn { OperandKind::Turn } else { OperandKind::Quantity }));
            }
            (None, Op::Symbol(s)) => {
                let parameter = matches!(graph.symbol_info(s).kind, SymbolKind::Parameter(_));
                let kind = if parameter { OperandKind::Parameter } else { OperandKind::Symbol };
                atoms.extend((self.leaf)(id).map(|name| (name, kind)));
            }
            (None, Op::Const(_)) => {
                let words = ["half", "two", "quarter", "third"];
                let name = (self.leaf)(id).filter(|n| !words.contains(&n.as_str()));
                atoms.extend(name.map(|name| (name, OperandKind::Parameter)));
            }
            (None, _) => node.args().iter().for_each(|a| self.collect_operand_names(*a, false, atoms)),
        }
    }

    /// Names the remaining values as parts of the named values that they enter.
    fn name_parts(&mut self, ids: &[NodeId], owners: &FxHashMap<NodeId, Vec<Owner>>) {
        for id in ids {
            if !self.needs_name(*id) {
                continue;
            }
            let node = self.naming.graph.node(*id);
            // The reciprocal or the square of a part is named after the part.
            let simple = match node.op {
                Op::Div | Op::Neg | Op::Sqrt => true,
                Op::Mul => node.args()[0] == node.args()[1],
                _ => false,
            };
            if let Some(text) = self.expression_name(*id, true).filter(|t| simple && t.atoms == 1) {
                self.set_unique_name(*id, &text.text);
                continue;
            }
            let whole = owners.get(id).map_or(&[][..], Vec::as_slice);
            let all = candidate_names(whole, &self.operand_names_by_term(*id));
            let mut limits = [LONGEST, LONGEST + 8, usize::MAX].into_iter();
            let name = limits
                .find_map(|limit| all.iter().find(|n| n.len() <= limit && self.taken.is_name_free(n)))
                .or(all.first());
            let name = name.map_or_else(|| "value".to_owned(), String::clone);
            self.set_unique_name(*id, &name);
        }
    }
}
