//! The tree of printable mathematics.

use super::super::names::Name;

/// A piece of mathematics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Math {
    /// A name of the mechanism, taken apart.
    Name(Name),
    /// A number that is not negative: digits, and an exponent of ten.
    Number(String, Option<i64>),
    /// With a minus sign that belongs to it.
    Negative(Box<Math>),
    /// A sign, a comma: a Unicode character, with blanks around it perhaps, and the LaTeX for it.
    Operator(String, String),
    /// A symbol: its letters in Unicode, and the LaTeX for it.
    Symbol(String, String),
    /// The name of a function.
    Function(String),
    /// Upright words.
    Words(String),
    /// A matrix or vector: an upright bold letter.
    Bold(String),
    /// Between two pieces.
    Spacing(Spacing),
    /// Side by side.
    Row(Vec<Math>),
    /// In brackets that grow.
    Bracketed(Box<Math>),
    /// The absolute value.
    Bars(Box<Math>),
    /// A subscript; what has no small letters stands in brackets in a terminal, `M[φ₁, φ₂]`.
    Indexed(Box<Math>, Box<Math>),
    /// `vᵢ`, a subscript everywhere.
    Lowered(Box<Math>, Box<Math>),
    /// A power.
    Raised(Box<Math>, Box<Math>),
    /// With an index and what stands above it.
    Scripts([Box<Math>; 3]),
    /// The transpose of a matrix.
    Transposed(Box<Math>),
    /// With a sign above.
    Accented(Box<Math>, Accent),
    /// A quotient.
    Fraction(Box<Math>, Box<Math>),
    /// A square root.
    Root(Box<Math>),
    /// A value where a condition holds, and another elsewhere.
    Cases([Box<Math>; 3]),
    /// `Σ` over a running index: the index, its first and last value, and the term.
    Sum([Box<Math>; 4]),
    /// What a terminal shows in a language that is read back, and what others show.
    Read(String, Box<Math>),
}

/// Above a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Accent {
    Dot,
    Dots,
    Hat,
}

/// What stands between two pieces without being seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    /// A product.
    Times,
    /// A product of numbers.
    Dot,
    /// A product of words, which would read as one.
    Apart,
    /// A product with a function that is written by name.
    BeforeFunction,
    /// A function and its argument without brackets.
    Argument,
    /// A function and its brackets.
    Call,
    /// A blank.
    Blank,
}

impl Default for Math {
    fn default() -> Self {
        Math::Row(Vec::new())
    }
}

impl Math {
    /// A name of the mechanism: `theta1` is θ₁, `alpha4_dot` is α̇₄, `m_cart` is m with an upright index.
    pub fn identifier(name: &str) -> Self {
        Math::Name(Name::parse(name))
    }

    /// A whole number.
    pub fn integer(n: i64) -> Self {
        let digits = Math::Number(n.unsigned_abs().to_string(), None);
        if n < 0 { digits.negative() } else { digits }
    }

    /// A number, with the fewest digits that give it back.
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
        // Of zeros the sign is dropped.
        let x = x.abs();
        let text = if x == 0.0 || (1e-4..1e6).contains(&x) { format!("{x}") } else { format!("{x:e}") };
        match text.split_once('e') {
            None => Math::Number(text, None),
            Some((digits, exponent)) => Math::Number(digits.to_owned(), exponent.parse().ok()),
        }
    }

    /// Upright words.
    pub fn words(words: &str) -> Self {
        Math::Words(words.to_owned())
    }

    /// A sign, a comma, a bracket: a Unicode character and the LaTeX for it.
    pub fn operator(symbol: &str, latex: &str) -> Self {
        Math::Operator(symbol.to_owned(), latex.to_owned())
    }

    /// A symbol: its letters in Unicode, and the LaTeX for it.
    pub fn symbol(letters: &str, latex: &str) -> Self {
        Math::Symbol(letters.to_owned(), latex.to_owned())
    }

    /// A matrix or vector: an upright bold letter.
    pub fn bold(letter: &str) -> Self {
        Math::Bold(letter.to_owned())
    }

    /// Side by side, without a space.
    pub fn row(parts: impl IntoIterator<Item = Math>) -> Self {
        Math::Row(parts.into_iter().collect())
    }

    /// With a minus sign.
    pub fn negative(self) -> Self {
        Math::Negative(Box::new(self))
    }

    /// In brackets.
    pub fn bracketed(self) -> Self {
        Math::Bracketed(Box::new(self))
    }

    /// To a power.
    pub fn raised(self, exponent: Math) -> Self {
        Math::Raised(Box::new(self), Box::new(exponent))
    }

    /// With a subscript.
    pub fn lowered(self, index: Math) -> Self {
        Math::Lowered(Box::new(self), Box::new(index))
    }

    /// Over another.
    pub fn over(self, below: Math) -> Self {
        Math::Fraction(Box::new(self), Box::new(below))
    }

    /// A function with its arguments in brackets.
    pub fn call(function: Math, arguments: impl IntoIterator<Item = Math>) -> Self {
        let mut parts = Vec::new();
        for (i, a) in arguments.into_iter().enumerate() {
            if i > 0 {
                parts.push(Math::operator(", ", ", "));
            }
            parts.push(a);
        }
        Math::row([function, Math::Spacing(Spacing::Call), Math::Row(parts).bracketed()])
    }

    /// With this index as a subscript; in brackets in a terminal if it is no number.
    pub fn with_index(&self, index: Math) -> Self {
        Math::Indexed(Box::new(self.clone()), Box::new(index))
    }

    /// With numbers as indices: `M₁₂`.
    pub fn indexed(&self, indices: &[usize]) -> Self {
        let mut parts = Vec::new();
        for (i, index) in indices.iter().enumerate() {
            if i > 0 {
                parts.push(Math::operator(", ", ","));
            }
            parts.push(Math::Number(index.to_string(), None));
        }
        self.with_index(Math::Row(parts))
    }

    /// With a name as index, as it stands: `λ[pin_fx]` in a terminal, an upright subscript elsewhere.
    pub fn labelled(&self, name: &str) -> Self {
        self.with_index(Math::words(name))
    }

    /// With a small letter or digit as index: `vᵢ`.
    pub fn part(&self, letter: &str) -> Self {
        self.clone().lowered(Math::symbol(letter, letter))
    }

    /// The transpose of a matrix.
    pub fn transposed(&self) -> Self {
        Math::Transposed(Box::new(self.clone()))
    }

    /// With a dot above: the derivative by time of a single symbol.
    pub fn dot(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Dot)
    }

    /// With two dots above.
    pub fn dots(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Dots)
    }

    /// With a hat above.
    pub fn hat(&self) -> Self {
        Math::Accented(Box::new(self.clone()), Accent::Hat)
    }

    /// The parts that it is made of.
    fn parts(&self) -> Vec<&Math> {
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
            | Math::Read(_, x) => vec![&**x],
            Math::Indexed(a, b) | Math::Lowered(a, b) | Math::Raised(a, b) | Math::Fraction(a, b) => {
                vec![&**a, &**b]
            }
            Math::Scripts(parts) | Math::Cases(parts) => parts.iter().map(|p| &**p).collect(),
            Math::Sum(parts) => parts.iter().map(|p| &**p).collect(),
        }
    }

    /// The same with what `f` puts for its parts, inner ones first.
    #[must_use]
    pub fn mapped(self, f: &dyn Fn(Math) -> Math) -> Self {
        let boxed = |x: Box<Math>| Box::new(x.mapped(f));
        let whole = match self {
            Math::Row(parts) => Math::Row(parts.into_iter().map(|p| p.mapped(f)).collect()),
            Math::Negative(x) => Math::Negative(boxed(x)),
            Math::Bracketed(x) => Math::Bracketed(boxed(x)),
            Math::Bars(x) => Math::Bars(boxed(x)),
            Math::Transposed(x) => Math::Transposed(boxed(x)),
            Math::Accented(x, accent) => Math::Accented(boxed(x), accent),
            Math::Root(x) => Math::Root(boxed(x)),
            Math::Read(text, x) => Math::Read(text, boxed(x)),
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

    /// All names of the mechanism in it.
    pub fn names(&self, out: &mut std::collections::BTreeSet<Name>) {
        if let Math::Name(name) = self {
            out.insert(name.clone());
        }
        self.parts().into_iter().for_each(|part| part.names(out));
    }

    /// Its letters and digits with hyphens between, for a label: `M-1-2`, `theta_dot`.
    pub fn slug(&self) -> String {
        let own = match self {
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
                return format!("{}-{word}", x.slug());
            }
            _ => String::new(),
        };
        let word = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let parts = std::iter::once(own).chain(self.parts().into_iter().map(Math::slug));
        let parts: Vec<String> = parts.map(|p| p.chars().map(word).collect()).collect();
        parts
            .iter()
            .map(|p: &String| p.trim_matches('-'))
            .filter(|p| !p.is_empty())
            .collect::<Vec<_>>()
            .join("-")
    }
}
