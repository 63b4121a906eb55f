//! Prints mathematics for LaTeX's math mode.

use super::super::escape;
use super::super::names::{Name, spell_greek_letter};
use super::tree::{Accent, Math, Spacing};

/// Notation for names of the mechanism in LaTeX: plain letters or commands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameNotation {
    /// Plain LaTeX letters, such as `\theta_1`.
    Plain,
    /// LaTeX commands `\sym{name}`, which the preamble of the document defines.
    Commands,
}

impl NameNotation {
    pub(super) fn format_math(self, math: &Math) -> String {
        let mut out = String::new();
        self.push_math(math, &mut out);
        out
    }

    fn push_math(self, math: &Math, out: &mut String) {
        match math {
            Math::Name(name) => push_latex(&self.name_latex(name), out),
            Math::Number(digits, None) => out.push_str(digits),
            Math::Number(digits, Some(exponent)) => {
                out.push_str(&format!(r"{digits} \cdot 10^{{{exponent}}}"));
            }
            Math::Negative(x) => {
                out.push('-');
                self.push_math(x, out);
            }
            Math::Operator(_, latex) | Math::Symbol(_, latex) => push_latex(latex, out),
            Math::Function(name) => push_latex(&function_latex(name), out),
            Math::Words(words) => out.push_str(&format!(r"\text{{{}}}", escape::escape_latex(words))),
            Math::Bold(letter) if !letter.is_ascii() => {
                // `\mathbf` has no Greek letters.
                let mut inner = String::new();
                NameNotation::Plain.push_math(&Math::identifier(spell_greek_letter(letter)), &mut inner);
                out.push_str(&format!(r"\boldsymbol{{{inner}}}"));
            }
            Math::Bold(letter) => {
                let command = if self == NameNotation::Commands { "matr" } else { "mathbf" };
                out.push_str(&format!(r"\{command}{{{}}}", escape::escape_latex(letter)));
            }
            Math::Spacing(spacing) => out.push_str(match spacing {
                Spacing::Times | Spacing::BeforeFunction | Spacing::Argument => " ",
                Spacing::Dot => r" \cdot ",
                Spacing::Apart => r" \, ",
                Spacing::Call => "",
                Spacing::Blank => r"\ ",
            }),
            Math::Row(parts) => parts.iter().for_each(|part| push_latex(&self.format_math(part), out)),
            Math::Bracketed(x) => out.push_str(&format!(r"\left({}\right)", self.format_math(x))),
            Math::Bars(x) => out.push_str(&format!(r"\left|{}\right|", self.format_math(x))),
            Math::Indexed(base, index) | Math::Lowered(base, index) => {
                out.push_str(&format!("{}_{{{}}}", self.script_base(base, false), self.format_math(index)));
            }
            Math::Raised(base, exponent) => {
                out.push_str(&format!("{}^{{{}}}", self.script_base(base, true), self.format_math(exponent)));
            }
            Math::Scripts([base, below, above]) => {
                let [base, below, above] = [base, below, above].map(|part| self.format_math(part));
                out.push_str(&format!("{base}_{{{below}}}^{{{above}}}"));
            }
            Math::Transposed(x) => out.push_str(&format!(r"{}^{{\mathsf T}}", self.script_base(x, true))),
            Math::Accented(x, accent) => {
                let command = match accent {
                    Accent::Dot => "dot",
                    Accent::Dots => "ddot",
                    Accent::Hat => "hat",
                };
                out.push_str(&format!(r"\{command}{{{}}}", self.format_math(x)));
            }
            Math::Fraction(above, below) => {
                out.push_str(&format!(
                    r"\frac{{{}}}{{{}}}",
                    self.format_math(above),
                    self.format_math(below)
                ));
            }
            Math::Root(x) => out.push_str(&format!(r"\sqrt{{{}}}", self.format_math(x))),
            Math::Cases(parts) => {
                let [yes, condition, otherwise] = parts.each_ref().map(|part| self.format_math(part));
                out.push_str(&format!(
                    r"\begin{{cases}} {yes} & {condition} \\ {otherwise} & \text{{otherwise}} \end{{cases}}"
                ));
            }
            Math::Sum(parts) => {
                let [index, from, to, term] = parts.each_ref().map(|part| self.format_math(part));
                out.push_str(&format!(r"\sum_{{{index}={from}}}^{{{to}}} {term}"));
            }
            Math::TerminalName(_, shown) => self.push_math(shown, out),
        }
    }

    fn name_latex(self, name: &Name) -> String {
        match self {
            NameNotation::Commands if name.has_latex_command() => format!(r"\sym{{{}}}", name.source()),
            _ => name.latex(),
        }
    }

    /// LaTeX of the base of an index or exponent, in braces unless it is a single symbol. An
    /// exponent may follow an index without braces, but not an accent.
    fn script_base(self, base: &Math, exponent: bool) -> String {
        let latex = self.format_math(base);
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
            Math::Name(name) => {
                exponent || (name.dots == 0 && name.indices.is_empty() && !name.is_upright_word())
            }
            _ => false,
        };
        if single { latex } else { format!("{{{latex}}}") }
    }
}

/// Appends LaTeX to LaTeX, with a blank between a command and a letter after it.
fn push_latex(text: &str, out: &mut String) {
    if out.ends_with(|c: char| c.is_ascii_alphabetic()) && text.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        out.push(' ');
    }
    out.push_str(text);
}

fn function_latex(name: &str) -> String {
    match name {
        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "ln" | "exp" | "min" | "max" => {
            format!(r"\{name}")
        }
        "asin" | "acos" | "atan" => format!(r"\arc{}", &name[1..]),
        _ => format!(r"\operatorname{{{}}}", escape::escape_latex(name)),
    }
}
