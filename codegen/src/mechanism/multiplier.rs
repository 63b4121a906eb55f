//! What the multiplier of each row of a constraint is: a force or a moment, on which body, where, along which axis.
//!
//! Problem: a multiplier is a number; who uses it must know its body, its axis, its sign and its unit.
//! Method:  of a geometric row the multiplier λ is the force or moment of the first of the constraint's ends on the second,
//! along the vector that the row is a displacement along or an angle about (`kinematics::patterns`, which takes the names
//! of rows from here; a test compares every type with the wrenches that the equations use). Of a formula f it is the
//! generalised force λ ∂f/∂q or λ ∂f/∂v on the speeds.
//! Units:   of a formula with the unit f: N·m/f at the level of positions, N·m/(f·s) at that of speeds.

use super::constraint::{Closure, Constraint, ConstraintKind};
use super::load::Ends;
use super::model::{AxisVector, Body, Placement, Rotation};
use crate::algebra::{Dimension, Number};

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
fn axis_text(axis: AxisVector) -> String {
    let parts: Vec<String> = axis.0.iter().map(Number::to_string).collect();
    let nonzero: Vec<usize> = (0..3).filter(|i| !axis.0[*i].is_zero()).collect();
    match nonzero[..] {
        [i] => format!("{}{}", if axis.0[i].to_f64() < 0.0 { "−" } else { "" }, ["x", "y", "z"][i]),
        _ => format!("[{}]", parts.join(", ")),
    }
}

/// The k-th axis of the triple about an axis, in words.
fn of_triple(axis: AxisVector, k: usize) -> String {
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

/// Names of what a constraint holds together.
struct Names<'m> {
    bodies: &'m [Body],
    ends: &'m Ends,
}

impl Names<'_> {
    fn body(&self, body: Option<usize>) -> String {
        body.and_then(|b| self.bodies.get(b)).map_or("the ground".to_owned(), |b| b.name.clone())
    }

    fn to(&self) -> String {
        self.body(self.ends.to.0)
    }

    fn from(&self) -> String {
        self.body(self.ends.from.0)
    }

    fn axes(&self, end: &(Option<usize>, Placement)) -> String {
        let turned = end.1.rotation != Rotation::Identity;
        format!("of {}{}", if turned { "the frame on " } else { "" }, self.body(end.0))
    }

    fn force(&self, suffix: String, at: &str, along: &str) -> Multiplier {
        let place = format!("of {} on {} at {at}, along {along}", self.from(), self.to());
        Multiplier { suffix, quantity: "force", place, unit: Dimension::FORCE.to_string() }
    }

    /// At the origin of the second frame, along an axis of the first.
    fn along(&self, letter: &str, axis: &str) -> Multiplier {
        let along = format!("{axis} {}", self.axes(&self.ends.from));
        self.force(format!("f{letter}"), "the origin of `to`", &along)
    }

    fn moment(&self, letter: &str, axis: &str) -> Multiplier {
        let place = format!("of {} on {}, about {axis}", self.from(), self.to());
        Multiplier {
            suffix: format!("m{letter}"),
            quantity: "moment",
            place,
            unit: Dimension::MOMENT.to_string(),
        }
    }

    fn about(&self, letter: &str, axis: &str) -> Multiplier {
        self.moment(letter, &format!("{axis} {}", self.axes(&self.ends.from)))
    }

    fn everywhere(&self) -> Vec<Multiplier> {
        ["x", "y", "z"].iter().map(|l| self.along(l, l)).collect()
    }

    fn triple(&self, axis: AxisVector, forces: &[usize], moments: &[usize]) -> Vec<Multiplier> {
        let letters = axis.letters();
        let force = forces.iter().map(|k| self.along(letters[*k], &of_triple(axis, *k)));
        force.chain(moments.iter().map(|k| self.about(letters[*k], &of_triple(axis, *k)))).collect()
    }

    fn closure(&self, closure: &Closure) -> Vec<Multiplier> {
        match closure {
            Closure::Weld => {
                let mut rows = self.everywhere();
                rows.extend(["x", "y", "z"].map(|l| self.about(l, l)));
                rows
            }
            Closure::Revolute(axis) => {
                let mut rows = self.everywhere();
                rows.extend(self.triple(*axis, &[], &[0, 1]));
                rows
            }
            Closure::Spherical => self.everywhere(),
            Closure::Universal(first, second) => {
                let mut rows = self.everywhere();
                let (second_of, first_of) = (self.axes(&self.ends.to), self.axes(&self.ends.from));
                let axis = format!(
                    "the normal of both axes, {} {second_of} × {} {first_of}",
                    axis_text(*second),
                    axis_text(*first),
                );
                rows.push(self.moment("", &axis));
                rows
            }
            Closure::Prismatic(axis) => self.triple(*axis, &[0, 1], &[0, 1, 2]),
            Closure::Cylindrical(axis) => self.triple(*axis, &[0, 1], &[0, 1]),
            Closure::Helical(axis, _) => {
                let mut rows = self.triple(*axis, &[0, 1], &[0, 1]);
                let along = format!(
                    "{} {}, with the moment −pitch · λ about it",
                    of_triple(*axis, 2),
                    self.axes(&self.ends.from)
                );
                rows.push(self.force(format!("f{}", axis.letters()[2]), "the origin of `to`", &along));
                rows
            }
            Closure::Planar(normal) => self.triple(*normal, &[2], &[0, 1]),
            Closure::PlanarRevolute(normal) => self.triple(*normal, &[0, 1], &[]),
            Closure::PlanarPrismatic(axis, normal) => {
                let across = format!("{} × {}", axis_text(*normal), axis_text(*axis));
                vec![self.along("", &across), self.about("", &axis_text(*normal))]
            }
        }
    }

    fn rolling(&self, normal: AxisVector, axle: Option<AxisVector>) -> Vec<Multiplier> {
        let normal_text = format!("the normal {} {}", axis_text(normal), self.axes(&self.ends.from));
        let at = "the contact";
        let mut rows = match axle {
            None => (0..2)
                .map(|k| {
                    let along = format!("{} {}", of_triple(normal, k), self.axes(&self.ends.from));
                    self.force(format!("f{}", normal.letters()[k]), at, &along)
                })
                .collect(),
            Some(axle) => {
                let heading = format!("the heading: axle {} × normal", axis_text(axle));
                vec![
                    self.force("f_along".to_owned(), at, &heading),
                    self.force(
                        "f_across".to_owned(),
                        at,
                        "normal × heading: the axle as seen along the normal",
                    ),
                ]
            }
        };
        rows.push(self.force("fn".to_owned(), at, &normal_text));
        rows
    }
}

impl Constraint {
    /// The multiplier of each row, by row; `bodies` are those of the mechanism.
    pub fn multipliers(&self, bodies: &[Body]) -> Vec<Multiplier> {
        let names = |ends| Names { bodies, ends };
        let plain = |one: Multiplier| vec![Multiplier { suffix: String::new(), ..one }];
        match &self.kind {
            ConstraintKind::Position(_) => {
                vec![self.of_formula(0, "on the speeds, λ ∂f/∂q of its formula f")]
            }
            ConstraintKind::Velocity(_) => {
                vec![self.of_formula(0, "on the speeds, λ ∂f/∂v of its formula f")]
            }
            ConstraintKind::Closure(closure, ends) => names(ends).closure(closure),
            ConstraintKind::Distance(ends, _) => {
                let from = names(ends).from();
                let along = format!("the line away from the origin on {from}: positive pushes");
                plain(names(ends).force(String::new(), "the origin of `to`", &along))
            }
            ConstraintKind::PointOnLine(ends, axis) => names(ends).triple(*axis, &[0, 1], &[]),
            ConstraintKind::PointOnPlane(ends, normal) => {
                plain(names(ends).along("", &format!("the normal {}", axis_text(*normal))))
            }
            ConstraintKind::PointOnSurface(ends, formulas) => {
                let (from, to) = (names(ends).from(), names(ends).to());
                let place = format!(
                    "λ ∇f of {from} on {to} at the origin of `to`, f the formula, in x, y, z {}",
                    names(ends).axes(&ends.from)
                );
                let suffix = |i: usize| if formulas.len() > 1 { (i + 1).to_string() } else { String::new() };
                let row =
                    |i| Multiplier { suffix: suffix(i), quantity: "force", ..self.of_formula(i, &place) };
                (0..formulas.len()).map(row).collect()
            }
            ConstraintKind::KnifeEdge(ends, axis) => {
                let along = format!("{} {}", axis_text(*axis), names(ends).axes(&ends.to));
                plain(names(ends).force(String::new(), "the origin of `to`", &along))
            }
            ConstraintKind::Rolling { ends, normal, axle, .. } => names(ends).rolling(*normal, *axle),
        }
    }

    fn of_formula(&self, row: usize, place: &str) -> Multiplier {
        let unit = self.dimensions.get(row).copied().flatten().map(|of| {
            let work = match &self.kind {
                ConstraintKind::Velocity(_) => Dimension::MOMENT.over(Dimension::TIME),
                _ => Dimension::MOMENT,
            };
            work.over(of).to_string()
        });
        Multiplier {
            suffix: String::new(),
            quantity: "generalised force",
            place: place.to_owned(),
            unit: unit.unwrap_or_default(),
        }
    }
}
