//! The interface of a kind of event, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`EventForm`] (facts, text) and
//! [`EventMechanics`] (the function that crosses zero, over any scalar; reading). One list
//! delegates to the kinds: `event_kinds!` in `mod.rs`. The keys of a type in a spec are a file of
//! `spec/event_keys`.

use super::gap::Gap;
use crate::mechanism::formula::Formula;
pub use crate::mechanism::formula::FormulaNames;
use crate::mechanism::index::CoordinateId;
use dqdt_algebra::{Dimension, Scalar};

/// The direction in which a function crosses zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// From above to below.
    Falling,
    /// From below to above.
    Rising,
    /// Either way.
    Both,
}

/// The function that crosses zero, for people. A new one: a line here, its words in
/// `equations/src/inspect/places.rs`, what it depends on in `spec/src/resolve/line_bodies.rs`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Condition<'e> {
    /// A formula.
    Formula(&'e Formula),
    /// A distance of a point from a plane.
    Gap(&'e Gap),
}

/// What an event waits for.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'e> {
    /// The function that crosses zero.
    pub condition: Condition<'e>,
    /// Its dimension, as far as it is known.
    pub dimension: Option<Dimension>,
    /// The direction in which it does.
    pub crossing: Crossing,
}

/// A formula that crosses zero, of the keys `when` and `direction`.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct When {
    /// The formula.
    pub formula: Formula,
    /// Its dimension, as far as it is known.
    pub dimension: Option<Dimension>,
    /// The direction in which it does.
    pub crossing: Crossing,
}

impl When {
    /// As a trigger.
    pub fn trigger(&self) -> Trigger<'_> {
        Trigger {
            condition: Condition::Formula(&self.formula),
            dimension: self.dimension,
            crossing: self.crossing,
        }
    }
}

/// The effect of an event.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Outcome<'e> {
    /// The motion ends.
    Ends,
    /// User states get new values; without any the event is only reported.
    Passes(Vec<(usize, Formula)>),
    /// Speeds jump: the function, of `q` and `t` alone, turns back with this share of the rate that
    /// it came with.
    Bounces(&'e Formula),
}

/// A mechanism in a state.
///
/// Implemented in `formalism/quantities/events.rs`. To add a quantity: a method here, and its value
/// there.
#[doc(hidden)]
pub trait EventContext<S: Scalar> {
    /// Value of a formula, which may name measures.
    fn value_of(&self, f: &Formula) -> S;
    /// Distance of a point from a plane \[m\].
    fn distance(&self, gap: &Gap) -> S;
}

/// The keys of an event in a spec. A value that cannot be used is reported where it is found, and
/// is `None` here.
///
/// Implemented in `spec/src/resolve/events.rs`. To ask for more: a method here, and its answer
/// there.
#[doc(hidden)]
pub trait WrittenEvent {
    /// The formula of the key `when`, with the direction of the key `direction`; falling if left out.
    fn when(&mut self) -> When;
    /// The word of a key.
    fn word(&mut self, key: &'static str) -> Option<&'static str>;
    /// The formula of a key, called `noun`, with its article, in messages; zero if left out.
    fn formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula;
    /// The share of the key `restitution`, from 0 to 1.
    fn restitution(&mut self) -> Formula;
    /// The user state that a key names, with its dimension as far as it is known.
    fn state(&mut self, key: &'static str) -> Option<(usize, Option<Dimension>)>;
    /// User states and their new values, of the key `set`.
    fn new_states(&mut self) -> Vec<(usize, Formula)>;
    /// The point of the keys `body` and `at`, over the plane of the keys `plane` and `normal`.
    fn gap(&mut self, radius: Formula) -> Option<Gap>;
    /// The coordinate of the joint that it is about, with its dimension: the keys of its type need
    /// a `target`.
    fn coordinate(&mut self) -> Option<(CoordinateId, Dimension)>;
}

/// What a kind answers without a scalar.
#[doc(hidden)]
pub trait EventForm {
    /// What it waits for.
    fn trigger(&self) -> Trigger<'_>;

    /// Its effect.
    fn outcome(&self) -> Outcome<'_>;

    /// What the function is called.
    fn noun(&self) -> &'static str {
        "function"
    }
}

/// What a kind answers over any scalar, and how it comes about.
#[doc(hidden)]
pub trait EventMechanics: EventForm + Sized {
    /// The kind that types of the format name.
    const WORD: &'static str;

    /// From what a spec says.
    fn read(written: &mut dyn WrittenEvent) -> Option<Self>;

    /// Value of the function that crosses zero.
    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S;
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! event_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// The kinds of events.
        #[doc(hidden)]
        #[derive(Clone, PartialEq, Debug)]
        pub enum EventKind {
            $(#[doc = concat!("Of `", stringify!($file), ".rs`.")] $Kind($file::$Kind),)*
        }

        impl EventKind {
            /// The words of the kinds, in the order of the list.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as EventMechanics>::WORD),*];

            /// What it answers without a scalar.
            pub fn form(&self) -> &dyn EventForm {
                match self {
                    $(EventKind::$Kind(kind) => kind,)*
                }
            }

            /// The kind with this word, from what a spec says.
            pub fn read(word: &str, written: &mut dyn WrittenEvent) -> Option<Self> {
                match word {
                    $(<$file::$Kind as EventMechanics>::WORD => $file::$Kind::read(written).map(EventKind::$Kind),)*
                    _ => None,
                }
            }

            /// Value of the function that crosses zero.
            pub fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
                match self {
                    $(EventKind::$Kind(kind) => kind.value(state),)*
                }
            }
        }
    };
}
pub(super) use event_kinds;
