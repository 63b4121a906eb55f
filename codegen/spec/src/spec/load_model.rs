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

/// What a load is.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum LoadKind {
    Force {
        body: Name,
        at: Option<Location>,
        value: Box<[Value; 3]>,
        frame: Option<Box<FrameOn>>,
        reaction: Option<Name>,
    },
    Torque {
        body: Name,
        value: Box<[Value; 3]>,
        frame: Option<Box<FrameOn>>,
        reaction: Option<Name>,
    },
    Spring {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        stiffness: Option<Value>,
        damping: Option<Value>,
        rest_length: Option<Value>,
    },
    LineForce {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        tension: Value,
    },
    JointSpring {
        target: Target,
        stiffness: Option<Value>,
        damping: Option<Value>,
        rest: Option<Value>,
    },
    Actuator {
        target: Target,
        effort: Value,
    },
    GeneralisedForce {
        target: Target,
        value: Value,
    },
    Friction {
        target: Target,
        viscous: Option<Value>,
        coulomb: Option<Value>,
        transition: Option<Value>,
    },
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
