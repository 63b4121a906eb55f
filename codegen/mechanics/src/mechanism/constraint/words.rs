//! Descriptions of the multiplier of each row of a constraint: a force or a moment, on which body, where, along which axis.
//!
//! Problem: a multiplier is a number; who uses it must know its body, its axis, its sign and its unit.
//! Method:  of a geometric row the multiplier λ is the force or moment of the first of the constraint's ends on the second,
//! along the vector that the row is a displacement along or an angle about (`rows`; a test compares every type with the wrenches that the equations use). Of a formula f it is the
//! generalised force λ ∂f/∂q or λ ∂f/∂v on the speeds.
//! Units:   of a formula with the unit f: N·m/f at the level of positions, N·m/(f·s) at that of speeds.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::{Body, Placement, Rotation};
use dqdt_algebra::{Dimension, Number};

/// The multiplier of one row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiplier {
    /// What is added to the name of the constraint; empty if it has one row.
    pub suffix: String,
    /// `force`, `moment`, or `generalised force` of a formula.
    pub quantity: &'static str,
    /// Where it acts and along what, after "force": `on rim at the contact, along its heading …`.
    pub place: String,
    /// Unit; empty where that of a formula is not known.
    pub unit: String,
}

impl Multiplier {
    /// The whole sentence, without unit.
    pub fn text(&self) -> String {
        format!("{} {}", self.quantity, self.place)
    }
}

/// The name of a row.
pub fn row_name(constraint: &str, suffix: &str) -> String {
    if suffix.is_empty() { constraint.to_owned() } else { format!("{constraint}_{suffix}") }
}

/// What an axis is called in the frame of an end.
pub(super) fn axis_text(axis: AxisVector) -> String {
    let parts: Vec<String> = axis.0.iter().map(Number::to_string).collect();
    let nonzero: Vec<usize> = (0..3).filter(|i| !axis.0[*i].is_zero()).collect();
    match nonzero[..] {
        [i] => format!("{}{}", if axis.0[i].to_f64() < 0.0 { "−" } else { "" }, ["x", "y", "z"][i]),
        _ => format!("[{}]", parts.join(", ")),
    }
}

/// The k-th axis of the triple about an axis, in words.
pub(super) fn of_triple(axis: AxisVector, k: usize) -> String {
    let letters = axis.letters();
    if letters[0] != "1" {
        return letters[k].to_owned();
    }
    let (along, across) = (axis_text(axis), axis_text(axis.across()));
    match k {
        0 => across,
        1 => format!("{along} × {across}"),
        _ => along,
    }
}

/// What descriptions of rows need: the bodies of the mechanism, and of formulas their dimensions as far as they
/// are known.
pub struct Words<'m> {
    /// Of the mechanism.
    pub bodies: &'m [Body],
    /// Of each row that is a formula.
    pub dimensions: &'m [Option<Dimension>],
}

impl Words<'_> {
    /// The multiplier of a formula with this row; `work`: what it does times the formula.
    pub(super) fn of_formula(&self, row: usize, work: Dimension, place: &str) -> Multiplier {
        let unit = self.dimensions.get(row).copied().flatten().map(|of| work.over(of).to_string());
        Multiplier {
            suffix: String::new(),
            quantity: "generalised force",
            place: place.to_owned(),
            unit: unit.unwrap_or_default(),
        }
    }

    /// What the body at an end is called.
    fn body(&self, end: &(Option<BodyId>, Placement)) -> String {
        end.0.and_then(|b| self.bodies.get(b.index())).map_or("the ground".to_owned(), |b| b.name.clone())
    }

    /// Names of what a constraint holds together.
    pub(super) fn names<'e>(&self, ends: &'e Ends) -> EndNames<'e> {
        EndNames { ends, from: self.body(&ends.from), to: self.body(&ends.to) }
    }
}

/// Names of what a constraint holds together.
pub(super) struct EndNames<'e> {
    ends: &'e Ends,
    pub from: String,
    pub to: String,
}

impl EndNames<'_> {
    /// "of rim", or "of the frame on rim".
    fn axes(&self, end: &(Option<BodyId>, Placement), name: &str) -> String {
        let turned = end.1.rotation != Rotation::Identity;
        format!("of {}{name}", if turned { "the frame on " } else { "" })
    }

    /// The axes of the first frame.
    pub fn first(&self) -> String {
        self.axes(&self.ends.from, &self.from)
    }

    /// The axes of the second frame.
    pub fn second(&self) -> String {
        self.axes(&self.ends.to, &self.to)
    }

    pub fn force(&self, suffix: &str, at: &str, along: &str) -> Multiplier {
        let place = format!("of {} on {} at {at}, along {along}", self.from, self.to);
        Multiplier { suffix: suffix.to_owned(), quantity: "force", place, unit: Dimension::FORCE.to_string() }
    }

    /// At the origin of the second frame, along an axis of the first.
    pub fn along(&self, letter: &str, axis: &str) -> Multiplier {
        self.force(&format!("f{letter}"), ORIGIN, &format!("{axis} {}", self.first()))
    }

    pub fn moment(&self, letter: &str, axis: &str) -> Multiplier {
        let place = format!("of {} on {}, about {axis}", self.from, self.to);
        Multiplier {
            suffix: format!("m{letter}"),
            quantity: "moment",
            place,
            unit: Dimension::MOMENT.to_string(),
        }
    }

    pub fn about(&self, letter: &str, axis: &str) -> Multiplier {
        self.moment(letter, &format!("{axis} {}", self.first()))
    }

    /// Forces along all axes.
    pub fn everywhere(&self) -> Vec<Multiplier> {
        ["x", "y", "z"].iter().map(|l| self.along(l, l)).collect()
    }

    /// Forces along and moments about the axes of a triple.
    pub fn triple(&self, axis: AxisVector, forces: &[usize], moments: &[usize]) -> Vec<Multiplier> {
        let letters = axis.letters();
        let force = forces.iter().map(|k| self.along(letters[*k], &of_triple(axis, *k)));
        force.chain(moments.iter().map(|k| self.about(letters[*k], &of_triple(axis, *k)))).collect()
    }
}

/// Where the force of most rows acts.
pub(super) const ORIGIN: &str = "the origin of `to`";

/// Where a rolling body touches.
pub(super) const CONTACT: &str = "the contact";

/// The force of a plane on what rolls on it.
pub(super) fn normal_force(names: &EndNames<'_>, normal: AxisVector) -> Multiplier {
    names.force("fn", CONTACT, &format!("the normal {} {}", axis_text(normal), names.first()))
}
