//! Mathematics for LaTeX's math mode.

use super::super::escape;
use super::tree::{Accent, Math, Spacing};

pub(super) fn print(math: &Math, out: &mut String) {
    match math {
        Math::Name(name) => push(&name.latex(), out),
        Math::Number(digits, None) => out.push_str(digits),
        Math::Number(digits, Some(exponent)) => out.push_str(&format!(r"{digits} \cdot 10^{{{exponent}}}")),
        Math::Negative(x) => {
            out.push('-');
            print(x, out);
        }
        Math::Operator(_, latex) | Math::Symbol(_, latex) => push(latex, out),
        Math::Function(name) => push(&function(name), out),
        Math::Words(words) => out.push_str(&format!(r"\text{{{}}}", escape::latex(words))),
        Math::Bold(letter) => out.push_str(&format!(r"\mathbf{{{}}}", escape::latex(letter))),
        Math::Spacing(spacing) => out.push_str(match spacing {
            Spacing::Times | Spacing::BeforeFunction | Spacing::Argument => " ",
            Spacing::Dot => r" \cdot ",
            Spacing::Apart => r" \, ",
            Spacing::Call => "",
            Spacing::Blank => r"\ ",
        }),
        Math::Row(parts) => parts.iter().for_each(|part| push(&part.latex(), out)),
        Math::Bracketed(x) => out.push_str(&format!(r"\left({}\right)", x.latex())),
        Math::Bars(x) => out.push_str(&format!(r"\left|{}\right|", x.latex())),
        Math::Indexed(base, index) | Math::Lowered(base, index) => {
            out.push_str(&format!("{}_{{{}}}", held(base, false), index.latex()));
        }
        Math::Raised(base, exponent) => {
            out.push_str(&format!("{}^{{{}}}", held(base, true), exponent.latex()));
        }
        Math::Scripts([base, below, above]) => {
            out.push_str(&format!("{}_{{{}}}^{{{}}}", base.latex(), below.latex(), above.latex()));
        }
        Math::Transposed(x) => out.push_str(&format!(r"{}^{{\mathsf T}}", held(x, true))),
        Math::Accented(x, accent) => {
            let command = match accent {
                Accent::Dot => "dot",
                Accent::Hat => "hat",
            };
            out.push_str(&format!(r"\{command}{{{}}}", x.latex()));
        }
        Math::Fraction(above, below) => {
            out.push_str(&format!(r"\frac{{{}}}{{{}}}", above.latex(), below.latex()));
        }
        Math::Root(x) => out.push_str(&format!(r"\sqrt{{{}}}", x.latex())),
        Math::Cases([yes, condition, otherwise]) => out.push_str(&format!(
            r"\begin{{cases}} {} & {} \\ {} & \text{{otherwise}} \end{{cases}}",
            yes.latex(),
            condition.latex(),
            otherwise.latex()
        )),
        Math::Sum([index, from, to, term]) => out.push_str(&format!(
            r"\sum_{{{}={}}}^{{{}}} {}",
            index.latex(),
            from.latex(),
            to.latex(),
            term.latex()
        )),
        Math::Read(_, shown) => print(shown, out),
    }
}

/// Puts a text behind another; a command ends before a letter.
fn push(text: &str, out: &mut String) {
    if out.ends_with(|c: char| c.is_ascii_alphabetic()) && text.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        out.push(' ');
    }
    out.push_str(text);
}

/// What an index or an exponent may stand at: in braces, unless it is a single thing. An exponent may stand at an index,
/// but not over the dot or the subscript of a name.
fn held(base: &Math, exponent: bool) -> String {
    let latex = base.latex();
    let single = match base {
        Math::Number(_, None)
        | Math::Bracketed(_)
        | Math::Bold(_)
        | Math::Function(_)
        | Math::Bars(_)
        | Math::Symbol(..) => true,
        Math::Lowered(inner, _) => {
            exponent && !latex.starts_with('{') && !matches!(**inner, Math::Lowered(..))
        }
        Math::Name(name) => name.dots == 0 && name.indices.is_empty() && !name.is_word(),
        _ => false,
    };
    if single { latex } else { format!("{{{latex}}}") }
}

fn function(name: &str) -> String {
    match name {
        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "ln" | "min" | "max" => format!(r"\{name}"),
        "asin" | "acos" | "atan" => format!(r"\arc{}", &name[1..]),
        _ => format!(r"\operatorname{{{}}}", escape::latex(name)),
    }
}
