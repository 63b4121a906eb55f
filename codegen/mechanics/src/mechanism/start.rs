//! Start values as the spec gives them, and source spans of constraints, for later stages.

use dqdt_diagnostics::base::Span;

/// Freedom that assembly has to change a start value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StartRole {
    /// No start value in the spec: assembly computes it.
    #[default]
    Open,
    /// The start value is a guess: assembly may change it.
    Guess,
    /// The start value is kept exactly; if that is impossible, assembly reports an error.
    Kept,
}

/// Start value of a coordinate or speed as the spec gives it, with its role.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Given {
    /// Freedom that assembly has to change the start value.
    pub role: StartRole,
    /// Start value at the default parameters, before assembly.
    pub value: f64,
    /// Position of the start value in the text of the spec.
    pub span: Option<Span>,
}

/// Start values of all coordinates and speeds as the spec gives them, in the order of the
/// mechanism.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Starts {
    /// Start values of the coordinates.
    pub coordinates: Vec<Given>,
    /// Start values of the speeds.
    pub speeds: Vec<Given>,
}

impl Starts {
    /// Start values of a mechanism built without a spec: all open, none kept.
    pub fn all_open(coordinates: usize, speeds: usize) -> Self {
        Starts { coordinates: vec![Given::default(); coordinates], speeds: vec![Given::default(); speeds] }
    }
}

/// Places of a constraint in the text of the spec, for messages about it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ConstraintPlace {
    /// Span of the constraint's name in the spec.
    pub name: Option<Span>,
    /// Span of the list of dependent speeds in the spec.
    pub dependent: Option<Span>,
    /// Span of the list of inputs that realise the constraint.
    pub realised_by: Option<Span>,
}
