//! Letters of the equations of motion, by the conventions of the documentation.

pub(super) use dqdt_document::report::format_unit;
use dqdt_document::report::{Math, Name, Prose};
use dqdt_mechanics::mechanism::{Joint, Mechanism};

/// A letter, by its English name, with the name of a constraint row as index: `λ_pin_fx`.
pub(super) fn row_symbol(letter: &str, row: &str) -> Math {
    // A suffix `_dot` in the name of a row does not mean a derivative.
    if row.ends_with("_dot") || row.ends_with("_ddot") || row.is_empty() {
        Math::identifier(letter).with_name_index(row)
    } else {
        Math::Name(Name::from_entry(letter, row))
    }
}

/// The symbol of a multiplier, `λ` with the name of its row as index.
pub(super) fn multiplier_symbol(row: &str) -> Math {
    let name = multiplier_name(row);
    Math::Name(Name::from_entry("lambda", name.strip_prefix("lambda_").unwrap_or(row)))
}

/// A name as Unicode text, for prose: `θ̇₁`.
pub(super) fn unicode_name(name: &str) -> String {
    Math::identifier(name).text()
}

/// A name as prose, typeset as in formulas.
pub(super) fn typeset_name(name: &str) -> Prose {
    Math::identifier(name).into()
}

/// Description of a joint's kind, with short axes: `revolute about −z`.
pub(super) fn describe_joint_kind(joint: &Joint) -> String {
    let mut text = joint.kind.form().describe_kind();
    for (axis, short) in [("(-1, 0, 0)", "−x"), ("(0, -1, 0)", "−y"), ("(0, 0, -1)", "−z")] {
        text = text.replace(axis, short);
    }
    let text = text.replace("(-", "(−").replace(", -", ", −");
    if joint.absolute { format!("{text}, angles measured from the ground") } else { text }
}

/// Names as prose, separated by commas.
pub(super) fn typeset_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Prose {
    Prose::join_texts(names.into_iter().map(Math::identifier), ", ")
}

/// Prose from text with formulas between dollar signs.
pub(super) fn prose_with_formulas(text: &str) -> Prose {
    let pieces = text.split('$').enumerate();
    pieces.fold(Prose::default(), |all, (i, piece)| match i % 2 {
        0 if piece.is_empty() => all,
        0 => all + piece,
        _ => all + typeset_matrix_formula(piece),
    })
}

/// Typesets a formula of matrices, vectors and Greek letters within a line: `M v̇ + c = Q + Aᵀ λ`.
/// Words of several letters remain words.
pub(super) fn typeset_matrix_formula(text: &str) -> Math {
    let chars: Vec<char> = text.chars().flat_map(decompose_dotted_letter).collect();
    let (mut parts, mut at): (Vec<Math>, usize) = (Vec::new(), 0);
    // True if a blank before the next operand means a product.
    let mut operand = false;
    while let Some(&c) = chars.get(at) {
        at += 1;
        let mut one = match c {
            ' ' => {
                let next = chars.get(at).copied().unwrap_or(' ');
                if operand && (next.is_alphanumeric() || next == '(') {
                    parts.push(Math::operator(" ", r"\,"));
                }
                continue;
            }
            '+' | '−' | '=' | '×' => {
                let latex = match c {
                    '−' => "-".to_owned(),
                    '×' => r"\times".to_owned(),
                    c => c.to_string(),
                };
                parts.push(match operand {
                    true => Math::operator(&format!(" {c} "), &format!(" {latex} ")),
                    false => Math::operator(&c.to_string(), &latex),
                });
                operand = false;
                continue;
            }
            c if c.is_ascii_digit() => Math::Number(c.to_string(), None),
            c if c.is_ascii_alphabetic() => {
                let word: String = std::iter::once(c)
                    .chain(chars[at..].iter().copied().take_while(char::is_ascii_alphabetic))
                    .collect();
                if word.len() > 1 {
                    at += word.len() - 1;
                    Math::words(&word)
                } else {
                    Math::bold(&word)
                }
            }
            // Vectors are bold; 𝛃 denotes the vector, β the scalar.
            'λ' | 'γ' => Math::bold(&c.to_string()),
            '𝛃' => Math::bold("β"),
            c if greek_name(c).is_some() => Math::identifier(greek_name(c).unwrap_or_default()),
            ',' => {
                parts.push(Math::operator(", ", ", "));
                operand = false;
                continue;
            }
            '∂' => Math::symbol("∂", r"\partial "),
            c => {
                operand = c == ')';
                parts.push(Math::operator(&c.to_string(), &c.to_string()));
                apply_superscript(&chars, &mut at, &mut parts);
                continue;
            }
        };
        while let Some(&mark) = chars.get(at) {
            one = match mark {
                '\u{307}' => one.with_dot(),
                '\u{308}' => one.with_two_dots(),
                '₀' => one.with_letter_index("0"),
                'ᵢ' => one.with_letter_index("i"),
                'ₖ' => one.with_letter_index("k"),
                'ᵤ' => one.with_letter_index("u"),
                _ => break,
            };
            at += 1;
        }
        parts.push(one);
        apply_superscript(&chars, &mut at, &mut parts);
        operand = true;
    }
    Math::Row(parts)
}

/// Applies a superscript (`ᵀ`, `⁻¹`, `²`) at `at` to the last part.
fn apply_superscript(chars: &[char], at: &mut usize, parts: &mut [Math]) {
    let Some(last) = parts.last_mut() else { return };
    let rest = &chars[*at..];
    let (used, new) = match rest {
        ['ᵀ', ..] => (1, last.transposed()),
        ['⁻', '¹', ..] => (2, last.clone().to_power(Math::integer(-1))),
        ['²', ..] => (1, last.clone().to_power(Math::integer(2))),
        _ => return,
    };
    *at += used;
    *last = new;
}

/// A letter with a dot above, as the letter and a combining dot; other characters unchanged.
fn decompose_dotted_letter(c: char) -> Vec<char> {
    const DOTTED: [(char, char); 8] =
        [('Ȧ', 'A'), ('ȧ', 'a'), ('Ṁ', 'M'), ('ṗ', 'p'), ('ẋ', 'x'), ('ẏ', 'y'), ('ż', 'z'), ('Ḃ', 'B')];
    match DOTTED.iter().find(|(whole, _)| *whole == c) {
        Some((_, letter)) => vec![*letter, '\u{307}'],
        None => vec![c],
    }
}

/// English name of a Greek letter, `None` for other characters.
pub(super) fn greek_name(c: char) -> Option<&'static str> {
    const LETTERS: [(char, &str); 11] = [
        ('λ', "lambda"),
        ('γ', "gamma"),
        ('β', "beta"),
        ('α', "alpha"),
        ('ω', "omega"),
        ('θ', "theta"),
        ('Φ', "Phi"),
        ('Ψ', "Psi"),
        ('σ', "sigma"),
        ('φ', "phi"),
        ('δ', "delta"),
    ];
    LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name)
}

/// A product in matrix notation: factors separated by thin spaces.
pub(super) fn typeset_product<const N: usize>(factors: [Math; N]) -> Math {
    join_math(factors, &Math::operator(" ", r"\,"))
}

/// A sum: terms separated by plus signs.
pub(super) fn typeset_sum<const N: usize>(terms: [Math; N]) -> Math {
    join_math(terms, &Math::operator(" + ", " + "))
}

/// Parts in one row with `between` after each but the last.
fn join_math<const N: usize>(parts: [Math; N], between: &Math) -> Math {
    let mut all = Vec::new();
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            all.push(between.clone());
        }
        all.push(part);
    }
    Math::row(all)
}

/// A bold letter, for a matrix or vector.
pub(super) fn bold_letter(letter: &str) -> Math {
    Math::bold(letter)
}

/// Bold `λ`, the vector of multipliers.
pub(super) fn bold_lambda() -> Math {
    bold_letter("λ")
}

/// Bold `γ` for formulas: the right side of `A v̇ = γ`.
pub(super) fn bold_gamma() -> Math {
    bold_letter("γ")
}

/// Bold `β` of `v̇ = B v̇ᵢ + β`.
pub(super) fn bold_beta() -> Math {
    bold_letter("β")
}

/// Name of the acceleration of a speed: `x_ddot` for `x_dot`, `omega_dot` for `omega`.
pub fn acceleration_name(speed: &str) -> String {
    match speed.strip_suffix("_dot") {
        Some(coordinate) => format!("{coordinate}_ddot"),
        None => format!("{speed}_dot"),
    }
}

/// Name of the multiplier of a constraint row in formulas: `lambda_` with the row's name as an
/// identifier.
pub fn multiplier_name(row: &str) -> String {
    format!("lambda_{}", to_identifier(row))
}

/// A name as part of an identifier: underscores replace all other characters.
pub(super) fn to_identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// All names of the mechanism that can occur in its equations.
fn all_names(m: &Mechanism) -> impl Iterator<Item = &str> {
    (m.coordinates.iter().map(|x| x.name.as_str()))
        .chain(m.speeds.iter().map(|x| x.name.as_str()))
        .chain(m.states.iter().map(|x| x.name.as_str()))
        .chain(m.inputs.iter().map(|x| x.name.as_str()))
        .chain(m.parameters.iter().map(|x| x.name.as_str()))
        .chain(m.tables.iter().map(|x| x.function.name.as_str()))
        .chain(m.named_formulas.iter().map(|x| x.name.as_str()))
}

/// True if the mechanism has a symbol of this name, so that a report must not use it for another.
pub(super) fn is_symbol_name(m: &Mechanism, letter: &str) -> bool {
    m.has_symbol(letter)
}

/// True if a matrix with this letter, or one of its entries, reads like a name of the mechanism.
pub(super) fn letter_clashes(m: &Mechanism, letter: &str) -> bool {
    let letter = letter.chars().next().and_then(greek_name).unwrap_or(letter);
    all_names(m).map(Name::parse).any(|name| {
        let index = name.indices.first();
        name.stem == letter && index.is_none_or(|index| index.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Letter of a vector's entries, `c` of `c₁`: italic, or bold if italic would read like a name of
/// the mechanism.
pub(super) fn entry_letter(m: &Mechanism, letter: &str) -> Math {
    if letter_clashes(m, letter) { bold_letter(letter) } else { Math::identifier(letter) }
}

/// The name with underscores appended until no name of the mechanism equals it.
pub(super) fn unused_name(m: &Mechanism, mut name: String) -> String {
    while is_symbol_name(m, &name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_in_a_line_are_read_as_they_are_written() {
        for text in [
            "M v\u{307} + c = Q + Aᵀ λ",
            "A M⁻¹ Aᵀ λ = γ − A M⁻¹ (Q − c)",
            "v\u{307} = B v\u{307}ᵢ + β",
            "−2 α Φ\u{307} − β² Φ",
            "−(A\u{307} v + a\u{307}₀)",
            "M q\u{308} + C(q, q\u{307}) q\u{307} + g(q) = B u",
        ] {
            assert_eq!(typeset_matrix_formula(text).text(), text);
        }
        let latex = typeset_matrix_formula("A M⁻¹ Aᵀ λ").latex();
        assert_eq!(latex, r"\mathbf{A}\,\mathbf{M}^{-1}\,\mathbf{A}^{\mathsf T}\,\boldsymbol{\lambda}");
        assert_eq!(prose_with_formulas("with $γ$ and $M$").text(), "with γ and M");
    }
}
