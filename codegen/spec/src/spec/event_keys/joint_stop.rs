//! Keys of events of type `joint_stop`.

use super::{DESCRIPTION, RESTITUTION, TYPE};
use crate::spec::key::{Key, Kind, TableShape, optional, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    optional("joint", Kind::Name, "Name of a joint with one coordinate.").example(r#""hinge""#),
    optional("coordinate", Kind::Name, "Name of a coordinate, as an alternative to `joint`.")
        .example(r#""theta""#),
    required("side", Kind::Word(&["lower", "upper"]), "End of the joint's range: \"lower\" or \"upper\".")
        .example(r#""upper""#),
    required("at", Kind::Value, "Position of the stop, as a formula of the parameters.")
        .unit("rad or m")
        .example(r#""90 deg""#),
    RESTITUTION,
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "joint_stop",
    kind: "joint_stop",
    shape: TableShape { keys: &[TYPE, OWN, DESCRIPTION] },
    own: OWN,
    target: Some("coordinate"),
    text: "A joint reaches the end of its range, and the speeds jump.",
    ..TypeKeys::PLAIN
};
