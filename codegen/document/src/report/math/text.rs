//! Prints mathematics on one line of a terminal, in Unicode.

use super::super::escape;
use super::tree::{Accent, Math, Spacing};

pub(super) fn print(math: &Math, out: &mut String) {
    match math {
        Math::Name(name) => out.push_str(&name.text()),
        Math::Number(digits, None) => out.push_str(digits),
        Math::Number(digits, Some(exponent)) => out.push_str(&format!("{digits}e{exponent}")),
        Math::Negative(x) => {
            out.push('−');
            print(x, out);
        }
        Math::Operator(symbol, _) => out.push_str(symbol),
        Math::Function(name) | Math::Symbol(name, _) => out.push_str(&escape::line(name)),
        Math::Words(words) | Math::Bold(words) => out.push_str(&escape::line(words)),
        Math::Spacing(Spacing::Call) => {}
        Math::Spacing(Spacing::Dot) => out.push_str(" · "),
        Math::Spacing(_) => out.push(' '),
        Math::Row(parts) => parts.iter().for_each(|part| print(part, out)),
        Math::Bracketed(x) => around('(', x, ')', out),
        Math::Bars(x) => around('|', x, '|', out),
        Math::Indexed(base, index) => {
            print(base, out);
            match lowered_numbers(&index.text()) {
                Some(small) => out.push_str(&small),
                None => around('[', index, ']', out),
            }
        }
        Math::Lowered(base, index) => {
            print(base, out);
            let index = index.text();
            match index.chars().map(subscript).collect::<Option<String>>() {
                Some(small) => out.push_str(&small),
                None if index.chars().count() == 1 => out.push_str(&format!("_{index}")),
                None => out.push_str(&format!("_({index})")),
            }
        }
        Math::Raised(base, exponent) => {
            print(base, out);
            let exponent = exponent.text();
            match exponent.chars().map(superscript).collect::<Option<String>>() {
                Some(small) => out.push_str(&small),
                None => out.push_str(&format!("^({exponent})")),
            }
        }
        Math::Scripts([base, below, above]) => {
            print(&base.as_ref().clone().raised((**above).clone()), out);
            out.push_str(&format!("_({})", below.text()));
        }
        Math::Transposed(x) => {
            print(x, out);
            out.push('ᵀ');
        }
        // Dots follow a word, as in the derivative of a name that is a word.
        Math::Accented(x, accent @ (Accent::Dot | Accent::Dots)) if matches!(&**x, Math::Name(n) if n.is_word()) =>
        {
            print(x, out);
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
            operand(above, out);
            out.push('/');
            operand(below, out);
        }
        Math::Root(x) => around('(', x, ')', {
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

fn around(open: char, x: &Math, close: char, out: &mut String) {
    out.push(open);
    print(x, out);
    out.push(close);
}

/// Indices as Unicode subscripts: `1, 2` is ₁₂. Numbers of several digits keep their comma. `None`
/// for other text.
fn lowered_numbers(index: &str) -> Option<String> {
    let numbers: Vec<&str> = index.split(", ").collect();
    let small: Option<Vec<String>> = numbers.iter().map(|n| digits(n)).collect();
    let single = numbers.iter().all(|n| n.len() == 1);
    Some(small?.join(if single { "" } else { "," }))
}

fn digits(number: &str) -> Option<String> {
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| number.chars().filter_map(subscript).collect())
}

/// Appends the numerator or denominator of a quotient as text, in brackets where needed.
fn operand(x: &Math, out: &mut String) {
    match x {
        Math::Row(parts) if parts.len() > 1 => around('(', x, ')', out),
        Math::Fraction(..) | Math::Negative(_) => around('(', x, ')', out),
        _ => print(x, out),
    }
}

/// Unicode subscript of a character. Only digits, signs and some letters have one.
fn subscript(c: char) -> Option<char> {
    translate(c, "0123456789aehijklmnoprstuvx+-", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋")
}

fn superscript(c: char) -> Option<char> {
    translate(c, "0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
}

fn translate(c: char, from: &str, to: &str) -> Option<char> {
    from.chars().position(|f| f == c).and_then(|at| to.chars().nth(at))
}
