//! Names in emitted code.
//!
//! Problem: identifiers that a person recognises, that are valid, that never clash, and that stay when something else
//!          is edited.
//! Method:  labels as they are; other values after the label or result that they serve, with a letter counted within
//!          it (`m_1_2_a`); sines and cosines after their angle (`s_theta`, `c_theta`).

use rustc_hash::{FxHashMap, FxHashSet};

use super::schedule::{Owner, Root, Schedule, Step};
use crate::ir::{Graph, NodeId, Op};

/// Keywords of Rust, and names that a pattern would not bind.
const RESERVED: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized",
    "use", "virtual", "where", "while", "yield", "None", "Some", "Ok", "Err", "T",
];

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('µ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

/// A valid identifier that looks like `text`. Greek letters are spelt out, since rustc warns of look-alikes.
pub fn identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match GREEK.iter().find(|(g, _)| *g == c) {
            Some((_, name)) => out.push_str(name),
            None if c.is_ascii_alphanumeric() => out.push(c),
            None => out.push('_'),
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'n');
    }
    if out.chars().all(|c| c == '_') {
        out.push('0');
    }
    // A leading underscore would mean "not used".
    let out = out.trim_start_matches('_').to_owned();
    let out = if out.starts_with(|c: char| c.is_ascii_digit()) { format!("n{out}") } else { out };
    if RESERVED.contains(&out.as_str()) { out + "_" } else { out }
}

/// The identifiers of one scope.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    reserved: FxHashSet<String>,
    used: FxHashSet<String>,
    next: FxHashMap<String, u32>,
}

impl Taken {
    /// A scope in which `names` mean something else.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let reserved: FxHashSet<String> = names.into_iter().map(str::to_owned).collect();
        Taken { used: reserved.clone(), reserved, next: FxHashMap::default() }
    }

    /// `text` as an identifier of its own: `x_` if it is reserved; `_2`, `_3`… where it is taken.
    pub fn unique(&mut self, text: &str) -> String {
        let mut base = identifier(text);
        if self.reserved.contains(&base) {
            base.push('_');
        }
        if self.used.insert(base.clone()) {
            return base;
        }
        loop {
            let n = self.next.entry(base.clone()).or_insert(1);
            *n += 1;
            let name = format!("{base}_{n}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Names of the values that have statements.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_node: FxHashMap<NodeId, String>,
}

impl Names {
    /// Names that are given.
    pub fn given(names: impl IntoIterator<Item = (NodeId, String)>) -> Self {
        Names { by_node: names.into_iter().collect() }
    }

    /// The name of a value.
    pub fn get(&self, id: NodeId) -> Option<&str> {
        self.by_node.get(&id).map(String::as_str)
    }
}

/// `a`, `b`, …, `z`, `aa`, …
pub(super) fn letters(mut n: u32) -> String {
    let mut out = Vec::new();
    loop {
        out.push(b'a' + (n % 26) as u8);
        n /= 26;
        if n == 0 {
            break;
        }
        n -= 1;
    }
    out.iter().rev().map(|b| char::from(*b)).collect()
}

/// Names the statements of a schedule; those in `names` have theirs already. `leaf` gives the text of leaves, for
/// names after angles.
pub fn name(
    graph: &Graph,
    schedule: &Schedule,
    roots: &[Root],
    taken: &mut Taken,
    names: Names,
    leaf: impl Fn(NodeId) -> Option<String>,
) -> Names {
    let mut namer = Namer { graph, schedule, roots, taken, leaf, names, counts: FxHashMap::default() };
    // Labels first, so that nothing takes their names.
    for statement in &schedule.statements {
        let values = match &statement.step {
            Step::Value(id) => vec![*id],
            Step::SinCos(pairs) => pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten().collect(),
        };
        for id in values {
            if let Some(label) = graph.label_of(id).filter(|_| namer.names.get(id).is_none()) {
                let name = namer.taken.unique(&label.name);
                namer.names.by_node.insert(id, name);
            }
        }
    }
    for statement in &schedule.statements {
        match &statement.step {
            Step::Value(id) => namer.value(*id),
            Step::SinCos(pairs) => {
                for pair in pairs {
                    namer.sine_and_cosine(pair.angle, pair.sin, pair.cos);
                }
            }
        }
    }
    namer.names
}

struct Namer<'a, F> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    roots: &'a [Root],
    taken: &'a mut Taken,
    leaf: F,
    names: Names,
    counts: FxHashMap<Owner, u32>,
}

impl<F: Fn(NodeId) -> Option<String>> Namer<'_, F> {
    fn value(&mut self, id: NodeId) {
        if self.names.by_node.contains_key(&id) {
            return;
        }
        let node = self.graph.node(id);
        let text = match (node.op, node.args()) {
            (Op::Sin, [angle]) => self.angle(*angle).map(|a| format!("s_{a}")),
            (Op::Cos, [angle]) => self.angle(*angle).map(|a| format!("c_{a}")),
            _ => None,
        };
        let text = text.unwrap_or_else(|| self.derived(id));
        let name = self.taken.unique(&text);
        self.names.by_node.insert(id, name);
    }

    fn sine_and_cosine(&mut self, angle: NodeId, sin: Option<NodeId>, cos: Option<NodeId>) {
        let some = sin.or(cos).unwrap_or(angle);
        let text = self.angle(angle).unwrap_or_else(|| self.derived(some));
        for (letter, id) in [("s", sin), ("c", cos)] {
            if let Some(id) = id.filter(|id| !self.names.by_node.contains_key(id)) {
                let name = self.taken.unique(&format!("{letter}_{text}"));
                self.names.by_node.insert(id, name);
            }
        }
    }

    /// After the label or result that it serves.
    fn derived(&mut self, id: NodeId) -> String {
        let owner = self.schedule.owner(id);
        let base = match owner {
            Some(Owner::Label(l)) => self.graph.label_of(l).map(|l| l.name),
            Some(Owner::Root(r)) => {
                let root = &self.roots[r as usize];
                if root.node == id {
                    return root.name.clone();
                }
                Some(root.name.clone())
            }
            None => None,
        };
        let base = base.unwrap_or_else(|| "value".to_owned());
        let Some(owner) = owner else { return base };
        let count = self.counts.entry(owner).or_insert(0);
        *count += 1;
        format!("{base}_{}", letters(*count - 1))
    }

    /// A short text for an angle, if there is one.
    fn angle(&self, id: NodeId) -> Option<String> {
        let text = self.angle_text(id, 4)?;
        (text.len() <= 24).then_some(text)
    }

    fn angle_text(&self, id: NodeId, depth: u32) -> Option<String> {
        if let Some(name) = self.names.get(id) {
            return Some(name.to_owned());
        }
        if let Some(text) = (self.leaf)(id) {
            return Some(text);
        }
        let node = self.graph.node(id);
        let depth = depth.checked_sub(1)?;
        match (node.op, node.args()) {
            (Op::Add, [a, b]) => {
                Some(format!("{}_{}", self.angle_text(*a, depth)?, self.angle_text(*b, depth)?))
            }
            (Op::Sub, [a, b]) => {
                Some(format!("{}_m_{}", self.angle_text(*a, depth)?, self.angle_text(*b, depth)?))
            }
            (Op::Mul, [k, a]) => {
                let k = self.graph.constant(*k)?.as_ratio().filter(|k| k.is_integer() && k.num() > 0)?;
                Some(format!("{}{}", k.num(), self.angle_text(*a, depth)?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_becomes_a_usable_identifier() {
        for (text, expected) in [
            ("theta1", "theta1"),
            ("type", "type_"),
            ("1st", "n1st"),
            ("θ", "theta"),
            ("a b", "a_b"),
            ("", "n"),
            ("_", "n0"),
            ("_x", "x"),
            ("Self", "Self_"),
            ("é", "n0"),
        ] {
            assert_eq!(identifier(text), expected, "{text}");
        }
        for text in ["é", "__", "_1", "ß1", "日本"] {
            assert!(syn::parse_str::<syn::Ident>(&identifier(text)).is_ok(), "{text}: {}", identifier(text));
        }
    }

    #[test]
    fn names_are_unique_and_counted() {
        let mut taken = Taken::new(["x"]);
        let names: Vec<String> = ["x", "y", "x", "y", "x_2"].iter().map(|n| taken.unique(n)).collect();
        assert_eq!(names, ["x_", "y", "x__2", "y_2", "x_2"]);
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
