//! Keys of loads of type `friction`.

use super::{COMMON, JOINT, SPEED};
use crate::spec::key::{Key, Kind, TableShape, optional};
use crate::spec::type_keys::{Needs, TypeKeys};

const OWN: &[Key] = &[
    JOINT,
    SPEED,
    optional("viscous", Kind::Value, "Viscous friction.")
        .unit("N*m*s/rad or N*s/m")
        .default("0")
        .example(r#""d""#),
    optional("coulomb", Kind::Value, "Maximum dry friction.").unit("N*m or N").default("0").example("0.5"),
    optional(
        "transition",
        Kind::Value,
        "Speed at which dry friction reaches 76 % of its maximum; required with `coulomb`.",
    )
    .unit("rad/s or m/s")
    .example("1e-3"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "friction",
    kind: "friction",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    target: Some("speed"),
    needs: Some(Needs {
        key: "coulomb",
        other: "transition",
        label: "dry friction requires a transition speed",
        help: "add `transition = …`: the speed at which dry friction reaches 76 % of its maximum [rad/s or m/s]",
    }),
    text: "Friction in a joint, with the effort -viscous*v - coulomb*tanh(v/transition).",
};
