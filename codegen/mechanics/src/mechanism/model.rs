//! The parts of a mechanism, which are kept in arenas (`whole`).

pub use super::axis::AxisVector;
pub use super::whole::Mechanism;

use super::formula::Formula;
use super::index::{BodyId, CoordinateId, JointId, SpeedId};
use super::joint::JointKind;
use dqdt_algebra::{Axis, Dimension, Number};

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// The unit of its values, of SI without a factor; empty if none was given.
    pub unit: String,
    /// Dimension, if a unit was given.
    pub dimension: Option<Dimension>,
    /// One line for people.
    pub description: String,
    /// Free, constant or derived.
    pub kind: ParameterKind,
}

/// How a parameter gets its value.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterKind {
    /// Set at run time; the default in SI, exact.
    Free(Number),
    /// Baked in: a formula of numbers and constant parameters before this one.
    Constant(Formula),
    /// Computed in `Model::new` from parameters before this one.
    Derived(Formula),
}

/// A coordinate `q[i]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Coordinate {
    /// Name.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// rad, m or 1.
    pub dimension: Dimension,
    /// Index of the joint.
    pub joint: JointId,
    /// Initial value: numbers and parameters.
    pub start: Formula,
}

/// A speed `v[i]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Speed {
    /// Name.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// rad/s or m/s.
    pub dimension: Dimension,
    /// Index of the joint.
    pub joint: JointId,
    /// Initial value: numbers and parameters.
    pub start: Formula,
}

/// An input `u[i]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Name.
    pub name: String,
    /// The unit of its values, of SI without a factor; empty if none was given.
    pub unit: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Dimension, if a unit was given.
    pub dimension: Option<Dimension>,
    /// Value where none is given.
    pub default: Formula,
    /// Saturation: lower and upper limit; numbers and parameters.
    pub limits: Option<(Formula, Formula)>,
    /// What it is along a motion, of anything, where a command says it: before its limits.
    pub law: Option<Formula>,
}

/// A user state `z[i]`.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Name.
    pub name: String,
    /// The unit of its values, of SI without a factor; empty if none was given.
    pub unit: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Dimension, if a unit was given.
    pub dimension: Option<Dimension>,
    /// Initial value: numbers and parameters.
    pub start: Formula,
    /// `ż`, of anything.
    pub rate: Formula,
}

/// A rigid body. Its frame is the one that the spec writes its points in.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Mass \[kg\]; zero for an intermediate body.
    pub mass: Formula,
    /// Centre of mass in the body frame \[m\].
    pub center_of_mass: [Formula; 3],
    /// Inertia tensor in body axes [kg·m²]: xx, yy, zz, xy, xz, yz (tensor components, so xy = −∫xy dm).
    pub inertia: [Formula; 6],
    /// The point in the body frame that the tensor is about; `None`: the centre of mass.
    pub inertia_about: Option<[Formula; 3]>,
    /// Named points and frames.
    pub points: Vec<Point>,
}

/// A named point, or frame, of a body or of the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Name.
    pub name: String,
    /// Where it is in the frame of its body, or of the ground.
    pub placement: Placement,
    /// Its twist, Jacobian and accelerations are given in ground axes, not in its own.
    pub in_ground_axes: bool,
    /// It is a contact.
    pub contact: bool,
}

/// Where a frame sits in the frame of its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Placement {
    /// Origin, in body axes from the body frame's origin \[m\]; numbers and parameters.
    pub origin: [Formula; 3],
    /// Maps components in the placed frame to components in body axes.
    pub rotation: Rotation,
}

/// A constant rotation; numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Rotation {
    /// None.
    Identity,
    /// Intrinsic sequence.
    Sequence {
        /// Axes in order.
        axes: [Axis; 3],
        /// Angle about each axis \[rad\].
        angles: [Formula; 3],
    },
    /// A matrix by rows. Orthogonal; the spec's check has seen to it.
    Matrix(Box<[[Formula; 3]; 3]>),
}

/// The inboard joint of the body with the same index.
#[derive(Clone, PartialEq, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// Parent body; `None`: the ground.
    pub parent: Option<BodyId>,
    /// Joint frame on the parent.
    pub parent_frame: Placement,
    /// Joint frame on the child.
    pub child_frame: Placement,
    /// True if the orientation is measured from the ground: the rotation part is that of the child's joint frame
    /// relative to the ground, and the parent's angular velocity is not carried over. (Translation, if any, is
    /// along the parent's joint frame as ever.)
    pub absolute: bool,
    /// One slot a joint coordinate, in the order of the kind.
    pub coordinates: Vec<JointVariable<CoordinateId>>,
    /// The names of these, prescribed ones too.
    pub names: Vec<String>,
    /// One slot a joint speed, in the order of the kind.
    pub speeds: Vec<JointVariable<SpeedId>>,
    /// For each joint speed: what is added to the diagonal of M, as MuJoCo and Pinocchio define it. It moves with
    /// nothing but that speed, so no body feels it.
    pub armature: Vec<Option<Formula>>,
    /// Rotor behind a gear, of a joint with one speed.
    pub rotor: Option<Rotor>,
    /// What it stands, of a joint with one coordinate.
    pub limits: JointLimits,
}

/// What a joint stands, as data: no equation keeps to it. Formulas of numbers and constant parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JointLimits {
    /// Lowest and highest value of the coordinate.
    pub position: Option<[Formula; 2]>,
    /// Greatest speed, either way.
    pub speed: Option<Formula>,
    /// Greatest effort along the speed, either way.
    pub effort: Option<Formula>,
}

/// Where the value of a joint coordinate or speed comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum JointVariable<I> {
    /// `q[i]` or `v[i]`.
    Free(I),
    /// Rheonomic: the coordinate is this formula of `t`, numbers and parameters; as a speed: its first derivative.
    Prescribed(Formula),
}

impl<I: Copy> JointVariable<I> {
    /// The index of a free variable.
    pub fn free(&self) -> Option<I> {
        match self {
            JointVariable::Free(i) => Some(*i),
            JointVariable::Prescribed(_) => None,
        }
    }
}

impl<I> JointVariable<I> {
    /// The formula of a prescribed variable.
    pub fn prescribed(&self) -> Option<&Formula> {
        match self {
            JointVariable::Free(_) => None,
            JointVariable::Prescribed(f) => Some(f),
        }
    }
}

/// A rotor that turns `ratio` times as fast as the joint's speed, about an axis of the body it rides on, relative to that
/// body. It is round about its axis, so the mass, the centre and the inertia of the body hold the rotor at rest; what
/// is added is its turning: `T += ½ J (n v)² + J n v (a · ω)` with the angular velocity ω of the body.
#[derive(Clone, PartialEq, Debug)]
pub struct Rotor {
    /// J, about its axis [kg·m²].
    pub inertia: Formula,
    /// n: turns of the rotor for one of the joint, with the sign; of a slide [rad/m].
    pub ratio: Formula,
    /// a, in the joint's frame on the body it rides on.
    pub axis: AxisVector,
    /// The body it rides on.
    pub carrier: Carrier,
}

/// The end of a joint that carries its rotor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// The parent, or the ground.
    Parent,
    /// The child.
    Child,
}

impl Placement {
    /// The body frame itself.
    pub const IDENTITY: Placement =
        Placement { origin: [Formula::ZERO, Formula::ZERO, Formula::ZERO], rotation: Rotation::Identity };

    /// A point without a rotation.
    pub fn at(origin: [Formula; 3]) -> Self {
        Placement { origin, rotation: Rotation::Identity }
    }
}
