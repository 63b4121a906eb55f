//! Keys of loads of type `joint_spring`.

use super::{COMMON, JOINT};
use crate::spec::key::{Key, Kind, TableShape, optional};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    JOINT,
    optional("coordinate", Kind::Name, "Name of a coordinate, as an alternative to `joint`.")
        .example(r#""theta""#),
    optional("stiffness", Kind::Value, "Stiffness k, as a formula of the parameters.")
        .unit("N*m/rad or N/m")
        .default("0")
        .example(r#""k""#),
    optional("damping", Kind::Value, "Damping d, as a formula of the parameters.")
        .unit("N*m*s/rad or N*s/m")
        .default("0")
        .example(r#""d""#),
    optional(
        "rest",
        Kind::Value,
        "Coordinate q0 at which the spring is relaxed, as a formula of the parameters.",
    )
    .unit("rad or m")
    .default("0")
    .example(r#""10 deg""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "joint_spring",
    kind: "joint_spring",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("coordinate"),
    text: "A spring and damper in a joint, with the effort -k*(q - q0) - d*dq/dt.",
    ..TypeKeys::PLAIN
};
