//! The interface of an event kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`EventForm`] (properties, texts) and
//! [`EventMechanics`] (the function that crosses zero, over any scalar; constructor). An enum
//! dispatches to the kinds: `event_kinds!` in `mod.rs`. The keys of a type in a spec are a file of
//! `spec/event_keys`.

use super::gap::Gap;
use crate::mechanism::formula::Formula;
pub use crate::mechanism::formula::FormulaNames;
use crate::mechanism::index::CoordinateId;
use dqdt_algebra::{Dimension, Scalar};

/// Direction in which the event function must cross zero to trigger the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// Crossing from positive to negative.
    Falling,
    /// Crossing from negative to positive.
    Rising,
    /// Crossing in either direction.
    Both,
}

/// The event function, whose zero crossing triggers the event, for reports. For a new variant, add
/// its text in `equations/src/inspect/places.rs` and its dependence on poses in
/// `spec/src/resolve/line_bodies.rs`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum EventFunction<'e> {
    /// The value of a formula of the spec.
    Formula(&'e Formula),
    /// Distance of a point from a plane, for an impact.
    Gap(&'e Gap),
}

/// Condition that triggers an event: a function crosses zero in a direction.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'e> {
    /// The event function.
    pub function: EventFunction<'e>,
    /// Dimension of the event function, if known.
    pub dimension: Option<Dimension>,
    /// Direction of the zero crossing that triggers the event.
    pub crossing: Crossing,
}

/// A formula that crosses zero, as the keys `when` and `direction` of a spec define it.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct When {
    /// The formula that crosses zero.
    pub formula: Formula,
    /// Dimension of the formula, if known.
    pub dimension: Option<Dimension>,
    /// Direction of the zero crossing.
    pub crossing: Crossing,
}

impl When {
    /// Converts formula and direction to the trigger of an event.
    pub fn as_trigger(&self) -> Trigger<'_> {
        Trigger {
            function: EventFunction::Formula(&self.formula),
            dimension: self.dimension,
            crossing: self.crossing,
        }
    }
}

/// Effect of an event on the motion.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Outcome<'e> {
    /// The motion ends at the event.
    Ends,
    /// User states are assigned new values, given as state index and formula. The list may be
    /// empty; then the event is only reported.
    Passes(Vec<(usize, Formula)>),
    /// Speeds jump: the rate of the event function, which depends only on `q` and `t`, is reversed
    /// and multiplied by this restitution.
    Bounces(&'e Formula),
}

/// Mechanism in a given state, from which event functions are evaluated.
///
/// Implemented in `formalism/quantities/events.rs`. For a new quantity add a method here and
/// implement it there.
#[doc(hidden)]
pub trait EventContext<S: Scalar> {
    /// Value of a formula at the state, which may name measures.
    fn evaluate_formula(&self, f: &Formula) -> S;
    /// Distance of the gap's point (or ball) from its plane \[m\].
    fn gap_distance(&self, gap: &Gap) -> S;
}

/// Reads the keys of an event in a spec. A method returns `None` after it has reported an unusable
/// value.
///
/// Implemented in `spec/src/resolve/events.rs`. For a new sort of key add a method here and
/// implement it there.
#[doc(hidden)]
pub trait EventKeys {
    /// Formula of the key `when` and direction of the key `direction`; default: falling.
    fn read_when(&mut self) -> When;
    /// Word in a key with a fixed set of words, such as `side`.
    fn read_word(&mut self, key: &'static str) -> Option<&'static str>;
    /// Formula of a key, called `noun` (with its article) in messages; default: zero.
    fn read_formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula;
    /// Coefficient of the key `restitution`, from 0 to 1.
    fn read_restitution(&mut self) -> Formula;
    /// Index of the user state that a key names, with its dimension if known.
    fn read_user_state(&mut self, key: &'static str) -> Option<(usize, Option<Dimension>)>;
    /// User states and their new values in the key `set`: index and formula.
    fn read_new_states(&mut self) -> Vec<(usize, Formula)>;
    /// Point of the keys `body` and `at`, above the plane of the keys `plane` and `normal`; ball of
    /// the given radius.
    fn read_gap(&mut self, radius: Formula) -> Option<Gap>;
    /// Coordinate of the joint that the event concerns, with its dimension. The keys of the event
    /// type must include `target`.
    fn read_coordinate(&mut self) -> Option<(CoordinateId, Dimension)>;
}

/// Scalar-independent part of an event kind: trigger, outcome and texts.
#[doc(hidden)]
pub trait EventForm {
    /// Condition that triggers the event: a zero crossing of the event function.
    fn trigger(&self) -> Trigger<'_>;

    /// Effect of the event on the motion.
    fn outcome(&self) -> Outcome<'_>;

    /// Noun for the event function in reports, such as `gap`.
    fn function_noun(&self) -> &'static str {
        "function"
    }
}

/// Scalar-generic part of an event kind, with its constructor from the keys of a spec.
#[doc(hidden)]
pub trait EventMechanics: EventForm + Sized {
    /// The word for this event kind in the spec format.
    const WORD: &'static str;

    /// Creates the event kind from the keys of a spec; `None` after an error was reported.
    fn read(keys: &mut dyn EventKeys) -> Option<Self>;

    /// Value of the event function, whose zero crossing triggers the event.
    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S;
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! event_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// Kinds of events.
        #[doc(hidden)]
        #[derive(Clone, PartialEq, Debug)]
        pub enum EventKind {
            $(#[doc = concat!("Kind in `", stringify!($file), ".rs`.")] $Kind($file::$Kind),)*
        }

        impl EventKind {
            /// Keywords of all kinds in the spec format, in the order of their declaration.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as EventMechanics>::WORD),*];

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            pub fn form(&self) -> &dyn EventForm {
                match self {
                    $(EventKind::$Kind(kind) => kind,)*
                }
            }

            /// Creates the kind for a keyword from the keys of a spec; `None` if the keyword is
            /// unknown or a key has an error.
            pub fn read(word: &str, keys: &mut dyn EventKeys) -> Option<Self> {
                match word {
                    $(<$file::$Kind as EventMechanics>::WORD => $file::$Kind::read(keys).map(EventKind::$Kind),)*
                    _ => None,
                }
            }

            /// Value of the event function, whose zero crossing triggers the event.
            pub fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
                match self {
                    $(EventKind::$Kind(kind) => kind.value(state),)*
                }
            }
        }
    };
}
pub(super) use event_kinds;
