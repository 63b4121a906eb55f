//! Prints mathematics on one line of a terminal, in Unicode.

use super::super::escape;
use super::tree::{Accent, Math, Spacing};

pub(super) fn push_text(math: &Math, out: &mut String) {
    match math {
        Math::Name(name) => out.push_str(&name.text()),
        Math::Number(digits, None) => out.push_str(digits),
        Math::Number(digits, Some(exponent)) => out.push_str(&format!("{digits}e{exponent}")),
        Math::Negative(x) => {
            out.push('−');
            push_text(x, out);
        }
        Math::Operator(symbol, _) => out.push_str(symbol),
        Math::Function(name) | Math::Symbol(name, _) => out.push_str(&escape::terminal_line(name)),
        Math::Words(words) | Math::Bold(words) => out.push_str(&escape::terminal_line(words)),
        Math::Spacing(Spacing::Call) => {}
        Math::Spacing(Spacing::Dot) => out.push_str(" · "),
        Math::Spacing(_) => out.push(' '),
        Math::Row(parts) => parts.iter().for_each(|part| push_text(part, out)),
        Math::Bracketed(x) => push_enclosed('(', x, ')', out),
        Math::Bars(x) => push_enclosed('|', x, '|', out),
        Math::Indexed(base, index) => {
            push_text(base, out);
            match subscript_indices(&index.text()) {
                Some(small) => out.push_str(&small),
                None => push_enclosed('[', index, ']', out),
            }
        }
        Math::Lowered(base, index) => {
            push_text(base, out);
            let index = index.text();
            match index.chars().map(subscript_character).collect::<Option<String>>() {
                Some(small) => out.push_str(&small),
                None if index.chars().count() == 1 => out.push_str(&format!("_{index}")),
                None => out.push_str(&format!("_({index})")),
            }
        }
        Math::Raised(base, exponent) => {
            push_text(base, out);
            let exponent = exponent.text();
            match exponent.chars().map(superscript_character).collect::<Option<String>>() {
                Some(small) => out.push_str(&small),
                None => out.push_str(&format!("^({exponent})")),
            }
        }
        Math::Scripts([base, below, above]) => {
            push_text(&base.as_ref().clone().to_power((**above).clone()), out);
            out.push_str(&format!("_({})", below.text()));
        }
        Math::Transposed(x) => {
            push_text(x, out);
            out.push('ᵀ');
        }
        // Dots follow a word, as in the derivative of a name that is a word.
        Math::Accented(x, accent @ (Accent::Dot | Accent::Dots)) if matches!(&**x, Math::Name(n) if n.is_upright_word()) =>
        {
            push_text(x, out);
            out.push(if *accent == Accent::Dot { '˙' } else { '¨' });
        }
        Math::Accented(x, accent) => {
            // The accent combines with the first letter.
            let text = x.text();
            let mut chars = text.chars();
            out.extend(chars.next());
            out.push(match accent {
                Accent::Dot => '\u{307}',
                Accent::Dots => '\u{308}',
                Accent::Hat => '\u{302}',
            });
            out.push_str(chars.as_str());
        }
        Math::Fraction(above, below) => {
            push_quotient_operand(above, out);
            out.push('/');
            push_quotient_operand(below, out);
        }
        Math::Root(x) => push_enclosed('(', x, ')', {
            out.push('√');
            out
        }),
        Math::Cases([yes, condition, otherwise]) => {
            out.push_str(&format!("({} if {}, else {})", yes.text(), condition.text(), otherwise.text()));
        }
        Math::Sum([index, from, to, term]) => {
            out.push_str(&format!("Σ[{}={}..{}] {}", index.text(), from.text(), to.text(), term.text()));
        }
        Math::TerminalName(text, _) => out.push_str(text),
    }
}

fn push_enclosed(open: char, x: &Math, close: char, out: &mut String) {
    out.push(open);
    push_text(x, out);
    out.push(close);
}

/// Indices as Unicode subscripts: `1, 2` is ₁₂. Numbers of several digits keep their comma. `None`
/// for other text.
fn subscript_indices(index: &str) -> Option<String> {
    let numbers: Vec<&str> = index.split(", ").collect();
    let small: Option<Vec<String>> = numbers.iter().map(|n| subscript_digits(n)).collect();
    let single = numbers.iter().all(|n| n.len() == 1);
    Some(small?.join(if single { "" } else { "," }))
}

fn subscript_digits(number: &str) -> Option<String> {
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| number.chars().filter_map(subscript_character).collect())
}

/// Appends the numerator or denominator of a quotient as text, in brackets where needed.
fn push_quotient_operand(x: &Math, out: &mut String) {
    match x {
        Math::Row(parts) if parts.len() > 1 => push_enclosed('(', x, ')', out),
        Math::Fraction(..) | Math::Negative(_) => push_enclosed('(', x, ')', out),
        _ => push_text(x, out),
    }
}

/// Unicode subscript of a character. Only digits, signs and some letters have one.
fn subscript_character(c: char) -> Option<char> {
    translate_character(c, "0123456789aehijklmnoprstuvx+-", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋")
}

fn superscript_character(c: char) -> Option<char> {
    translate_character(c, "0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
}

fn translate_character(c: char, from: &str, to: &str) -> Option<char> {
    from.chars().position(|f| f == c).and_then(|at| to.chars().nth(at))
}
