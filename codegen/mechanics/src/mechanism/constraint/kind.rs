//! The interface of a constraint kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`ConstraintForm`] (rows, multipliers,
//! names, picture) and [`ConstraintMechanics`] (residuals and functionals over any scalar, and
//! constructors). An enum dispatches to the kinds: `constraint_kinds!` in `mod.rs`. The keys of a
//! type in a spec are a file of `spec/constraint_keys`.

use super::multiplier_text::{Multiplier, MultiplierDescriber};
use super::rows::{RelativeFrame, RowBuilder};
use crate::mechanism::axis::AxisVector;
pub(super) use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Level of a constraint that is a formula: position or velocity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Position level: a holonomic constraint on coordinates.
    Positions,
    /// Velocity level: a nonholonomic constraint, linear in the speeds.
    Speeds,
}

/// Symbol for a constraint in sketches and animations.
#[derive(Clone, Copy, Debug)]
pub enum Picture<'c> {
    /// No symbol: the drawing does not show the constraint.
    None,
    /// The symbol of a joint that closes a loop.
    Joint {
        /// Symbol of the joint.
        symbol: JointSymbol,
        /// Axis of the joint, in the first frame.
        axis: Vec3<f64>,
    },
    /// A rod between the origins of the frames.
    Rod,
    /// Circles of a rolling body around the second origin: one about the axle of a disc, or several
    /// for a ball.
    Rims {
        /// Radius of the rolling disc or ball \[m\].
        radius: &'c Formula,
        /// Axle of a rolling disc, in the second frame; `None` for a ball.
        axle: Option<AxisVector>,
        /// Normal of the plane on which the body rolls, in the first frame.
        normal: AxisVector,
    },
}

/// Parts of an error message about data that the spec format allows but the constraint kind does
/// not.
#[derive(Clone, Copy, Debug)]
pub struct InvalidData {
    /// Code of the error message, such as `zero-pitch`.
    pub code: &'static str,
    /// Text of the error message before the name of the constraint.
    pub before: &'static str,
    /// Text of the error message after the name of the constraint.
    pub after: &'static str,
    /// Key of the invalid value in the spec; `None`: the first axis.
    pub key: Option<&'static str>,
    /// Label at the invalid value in the excerpt of the spec.
    pub label: &'static str,
    /// Remedy that the error message suggests.
    pub help: &'static str,
}

/// Reads the keys of a constraint in a spec. A method returns `None` after it has reported an
/// unusable value.
///
/// Implemented in `spec/src/resolve/constraints.rs`. For a new sort of key add a method here and
/// implement it there.
pub trait ConstraintKeys {
    /// The two frames named by the keys `from` and `to`.
    fn read_ends(&mut self) -> Option<Ends>;
    /// The axis at position `i` among the keys of the constraint.
    fn read_axis(&self, i: usize) -> AxisVector;
    /// Length in this key, as a formula of parameters \[m\].
    fn read_length(&mut self, key: &'static str) -> Option<Formula>;
    /// Length in this key that must be greater than zero, such as a radius. `moving`: may depend on
    /// t.
    fn read_positive_length(&mut self, key: &'static str, moving: bool) -> Option<Formula>;
    /// Formula that the constraint keeps at zero, of positions or of speeds: from the key
    /// `formula`, or from the keys of a gear.
    fn read_formula(&mut self, level: Level) -> Option<Formula>;
    /// Formulas of a point's x, y and z, which a `point_on_surface` constraint keeps at zero.
    fn read_surface_formulas(&mut self) -> Vec<Formula>;
}

/// Scalar-independent part of a constraint kind: name, rows, frames, texts and picture.
#[doc(hidden)]
pub trait ConstraintForm {
    /// Name of the constraint kind in reports, such as `rolling disc`.
    fn kind_name(&self) -> &'static str;

    /// Number of scalar constraint rows of the kind.
    fn row_count(&self) -> usize;

    /// The two frames of a geometric constraint; `None` for a formula.
    fn ends(&self) -> Option<&Ends> {
        None
    }

    /// Properties of the bodies' poses that the rows use, besides coordinates, speeds and measures.
    /// Default: positions and orientations of both frames. Used to check direction joints.
    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let Some(ends) = self.ends() else { return Vec::new() };
        let axes = [&ends.from, &ends.to].map(|(body, _)| Dependence::Axes(*body));
        ends.origin_dependences().into_iter().chain(axes).collect()
    }

    /// Level and formula of a constraint given by a formula; `None` for a geometric constraint.
    fn level_and_formula(&self) -> Option<(Level, &Formula)> {
        None
    }

    /// True if the kind constrains positions, false if only velocities.
    fn constrains_positions(&self) -> bool {
        self.level_and_formula().is_none_or(|(level, _)| level == Level::Positions)
    }

    /// Description of the multiplier of each row: force or moment, where and along which axis.
    /// `describer`: names of bodies and dimensions of formulas.
    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier>;

    /// Symbol for the constraint in drawings.
    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::None
    }

    /// Error about the kind's data, such as a zero pitch; `None` if they are valid.
    fn data_error(&self) -> Option<InvalidData> {
        None
    }
}

/// Scalar-generic part of a constraint kind, with its constructor from the keys of a spec.
#[doc(hidden)]
pub trait ConstraintMechanics: ConstraintForm + Sized {
    /// The word for this constraint kind in the spec format.
    const WORD: &'static str;

    /// Creates the kind from the keys of a spec; `None` after an error was reported.
    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self>;

    /// Adds the rows of a geometric constraint (residuals and coefficients of the relative twist)
    /// to `rows`.
    fn add_rows<S: Scalar>(&self, _rows: &mut RowBuilder<'_, S>, _env: &Environment<'_, S>) {}

    /// Cosines between axes that must point in the same direction: positive where the constraint is
    /// assembled as intended, negative where axes are reversed.
    fn alignments<S: Scalar>(&self, _frame: &RelativeFrame<S>, _env: &Environment<'_, S>) -> Vec<S> {
        Vec::new()
    }

    /// Further residuals for assembly that do not vanish at reversed axes. With the rows they are
    /// zero only at the right attitude, and the sum of squares has no minimum elsewhere.
    fn attitude_differences<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        self.alignments(frame, env).into_iter().map(|cosine| cosine - S::ONE).collect()
    }
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! constraint_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        $(pub use $file::$Kind;)*

        /// Structs of all constraint kinds.
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// The kinds of constraints: geometric ones, and formulas kept at zero.
        #[derive(Clone, PartialEq, Debug)]
        pub enum ConstraintKind {
            $(#[doc = concat!("[`", stringify!($Kind), "`].")] $Kind($file::$Kind),)*
        }

        $(impl From<$file::$Kind> for ConstraintKind {
            fn from(kind: $file::$Kind) -> Self {
                ConstraintKind::$Kind(kind)
            }
        })*

        impl ConstraintKind {
            /// Keywords of all kinds in the spec format, in the order of their declaration.
            pub const WORDS: &'static [&'static str] =
                &[$(<$file::$Kind as ConstraintMechanics>::WORD),*];

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            #[doc(hidden)]
            pub fn form(&self) -> &dyn ConstraintForm {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind,)*
                }
            }

            /// Creates the kind for a keyword from the keys of a spec; `None` if the keyword is
            /// unknown or a key has an error.
            #[doc(hidden)]
            pub fn read(word: &str, keys: &mut dyn ConstraintKeys) -> Option<Self> {
                match word {
                    $(<$file::$Kind as ConstraintMechanics>::WORD => {
                        $file::$Kind::read(keys).map(ConstraintKind::from)
                    })*
                    _ => None,
                }
            }

            /// Row functionals of a geometric constraint; an empty list for a formula.
            pub(crate) fn row_functionals<S: Scalar>(
                &self,
                frame: &RelativeFrame<S>,
                env: &Environment<'_, S>,
            ) -> Vec<RowFunctional<S>> {
                let mut rows = RowBuilder { frame, rows: Vec::new() };
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.add_rows(&mut rows, env),)*
                }
                rows.rows
            }

            /// Signed alignments, positive where the constraint is assembled as intended.
            pub(crate) fn alignments<S: Scalar>(
                &self,
                frame: &RelativeFrame<S>,
                env: &Environment<'_, S>,
            ) -> Vec<S> {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.alignments(frame, env),)*
                }
            }

            /// Residuals that assembly adds to rows, because rows also vanish at reversed axes.
            pub(crate) fn attitude_differences<S: Scalar>(
                &self,
                frame: &RelativeFrame<S>,
                env: &Environment<'_, S>,
            ) -> Vec<S> {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.attitude_differences(frame, env),)*
                }
            }
        }
    };
}
pub(super) use constraint_kinds;
