//! The parts of a [`Mechanism`], the meaning of a spec as plain data: every name is resolved to an
//! index.
//!
//! Bodies are ordered so that a parent precedes its children; `joints[i]` is the inboard joint of
//! `bodies[i]`. All quantities are in SI units and radians. The choices of assembly are separate:
//! they are the [`Partition`], another field of [`Assembled`](super::Assembled).

pub use dqdt_algebra::{Axis, Cmp, Dimension, Func, Func2, Number, PiecewiseCubic, Ratio, Wide};
pub use dqdt_mechanics::mechanism::constraint::kinds::*;
pub use dqdt_mechanics::mechanism::constraint::{
    Constraint, ConstraintKind, Level, Multiplier, Stabilisation, Treatment,
};
pub use dqdt_mechanics::mechanism::joint::kinds::*;
pub use dqdt_mechanics::mechanism::joint::{Attitude, JointKind, SpeedKind, VelocityFrame};
pub use dqdt_mechanics::mechanism::load::kinds::*;
pub use dqdt_mechanics::mechanism::{
    AxisVector, Body, BodyAxes, BodyId, Carrier, Coordinate, CoordinateId, Crossing, DependentSpeed,
    EliminationGroups, Ends, Event, EventKind, Formula, Formulation, Gap, Given, Input, Joint, JointId,
    JointLimits, JointOrigins, JointVariable, Load, LoadKind, Measure, MeasureArguments, MeasureKind,
    MeasureSubject, Mechanism, Output, OutputKind, Parameter, ParameterId, ParameterKind, Partition,
    Placement, Point, Rotation, Rotor, RowGroup, RowIndex, Speed, SpeedId, StartRole, Starts, State,
    Variable, VectorFrame,
};
