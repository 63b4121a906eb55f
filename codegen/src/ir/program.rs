//! What is emitted: functions over one graph, and the layout of their arguments.
//!
//! Plain data. Lowering makes it, passes rebuild it, printers read it.

use std::sync::Arc;

use super::graph::{Graph, NodeId};

/// One entry of a state, input or parameter vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// As the spec has it.
    pub name: String,
    /// Unit text, SI; `1` for none.
    pub unit: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Default or initial value.
    pub value: f64,
}

/// The vectors that emitted functions take.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Names of the rows of [`FunctionKind::PositionConstraints`].
    pub position_rows: Vec<String>,
    /// Names of the rows of [`FunctionKind::VelocityConstraints`].
    pub velocity_rows: Vec<String>,
    /// Speeds that elimination computes from the others.
    pub dependent_speeds: Vec<String>,
    /// Index in `v` of the speeds whose accelerations [`FunctionKind::InverseDynamicsConstrained`] takes; empty where it was
    /// not asked for.
    pub independent_speeds: Vec<usize>,
    /// Of the rows, those whose multiplier the motion does not determine.
    pub undetermined_rows: Vec<String>,
    /// Events, in spec order.
    pub events: Vec<EventSlot>,
    /// Coordinates.
    pub q: Vec<Slot>,
    /// Speeds.
    pub v: Vec<Slot>,
    /// User states.
    pub z: Vec<Slot>,
    /// Inputs.
    pub u: Vec<Slot>,
    /// Free parameters.
    pub p: Vec<Slot>,
    /// Index in `q` of the scalar part of every unit quaternion.
    pub quaternions: Vec<usize>,
}

/// Which way an event function must cross zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Crossing {
    Falling,
    Rising,
    Both,
}

/// What an event does to the motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It ends.
    Ends,
    /// Speeds jump; the event function turns back.
    Bounces,
    /// It goes on to the other side.
    Passes,
}

/// An event.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct EventSlot {
    pub name: String,
    /// One line for people; may be empty.
    pub description: String,
    pub crossing: Crossing,
    pub effect: Effect,
}

/// Shape of an output; values are stored by rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One value.
    Scalar,
    /// `[T; n]`
    Vector(usize),
    /// `[[T; columns]; rows]`
    Matrix(usize, usize),
}

/// A named result of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Identifier, such as `mass_matrix` or `kinetic`.
    pub name: String,
    /// Unit text where it is one unit for all entries, else what the entries are.
    pub unit: String,
    /// One line for people.
    pub description: String,
    /// Shape.
    pub shape: Shape,
    /// One node an entry, by rows.
    pub nodes: Vec<NodeId>,
}

/// Which of the known functions it is; decides name and signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum FunctionKind {
    /// `ẋ = [q̇, v̇, ż]` of `(t, x, u)`; outputs: one vector `dx`.
    Dqdt,
    /// `q̇` of `(t, x)`; outputs: one vector.
    Rates,
    /// `M(q, t)`; outputs: one matrix.
    MassMatrix,
    /// `bias = c − Q(u = 0)` of `(t, x)`; outputs: one vector.
    Bias,
    /// Efforts `M v̇ + c − Q(u = 0)` of `(t, x, v̇)`; outputs: one vector. Accelerations are
    /// [`super::SymbolKind::Acceleration`].
    InverseDynamics,
    /// Efforts `Bᵀ (M v̇ + c − Q(u = 0))` along the independent speeds, of `(t, x, v̇ᵢ)`, where `v̇` fulfils the
    /// constraints; outputs: one vector, by independent speeds. On request only.
    InverseDynamicsConstrained,
    /// Kinetic and potential energy of `(t, x)`; outputs: two scalars.
    Energy,
    /// The outputs of the spec, of `(t, x, u)`; they may need `v̇`, so pivots may be present.
    Outputs,
    /// Positions of named points in the ground frame, of `(t, q)`; outputs: one vector of 3 a point.
    Positions,
    /// The wrench on each body through its inboard joint, of `(t, x, u)`: force and moment about the origin of the joint's
    /// frame on the child, in child axes; outputs: one vector of 6 a joint. On request only.
    Reactions,
    /// Inputs after saturation, of `(t, x, u)`; outputs: one vector. An input was limited where the result differs.
    Saturation,
    /// Multipliers of the constraints, of `(t, x, u)`; outputs: one scalar a row whose reaction is determined.
    Multipliers,
    /// The inputs that realise program constraints, of `(t, x, u)`; outputs: one scalar an input.
    ProgramInputs,
    /// `Φ` and `∂Φ/∂q` of `(t, x)`; outputs: one vector, one matrix.
    PositionConstraints,
    /// `A v + a₀` and A of `(t, x)`, of all rows, at the speeds of the state; outputs: one vector, one matrix.
    VelocityConstraints,
    /// The event functions, of `(t, x, u)`; outputs: one scalar an event.
    Events,
    /// The state right after each event, of `(t, x, u)` right before it; outputs: one vector an event.
    AfterEvents,
    /// Rates at which work is done on the mechanism, of `(t, x, u)`: `Ṫ + V̇` is their sum; outputs: one scalar a load that
    /// has no potential, a drive of a prescribed joint, and one for all constraints. On request only.
    Power,
}

/// A function to emit.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Which.
    pub kind: FunctionKind,
    /// What it computes.
    pub outputs: Vec<Output>,
    /// What must not vanish, for the results to be what they say.
    pub checks: Vec<Check>,
}

/// A divisor: singular where it is not larger than ε times its scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// By the names of the spec.
    pub name: String,
    /// What it means that it vanishes, and what to do.
    pub hint: String,
    /// The divisor.
    pub value: NodeId,
    /// The largest term of the sum that forms it; one for sines and cosines; a constant where other poses tell its size.
    pub scale: NodeId,
    /// It is the square of what vanishes: compared with ε² times its scale.
    pub squared: bool,
}

/// Everything that a printer needs.
#[derive(Debug)]
pub struct Program {
    /// Name of the mechanism, a valid identifier.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// File name of the spec, without folders; empty if it came from the builder.
    pub spec: String,
    /// SHA-256 of the spec text, hexadecimal; empty if it came from the builder.
    pub spec_hash: String,
    /// `kane` or `lagrange`.
    pub formalism: String,
    /// Argument vectors.
    pub layout: Layout,
    /// The operations.
    pub graph: Graph,
    /// The functions asked for, in the order of [`FunctionKind`].
    pub functions: Vec<Function>,
    /// What parameters must fulfil; `None` where nothing is asked.
    pub parameter_checks: Option<Arc<ParameterChecks>>,
}

/// What parameters must fulfil, apart from all that is computed with them.
#[derive(Debug)]
pub struct ParameterChecks {
    /// Faults and what is asked of the values, in order.
    pub conditions: Vec<(String, Condition)>,
    /// A program with one function: the values, one scalar output each.
    pub values: Program,
}

/// What is asked of a value of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Neither infinite nor NaN.
    Finite,
    /// Zero or more.
    NotNegative,
    /// More than zero.
    Positive,
}

impl FunctionKind {
    /// Those that are emitted unless others are asked for, in order.
    pub const ALL: [FunctionKind; 15] = [
        FunctionKind::Dqdt,
        FunctionKind::Rates,
        FunctionKind::MassMatrix,
        FunctionKind::Bias,
        FunctionKind::InverseDynamics,
        FunctionKind::Energy,
        FunctionKind::Outputs,
        FunctionKind::Positions,
        FunctionKind::Saturation,
        FunctionKind::Multipliers,
        FunctionKind::ProgramInputs,
        FunctionKind::PositionConstraints,
        FunctionKind::VelocityConstraints,
        FunctionKind::Events,
        FunctionKind::AfterEvents,
    ];

    /// Those that are emitted when they are asked for by name.
    pub const ON_REQUEST: [FunctionKind; 3] =
        [FunctionKind::Reactions, FunctionKind::Power, FunctionKind::InverseDynamicsConstrained];

    /// The function of a name.
    pub fn by_name(name: &str) -> Option<FunctionKind> {
        FunctionKind::ALL.into_iter().chain(FunctionKind::ON_REQUEST).find(|k| k.name() == name)
    }

    /// The name of the emitted function.
    pub fn name(self) -> &'static str {
        match self {
            FunctionKind::Dqdt => "dqdt",
            FunctionKind::Rates => "rates",
            FunctionKind::MassMatrix => "mass_matrix",
            FunctionKind::Bias => "bias",
            FunctionKind::InverseDynamics => "inverse_dynamics",
            FunctionKind::InverseDynamicsConstrained => "inverse_dynamics_constrained",
            FunctionKind::Energy => "energy",
            FunctionKind::Outputs => "outputs",
            FunctionKind::Events => "events",
            FunctionKind::AfterEvents => "after_events",
            FunctionKind::Power => "power",
            FunctionKind::Positions => "positions",
            FunctionKind::Reactions => "reactions",
            FunctionKind::Saturation => "saturate",
            FunctionKind::Multipliers => "multipliers",
            FunctionKind::ProgramInputs => "program_inputs",
            FunctionKind::PositionConstraints => "position_constraints",
            FunctionKind::VelocityConstraints => "velocity_constraints",
        }
    }
}
