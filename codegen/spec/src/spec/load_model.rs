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

/// What an output is.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum OutputKind {
    Position { body: Name, at: Option<Location>, frame: Option<FrameOn> },
    Velocity { body: Name, at: Option<Location>, frame: Option<FrameOn> },
    Acceleration { body: Name, at: Option<Location>, frame: Option<FrameOn> },
    SpecificForce { body: Name, at: Option<Location> },
    AngularRate { body: Name, at: Option<Location> },
    JointEffort { joint: Name },
    Energy,
    Formula { value: Value, unit: Option<UnitText> },
}
