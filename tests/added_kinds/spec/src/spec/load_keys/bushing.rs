//! Spec keys of loads of type `bushing`.

use super::COMMON;
use crate::spec::key::{Key, Kind, TableShape, optional, required};
use crate::spec::type_keys::TypeKeys;

const OWN: &[Key] = &[
    required("from", Kind::Frame, "\"ground\", a body, or { body, at, rotation }.").example(r#""ground""#),
    required("to", Kind::Frame, "Second frame: a body, or { body, at, rotation }.").example(r#""bob""#),
    optional("kx", Kind::Value, "Stiffness along x of `from`.").unit("N/m").default("0").example("1e5"),
    optional("ky", Kind::Value, "Along y.").unit("N/m").default("0").example("1e5"),
    optional("kz", Kind::Value, "Along z.").unit("N/m").default("0").example("1e5"),
    optional("dx", Kind::Value, "Damping along x of `from`.").unit("N*s/m").default("0").example("1e3"),
    optional("dy", Kind::Value, "Along y.").unit("N*s/m").default("0").example("1e3"),
    optional("dz", Kind::Value, "Along z.").unit("N*s/m").default("0").example("1e3"),
    optional("ktx", Kind::Value, "Stiffness about x of `from`.").unit("N*m/rad").default("0").example("1e3"),
    optional("kty", Kind::Value, "About y.").unit("N*m/rad").default("0").example("1e3"),
    optional("ktz", Kind::Value, "About z.").unit("N*m/rad").default("0").example("1e3"),
    optional("dtx", Kind::Value, "Damping about x of `from`.").unit("N*m*s/rad").default("0").example("10"),
    optional("dty", Kind::Value, "About y.").unit("N*m*s/rad").default("0").example("10"),
    optional("dtz", Kind::Value, "About z.").unit("N*m*s/rad").default("0").example("10"),
];

pub(super) const KEYS: TypeKeys = TypeKeys {
    word: "bushing",
    kind: "bushing",
    shape: TableShape { keys: &[COMMON, OWN] },
    own: OWN,
    text: "Six springs and dampers between two frames.",
    ..TypeKeys::PLAIN
};
