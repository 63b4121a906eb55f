//! The tree of printable mathematics.

use super::super::names::Name;

/// A formula as a tree, printed for a terminal (`text`), LaTeX (`latex`, `paper`) and HTML
/// (`mathml`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Math {
    /// A name of the spec, split into stem, indices and dots.
    Name(Name),
    /// A non-negative number: its digits, and an exponent of ten.
    Number(String, Option<i64>),
    /// The negative of a formula: a minus sign before it.
    Negative(Box<Math>),
    /// An operator, comma or bracket: its Unicode text, possibly with blanks around it, and its
    /// LaTeX.
    Operator(String, String),
    /// A symbol: its letters in Unicode, and its LaTeX.
    Symbol(String, String),
    /// The name of a function, such as `sin`.
    Function(String),
    /// Upright words, such as the name of a body.
    Words(String),
    /// A matrix or vector, shown as an upright bold letter.
    Bold(String),
    /// An invisible operator between two pieces, which determines the space between them.
    Spacing(Spacing),
    /// A sequence of formulas next to each other on one line.
    Row(Vec<Math>),
    /// A formula in brackets of matching height.
    Bracketed(Box<Math>),
    /// The absolute value, between bars.
    Bars(Box<Math>),
    /// A base with any formula as index. Without Unicode subscripts the index is in brackets in a
    /// terminal: `M[φ₁, φ₂]`.
    Indexed(Box<Math>, Box<Math>),
    /// A base with a letter or digit as subscript in every target: `vᵢ`.
    Lowered(Box<Math>, Box<Math>),
    /// A power: base and exponent.
    Raised(Box<Math>, Box<Math>),
    /// A base with an index below and a mark above, in this order.
    Scripts([Box<Math>; 3]),
    /// The transpose of a matrix.
    Transposed(Box<Math>),
    /// A formula with an accent above.
    Accented(Box<Math>, Accent),
    /// A quotient: numerator and denominator.
    Fraction(Box<Math>, Box<Math>),
    /// A square root.
    Root(Box<Math>),
    /// A case distinction: value, its condition, and the value otherwise.
    Cases([Box<Math>; 3]),
    /// `Σ` over a running index: the index, its first and last value, and the term.
    Sum([Box<Math>; 4]),
    /// Different text in a terminal, which can be read back as a name, and the formula for all
    /// other targets.
    TerminalName(String, Box<Math>),
}

/// An accent above a symbol: a dot, two dots (time derivatives) or a hat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Accent {
    Dot,
    Dots,
    Hat,
}

/// An invisible operator (product or function application), which determines the space between two
/// pieces of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    /// A product of ordinary symbols, without space.
    Times,
    /// A product of numbers, shown by a dot.
    Dot,
    /// A product of names of several letters, with space so that they do not read as one word.
    Apart,
    /// A product whose second factor is a function written by name, such as `sin`.
    BeforeFunction,
    /// A function before an argument without brackets.
    Argument,
    /// A function before its arguments in brackets, without space.
    Call,
    /// A visible blank between two pieces.
    Blank,
}

impl Default for Math {
    fn default() -> Self {
        Math::Row(Vec::new())
    }
}

impl Math {
    /// A name of the mechanism: `theta1` is θ₁, `alpha4_dot` is α̇₄, `m_cart` is m with an upright
    /// index.
    pub fn identifier(name: &str) -> Self {
        Math::Name(Name::parse(name))
    }

    /// A formula that is an integer.
    pub fn integer(n: i64) -> Self {
        let digits = Math::Number(n.unsigned_abs().to_string(), None);
        if n < 0 { digits.negative() } else { digits }
    }

    /// A number, with the fewest digits that give it back when parsed.
    pub fn number(x: f64) -> Self {
        if x.is_nan() {
            return Math::words("NaN");
        }
        if x < 0.0 {
            return Math::number(-x).negative();
        }
        if x.is_infinite() {
            return Math::operator("∞", r"\infty");
        }
        // The sign of zero is dropped.
        let x = x.abs();
        let text = if x == 0.0 || (1e-4..1e6).contains(&x) { format!("{x}") } else { format!("{x:e}") };
        match text.split_once('e') {
            None => Math::Number(text, None),
            Some((digits, exponent)) => Math::Number(digits.to_owned(), exponent.parse().ok()),
        }
    }

    /// A formula of upright words.
    pub fn words(words: &str) -> Self {
        Math::Words(words.to_owned())
    }

    /// An operator, comma or bracket: its Unicode text and its LaTeX.
    pub fn operator(symbol: &str, latex: &str) -> Self {
        Math::Operator(symbol.to_owned(), latex.to_owned())
    }

    /// A symbol: its letters in Unicode, and its LaTeX.
    pub fn symbol(letters: &str, latex: &str) -> Self {
        Math::Symbol(letters.to_owned(), latex.to_owned())
    }

    /// A matrix or vector: an upright bold letter.
    pub fn bold(letter: &str) -> Self {
        Math::Bold(letter.to_owned())
    }

    /// A sequence of pieces without a space between them.
    pub fn row(parts: impl IntoIterator<Item = Math>) -> Self {
        Math::Row(parts.into_iter().collect())
    }

    /// The negative of the formula.
    pub fn negative(self) -> Self {
        Math::Negative(Box::new(self))
    }

    /// The formula in brackets of matching height.
    pub fn bracketed(self) -> Self {
        Math::Bracketed(Box::new(self))
    }

    /// The formula raised to a power.
    pub fn to_power(self, exponent: Math) -> Self {
        Math::Raised(Box::new(self), Box::new(exponent))
    }

    /// The formula with a letter or digit as subscript.
    pub fn with_subscript(self, index: Math) -> Self {
        Math::Lowered(Box::new(self), Box::new(index))
    }

    /// Fraction with this formula as numerator and `below` as denominator.
    pub fn quotient(self, below: Math) -> Self {
        Math::Fraction(Box::new(self), Box::new(below))
    }

    /// A function with its arguments in brackets.
    pub fn function_call(function: Math, arguments: impl IntoIterator<Item = Math>) -> Self {
        let mut parts = Vec::new();
        for (i, a) in arguments.into_iter().enumerate() {
            if i > 0 {
                parts.push(Math::operator(", ", ", "));
            }
            parts.push(a);
        }
        Math::row([function, Math::Spacing(Spacing::Call), Math::Row(parts).bracketed()])
    }

    /// The formula with a subscript, which is in brackets in a terminal unless it is a number.
    pub fn with_index(&self, index: Math) -> Self {
        Math::Indexed(Box::new(self.clone()), Box::new(index))
    }

    /// The formula with numbers as indices: `M₁₂`.
    pub fn with_number_indices(&self, indices: &[usize]) -> Self {
        let mut parts = Vec::new();
        for (i, index) in indices.iter().enumerate() {
            if i > 0 {
                parts.push(Math::operator(", ", ","));
            }
            parts.push(Math::Number(index.to_string(), None));
        }
        self.with_index(Math::Row(parts))
    }

    /// The formula with a verbatim name as index: `λ[pin_fx]` in a terminal, an upright subscript
    /// elsewhere.
    pub fn with_name_index(&self, name: &str) -> Self {
        self.with_index(Math::words(name))
    }

    /// The formula with a letter or digit as index: `vᵢ`.
    pub fn with_letter_index(&self, letter: &str) -> Self {
        self.clone().with_subscript(Math::symbol(letter, letter))
    }

    /// The transpose of a matrix.
    pub fn transposed(&self) -> Self {
        Math::Transposed(Box::new(self.clone()))
    }

    /// The time derivative of a single symbol, with a dot above.
    pub fn with_dot(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Dot)
    }

    /// The second time derivative of a single symbol, with two dots above.
    pub fn with_two_dots(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Dots)
    }

    /// The symbol with a hat above.
    pub fn with_hat(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Hat)
    }

    /// Direct subformulas of the formula; empty for a leaf.
    fn subformulas(&self) -> Vec<&Math> {
        match self {
            Math::Name(_)
            | Math::Number(..)
            | Math::Operator(..)
            | Math::Symbol(..)
            | Math::Function(_)
            | Math::Words(_)
            | Math::Bold(_)
            | Math::Spacing(_) => Vec::new(),
            Math::Row(parts) => parts.iter().collect(),
            Math::Negative(x)
            | Math::Bracketed(x)
            | Math::Bars(x)
            | Math::Transposed(x)
            | Math::Accented(x, _)
            | Math::Root(x)
            | Math::TerminalName(_, x) => vec![&**x],
            Math::Indexed(a, b) | Math::Lowered(a, b) | Math::Raised(a, b) | Math::Fraction(a, b) => {
                vec![&**a, &**b]
            }
            Math::Scripts(parts) | Math::Cases(parts) => parts.iter().map(|p| &**p).collect(),
            Math::Sum(parts) => parts.iter().map(|p| &**p).collect(),
        }
    }

    /// The formula with `f` applied to every subformula, innermost first; used to replace names or
    /// matrices.
    #[must_use]
    pub fn map_subformulas(self, f: &dyn Fn(Math) -> Math) -> Self {
        let boxed = |x: Box<Math>| Box::new(x.map_subformulas(f));
        let whole = match self {
            Math::Row(parts) => Math::Row(parts.into_iter().map(|p| p.map_subformulas(f)).collect()),
            Math::Negative(x) => Math::Negative(boxed(x)),
            Math::Bracketed(x) => Math::Bracketed(boxed(x)),
            Math::Bars(x) => Math::Bars(boxed(x)),
            Math::Transposed(x) => Math::Transposed(boxed(x)),
            Math::Accented(x, accent) => Math::Accented(boxed(x), accent),
            Math::Root(x) => Math::Root(boxed(x)),
            Math::TerminalName(text, x) => Math::TerminalName(text, boxed(x)),
            Math::Indexed(a, b) => Math::Indexed(boxed(a), boxed(b)),
            Math::Lowered(a, b) => Math::Lowered(boxed(a), boxed(b)),
            Math::Raised(a, b) => Math::Raised(boxed(a), boxed(b)),
            Math::Fraction(a, b) => Math::Fraction(boxed(a), boxed(b)),
            Math::Scripts(parts) => Math::Scripts(parts.map(boxed)),
            Math::Cases(parts) => Math::Cases(parts.map(boxed)),
            Math::Sum(parts) => Math::Sum(parts.map(boxed)),
            leaf => leaf,
        };
        f(whole)
    }

    /// Collects all names of the spec in the formula into `out`.
    pub fn collect_names(&self, out: &mut std::collections::BTreeSet<Name>) {
        if let Math::Name(name) = self {
            out.insert(name.clone());
        }
        self.subformulas().into_iter().for_each(|part| part.collect_names(out));
    }

    /// Letters and digits of the formula with hyphens between them, for the HTML or LaTeX label of
    /// an equation: `M-1-2`, `theta_dot`.
    pub fn label_slug(&self) -> String {
        let text = match self {
            Math::Name(name) => name.source().to_owned(),
            Math::Number(text, _)
            | Math::Function(text)
            | Math::Words(text)
            | Math::Bold(text)
            | Math::Symbol(text, _) => text.clone(),
            Math::Accented(x, accent) => {
                let word = match accent {
                    Accent::Dot => "dot",
                    Accent::Dots => "ddot",
                    Accent::Hat => "hat",
                };
                return format!("{}-{word}", x.label_slug());
            }
            _ => String::new(),
        };
        let parts = std::iter::once(text).chain(self.subformulas().into_iter().map(Math::label_slug));
        let parts: Vec<String> = parts.map(|p| p.chars().map(slug_char).collect()).collect();
        parts
            .iter()
            .map(|p: &String| p.trim_matches('-'))
            .filter(|p| !p.is_empty())
            .collect::<Vec<_>>()
            .join("-")
    }
}

/// The character in a label: letters, digits and `_` as they are, others as a hyphen.
fn slug_char(c: char) -> char {
    if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }
}
