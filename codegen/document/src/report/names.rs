//! Converts names of a spec to mathematics.
//!
//! A name is a stem with an index. The index is the trailing digits (`q10`) or the text after an
//! underscore (`omega_x`, `m_cart`). A final `_dot` or `_ddot` is a time derivative and becomes
//! dots above the stem. A stem that spells a Greek letter becomes that letter. A letter followed by
//! an axis (`vx`) has the axis as its index.

use super::escape;

/// A name of a spec, split into stem, indices and dots.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    /// The complete name, as the spec has it.
    spec_name: String,
    /// Letters of the name without index and dots: `theta` of `theta1_dot`.
    pub stem: String,
    /// Parts of the index of the name, in order: `1` of `theta1`, `cart` of `m_cart`.
    pub indices: Vec<String>,
    /// Number of time derivatives, shown as dots: 0, 1 or 2.
    pub dots: usize,
}

/// Names of letters in specs, with the letters: Greek ones, and the ℓ of lengths. The LaTeX command
/// is the name, except for omicron, which is an o.
const GREEK: [(&str, &str); 37] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("omicron", "ο"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("varphi", "ϕ"),
    ("ell", "ℓ"),
];

impl Name {
    /// Splits a name of the spec into stem, indices and dots. Any text is a valid name.
    pub fn parse(name: &str) -> Self {
        let (mut rest, mut dots) = (name, 0);
        for (suffix, n) in [("_ddot", 2), ("_dot", 1)] {
            if let Some(r) = rest.strip_suffix(suffix).filter(|r| !r.is_empty()) {
                (rest, dots) = (r, n);
                break;
            }
        }
        let mut parts = rest.split('_').filter(|p| !p.is_empty());
        let first = parts.next().unwrap_or(rest);
        let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut stem = if letters.is_empty() { first } else { letters };
        let mut indices: Vec<String> = Vec::new();
        // `vx` is v along x, and `qw` is the scalar part of a quaternion.
        if let [letter, axis @ (b'x' | b'y' | b'z' | b'w')] = first.as_bytes()
            && letter.is_ascii_alphabetic()
            && (*axis != b'w' || *letter == b'q')
        {
            stem = &first[..1];
        }
        if stem.len() < first.len() {
            indices.push(first[stem.len()..].to_owned());
        }
        indices.extend(parts.map(str::to_owned));
        Name { spec_name: name.to_owned(), stem: stem.to_owned(), indices, dots }
    }

    /// Name of an entry of a vector, with the name of a row as index. It differs from every name of
    /// the spec, even from one with the same text.
    pub fn from_entry(letter: &str, row: &str) -> Self {
        let name = Name::parse(&format!("{letter}_{row}"));
        Name { spec_name: format!("{} ", name.spec_name), ..name }
    }

    /// The complete name, as the spec has it.
    pub fn source(&self) -> &str {
        &self.spec_name
    }

    /// Returns `true` if a LaTeX report may define a command for the name: no character of it is
    /// special in TeX.
    pub fn has_latex_command(&self) -> bool {
        !self.spec_name.is_empty() && self.spec_name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    /// Returns `true` if the stem is a word of several letters, which is set upright.
    pub fn is_upright_word(&self) -> bool {
        greek_letter(&self.stem).is_none() && self.stem.chars().count() > 1
    }

    /// The name for a terminal. Dots are above a letter but after a word, since above one letter of
    /// a word they would be misread.
    pub(super) fn text(&self) -> String {
        let undotted = Name { dots: 0, ..self.clone() };
        if self.is_upright_word() && self.dots > 0 {
            return format!("{}{}", undotted.text(), ["˙", "¨"][self.dots.min(2) - 1]);
        }
        let stem = greek_letter(&self.stem).map_or_else(|| escape::terminal_line(&self.stem), str::to_owned);
        let mut out = stem;
        out.push_str(["", "\u{307}", "\u{308}"][self.dots.min(2)]);
        if let [one] = self.indices.as_slice()
            && one.chars().all(|c| subscript_character(c).is_some())
            // Only x of the axes has a Unicode subscript; next to y and z it would look different.
            && one != "x"
            && (one.chars().count() == 1 || one.chars().all(|c| c.is_ascii_digit()))
        {
            out.extend(one.chars().filter_map(subscript_character));
            return out;
        }
        for (i, index) in self.indices.iter().enumerate() {
            if i == 0 && index.chars().all(|c| c.is_ascii_digit()) {
                out.extend(index.chars().filter_map(subscript_character));
            } else {
                out.push('_');
                out.push_str(
                    &greek_letter(index).map_or_else(|| escape::terminal_line(index), str::to_owned),
                );
            }
        }
        out
    }

    /// Formats the name for LaTeX's math mode.
    pub fn latex(&self) -> String {
        let mut out = latex_word(&self.stem);
        out = match self.dots {
            0 => out,
            1 => format!(r"\dot{{{out}}}"),
            _ => format!(r"\ddot{{{out}}}"),
        };
        if !self.indices.is_empty() {
            let list: Vec<String> = (self.indices.iter())
                .map(|index| match split_numbered_letter(index) {
                    Some((stem, digits)) => format!("{}_{{{digits}}}", latex_word(stem)),
                    None => latex_word(index),
                })
                .collect();
            out.push_str(&format!("_{{{}}}", list.join(",")));
        }
        out
    }

    /// Formats the name as MathML.
    pub(super) fn mathml(&self) -> String {
        match self.indices.is_empty() {
            true => self.stem_mathml(),
            false => format!("<msub>{}{}</msub>", self.stem_mathml(), self.index_mathml()),
        }
    }

    /// Base of the MathML of a name: the stem with its dots.
    pub(super) fn stem_mathml(&self) -> String {
        let stem = greek_letter(&self.stem).map_or_else(|| escape::escape_xml(&self.stem), str::to_owned);
        let stem = format!("<mi>{stem}</mi>");
        match self.dots {
            0 => stem,
            n => {
                let dots = if n == 1 { "˙" } else { "¨" };
                format!(r#"<mover accent="true">{stem}<mo stretchy="false">{dots}</mo></mover>"#)
            }
        }
    }

    /// Subscript of the MathML of a name: its index.
    pub(super) fn index_mathml(&self) -> String {
        let list: Vec<String> = (self.indices.iter())
            .map(|index| match split_numbered_letter(index) {
                Some((stem, digits)) => format!("<msub>{}<mn>{digits}</mn></msub>", mathml_word(stem)),
                None => mathml_word(index),
            })
            .collect();
        format!("<mrow>{}</mrow>", list.join(r#"<mo separator="true">,</mo>"#))
    }
}

/// LaTeX of a stem, or of a part of an index: a Greek letter, digits, or a word.
fn latex_word(word: &str) -> String {
    match greek_letter(word) {
        Some(_) if word == "omicron" => "o".to_owned(),
        Some(_) => format!(r"\{word}"),
        None if word.chars().count() == 1 || word.chars().all(|c| c.is_ascii_digit()) => {
            escape::escape_latex(word)
        }
        None => format!(r"\mathrm{{{}}}", escape::escape_latex(word)),
    }
}

/// MathML of a part of an index: a Greek letter, digits, or a word.
fn mathml_word(word: &str) -> String {
    match greek_letter(word) {
        Some(letter) => format!("<mi>{letter}</mi>"),
        None if word.chars().all(|c| c.is_ascii_digit()) => format!("<mn>{word}</mn>"),
        None => format!("<mi>{}</mi>", escape::escape_xml(word)),
    }
}

/// English name of a Greek letter, as in LaTeX commands; other text unchanged.
pub(super) fn spell_greek_letter(letter: &str) -> &str {
    GREEK.iter().find(|(_, l)| *l == letter).map_or(letter, |(spelled, _)| spelled)
}

fn greek_letter(word: &str) -> Option<&'static str> {
    GREEK.iter().find(|(spelled, _)| *spelled == word).map(|(_, letter)| *letter)
}

/// Splits a letter from the number after it, within an index: `phi1` is φ₁. `None` for words, which
/// keep their digits.
fn split_numbered_letter(index: &str) -> Option<(&str, &str)> {
    let stem = index.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, digits) = index.split_at(stem.len());
    let is_letter = stem.chars().count() == 1 || greek_letter(stem).is_some();
    (is_letter && !digits.is_empty()).then_some((stem, digits))
}

/// Unicode subscript of a character of an index. Only digits and some letters have one.
fn subscript_character(c: char) -> Option<char> {
    const FROM: &str = "0123456789aehijklmnoprstuvx";
    const TO: &str = "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ";
    FROM.chars().position(|f| f == c).and_then(|i| TO.chars().nth(i))
}

/// Formats a unit of the spec for print: `N·m·s/rad`, `m/s²`.
pub fn format_unit(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' => out.push('·'),
            '^' => {
                let before = out.len();
                while let Some(digit) = chars.peek().copied().and_then(superscript_digit) {
                    out.push(digit);
                    chars.next();
                }
                if out.len() == before {
                    out.push('^');
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn superscript_digit(c: char) -> Option<char> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize)
}

#[cfg(test)]
mod tests {
    use crate::report::Math;

    #[test]
    fn greek_digits_and_underscores_become_letters_and_indices() {
        let cases = [
            ("theta1", "θ₁", r"\theta_{1}"),
            ("alpha4_dot", "α\u{307}₄", r"\dot{\alpha}_{4}"),
            ("omega_x", "ω_x", r"\omega_{x}"),
            ("m_cart", "m_cart", r"m_{\mathrm{cart}}"),
            ("x", "x", "x"),
            ("q10", "q₁₀", r"q_{10}"),
            ("J1_xx", "J₁_xx", r"J_{1,\mathrm{xx}}"),
            ("mass", "mass", r"\mathrm{mass}"),
            ("x_ddot", "x\u{308}", r"\ddot{x}"),
            ("k_joint", "k_joint", r"k_{\mathrm{joint}}"),
            ("M_phi1", "M_phi1", r"M_{\phi_{1}}"),
            ("lambda_k1_fx", "λ_k1_fx", r"\lambda_{k_{1},\mathrm{fx}}"),
            ("x_foot12", "x_foot12", r"x_{\mathrm{foot12}}"),
            ("vx", "v_x", "v_{x}"),
            ("qw_dot", "q\u{307}_w", r"\dot{q}_{w}"),
            ("mx1", "mx₁", r"\mathrm{mx}_{1}"),
            ("pitch_dot", "pitch˙", r"\dot{\mathrm{pitch}}"),
            ("left_axle_ddot", "left_axle¨", r"\ddot{\mathrm{left}}_{\mathrm{axle}}"),
        ];
        for (name, text, latex) in cases {
            let m = Math::identifier(name);
            assert_eq!((m.text().as_str(), m.latex().as_str()), (text, latex), "{name}");
        }
    }

    #[test]
    fn hostile_names_do_not_break_out_of_their_markup() {
        for name in
            ["", "_", "__dot", "_dot", "1", "12", "a}b\\input{x}", "<script>", "\u{1b}[31m", "é_ü", "_1_dot"]
        {
            let m = Math::identifier(name);
            assert!(!m.mathml().contains("<script"), "{name}");
            assert!(!m.latex().contains("\\input"), "{name}");
            assert!(!m.text().contains('\u{1b}'), "{name}");
        }
    }

    #[test]
    fn numbers_keep_their_value_and_their_sign() {
        assert_eq!(Math::integer(-3).mathml(), "<mrow><mo>−</mo><mn>3</mn></mrow>");
        assert_eq!(Math::number(0.25).text(), "0.25");
        assert_eq!(Math::number(-1.5e-9).latex(), r"-1.5 \cdot 10^{-9}");
        assert_eq!(Math::number(0.0).text(), "0");
    }
}
