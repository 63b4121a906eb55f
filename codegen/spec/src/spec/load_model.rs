//! Loads and outputs, as written.

use super::model::{FrameOn, Location, Name, UnitText, Value};

/// `[loads]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Load {
    pub name: Name,
    pub kind: LoadKind,
}

/// The joint speed or coordinate that a load acts on.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// The only one of a joint.
    Joint(Name),
    /// By its own name.
    Own(Name),
}

/// The type of a load, with what only loads of this type have.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadKind {
    /// The kind that it is.
    pub kind: &'static str,
    /// The body that it acts on.
    pub body: Option<Name>,
    /// The point that it acts at.
    pub at: Option<Location>,
    /// Its components.
    pub vector: Option<Box<[Value; 3]>>,
    /// Axes of the components.
    pub frame: Option<FrameOn>,
    /// The body that takes the opposite.
    pub reaction: Option<Name>,
    /// One end of a line.
    pub from: Option<FrameOn>,
    /// The other end.
    pub to: Option<FrameOn>,
    /// The joint speed or coordinate that it acts on.
    pub target: Option<Target>,
    /// Its values, by key.
    pub values: Vec<(&'static str, Value)>,
}

impl LoadKind {
    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|(k, _)| *k == key).map(|(_, v)| v)
    }
}

/// `[outputs]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Output {
    pub name: Name,
    pub description: String,
    pub kind: OutputKind,
}

/// The type of an output, with what only outputs of this type have.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputKind {
    /// The kind that it is.
    pub kind: &'static str,
    /// The body that it is about.
    pub body: Option<Name>,
    /// The point that it is about.
    pub at: Option<Location>,
    /// Axes of the components.
    pub frame: Option<FrameOn>,
    /// The joint that it is about.
    pub joint: Option<Name>,
    /// The load that it is about.
    pub load: Option<Name>,
    /// Its formula.
    pub value: Option<Value>,
    /// Unit of the formula.
    pub unit: Option<UnitText>,
}

impl OutputKind {
    /// With nothing but its kind.
    pub fn of(kind: &'static str) -> Self {
        let (body, at, frame, joint, load, value, unit) = (None, None, None, None, None, None, None);
        OutputKind { kind, body, at, frame, joint, load, value, unit }
    }

    /// A formula without a unit.
    pub fn formula(value: Value) -> Self {
        OutputKind { value: Some(value), ..OutputKind::of("formula") }
    }
}
