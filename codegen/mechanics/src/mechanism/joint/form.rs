//! The scalar-independent interface of a joint kind: names, units, picture, and properties of its
//! motion that other stages use.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Axis, Dimension, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Representation of an attitude by coordinates: angles or a quaternion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attitude {
    /// Three angles of an intrinsic sequence; first and last axis may be equal (Euler) or not
    /// (Bryant).
    Sequence([Axis; 3]),
    /// Unit quaternion, scalar first, child to parent.
    Quaternion,
}

/// Definition of the angular speeds of an attitude: coordinate rates, or the angular velocity in
/// one of three sets of axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpeedKind {
    /// The speeds are the coordinate rates (sequences only).
    Rates,
    /// The speeds are the angular velocity of the child relative to the parent, in child axes.
    BodyRates,
    /// The speeds are the angular velocity of the child relative to the parent, in the axes of the
    /// parent's joint frame; with absolute angles in ground axes.
    ParentRates,
    /// The speeds are the angular velocity of the child relative to the parent, in the intermediate
    /// axes after the first two angles, which do not spin with the child (Resal's frame; sequences
    /// only).
    IntermediateRates,
}

impl SpeedKind {
    /// The words for the definitions of angular speeds in the spec format, each with its kind.
    pub const WORDS: [(&'static str, SpeedKind); 4] = [
        ("rates", SpeedKind::Rates),
        ("body_rates", SpeedKind::BodyRates),
        ("parent_rates", SpeedKind::ParentRates),
        ("intermediate_rates", SpeedKind::IntermediateRates),
    ];
}

/// Axes of the linear speeds of a free or planar joint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VelocityFrame {
    /// Axes of the parent's joint frame: the speeds are the rates of the position.
    Parent,
    /// Axes of the child's joint frame: the speeds are components in axes that rotate with the
    /// child.
    Body,
}

/// Name, dimension and description of a local coordinate or speed of a joint kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JointComponent {
    /// Suffix to the joint's name in the name of the component; empty if there is only one.
    pub suffix: &'static str,
    /// Dimension of the component, such as a length.
    pub dimension: Dimension,
    /// Description of the component for readers, such as "displacement along the x axis".
    pub text: &'static str,
}

impl JointComponent {
    /// Component that is an angle \[rad\], or an entry of a quaternion.
    pub const fn angle_component(suffix: &'static str, text: &'static str) -> Self {
        JointComponent { suffix, dimension: Dimension::NONE, text }
    }

    /// Component that is a length \[m\].
    pub const fn length_component(suffix: &'static str, text: &'static str) -> Self {
        JointComponent { suffix, dimension: Dimension::LENGTH, text }
    }

    /// Component that is a velocity \[m/s\].
    pub(super) const fn velocity_component(suffix: &'static str, text: &'static str) -> Self {
        JointComponent { suffix, dimension: Dimension::VELOCITY, text }
    }
}

/// A local speed of a joint: the rate of a coordinate, or a quasi-velocity with its own name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpeedComponent {
    /// The speed is the rate of the local coordinate with this index.
    RateOf(usize),
    /// The speed is a quasi-velocity with its own name and dimension.
    Own(JointComponent),
}

/// Rotation of the child relative to the parent that a joint allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turning {
    /// No rotation of the child relative to the parent.
    Not,
    /// Rotation about this axis only, which has the same components in both joint frames.
    About(AxisVector),
    /// Rotation about several axes.
    Freely,
}

/// Condition under which the joint's angles may be measured from the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundAngles {
    /// The angles can only be measured from the parent.
    Never,
    /// The angles may be measured from the ground only if this axis does not rotate relative to it.
    IfAxisIsFixed(AxisVector),
    /// The angles may always be measured from the ground: the joint leaves the orientation of the
    /// child free.
    Always,
}

/// Motions that the child body's own inertia must resist, so that no pivot of M can vanish in any
/// pose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InertiaRequirement {
    /// Only the motions of the joint: its columns have constant lengths and angles, in the body and
    /// between each other.
    Columns,
    /// All rotations: the axes have a constant angle between each other, but not to the body.
    AllRotations,
    /// All motions of the body, translations and rotations.
    AllMotions,
    /// No inertia suffices: the axes rotate relative to each other.
    Unsatisfiable,
}

/// Error message about axes that the spec format allows but the joint kind does not.
#[derive(Clone, Copy, Debug)]
pub struct InvalidAxes {
    /// Code of the error message, such as `parallel-axes`.
    pub code: &'static str,
    /// Predicate of the sentence "the axes of the joint are …".
    pub predicate: &'static str,
    /// Label at the second axis in the excerpt of the spec, relative to the first.
    pub label: &'static str,
    /// Remedy that the error message suggests.
    pub help: &'static str,
}

/// Values of a joint's keys in a spec that a kind may read, except its ends.
pub struct JointKeyValues<'a> {
    /// Axes of the joint, in the order of the keys.
    pub axes: &'a [AxisVector],
    /// Representation of an attitude, of the key `coordinates` or its default.
    pub attitude: Attitude,
    /// Definition of the angular speeds.
    pub speeds: SpeedKind,
    /// Axes of the linear speeds of a free or planar joint.
    pub frame: VelocityFrame,
    /// Reads the formula of a key, such as `pitch`, which must have the given dimension.
    pub value: &'a mut dyn FnMut(&'static str, Dimension) -> Formula,
}

impl JointKeyValues<'_> {
    /// The axis at position `i` among the keys; z if the spec has failed to give one.
    pub fn axis_or_z(&self, i: usize) -> AxisVector {
        self.axes.get(i).copied().unwrap_or(AxisVector::coordinate_axis(2))
    }
}

/// A source of random joint data for tests.
pub trait Draw {
    /// A random axis, along a coordinate axis or oblique.
    fn random_axis(&mut self) -> AxisVector;
    /// A random constant formula whose value is between these multiples of 1/64.
    fn random_constant(&mut self, low: i64, high: i64) -> Formula;
    /// A random representation of an attitude and definition of its speeds.
    fn random_attitude(&mut self) -> (Attitude, SpeedKind);
    /// A random index below `n`.
    fn below(&mut self, n: usize) -> usize;
}

/// Scalar-independent part of a joint kind: coordinates, speeds, texts, picture and properties that
/// other stages use.
#[doc(hidden)]
pub trait JointForm {
    /// Names and dimensions of the joint's coordinates, in order.
    fn coordinate_components(&self) -> Vec<JointComponent>;

    /// Names and dimensions of the joint's speeds, in order. Default: the rates of its coordinates.
    fn speed_components(&self) -> Vec<SpeedComponent> {
        (0..self.coordinate_components().len()).map(SpeedComponent::RateOf).collect()
    }

    /// Name of the joint kind with its axes, for tables of reports.
    fn describe_kind(&self) -> String;

    /// Symbol for the joint in drawings.
    fn drawing_symbol(&self) -> JointSymbol;

    /// Axis of the joint that a drawing shows, in the joint frame; any length.
    fn drawn_axis(&self) -> Vec3<f64> {
        Vec3::unit_vector(2)
    }

    /// Default axis of a rotor that drives the joint; `None` for kinds without a single driven
    /// axis.
    fn default_rotor_axis(&self) -> Option<AxisVector> {
        None
    }

    /// Index of the attitude's first local coordinate, and its representation; `None` for joints
    /// without an attitude.
    fn attitude_coordinate(&self) -> Option<(usize, Attitude)> {
        None
    }

    /// True if the joint's angular speeds are along axes that do not rotate with the child.
    fn has_non_body_angular_speeds(&self) -> bool {
        false
    }

    /// Rotation of the child relative to the parent that the joint allows.
    fn allowed_rotation(&self) -> Turning;

    /// Condition under which the joint's angles may be measured from the ground.
    fn ground_angle_condition(&self) -> GroundAngles {
        GroundAngles::Never
    }

    /// True if the roll of the child about its axis x is undefined, as with a direction joint: the
    /// child is a line.
    fn leaves_roll_undefined(&self) -> bool {
        false
    }

    /// Message about poses in which the speeds do not give all motions of the joint, with a remedy;
    /// `None` if there are none. `name`: name of the joint; `coordinate`: returns the name of a
    /// local coordinate if it is free.
    fn singular_pose_message(
        &self,
        _name: &str,
        _coordinate: &dyn Fn(usize) -> Option<String>,
    ) -> Option<String> {
        None
    }

    /// The local speed whose diagonal entry of M is the reference size for the pivot of `speed`.
    /// Used to report small pivots.
    fn pivot_scale_speed(&self, speed: usize) -> usize {
        speed
    }

    /// Motions that the child body's own inertia must resist, so that no pivot of M can vanish in
    /// any pose.
    fn inertia_requirement(&self) -> InertiaRequirement {
        InertiaRequirement::Columns
    }

    /// Error about the axes of the joint; `None` if they are valid.
    fn axes_error(&self) -> Option<InvalidAxes> {
        None
    }

    /// Ranges of the coordinates for random poses in tests, away from singularities. A quaternion
    /// is normalised afterwards.
    fn random_coordinate_ranges(&self) -> Vec<(f64, f64)> {
        self.coordinate_components()
            .iter()
            .map(|c| if c.dimension == Dimension::LENGTH { (-0.5, 0.5) } else { (-2.5, 2.5) })
            .collect()
    }
}
