//! The interface of a kind of measure, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`MeasureForm`] (facts) and
//! [`MeasureMechanics`] (its functions in formulas, its value over any scalar). One list delegates
//! to the kinds: `measure_kinds!` in `mod.rs`.

use dqdt_algebra::{Dimension, Mat3, Scalar, Vec3};

/// The axes of a frame, by their letters.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// The subject of one measure in a pose: a frame, as seen from another one and in its axes, or a
/// speed. What the subject has not is zero.
#[doc(hidden)]
pub trait MeasureContext<S: Scalar> {
    /// Its axes.
    fn rotation(&self) -> Mat3<S>;
    /// Its origin \[m\].
    fn origin(&self) -> Vec3<S>;
    /// Rate of its origin [m/s]. Zero where only a pose is known; a kind that asks for it moves.
    fn velocity(&self) -> Vec3<S>;
    /// Its angular velocity [rad/s]. Zero where only a pose is known.
    fn angular_velocity(&self) -> Vec3<S>;
    /// Effort of the speed that holds the tree at rest against gravity [N, N·m].
    fn gravity_effort(&self) -> S;
}

/// The arguments of a measure in a formula.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasureArguments {
    /// A frame, then optionally the frame that it is seen from (default: the ground), in whose axes
    /// components are.
    Frame,
    /// Two frames, of which only the origins matter. Either may be of a body whose roll is undefined.
    Points,
    /// A speed, or a coordinate whose rate is a speed.
    Speed,
}

/// The entry of a kind in the reference of formulas.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct MeasureText {
    /// One of its functions.
    pub function: &'static str,
    /// Names of the arguments of that function.
    pub arguments: &'static [&'static str],
    /// Its value.
    pub value: &'static str,
    /// Where it has one.
    pub domain: &'static str,
    /// How it is differentiated, and where it has no derivative.
    pub derivative: &'static str,
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait MeasureForm {
    /// The function of formulas that it is: `position_x`.
    fn function(&self) -> String;

    /// Dimension of its value; `of_speed`: dimension of the speed that it is a measure of, if it is.
    fn dimension(&self, of_speed: Dimension) -> Dimension;

    /// Its arguments.
    fn arguments(&self) -> MeasureArguments {
        MeasureArguments::Frame
    }

    /// True if it depends on the speeds.
    fn moves(&self) -> bool {
        false
    }

    /// True if it depends on gravity.
    fn depends_on_gravity(&self) -> bool {
        false
    }

    /// True if it depends on the origin of the seen frame and not on its axes. Others of a body
    /// whose roll is undefined, on a direction joint, are refused.
    fn is_of_point(&self) -> bool {
        false
    }
}

/// What a kind answers over any scalar, and how it comes about.
#[doc(hidden)]
pub trait MeasureMechanics: MeasureForm + Copy {
    /// Its entry in the reference.
    const TEXT: MeasureText;

    /// All of this kind.
    fn all() -> Vec<Self>;

    /// Its value.
    fn value<S: Scalar>(&self, seen: &dyn MeasureContext<S>) -> S;
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! measure_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// The kinds of measures.
        #[doc(hidden)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum MeasureKind {
            $(#[doc = concat!("Of `", stringify!($file), ".rs`.")] $Kind($file::$Kind),)*
        }

        impl MeasureKind {
            /// The entries of the kinds in the reference.
            pub const TEXTS: &'static [MeasureText] = &[$(<$file::$Kind as MeasureMechanics>::TEXT),*];

            /// All measures, kind by kind.
            pub fn by_kind() -> Vec<Vec<Self>> {
                vec![$($file::$Kind::all().into_iter().map(MeasureKind::$Kind).collect()),*]
            }

            /// The measure that is this function of formulas.
            pub fn named(function: &str) -> Option<Self> {
                Self::by_kind().into_iter().flatten().find(|kind| kind.form().function() == function)
            }

            /// What it answers without a scalar.
            pub fn form(&self) -> &dyn MeasureForm {
                match self {
                    $(MeasureKind::$Kind(kind) => kind,)*
                }
            }

            /// Its value.
            pub fn value<S: Scalar>(&self, seen: &dyn MeasureContext<S>) -> S {
                match self {
                    $(MeasureKind::$Kind(kind) => kind.value(seen),)*
                }
            }
        }
    };
}
pub(super) use measure_kinds;
