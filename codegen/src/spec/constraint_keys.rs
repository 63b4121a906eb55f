//! The keys of constraints, by type.

use super::key::{Family, Key, Kind, Shape, optional, required};

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
static STABILISATION: Shape = Shape {
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

const ENDS: &[Key] = &[FROM, TO];

/// `[constraints.name]`
pub(super) static CONSTRAINT: Family = Family {
    noun: "constraint",
    members: &[
        (
            "position",
            Shape {
                keys: &[
                    COMMON,
                    &[required("formula", Kind::Value, "Held at zero: of coordinates, t and parameters.")],
                ],
            },
            "A formula of the coordinates and t that stays zero. Multiplier λ: the generalised force λ ∂f/∂q on the speeds, in N·m over the unit of f.",
        ),
        (
            "velocity",
            Shape {
                keys: &[COMMON, &[required("formula", Kind::Value, "Held at zero: linear in the speeds.")]],
            },
            "A formula of coordinates, speeds and t, linear in the speeds, that stays zero. Multiplier λ: the generalised force λ ∂f/∂v on the speeds, in W over the unit of f.",
        ),
        (
            "gear",
            Shape {
                keys: &[
                    COMMON,
                    &[
                        required("first", Kind::Name, "A coordinate."),
                        required("second", Kind::Name, "Another coordinate."),
                        required("ratio", Kind::Value, "first = ratio * second + offset."),
                        optional("offset", Kind::Value, "Default 0."),
                    ],
                ],
            },
            "A coordinate that follows another one. Multiplier: the effort on `first`; `second` feels −ratio times it.",
        ),
        (
            "weld",
            Shape { keys: &[COMMON, ENDS] },
            "Two frames that coincide: a loop closed by a fixed joint. Multipliers, on `to` at its origin, the opposite on `from`: forces fx, fy, fz along and moments mx, my, mz about the axes of the frame of `from`.",
        ),
        (
            "revolute",
            Shape { keys: &[COMMON, ENDS, &[AXIS]] },
            "A loop closed by a revolute joint. Multipliers, on `to` at its origin, the opposite on `from`: forces fx, fy, fz along the axes of the frame of `from`, moments about its two axes across `axis`.",
        ),
        (
            "prismatic",
            Shape { keys: &[COMMON, ENDS, &[AXIS]] },
            "A loop closed by a prismatic joint. Multipliers, on `to` at its origin, the opposite on `from`: forces along the two axes of the frame of `from` across `axis`, moments about all three.",
        ),
        (
            "helical",
            Shape {
                keys: &[
                    COMMON,
                    ENDS,
                    &[AXIS, required("pitch", Kind::Value, "Displacement an angle [m/rad].")],
                ],
            },
            "A loop closed by a screw. Multipliers, on `to` at its origin, the opposite on `from`: forces along and moments about the two axes of the frame of `from` across `axis`; the force along `axis` with the moment −pitch times it.",
        ),
        (
            "cylindrical",
            Shape { keys: &[COMMON, ENDS, &[AXIS]] },
            "A loop closed by a cylindrical joint. Multipliers, on `to` at its origin, the opposite on `from`: forces along and moments about the two axes of the frame of `from` across `axis`.",
        ),
        (
            "universal",
            Shape {
                keys: &[
                    COMMON,
                    ENDS,
                    &[optional(
                        "axes",
                        Kind::Axes,
                        "The axis in `from` and the axis in `to`. Default x and y.",
                    )],
                ],
            },
            "A loop closed by a universal joint. Multipliers, on `to` at its origin, the opposite on `from`: forces fx, fy, fz along the axes of the frame of `from`; the moment m about (axis of `to`) × (axis of `from`).",
        ),
        (
            "spherical",
            Shape { keys: &[COMMON, ENDS] },
            "A loop closed by a ball joint. Multipliers, on `to` at its origin, the opposite on `from`: forces fx, fy, fz along the axes of the frame of `from`.",
        ),
        (
            "planar",
            Shape { keys: &[COMMON, ENDS, &[NORMAL]] },
            "A loop closed by a planar joint: origins in one plane, normals parallel. Multipliers, on `to` at its origin, the opposite on `from`: the force along the normal, moments about the two axes of the frame of `from` in the plane.",
        ),
        (
            "planar_revolute",
            Shape { keys: &[COMMON, ENDS, &[NORMAL]] },
            "A planar loop closed by a hinge: two rows. Multipliers, on `to` at its origin, the opposite on `from`: forces along the two axes of the frame of `from` in the plane (normal z: fx, fy).",
        ),
        (
            "planar_prismatic",
            Shape { keys: &[COMMON, ENDS, &[AXIS, NORMAL]] },
            "A planar loop closed by a slide along `axis`: two rows. Multipliers, on `to` at its origin, the opposite on `from`: the force f along normal × axis in the frame of `from`, the moment m about the normal.",
        ),
        (
            "distance",
            Shape {
                keys: &[
                    COMMON,
                    ENDS,
                    &[required("length", Kind::Value, "Distance [m], of t and parameters.")],
                ],
            },
            "Two points at a distance: a massless rod. Multiplier: the force on `to` along the line away from `from`, its opposite on `from`: positive pushes, in N.",
        ),
        (
            "point_on_line",
            Shape { keys: &[COMMON, ENDS, &[AXIS]] },
            "The origin of `to` on the line along `axis` through the origin of `from`. Multipliers, on `to` at its origin, the opposite on `from`: forces along the two axes of the frame of `from` across `axis`.",
        ),
        (
            "point_on_plane",
            Shape { keys: &[COMMON, ENDS, &[NORMAL]] },
            "The origin of `to` in the plane through the origin of `from`. Multiplier: the force on `to` along `normal`, its opposite on `from`, in N.",
        ),
        (
            "point_on_surface",
            Shape {
                keys: &[
                    COMMON,
                    ENDS,
                    &[required(
                        "formulas",
                        Kind::Values,
                        "One formula for a surface, two for a curve; held at zero. Of x, y, z of the point in the frame of `from`, t and parameters.",
                    )],
                ],
            },
            "The origin of `to` on a surface or a curve. Multiplier λ: the force λ ∇f on `to`, its opposite on `from`, in the axes of the frame of `from`; λ in N·m over the unit of f.",
        ),
        (
            "knife_edge",
            Shape {
                keys: &[
                    COMMON,
                    &[
                        SURFACE,
                        TO,
                        required("axis", Kind::Axis, "The direction without velocity, in the frame of `to`."),
                    ],
                ],
            },
            "A blade, a ski, a wheel without spin: no velocity of the origin of `to` along an axis of `to`. Multiplier: the force on `to` along that axis, its opposite on `from`, in N.",
        ),
        (
            "rolling_ball",
            Shape { keys: &[COMMON, &[SURFACE, TO, NORMAL, required("radius", Kind::Value, "Radius [m].")]] },
            "A ball, its centre the origin of `to`, rolls on a plane without slip. Multipliers, on `to` at the contact, the opposite on `from`: forces along the two axes of the frame of `from` in the plane (normal z: fx, fy), and fn along the normal, in N.",
        ),
        (
            "rolling_disc",
            Shape {
                keys: &[
                    COMMON,
                    &[
                        SURFACE,
                        TO,
                        NORMAL,
                        required("radius", Kind::Value, "Radius [m]."),
                        required("axis", Kind::Axis, "The axle, in the frame of `to`."),
                    ],
                ],
            },
            "A disc or wheel with a sharp rim, its centre the origin of `to`, rolls on a plane without slip. Multipliers, on `to` at the contact, the opposite on `from`: f_along along the heading, axle × normal; f_across across it, normal × heading; fn along the normal, in N.",
        ),
    ],
};
