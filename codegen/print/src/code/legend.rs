//! The legend of an emitted module: explains the words that occur in its names.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dqdt_graph::ir::Layout;

/// Words before a quantity in emitted names, with their meanings for the legend.
const BEFORE: [(&str, &str); 11] = [
    ("neg", "minus"),
    (
        "base",
        "with what its joint cannot tell from inertia of the parent handed on (base inertial parameters)",
    ),
    ("tree", "with all bodies beyond"),
    ("art", "articulated: what lies beyond gives way"),
    ("left", "what a joint leaves of that"),
    ("turned", "with the axes of the parent on one side"),
    ("unturned", "in axes that do not turn with the joint of the body"),
    ("felt", "gravity as an acceleration of the ground"),
    ("carried", "carried over from the parent"),
    ("group", "within a group of joints that are eliminated at once"),
    ("scaled", "over its pivot"),
];

/// Words for quantities in emitted names, with their meanings for the legend.
const QUANTITIES: [(&[&str], &str); 23] = [
    (&["p"], "position of the origin of a joint"),
    (&["v"], "velocity of that origin"),
    (&["w"], "angular velocity"),
    (&["bv", "bw"], "acceleration of the origin, angular acceleration at v̇ = 0"),
    (&["dv", "dw"], "the same at the v̇ that is given, gravity included"),
    (&["pv", "pw"], "partial velocity: what a unit of a speed gives"),
    (&["turning"], "ω̃ω̃"),
    (&["bturning"], "ω̃̇ + ω̃ω̃ at v̇ = 0, by which points accelerate over their arms"),
    (&["dturning"], "the same at the v̇ that is given"),
    (&["r"], "rotation to the ground"),
    (&["o"], "rotation to the parent"),
    (&["arm"], "origin of a joint from that of its parent, in axes of the parent"),
    (&["mc"], "first moment"),
    (&["J"], "inertia about the origin of the inboard joint"),
    (&["needed"], "wrench (f, m: force, moment) that a joint must supply"),
    (&["still"], "the same at v̇ = 0"),
    (&["inertial"], "wrench of a body's own motion"),
    (&["column"], "wrench of a unit of an acceleration"),
    (&["effort"], "what drives a speed"),
    (&["acc"], "acceleration of a speed"),
    (&["M"], "mass matrix"),
    (&["L", "D"], "factors and pivots of M = LᵀDL"),
    (&["A"], "rows of constraints"),
];

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns `true` if a segment of an emitted name is this word. Names of constants are in capitals.
fn is_word(segment: &str, word: &str) -> bool {
    segment == word || (word.len() > 1 || word == "J") && segment.eq_ignore_ascii_case(word)
}

/// Maximum width in columns of the legend comment of an emitted module.
const WIDTH: usize = 132;

/// Legend of an emitted module with this text, as comment lines: the words of its names with their
/// meanings.
pub fn legend(text: &str, layout: &Layout) -> String {
    let names: BTreeSet<&str> =
        text.split(|c: char| !is_name_char(c)).filter(|n| n.contains('_') && !n.starts_with('_')).collect();

    let occurs = |word: &str| {
        names.iter().any(|name| {
            let mut segments = name.split('_');
            if BEFORE.iter().any(|b| b.0 == word) {
                return segments.any(|s| is_word(s, word));
            }
            let quantity = segments.find(|s| BEFORE.iter().all(|(b, _)| !s.eq_ignore_ascii_case(b)));
            quantity.is_some_and(|s| is_word(s, word))
        })
    };
    let mut entries: Vec<String> = Vec::new();
    let unturned = &layout.non_rotating_bodies[..];
    if !unturned.is_empty() {
        let bodies = unturned.join(", ");
        let whose = match unturned {
            [_] => "it has at the angle zero of its joint",
            _ => "each has at the angle zero of its joint",
        };
        entries.push(format!("variables (not constants) of {bodies}: in the axes that {whose}"));
    }
    if !layout.level.is_empty() {
        let bodies = layout.level.join(", ");
        entries.push(format!(
            "origin of the joint of {bodies}: moved along its axis until the arm from that of the parent has no part along it, which changes no result"
        ));
    }
    for (words, meaning) in QUANTITIES {
        let words: Vec<&str> = words.iter().copied().filter(|w| occurs(w)).collect();
        if !words.is_empty() {
            entries.push(format!("{}: {meaning}", words.join(", ")));
        }
    }
    for (word, meaning) in BEFORE {
        if occurs(word) {
            entries.push(format!("{word}_: {meaning}"));
        }
    }
    if names.iter().any(|n| n.contains("_from_")) {
        entries.push("x_from_y: a part of x made of y, but for the sign".to_owned());
    }
    if names.iter().any(|n| n.contains("_per_")) {
        entries.push("x_per_y: what y is multiplied by in x".to_owned());
    }
    let mut out = String::from(
        "// Names: quantity, body or row, axis; a body is called as in the spec, its axes and moments are its own.",
    );
    let mut column = WIDTH;
    for item in entries.iter().flat_map(|s| {
        let mut words: Vec<String> = s.split(' ').map(str::to_owned).collect();
        if let Some(last) = words.last_mut() {
            last.push(';');
        }
        words
    }) {
        let width = item.chars().count() + 1;
        if column + width > WIDTH {
            out.push_str("\n//");
            column = 2;
        }
        // Writing to a string does not fail.
        let _ = write!(out, " {item}");
        column += width;
    }
    if out.ends_with(';') {
        out.pop();
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_occur_are_explained() {
        let text = legend(
            "let neg_dv_b3_x = BASE_J_B3_XX * w_b3_x; let tree_needed_f_b5_y = x_from_y;",
            &Layout::default(),
        );
        for word in ["neg_: ", "base_: ", "tree_: ", "J: ", " w: ", "dv: ", "needed: ", "x_from_y: "] {
            assert!(text.contains(word), "{word}: {text}");
        }
        for word in ["pv", "M: ", "x_per_y", "column", "turning"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(text.lines().all(|l| l.starts_with("//") && l.chars().count() <= WIDTH), "{text}");
        assert!(text.ends_with('.'));
    }
}
