//! The interface of a kind of load, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`LoadForm`] (facts, text) and
//! [`LoadMechanics`] (actions over any scalar, reading, random instances). One list delegates to
//! the kinds: `load_kinds!` in `mod.rs`. The keys of a type in a spec are a file of
//! `spec/load_keys`.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
pub use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::{Ends, VectorFrame};
use crate::mechanism::formula::Formula;
pub use crate::mechanism::formula::FormulaNames;
use crate::mechanism::index::{BodyId, CoordinateId, SpeedId};
use crate::mechanism::model::Placement;
use crate::mechanism::rule::Rule;
use dqdt_algebra::{Dimension, Scalar};

/// The body, points or speed that a load acts on.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ActsOn<'l> {
    /// A body.
    Body(BodyId),
    /// A point of a body.
    Point(BodyId, &'l Placement),
    /// Two points.
    Ends(&'l Ends),
    /// A speed.
    Speed(SpeedId),
}

/// The law of a load, for people.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Law<'l> {
    /// Components of a vector.
    Vector(&'l [Formula; 3], &'l VectorFrame),
    /// One value.
    Value(&'l Formula),
    /// Minus the sum of coefficients times factors.
    Opposing(Vec<(&'l Formula, Factor<'l>)>),
    /// A tension along a line: the sum of coefficients times factors.
    Tension(Vec<(&'l Formula, Factor<'l>)>),
}

/// What a coefficient of a law multiplies.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Factor<'l> {
    /// A speed.
    Speed(SpeedId),
    /// A coordinate less a rest position.
    Deflection(CoordinateId, &'l Formula),
    /// `tanh(v / transition)` of a speed.
    Direction(SpeedId, &'l Formula),
    /// The length of the line less a rest length.
    Elongation(&'l Formula),
    /// The rate of the length of the line.
    LengthRate,
}

/// A demand on a number of a load, checked with the spec and, where parameters of the run time
/// enter, by the emitted code.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Demand<'l> {
    /// What is demanded.
    pub rule: Rule,
    /// Of what.
    pub formula: &'l Formula,
    /// The key that says it.
    pub key: &'static str,
    /// An error where it does not hold; else a warning.
    pub is_error: bool,
    /// Code of the message, with an entry in `command/src/cli/codes`.
    pub code: &'static str,
    /// The message, before and after the name of the load.
    pub message: [&'static str; 2],
    /// At the value, before the value.
    pub label: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// The speed that a load in a joint acts on.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LoadTarget {
    /// The coordinate whose rate it is, with its dimension.
    pub coordinate: Option<(CoordinateId, Dimension)>,
    /// The speed.
    pub speed: SpeedId,
    /// Dimension of the speed.
    pub dimension: Dimension,
}

/// The dimension of an effort: power over the rate of a coordinate.
pub(super) fn effort_of(coordinate: Dimension) -> Dimension {
    Dimension::MOMENT.over(coordinate)
}

impl LoadTarget {
    /// Dimension of an effort on the speed.
    pub fn effort(&self) -> Dimension {
        effort_of(self.dimension.times(Dimension::TIME))
    }
}

/// The keys of a load in a spec. A value that cannot be used is reported where it is found, and is
/// `None` here.
///
/// Implemented in `spec/src/resolve/loads.rs`. To ask for more: a method here, and its answer
/// there.
#[doc(hidden)]
pub trait WrittenLoad {
    /// The body of the key `body`.
    fn body(&mut self) -> Option<BodyId>;
    /// The point of the key `at` on that body; its origin if left out.
    fn point(&mut self) -> Placement;
    /// The axes of the key `frame`; those of the ground if left out.
    fn axes(&mut self) -> VectorFrame;
    /// The components of the key `value`.
    fn vector(&mut self, dimension: Dimension) -> [Formula; 3];
    /// The body of the key `reaction`.
    fn reaction(&mut self) -> Option<BodyId>;
    /// The points of the keys `from` and `to`; `apart`: on two bodies.
    fn ends(&mut self, apart: bool) -> Option<Ends>;
    /// The formula of a key, called "the `noun`" in messages; zero if left out.
    fn formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula;
    /// True if a key is written.
    fn is_written(&mut self, key: &'static str) -> bool;
    /// The speed that it acts on; `coordinate`: which must be the rate of a coordinate. The keys of
    /// its type need a `target`.
    fn target(&mut self, coordinate: bool) -> Option<LoadTarget>;
    /// Refuses a joint, named as such, whose angle is not that between its two bodies.
    fn between_bodies(&mut self) -> Option<()>;
}

/// A source of random data for tests.
#[doc(hidden)]
pub trait DrawLoad {
    /// The body that it acts on.
    fn body(&self) -> BodyId;
    /// The body that takes the opposite, if one does.
    fn reaction(&self) -> Option<BodyId>;
    /// Two points, the first on the body.
    fn ends(&mut self) -> Ends;
    /// A point.
    fn placement(&mut self) -> Placement;
    /// Axes.
    fn frame(&mut self) -> VectorFrame;
    /// A formula of a number between these sixty-fourths.
    fn scalar(&mut self, low: i64, high: i64) -> Formula;
    /// The same, or zero.
    fn zero_or(&mut self, low: i64, high: i64) -> Formula;
    /// A formula of anything.
    fn anything(&mut self) -> Formula;
    /// A speed, and the coordinate whose rate it is.
    fn speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)>;
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait LoadForm {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// The body, points or speed that it acts on.
    fn acts_on(&self) -> ActsOn<'_>;

    /// The body that takes the opposite of a force or moment on another one.
    fn reaction(&self) -> Option<BodyId> {
        None
    }

    /// What its action depends on, besides coordinates, speeds and measures.
    fn depends_on(&self) -> Vec<Dependence<'_>>;

    /// Its law, if it has one of few words; of others a report says that the formula is not shown.
    fn law(&self) -> Option<Law<'_>>;

    /// All formulas of its law, but for lengths.
    fn formulas(&self) -> Vec<&Formula>;

    /// Formulas of lengths, but for those of points \[m\].
    fn lengths(&self) -> Vec<&Formula> {
        Vec::new()
    }

    /// Demands on its numbers.
    fn demands(&self) -> Vec<Demand<'_>> {
        Vec::new()
    }

    /// True if it acts in a joint, between the two bodies: its effort is part of outputs of type
    /// `joint_effort`. Its `read` then calls [`WrittenLoad::between_bodies`], or it acts back.
    fn is_in_joint(&self) -> bool {
        false
    }

    /// True if its effort on a speed that is measured from the ground (of a joint with absolute
    /// angles) has its opposite on the parent, as that of a motor has: by
    /// [`LoadContext::opposite_moment`] in `actions` and [`LoadWork::add_opposite`] in `add_work`.
    fn acts_back(&self) -> bool {
        false
    }

    /// The ends of a line whose length it divides by.
    fn divides_by_length(&self, _vanishes: &dyn Fn(&Formula) -> bool) -> Option<&Ends> {
        None
    }
}

/// What a kind answers over any scalar, and how it comes about.
///
/// A kind states its action twice: `actions` has all of it, as wrenches and efforts; `potential`,
/// `add_work` and `effort` share it between them, for Lagrange's equations. Tests compare both over
/// random mechanisms (`DRAWS`). The order of the calls in `read` is that of the messages.
#[doc(hidden)]
pub trait LoadMechanics: LoadForm + Clone {
    /// The kind that types of the format name.
    const WORD: &'static str;
    /// How often a random load is of this kind, beside the other kinds; never, if zero. New kinds
    /// change the random mechanisms of tests, and so do new measures: what then fails with NaN has
    /// drawn a singular pose of another kind. Outputs and events are not drawn. A drawn law is
    /// smooth: tests compare its derivatives with differences, so a law with a kink (`abs`, limits)
    /// is never drawn.
    const DRAWS: usize;

    /// From what a spec says.
    fn read(written: &mut dyn WrittenLoad) -> Option<Self>;

    /// A random one; `None` where there is nothing that it could act on.
    fn random(draw: &mut dyn DrawLoad) -> Option<Self>;

    /// The part with a potential, and the rest; each has the whole only of its own coefficients.
    fn parts(&self) -> [Option<Self>; 2] {
        [None, Some(self.clone())]
    }

    /// Of the kind `friction` alone, a column of `friction_regressor` each: loads whose efforts are
    /// those by one coefficient, the others zero.
    fn by_coefficients(&self) -> Vec<Self> {
        Vec::new()
    }

    /// Wrenches and efforts: an action with a potential, if there is one, before another without.
    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>>;

    /// Potential energy \[J\].
    fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S>;

    /// Adds the work of what has no potential and acts on bodies; nothing if it acts on a speed
    /// alone.
    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>);

    /// The effort on a speed, without what has a potential; `None` if it acts on bodies alone.
    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)>;
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! load_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// The types of the kinds.
        #[doc(hidden)]
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// The kinds of loads.
        #[doc(hidden)]
        #[derive(Clone, PartialEq, Debug)]
        pub enum LoadKind {
            $(#[doc = concat!("[`kinds::", stringify!($Kind), "`].")] $Kind($file::$Kind),)*
        }

        $(impl From<$file::$Kind> for LoadKind {
            fn from(kind: $file::$Kind) -> Self {
                LoadKind::$Kind(kind)
            }
        })*

        impl LoadKind {
            /// The words of the kinds, in the order of the list.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as LoadMechanics>::WORD),*];

            /// How often a random load is of some kind: the bound of `random`.
            pub const DRAWS: usize = 0 $(+ <$file::$Kind as LoadMechanics>::DRAWS)*;

            /// What it answers without a scalar.
            pub fn form(&self) -> &dyn LoadForm {
                match self {
                    $(LoadKind::$Kind(kind) => kind,)*
                }
            }

            /// The kind with this word, from what a spec says.
            pub fn read(word: &str, written: &mut dyn WrittenLoad) -> Option<Self> {
                match word {
                    $(<$file::$Kind as LoadMechanics>::WORD => $file::$Kind::read(written).map(LoadKind::from),)*
                    _ => None,
                }
            }

            /// The random kind of a number below `DRAWS`, counted through the list.
            pub fn random(mut drawn: usize, draw: &mut dyn DrawLoad) -> Option<Self> {
                $(if drawn < <$file::$Kind as LoadMechanics>::DRAWS {
                    return $file::$Kind::random(draw).map(LoadKind::from);
                }
                drawn -= <$file::$Kind as LoadMechanics>::DRAWS;)*
                let _ = drawn;
                None
            }

            /// The part with a potential, and the rest.
            pub fn parts(&self) -> [Option<Self>; 2] {
                match self {
                    $(LoadKind::$Kind(kind) => kind.parts().map(|part| part.map(LoadKind::from)),)*
                }
            }

            /// Of friction: loads whose efforts are those by one coefficient each.
            pub fn by_coefficients(&self) -> Vec<Self> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.by_coefficients().into_iter().map(LoadKind::from).collect(),)*
                }
            }

            /// Wrenches and efforts.
            pub fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.actions(name, context),)*
                }
            }

            /// Potential energy \[J\].
            pub fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.potential(pose),)*
                }
            }

            /// Adds the work of what has no potential and acts on bodies.
            pub fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
                match self {
                    $(LoadKind::$Kind(kind) => kind.add_work(work),)*
                }
            }

            /// The effort on a speed, without what has a potential.
            pub fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.effort(state),)*
                }
            }
        }
    };
}
pub(super) use load_kinds;
