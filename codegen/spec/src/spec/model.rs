//! Data model of a spec as written.

use super::formula::Expr;
use dqdt_algebra::{Axis, Number, Unit};
use dqdt_diagnostics::base::{Span, Spanned};
use dqdt_mechanics::mechanism::SpeedKind;

/// A name in a spec, with its place in the source; used for entries and references.
pub type Name = Spanned<String>;

/// A number or a formula in a spec, with its text and place.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// The text of the number or formula as written, without quotes.
    pub text: String,
    /// Place of the value in the source, for messages.
    pub span: Option<Span>,
    /// Byte offset of `text` in its source; `None` if escapes in the source make the two differ.
    pub(crate) origin: Option<usize>,
    /// The parsed formula; `None` after a syntax error, which reading has reported.
    pub(crate) expr: Option<Expr>,
}

impl Value {
    /// A value for a number that no source text contains, such as a default.
    pub fn from_number(n: Number) -> Self {
        let text = n.to_string();
        let expr = Some(Expr::from_number(n, text.len()));
        Value { text, span: None, origin: None, expr }
    }

    /// Placeholder for a value that could not be read; the error is already reported.
    pub(crate) fn unreadable(span: Option<Span>) -> Self {
        Value { text: String::new(), span, origin: None, expr: None }
    }

    /// The parsed formula; `None` after a syntax error.
    pub fn expr(&self) -> Option<&Expr> {
        self.expr.as_ref()
    }

    /// Place in the source of the part of the text in a byte range.
    pub(crate) fn part_span(&self, range: &std::ops::Range<usize>) -> Option<Span> {
        let whole = self.span?;
        Some(match self.origin {
            Some(o) => Span::new(whole.source, o + range.start, (o + range.end).max(o + range.start)),
            None => whole,
        })
    }
}

/// A unit of a quantity in a spec, as written, and parsed.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct UnitText {
    pub text: Name,
    pub unit: Unit,
}

/// An entry of `[parameters]`: a number that may change at run time, a constant, or a formula of
/// others.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Parameter {
    pub name: Name,
    pub value: Value,
    pub unit: Option<UnitText>,
    pub description: String,
    pub constant: bool,
    /// True if a command option overrides the value; a formula of other parameters then becomes a
    /// number.
    pub is_overridden: bool,
}

/// An entry of `[tables]`: a function of one argument, given by points.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Table {
    pub name: Name,
    pub x: Spanned<Vec<Value>>,
    pub y: Spanned<Vec<Value>>,
    pub cubic: bool,
    pub x_unit: Option<UnitText>,
    pub y_unit: Option<UnitText>,
}

/// An entry of `[definitions]`: a named formula.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Definition {
    pub name: Name,
    pub value: Value,
}

/// A named point of a body or of the ground, with axes; an entry of `points`.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Point {
    pub name: Name,
    pub at: [Value; 3],
    pub rotation: Option<Rotation>,
    /// True if functions return its twist, Jacobian and accelerations in ground axes rather than
    /// its own.
    pub in_ground_axes: bool,
    pub contact: bool,
}

/// A constant rotation of the axes of a frame, the table `rotation = { … }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Rotation {
    /// Place of the table in the source, for messages.
    pub span: Span,
    /// Representation of the rotation: a sequence of angles or a matrix.
    pub kind: RotationKind,
}

/// Representation of a constant rotation in a spec.
#[derive(Clone, PartialEq, Debug)]
pub enum RotationKind {
    /// Axes of an intrinsic sequence of rotations, and the angles.
    Sequence([Axis; 3], Box<[Value; 3]>),
    /// Matrix that maps components in the rotated axes to those in the original axes, row by row.
    Matrix(Box<[[Value; 3]; 3]>),
}

/// An entry of `[bodies]`: mass, inertia, points and shapes of a rigid body.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Body {
    pub name: Name,
    pub mass: Option<Value>,
    pub center_of_mass: Option<[Value; 3]>,
    pub inertia: Option<Inertia>,
    pub points: Vec<Point>,
    pub shapes: Vec<Shape>,
}

/// An entry of `shapes = { … }`: a solid fixed to a body, for drawings.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Shape {
    pub name: Name,
    pub kind: ShapeKind,
    pub at: Option<Location>,
    pub rotation: Option<Rotation>,
    pub axis: AxisText,
}

/// A solid for drawings, with its dimensions in metres as formulas.
#[derive(Clone, PartialEq, Debug)]
pub enum ShapeKind {
    /// A box: lengths of its sides.
    Box([Value; 3]),
    /// A cylinder: radius and length.
    Cylinder([Value; 2]),
    /// A sphere: radius.
    Sphere(Value),
}

/// An inertia tensor: components xx, yy, zz, xy, xz, yz, and its reference point (`None`: the
/// centre of mass).
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Inertia {
    pub span: Span,
    pub components: [Value; 6],
    pub about: Option<Location>,
}

/// A point of a body, by name or by coordinates. The name `com` is the centre of mass.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Location {
    Named(Name),
    Components(Box<[Value; 3]>),
    /// A named point and an offset from it, in body axes.
    Offset(Name, Box<[Value; 3]>),
}

/// A frame on a body, or on the ground (body name `ground`), with a point and a rotation; an end of
/// a joint or a constraint.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct FrameOn {
    pub body: Name,
    pub at: Option<Location>,
    pub rotation: Option<Rotation>,
}

/// Direction of an axis in exact numbers, of any non-zero length, with its place.
pub type AxisText = Spanned<[Number; 3]>;

/// An entry of `[joints]`: a connection of a parent and a child frame, with its coordinates and
/// speeds.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Joint {
    pub name: Name,
    pub kind: JointKind,
    pub parent: FrameOn,
    pub child: FrameOn,
    pub coordinates: Coordinates,
    pub speeds: Speeds,
    pub armature: Option<Value>,
    pub rotor: Option<Rotor>,
    pub limits: JointLimits,
}

/// The table `limits = { … }` of a joint: position, speed and effort.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct JointLimits {
    pub position: Option<[Value; 2]>,
    pub speed: Option<Value>,
    pub effort: Option<Value>,
}

/// Type of a joint, with the values of the keys that only this type has.
#[derive(Clone, PartialEq, Debug)]
pub struct JointKind {
    /// Value of the key `type`, such as `revolute`.
    pub word: &'static str,
    /// Axes of the joint, in the order of the keys that declare them.
    pub axes: Vec<AxisText>,
    /// Values of the keys that are numbers or formulas, such as `pitch`.
    pub values: Vec<(&'static str, Value)>,
}

/// Initial values of the coordinates or the speeds of a joint, the key `start`.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// A list `start = [ … ]`: values of all variables that are not prescribed.
    Listed(Spanned<Vec<Value>>),
    /// A table `start = { name = … }`: values of some variables.
    Named(Vec<(Name, Value)>),
}

/// A subset of the coordinates or the speeds of a joint, as the keys `hold` and `free` select.
#[derive(Clone, PartialEq, Debug)]
pub enum Selection {
    /// All coordinates or speeds of the joint (`true`), or none of them (`false`).
    Whole(bool),
    /// The coordinates or speeds of the joint with these names.
    Names(Vec<Name>),
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Whole(false)
    }
}

/// The table `coordinates = { … }` of a joint: names, initial values, representation of the
/// attitude.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Coordinates {
    pub span: Option<Span>,
    pub names: Option<Spanned<Vec<Name>>>,
    pub start: Option<Start>,
    /// Prescribed motions of coordinates: formulas of time by name; no name is needed for an only
    /// coordinate.
    pub prescribed: Vec<(Option<Name>, Value)>,
    pub sequence: Option<Spanned<[Axis; 3]>>,
    pub quaternion: bool,
    /// Coordinates whose initial values assembly must keep; the others are guesses.
    pub hold: Selection,
    /// `Some(true)` if the angles of the joint are measured from the ground, `Some(false)` if from
    /// the parent.
    pub from_ground: Option<Spanned<bool>>,
}

/// The table `speeds = { … }` of a joint: names, initial values, type of the speeds.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Speeds {
    pub names: Option<Spanned<Vec<Name>>>,
    pub start: Option<Start>,
    /// Speeds whose initial values are only guesses, which assembly may change.
    pub free: Selection,
    /// Type of the angular speeds of the joint, such as body rates.
    pub kind: Option<Spanned<SpeedKind>>,
    /// True if the linear speeds of a free joint are components in axes of the child.
    pub body_velocity: bool,
}

/// The table `rotor = { … }` of a joint: the rotor of its motor, behind a gear. Its rotation acts
/// on the body that carries it.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Rotor {
    pub span: Span,
    pub inertia: Value,
    pub ratio: Value,
    /// Name of the body that carries the rotor. Required: `None`, as in old specs, is an error with
    /// help on how to migrate.
    pub on: Option<Name>,
    /// Axis of the rotor; by default that of the joint.
    pub axis: Option<AxisText>,
}

/// An entry of `[inputs]`: a force, torque or voltage set by a controller.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Input {
    pub name: Name,
    pub unit: Option<UnitText>,
    pub limits: Option<[Value; 2]>,
    pub default: Option<Value>,
    pub description: String,
    /// Values of the input along a motion, if a command option sets them.
    pub law: Option<Law>,
}

/// Law of an input along a motion: its values, set by a command option.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Law {
    /// A formula of the time and the state, such as that of a controller.
    Formula(Value),
    /// A table over time: linear between points, or piecewise constant if `held`; constant before
    /// and after.
    Table { t: Vec<f64>, values: Vec<f64>, held: bool, place: Span },
}

impl Law {
    /// Place of the command option that set the law.
    pub(crate) fn option_span(&self) -> Option<Span> {
        match self {
            Law::Formula(value) => value.span,
            Law::Table { place, .. } => Some(*place),
        }
    }
}

/// An entry of `[states]`: a user state, with its rate as a formula.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub name: Name,
    pub rate: Value,
    pub start: Option<Value>,
    pub unit: Option<UnitText>,
    pub description: String,
}
