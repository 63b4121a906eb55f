//! Keys of outputs of type `joint_effort`.

use super::{DESCRIPTION, TYPE};
use crate::spec::key::{Key, Kind, TableShape, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[required("joint", Kind::Name, "The joint.").example(r#""hinge""#)];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "joint_effort",
    kind: "joint_effort",
    shape: TableShape { keys: &[&[TYPE], OWN, &[DESCRIPTION]] },
    own: OWN,
    text: "Efforts at a joint from actuators, springs and friction, or the effort of the drive of a prescribed joint.",
    ..TypeKeys::PLAIN
};
