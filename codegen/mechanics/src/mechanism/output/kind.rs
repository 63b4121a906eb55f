//! The interface of a kind of output, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`OutputForm`] (facts, text) and
//! [`OutputMechanics`] (its value over any scalar, reading). One list delegates to the kinds:
//! `output_kinds!` in `mod.rs`. The keys of a type in a spec are a file of `spec/output_keys`.

pub use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::VectorFrame;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, JointId};
use crate::mechanism::model::Placement;
use dqdt_algebra::{Dimension, Mat3, Scalar, Vec3};

/// The meaning of an output, for people. A new one: a line here, and its words in `output` of
/// `equations/src/inspect/tables.rs`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Meaning<'o> {
    /// A quantity of a point of a body, in axes, with its unit. `None`: a scalar, or axes that the
    /// quantity has by itself.
    OfPoint(&'static str, BodyId, &'o Placement, Option<&'o VectorFrame>, &'static str),
    /// A quantity of a joint.
    OfJoint(&'static str, JointId),
    /// A quantity of the whole, with its unit.
    Whole(&'static str),
    /// A quantity of a load, with its unit.
    OfLoad(&'static str, &'o str, &'static str),
    /// A formula, with its dimension as far as it is known.
    Formula(&'o Formula, Option<Dimension>),
}

/// The value of an output, with its unit.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Measured<S> {
    /// Unit text, SI; one that differs between entries is given for each, with commas.
    pub unit: String,
    /// Values.
    pub entries: Entries<S>,
}

/// Values, each with what it is.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Entries<S> {
    /// One value, called as the output.
    One(S),
    /// Values with their labels.
    Each(Vec<(String, S)>),
}

impl<S> Measured<S> {
    /// One value.
    pub fn one(unit: impl Into<String>, x: S) -> Self {
        Measured { unit: unit.into(), entries: Entries::One(x) }
    }

    /// Values of one unit.
    pub fn each<const N: usize>(unit: &str, labels: [&str; N], x: [S; N]) -> Self {
        let entries = labels.map(str::to_owned).into_iter().zip(x).collect();
        Measured { unit: unit.to_owned(), entries: Entries::Each(entries) }
    }

    /// A vector.
    pub fn vector(unit: &str, x: Vec3<S>) -> Self {
        Measured::each(unit, ["x", "y", "z"], x.0)
    }
}

/// The effort along one speed of a joint.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct JointEntry<S> {
    /// Name of the speed.
    pub label: String,
    /// True if the speed is a velocity: the effort is a force.
    pub is_force: bool,
    /// The effort.
    pub effort: S,
}

/// A mechanism in motion. Vectors of a body are in its axes, arms are from its pole.
///
/// Implemented in `formalism/quantities/outputs.rs`. To add a quantity: a method here, and its
/// value there.
#[doc(hidden)]
pub trait OutputContext<S: Scalar> {
    /// Value of a formula, which may name measures.
    fn value_of(&self, f: &Formula) -> S;
    /// From the pole of a body to a point \[m\].
    fn arm(&self, body: BodyId, point: &Placement) -> Vec3<S>;
    /// Axes of a frame on a body, to the axes of the body.
    fn axes(&self, frame: &Placement) -> Mat3<S>;
    /// A point from the ground's origin, in ground axes \[m\].
    fn place(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Velocity of a point relative to the ground [m/s].
    fn velocity(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Acceleration of a point relative to the ground [m/s²].
    fn acceleration(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// The same relative to free fall [m/s²].
    fn felt_acceleration(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Angular velocity relative to the ground [rad/s].
    fn angular_velocity(&self, body: BodyId) -> Vec3<S>;
    /// A vector in ground axes, in the axes of a frame.
    fn ground_to_frame(&self, x: Vec3<S>, frame: &VectorFrame) -> Vec3<S>;
    /// A vector in axes of a body, in the axes of a frame.
    fn body_to_frame(&self, x: Vec3<S>, body: BodyId, frame: &VectorFrame) -> Vec3<S>;
    /// Kinetic and potential energy \[J\].
    fn energies(&self) -> [S; 2];
    /// Power of a load \[W\].
    fn power(&self, load: &str) -> S;
    /// Efforts of actuators, springs and friction along the free speeds of a joint, and of the
    /// drives along its prescribed ones.
    fn joint_effort(&self, joint: JointId) -> Vec<JointEntry<S>>;
}

/// The keys of an output in a spec. A value that cannot be used is reported where it is found, and
/// is `None` here.
///
/// Implemented in `spec/src/resolve/inputs.rs`. To ask for more: a method here, and its answer
/// there.
#[doc(hidden)]
pub trait WrittenOutput {
    /// The body of the key `body`.
    fn body(&mut self) -> Option<BodyId>;
    /// The point of the key `at` on that body; its origin if left out.
    fn point(&mut self) -> Placement;
    /// The axes of the key `frame`; those of the ground if left out.
    fn axes(&mut self) -> VectorFrame;
    /// The joint of the key `joint`, which has an effort.
    fn joint_with_effort(&mut self) -> Option<JointId>;
    /// The load of the key `load`.
    fn load(&mut self) -> Option<String>;
    /// The dimension of the unit of a key.
    fn unit(&mut self, key: &'static str) -> Option<Dimension>;
    /// The formula of a key, which may use all names, and its dimension as far as it is known. A
    /// formula of another `dimension` than this is refused; `None` accepts all.
    fn formula(
        &mut self,
        key: &'static str,
        dimension: Option<Dimension>,
    ) -> Option<(Formula, Option<Dimension>)>;
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait OutputForm {
    /// What it means.
    fn meaning(&self) -> Meaning<'_>;

    /// What its value depends on, besides coordinates, speeds and measures.
    fn depends_on(&self) -> Vec<Dependence<'_>>;

    /// True if it depends on accelerations. `is_driven`: a coordinate of the joint is prescribed.
    fn needs_accelerations(&self, _is_driven: &dyn Fn(JointId) -> bool) -> bool {
        false
    }

    /// The joint whose drives it depends on, if the joint has any.
    fn needs_drives(&self) -> Option<JointId> {
        None
    }
}

/// What a kind answers over any scalar, and how it comes about.
///
/// The order of the calls in `read` is that of the messages.
#[doc(hidden)]
pub trait OutputMechanics: OutputForm + Sized {
    /// The kind that types of the format name.
    const WORD: &'static str;

    /// From what a spec says.
    fn read(written: &mut dyn WrittenOutput) -> Option<Self>;

    /// Its value.
    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> Measured<S>;
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! output_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// The types of the kinds.
        #[doc(hidden)]
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// The kinds of outputs.
        #[doc(hidden)]
        #[derive(Clone, PartialEq, Debug)]
        pub enum OutputKind {
            $(#[doc = concat!("[`kinds::", stringify!($Kind), "`].")] $Kind($file::$Kind),)*
        }

        $(impl From<$file::$Kind> for OutputKind {
            fn from(kind: $file::$Kind) -> Self {
                OutputKind::$Kind(kind)
            }
        })*

        impl OutputKind {
            /// The words of the kinds, in the order of the list.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as OutputMechanics>::WORD),*];

            /// What it answers without a scalar.
            pub fn form(&self) -> &dyn OutputForm {
                match self {
                    $(OutputKind::$Kind(kind) => kind,)*
                }
            }

            /// The kind with this word, from what a spec says.
            pub fn read(word: &str, written: &mut dyn WrittenOutput) -> Option<Self> {
                match word {
                    $(<$file::$Kind as OutputMechanics>::WORD => $file::$Kind::read(written).map(OutputKind::from),)*
                    _ => None,
                }
            }

            /// Its value.
            pub fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> Measured<S> {
                match self {
                    $(OutputKind::$Kind(kind) => kind.value(state),)*
                }
            }
        }
    };
}
pub(super) use output_kinds;
