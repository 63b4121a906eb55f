//! Names of all values of a module.
//!
//! Problem: identifiers that a person recognises; one a value in the whole module, none for two; the same when something
//!          else is edited.
//! Method:  labels, notes and results as they are. A sine is called after its angle (`s_theta`), a small expression by what
//!          stands in it (`m_pole_l`, `inv_d_theta`, `c12_x_minus_c11_x`). What is left is a part of something that has a
//!          name, and called after it, counted (`m_1_2_p1`); a part of several things, after what their names have in
//!          common.
//! Cost:    O(n log n).

use rustc_hash::FxHashMap;

use super::body::Body;
use crate::algebra::Func2;
use crate::ir::{Graph, Node, NodeId, Op, Taken, ValueNames, needed, negative};

/// The longest name that is put together from others.
const LONGEST: usize = 30;
/// So many names are put together.
const ATOMS: usize = 3;
/// So many values that a part serves are looked at.
const OWNERS: usize = 8;

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
    let mut namer = Namer { naming, taken, leaf, names: ValueNames::default(), wanted };
    namer.known(&ids);
    namer.put_together(&ids);
    let owners = namer.owners(&ids);
    namer.parts(&ids, &owners);
    (namer.names, move |id| owners.get(&id).and_then(|o| common(o)))
}

struct Namer<'a> {
    naming: &'a Naming<'a>,
    taken: &'a mut Taken,
    leaf: &'a dyn Fn(NodeId) -> Option<String>,
    names: ValueNames,
    wanted: Vec<bool>,
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
        let name = self.taken.unique(text);
        self.names.set(id, name);
    }

    /// Labels first, so that nothing takes their names; then notes, results, sines and cosines. What the model keeps is called
    /// by its note: of a value of parameters it says more than the place where it stands.
    fn known(&mut self, ids: &[NodeId]) {
        let graph = self.naming.graph;
        let mut kept = self.naming.kept.clone();
        kept.sort_unstable();
        for id in kept {
            if let Some(note) = graph.note_of(id).filter(|_| self.open(id)) {
                self.set(id, &note);
            }
        }
        for id in ids {
            if let Some(label) = graph.label_of(*id).filter(|_| self.open(*id)) {
                self.set(*id, &label.name);
            }
        }
        for id in ids {
            if let Some(note) = graph.note_of(*id).filter(|_| self.open(*id)) {
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
            }
        }
    }

    fn expression(&self, id: NodeId, top: bool) -> Option<Text> {
        if let Some(name) = self.names.get(id) {
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
        text.filter(|t| t.atoms <= ATOMS && t.text.len() <= LONGEST)
    }

    /// The names of what each value without one goes into, nearest first.
    fn owners(&self, ids: &[NodeId]) -> FxHashMap<NodeId, Vec<String>> {
        let mut owners: FxHashMap<NodeId, Vec<String>> = FxHashMap::default();
        let add = |to: &mut FxHashMap<NodeId, Vec<String>>, id: NodeId, names: &[String]| {
            let all = to.entry(id).or_default();
            for name in names {
                if all.len() < OWNERS && !all.contains(name) {
                    all.push(name.clone());
                }
            }
        };
        for root in self.naming.bodies.iter().flat_map(|b| &b.roots).filter(|r| !r.name.is_empty()) {
            if self.names.get(root.node).is_none() {
                add(&mut owners, root.node, std::slice::from_ref(&root.name));
            }
        }
        for id in ids.iter().rev() {
            let names = match self.names.get(*id) {
                Some(name) => vec![name.to_owned()],
                None => owners.get(id).cloned().unwrap_or_default(),
            };
            for a in self.naming.graph.node(*id).args() {
                if self.names.get(*a).is_none() {
                    add(&mut owners, *a, &names);
                }
            }
        }
        owners
    }

    /// What is left: parts of something.
    fn parts(&mut self, ids: &[NodeId], owners: &FxHashMap<NodeId, Vec<String>>) {
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
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
            let base = owners.get(id).and_then(|o| common(o)).unwrap_or_else(|| "value".to_owned());
            let count = counts.entry(base.clone()).or_insert(0);
            *count += 1;
            let text = format!("{base}_p{count}");
            self.set(*id, &text);
        }
    }
}

/// What several names have in common: their first segments, else segments that all have, else the first name.
fn common(names: &[String]) -> Option<String> {
    let first = names.first()?;
    let segments: Vec<&str> = first.split('_').collect();
    let others: Vec<Vec<&str>> = names[1..].iter().map(|n| n.split('_').collect()).collect();
    if others.is_empty() {
        return Some(first.clone());
    }
    let prefix =
        (0..segments.len()).take_while(|i| others.iter().all(|o| o.get(*i) == segments.get(*i))).count();
    if prefix >= 2 {
        return Some(segments[..prefix].join("_"));
    }
    let shared: Vec<&str> =
        segments.iter().copied().filter(|s| others.iter().all(|o| o.contains(s))).collect();
    let telling = |s: &&str| s.len() >= 3 && !["dot", "cross", "inv", "neg", "plus", "minus"].contains(s);
    if shared.iter().any(telling) {
        return Some(shared.join("_"));
    }
    Some(first.clone())
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn what_several_names_have_in_common() {
        let of = |names: &[&str]| common(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["f_link3_x"]).as_deref(), Some("f_link3_x"));
        assert_eq!(of(&["f_link3_x", "f_link3_y"]).as_deref(), Some("f_link3"));
        assert_eq!(of(&["f_link3_x", "mo_link3_x"]).as_deref(), Some("link3_x"));
        assert_eq!(of(&["m_1_2", "c_theta"]).as_deref(), Some("m_1_2"));
        assert_eq!(of(&[]), None);
    }
}
