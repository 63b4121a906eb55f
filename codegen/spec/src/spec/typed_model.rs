//! Data model of loads, outputs and events as written in a spec.

use super::model::{AxisText, FrameOn, Location, Name, UnitText, Value};
use dqdt_diagnostics::base::Spanned;

/// An entry of `[loads]`: a force, spring, actuator, friction.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Load {
    pub name: Name,
    pub keys: KeyValues,
}

/// An entry of `[outputs]`: a quantity that functions and tables return.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Output {
    pub name: Name,
    pub description: String,
    pub keys: KeyValues,
}

/// An entry of `[events]`: a condition at which a motion ends, switches or jumps.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: Name,
    pub description: String,
    pub keys: KeyValues,
}

/// Target of a load or an event: the coordinate or speed of a joint that it acts on.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// The only coordinate or speed of this joint.
    Joint(Name),
    /// The coordinate or speed of this name, which the key `coordinate` or `speed` states.
    Own(Name),
}

/// Type of a load, an output or an event, with the values of the keys that only this type has.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyValues {
    /// Name of the kind in the crate `mechanics` that implements the type.
    pub kind: &'static str,
    /// Value of the key `type`, such as `spring`.
    pub word: &'static str,
    /// Names of all keys that the type declares, present or not, to detect readers of other keys.
    pub declared: Vec<&'static str>,
    /// Coordinate or speed acted on, for types that act in a joint.
    pub target: Option<Target>,
    /// Keys of the type that are present in the spec, with their values.
    pub values: Vec<(&'static str, KeyValue)>,
}

/// Value of a key of a load, an output or an event.
#[derive(Clone, PartialEq, Debug)]
pub enum KeyValue {
    /// The name of a body, a joint, or another entry.
    Name(Name),
    /// A word from the fixed list of the key.
    Word(Spanned<&'static str>),
    /// A number or a formula.
    Value(Value),
    /// A vector of three numbers or formulas.
    Triple(Box<[Value; 3]>),
    /// An axis: a direction in exact numbers.
    Axis(Box<AxisText>),
    /// A point of the body that another key names.
    Point(Location),
    /// A frame: a body or the ground, with a point on it.
    Frame(Box<FrameOn>),
    /// A unit, such as `N*m`.
    Unit(UnitText),
    /// A table of formulas by the names that they are assigned to.
    Named(Vec<(Name, Value)>),
}

/// Declares accessors: each returns the value of a key, if it has the given variant of
/// [`KeyValue`].
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
        /// Name stored under a key.
        name, Name, Name;
        /// Word stored under a key.
        word, Word, Spanned<&'static str>;
        /// Formula stored under a key.
        value, Value, Value;
        /// Vector stored under a key.
        triple, Triple, [Value; 3];
        /// Axis stored under a key.
        axis, Axis, AxisText;
        /// Point stored under a key.
        point, Point, Location;
        /// Body and point stored under a key.
        frame, Frame, FrameOn;
        /// Unit stored under a key.
        unit, Unit, UnitText;
        /// Table of formulas stored under a key.
        named, Named, Vec<(Name, Value)>;
    }

    /// The keys of an output that is a formula without a unit.
    pub fn plain_formula(value: Value) -> Self {
        KeyValues {
            kind: "formula",
            word: "formula",
            declared: vec!["value", "unit"],
            target: None,
            values: vec![("value", KeyValue::Value(value))],
        }
    }
}
