//! The keys of constraints, one file a type. The mechanics of a kind is a file of `mechanism/constraint`.

mod cylindrical;
mod distance;
mod gear;
mod helical;
mod knife_edge;
mod planar;
mod planar_prismatic;
mod planar_revolute;
mod point_on_line;
mod point_on_plane;
mod point_on_surface;
mod position;
mod prismatic;
mod revolute;
mod rolling_ball;
mod rolling_disc;
mod spherical;
mod universal;
mod velocity;
mod weld;

use super::key::{Family, Key, Kind, TableShape, optional, required};

/// The keys of a type of constraint.
#[derive(Debug)]
pub(crate) struct ConstraintKeys {
    /// The word of the format.
    pub word: &'static str,
    /// The kind of `mechanism::constraint` that it is: a type may be another way to write one.
    pub kind: &'static str,
    /// All keys.
    pub shape: TableShape,
    /// Those of them that only this type has.
    pub own: &'static [Key],
    /// What it holds, and what its multipliers are.
    pub text: &'static str,
}

/// The list of types, from one line each.
macro_rules! constraint_types {
    ($($file:ident,)*) => {
        static ALL: &[ConstraintKeys] = &[$($file::KEYS),*];

        /// `[constraints.name]`
        pub static CONSTRAINT: Family =
            Family { noun: "constraint", members: &[$(member($file::KEYS)),*] };
    };
}

// The registry: one line a type.
constraint_types! {
    position,
    velocity,
    gear,
    weld,
    revolute,
    prismatic,
    helical,
    cylindrical,
    universal,
    spherical,
    planar,
    planar_revolute,
    planar_prismatic,
    distance,
    point_on_line,
    point_on_plane,
    point_on_surface,
    knife_edge,
    rolling_ball,
    rolling_disc,
}

const fn member(keys: ConstraintKeys) -> (&'static str, TableShape, &'static str) {
    (keys.word, keys.shape, keys.text)
}

/// What a type is, by its word.
pub(crate) fn constraint_keys(word: &str) -> Option<&'static ConstraintKeys> {
    ALL.iter().find(|k| k.word == word)
}

/// The kinds that the types are, in the order of the list.
pub fn constraint_kinds() -> Vec<&'static str> {
    ALL.iter().map(|k| k.kind).collect()
}

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const COMMON: &[Key] = &[
    TYPE,
    optional("description", Kind::Text, "One line for people.").example(r#""a pendulum on a cart""#),
    optional(
        "stabilisation",
        Kind::Table(&STABILISATION),
        "Baumgarte's terms, which pull a violated constraint back.",
    )
    .default("none")
    .example("{ time_constant = 0.02 }"),
    optional(
        "treatment",
        Kind::Word(&["multipliers", "elimination"]),
        "multipliers: reaction forces are unknowns; elimination: dependent speeds are.",
    )
    .default(r#""multipliers""#)
    .example(r#""elimination""#),
    optional("dependent", Kind::Names, "With elimination: the speeds that follow from the others.")
        .default("chosen at the assembled pose")
        .example(r#"["phi_dot"]"#),
    optional(
        "realised_by",
        Kind::Names,
        "Inputs that realise the constraint, one a row: a program constraint, without reactions.",
    )
    .example(r#"["torque"]"#),
];
const FROM: Key =
    required("from", Kind::Frame, "\"ground\", a body, or { body, at, rotation }.").example(r#""ground""#);
const TO: Key = required("to", Kind::Frame, "What `from` acts on: a body, or { body, at, rotation }.")
    .example(r#""bob""#);
const SURFACE: Key =
    optional("from", Kind::Frame, "What carries the surface: \"ground\", a body, or { body, at, rotation }.")
        .default(r#""ground""#)
        .example(r#""ground""#);
const AXIS: Key =
    required("axis", Kind::Axis, "\"x\", \"-y\" or [x, y, z], in both frames.").example(r#""x""#);
const NORMAL: Key = optional("normal", Kind::Axis, "Normal of the plane, in the frame of `from`.")
    .default(r#""z""#)
    .example(r#""z""#);

/// `stabilisation = { … }`
static STABILISATION: TableShape = TableShape {
    keys: &[&[
        optional(
            "alpha",
            Kind::Value,
            "a of d²F/dt² + 2 a dF/dt + b² F = 0; of dF/dt + a F = 0 for a constraint of speeds.",
        )
        .unit("1/s")
        .default("0")
        .example("50"),
        optional("beta", Kind::Value, "b; not for a constraint of speeds.")
            .unit("1/s")
            .default("0")
            .example("50"),
        optional("time_constant", Kind::Value, "Instead of both: T, with a = b = 1/T.")
            .unit("s")
            .example("0.02"),
    ]],
};
