//! Starts as the spec gives them, and where things were written, for later stages.

use dqdt_diagnostics::base::Span;

/// What assembly may do with a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StartRole {
    /// The spec does not give it: it is found.
    #[default]
    Open,
    /// The spec gives a guess.
    Guess,
    /// It is kept exactly, or there is an error.
    Kept,
}

/// The start of a coordinate or speed as the spec gives it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Given {
    /// What assembly may do with it.
    pub role: StartRole,
    /// Its value at the default parameters, before assembly.
    pub value: f64,
    /// Where it was written.
    pub span: Option<Span>,
}

/// All starts, in the order of the mechanism.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Starts {
    /// One a coordinate.
    pub coordinates: Vec<Given>,
    /// One a speed.
    pub speeds: Vec<Given>,
}

impl Starts {
    /// Those of a mechanism that no spec stands behind: so many coordinates and speeds, none of them held.
    pub fn open(coordinates: usize, speeds: usize) -> Self {
        Starts { coordinates: vec![Given::default(); coordinates], speeds: vec![Given::default(); speeds] }
    }
}

/// Where a constraint was written: what messages about it point at.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ConstraintPlace {
    /// Its name.
    pub name: Option<Span>,
    /// The dependent speeds that it names.
    pub dependent: Option<Span>,
    /// The inputs that it names.
    pub realised_by: Option<Span>,
}
