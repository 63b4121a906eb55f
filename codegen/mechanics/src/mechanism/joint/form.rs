//! The interface of a kind of joint without a scalar: names, units, picture, and what of its motion other stages ask for.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Axis, Dimension, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// How an attitude is written as coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attitude {
    /// Three angles of an intrinsic sequence; first and last axis may be equal (Euler) or not (Bryant).
    Sequence([Axis; 3]),
    /// Unit quaternion, scalar first, child to parent.
    Quaternion,
}

/// What the angular speeds of an attitude are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpeedKind {
    /// The coordinate rates (sequences only).
    Rates,
    /// Angular velocity of the child relative to the parent, in child axes.
    BodyRates,
    /// The same in the axes of the parent's joint frame; with absolute angles in ground axes.
    ParentRates,
    /// The same in the axes that the first two angles turn, which do not spin with the child
    /// (Resal's frame; sequences only).
    IntermediateRates,
}

impl SpeedKind {
    /// The words of the format, each with its kind.
    pub const WORDS: [(&'static str, SpeedKind); 4] = [
        ("rates", SpeedKind::Rates),
        ("body_rates", SpeedKind::BodyRates),
        ("parent_rates", SpeedKind::ParentRates),
        ("intermediate_rates", SpeedKind::IntermediateRates),
    ];
}

/// Axes of the linear speed of a free joint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VelocityFrame {
    /// The parent's joint frame: the speeds are the rates of the position.
    Parent,
    /// The child's joint frame.
    Body,
}

/// A coordinate or a speed of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JointComponent {
    /// What is added to the joint's name; empty for the only one.
    pub suffix: &'static str,
    /// Dimension.
    pub dimension: Dimension,
    /// What it is.
    pub text: &'static str,
}

impl JointComponent {
    /// An angle \[rad\], or a component of a quaternion.
    pub const fn angle(suffix: &'static str, text: &'static str) -> Self {
        JointComponent { suffix, dimension: Dimension::NONE, text }
    }

    /// A length \[m\].
    pub const fn length(suffix: &'static str, text: &'static str) -> Self {
        JointComponent { suffix, dimension: Dimension::LENGTH, text }
    }
}

/// A speed: the rate of a coordinate of the joint, or a part with a name of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpeedComponent {
    /// The rate of this local coordinate.
    RateOf(usize),
    /// A quasi-velocity.
    Own(JointComponent),
}

/// How a joint turns its child against its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turning {
    /// Not at all.
    Not,
    /// About this axis alone, which has the same components in both frames.
    About(AxisVector),
    /// About several.
    Freely,
}

/// Whether angles may be measured from the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundAngles {
    /// No.
    Never,
    /// Only where this axis stands still in the ground.
    IfAxisStands(AxisVector),
    /// Always: the joint leaves the orientation of the child free.
    Always,
}

/// What must find inertia in the own body, so that a pivot cannot vanish in any pose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resisted {
    /// The motions of the joint: they keep their lengths and angles, in the body and against each other.
    Columns,
    /// All turns: the axes keep their angle to each other, not to the body.
    Turns,
    /// All motions.
    Motions,
    /// Nothing is enough: the motions turn against each other.
    Nothing,
}

/// Axes that a spec may write and the kind cannot use.
#[derive(Clone, Copy, Debug)]
pub struct SenselessAxes {
    /// Code of the message.
    pub code: &'static str,
    /// What the axes are, as in "the axes of the joint are …".
    pub are: &'static str,
    /// At the second axis, about the first.
    pub label: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// What a spec says about a joint beside its ends, as far as the kinds need it.
pub struct Written<'a> {
    /// In the order of the keys.
    pub axes: &'a [AxisVector],
    /// How an attitude is written.
    pub attitude: Attitude,
    /// What the angular speeds of an attitude are.
    pub speeds: SpeedKind,
    /// Axes of linear speeds.
    pub frame: VelocityFrame,
    /// The formula of a key that must have this dimension.
    pub value: &'a mut dyn FnMut(&'static str, Dimension) -> Formula,
}

impl Written<'_> {
    /// The axis with this position; z where the spec has failed to give one.
    pub fn axis(&self, i: usize) -> AxisVector {
        self.axes.get(i).copied().unwrap_or(AxisVector::unit(2))
    }
}

/// A source of random data for tests.
pub trait Draw {
    /// An axis, along a coordinate axis or oblique.
    fn axis(&mut self) -> AxisVector;
    /// A formula of a number between these sixty-fourths.
    fn scalar(&mut self, low: i64, high: i64) -> Formula;
    /// How an attitude is written.
    fn attitude(&mut self) -> (Attitude, SpeedKind);
    /// A position in a list of this length.
    fn below(&mut self, n: usize) -> usize;
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait JointForm {
    /// The local coordinates.
    fn coordinates(&self) -> Vec<JointComponent>;

    /// The local speeds.
    fn speeds(&self) -> Vec<SpeedComponent> {
        (0..self.coordinates().len()).map(SpeedComponent::RateOf).collect()
    }

    /// For tables of reports.
    fn describe(&self) -> String;

    /// What a drawing shows.
    fn symbol(&self) -> JointSymbol;

    /// The axis that a drawing shows, in the joint frame; of any length.
    fn drawn_axis(&self) -> Vec3<f64> {
        Vec3::unit(2)
    }

    /// The axis that a rotor has if none is written; `None` for kinds without a single drive.
    fn drive_axis(&self) -> Option<AxisVector> {
        None
    }

    /// First coordinate of the attitude, and how it is written.
    fn attitude(&self) -> Option<(usize, Attitude)> {
        None
    }

    /// True if the angular speeds of its attitude are along axes that do not turn with the child.
    fn turns_in_other_axes(&self) -> bool {
        false
    }

    /// How it turns.
    fn turning(&self) -> Turning;

    /// Whether its angles may be measured from the ground.
    fn ground_angles(&self) -> GroundAngles {
        GroundAngles::Never
    }

    /// True if the roll of the child about its axis x is undefined: the child is a line.
    fn carries_line(&self) -> bool {
        false
    }

    /// Where its speeds do not give all of its motions, and what to do. `name`: of the joint; `coordinate`: the name of a
    /// local coordinate that is free.
    fn singular(&self, _name: &str, _coordinate: &dyn Fn(usize) -> Option<String>) -> Option<String> {
        None
    }

    /// The local speed whose entry of M's diagonal tells the size that the pivot of a speed has.
    fn size_from(&self, speed: usize) -> usize {
        speed
    }

    /// What must find inertia, so that no pose makes a pivot vanish.
    fn resisted(&self) -> Resisted {
        Resisted::Columns
    }

    /// What is wrong with the axes.
    fn senseless_axes(&self) -> Option<SenselessAxes> {
        None
    }

    /// Ranges of the coordinates of a random pose, off the singular places; a quaternion is made one of unit length.
    fn ranges(&self) -> Vec<(f64, f64)> {
        let range =
            |p: &JointComponent| if p.dimension == Dimension::LENGTH { (-0.5, 0.5) } else { (-2.5, 2.5) };
        self.coordinates().iter().map(range).collect()
    }
}
