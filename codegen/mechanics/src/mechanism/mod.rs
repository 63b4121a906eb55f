//! The resolved mechanism: immutable arenas of bodies, joints, loads, constraints, events, outputs.
//!
//! Invariants: parents come before their children; joint `i` is the inboard joint of body `i`;
//! formulas refer to variables by index, not by name.

mod arenas;
mod axis;
pub mod constraint;
mod embedded_loops;
mod ends;
mod environment;
pub mod event;
pub mod exact_turn;
mod formula;
mod formulation;
mod index;
pub mod joint;
pub mod load;
pub mod measure;
mod model;
mod origin;
pub mod output;
mod partition;
mod requirements;
mod resolved;
mod rule;
mod shape;
mod start;
mod table;

pub use arenas::Mechanism;
pub use axis::AxisVector;
pub use constraint::{Constraint, ConstraintKind, Multiplier, Stabilisation, Treatment, row_name};
pub use embedded_loops::find_embedded_loops;
pub use ends::{Dependence, Ends, VectorFrame};
pub use environment::{Environment, Instant, NamedSymbol, Variable};
pub use event::{Crossing, Event, EventKind, Gap};
pub use formula::{Formula, FormulaNames, NamedFormula};
pub use formulation::elimination_groups::{group_equivalent_joints, may_join_parent_group};
pub use formulation::{BodyAxes, EliminationGroups, Formulation, JointOrigins};
pub use index::{BodyId, CoordinateId, JointId, ParameterId, SpeedId};
pub use joint::{Attitude, JointKind, SpeedKind, VelocityFrame};
pub use load::{Load, LoadKind};
pub use measure::{Measure, MeasureArguments, MeasureKind, MeasureSubject};
pub use model::{
    Body, Carrier, Coordinate, Input, Joint, JointLimits, JointVariable, Parameter, ParameterKind, Placement,
    Point, Rotation, Rotor, Speed, State,
};
pub use origin::Origin;
pub use output::{Output, OutputKind};
pub use partition::{Basis, DependentSpeed, EmbeddedLoop, Partition, PivotPlace, RowGroup, RowId, RowIndex};
pub use requirements::{Requirement, collect_requirements};
pub use resolved::Resolved;
pub use rule::Rule;
pub use shape::{Shape, Solid};
pub use start::{ConstraintPlace, Given, StartRole, Starts};
pub use table::Table;
