//! Converts comments and strings to ASCII, for compilers and editors that support nothing else.
//!
//! Method:  Greek letters become their names, marks become ASCII notation: `v̇` is `v_dot`, `Aᵀ`
//!          is `A^T`, `m²` is `m^2`. A character without such a form becomes a question mark. Names
//!          of C are ASCII already.

use std::fmt::Write as _;

use dqdt_graph::ir::greek_letter_name;

/// Signs and their ASCII forms in emitted C. For Greek letters see [`greek_letter`].
const TEXTS: [(char, &str); 33] = [
    ('µ', "u"),
    ('ϕ', "phi"),
    ('−', "-"),
    ('–', "-"),
    ('—', "-"),
    ('·', "*"),
    ('×', "x"),
    ('÷', "/"),
    ('…', "..."),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('±', "+-"),
    ('→', "->"),
    ('∂', "d"),
    ('∇', "grad "),
    ('∫', "integral of "),
    ('√', "sqrt "),
    ('∞', "infinity"),
    ('°', " deg"),
    ('’', "'"),
    ('“', "\""),
    ('”', "\""),
    ('ᵀ', "^T"),
    ('²', "^2"),
    ('³', "^3"),
    ('⁻', "^-"),
    ('¹', "1"),
    ('ᵢ', "_i"),
    ('ₖ', "_k"),
    ('ᵤ', "_u"),
    ('½', "1/2"),
    ('⊥', "|_"),
];

/// Single characters that are a letter with a dot above, and the letter, for ASCII text of emitted
/// C.
const DOTTED: [(char, char); 10] = [
    ('Ȧ', 'A'),
    ('ȧ', 'a'),
    ('Ḃ', 'B'),
    ('Ṁ', 'M'),
    ('ṗ', 'p'),
    ('ẋ', 'x'),
    ('ẏ', 'y'),
    ('ż', 'z'),
    ('ṙ', 'r'),
    ('ṡ', 's'),
];

/// Converts emitted C text to ASCII, for the option `ascii`.
pub fn to_ascii_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let known = TEXTS.iter().find(|(sign, _)| *sign == c);
        let _ = match c {
            c if c.is_ascii() => write!(out, "{c}"),
            '\u{307}' => write!(out, "_dot"),
            '\u{308}' => write!(out, "_ddot"),
            'ẍ' => write!(out, "x_ddot"),
            '₀'..='₉' => write!(out, "_{}", c as u32 - '₀' as u32),
            c => match (known, DOTTED.iter().find(|(dotted, _)| *dotted == c)) {
                (Some((_, text)), _) => write!(out, "{text}"),
                (None, Some((_, letter))) => write!(out, "{letter}_dot"),
                (None, None) => write!(out, "{}", greek_letter_name(c).unwrap_or("?")),
            },
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::to_ascii_text;

    #[test]
    fn formulas_of_comments_read_as_people_type_them() {
        assert_eq!(to_ascii_text("M v̇ + c = Q + Aᵀ λ [kg·m²]"), "M v_dot + c = Q + A^T lambda [kg*m^2]");
        assert_eq!(to_ascii_text("ẋ = (q̇, v̇, ż), M⁻¹, β₁"), "x_dot = (q_dot, v_dot, z_dot), M^-1, beta_1");
        assert_eq!(to_ascii_text("größer"), "gr??er");
        assert_eq!(to_ascii_text("plain -> \"text\"\n"), "plain -> \"text\"\n");
    }
}
