//! The data of a spec, as written.

use super::formula::Expr;
use dqdt_algebra::{Axis, Number, Unit};
use dqdt_diagnostics::base::{Span, Spanned};
use dqdt_mechanics::mechanism::SpeedKind;

/// A name and where it was written.
pub type Name = Spanned<String>;

/// A number or a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// As written, without quotes.
    pub text: String,
    /// Where.
    pub span: Option<Span>,
    /// The byte at which `text` stands in its source; `None` if escapes changed it.
    pub(crate) origin: Option<usize>,
    /// The formula; `None` if the text is none (reading has said so).
    pub(crate) expr: Option<Expr>,
}

impl Value {
    /// A number that no file holds.
    pub fn number(n: Number) -> Self {
        let text = n.to_string();
        let expr = Some(Expr::number(n, text.len()));
        Value { text, span: None, origin: None, expr }
    }

    /// A value that could not be read.
    pub(crate) fn broken(span: Option<Span>) -> Self {
        Value { text: String::new(), span, origin: None, expr: None }
    }

    /// The formula, if the text is one.
    pub fn expr(&self) -> Option<&Expr> {
        self.expr.as_ref()
    }

    /// The place of a part of the text.
    pub(crate) fn part(&self, range: &std::ops::Range<usize>) -> Option<Span> {
        let whole = self.span?;
        Some(match self.origin {
            Some(o) => Span::new(whole.source, o + range.start, (o + range.end).max(o + range.start)),
            None => whole,
        })
    }
}

/// A unit as written.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct UnitText {
    pub text: Name,
    pub unit: Unit,
}

/// `[parameters]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Parameter {
    pub name: Name,
    pub value: Value,
    pub unit: Option<UnitText>,
    pub description: String,
    pub constant: bool,
    /// The value comes from a command: a formula of others is a number then.
    pub given: bool,
}

/// `[tables]`
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

/// `[definitions]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Definition {
    pub name: Name,
    pub value: Value,
}

/// A named point or frame.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Point {
    pub name: Name,
    pub at: [Value; 3],
    pub rotation: Option<Rotation>,
    /// Twists, Jacobians and accelerations are in ground axes.
    pub in_ground_axes: bool,
    pub contact: bool,
}

/// Turned axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Rotation {
    /// Where.
    pub span: Span,
    /// How.
    pub kind: RotationKind,
}

/// How axes are turned.
#[derive(Clone, PartialEq, Debug)]
pub enum RotationKind {
    /// Intrinsic sequence and its angles.
    Sequence([Axis; 3], Box<[Value; 3]>),
    /// Rows of the matrix.
    Matrix(Box<[[Value; 3]; 3]>),
}

/// `[bodies]`
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

/// `shapes = { … }`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Shape {
    pub name: Name,
    pub kind: ShapeKind,
    pub at: Option<Location>,
    pub rotation: Option<Rotation>,
    pub axis: AxisText,
}

/// A solid.
#[derive(Clone, PartialEq, Debug)]
pub enum ShapeKind {
    /// Sides.
    Box([Value; 3]),
    /// Radius and length.
    Cylinder([Value; 2]),
    /// Radius.
    Sphere(Value),
}

/// xx, yy, zz, xy, xz, yz and the point that they are about (`None`: the centre of mass).
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Inertia {
    pub span: Span,
    pub components: [Value; 6],
    pub about: Option<Location>,
}

/// A point of a body: by name, or where it is. The name `com` means the centre of mass.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Location {
    Named(Name),
    Components(Box<[Value; 3]>),
    /// From a named point on, in the axes of the body.
    Offset(Name, Box<[Value; 3]>),
}

/// A frame on a body or on the ground (the name `ground`).
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct FrameOn {
    pub body: Name,
    pub at: Option<Location>,
    pub rotation: Option<Rotation>,
}

/// An exact direction of any non-zero length.
pub type AxisText = Spanned<[Number; 3]>;

/// `[joints]`
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

/// `limits = { … }` of a joint.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct JointLimits {
    pub position: Option<[Value; 2]>,
    pub speed: Option<Value>,
    pub effort: Option<Value>,
}

/// The kind of a joint, with what only joints of this kind have.
#[derive(Clone, PartialEq, Debug)]
pub struct JointKind {
    /// The word of the format.
    pub word: &'static str,
    /// Its axes, in the order of the keys.
    pub axes: Vec<AxisText>,
    /// Its values, by key.
    pub values: Vec<(&'static str, Value)>,
}

/// Initial values.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// `start = [ … ]`: of all that are not prescribed.
    Listed(Spanned<Vec<Value>>),
    /// `start = { name = … }`: of some.
    Named(Vec<(Name, Value)>),
}

/// Some of the coordinates or speeds of a joint.
#[derive(Clone, PartialEq, Debug)]
pub enum Selection {
    /// `true` or `false`: all or none.
    Whole(bool),
    /// Those with these names.
    Names(Vec<Name>),
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Whole(false)
    }
}

/// `coordinates = { … }`
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Coordinates {
    pub span: Option<Span>,
    pub names: Option<Spanned<Vec<Name>>>,
    pub start: Option<Start>,
    /// By name, or without one for the only coordinate.
    pub prescribed: Vec<(Option<Name>, Value)>,
    pub sequence: Option<Spanned<[Axis; 3]>>,
    pub quaternion: bool,
    /// Those whose start assembly keeps.
    pub hold: Selection,
    /// `Some(true)` for the ground.
    pub from_ground: Option<Spanned<bool>>,
}

/// `speeds = { … }`
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Speeds {
    pub names: Option<Spanned<Vec<Name>>>,
    pub start: Option<Start>,
    /// Those whose start is a guess.
    pub free: Selection,
    /// What angular speeds are.
    pub kind: Option<Spanned<SpeedKind>>,
    /// True if the linear speeds of a free joint are in child axes.
    pub body_velocity: bool,
}

/// `rotor = { … }`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Rotor {
    pub span: Span,
    pub inertia: Value,
    pub ratio: Value,
    /// The body it rides on; `None` in specs of the time when a rotor was an armature.
    pub on: Option<Name>,
    /// Default: the axis of the joint.
    pub axis: Option<AxisText>,
}

/// `[inputs]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Input {
    pub name: Name,
    pub unit: Option<UnitText>,
    pub limits: Option<[Value; 2]>,
    pub default: Option<Value>,
    pub description: String,
    /// What a command says that it is along a motion.
    pub law: Option<Law>,
}

/// What an input is along a motion.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Law {
    /// Of the time and the state.
    Formula(Value),
    /// By time: straight between the points unless `held`, the values at the ends before and after.
    Table { t: Vec<f64>, values: Vec<f64>, held: bool, place: Span },
}

impl Law {
    /// Where it was given.
    pub(crate) fn place(&self) -> Option<Span> {
        match self {
            Law::Formula(value) => value.span,
            Law::Table { place, .. } => Some(*place),
        }
    }
}

/// `[states]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub name: Name,
    pub rate: Value,
    pub start: Option<Value>,
    pub unit: Option<UnitText>,
    pub description: String,
}
