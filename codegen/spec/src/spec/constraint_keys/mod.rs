//! Keys of constraints, one file for each type. Their mechanics are in files of
//! `mechanism/constraint`.

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
use super::type_keys::{TypeKeys, types};

// The registry: one line for each type.
types! {
    /// Types of constraints, which are tables `[constraints.name]`.
    CONSTRAINT, "constraint";
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

const TYPE: Key = required("type", Kind::Word(&[]), "Type of the constraint.");
const COMMON: &[Key] = &[
    TYPE,
    optional("description", Kind::Text, "One-line description.").example(r#""a pendulum on a cart""#),
    optional(
        "stabilisation",
        Kind::Table(&STABILISATION),
        "Baumgarte stabilisation, which makes violations of the constraint decay.",
    )
    .default("none")
    .example("{ time_constant = 0.02 }"),
    optional(
        "treatment",
        Kind::Word(&["multipliers", "elimination"]),
        "Treatment of the constraint: with multipliers, reaction forces are unknowns; with elimination, dependent speeds are computed from the others.",
    )
    .default(r#""multipliers""#)
    .example(r#""elimination""#),
    optional("dependent", Kind::Names, "Dependent speeds, which elimination computes from the others.")
        .default("chosen automatically in the assembled pose")
        .example(r#"["phi_dot"]"#),
    optional(
        "realised_by",
        Kind::Names,
        "Inputs that enforce the constraint, one for each row; the constraint is then a program constraint, without reactions.",
    )
    .example(r#"["torque"]"#),
];
const FROM: Key =
    required("from", Kind::Frame, "First frame: \"ground\", a body, or { body, at, rotation }.")
        .example(r#""ground""#);
const TO: Key =
    required("to", Kind::Frame, "Second frame: a body, or { body, at, rotation }. Multipliers act on it.")
        .example(r#""bob""#);
const SURFACE: Key =
    optional("from", Kind::Frame, "Frame of the surface: \"ground\", a body, or { body, at, rotation }.")
        .default(r#""ground""#)
        .example(r#""ground""#);
const AXIS: Key = required(
    "axis",
    Kind::Axis,
    "Axis, with the same components in both frames: \"x\", \"-y\" or [x, y, z].",
)
.example(r#""x""#);
const NORMAL: Key = optional("normal", Kind::Axis, "Normal of the plane, in the frame of `from`.")
    .default(r#""z""#)
    .example(r#""z""#);

/// Keys of the table `stabilisation = { … }` of a constraint: Baumgarte's terms.
static STABILISATION: TableShape = TableShape {
    keys: &[&[
        optional(
            "alpha",
            Kind::Value,
            "Coefficient a in d²F/dt² + 2 a dF/dt + b² F = 0; for a constraint on speeds, in dF/dt + a F = 0.",
        )
        .unit("1/s")
        .default("0")
        .example("50"),
        optional("beta", Kind::Value, "Coefficient b in d²F/dt² + 2 a dF/dt + b² F = 0; not allowed for a constraint on speeds.")
            .unit("1/s")
            .default("0")
            .example("50"),
        optional("time_constant", Kind::Value, "Time constant T, as an alternative to `alpha` and `beta`: a = b = 1/T.")
            .unit("s")
            .example("0.02"),
    ]],
};
