//! The interface of a kind of constraint, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`ConstraintForm`] (rows, multipliers, names, picture) and
//! [`ConstraintMechanics`] (residuals and functionals over any scalar, and how the kind comes about). One list delegates to
//! the kinds: `constraint_kinds!` in `mod.rs`. The keys of a type in a spec are a file of `spec/constraint_keys`.

use super::rows::{Rows, Seen};
use super::words::{Multiplier, Words};
use crate::mechanism::axis::AxisVector;
pub(super) use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// The level of a constraint that is a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Holonomic.
    Positions,
    /// Nonholonomic, linear in the speeds.
    Speeds,
}

/// What a drawing shows of a constraint.
#[derive(Clone, Copy, Debug)]
pub enum Picture<'c> {
    /// Nothing.
    None,
    /// A joint that closes a loop, its axis in the first frame.
    Joint {
        /// Symbol of the joint.
        symbol: JointSymbol,
        /// The axis.
        axis: Vec3<f64>,
    },
    /// A rod between the origins.
    Rod,
    /// Rims about the second origin: one about the axle of a disc, or those of a ball.
    Rims {
        /// Radius \[m\].
        radius: &'c Formula,
        /// The axle of a disc, in the second frame; `None`: a ball.
        axle: Option<AxisVector>,
        /// The normal of the plane, in the first frame.
        normal: AxisVector,
    },
}

/// Data that a spec may write and the kind cannot use.
#[derive(Clone, Copy, Debug)]
pub struct Senseless {
    /// Code of the message.
    pub code: &'static str,
    /// Before the name of the constraint.
    pub before: &'static str,
    /// After it.
    pub after: &'static str,
    /// The key of the value that is to blame; `None`: the first axis.
    pub key: Option<&'static str>,
    /// At the value.
    pub label: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// What a spec says about a constraint. What cannot be used is reported where it is found, and is `None` here.
///
/// Implemented in `spec/src/resolve/constraints.rs`. To ask for more: a method here, and its answer
/// there.
pub trait WrittenConstraint {
    /// Both ends.
    fn ends(&mut self) -> Option<Ends>;
    /// The axis with this position among the keys.
    fn axis(&self, i: usize) -> AxisVector;
    /// A length of parameters.
    fn length(&mut self, key: &'static str) -> Option<Formula>;
    /// A length greater than zero; `moving`: of t too.
    fn positive(&mut self, key: &'static str, moving: bool) -> Option<Formula>;
    /// The formula that is held at zero.
    fn formula(&mut self, level: Level) -> Option<Formula>;
    /// Formulas of x, y and z of a point.
    fn surfaces(&mut self) -> Vec<Formula>;
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait ConstraintForm {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// Number of scalar rows.
    fn rows(&self) -> usize;

    /// The two frames of a geometric constraint; `None` for a formula.
    fn ends(&self) -> Option<&Ends> {
        None
    }

    /// What its rows depend on, besides coordinates, speeds and measures. If left out: the places
    /// and all axes of both frames.
    fn depends_on(&self) -> Vec<Dependence<'_>> {
        let Some(ends) = self.ends() else { return Vec::new() };
        let axes = [&ends.from, &ends.to].map(|(body, _)| Dependence::Axes(*body));
        ends.places().into_iter().chain(axes).collect()
    }

    /// Of a constraint that is a formula.
    fn formula(&self) -> Option<(Level, &Formula)> {
        None
    }

    /// True if it holds positions, not speeds alone.
    fn holds_positions(&self) -> bool {
        self.formula().is_none_or(|(level, _)| level == Level::Positions)
    }

    /// The multiplier of each row.
    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier>;

    /// What a drawing shows.
    fn picture(&self) -> Picture<'_> {
        Picture::None
    }

    /// What is wrong with its data.
    fn senseless(&self) -> Option<Senseless> {
        None
    }
}

/// What a kind answers over any scalar, and how it comes about.
#[doc(hidden)]
pub trait ConstraintMechanics: ConstraintForm + Sized {
    /// The word of the format.
    const WORD: &'static str;

    /// From what a spec says.
    fn read(written: &mut dyn WrittenConstraint) -> Option<Self>;

    /// Adds the rows of a geometric constraint.
    fn add_rows<S: Scalar>(&self, _rows: &mut Rows<'_, S>, _env: &Environment<'_, S>) {}

    /// What is positive where the constraint is assembled the way that it is meant: cosines between axes that shall point
    /// the same way.
    fn alignments<S: Scalar>(&self, _seen: &Seen<S>, _env: &Environment<'_, S>) -> Vec<S> {
        Vec::new()
    }

    /// Differences that assembly takes besides the rows, which vanish at reversed axes too: together they are zero only at the
    /// right attitude, and no other attitude is a minimum of their squares.
    fn attitude_differences<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<S> {
        self.alignments(seen, env).into_iter().map(|cosine| cosine - S::ONE).collect()
    }
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! constraint_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        $(pub use $file::$Kind;)*

        /// The types of the kinds.
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// The kinds of constraints: what is held at zero.
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
            /// The words of the format, in the order of the list.
            pub const WORDS: &'static [&'static str] =
                &[$(<$file::$Kind as ConstraintMechanics>::WORD),*];

            /// What it answers without a scalar.
            #[doc(hidden)]
            pub fn form(&self) -> &dyn ConstraintForm {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind,)*
                }
            }

            /// The kind with this word, from what a spec says.
            #[doc(hidden)]
            pub fn read(word: &str, written: &mut dyn WrittenConstraint) -> Option<Self> {
                match word {
                    $(<$file::$Kind as ConstraintMechanics>::WORD => {
                        $file::$Kind::read(written).map(ConstraintKind::from)
                    })*
                    _ => None,
                }
            }

            /// The rows of a geometric constraint; none of a formula.
            pub(crate) fn patterns<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<Pattern<S>> {
                let mut rows = Rows { seen, rows: Vec::new() };
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.add_rows(&mut rows, env),)*
                }
                rows.rows
            }

            /// What is positive where it is assembled the way that it is meant.
            pub(crate) fn alignments<S: Scalar>(&self, seen: &Seen<S>, env: &Environment<'_, S>) -> Vec<S> {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.alignments(seen, env),)*
                }
            }

            /// Differences that assembly takes besides the rows.
            pub(crate) fn attitude_differences<S: Scalar>(
                &self,
                seen: &Seen<S>,
                env: &Environment<'_, S>,
            ) -> Vec<S> {
                match self {
                    $(ConstraintKind::$Kind(kind) => kind.attitude_differences(seen, env),)*
                }
            }
        }
    };
}
pub(super) use constraint_kinds;
