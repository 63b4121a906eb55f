//! The interface of a measure kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`MeasureForm`] (properties) and
//! [`MeasureMechanics`] (its functions in formulas, its value over any scalar). An enum dispatches
//! to the kinds: `measure_kinds!` in `mod.rs`.

use dqdt_algebra::{Dimension, Mat3, Scalar, Vec3};

/// Letters of the coordinate axes.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Subject of one measure: pose and motion of the observed frame relative to the observing frame,
/// in the axes of the observing frame; or the gravity effort of a speed. Quantities that the
/// subject does not have are zero.
#[doc(hidden)]
pub trait MeasureContext<S: Scalar> {
    /// Rotation matrix from the axes of the observed frame to those of the observing frame.
    fn rotation(&self) -> Mat3<S>;
    /// Origin of the observed frame, in the observing frame \[m\].
    fn origin(&self) -> Vec3<S>;
    /// Velocity of the observed frame's origin \[m/s\]. Zero if only a pose is known, so a kind
    /// that calls this must return true from [`MeasureForm::depends_on_speeds`].
    fn velocity(&self) -> Vec3<S>;
    /// Angular velocity of the observed frame \[rad/s\]. Zero if only a pose is known.
    fn angular_velocity(&self) -> Vec3<S>;
    /// Effort of the measured speed that holds the tree at rest against gravity \[N or N·m\].
    fn gravity_effort(&self) -> S;
}

/// Arguments of a measure's function in a formula.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasureArguments {
    /// The observed frame, then optionally the observing frame (default: the ground).
    Frame,
    /// Two frames, of which only the origins count: either may be on a body with undefined roll.
    Points,
    /// A speed, or a coordinate whose rate is a speed.
    Speed,
}

/// Entry of a measure kind in the reference of formula functions (the book's table).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct MeasureText {
    /// Name of one function of the measure kind, such as `position_x`.
    pub function: &'static str,
    /// Names of the arguments of that function.
    pub arguments: &'static [&'static str],
    /// Description of the function's value.
    pub value: &'static str,
    /// Arguments for which the value is defined.
    pub domain: &'static str,
    /// Description of the function's derivative, and of points without one.
    pub derivative: &'static str,
}

/// Scalar-independent part of a measure kind: name of its function, dimension, arguments.
#[doc(hidden)]
pub trait MeasureForm {
    /// Name of the measure's function in formulas, such as `position_x`.
    fn function(&self) -> String;

    /// Dimension of the measure's value. `of_speed`: dimension of the measured speed, if a speed is
    /// measured.
    fn value_dimension(&self, of_speed: Dimension) -> Dimension;

    /// Kind of the arguments of the measure's function in a formula.
    fn argument_kind(&self) -> MeasureArguments {
        MeasureArguments::Frame
    }

    /// True if the value of the measure depends on the speeds.
    fn depends_on_speeds(&self) -> bool {
        false
    }

    /// True if the value of the measure depends on gravity.
    fn depends_on_gravity(&self) -> bool {
        false
    }

    /// True if the value depends on the origin of the observed frame and not on its axes. Other
    /// measures of a body with undefined roll, on a direction joint, are rejected.
    fn uses_origin_only(&self) -> bool {
        false
    }
}

/// Scalar-generic part of a measure kind, with the list of its measures.
#[doc(hidden)]
pub trait MeasureMechanics: MeasureForm + Copy {
    /// Entry of this measure kind in the reference of formula functions.
    const TEXT: MeasureText;

    /// All measures of this kind, such as one for each axis.
    fn all() -> Vec<Self>;

    /// Value of the measure at a pose and motion.
    fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S;
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! measure_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// Kinds of measures.
        #[doc(hidden)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum MeasureKind {
            $(#[doc = concat!("Kind in `", stringify!($file), ".rs`.")] $Kind($file::$Kind),)*
        }

        impl MeasureKind {
            /// Entries of all kinds in the reference of formula functions.
            pub const TEXTS: &'static [MeasureText] = &[$(<$file::$Kind as MeasureMechanics>::TEXT),*];

            /// All measures, ordered by kind.
            pub fn by_kind() -> Vec<Vec<Self>> {
                vec![$($file::$Kind::all().into_iter().map(MeasureKind::$Kind).collect()),*]
            }

            /// The measure with this function name in formulas; `None` for an unknown name.
            pub fn named(function: &str) -> Option<Self> {
                Self::by_kind().into_iter().flatten().find(|kind| kind.form().function() == function)
            }

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            pub fn form(&self) -> &dyn MeasureForm {
                match self {
                    $(MeasureKind::$Kind(kind) => kind,)*
                }
            }

            /// Value of the measure.
            pub fn value<S: Scalar>(&self, subject: &dyn MeasureContext<S>) -> S {
                match self {
                    $(MeasureKind::$Kind(kind) => kind.value(subject),)*
                }
            }
        }
    };
}
pub(super) use measure_kinds;
