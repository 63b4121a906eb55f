//! Escapes plain text for HTML, LaTeX and terminals, so that no text of a spec acts as markup.

use dqdt_diagnostics::base::is_display_control;

/// Escapes text for XML and HTML, in elements and in quoted attributes.
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_display_control(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for LaTeX, outside math mode or inside `\text` within it.
pub fn escape_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // A combining accent belongs to the letter before it.
        let accent = chars.peek().and_then(|next| ACCENTS.iter().find(|(mark, _)| mark == next));
        let letter = || match LATEX_SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
            Some((_, command)) => Some((*command).to_owned()),
            None => c.is_ascii_alphabetic().then(|| c.to_string()),
        };
        if let Some(((_, above), letter)) = accent.and_then(|a| Some((a, letter()?))) {
            out.push_str(&format!(r"\ensuremath{{{above}{{{letter}}}}}"));
            chars.next();
            continue;
        }
        match c {
            '\\' => out.push_str(r"\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str(r"\textasciitilde{}"),
            '^' => out.push_str(r"\textasciicircum{}"),
            '<' => out.push_str(r"\ensuremath{<}"),
            '>' => out.push_str(r"\ensuremath{>}"),
            '[' | ']' => {
                // Braces, so that the bracket does not begin an optional argument.
                out.push('{');
                out.push(c);
                out.push('}');
            }
            '\n' | '\t' => out.push(' '),
            c if is_display_control(c) => {}
            // Characters of pdfLaTeX's usual fonts stay. Others become mathematics, or their names.
            ' '..='~' | '\u{a1}'..='\u{17e}'
                if !matches!(c, '°' | '±' | '²' | '³' | '·' | '×' | '÷' | 'µ' | '¹') =>
            {
                out.push(c);
            }
            '–' | '—' | '‘' | '’' | '“' | '”' | '…' => out.push(c),
            c => match LATEX_SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
                Some((_, command)) => out.push_str(&format!(r"\ensuremath{{{command}}}")),
                None => out.push_str(&format!("{{[}}U+{:04X}{{]}}", u32::from(c))),
            },
        }
    }
    out
}

/// Combining marks on a letter, with their LaTeX accent commands.
const ACCENTS: [(char, &str); 4] =
    [('\u{303}', r"\tilde"), ('\u{302}', r"\hat"), ('\u{307}', r"\dot"), ('\u{308}', r"\ddot")];

const LATEX_SYMBOLS: [(char, &str); 78] = [
    ('°', r"^\circ"),
    ('±', r"\pm"),
    ('¹', "^1"),
    ('²', "^2"),
    ('³', "^3"),
    ('⁻', "^-"),
    ('·', r"\cdot"),
    ('×', r"\times"),
    ('÷', r"\div"),
    ('µ', r"\mu"),
    ('−', "-"),
    ('⊗', r"\otimes"),
    ('∂', r"\partial"),
    ('∞', r"\infty"),
    ('√', r"\surd"),
    ('≈', r"\approx"),
    ('≠', r"\ne"),
    ('≤', r"\le"),
    ('≥', r"\ge"),
    ('∈', r"\in"),
    ('→', r"\to"),
    ('⇒', r"\Rightarrow"),
    ('½', r"\tfrac12"),
    ('ᵀ', r"^{\mathsf T}"),
    ('\u{307}', r"\dot{}"),
    ('\u{308}', r"\ddot{}"),
    ('₀', "_0"),
    ('₁', "_1"),
    ('₂', "_2"),
    ('₃', "_3"),
    ('₄', "_4"),
    ('₅', "_5"),
    ('₆', "_6"),
    ('₇', "_7"),
    ('₈', "_8"),
    ('₉', "_9"),
    ('α', r"\alpha"),
    ('β', r"\beta"),
    ('γ', r"\gamma"),
    ('δ', r"\delta"),
    ('ε', r"\epsilon"),
    ('ζ', r"\zeta"),
    ('η', r"\eta"),
    ('θ', r"\theta"),
    ('ι', r"\iota"),
    ('κ', r"\kappa"),
    ('λ', r"\lambda"),
    ('μ', r"\mu"),
    ('ν', r"\nu"),
    ('ξ', r"\xi"),
    ('ο', "o"),
    ('π', r"\pi"),
    ('ρ', r"\rho"),
    ('σ', r"\sigma"),
    ('τ', r"\tau"),
    ('υ', r"\upsilon"),
    ('φ', r"\phi"),
    ('χ', r"\chi"),
    ('ψ', r"\psi"),
    ('ω', r"\omega"),
    ('Γ', r"\Gamma"),
    ('Δ', r"\Delta"),
    ('Θ', r"\Theta"),
    ('Λ', r"\Lambda"),
    ('Ξ', r"\Xi"),
    ('Π', r"\Pi"),
    ('Σ', r"\Sigma"),
    ('Υ', r"\Upsilon"),
    ('Φ', r"\Phi"),
    ('Ψ', r"\Psi"),
    ('Ω', r"\Omega"),
    ('ₓ', "_x"),
    ('ₙ', "_n"),
    ('ᵢ', "_i"),
    ('ⱼ', "_j"),
    ('ᵤ', "_u"),
    ('✓', r"\surd"),
    ('′', "'"),
];

/// Text on one line of a terminal: whitespace as blanks, without control characters.
pub fn terminal_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_display_control(*c))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_turns_text_around_reaches_no_target() {
        let hostile = "a\u{1b}[2J\u{202e}b\u{2066}c\u{200f}\u{7}d";
        for text in [escape_xml(hostile), escape_latex(hostile), terminal_line(hostile)] {
            assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{2066}', '\u{200f}', '\u{7}']), "{text:?}");
            assert!(text.contains('a') && text.contains('d'));
        }
    }
}
