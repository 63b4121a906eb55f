//! Parses names of emitted code into quantity, marks, body or speed, and axis.
//!
//! A name without this structure (`M_q1_q1_from_s_q2`, `s_q2_J_link_xz`) is no quantity of
//! mechanics and gets no symbol here.

use super::words::{BETWEEN, MARKS, OF_SPEEDS, STEMS};
use crate::report::Math;
use dqdt_graph::ir::Layout;

/// A name of emitted code as a mathematical symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The symbol in a terminal, without blanks. No two values of a page have the same text.
    pub text: String,
    /// The symbol as shown in HTML and LaTeX.
    pub shown: Math,
    /// The body that the quantity belongs to, by number.
    pub body: Option<usize>,
    /// The symbol without its axis, in the letters of a terminal.
    pub quantity: String,
    /// The axis of a component, such as `x` or `xz`; may be empty.
    pub axis: String,
    /// The quantity as a word of emitted names, such as `J`.
    pub word: String,
    /// The vector or tensor whose component this symbol is.
    pub vector: Option<Math>,
    /// Marks of the quantity (see [`MARKS`]), as superscripts in a terminal.
    pub marks: String,
}

impl Symbol {
    /// The symbol as mathematics for all targets.
    pub fn math(&self) -> Math {
        Math::Read(self.text.clone(), Box::new(self.shown.clone()))
    }

    /// A symbol that consists of letters alone, without body or axis.
    pub fn plain(math: Math) -> Self {
        Symbol {
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
    pub fn whole(&self) -> Option<Math> {
        let shown = self.vector.clone()?;
        Some(Math::Read(self.quantity.clone(), Box::new(shown)))
    }

    /// The symbol with a prime, for a second value with the same letters.
    pub fn primed(self) -> Self {
        let shown = Math::row([self.shown, Math::operator("′", "'")]);
        let quantity = format!("{}′", self.quantity);
        Symbol { text: format!("{}′", self.text), quantity, shown, vector: None, ..self }
    }
}

/// Short labels of bodies, speeds and rows for use in indices.
#[derive(Debug)]
pub struct Labels {
    bodies: Vec<(String, String)>,
    /// Names under which a speed or its coordinate may occur, and its number.
    speeds: Vec<(String, usize)>,
    /// Names of coordinates with their labels.
    pub coordinates: Vec<(String, String)>,
    rows: Vec<(String, usize)>,
    wide: bool,
}

/// Short labels for names: the digits of `link1`, `link2`, …; otherwise the names if they are
/// short; otherwise numbers.
fn labels(names: &[&str]) -> Vec<String> {
    let parted = |n: &&str| n.len() - n.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stem = |n: &&str| n[..n.len() - parted(n)].to_owned();
    let alike = names
        .iter()
        .all(|n| parted(n) > 0 && stem(n) == stem(&names[0]) && !n[n.len() - parted(n)..].starts_with('0'));
    if alike {
        return names.iter().map(|n| n[n.len() - parted(n)..].to_owned()).collect();
    }
    if names.iter().all(|n| n.chars().count() <= 2 && n.chars().all(char::is_alphabetic)) {
        return names.iter().map(|n| (*n).to_owned()).collect();
    }
    (1..=names.len()).map(|i| i.to_string()).collect()
}

impl Labels {
    /// Labels for the bodies, speeds, coordinates and rows of a program.
    pub fn new(layout: &Layout) -> Self {
        let bodies: Vec<&str> = layout.bodies.iter().map(String::as_str).collect();
        let bodies = bodies.iter().map(|n| (*n).to_owned()).zip(labels(&bodies)).collect();
        let mut speeds: Vec<(String, usize)> = Vec::new();
        for (i, slot) in layout.v.iter().enumerate() {
            for name in [layout.stem(&slot.name), slot.name.clone()] {
                if !speeds.iter().any(|(known, _)| *known == name) {
                    speeds.push((name, i + 1));
                }
            }
        }
        let coordinates: Vec<&str> = layout.q.iter().map(|s| s.name.as_str()).collect();
        let coordinates = coordinates.iter().map(|n| (*n).to_owned()).zip(labels(&coordinates)).collect();
        let rows = layout.velocity_rows.iter().enumerate().map(|(i, r)| (r.name.clone(), i + 1)).collect();
        let wide = layout.v.len().max(layout.bodies.len()).max(layout.velocity_rows.len()) > 9;
        Labels { bodies, speeds, coordinates, rows, wide }
    }

    /// The bodies of the mechanism, each with its short label.
    pub fn bodies(&self) -> &[(String, String)] {
        &self.bodies
    }

    /// The symbol of a sine or cosine of a coordinate: `s₂`, `c_θ`.
    pub fn turn(&self, letter: &str, coordinate: &str, math: &Math) -> Symbol {
        let digits = |l: &&(String, String)| l.0 == coordinate && l.0.ends_with(&l.1) && l.0 != l.1;
        let index = match self.coordinates.iter().find(digits) {
            Some((_, label)) => Math::Number(label.clone(), None),
            None => math.clone(),
        };
        let shown = Math::identifier(letter).lowered(index.clone());
        let text = match index {
            Math::Number(..) => shown.text(),
            index => format!("{letter}_{}", index.text()),
        };
        Symbol { text, ..Symbol::plain(shown) }
    }
}

/// A piece of an index of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Label(String),
    In(String),
    Axis(String),
}

/// The longest candidate with which `rest` begins, as whole words, and the text after it.
fn first<'a, T: Clone>(rest: &'a str, all: &[(String, T)]) -> Option<(T, usize, &'a str)> {
    let fits = |name: &str| {
        rest.strip_prefix(name)
            .filter(|after| !name.is_empty() && (after.is_empty() || after.starts_with('_')))
    };
    let found = all.iter().enumerate().filter_map(|(i, (name, t))| Some((name.len(), i, t, fits(name)?)));
    let (_, i, t, after) = found.max_by_key(|(length, ..)| *length)?;
    Some((t.clone(), i, after.strip_prefix('_').unwrap_or(after)))
}

fn is_axis(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|b| matches!(b, b'x' | b'y' | b'z'))
}

/// The symbol of a name, and `true` if the value is its opposite. `None` if the name is not a
/// quantity of mechanics.
pub fn symbol(name: &str, labels: &Labels) -> Option<(Symbol, bool)> {
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
    let fits = |word: &str| rest.strip_prefix(word).and_then(|after| after.strip_prefix('_'));
    let known = STEMS.iter().filter_map(|s| Some((s, fits(s.word)?))).max_by_key(|(s, _)| s.word.len());
    let (text, latex, word, own, after) = match known {
        Some((s, after)) => (s.text, s.latex.to_owned(), s.word, s.marks, after),
        None => {
            let (word, after) = rest.split_once('_')?;
            let plain = word.len() > 1 && word.len() <= 12 && word.bytes().all(|b| b.is_ascii_alphabetic());
            // A sine of an expression, or a composed name.
            if !plain || BETWEEN.contains(&word) || labels.bodies.iter().any(|b| b.0 == word) {
                return None;
            }
            (word, format!(r"\mathrm{{{word}}}"), word, "", after)
        }
    };
    let (pieces, body) = index(word, after, labels)?;
    let axis = pieces.iter().find_map(|p| if let Piece::Axis(a) = p { Some(a.clone()) } else { None });
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
    for mark in own.chars() {
        above.push(mark);
        above_latex.push(if mark == '⁰' { '0' } else { mark });
    }
    let (lower, lower_latex) = written(&pieces, labels.wide);
    let without: Vec<Piece> = pieces.iter().filter(|p| !matches!(p, Piece::Axis(_))).cloned().collect();
    let base = Math::symbol(text, &latex);
    let below = Math::symbol(&lower.replace('_', ""), &lower_latex);
    let scripts = |below: Math| match above.is_empty() {
        true => base.clone().lowered(below),
        false => Math::Scripts([base.clone(), below, Math::symbol(&above, &above_latex)].map(Box::new)),
    };
    let shown = scripts(below);
    let (of, of_latex) = written(&without, labels.wide);
    let vector = axis.is_some().then(|| scripts(Math::symbol(&of.replace('_', ""), &of_latex)));
    let symbol = Symbol {
        text: format!("{text}{above}{lower}"),
        shown,
        body,
        quantity: format!("{text}{above}{of}"),
        vector,
        axis: axis.unwrap_or_default(),
        word: word.to_owned(),
        marks: above,
    };
    Some((symbol, opposite))
}

/// Parses an index into pieces. Also returns the first body in it.
fn index(word: &str, rest: &str, labels: &Labels) -> Option<(Vec<Piece>, Option<usize>)> {
    let (mut pieces, mut body, mut rest) = (Vec::new(), None, rest);
    while !rest.is_empty() {
        // A coordinate may have the name `x`.
        let of_x = OF_SPEEDS.contains(&word) && labels.speeds.iter().any(|(name, _)| name == rest);
        if is_axis(rest) && !of_x {
            pieces.push(Piece::Axis(rest.to_owned()));
            break;
        }
        if let Some(inner) = rest.strip_prefix("in_") {
            if let Some((label, _, after)) = first(inner, &labels.bodies) {
                pieces.push(Piece::In(label));
                rest = after;
                continue;
            }
            if let Some(after) = inner.strip_prefix("ground") {
                pieces.push(Piece::In("0".to_owned()));
                rest = after.strip_prefix('_').unwrap_or(after);
                continue;
            }
            return None;
        }
        let of_body = || first(rest, &labels.bodies).map(|(label, i, after)| (label, Some(i), after));
        let of_speed = || first(rest, &labels.speeds).map(|(n, _, after)| (n.to_string(), None, after));
        let of_row = || first(rest, &labels.rows).map(|(n, _, after)| (n.to_string(), None, after));
        let speeds_first = OF_SPEEDS.contains(&word) || body.is_some() || !pieces.is_empty();
        let found = match speeds_first {
            true => of_row().or_else(of_speed).or_else(of_body),
            false => of_body().or_else(of_row).or_else(of_speed),
        };
        let (label, of, after) = found?;
        body = body.or(of);
        pieces.push(Piece::Label(label));
        rest = after;
    }
    // An axis alone does not name a body or speed.
    let about = pieces.iter().any(|p| matches!(p, Piece::Label(_)));
    about.then_some((pieces, body))
}

/// Formats an index as text for a terminal and as LaTeX.
fn written(pieces: &[Piece], wide: bool) -> (String, String) {
    let (mut text, mut latex) = (String::new(), String::new());
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        let (label, mark) = match piece {
            Piece::Label(l) => (l.as_str(), ""),
            Piece::In(l) => (l.as_str(), "|"),
            Piece::Axis(a) => (a.as_str(), ""),
        };
        let digits = label.bytes().all(|b| b.is_ascii_digit());
        let comma = match (before, piece) {
            (None, _) | (_, Piece::In(_)) => false,
            (Some(Piece::Label(l) | Piece::In(l)), Piece::Axis(_)) => !l.bytes().all(|b| b.is_ascii_digit()),
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
