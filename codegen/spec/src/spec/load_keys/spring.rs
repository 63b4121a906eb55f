//! Keys of loads of type `spring`.

use super::{COMMON, FROM, TO};
use crate::spec::key::{Key, Kind, TableShape, optional};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    FROM,
    TO,
    optional("stiffness", Kind::Value, "Stiffness k, as a formula of the parameters.")
        .unit("N/m")
        .default("0")
        .example(r#""k""#),
    optional("damping", Kind::Value, "Damping d, as a formula of the parameters.")
        .unit("N*s/m")
        .default("0")
        .example(r#""d""#),
    optional(
        "rest_length",
        Kind::Value,
        "Length l0 at which the spring is relaxed, as a formula of the parameters.",
    )
    .unit("m")
    .default("0")
    .example(r#""l0""#),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "spring",
    kind: "spring",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "A spring and damper between two points, with the tension k*(l - l0) + d*dl/dt. The length l is a distance and never negative; for a prismatic joint that passes through zero, use `joint_spring`.",
    ..TypeKeys::PLAIN
};
