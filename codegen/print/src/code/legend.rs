//! The legend of an emitted module: explains the words that occur in its names.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dqdt_graph::ir::Layout;

/// Words before a quantity in emitted names, with their meanings for the legend.
const BEFORE: [(&str, &str); 11] = [
    ("neg", "minus"),
    (
        "base",
        "base inertial parameters: inertia that the joint cannot distinguish from that of the parent is moved \
         to the parent",
    ),
    ("tree", "of a body together with all outboard bodies"),
    ("art", "articulated: outboard bodies are free to move in their joints"),
    ("left", "after elimination of the joint: as transmitted to the parent"),
    ("turned", "matrix rotated to axes of the parent on one side only"),
    ("unturned", "in axes that do not rotate with the joint of the body"),
    ("felt", "including gravity, represented as an acceleration of the ground"),
    ("carried", "motion propagated from the parent"),
    ("group", "for a group of joints that are eliminated together"),
    ("scaled", "divided by the pivot of its speed"),
];

/// Words for quantities in emitted names, with their meanings for the legend.
const QUANTITIES: [(&[&str], &str); 23] = [
    (&["p"], "position of the origin of a joint"),
    (&["v"], "velocity of the origin of a joint"),
    (&["w"], "angular velocity"),
    (&["bv", "bw"], "acceleration of the origin and angular acceleration, at v̇ = 0"),
    (&["dv", "dw"], "acceleration of the origin and angular acceleration, at the given v̇ and with gravity"),
    (&["pv", "pw"], "partial velocity: velocity due to one unit of a speed"),
    (&["turning"], "ω̃ω̃"),
    (&["bturning"], "ω̃̇ + ω̃ω̃ at v̇ = 0, which maps the arm of a point to its relative acceleration"),
    (&["dturning"], "ω̃̇ + ω̃ω̃ at the given v̇"),
    (&["r"], "rotation from body axes to ground axes"),
    (&["o"], "rotation from body axes to parent axes"),
    (&["arm"], "origin of a joint relative to the origin of the parent's joint, in axes of the parent"),
    (&["mc"], "first moment of mass"),
    (&["J"], "inertia about the origin of the inboard joint"),
    (&["needed"], "wrench (f, m: force, moment) that a joint must supply"),
    (&["still"], "wrench that a joint must supply at v̇ = 0"),
    (&["inertial"], "wrench due to the motion of the body itself"),
    (&["column"], "wrench due to a unit acceleration of one speed"),
    (&["effort"], "effort in the equation of a speed"),
    (&["acc"], "acceleration of a speed"),
    (&["M"], "mass matrix"),
    (&["L", "D"], "factors and pivots of M = LᵀDL"),
    (&["A"], "constraint Jacobian"),
];

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns `true` if a segment of an emitted name is this word. Names of constants are in capitals.
fn is_same_word(segment: &str, word: &str) -> bool {
    segment == word || (word.len() > 1 || word == "J") && segment.eq_ignore_ascii_case(word)
}

/// Maximum width in columns of the legend comment of an emitted module.
const WIDTH: usize = 132;

/// Legend of an emitted module with this text, as comment lines: the words of its names with their
/// meanings.
pub fn legend_comment(text: &str, layout: &Layout) -> String {
    let names: BTreeSet<&str> =
        text.split(|c: char| !is_name_char(c)).filter(|n| n.contains('_') && !n.starts_with('_')).collect();

    let occurs = |word: &str| {
        names.iter().any(|name| {
            let mut segments = name.split('_');
            if BEFORE.iter().any(|b| b.0 == word) {
                return segments.any(|s| is_same_word(s, word));
            }
            let quantity = segments.find(|s| BEFORE.iter().all(|(b, _)| !s.eq_ignore_ascii_case(b)));
            quantity.is_some_and(|s| is_same_word(s, word))
        })
    };
    let mut entries: Vec<String> = Vec::new();
    let unturned = &layout.non_rotating_bodies[..];
    if !unturned.is_empty() {
        let bodies = unturned.join(", ");
        let whose = match unturned {
            [_] => "the axes of the body at joint angle zero",
            _ => "the axes of each body at joint angle zero",
        };
        entries.push(format!("variables (but not constants) of {bodies}: expressed in {whose}"));
    }
    if !layout.level.is_empty() {
        let bodies = layout.level.join(", ");
        entries.push(format!(
            "joint origin of {bodies}: moved along the joint axis so that the arm from the origin of the parent has no component along this axis, which changes no result"
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
        entries.push("x_from_y: the contribution of y to x, up to sign".to_owned());
    }
    if names.iter().any(|n| n.contains("_per_")) {
        entries.push("x_per_y: the coefficient of y in x".to_owned());
    }
    wrap_legend(&entries)
}

/// The entries of a legend as comment lines below its first sentence, separated by semicolons.
fn wrap_legend(entries: &[String]) -> String {
    let mut out = String::from(
        "// Names: quantity, body or row, axis. Bodies are named as in the spec; vectors are in axes of the body, moments about its origin.",
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
        let text = legend_comment(
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
