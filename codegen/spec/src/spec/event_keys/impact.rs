//! Keys of events of type `impact`.

use super::{DESCRIPTION, RESTITUTION, TYPE};
use crate::spec::key::{Key, Kind, TableShape, optional, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    required("body", Kind::Name, "Body that hits the plane.").example(r#""rod""#),
    optional("at", Kind::Point, "Point of the body that hits the plane.")
        .default("the origin of the body frame")
        .example(r#""tip""#),
    required("plane", Kind::Spot, "A point of the unbounded plane: \"ground\", a body, or { body, at }.")
        .example(r#""ground""#),
    required(
        "normal",
        Kind::Axis,
        "Outward normal of the plane, in the axes of the frame that `plane` names.",
    )
    .example(r#""z""#),
    optional("radius", Kind::Value, "Radius of a ball centred at the point.")
        .unit("m")
        .default("0")
        .example(r#""r""#),
    RESTITUTION,
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "impact",
    kind: "impact",
    shape: TableShape { keys: &[TYPE, OWN, DESCRIPTION] },
    own: OWN,
    text: "A point of a body hits a frictionless plane, and the speeds jump.",
    ..TypeKeys::PLAIN
};
