//! Descriptions of the multipliers of constraint rows: a force or a moment, on which body, where,
//! along which axis.
//!
//! Problem: a multiplier is a number; a user must know its body, its axis, its sign and its unit.
//! Method:  for a geometric row the multiplier λ is the force or moment of the constraint's first
//! end on the second, along the axis of the row's displacement or about the axis of its angle
//! (`rows`; a test compares every type with the wrenches in the equations). For a formula f it is
//! the generalised force λ ∂f/∂q or λ ∂f/∂v on the speeds.
//! Units:   for a formula with the unit f: N·m/f at position level, N·m/(f·s) at velocity level.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Ends;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::{Body, Placement, Rotation};
use dqdt_algebra::{Dimension, Number};

/// Description of the multiplier of one constraint row: quantity, place, direction and unit. For
/// reports and emitted comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiplier {
    /// Suffix to the name of the constraint, such as `fx`; empty if it has one row.
    pub suffix: String,
    /// `force`, `moment`, or `generalised force` of a formula.
    pub quantity: &'static str,
    /// Text after the quantity: where it acts and in which direction, such as
    /// `on rim at the contact, along its heading …`.
    pub place: String,
    /// SI unit; empty if the unit of the formula is unknown.
    pub unit: String,
}

impl Multiplier {
    /// The complete description of the multiplier, without the unit.
    pub fn description(&self) -> String {
        format!("{} {}", self.quantity, self.place)
    }
}

/// Name of a constraint row: the constraint's name, joined with the suffix if there is one.
pub fn row_name(constraint: &str, suffix: &str) -> String {
    if suffix.is_empty() { constraint.to_owned() } else { format!("{constraint}_{suffix}") }
}

/// Text for a direction: a letter with its sign, such as `−y`, or its components.
pub(super) fn axis_text(axis: AxisVector) -> String {
    let parts: Vec<String> = axis.0.iter().map(Number::to_string).collect();
    let nonzero: Vec<usize> = (0..3).filter(|i| !axis.0[*i].is_zero()).collect();
    match nonzero[..] {
        [i] => format!("{}{}", if axis.0[i].to_f64() < 0.0 { "−" } else { "" }, ["x", "y", "z"][i]),
        _ => format!("[{}]", parts.join(", ")),
    }
}

/// Text for the k-th axis of the triple whose third axis is `axis`.
pub(super) fn triple_axis_text(axis: AxisVector, k: usize) -> String {
    let letters = axis.triple_axis_names();
    if letters[0] != "1" {
        return letters[k].to_owned();
    }
    let (along, across) = (axis_text(axis), axis_text(axis.perpendicular_axis()));
    match k {
        0 => across,
        1 => format!("{along} × {across}"),
        _ => along,
    }
}

/// Data for describing multipliers: names of bodies, and dimensions of formulas if known.
pub struct MultiplierDescriber<'m> {
    /// The bodies of the mechanism.
    /// The bodies of the mechanism.
    pub bodies: &'m [Body],
    /// Dimension of each row that is a formula.
    pub dimensions: &'m [Option<Dimension>],
}

impl MultiplierDescriber<'_> {
    /// Description of the multiplier of a row that is a formula. `work`: dimension of the
    /// multiplier times the formula.
    pub(super) fn describe_formula_multiplier(&self, row: usize, work: Dimension, place: &str) -> Multiplier {
        let unit =
            self.dimensions.get(row).copied().flatten().map(|dimension| work.over(dimension).to_string());
        Multiplier {
            suffix: String::new(),
            quantity: "generalised force",
            place: place.to_owned(),
            unit: unit.unwrap_or_default(),
        }
    }

    /// Name of the body at an end, or "the ground".
    fn body_name(&self, end: &(Option<BodyId>, Placement)) -> String {
        end.0.and_then(|b| self.bodies.get(b.index())).map_or("the ground".to_owned(), |b| b.name.clone())
    }

    /// Both frames of a constraint with the names of their bodies.
    pub(super) fn name_ends<'e>(&self, ends: &'e Ends) -> EndNames<'e> {
        EndNames { ends, from: self.body_name(&ends.from), to: self.body_name(&ends.to) }
    }
}

/// The two frames of a constraint with the names of their bodies.
pub(super) struct EndNames<'e> {
    /// The two frames.
    ends: &'e Ends,
    /// Name of the first body, or "the ground".
    pub from: String,
    /// Name of the second body, or "the ground".
    pub to: String,
}

impl EndNames<'_> {
    /// Text for the axes of a frame: "of rim", or "of the frame on rim" if the frame is rotated.
    fn axes_text(&self, end: &(Option<BodyId>, Placement), name: &str) -> String {
        let turned = end.1.rotation != Rotation::Identity;
        format!("of {}{name}", if turned { "the frame on " } else { "" })
    }

    /// Text for the axes of the first frame, such as "of rim".
    pub fn first_axes_text(&self) -> String {
        self.axes_text(&self.ends.from, &self.from)
    }

    /// Text for the axes of the second frame.
    pub fn second_axes_text(&self) -> String {
        self.axes_text(&self.ends.to, &self.to)
    }

    /// Force of the first body on the second, at a point along a direction, both as text.
    pub fn describe_force(&self, suffix: &str, at: &str, along: &str) -> Multiplier {
        let place = format!("of {} on {} at {at}, along {along}", self.from, self.to);
        Multiplier { suffix: suffix.to_owned(), quantity: "force", place, unit: Dimension::FORCE.to_string() }
    }

    /// Force at the origin of the second frame, along an axis of the first, whose text is `axis`.
    pub fn describe_force_along(&self, letter: &str, axis: &str) -> Multiplier {
        self.describe_force(&format!("f{letter}"), ORIGIN, &format!("{axis} {}", self.first_axes_text()))
    }

    /// Moment of the first body on the second, about an axis with this text.
    pub fn describe_moment(&self, letter: &str, axis: &str) -> Multiplier {
        let place = format!("of {} on {}, about {axis}", self.from, self.to);
        Multiplier {
            suffix: format!("m{letter}"),
            quantity: "moment",
            place,
            unit: Dimension::MOMENT.to_string(),
        }
    }

    /// Moment about an axis of the first frame, with the text of the axis.
    pub fn describe_moment_about(&self, letter: &str, axis: &str) -> Multiplier {
        self.describe_moment(letter, &format!("{axis} {}", self.first_axes_text()))
    }

    /// Descriptions of the forces along the three coordinate axes of the first frame.
    pub fn describe_force_components(&self) -> Vec<Multiplier> {
        ["x", "y", "z"].iter().map(|l| self.describe_force_along(l, l)).collect()
    }

    /// Descriptions of forces along and moments about the selected axes (0 to 2) of a triple whose
    /// third axis is `axis`.
    pub fn describe_forces_and_moments(
        &self,
        axis: AxisVector,
        forces: &[usize],
        moments: &[usize],
    ) -> Vec<Multiplier> {
        let letters = axis.triple_axis_names();
        let force =
            forces.iter().map(|k| self.describe_force_along(letters[*k], &triple_axis_text(axis, *k)));
        force
            .chain(
                moments.iter().map(|k| self.describe_moment_about(letters[*k], &triple_axis_text(axis, *k))),
            )
            .collect()
    }
}

/// Text for the point of application of most constraint forces.
pub(super) const ORIGIN: &str = "the origin of frame `to`";

/// Text for the point where a rolling body touches the plane.
pub(super) const CONTACT: &str = "the contact";

/// Description of the normal force of a plane on a rolling body.
pub(super) fn describe_normal_force(names: &EndNames<'_>, normal: AxisVector) -> Multiplier {
    names.describe_force(
        "fn",
        CONTACT,
        &format!("the normal {} {}", axis_text(normal), names.first_axes_text()),
    )
}
