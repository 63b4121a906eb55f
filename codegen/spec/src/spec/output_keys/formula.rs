//! Keys of outputs of type `formula`.

use super::{DESCRIPTION, TYPE};
use crate::spec::key::{Key, Kind, TableShape, optional, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    required("value", Kind::Value, "Formula of the output, which may use any name of the spec.")
        .example(r#""l*sin(theta)""#),
    optional("unit", Kind::Unit, "Unit, used only to check dimensions; values are in SI units.")
        .example(r#""m""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "formula",
    kind: "formula",
    shape: TableShape { keys: &[&[TYPE], OWN, &[DESCRIPTION]] },
    own: OWN,
    text: "A formula with a unit and a description.",
    ..TypeKeys::PLAIN
};
