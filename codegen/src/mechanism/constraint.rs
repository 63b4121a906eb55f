//! Constraints between the coordinates or speeds of a tree.

use super::formula::Formula;

/// A named constraint.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Constraint {
    pub name: String,
    pub description: String,
    pub kind: ConstraintKind,
}

/// What is held at zero.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstraintKind {
    /// Holonomic: `Φ(q, t) = 0`.
    Position(Formula),
    /// Nonholonomic: `Ψ(q, v, t) = 0`, linear in the speeds.
    Velocity(Formula),
}
