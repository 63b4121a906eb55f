//! Parts of a mechanism: parameters, coordinates, speeds, inputs, states, bodies, joints.
//! [`Mechanism`] holds them in arenas.

pub use super::arenas::Mechanism;
pub use super::axis::AxisVector;

use super::formula::Formula;
use super::index::{BodyId, CoordinateId, JointId, SpeedId};
use super::joint::JointKind;
use dqdt_algebra::{Axis, Dimension, Number};

/// A named parameter `p[i]` of a mechanism.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Name of the parameter in the spec.
    pub name: String,
    /// SI unit of the parameter's values, without a factor; empty if the spec gives none.
    pub unit: String,
    /// Dimension of the parameter; `None` if the spec gives no unit.
    pub dimension: Option<Dimension>,
    /// One-line description of the parameter for readers.
    pub description: String,
    /// Source of the parameter's value: free, constant or derived.
    pub kind: ParameterKind,
}

/// Source of a parameter's value.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterKind {
    /// The value is set at run time; the default is exact, in SI.
    Free(Number),
    /// The value is compiled in: a formula of numbers and of constant parameters before this one.
    Constant(Formula),
    /// The value is computed in `Model::new` from parameters before this one.
    Derived(Formula),
}

/// A coordinate `q[i]`: a position variable of a joint.
#[derive(Clone, PartialEq, Debug)]
pub struct Coordinate {
    /// Name of the coordinate in the spec.
    pub name: String,
    /// One-line description of the coordinate for readers.
    pub description: String,
    /// Dimension of the coordinate: angle, length, or none.
    pub dimension: Dimension,
    /// The joint that the coordinate belongs to.
    pub joint: JointId,
    /// Initial value of the coordinate: a formula of numbers and parameters.
    pub start: Formula,
}

/// A speed `v[i]`: the rate of a coordinate, or a quasi-velocity of a joint.
#[derive(Clone, PartialEq, Debug)]
pub struct Speed {
    /// Name of the speed in the spec.
    pub name: String,
    /// One-line description of the speed for readers.
    pub description: String,
    /// Dimension of the speed: angular velocity or velocity.
    pub dimension: Dimension,
    /// The joint that the speed belongs to.
    pub joint: JointId,
    /// Initial value of the speed: a formula of numbers and parameters.
    pub start: Formula,
}

/// An input `u[i]`, such as a motor torque, set by a controller.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Name of the input in the spec.
    pub name: String,
    /// SI unit of the input's values, without a factor; empty if the spec gives none.
    pub unit: String,
    /// One-line description of the input for readers; may be empty.
    pub description: String,
    /// Dimension of the input; `None` if the spec gives no unit.
    pub dimension: Option<Dimension>,
    /// Default value of the input: a formula of numbers and parameters.
    pub default: Formula,
    /// Saturation limits, lower and upper: formulas of numbers and parameters.
    pub limits: Option<(Formula, Formula)>,
    /// Value of the input during a simulation, before saturation, as a formula of any variables.
    /// Set by command-line options; `None` without one.
    pub law: Option<Formula>,
}

/// A user state `z[i]`, such as that of a motor or filter, with its rate as a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Name of the user state in the spec.
    pub name: String,
    /// SI unit of the state's values, without a factor; empty if the spec gives none.
    pub unit: String,
    /// One-line description of the user state for readers; may be empty.
    pub description: String,
    /// Dimension of the state; `None` if the spec gives no unit.
    pub dimension: Option<Dimension>,
    /// Initial value of the user state: a formula of numbers and parameters.
    pub start: Formula,
    /// Rate `ż` of the user state, a formula of any variables.
    pub rate: Formula,
}

/// A rigid body. Its points are given in the body frame of the spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// Name of the body in the spec.
    pub name: String,
    /// Mass of the body \[kg\]; zero for an intermediate body.
    pub mass: Formula,
    /// Centre of mass in the body frame \[m\].
    pub center_of_mass: [Formula; 3],
    /// Inertia tensor in body axes \[kg·m²\]: xx, yy, zz, xy, xz, yz (tensor components, so xy =
    /// −∫xy dm).
    pub inertia: [Formula; 6],
    /// Reference point of the inertia tensor, in the body frame; `None`: the centre of mass.
    pub inertia_about: Option<[Formula; 3]>,
    /// Named points and frames fixed on the body.
    pub points: Vec<Point>,
}

/// A named point, or frame, of a body or of the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Name of the point in the spec.
    pub name: String,
    /// Pose of the point in the frame of its body, or of the ground.
    pub placement: Placement,
    /// True if the point's twist, Jacobian and accelerations are emitted in ground axes rather than
    /// in its own.
    pub in_ground_axes: bool,
    /// True if the point is a contact point, for which contact Jacobians are emitted.
    pub contact: bool,
}

/// Constant pose of a frame in the frame of its body (or of the ground).
#[derive(Clone, PartialEq, Debug)]
pub struct Placement {
    /// Origin, in body axes from the body frame's origin \[m\]; formulas of numbers and parameters.
    pub origin: [Formula; 3],
    /// Rotation matrix from the placed frame to body axes.
    pub rotation: Rotation,
}

/// A constant rotation between a placed frame and its body; formulas of numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Rotation {
    /// The axes of both frames coincide.
    Identity,
    /// Intrinsic sequence of three rotations about coordinate axes.
    Sequence {
        /// Axes of the three rotations, in order.
        axes: [Axis; 3],
        /// Angle about each of these axes \[rad\].
        angles: [Formula; 3],
    },
    /// A rotation matrix by rows. The spec's check ensures that it is orthogonal.
    Matrix(Box<[[Formula; 3]; 3]>),
}

/// A joint: the inboard joint of the body with the same index.
#[derive(Clone, PartialEq, Debug)]
pub struct Joint {
    /// Name of the joint in the spec.
    pub name: String,
    /// Kind of the joint, such as revolute, with its axes.
    pub kind: JointKind,
    /// Parent body of the joint; `None` for the ground.
    pub parent: Option<BodyId>,
    /// Placement of the joint frame P on the parent.
    pub parent_frame: Placement,
    /// Placement of the joint frame C on the child.
    pub child_frame: Placement,
    /// True if the orientation is measured from the ground: the joint's rotation is that of the
    /// child's joint frame relative to the ground, and the parent's angular velocity is not carried
    /// over. A translation is still along the parent's joint frame.
    pub absolute: bool,
    /// Coordinates of the joint, free or prescribed, in the order of its kind.
    pub coordinates: Vec<JointVariable<CoordinateId>>,
    /// Names of the joint coordinates, prescribed ones included.
    pub names: Vec<String>,
    /// Speeds of the joint, free or prescribed, in the order of its kind.
    pub speeds: Vec<JointVariable<SpeedId>>,
    /// Armature of each joint speed: inertia added to the diagonal of M, as MuJoCo and Pinocchio
    /// define it. It moves with that speed only and exerts no reaction on any body.
    pub armature: Vec<Option<Formula>>,
    /// Geared rotor that the joint drives; only for joints with one speed.
    pub rotor: Option<Rotor>,
    /// Limits of the joint, not enforced; only for joints with one coordinate.
    pub limits: JointLimits,
}

/// Joint limits, as data; `None` is unlimited. Not enforced by the equations. Formulas of numbers
/// and constant parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JointLimits {
    /// Lowest and highest value of the coordinate \[rad or m\].
    pub position: Option<[Formula; 2]>,
    /// Largest magnitude of the joint's speed \[rad/s or m/s\].
    pub speed: Option<Formula>,
    /// Largest magnitude of the joint's effort \[N·m or N\].
    pub effort: Option<Formula>,
}

/// A joint coordinate or speed: free, or prescribed as a function of time.
#[derive(Clone, PartialEq, Debug)]
pub enum JointVariable<I> {
    /// A free variable, `q[i]` or `v[i]`.
    Free(I),
    /// A prescribed (rheonomic) variable: the coordinate is this formula of `t`, numbers and
    /// parameters. For a speed, the value is the formula's first derivative.
    Prescribed(Formula),
}

impl<I: Copy> JointVariable<I> {
    /// Index of a free variable; `None` if it is prescribed.
    pub fn free_index(&self) -> Option<I> {
        match self {
            JointVariable::Free(i) => Some(*i),
            JointVariable::Prescribed(_) => None,
        }
    }
}

impl<I> JointVariable<I> {
    /// Formula of a prescribed variable; `None` if it is free.
    pub fn prescribed_formula(&self) -> Option<&Formula> {
        match self {
            JointVariable::Free(_) => None,
            JointVariable::Prescribed(f) => Some(f),
        }
    }
}

/// A geared rotor that turns at `ratio` times the joint's speed, about an axis of its carrier and
/// relative to it. The rotor is axisymmetric, so the carrier's mass, centre and inertia include it
/// at rest. The relative rotation adds `T += ½ J (n v)² + J n v (a · ω)`, where ω is the angular
/// velocity of the carrier.
#[derive(Clone, PartialEq, Debug)]
pub struct Rotor {
    /// Moment of inertia J of the rotor about its axis \[kg·m²\].
    pub inertia: Formula,
    /// Gear ratio n, signed: turns of the rotor for one turn of the joint; for a prismatic joint
    /// \[rad/m\].
    pub ratio: Formula,
    /// Axis a of the rotor, in the joint frame on the carrier.
    pub axis: AxisVector,
    /// End of the joint whose body carries the rotor.
    pub carrier: Carrier,
}

/// End of a joint whose body carries the joint's rotor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// The rotor is carried by the joint's parent body, or the ground.
    Parent,
    /// The rotor is carried by the joint's child body.
    Child,
}

impl Placement {
    /// The placement that coincides with the body frame.
    pub const IDENTITY: Placement =
        Placement { origin: [Formula::ZERO, Formula::ZERO, Formula::ZERO], rotation: Rotation::Identity };

    /// A placement at `origin` without rotation.
    pub fn at_origin(origin: [Formula; 3]) -> Self {
        Placement { origin, rotation: Rotation::Identity }
    }
}
