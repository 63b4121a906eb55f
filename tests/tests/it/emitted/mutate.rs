//! Mutations of specs: names, numbers, structure. The same seed gives the same mutant.

use std::collections::BTreeMap;

use dqdt_diagnostics::base::Random;
use dqdt_tests::root;

use super::hostile::{MORE, NAMES, replace};

/// Base specs: small and varied, because large modules compile slowly and reveal no more.
const BASES: [&str; 21] = [
    "tests/data/names/tree.toml",
    "tests/data/names/loop.toml",
    "tests/data/names/family.toml",
    "tests/data/spec/pass/formulas.toml",
    "tests/data/spec/pass/frames.toml",
    "tests/data/spec/pass/events.toml",
    "tests/data/spec/pass/repeat.toml",
    "examples/specs/cart_pole.toml",
    "examples/specs/double_pendulum.toml",
    "examples/specs/four_bar.toml",
    "examples/specs/bouncing_pendulum.toml",
    "examples/specs/stopped_pendulum.toml",
    "examples/specs/chaplygin_sleigh.toml",
    "examples/specs/gyroscope.toml",
    "examples/specs/spherical_pendulum.toml",
    "examples/specs/spinning_satellite_with_wheel.toml",
    "examples/specs/swing.toml",
    "examples/specs/furuta_pendulum.toml",
    "examples/specs/kane_two_body.toml",
    "examples/specs/quadrotor.toml",
    "examples/specs/slider_crank.toml",
];

const NUMBERS: [&str; 24] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "2",
    "3",
    "1e-300",
    "1e300",
    "1.7976931348623157e308",
    "5e-324",
    "1e-40",
    "1e40",
    "0.0003948922971191777",
    "12345678901234567",
    "-9.81",
    "1e22",
    "0.1",
    "3.141592653589793",
    "1e-17",
    "1e-9",
    "299792458",
    "-1e-3",
    "6.02214076e23",
];

/// Groups of interchangeable words, so that mutants often make sense.
const ALTERNATIVES: [&[&str]; 9] = [
    &["\"x\"", "\"y\"", "\"z\"", "\"-z\"", "[0, 1, 1]"],
    &[
        "\"revolute\"",
        "\"prismatic\"",
        "\"cylindrical\"",
        "\"spherical\"",
        "\"free\"",
        "\"planar\"",
        "\"universal\"",
        "\"fixed\"",
        "\"direction\"",
    ],
    &[
        "\"planar_revolute\"",
        "\"planar_prismatic\"",
        "\"spherical\"",
        "\"distance\"",
        "\"point_on_plane\"",
        "\"weld\"",
    ],
    &["\"multipliers\"", "\"elimination\""],
    &["\"ground\"", "\"parent\""],
    &["\"rising\"", "\"falling\"", "\"both\""],
    &["\"linear\"", "\"cubic\""],
    &["true", "false"],
    &[
        "\"position\"",
        "\"velocity\"",
        "\"acceleration\"",
        "\"specific_force\"",
        "\"angular_rate\"",
        "\"energy\"",
    ],
];

fn one_of<'a, T>(random: &mut Random, list: &'a [T]) -> Option<&'a T> {
    list.get(random.next_below(list.len()))
}

/// Creates mutants from base specs.
pub struct Mutator {
    bases: Vec<String>,
}

/// A spec without comments and blank lines.
fn strip_comments(text: String) -> String {
    text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(|l| format!("{l}\n")).collect()
}

impl Mutator {
    pub fn new() -> Self {
        Mutator {
            bases: BASES
                .iter()
                .map(|path| strip_comments(std::fs::read_to_string(root(path)).unwrap()))
                .collect(),
        }
    }

    /// A base spec with one or two changes.
    pub fn mutant(&self, seed: u64) -> String {
        let mut random = Random::new(seed);
        // Neighbouring seeds give similar first numbers; skip them.
        for _ in 0..8 {
            random.next_below(2);
        }
        let mut text = one_of(&mut random, &self.bases).cloned().unwrap_or_default();
        for _ in 0..=random.next_below(2) {
            text = match random.next_below(8) {
                0..3 => names(&text, &mut random),
                3..5 => number(&text, &mut random),
                5 => replace_by_alternative(&text, &mut random),
                6 => lines(&text, &mut random),
                _ => rearrange_sections(&text, &mut random),
            };
        }
        text
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Renames one or two names of the spec: section names, quoted words and keys.
fn names(text: &str, random: &mut Random) -> String {
    let keys = [
        "type",
        "axis",
        "axes",
        "parent",
        "child",
        "ground",
        "x",
        "y",
        "z",
        "name",
        "mass",
        "inertia",
        "points",
        "value",
        "unit",
        "start",
        "names",
        "coordinates",
        "speeds",
        "body",
        "at",
        "joint",
        "com",
        "deg",
        "rad",
        "m",
        "kg",
        "N",
        "s",
    ];
    let mut words: Vec<&str> = Vec::new();
    for line in text.lines() {
        let end = line.find('=').unwrap_or(line.len());
        let head = if line.starts_with('[') {
            line.split_once('.').map_or("", |(_, name)| name)
        } else {
            &line[..end]
        };
        let list =
            line.split_once("names = [").map_or("", |(_, list)| list.split(']').next().unwrap_or_default());
        words.extend(head.split(|c| !is_word(c)).chain(list.split(|c| !is_word(c))));
    }
    words.retain(|w| w.len() > 1 && w.starts_with(|c: char| c.is_ascii_alphabetic()) && !keys.contains(w));
    let count = 1 + random.next_below(2);
    let mut by = BTreeMap::new();
    for _ in 0..count {
        let list = if random.next_below(2) == 0 { NAMES } else { MORE };
        if let (Some(word), Some(name)) = (one_of(random, &words), one_of(random, list)) {
            by.insert(*word, *name);
        }
    }
    replace(text, &by)
}

/// Replaces a number. Sizes of repeats are kept: a chain of a million bodies is another test.
fn number(text: &str, random: &mut Random) -> String {
    let repeat = text.find("[repeat]").map(|from| {
        let rest = &text[from + 1..];
        (from, from + 1 + rest.find("\n[").unwrap_or(rest.len()))
    });
    let mut places = Vec::new();
    let mut before = ' ';
    let mut start: Option<usize> = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = repeat.is_some_and(|(from, to)| (from..to).contains(&i));
        match start {
            None if c.is_ascii_digit() && !is_word(before) && before != '.' && before != '{' && !inside => {
                start = Some(i)
            }
            Some(from) if !is_word(c) && c != '.' => {
                places.push(from..i);
                start = None;
            }
            _ => {}
        }
        before = c;
    }
    match (one_of(random, &places).cloned(), one_of(random, &NUMBERS)) {
        (Some(place), Some(number)) => format!("{}{number}{}", &text[..place.start], &text[place.end..]),
        _ => text.to_owned(),
    }
}

/// Replaces a word by another of its group.
fn replace_by_alternative(text: &str, random: &mut Random) -> String {
    let mut places = Vec::new();
    for list in ALTERNATIVES {
        for word in list {
            places.extend(text.match_indices(word).map(|(at, _)| (at, word.len(), list)));
        }
    }
    let Some((at, length, list)) = one_of(random, &places).copied() else { return text.to_owned() };
    let word = one_of(random, list).copied().unwrap_or_default();
    format!("{}{word}{}", &text[..at], &text[at + length..])
}

/// Drops, repeats or exchanges lines.
fn lines(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let changed = rearrange(lines, random);
    changed.iter().map(|l| format!("{l}\n")).collect()
}

/// Drops, repeats or exchanges sections.
fn rearrange_sections(text: &str, random: &mut Random) -> String {
    let sections: Vec<&str> = text.split("\n[").collect();
    rearrange(sections, random).join("\n[")
}

/// Drops, repeats or exchanges list entries. The first stays: it contains the
/// name of the mechanism.
fn rearrange<'a>(mut list: Vec<&'a str>, random: &mut Random) -> Vec<&'a str> {
    let count = list.len().saturating_sub(1);
    let (a, b) = (1 + random.next_below(count), 1 + random.next_below(count));
    if a >= list.len() || b >= list.len() {
        return list;
    }
    match random.next_below(4) {
        0 => drop(list.remove(a)),
        1 => list.insert(b, list[a]),
        _ => list.swap(a, b),
    }
    list
}
