//! Loads, outputs and events, as written.

use super::model::{AxisText, FrameOn, Location, Name, UnitText, Value};
use dqdt_diagnostics::base::Spanned;

/// `[loads]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Load {
    pub name: Name,
    pub keys: KeyValues,
}

/// `[outputs]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Output {
    pub name: Name,
    pub description: String,
    pub keys: KeyValues,
}

/// `[events]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: Name,
    pub description: String,
    pub keys: KeyValues,
}

/// The joint speed or coordinate that something acts on.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// The only one of a joint.
    Joint(Name),
    /// By its own name.
    Own(Name),
}

/// The kind of a load, an output or an event, with the values of the keys of its type.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyValues {
    /// The word of the kind.
    pub kind: &'static str,
    /// The word of the type.
    pub word: &'static str,
    /// All keys of the type.
    pub declared: Vec<&'static str>,
    /// What it acts on, of a type that acts in a joint.
    pub target: Option<Target>,
    /// Value of each key that is written.
    pub values: Vec<(&'static str, KeyValue)>,
}

/// The value of a key.
#[derive(Clone, PartialEq, Debug)]
pub enum KeyValue {
    /// Name of a body, a joint or the like.
    Name(Name),
    /// One of several words.
    Word(Spanned<&'static str>),
    /// A formula.
    Value(Value),
    /// A vector.
    Triple(Box<[Value; 3]>),
    /// An axis.
    Axis(Box<AxisText>),
    /// A point of a body that another key names.
    Point(Location),
    /// A body with a place on it.
    Frame(Box<FrameOn>),
    /// A unit.
    Unit(UnitText),
    /// Formulas by names.
    Named(Vec<(Name, Value)>),
}

/// A value of one sort, by its key.
macro_rules! accessors {
    ($($(#[$about:meta])* $accessor:ident, $Sort:ident, $Type:ty;)*) => {
        $($(#[$about])*
        pub fn $accessor(&self, key: &str) -> Option<&$Type> {
            match self.values.iter().find(|(k, _)| *k == key) {
                Some((_, KeyValue::$Sort(value))) => Some(value),
                _ => None,
            }
        })*
    };
}

impl KeyValues {
    accessors! {
        /// The name that a key gives.
        name, Name, Name;
        /// The word that a key gives.
        word, Word, Spanned<&'static str>;
        /// The formula that a key gives.
        value, Value, Value;
        /// The vector that a key gives.
        triple, Triple, [Value; 3];
        /// The axis that a key gives.
        axis, Axis, AxisText;
        /// The point that a key gives.
        point, Point, Location;
        /// The place that a key gives.
        frame, Frame, FrameOn;
        /// The unit that a key gives.
        unit, Unit, UnitText;
        /// The formulas that a key gives.
        named, Named, Vec<(Name, Value)>;
    }

    /// An output that is a formula without a unit.
    pub fn formula(value: Value) -> Self {
        KeyValues {
            kind: "formula",
            word: "formula",
            declared: vec!["value", "unit"],
            target: None,
            values: vec![("value", KeyValue::Value(value))],
        }
    }
}
