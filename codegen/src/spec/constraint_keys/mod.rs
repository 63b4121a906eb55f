//! The keys of constraints, one file a type. The mechanics of a kind is a file of `mechanism/constraint`.

mod cylindrical;
mod distance;
mod gear;
mod helical;
mod knife_edge;
#[cfg(test)]
mod parallel_axes;
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
    ($($(#[$on:meta])? $file:ident,)*) => {
        static ALL: &[ConstraintKeys] = &[$($(#[$on])? $file::KEYS),*];

        /// `[constraints.name]`
        pub(crate) static CONSTRAINT: Family =
            Family { noun: "constraint", members: &[$($(#[$on])? member($file::KEYS)),*] };
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
    #[cfg(test)]
    parallel_axes,
}

const fn member(keys: ConstraintKeys) -> (&'static str, TableShape, &'static str) {
    (keys.word, keys.shape, keys.text)
}

/// What a type is, by its word.
pub(crate) fn constraint_keys(word: &str) -> Option<&'static ConstraintKeys> {
    ALL.iter().find(|k| k.word == word)
}

/// The kinds that the types are, in the order of the list.
#[cfg(test)]
pub(crate) fn constraint_kinds() -> Vec<&'static str> {
    ALL.iter().map(|k| k.kind).collect()
}

const TYPE: Key = required("type", Kind::Word(&[]), "Kind.");
const COMMON: &[Key] = &[
    TYPE,
    optional("description", Kind::Text, "One line for people."),
    optional(
        "stabilisation",
        Kind::Table(&STABILISATION),
        "Baumgarte's terms, which pull a violated constraint back. Left out: none.",
    ),
    optional(
        "treatment",
        Kind::Word(&["multipliers", "elimination"]),
        "multipliers (default): reaction forces are unknowns; elimination: dependent speeds are.",
    ),
    optional(
        "dependent",
        Kind::Names,
        "With elimination: the speeds that follow from the others. Left out: chosen at the assembled pose.",
    ),
    optional(
        "realised_by",
        Kind::Names,
        "Inputs that realise the constraint, one a row: a program constraint, without reactions.",
    ),
];
const FROM: Key = required("from", Kind::Frame, "\"ground\", a body, or { body, at, rotation }.");
const TO: Key = required("to", Kind::Frame, "What `from` acts on: a body, or { body, at, rotation }.");
const SURFACE: Key = optional(
    "from",
    Kind::Frame,
    "What carries the surface: \"ground\" (default), a body, or { body, at, rotation }.",
);
const AXIS: Key = required("axis", Kind::Axis, "\"x\", \"-y\" or [x, y, z], in both frames.");
const NORMAL: Key =
    optional("normal", Kind::Axis, "Normal of the plane, in the frame of `from`. Default \"z\".");

/// `stabilisation = { … }`
static STABILISATION: TableShape = TableShape {
    keys: &[&[
        optional(
            "alpha",
            Kind::Value,
            "a [1/s] of d²F/dt² + 2 a dF/dt + b² F = 0; of dF/dt + a F = 0 for a constraint of speeds.",
        ),
        optional("beta", Kind::Value, "b [1/s]; not for a constraint of speeds."),
        optional("time_constant", Kind::Value, "Instead of both: T [s], with a = b = 1/T."),
    ]],
};
