//! The interface of a load kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`LoadForm`] (properties, texts) and
//! [`LoadMechanics`] (actions over any scalar, constructors). An enum dispatches to the kinds:
//! `load_kinds!` in `mod.rs`. The keys of a type in a spec are a file of `spec/load_keys`.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
pub use crate::mechanism::ends::Dependence;
use crate::mechanism::ends::{Ends, VectorFrame};
use crate::mechanism::formula::Formula;
pub use crate::mechanism::formula::FormulaNames;
use crate::mechanism::index::{BodyId, CoordinateId, SpeedId};
use crate::mechanism::model::Placement;
use crate::mechanism::rule::Rule;
use dqdt_algebra::{Dimension, Scalar};

/// Body, points or speed on which a load acts.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ActsOn<'l> {
    /// A body, on which the load is a moment.
    Body(BodyId),
    /// A point of a body, on which the load is a force.
    Point(BodyId, &'l Placement),
    /// Two points, between which the load is a tension.
    Ends(&'l Ends),
    /// A joint speed, on which the load is an effort.
    Speed(SpeedId),
}

/// Force law of a load, as reports show it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Law<'l> {
    /// Components of a force or moment, with their axes.
    Vector(&'l [Formula; 3], &'l VectorFrame),
    /// A single formula, such as an effort.
    Value(&'l Formula),
    /// An effort: minus the sum of coefficients times factors.
    Opposing(Vec<(&'l Formula, LawFactor<'l>)>),
    /// A tension along a line: the sum of coefficients times factors.
    Tension(Vec<(&'l Formula, LawFactor<'l>)>),
}

/// Factor that a coefficient of a force law multiplies, such as a speed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum LawFactor<'l> {
    /// The factor is a joint speed.
    Speed(SpeedId),
    /// The factor is a coordinate minus a rest position.
    Deflection(CoordinateId, &'l Formula),
    /// The factor is `tanh(v / transition)` of a speed v.
    Direction(SpeedId, &'l Formula),
    /// The factor is the length of the line minus a rest length.
    Elongation(&'l Formula),
    /// The factor is the rate of the length of the line.
    LengthRate,
}

/// Condition on a number of a load, such as a positive transition speed. Checked with the spec; if
/// run-time parameters enter, emitted code checks it too.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LoadCondition<'l> {
    /// The condition that the value of `formula` must fulfil.
    pub rule: Rule,
    /// The formula of the load whose value is checked.
    pub formula: &'l Formula,
    /// Key of the checked formula in the spec.
    pub key: &'static str,
    /// True if a violation is an error, false if it is a warning.
    pub is_error: bool,
    /// Code of the message, with an entry in `command/src/cli/codes`.
    pub code: &'static str,
    /// Texts of the message before and after the name of the load.
    pub message: [&'static str; 2],
    /// Label at the value in the excerpt of the spec, before the value.
    pub label: &'static str,
    /// Remedy that the message about a violation suggests.
    pub help: &'static str,
}

/// Joint speed on which a load in a joint acts, with its coordinate and dimension.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LoadTarget {
    /// The coordinate whose rate the speed is, with its dimension; `None` for a quasi-velocity.
    pub coordinate: Option<(CoordinateId, Dimension)>,
    /// The speed on which the load acts.
    pub speed: SpeedId,
    /// Dimension of the speed on which the load acts.
    pub dimension: Dimension,
}

/// Dimension of an effort: that of work over that of the coordinate.
pub(super) fn effort_dimension(coordinate: Dimension) -> Dimension {
    Dimension::MOMENT.over(coordinate)
}

impl LoadTarget {
    /// Dimension of an effort on the target's speed.
    pub fn effort_dimension(&self) -> Dimension {
        effort_dimension(self.dimension.times(Dimension::TIME))
    }
}

/// Reads the keys of a load in a spec. A method returns `None` after it has reported an unusable
/// value.
///
/// Implemented in `spec/src/resolve/loads.rs`. For a new sort of key add a method here and
/// implement it there.
#[doc(hidden)]
pub trait LoadKeys {
    /// Body named by the key `body`.
    fn read_body(&mut self) -> Option<BodyId>;
    /// Point named by the key `at` on that body; default: the body's origin.
    fn read_point(&mut self) -> Placement;
    /// Axes named by the key `frame`; default: ground axes.
    fn read_axes(&mut self) -> VectorFrame;
    /// Three components in the key `value`, with this dimension.
    fn read_vector(&mut self, dimension: Dimension) -> [Formula; 3];
    /// Body named by the key `reaction`, on which the opposite acts.
    fn read_reaction_body(&mut self) -> Option<BodyId>;
    /// Points named by the keys `from` and `to`. `on_two_bodies`: they must be on two bodies.
    fn read_ends(&mut self, on_two_bodies: bool) -> Option<Ends>;
    /// Formula of a key, called "the `noun`" in messages; default: zero.
    fn read_formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula;
    /// True if the load in the spec contains the key.
    fn has_key(&mut self, key: &'static str) -> bool;
    /// Speed on which the load acts. `coordinate`: it must be the rate of a coordinate. The keys of
    /// the load type must include `target`.
    fn read_target(&mut self, coordinate: bool) -> Option<LoadTarget>;
    /// Reports an error and returns `None` if the target is given as a joint with angles measured
    /// from the ground instead of from the parent.
    fn require_relative_speed(&mut self) -> Option<()>;
}

/// A source of random data for loads in tests.
#[doc(hidden)]
pub trait DrawLoad {
    /// Random body on which the load acts.
    fn random_body(&self) -> BodyId;
    /// Random body on which the opposite acts, if any.
    fn random_reaction_body(&self) -> Option<BodyId>;
    /// Two random points, the first on the body.
    fn random_ends(&mut self) -> Ends;
    /// A random point fixed on a body.
    fn random_placement(&mut self) -> Placement;
    /// Random axes for the components of a vector.
    fn random_axes(&mut self) -> VectorFrame;
    /// A random constant formula whose value is between these multiples of 1/64.
    fn random_constant(&mut self, low: i64, high: i64) -> Formula;
    /// A random constant like that of `scalar`, but possibly zero.
    fn zero_or_random_constant(&mut self, low: i64, high: i64) -> Formula;
    /// A random formula of any variables.
    fn random_formula(&mut self) -> Formula;
    /// A random speed, and the coordinate whose rate it is, if any.
    fn random_speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)>;
}

/// Scalar-independent part of a load kind: target, force law, conditions and texts.
#[doc(hidden)]
pub trait LoadForm {
    /// Name of the load kind in reports.
    fn kind_name(&self) -> &'static str;

    /// The body, points or speed on which the load acts.
    fn acts_on(&self) -> ActsOn<'_>;

    /// Body on which the opposite of the force or moment acts; `None` if there is none.
    fn reaction_body(&self) -> Option<BodyId> {
        None
    }

    /// Properties of the bodies' poses that the load uses, besides coordinates, speeds and
    /// measures. Used to check direction joints.
    fn pose_dependences(&self) -> Vec<Dependence<'_>>;

    /// Force law for reports; `None` if it is not short, so that reports omit it.
    fn force_law(&self) -> Option<Law<'_>>;

    /// All formulas of the force law except lengths.
    fn force_law_formulas(&self) -> Vec<&Formula>;

    /// Formulas of lengths \[m\] of the load, such as a rest length, except coordinates of points.
    fn length_formulas(&self) -> Vec<&Formula> {
        Vec::new()
    }

    /// Conditions on the numbers of the load, checked with the spec.
    fn validity_conditions(&self) -> Vec<LoadCondition<'_>> {
        Vec::new()
    }

    /// True if the load acts in a joint, between its two bodies; the effort then is part of outputs
    /// of type `joint_effort`. Such a kind must call [`LoadKeys::require_relative_speed`] in
    /// `read`, or return true from [`Self::acts_back_on_parent`].
    fn acts_in_joint(&self) -> bool {
        false
    }

    /// True if an effort on a speed of a joint with absolute angles has its opposite on the parent,
    /// as that of a motor. Such a kind must use [`LoadContext::opposite_moment`] in `actions` and
    /// [`LoadWork::add_opposite_effort`] in `add_work`.
    fn acts_back_on_parent(&self) -> bool {
        false
    }

    /// End points of a line by whose length the load divides; `None` if it does not divide by a
    /// length.
    fn divides_by_length(&self, _vanishes: &dyn Fn(&Formula) -> bool) -> Option<&Ends> {
        None
    }
}

/// Scalar-generic part of a load kind, and its constructors.
///
/// Every kind states its action twice. `actions` returns all wrenches and efforts. `potential`,
/// `add_work` and `effort` together state the same action for Lagrange's equations. Tests compare
/// the two in random mechanisms (`DRAWS`). Messages appear in the order of the calls in `read`.
#[doc(hidden)]
pub trait LoadMechanics: LoadForm + Clone {
    /// The word for this load kind in the spec format.
    const WORD: &'static str;
    /// Relative frequency of this kind among random loads; zero: never. A new kind, like a new
    /// measure, changes the random mechanisms of tests. If a test then fails with NaN, it has drawn
    /// a singular pose of another kind. Outputs and events are not drawn. A random law must be
    /// smooth: tests compare its derivatives with finite differences, so a law with a kink (`abs`,
    /// limits) must have zero here.
    const DRAWS: usize;

    /// Creates the load kind from the keys of a spec; `None` after an error was reported.
    fn read(keys: &mut dyn LoadKeys) -> Option<Self>;

    /// A random load of this kind; `None` if the mechanism has nothing on which it could act.
    fn random(draw: &mut dyn DrawLoad) -> Option<Self>;

    /// Splits the load into the part with a potential and the rest, such as spring and damper. Each
    /// part has the coefficients of the other set to zero.
    fn parts(&self) -> [Option<Self>; 2] {
        [None, Some(self.clone())]
    }

    /// Loads for the columns of `friction_regressor`, one a friction coefficient: that coefficient
    /// is one, the others are zero. Only `friction` returns any.
    fn by_coefficients(&self) -> Vec<Self> {
        Vec::new()
    }

    /// Wrenches on bodies and efforts on speeds of the load. An action with a potential comes
    /// before one without.
    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>>;

    /// Potential energy of the load \[J\]; `None` without a potential.
    fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S>;

    /// Adds the load's generalised forces to Lagrange's equations: the part without potential that
    /// acts on bodies. Does nothing for a load that acts on a speed only.
    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>);

    /// Effort of the load on a speed, without the part that has a potential; `None` if the load
    /// acts on bodies only. For Lagrange's equations.
    fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)>;
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! load_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// Structs of all load kinds.
        #[doc(hidden)]
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        /// Kinds of loads.
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
            /// Keywords of all kinds in the spec format, in the order of their declaration.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as LoadMechanics>::WORD),*];

            /// Sum of the relative frequencies of all kinds: the bound of `random`.
            pub const DRAWS: usize = 0 $(+ <$file::$Kind as LoadMechanics>::DRAWS)*;

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            pub fn form(&self) -> &dyn LoadForm {
                match self {
                    $(LoadKind::$Kind(kind) => kind,)*
                }
            }

            /// Creates the kind for a keyword from the keys of a spec; `None` if the keyword is
            /// unknown or a key has an error.
            pub fn read(word: &str, keys: &mut dyn LoadKeys) -> Option<Self> {
                match word {
                    $(<$file::$Kind as LoadMechanics>::WORD => $file::$Kind::read(keys).map(LoadKind::from),)*
                    _ => None,
                }
            }

            /// Random load for a number `drawn` below `DRAWS`, which selects the kind by its
            /// frequency.
            pub fn random(mut drawn: usize, draw: &mut dyn DrawLoad) -> Option<Self> {
                $(if drawn < <$file::$Kind as LoadMechanics>::DRAWS {
                    return $file::$Kind::random(draw).map(LoadKind::from);
                }
                drawn -= <$file::$Kind as LoadMechanics>::DRAWS;)*
                let _ = drawn;
                None
            }

            /// Splits the load into the part with a potential and the rest.
            pub fn parts(&self) -> [Option<Self>; 2] {
                match self {
                    $(LoadKind::$Kind(kind) => kind.parts().map(|part| part.map(LoadKind::from)),)*
                }
            }

            /// One load for each friction coefficient, with this coefficient one and the others
            /// zero.
            pub fn by_coefficients(&self) -> Vec<Self> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.by_coefficients().into_iter().map(LoadKind::from).collect(),)*
                }
            }

            /// All wrenches on bodies and efforts on speeds.
            pub fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.actions(name, context),)*
                }
            }

            /// Potential energy \[J\]; `None` if the load has no potential.
            pub fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.potential(pose),)*
                }
            }

            /// Adds the generalised forces of the part without potential that acts on bodies.
            pub fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
                match self {
                    $(LoadKind::$Kind(kind) => kind.add_work(work),)*
                }
            }

            /// Effort on a speed, without the part that has a potential.
            pub fn effort<S: Scalar>(&self, state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
                match self {
                    $(LoadKind::$Kind(kind) => kind.effort(state),)*
                }
            }
        }
    };
}
pub(super) use load_kinds;
