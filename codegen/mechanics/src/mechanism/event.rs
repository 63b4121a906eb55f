//! Events: where the motion ends, jumps, or goes on under other rules.

use super::formula::Formula;
use super::index::BodyId;
use super::model::{AxisVector, Placement};
use dqdt_algebra::Dimension;

/// A named event.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Name.
    pub name: String,
    /// One line for people; may be empty.
    pub description: String,
    /// What crosses zero.
    pub function: EventFunction,
    /// Which way the function crosses zero.
    pub crossing: Crossing,
    /// What happens then.
    pub action: EventAction,
}

/// A function of time, state and inputs.
#[derive(Clone, PartialEq, Debug)]
pub enum EventFunction {
    /// As the spec has it.
    Formula {
        /// The formula.
        formula: Formula,
        /// Its dimension, as far as it is known.
        dimension: Option<Dimension>,
    },
    /// Distance of a point from a plane, less a radius \[m\].
    Gap(Box<Gap>),
}

/// A point of a body over a plane.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// Body with the point.
    pub body: BodyId,
    /// The point.
    pub point: Placement,
    /// Body with the plane; `None`: the ground.
    pub plane: Option<BodyId>,
    /// A point of the plane.
    pub origin: Placement,
    /// Out of the plane, in the axes of `origin`.
    pub normal: AxisVector,
    /// Of a ball around the point \[m\]; numbers and parameters.
    pub radius: Formula,
}

/// Which way through zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// From above to below.
    Falling,
    /// From below to above.
    Rising,
    /// Either way.
    Both,
}

/// What happens.
#[derive(Clone, PartialEq, Debug)]
pub enum EventAction {
    /// The motion ends.
    End,
    /// User states and their new values.
    Switch(Vec<(usize, Formula)>),
    /// Speeds jump: the event function, of `q` and `t` alone, turns back with this share of the rate that it came with.
    Impact(Formula),
}
