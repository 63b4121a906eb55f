//! Start values as the spec gives them, and source spans of constraints, for later stages.

use dqdt_diagnostics::base::Span;

/// Freedom that assembly has to change a start value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StartRole {
    /// Not given in the spec: assembly computes it.
    #[default]
    Open,
    /// Given as a guess: assembly may change it.
    Guess,
    /// Kept exactly; if that is impossible, assembly reports an error.
    Kept,
}

/// The start value of a coordinate or speed as the spec gives it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Given {
    /// Freedom that assembly has to change the value.
    pub role: StartRole,
    /// Value at the default parameters, before assembly.
    pub value: f64,
    /// Position of the value in the text of the spec.
    pub span: Option<Span>,
}

/// All start values, in the order of the mechanism.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Starts {
    /// Start values of the coordinates.
    pub coordinates: Vec<Given>,
    /// Start values of the speeds.
    pub speeds: Vec<Given>,
}

impl Starts {
    /// Start values of a mechanism built without a spec: all open, none kept.
    pub fn open(coordinates: usize, speeds: usize) -> Self {
        Starts { coordinates: vec![Given::default(); coordinates], speeds: vec![Given::default(); speeds] }
    }
}

/// Source spans of a constraint, for messages about it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ConstraintPlace {
    /// Span of the constraint's name in the spec.
    pub name: Option<Span>,
    /// Span of the list of dependent speeds in the spec.
    pub dependent: Option<Span>,
    /// Span of the list of inputs that realise the constraint.
    pub realised_by: Option<Span>,
}
