//! The interface of an output kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`OutputForm`] (properties, texts) and
//! [`OutputMechanics`] (value over any scalar, constructor). An enum dispatches to the kinds:
//! `output_kinds!` in `mod.rs`. The keys of a type in a spec are a file of `spec/output_keys`.

pub use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::VectorFrame;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::{BodyId, JointId};
use crate::mechanism::model::Placement;
use dqdt_algebra::{Dimension, Mat3, Scalar, Vec3};

/// Description of an output for reports: quantity, subject, unit. For a new variant, add its text
/// in `output` of `equations/src/inspect/tables.rs`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum OutputDescription<'o> {
    /// A quantity of a point: name, body, point, axes, unit. Axes `None`: a scalar, or components
    /// in axes implied by the quantity.
    OfPoint(&'static str, BodyId, &'o Placement, Option<&'o VectorFrame>, &'static str),
    /// A quantity of a joint: name of the quantity, joint.
    OfJoint(&'static str, JointId),
    /// A quantity of the whole mechanism, with its unit.
    Whole(&'static str),
    /// A quantity of a load: name of the quantity, load, unit.
    OfLoad(&'static str, &'o str, &'static str),
    /// A formula, with its dimension if known.
    Formula(&'o Formula, Option<Dimension>),
}

/// Value of an output, with its unit.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ValueWithUnit<S> {
    /// SI unit of the value as text; several units, separated by commas, if the entries differ.
    pub unit: String,
    /// Values of the output, one or several.
    pub entries: OutputEntries<S>,
}

/// One value, or several labelled values, of an output.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum OutputEntries<S> {
    /// A single value, labelled by the output's name.
    One(S),
    /// Several values, each with a label.
    Each(Vec<(String, S)>),
}

impl<S> ValueWithUnit<S> {
    /// Creates the value of an output with a single entry.
    pub fn with_single_entry(unit: impl Into<String>, x: S) -> Self {
        ValueWithUnit { unit: unit.into(), entries: OutputEntries::One(x) }
    }

    /// Creates the value of an output with several labelled entries of a common unit.
    pub fn with_entries<const N: usize>(unit: &str, labels: [&str; N], x: [S; N]) -> Self {
        let entries = labels.map(str::to_owned).into_iter().zip(x).collect();
        ValueWithUnit { unit: unit.to_owned(), entries: OutputEntries::Each(entries) }
    }

    /// Creates the value of a vector output, with entries labelled x, y, z.
    pub fn with_vector_entries(unit: &str, x: Vec3<S>) -> Self {
        ValueWithUnit::with_entries(unit, ["x", "y", "z"], x.0)
    }
}

/// Effort along one speed of a joint, as an entry of the output `joint_effort`.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct JointEntry<S> {
    /// Name of the joint speed.
    pub label: String,
    /// True if the effort is a force, false if it is a moment.
    pub is_force: bool,
    /// Value of the effort \[N or N·m\].
    pub effort: S,
}

/// A mechanism in motion, from which outputs are evaluated. Unless stated otherwise, vectors are in
/// body axes; arms are from the body's pole.
///
/// Implemented in `formalism/quantities/outputs.rs`. For a new quantity add a method here and
/// implement it there.
#[doc(hidden)]
pub trait OutputContext<S: Scalar> {
    /// Value of a formula in this state, which may name measures.
    fn evaluate_formula(&self, f: &Formula) -> S;
    /// Vector from the pole of a body to a point on it, in body axes \[m\].
    fn arm_to_point(&self, body: BodyId, point: &Placement) -> Vec3<S>;
    /// Rotation matrix from the axes of a frame placed on a body to body axes.
    fn frame_rotation(&self, frame: &Placement) -> Mat3<S>;
    /// Position of a point from the ground's origin, in ground axes \[m\].
    fn point_position(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Velocity of the point at `arm` of a body relative to the ground, in body axes \[m/s\].
    fn point_velocity(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Acceleration of the point at `arm` of a body relative to the ground, in body axes \[m/s²\].
    fn point_acceleration(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Acceleration of the point at `arm` relative to free fall, as an accelerometer measures it,
    /// in body axes \[m/s²\].
    fn specific_force(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S>;
    /// Angular velocity of a body relative to the ground, in body axes \[rad/s\].
    fn angular_velocity(&self, body: BodyId) -> Vec3<S>;
    /// Converts a vector from ground axes to the axes of a frame.
    fn rotate_ground_to_frame(&self, x: Vec3<S>, frame: &VectorFrame) -> Vec3<S>;
    /// Converts a vector from body axes to the axes of a frame.
    fn rotate_body_to_frame(&self, x: Vec3<S>, body: BodyId, frame: &VectorFrame) -> Vec3<S>;
    /// Kinetic and potential energy of the mechanism \[J\].
    fn kinetic_and_potential_energy(&self) -> [S; 2];
    /// Power of the load with this name \[W\].
    fn load_power(&self, load: &str) -> S;
    /// Efforts of actuators, springs and friction along the free speeds of a joint, and of drives
    /// along its prescribed ones.
    fn joint_effort(&self, joint: JointId) -> Vec<JointEntry<S>>;
}

/// Reads the keys of an output in a spec. A method returns `None` after it has reported an unusable
/// value.
///
/// Implemented in `spec/src/resolve/inputs.rs`. For a new sort of key add a method here and
/// implement it there.
#[doc(hidden)]
pub trait OutputKeys {
    /// Body named by the key `body`.
    fn read_body(&mut self) -> Option<BodyId>;
    /// Point named by the key `at` on that body; default: the body's origin.
    fn read_point(&mut self) -> Placement;
    /// Axes named by the key `frame`; default: ground axes.
    fn read_axes(&mut self) -> VectorFrame;
    /// Joint named by the key `joint`; an error if it has no effort.
    fn read_joint_with_effort(&mut self) -> Option<JointId>;
    /// Name of the load named by the key `load`.
    fn read_load_name(&mut self) -> Option<String>;
    /// Dimension of the unit in a key.
    fn read_unit_dimension(&mut self, key: &'static str) -> Option<Dimension>;
    /// Formula of a key, which may use all variables, with its dimension if known. An error if it
    /// differs from `dimension`; `None` accepts any.
    fn read_formula(
        &mut self,
        key: &'static str,
        dimension: Option<Dimension>,
    ) -> Option<(Formula, Option<Dimension>)>;
}

/// Scalar-independent part of an output kind: description and dependences.
#[doc(hidden)]
pub trait OutputForm {
    /// Description of the output for reports.
    fn description(&self) -> OutputDescription<'_>;

    /// Properties of the bodies' poses that the output uses, besides coordinates, speeds and
    /// measures. Used to check direction joints.
    fn pose_dependences(&self) -> Vec<Dependence<'_>>;

    /// True if the value of the output depends on accelerations. `is_driven`: returns true if a
    /// coordinate of the joint is prescribed.
    fn needs_accelerations(&self, _is_driven: &dyn Fn(JointId) -> bool) -> bool {
        false
    }

    /// Joint whose drives (efforts of its prescribed coordinates) enter the output; `None` if no
    /// drive does.
    fn joint_with_drives(&self) -> Option<JointId> {
        None
    }
}

/// Scalar-generic part of an output kind, and its constructor.
///
/// Messages appear in the order of the calls in `read`.
#[doc(hidden)]
pub trait OutputMechanics: OutputForm + Sized {
    /// The word for this output kind in the spec format.
    const WORD: &'static str;

    /// Creates the output kind from the keys of a spec; `None` after an error was reported.
    fn read(keys: &mut dyn OutputKeys) -> Option<Self>;

    /// Value of the output in a given state.
    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S>;
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! output_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// Structs of all output kinds.
        #[doc(hidden)]
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// Kinds of outputs.
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
            /// Keywords of all kinds in the spec format, in the order of their declaration.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as OutputMechanics>::WORD),*];

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            pub fn form(&self) -> &dyn OutputForm {
                match self {
                    $(OutputKind::$Kind(kind) => kind,)*
                }
            }

            /// Creates the kind for a keyword from the keys of a spec; `None` if the keyword is
            /// unknown or a key has an error.
            pub fn read(word: &str, keys: &mut dyn OutputKeys) -> Option<Self> {
                match word {
                    $(<$file::$Kind as OutputMechanics>::WORD => $file::$Kind::read(keys).map(OutputKind::from),)*
                    _ => None,
                }
            }

            /// Value of the output in a given state.
            pub fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
                match self {
                    $(OutputKind::$Kind(kind) => kind.value(state),)*
                }
            }
        }
    };
}
pub(super) use output_kinds;
