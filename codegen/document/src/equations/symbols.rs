//! Parses names of emitted code into quantity, marks, body or speed, and axis.
//!
//! A name without this structure (`M_q1_q1_from_s_q2`, `s_q2_J_link_xz`) is no quantity of
//! mechanics and gets no symbol here.

use super::words::{JOINING_WORDS, MARKS, SPEED_QUANTITIES, STEMS};
use crate::report::Math;
use dqdt_graph::ir::Layout;

/// A name of emitted code, such as `tree_J_link6_xz`, as a mathematical symbol for a page of
/// equations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MathSymbol {
    /// Letters of the symbol in a terminal, without blanks. No two values of a page have the same
    /// text.
    pub text: String,
    /// The symbol as mathematics for HTML and LaTeX.
    pub shown: Math,
    /// Index of the body that the quantity belongs to; `None` for speeds and others.
    pub body: Option<usize>,
    /// The symbol without its axis, as text for a terminal.
    pub quantity: String,
    /// Axis of a vector or tensor component, such as `x` or `xz`; may be empty.
    pub axis: String,
    /// Word of the quantity in emitted names, such as `J`; a key of [`STEMS`].
    pub word: String,
    /// Symbol of the vector or tensor whose component this symbol is; `None` for a scalar.
    pub vector: Option<Math>,
    /// Marks of the quantity (see [`MARKS`]), as superscripts in a terminal.
    pub marks: String,
}

impl MathSymbol {
    /// The symbol as mathematics: its text in a terminal, its letters elsewhere.
    pub fn to_math(&self) -> Math {
        Math::TerminalName(self.text.clone(), Box::new(self.shown.clone()))
    }

    /// Symbol that consists of letters alone, without body or axis.
    pub fn from_letters(math: Math) -> Self {
        MathSymbol {
            text: math.text().replace(' ', ""),
            shown: math,
            body: None,
            quantity: String::new(),
            axis: String::new(),
            word: String::new(),
            vector: None,
            marks: String::new(),
        }
    }

    /// The vector or tensor whose component this symbol is, as mathematics.
    pub fn whole_vector(&self) -> Option<Math> {
        let shown = self.vector.clone()?;
        Some(Math::TerminalName(self.quantity.clone(), Box::new(shown)))
    }

    /// The symbol with a prime, for a second value with the same letters.
    pub fn with_prime(self) -> Self {
        let shown = Math::row([self.shown, Math::operator("′", "'")]);
        let quantity = format!("{}′", self.quantity);
        MathSymbol { text: format!("{}′", self.text), quantity, shown, vector: None, ..self }
    }
}

/// Short labels of bodies, speeds and rows for the indices of symbols.
#[derive(Debug)]
pub struct Labels {
    labelled_bodies: Vec<(String, String)>,
    /// Names under which a speed or its coordinate may occur in emitted names, each with the number
    /// of the speed.
    speeds: Vec<(String, usize)>,
    /// Names of coordinates with their short labels.
    pub coordinates: Vec<(String, String)>,
    rows: Vec<(String, usize)>,
    wide: bool,
}

/// Short labels of bodies or coordinates for indices: the digits of `link1`, `link2`, …; otherwise
/// the names if they are short; otherwise numbers.
fn short_labels(names: &[&str]) -> Vec<String> {
    let are_numbered = names.iter().all(|name| {
        let (stem, digits) = split_trailing_digits(name);
        !digits.is_empty() && stem == split_trailing_digits(names[0]).0 && !digits.starts_with('0')
    });
    if are_numbered {
        return names.iter().map(|name| split_trailing_digits(name).1.to_owned()).collect();
    }
    if names.iter().all(|n| n.chars().count() <= 2 && n.chars().all(char::is_alphabetic)) {
        return names.iter().map(|n| (*n).to_owned()).collect();
    }
    (1..=names.len()).map(|i| i.to_string()).collect()
}

/// Splits the digits off the end of a name: `link12` is `link` and `12`.
fn split_trailing_digits(name: &str) -> (&str, &str) {
    name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len())
}

impl Labels {
    /// Labels for the bodies, speeds, coordinates and rows of a program.
    pub fn new(layout: &Layout) -> Self {
        let bodies: Vec<&str> = layout.bodies.iter().map(String::as_str).collect();
        let bodies = bodies.iter().map(|n| (*n).to_owned()).zip(short_labels(&bodies)).collect();
        let mut speeds: Vec<(String, usize)> = Vec::new();
        for (i, slot) in layout.v.iter().enumerate() {
            for name in [layout.stem(&slot.name), slot.name.clone()] {
                if !speeds.iter().any(|(known, _)| *known == name) {
                    speeds.push((name, i + 1));
                }
            }
        }
        let coordinates: Vec<&str> = layout.q.iter().map(|s| s.name.as_str()).collect();
        let coordinates =
            coordinates.iter().map(|n| (*n).to_owned()).zip(short_labels(&coordinates)).collect();
        let rows = layout.velocity_rows.iter().enumerate().map(|(i, r)| (r.name.clone(), i + 1)).collect();
        let wide = layout.v.len().max(layout.bodies.len()).max(layout.velocity_rows.len()) > 9;
        Labels { labelled_bodies: bodies, speeds, coordinates, rows, wide }
    }

    /// Names of the bodies of the mechanism, each with its short label.
    pub fn bodies(&self) -> &[(String, String)] {
        &self.labelled_bodies
    }

    /// Symbol of a sine or cosine of a coordinate, as `s₂` or `c_θ`; `letter` is `s` or `c`.
    pub fn sine_cosine_symbol(&self, letter: &str, coordinate: &str, math: &Math) -> MathSymbol {
        let numbered = (self.coordinates.iter())
            .find(|(name, label)| name == coordinate && name.ends_with(label) && name != label);
        let index = match numbered {
            Some((_, label)) => Math::Number(label.clone(), None),
            None => math.clone(),
        };
        let shown = Math::identifier(letter).with_subscript(index.clone());
        let text = match index {
            Math::Number(..) => shown.text(),
            index => format!("{letter}_{}", index.text()),
        };
        MathSymbol { text, ..MathSymbol::from_letters(shown) }
    }
}

/// Piece of the index of a symbol: a label, a frame (`In`) or an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
enum IndexPiece {
    Label(String),
    In(String),
    Axis(String),
}

/// Longest name of `all` with which `rest` begins, as whole words: its value, its index and the
/// text after it.
fn longest_prefix_match<'a, T: Clone>(rest: &'a str, all: &[(String, T)]) -> Option<(T, usize, &'a str)> {
    let matches = all.iter().enumerate().filter_map(|(i, (name, t))| {
        let after = rest.strip_prefix(name.as_str())?;
        let is_match = !name.is_empty() && (after.is_empty() || after.starts_with('_'));
        is_match.then_some((name.len(), i, t, after))
    });
    let (_, i, t, after) = matches.max_by_key(|(length, ..)| *length)?;
    Some((t.clone(), i, after.strip_prefix('_').unwrap_or(after)))
}

fn is_axis_name(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|b| matches!(b, b'x' | b'y' | b'z'))
}

/// Parses an emitted name to a symbol, with `true` if the value is its opposite. `None` if the name
/// is not a quantity of mechanics.
pub fn parse_symbol(name: &str, labels: &Labels) -> Option<(MathSymbol, bool)> {
    let (mut rest, opposite) = match name.strip_prefix("neg_") {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    let mut marks: Vec<usize> = Vec::new();
    while let Some((i, after)) = MARKS.iter().enumerate().find_map(|(i, m)| {
        let after = rest.strip_prefix(m.0)?.strip_prefix('_')?;
        Some((i, after))
    }) {
        if marks.contains(&i) {
            return None;
        }
        marks.push(i);
        rest = after;
    }
    let known = (STEMS.iter())
        .filter_map(|stem| Some((stem, rest.strip_prefix(stem.word)?.strip_prefix('_')?)))
        .max_by_key(|(stem, _)| stem.word.len());
    let (text, latex, word, implied_marks, after) = match known {
        Some((s, after)) => (s.text, s.latex.to_owned(), s.word, s.marks, after),
        None => {
            let (word, after) = rest.split_once('_')?;
            let is_word = word.len() > 1 && word.len() <= 12 && word.bytes().all(|b| b.is_ascii_alphabetic());
            // A sine of an expression, or a composed name.
            if !is_word || JOINING_WORDS.contains(&word) || labels.labelled_bodies.iter().any(|b| b.0 == word)
            {
                return None;
            }
            (word, format!(r"\mathrm{{{word}}}"), word, "", after)
        }
    };
    let (pieces, body) = parse_symbol_index(word, after, labels)?;
    let axis = pieces.iter().find_map(|p| if let IndexPiece::Axis(a) = p { Some(a.clone()) } else { None });
    // Without an axis `m` is a mass, of which each body has one.
    let (text, latex) = match (word, &axis) {
        ("m", None) => ("m", "m".to_owned()),
        _ => (text, latex),
    };
    let (mut above, mut above_latex) = (String::new(), String::new());
    for i in &marks {
        above.push_str(MARKS[*i].1);
        above_latex.push_str(MARKS[*i].2);
    }
    for mark in implied_marks.chars() {
        above.push(mark);
        above_latex.push(if mark == '⁰' { '0' } else { mark });
    }
    let (lower, lower_latex) = format_symbol_index(&pieces, labels.wide);
    let without_axis: Vec<IndexPiece> =
        pieces.iter().filter(|p| !matches!(p, IndexPiece::Axis(_))).cloned().collect();
    let base = Math::symbol(text, &latex);
    let below = Math::symbol(&lower.replace('_', ""), &lower_latex);
    let scripts = |below: Math| match above.is_empty() {
        true => base.clone().with_subscript(below),
        false => Math::Scripts([base.clone(), below, Math::symbol(&above, &above_latex)].map(Box::new)),
    };
    let shown = scripts(below);
    let (whole, whole_latex) = format_symbol_index(&without_axis, labels.wide);
    let vector = axis.is_some().then(|| scripts(Math::symbol(&whole.replace('_', ""), &whole_latex)));
    let symbol = MathSymbol {
        text: format!("{text}{above}{lower}"),
        shown,
        body,
        quantity: format!("{text}{above}{whole}"),
        vector,
        axis: axis.unwrap_or_default(),
        word: word.to_owned(),
        marks: above,
    };
    Some((symbol, opposite))
}

/// Parses the index part of an emitted name into pieces. Also returns the first body in it.
fn parse_symbol_index(word: &str, rest: &str, labels: &Labels) -> Option<(Vec<IndexPiece>, Option<usize>)> {
    let (mut pieces, mut body, mut rest) = (Vec::new(), None, rest);
    while !rest.is_empty() {
        // A coordinate may have the name `x`.
        let is_speed = SPEED_QUANTITIES.contains(&word) && labels.speeds.iter().any(|(name, _)| name == rest);
        if is_axis_name(rest) && !is_speed {
            pieces.push(IndexPiece::Axis(rest.to_owned()));
            break;
        }
        if let Some(inner) = rest.strip_prefix("in_") {
            if let Some((label, _, after)) = longest_prefix_match(inner, &labels.labelled_bodies) {
                pieces.push(IndexPiece::In(label));
                rest = after;
                continue;
            }
            if let Some(after) = inner.strip_prefix("ground") {
                pieces.push(IndexPiece::In("0".to_owned()));
                rest = after.strip_prefix('_').unwrap_or(after);
                continue;
            }
            return None;
        }
        let match_body = || {
            longest_prefix_match(rest, &labels.labelled_bodies)
                .map(|(label, i, after)| (label, Some(i), after))
        };
        let match_speed =
            || longest_prefix_match(rest, &labels.speeds).map(|(n, _, after)| (n.to_string(), None, after));
        let match_row =
            || longest_prefix_match(rest, &labels.rows).map(|(n, _, after)| (n.to_string(), None, after));
        let speeds_first = SPEED_QUANTITIES.contains(&word) || body.is_some() || !pieces.is_empty();
        let (label, named_body, after) = match speeds_first {
            true => match_row().or_else(match_speed).or_else(match_body)?,
            false => match_body().or_else(match_row).or_else(match_speed)?,
        };
        body = body.or(named_body);
        pieces.push(IndexPiece::Label(label));
        rest = after;
    }
    // An axis alone does not name a body or speed.
    let has_label = pieces.iter().any(|p| matches!(p, IndexPiece::Label(_)));
    has_label.then_some((pieces, body))
}

/// Formats the index of a symbol as text for a terminal and as LaTeX.
fn format_symbol_index(pieces: &[IndexPiece], wide: bool) -> (String, String) {
    let (mut text, mut latex) = (String::new(), String::new());
    let mut before: Option<&IndexPiece> = None;
    for piece in pieces {
        let (label, mark) = match piece {
            IndexPiece::Label(l) => (l.as_str(), ""),
            IndexPiece::In(l) => (l.as_str(), "|"),
            IndexPiece::Axis(a) => (a.as_str(), ""),
        };
        let digits = label.bytes().all(|b| b.is_ascii_digit());
        let comma = match (before, piece) {
            (None, _) | (_, IndexPiece::In(_)) => false,
            (Some(IndexPiece::Label(l) | IndexPiece::In(l)), IndexPiece::Axis(_)) => {
                !l.bytes().all(|b| b.is_ascii_digit())
            }
            (Some(_), _) => wide || !digits,
        };
        if comma {
            text.push(',');
            latex.push(',');
        }
        text.push_str(mark);
        latex.push_str(mark);
        match digits {
            true => {
                text.extend(label.bytes().filter_map(|b| "₀₁₂₃₄₅₆₇₈₉".chars().nth(usize::from(b - b'0'))))
            }
            false => {
                if text.is_empty() {
                    text.push('_');
                }
                text.push_str(label);
            }
        }
        latex.push_str(label);
        before = Some(piece);
    }
    (text, latex)
}
