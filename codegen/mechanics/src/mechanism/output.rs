//! Named outputs.

use super::formula::Formula;
use super::index::{BodyId, JointId};
use super::load::VectorFrame;
use super::model::Placement;
use dqdt_algebra::Dimension;

/// A named output.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Name.
    pub name: String,
    /// One line for people; may be empty.
    pub description: String,
    /// What is given out.
    pub kind: OutputKind,
}

/// What is given out.
#[derive(Clone, PartialEq, Debug)]
pub enum OutputKind {
    /// Position of a point from the ground's origin \[m\], components in `frame`.
    Position {
        /// Body.
        body: BodyId,
        /// Point.
        point: Placement,
        /// Axes.
        frame: VectorFrame,
    },
    /// Velocity of a point relative to the ground [m/s].
    Velocity {
        /// Body.
        body: BodyId,
        /// Point.
        point: Placement,
        /// Axes.
        frame: VectorFrame,
    },
    /// Acceleration of a point relative to the ground [m/s²].
    Acceleration {
        /// Body.
        body: BodyId,
        /// Point.
        point: Placement,
        /// Axes.
        frame: VectorFrame,
    },
    /// What an accelerometer reads: acceleration minus gravity [m/s²], in the axes of the placed frame.
    SpecificForce {
        /// Body.
        body: BodyId,
        /// Frame of the sensor.
        point: Placement,
    },
    /// What a gyroscope reads: angular velocity relative to the ground [rad/s], in the axes of the placed frame.
    AngularRate {
        /// Body.
        body: BodyId,
        /// Frame of the sensor.
        point: Placement,
    },
    /// Efforts applied at a joint by actuators, springs, dampers and friction along its free speeds, and by the drives of its
    /// prescribed ones; one value a speed.
    JointEffort {
        /// Joint.
        joint: JointId,
    },
    /// Kinetic, potential and total energy \[J\].
    Energy,
    /// Any formula.
    Formula {
        /// The formula.
        formula: Formula,
        /// Its dimension, as far as it is known.
        dimension: Option<Dimension>,
    },
}
