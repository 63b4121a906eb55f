//! Names that may clash with emitted code, for every role that a name has in a spec.

use std::collections::{BTreeMap, BTreeSet};

use dqdt_codegen::read::Settings;
use dqdt_tests::root;

use super::load;

/// Names to try besides the items of emitted code: prelude names, arguments and locals of emitted
/// functions, patterns of generated names, and invalid names.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "None", "Some", "Ok", "Default", "f64", "std", "core", "try", "typeof", "union", "unsized", "yield",
    "NE", "NVC", "NPC", "EVENTS", "POSITION_ROWS", "VELOCITY_ROWS", "MULTIPLIERS_PIVOTS", "TABLE_ROLE_TABLE_KNOTS", "Nq", "dQdT",
    "a", "m", "p", "q", "u", "x", "y", "N", "T", "model", "dx", "effort", "verdict", "result", "singular", "limited",
    "acted", "params", "epsilon", "none", "value", "two", "half", "role_angle_", "s_role_angle", "x_", "a__b", "A__B",
    "m_1_1", "_0", "__x",
    "a_name_that_is_so_long_that_no_line_of_a_hundred_letters_can_hold_it_with_anything_else_beside_it_on_the_same_line",
    // Refused in every role, which is quick to test.
    "as", "async", "const", "crate", "dyn", "fn", "gen", "in", "let", "mut", "ref", "self", "Self", "static", "type", "r#type",
    "sin", "t", "pi", "deg", "θ", "é", "日本", "x\u{301}", "\u{202e}", "a b", "a-b", "a\"b", "a\\b", "a{b}", "", "0", "1x",
    "a\nb",
];

/// More such names, for long sweeps.
#[rustfmt::skip]
pub const MORE: &[&str] = &[
    "abstract", "await", "box", "break", "enum", "false", "if", "impl", "match", "mod", "priv", "pub", "struct", "super",
    "true", "unsafe", "use", "where", "raw", "safe", "auto", "default", "Err", "Copy", "Vec", "bool", "usize", "str",
    "main", "new", "min", "abs", "vec", "ground", "com", "name", "start", "ND", "RATES_PIVOTS", "REACTIONS_PIVOTS",
    "AFTER_EVENTS_PIVOTS", "PROGRAM_INPUTS_PIVOTS", "Q_X", "RULES", "ZERO", "Mask", "Multipliers", "b", "z", "A", "D",
    "E", "X", "dq", "sines", "found", "all", "role_angle_2", "d_role_speed", "x__", "dx_1", "c_9_810e0", "_", "__",
];

/// A few names for families, whose formulas are slow to infer: names of emitted functions, of their
/// arguments and of indices.
pub const FAMILY: [&str; 30] = [
    "N", "D", "T", "n", "i", "j", "k", "g", "h", "q", "v", "u", "model", "value", "sum", "marker", "mass",
    "c", "rates", "at", "type", "x_", "A", "dv", "NV", "p", "x", "dx", "size", "none",
];

/// The identifiers of a text, except the roles themselves.
pub fn words(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    let all = lines.flat_map(|l| l.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    let kept = all.filter(|w| w.starts_with(char::is_alphabetic) && !w.to_lowercase().contains("role_"));
    kept.map(str::to_owned).collect()
}

/// Name of an item that a macro generates from data: `Energy {`, `PIVOTS of dqdt {`.
fn generated_item(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("    ")?.split_once([' ', '<'])?;
    name.starts_with(|c: char| c.is_ascii_uppercase()).then(|| words(name).pop_first())?
}

/// Name of an item that a line declares.
fn declared_item(line: &str) -> Option<String> {
    let kinds = ["const", "static", "fn", "struct"];
    let (kind, rest) = line.strip_prefix("pub ").unwrap_or(line).split_once(' ')?;
    kinds.contains(&kind).then(|| words(rest.split(['<', '(', ':']).next()?).pop_first())?
}

/// The names of the items of a module.
pub fn item_names(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(declared_item)
        .chain(text.lines().filter_map(generated_item))
        .chain(MADE.map(str::to_owned))
        .collect()
}

/// Constants that the macros define for every mechanism.
const MADE: [&str; 17] = [
    "NQ",
    "NV",
    "NZ",
    "NU",
    "NX",
    "NP",
    "NE",
    "NPC",
    "NVC",
    "NI",
    "START",
    "STATES",
    "INPUTS",
    "PARAMETERS",
    "EVENTS",
    "POSITION_ROWS",
    "VELOCITY_ROWS",
];

fn escape_for_toml(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\u{7}', "\\u0007")
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Replaces whole words, with names escaped for TOML strings.
pub fn replace(text: &str, by: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
        match by.get(&rest[..word]) {
            Some(name) => out.push_str(&escape_for_toml(name)),
            None => out.push_str(&rest[..word]),
        }
        rest = &rest[word..];
        let other = rest.find(is_word_char).unwrap_or(rest.len());
        out.push_str(&rest[..other]);
        rest = &rest[other..];
    }
    out
}

/// A spec in which words that contain `role_` are placeholders for names.
pub struct BaseSpec {
    pub text: String,
    pub roles: Vec<String>,
}

impl BaseSpec {
    pub fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(root(path)).unwrap();
        let text: String = text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        let mut roles: Vec<String> = Vec::new();
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if word.starts_with("role_") && !roles.iter().any(|r| r == word) {
                roles.push(word.to_owned());
            }
        }
        BaseSpec { text, roles }
    }

    /// The spec with names in the given roles.
    pub fn with(&self, names: &[(usize, &str)]) -> String {
        replace(&self.text, &names.iter().map(|(role, name)| (self.roles[*role].as_str(), *name)).collect())
    }

    pub fn has(&self, role: &str) -> bool {
        self.roles.iter().any(|r| r == role)
    }

    fn accepts(&self, names: &[(usize, &str)]) -> bool {
        load(&self.with(names), Settings::new()).is_ok()
    }

    /// Specs that together have every name in every role that accepts it, with many names per spec.
    pub fn covering(&self, names: &[String]) -> Vec<String> {
        // Words of formulas (`t`, `deg`, `sin`) may name a body, but not a parameter, and invalid
        // names are refused everywhere, which is quick to test: both are tried alone, in every role
        // that accepts them.
        let (good, bad): (Vec<&str>, Vec<&str>) = names
            .iter()
            .map(String::as_str)
            .partition(|name| self.accepts(&[(1, name)]) || self.accepts(&[(2, name)]));
        let mut specs = Vec::new();
        for name in bad {
            let roles = (0..self.roles.len()).filter(|role| self.accepts(&[(*role, name)]));
            let assignment: Vec<(usize, &str)> = roles.map(|role| (role, name)).collect();
            if !assignment.is_empty() {
                self.split(&assignment, &mut specs);
            }
        }
        // A Latin square: in spec k the role r has the name k + r, spread so
        // that neighbours differ.
        let step = (good.len() / self.roles.len()).max(1);
        for k in 0..good.len() {
            let assignment: Vec<(usize, &str)> =
                (0..self.roles.len()).map(|r| (r, good[(k + r * step) % good.len()])).collect();
            self.split(&assignment, &mut specs);
        }
        specs
    }

    /// The spec with all these names, or with halves of them; a single refused name is skipped.
    fn split(&self, names: &[(usize, &str)], specs: &mut Vec<String>) {
        if self.accepts(names) {
            specs.push(self.with(names));
        } else if names.len() > 1 {
            let (first, second) = names.split_at(names.len() / 2);
            self.split(first, specs);
            self.split(second, specs);
        }
    }
}
