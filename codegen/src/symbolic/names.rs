//! Names of symbols as people write them: Greek letters, subscripts, dots.
//!
//! `theta1` is θ₁, `alpha4_dot` is α̇₄, `omega_x` is ω with subscript x. A name is taken apart at underscores and
//! before digits; the first part is the letter, the others are subscripts.

/// A name taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// Dots over the letter.
    pub dots: usize,
    /// The letter or word.
    pub base: NamePiece,
    /// Subscripts, in order.
    pub subscripts: Vec<NamePiece>,
}

/// A piece of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NamePiece {
    /// A Greek letter by its Latin name, and the letter.
    Greek(&'static str, char),
    /// Digits or one letter.
    Short(String),
    /// A word.
    Word(String),
}

const GREEK: [(&str, char); 35] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Xi", 'Ξ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Upsilon", 'Υ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
    ("varphi", 'ϕ'),
];

impl Name {
    /// Takes a name apart.
    pub fn new(name: &str) -> Self {
        let mut pieces: Vec<&str> = name.split('_').filter(|p| !p.is_empty()).collect();
        let mut dots = 0;
        while pieces.len() > 1
            && let Some(n) = pieces.last().and_then(|p| dots_of(p))
        {
            dots += n;
            pieces.pop();
        }
        let mut parts = pieces.into_iter().flat_map(split_digits);
        let base = parts.next().unwrap_or_else(|| NamePiece::Word(name.to_owned()));
        Name { dots, base, subscripts: parts.collect() }
    }

    /// True if it is set as an upright word, without dots or subscripts around which there is room.
    pub fn is_word(&self) -> bool {
        matches!(self.base, NamePiece::Word(_))
    }
}

/// `sat(u)` is an operator and what it is applied to.
pub(super) fn applied(name: &str) -> Option<(&str, &str)> {
    let (operator, rest) = name.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    (!operator.is_empty() && !inner.is_empty()).then_some((operator, inner))
}

fn dots_of(piece: &str) -> Option<usize> {
    match piece {
        "dot" => Some(1),
        "ddot" => Some(2),
        _ => None,
    }
}

/// `alpha4` is two parts, `x` and `12` are one.
fn split_digits(piece: &str) -> Vec<NamePiece> {
    let at = piece.find(|c: char| c.is_ascii_digit()).unwrap_or(piece.len());
    let (letters, digits) = piece.split_at(at);
    let mut parts = Vec::with_capacity(2);
    if !letters.is_empty() {
        parts.push(part(letters));
    }
    if !digits.is_empty() {
        parts.push(if digits.chars().all(|c| c.is_ascii_digit()) {
            NamePiece::Short(digits.to_owned())
        } else {
            NamePiece::Word(digits.to_owned())
        });
    }
    parts
}

fn part(letters: &str) -> NamePiece {
    match GREEK.iter().find(|(name, _)| *name == letters) {
        Some((name, letter)) => NamePiece::Greek(name, *letter),
        None if letters.chars().count() == 1 => NamePiece::Short(letters.to_owned()),
        None => NamePiece::Word(letters.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_at_underscores_and_digits() {
        let n = Name::new("alpha4_dot");
        assert_eq!((n.dots, n.base), (1, NamePiece::Greek("alpha", 'α')));
        assert_eq!(n.subscripts, [NamePiece::Short("4".into())]);
        let n = Name::new("w_forearm_x");
        assert_eq!(n.base, NamePiece::Short("w".into()));
        assert_eq!(n.subscripts, [NamePiece::Word("forearm".into()), NamePiece::Short("x".into())]);
        assert_eq!(Name::new("dot").base, NamePiece::Word("dot".into()));
        assert_eq!(Name::new("__").base, NamePiece::Word("__".into()));
    }
}
