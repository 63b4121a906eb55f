//! The arenas.

use super::constraint::{Constraint, RowGroup};
use super::event::Event;
use super::formula::Formula;
use super::joint::JointKind;
use super::load::Load;
use super::output::Output;
use crate::algebra::{Axis, Dimension, Number, Vec3};
use std::fmt;

/// A mechanism with every name resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Mechanism {
    /// A valid identifier.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// In spec order.
    pub parameters: Vec<Parameter>,
    /// In spec order.
    pub coordinates: Vec<Coordinate>,
    /// In spec order.
    pub speeds: Vec<Speed>,
    /// In spec order.
    pub inputs: Vec<Input>,
    /// User states, in spec order.
    pub states: Vec<State>,
    /// Parents before children.
    pub bodies: Vec<Body>,
    /// `joints[i]` is the inboard joint of `bodies[i]`.
    pub joints: Vec<Joint>,
    /// Uniform gravity in ground axes [m/s²]; constants, parameters and `t` only.
    pub gravity: [Formula; 3],
    /// In spec order.
    pub loads: Vec<Load>,
    /// In spec order.
    pub constraints: Vec<Constraint>,
    /// Rows of constraints of which the pose decides which are redundant.
    pub row_groups: Vec<RowGroup>,
    /// In spec order.
    pub events: Vec<Event>,
    /// In spec order.
    pub outputs: Vec<Output>,
    /// Named points of the ground.
    pub ground_points: Vec<Point>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Unit text; empty if none was given.
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
#[allow(missing_docs)]
pub struct Coordinate {
    pub name: String,
    pub description: String,
    /// rad, m or 1.
    pub dimension: Dimension,
    /// Index of the joint.
    pub joint: usize,
    /// Initial value: numbers and parameters.
    pub start: Formula,
}

/// A speed `v[i]`.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Speed {
    pub name: String,
    pub description: String,
    /// rad/s or m/s.
    pub dimension: Dimension,
    /// Index of the joint.
    pub joint: usize,
    /// Initial value: numbers and parameters.
    pub start: Formula,
}

/// An input `u[i]`.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Input {
    pub name: String,
    pub unit: String,
    pub description: String,
    pub dimension: Option<Dimension>,
    /// Value where none is given.
    pub default: Formula,
    /// Saturation: lower and upper limit; numbers and parameters.
    pub limits: Option<(Formula, Formula)>,
}

/// A user state `z[i]`.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub name: String,
    pub unit: String,
    pub description: String,
    pub dimension: Option<Dimension>,
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
#[allow(missing_docs)]
pub struct Point {
    pub name: String,
    pub placement: Placement,
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
    Sequence([Axis; 3], [Formula; 3]),
    /// A matrix by rows. Orthogonal; the spec's check has seen to it.
    Matrix(Box<[[Formula; 3]; 3]>),
}

/// A constant direction, of any non-zero length as written; used normalised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxisVector(pub [Number; 3]);

/// The inboard joint of the body with the same index.
#[derive(Clone, PartialEq, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// Parent body; `None`: the ground.
    pub parent: Option<usize>,
    /// Joint frame on the parent.
    pub parent_frame: Placement,
    /// Joint frame on the child.
    pub child_frame: Placement,
    /// True if the orientation is measured from the ground: the rotation part is that of the child's joint frame
    /// relative to the ground, and the parent's angular velocity is not carried over. (Translation, if any, is
    /// along the parent's joint frame as ever.)
    pub absolute: bool,
    /// One slot a joint coordinate, in the order of the kind.
    pub coordinates: Vec<Slot>,
    /// One slot a joint speed, in the order of the kind.
    pub speeds: Vec<Slot>,
    /// For each joint speed: what is added to the diagonal of M, as MuJoCo and Pinocchio define it. It moves with
    /// nothing but that speed, so no body feels it.
    pub armature: Vec<Option<Formula>>,
    /// Rotor behind a gear, of a joint with one speed.
    pub rotor: Option<Rotor>,
}

/// Where the value of a joint coordinate or speed comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    /// `q[i]` or `v[i]`.
    Free(usize),
    /// Rheonomic: the coordinate is this formula of `t`, numbers and parameters; as a speed: its first derivative.
    Prescribed(Formula),
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

impl AxisVector {
    /// Of whole components.
    pub fn integers(components: [i64; 3]) -> Self {
        AxisVector(components.map(Number::integer))
    }

    /// A coordinate axis.
    pub fn unit(i: usize) -> Self {
        AxisVector(std::array::from_fn(|k| if k == i { Number::ONE } else { Number::ZERO }))
    }

    /// Over doubles, as long as it is written.
    pub fn to_f64(self) -> Vec3<f64> {
        Vec3(self.0.map(Number::to_f64))
    }

    /// The product with another axis, if it has exact numbers.
    pub fn dot(self, other: Self) -> Option<Number> {
        (0..3).try_fold(Number::ZERO, |sum, i| sum.checked_add(self.0[i].checked_mul(other.0[i])?))
    }

    /// The vector product with another axis, if it has exact numbers.
    pub fn cross(self, other: Self) -> Option<Self> {
        let (a, b) = (self.0, other.0);
        let c =
            |i: usize, j: usize| a[i].checked_mul(b[j])?.checked_add(a[j].checked_mul(b[i])?.checked_neg()?);
        Some(AxisVector([c(1, 2)?, c(2, 0)?, c(0, 1)?]))
    }

    /// What the axes of a right-handed triple are called whose third stands along this one: of `±x`, `±y`, `±z` the plain
    /// axes by their letters, else `1`, `2`, `3`.
    pub fn letters(self) -> [&'static str; 3] {
        let nonzero: Vec<usize> = (0..3).filter(|i| !self.0[*i].is_zero()).collect();
        match nonzero[..] {
            [i] => [(i + 1) % 3, (i + 2) % 3, i].map(|i| ["x", "y", "z"][i]),
            _ => ["1", "2", "3"],
        }
    }

    /// The axis `1` of an axis that is none of the plain ones: across x, or across z where it has no other components than
    /// x and y.
    pub fn across(self) -> Self {
        let [x, y, z] = self.0;
        let minus = |n: Number| n.checked_neg().unwrap_or(n);
        AxisVector(if z.is_zero() { [y, minus(x), z] } else { [Number::ZERO, z, minus(y)] })
    }
}

impl fmt::Display for AxisVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        match (0..3).find(|i| *self == AxisVector::unit(*i)) {
            Some(i) => f.write_str(["x", "y", "z"][i]),
            None => write!(f, "({x}, {y}, {z})"),
        }
    }
}

impl Mechanism {
    /// Number of coordinates.
    pub fn nq(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of speeds.
    pub fn nv(&self) -> usize {
        self.speeds.len()
    }

    /// The bodies from `body` to the root, `body` first.
    pub fn path(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(body), |b| self.joints[*b].parent)
    }
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
