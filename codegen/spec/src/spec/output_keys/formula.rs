//! The keys of outputs of type `formula`.

use super::{DESCRIPTION, OutputKeys, TYPE};
use crate::spec::key::{Key, Kind, TableShape, optional, required};

const OWN: &[Key] = &[
    required("value", Kind::Value, "A formula of anything.").example(r#""l*sin(theta)""#),
    optional("unit", Kind::Unit, "Checked; values are in SI.").example(r#""m""#),
];

pub(super) const KEYS: OutputKeys = OutputKeys {
    word: "formula",
    kind: "formula",
    shape: TableShape { keys: &[&[TYPE], OWN, &[DESCRIPTION]] },
    own: OWN,
    text: "A formula with unit and description.",
};
