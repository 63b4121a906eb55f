//! Names of all values of a module.
//!
//! Problem: identifiers that a person recognises; one a value in the whole module, none for two; the same when something
//!          else is edited.
//! Method:  labels, notes and results as they are. A sine is called after its angle (`s_theta`), a small expression by what
//!          stands in it (`m_pole_l`, `inv_D_theta`, `c12_x_minus_c11_x`); what passes have formed anew is recognised by what
//!          it is worth. What is left is called after what it is a part of and what it is made of (`parts`).
//! Cost:    O(n log n).

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::Body;
use super::parts::{Owner, Role, Telling, candidates, common};
use crate::ir::{
    Graph, Node, NodeId, Op, SymbolKind, Taken, ValueNames, Worth, is_same, needed, negative, worths,
};
use dqdt_algebra::Func2;

/// The longest name that is put together from others.
const LONGEST: usize = 30;
/// So many names are put together.
const ATOMS: usize = 3;
/// So many values that a part serves are looked at.
const OWNERS: usize = 8;
/// So many names in a part are looked at.
const MADE_OF: usize = 48;

/// What is to be named.
pub struct Naming<'a> {
    /// Where the values are.
    pub graph: &'a Graph,
    /// The bodies with statements.
    pub bodies: Vec<&'a Body>,
    /// Values that the model keeps.
    pub kept: Vec<NodeId>,
}

/// Names the values that have a statement or a field. `leaf` gives the text of symbols and constants that have one; the
/// second result says of every other value what it is a part of.
pub fn name(
    naming: &Naming,
    taken: &mut Taken,
    leaf: &dyn Fn(NodeId) -> Option<String>,
) -> (ValueNames, impl Fn(NodeId) -> Option<String> + use<>) {
    let graph = naming.graph;
    let roots: Vec<NodeId> = naming.bodies.iter().flat_map(|b| &b.roots).map(|r| r.node).collect();
    let needed = needed(graph, &roots);
    let ids: Vec<NodeId> = (0..needed.len()).filter(|i| needed[*i]).map(|i| NodeId(i as u32)).collect();
    let mut wanted = vec![false; needed.len()];
    let handed = naming.bodies.iter().flat_map(|b| &b.angles);
    for id in naming.kept.iter().chain(handed) {
        wanted[id.0 as usize] = true;
    }
    for id in &ids {
        wanted[id.0 as usize] |= naming.bodies.iter().any(|b| b.schedule.is_bound(*id) || b.takes(*id));
    }
    let worths = worths(graph, needed.len());
    let mut namer = Namer {
        naming,
        taken,
        leaf,
        names: ValueNames::default(),
        wanted,
        worths,
        by_name: FxHashMap::default(),
        together: FxHashSet::default(),
        unbound: FxHashMap::default(),
    };
    namer.known(&ids);
    namer.known_by_worth(&ids);
    namer.put_together(&ids);
    let owners = namer.owners(&ids);
    namer.parts(&ids, &owners);
    let names_of = |o: &Vec<Owner>| common(&o.iter().map(|o| o.name.as_str()).collect::<Vec<_>>());
    (namer.names, move |id| owners.get(&id).and_then(names_of))
}

struct Namer<'a> {
    naming: &'a Naming<'a>,
    taken: &'a mut Taken,
    leaf: &'a dyn Fn(NodeId) -> Option<String>,
    names: ValueNames,
    wanted: Vec<bool>,
    worths: Vec<Worth>,
    /// Who has a name.
    by_name: FxHashMap<String, NodeId>,
    /// Those whose name is put together.
    together: FxHashSet<NodeId>,
    /// What values without a statement are called.
    unbound: FxHashMap<NodeId, String>,
}

/// A name that is put together.
struct Text {
    text: String,
    atoms: usize,
    sum: bool,
}

impl Text {
    fn atom(text: String) -> Self {
        Text { text, atoms: 1, sum: false }
    }
}

impl Namer<'_> {
    fn open(&self, id: NodeId) -> bool {
        self.wanted[id.0 as usize] && self.names.get(id).is_none()
    }

    fn set(&mut self, id: NodeId, text: &str) {
        // The same quantity by other operations.
        let worth = |id: NodeId| &self.worths[id.0 as usize];
        let again = self.by_name.get(text).is_some_and(|other| is_same(worth(id), worth(*other)));
        let name = self.taken.unique(&if again { format!("{text}_again") } else { text.to_owned() });
        self.by_name.insert(name.clone(), id);
        self.names.set(id, name);
    }

    /// Labels first, so that nothing takes their names; then notes, results, sines and cosines. What the model keeps is called
    /// by its note: of a value of parameters it says more than the place where it stands.
    fn known(&mut self, ids: &[NodeId]) {
        let graph = self.naming.graph;
        let mut kept = self.naming.kept.clone();
        kept.sort_unstable();
        for id in kept {
            if let Some(note) = graph.note_of(id).filter(|_| self.open(id) && !self.is_own_definition(id)) {
                self.set(id, &note);
            }
        }
        for id in ids {
            if let Some(label) = graph.label_of(*id).filter(|_| self.open(*id)) {
                self.set(*id, &label.name);
            }
        }
        for id in ids {
            if let Some(note) = graph.note_of(*id).filter(|_| self.open(*id) && !self.is_own_definition(*id))
            {
                self.set(*id, &note);
            }
        }
        let bodies = &self.naming.bodies;
        for root in bodies.iter().flat_map(|b| &b.roots).filter(|r| !r.name.is_empty()) {
            if self.open(root.node) {
                self.set(root.node, &root.name);
            }
        }
        for id in ids.iter().filter(|id| matches!(graph.node(**id).op, Op::Sin | Op::Cos)) {
            if let Some(text) = self.trigonometric(graph.node(*id)).filter(|_| self.open(*id)) {
                self.set(*id, &text);
            }
        }
    }

    /// True if `a b` of two parameters says all: the quantity that it happens to be says less.
    fn is_own_definition(&self, id: NodeId) -> bool {
        let graph = self.naming.graph;
        let node = graph.node(id);
        let parameter = |id: &NodeId| match graph.node(*id).op {
            Op::Symbol(s) => matches!(graph.symbol_info(s).kind, SymbolKind::Parameter(_)),
            _ => false,
        };
        node.op == Op::Mul && node.args().iter().all(parameter)
    }

    /// Values that passes compute by other operations than mechanics did, and what is written inside others.
    fn known_by_worth(&mut self, ids: &[NodeId]) {
        let graph = self.naming.graph;
        let lexicon = graph.lexicon();
        for id in ids {
            let leaf = matches!(graph.node(*id).op, Op::Const(_) | Op::Symbol(_));
            if leaf || self.names.get(*id).is_some() || self.is_own_definition(*id) {
                continue;
            }
            let by_worth = || lexicon.name(&self.worths[id.0 as usize]);
            if self.open(*id) {
                if let Some(name) = by_worth() {
                    self.set(*id, &name);
                }
            } else if let Some(name) = graph.name_of(*id).or_else(by_worth) {
                self.unbound.insert(*id, name);
            }
        }
    }

    /// What a value is called, whether it has a statement or not.
    fn called(&self, id: NodeId) -> Option<&str> {
        self.names.get(id).or_else(|| self.unbound.get(&id).map(String::as_str))
    }

    fn trigonometric(&self, node: Node) -> Option<String> {
        let letter = if node.op == Op::Sin { "s" } else { "c" };
        let angle = self.angle(node.args()[0], 4).filter(|a| a.len() <= 24)?;
        Some(format!("{letter}_{angle}"))
    }

    fn angle(&self, id: NodeId, depth: u32) -> Option<String> {
        if let Some(name) = self.names.get(id) {
            return Some(name.to_owned());
        }
        let graph = self.naming.graph;
        let node = graph.node(id);
        let depth = depth.checked_sub(1)?;
        match (node.op, node.args()) {
            (Op::Symbol(_), _) => (self.leaf)(id),
            (Op::Add, [a, b]) => Some(format!("{}_{}", self.angle(*a, depth)?, self.angle(*b, depth)?)),
            (Op::Sub, [a, b]) => Some(format!("{}_m_{}", self.angle(*a, depth)?, self.angle(*b, depth)?)),
            (Op::Mul, [k, a]) => {
                let k = graph.constant(*k)?.as_ratio().filter(|k| k.is_integer() && k.num() > 0)?;
                Some(format!("{}{}", k.num(), self.angle(*a, depth)?))
            }
            _ => None,
        }
    }

    /// Small expressions of what has a name.
    fn put_together(&mut self, ids: &[NodeId]) {
        for id in ids {
            if self.open(*id)
                && let Some(text) = self.expression(*id, true)
            {
                self.set(*id, &text.text);
                if text.atoms > 1 {
                    self.together.insert(*id);
                }
            }
        }
    }

    fn expression(&self, id: NodeId, top: bool) -> Option<Text> {
        if let Some(name) = self.called(id).filter(|_| !top) {
            return Some(Text::atom(name.to_owned()));
        }
        if let Some(text) = (self.leaf)(id) {
            return Some(Text::atom(text));
        }
        if !top && self.wanted[id.0 as usize] {
            return None;
        }
        let graph = self.naming.graph;
        let node = graph.node(id);
        let of = |id: &NodeId| self.expression(*id, false);
        let product = |id: &NodeId| of(id).filter(|t| !t.sum);
        let one =
            |before: &str, a: &NodeId| product(a).map(|t| Text { text: format!("{before}_{}", t.text), ..t });
        let two = |a: Text, between: &str, b: Text, sum: bool| Text {
            text: format!("{}_{between}{}", a.text, b.text),
            atoms: a.atoms + b.atoms,
            sum,
        };
        let text = match (node.op, node.args()) {
            (Op::Neg, [a]) => product(a).map(|t| Text { text: negative(&t.text), ..t }),
            (Op::Mul, [a, b]) if a == b => product(a).map(|t| Text { text: format!("{}_sq", t.text), ..t }),
            (Op::Mul, [a, b]) => Some(two(product(a)?, "", product(b)?, false)),
            (Op::Div, [a, b]) if graph.constant(*a).is_some_and(|n| n.is_one()) => one("inv", b),
            (Op::Div, [a, b]) => Some(two(product(a)?, "by_", product(b)?, false)),
            (Op::Add, [a, b]) => Some(two(of(a)?, "plus_", product(b)?, true)),
            (Op::Sub, [a, b]) => Some(two(of(a)?, "minus_", product(b)?, true)),
            (Op::Sqrt, [a]) => one("sqrt", a),
            (Op::Sin | Op::Cos, _) => self.trigonometric(node).map(Text::atom),
            (Op::Func(f), [a]) => one(f.name(), a),
            (Op::Func2(Func2::Min), [a, b]) => Some(two(product(a)?, "min_", product(b)?, false)),
            (Op::Func2(Func2::Max), [a, b]) => Some(two(product(a)?, "max_", product(b)?, false)),
            _ => None,
        };
        // A sign, a reciprocal, a square of one thing.
        let limit = |t: &Text| if t.atoms == 1 { LONGEST + 18 } else { LONGEST };
        text.filter(|t| t.atoms <= ATOMS && t.text.len() <= limit(t))
    }

    /// What each value without a name goes into, nearest first.
    fn owners(&self, ids: &[NodeId]) -> FxHashMap<NodeId, Vec<Owner>> {
        let graph = self.naming.graph;
        let mut owners: FxHashMap<NodeId, Vec<Owner>> = FxHashMap::default();
        let add = |to: &mut FxHashMap<NodeId, Vec<Owner>>, id: NodeId, new: Vec<Owner>| {
            let all = to.entry(id).or_default();
            for owner in new {
                if let Some(known) = all.iter_mut().find(|o| o.name == owner.name) {
                    if known.role != owner.role {
                        known.role = Role::Inside;
                    }
                } else if all.len() < OWNERS {
                    all.push(owner);
                }
            }
        };
        let term = |name: &str| Owner { name: name.to_owned(), role: Role::Term };
        for root in self.naming.bodies.iter().flat_map(|b| &b.roots).filter(|r| !r.name.is_empty()) {
            if self.called(root.node).is_none() {
                add(&mut owners, root.node, vec![term(&root.name)]);
            }
        }
        for id in ids.iter().rev() {
            let wholes = match self.called(*id) {
                Some(name) => vec![term(name)],
                None => owners.get(id).cloned().unwrap_or_default(),
            };
            let node = graph.node(*id);
            for a in node.args() {
                if self.names.get(*a).is_none() {
                    let role = |whole: &Owner| self.role(node, *a, &whole.role);
                    let parts = wholes.iter().map(|o| Owner { name: o.name.clone(), role: role(o) });
                    add(&mut owners, *a, parts.collect());
                }
            }
        }
        owners
    }

    /// What the argument `a` of a node is in that of which the node is `role`.
    fn role(&self, node: Node, a: NodeId, role: &Role) -> Role {
        match (node.op, node.args()) {
            (Op::Add | Op::Sub | Op::Neg, _) => role.clone(),
            (Op::Mul, [x, y]) if x != y => {
                let other = if *x == a { *y } else { *x };
                if self.naming.graph.constant(other).is_some() {
                    return role.clone();
                }
                let text = self.called(other).map(str::to_owned).or_else(|| (self.leaf)(other));
                role.times(text.as_deref())
            }
            _ => Role::Inside,
        }
    }

    /// The names in each term of a value.
    fn terms(&self, id: NodeId) -> Vec<Vec<(String, Telling)>> {
        let graph = self.naming.graph;
        let (mut terms, mut stack) = (Vec::new(), vec![id]);
        while let Some(at) = stack.pop() {
            let node = graph.node(at);
            let inner = at == id || self.called(at).is_none();
            if inner && matches!(node.op, Op::Add | Op::Sub | Op::Neg) {
                stack.extend(node.args().iter().rev());
            } else if terms.len() < MADE_OF {
                let mut term = Vec::new();
                self.atoms(at, at == id, &mut term);
                terms.push(term);
            }
        }
        terms
    }

    fn atoms(&self, id: NodeId, top: bool, found: &mut Vec<(String, Telling)>) {
        let graph = self.naming.graph;
        let node = graph.node(id);
        if found.len() >= MADE_OF {
            return;
        }
        // A part of a part is made of what that is made of, and so is what is called after two.
        let whole = |n: &&str| !n.contains("_from_") && !n.contains("_per_");
        let known = self.called(id).filter(|_| !top && !self.together.contains(&id)).filter(whole);
        match (known, node.op) {
            (Some(name), op) => {
                let turn = matches!(op, Op::Sin | Op::Cos);
                found.push((name.to_owned(), if turn { Telling::Turn } else { Telling::Quantity }));
            }
            (None, Op::Symbol(s)) => {
                let parameter = matches!(graph.symbol_info(s).kind, SymbolKind::Parameter(_));
                let telling = if parameter { Telling::Parameter } else { Telling::Symbol };
                found.extend((self.leaf)(id).map(|name| (name, telling)));
            }
            (None, Op::Const(_)) => {
                let words = ["half", "two", "quarter", "third"];
                let name = (self.leaf)(id).filter(|n| !words.contains(&n.as_str()));
                found.extend(name.map(|name| (name, Telling::Parameter)));
            }
            (None, _) => node.args().iter().for_each(|a| self.atoms(*a, false, found)),
        }
    }

    /// What is left: parts of something.
    fn parts(&mut self, ids: &[NodeId], owners: &FxHashMap<NodeId, Vec<Owner>>) {
        for id in ids {
            if !self.open(*id) {
                continue;
            }
            let node = self.naming.graph.node(*id);
            // The reciprocal or the square of a part is called after the part.
            let simple = match node.op {
                Op::Div | Op::Neg | Op::Sqrt => true,
                Op::Mul => node.args()[0] == node.args()[1],
                _ => false,
            };
            if let Some(text) = self.expression(*id, true).filter(|t| simple && t.atoms == 1) {
                self.set(*id, &text.text);
                continue;
            }
            let whole = owners.get(id).map_or(&[][..], Vec::as_slice);
            let all = candidates(whole, &self.terms(*id));
            let free = |limit: usize| all.iter().find(|n| n.len() <= limit && self.taken.is_free(n));
            let name = [LONGEST, LONGEST + 8, usize::MAX].into_iter().find_map(free).or(all.first());
            let name = name.map_or_else(|| "value".to_owned(), String::clone);
            self.set(*id, &name);
        }
    }
}
