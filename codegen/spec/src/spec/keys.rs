//! Keys of the format, except those that depend on the type of a joint, load, constraint, event or
//! output.

use super::key::{Key, Kind, TableShape, optional, required};
use super::{constraint_keys, event_keys, joint_keys, load_keys, output_keys};

const DESCRIPTION: Key =
    optional("description", Kind::Text, "One-line description.").example(r#""a pendulum on a cart""#);
const UNIT: Key =
    optional("unit", Kind::Unit, "Unit, such as `kg*m^2`. If it is specified, dimensions are checked.")
        .default("not checked")
        .example(r#""kg*m^2""#);

/// Keys of the top level of a spec, such as `gravity` and `bodies`.
pub static SPEC: TableShape = TableShape {
    keys: &[&[
        required("name", Kind::Name, "Name of the mechanism, used in emitted code and reports.").example(r#""pendulum""#),
        DESCRIPTION,
        optional("repeat", Kind::Named(&Kind::Value), "Sizes (n = 3) and indices (i = \"1 to n\"). An entry with {i} in its name is repeated for each i.").example(r#"{ n = 3, i = "1 to n" }"#),
        optional("template", Kind::Text, "Path of another spec or a robot file (URDF, MJCF), relative to this file. This spec overrides its sizes and entries.").example(r#""chain.toml""#),
        optional("set", Kind::Named(&Kind::Value), "New values for the sizes of the template: { n = 3 }.").example("{ n = 10 }"),
        optional("remove", Kind::Entries, "Entries of the template, or keys of entries, to remove.").example(r#"["loads.motor_elbow", "joints.elbow.armature"]"#),
        optional("urdf", Kind::Table(&URDF), "Import options, if `template` is a URDF file.").example(r#"{ base = "free" }"#),
        optional("mjcf", Kind::Table(&MJCF), "Import options, if `template` is an MJCF file.").example("{ damping = false }"),
        optional("gravity", Kind::Triple, "Acceleration of gravity in ground axes, as numbers or formulas of parameters and t.").unit("m/s^2").default("no gravity").example(r#"[0, "-g", 0]"#),
        optional("parameters", Kind::Named(&Kind::Either(&[Kind::Value, Kind::Table(&PARAMETER)])), "Named constants. One defined by a number can be set at run time; one defined by a formula is computed from other parameters.").example(r#"{ g = { value = 9.81, unit = "m/s^2" }, m = "2 kg" }"#),
        optional("tables", Kind::Named(&Kind::Table(&TABLE)), "Functions that interpolate between given points; formulas call them as name(x).").example("{ drag = { x = [0, 10], y = [0, 4] } }"),
        optional("definitions", Kind::Named(&Kind::Value), "Named formulas; each use is replaced by the formula.").example(r#"{ stretch = "distance(ground, bob) - l" }"#),
        optional("ground", Kind::Table(&GROUND), "Points fixed to the ground.").example("{ points = { anchor = [0, 0, 2] } }"),
        optional("bodies", Kind::Named(&Kind::Table(&BODY)), "Rigid bodies.").example(r#"{ rod = { mass = "m" } }"#),
        optional("joints", Kind::Named(&Kind::Typed(&joint_keys::JOINT)), "Joints; each connects a frame on its parent to a frame on its child.").example(r#"{ hinge = { type = "revolute", axis = "z", parent = "ground", child = "rod" } }"#),
        optional("inputs", Kind::Named(&Kind::Either(&[Kind::Unit, Kind::Table(&INPUT)])), "Quantities that a controller sets.").example(r#"{ force = "N" }"#),
        optional("states", Kind::Named(&Kind::Table(&STATE)), "User states, such as a motor current, defined by their rates.").example(r#"{ current = { rate = "(voltage - R*current)/L", unit = "A" } }"#),
        optional("loads", Kind::Named(&Kind::Typed(&load_keys::LOAD)), "Loads, such as forces, springs, motors and friction.").example(r#"{ motor = { type = "actuator", joint = "hinge", effort = "torque" } }"#),
        optional("constraints", Kind::Named(&Kind::Typed(&constraint_keys::CONSTRAINT)), "Constraints on coordinates or speeds, such as closed loops, rolling contacts and formulas.").example(r#"{ rod = { type = "distance", from = "ground", to = "bob", length = "l" } }"#),
        optional("driven", Kind::Names, "Commanded speeds, which remain independent if the constraints leave a choice. Their accelerations are arguments of `kinetostatics`.").default("all independent speeds").example(r#"["theta_dot"]"#),
        optional("functions", Kind::Names, "Functions to emit if the command line does not name any; `default` selects the default functions.").default(r#"["default"]"#).example(r#"["default", "linearize"]"#),
        optional("accept", Kind::Codes, "Codes of warnings and notes to suppress, and names of structural parts of a robot that may be dropped.").default("none").example(r#"["redundant-constraint"]"#),
        optional("events", Kind::Named(&Kind::Typed(&event_keys::EVENT)), "Conditions under which the motion ends or jumps, such as joint stops, impacts and switches.").example(r#"{ floor = { type = "end", when = "theta" } }"#),
        optional("outputs", Kind::Named(&Kind::Either(&[Kind::Value, Kind::Typed(&output_keys::OUTPUT)])), "Named results, such as formulas and readings of sensors.").example(r#"{ height = "l*sin(theta)", energy = { type = "energy" } }"#),
    ]],
};

const SNAP: Key = optional(
    "snap",
    Kind::Value,
    "Angles and axes that differ from a right angle by less than this tolerance are treated as right angles.",
)
.unit("rad")
.default("0.001")
.example("1e-6");
const DAMPING: Key = optional("damping", Kind::Flag, "If true, joint damping is imported as a load.")
    .default("true")
    .example("false");
const DRY_FRICTION: Key = optional(
    "dry_friction",
    Kind::Value,
    "Speed at which the dry friction of a joint reaches 76 % of its maximum.",
)
.unit("rad/s or m/s")
.default("none; dry friction is dropped")
.example("0.01");

/// Keys of the table `[urdf]`: import options of a URDF template.
pub(crate) static URDF: TableShape = TableShape {
    keys: &[&[
        optional(
            "base",
            Kind::Word(&["fixed", "free"]),
            "Attachment of the root link: fixed to the ground, or free.",
        )
        .default(r#""fixed""#)
        .example(r#""free""#),
        SNAP,
        DAMPING,
        DRY_FRICTION,
    ]],
};

/// Keys of the table `[mjcf]`: import options of an MJCF template.
pub(crate) static MJCF: TableShape = TableShape { keys: &[&[SNAP, DAMPING, DRY_FRICTION]] };

/// Keys of an entry `name = { … }` of `[parameters]`, in its long form.
pub(crate) static PARAMETER: TableShape = TableShape {
    keys: &[&[
        required(
            "value",
            Kind::Value,
            "A number in `unit` (SI by default), or a formula of other parameters.",
        )
        .example(r#""m*l^2/12""#),
        UNIT,
        DESCRIPTION,
        optional("constant", Kind::Flag, "If true, the value is fixed in the generated code.")
            .default("false")
            .example("true"),
    ]],
};

/// Keys of a table `[tables.name]`, a function given by points.
pub(crate) static TABLE: TableShape = TableShape {
    keys: &[&[
        required("x", Kind::Values, "Arguments of the points, in increasing order; at least two.").example("[0, 5, 10]"),
        required("y", Kind::Values, "Values at the points, one for each argument in `x`.").example("[0, 2.5, 4]"),
        optional(
            "interpolation",
            Kind::Word(&["linear", "cubic"]),
            "Interpolation between the points: straight lines or a natural cubic spline. Outside the range, the end values apply.",
        )
        .default(r#""linear""#)
        .example(r#""cubic""#),
        optional("x_unit", Kind::Unit, "Unit of the arguments `x`.")
            .default("SI units, not checked")
            .example(r#""m/s""#),
        optional("y_unit", Kind::Unit, "Unit of the values `y`.").default("SI units, not checked").example(r#""N""#),
    ]],
};

/// Keys of the table `[ground]`.
pub(crate) static GROUND: TableShape = TableShape {
    keys: &[&[
        optional("points", POINTS, "Named points and frames, in ground axes.")
            .unit("m")
            .example(r#"{ tip = ["l", 0, 0] }"#),
        optional("shapes", SHAPES, "Shapes fixed to the ground, for animations.")
            .example("{ foot = { box = [0.4, 0.2, 0.1] } }"),
    ]],
};

const SHAPES: Kind = Kind::Named(&Kind::Table(&SHAPE));

const POINTS: Kind = Kind::Named(&Kind::Either(&[Kind::Triple, Kind::Table(&POINT)]));

/// Keys of a table `[bodies.name]`.
pub(crate) static BODY: TableShape = TableShape {
    keys: &[&[
        optional("mass", Kind::Value, "Mass. A body without this key is a massless intermediate body.")
            .unit("kg")
            .default("0")
            .example(r#""m""#),
        optional("center_of_mass", Kind::Triple, "Centre of mass in the body frame.")
            .unit("m")
            .default("the origin of the body frame")
            .example(r#"[0, "-l/2", 0]"#),
        optional(
            "inertia",
            Kind::Either(&[Kind::Triple, Kind::Table(&INERTIA)]),
            "Inertia about the centre of mass, in body axes: three principal values, or a table.",
        )
        .unit("kg*m^2")
        .default("0, as for a point mass")
        .example(r#"["J", 0, "J"]"#),
        optional(
            "points",
            POINTS,
            "Named points and frames, in body axes, relative to the origin of the body frame.",
        )
        .unit("m")
        .example(r#"{ tip = ["l", 0, 0] }"#),
        optional("shapes", SHAPES, "Shapes of the body, for animations.")
            .default("the inertia ellipsoid of the body")
            .example("{ hull = { box = [0.4, 0.2, 0.1] } }"),
    ]],
};

/// Keys of a shape: `shapes = { hull = { … } }`.
pub(crate) static SHAPE: TableShape = TableShape {
    keys: &[&[
        optional("box", Kind::Triple, "Side lengths of a box along x, y and z.")
            .unit("m")
            .example("[0.4, 0.2, 0.1]"),
        optional("cylinder", Kind::Pair, "Radius of a cylinder, and its length along `axis`.")
            .unit("m")
            .example("[0.02, 0.5]"),
        optional("sphere", Kind::Value, "Radius of a sphere.").unit("m").example("0.05"),
        optional("at", Kind::Point, "Centre of the shape: \"com\", a point of the body or [x, y, z].")
            .unit("m")
            .default("the origin of the body frame")
            .example("\"com\""),
        optional("rotation", Kind::Table(&ROTATION), "Rotation of the axes of the shape.")
            .default("the axes of the point")
            .example("{ sequence = \"xyz\", angles = [0, \"90 deg\", 0] }"),
        optional("axis", Kind::Axis, "Axis of a cylinder.").default("z").example("\"x\""),
    ]],
};

/// Keys of the table `inertia = { … }`.
pub(crate) static INERTIA: TableShape = TableShape {
    keys: &[&[
        required("xx", Kind::Value, "Moment of inertia about x.").unit("kg*m^2").example(r#""J""#),
        required("yy", Kind::Value, "Moment of inertia about y.").unit("kg*m^2").example(r#""J""#),
        required("zz", Kind::Value, "Moment of inertia about z.").unit("kg*m^2").example(r#""m*r^2/2""#),
        optional("xy", Kind::Value, "Component xy of the tensor, which is minus the integral of x*y dm.")
            .unit("kg*m^2")
            .default("0")
            .example("0.02"),
        optional("xz", Kind::Value, "Component xz of the tensor, which is minus the integral of x*z dm.")
            .unit("kg*m^2")
            .default("0")
            .example(r#""-Jxz""#),
        optional("yz", Kind::Value, "Component yz of the tensor, which is minus the integral of y*z dm.")
            .unit("kg*m^2")
            .default("0")
            .example("0"),
        optional(
            "about",
            Kind::Point,
            "Reference point of the tensor: \"com\", a point of the body, or [x, y, z]. The axes are those of the body.",
        )
        .default(r#""com""#)
        .example(r#""com""#),
    ]],
};

/// Keys of a named point: `points = { A = { … } }`.
pub(crate) static POINT: TableShape = TableShape {
    keys: &[&[
        required("at", Kind::Triple, "Position.").unit("m").example(r#"["l", 0, 0]"#),
        optional("rotation", Kind::Table(&ROTATION), "Rotation of the axes of the frame.")
            .example(r#"{ sequence = "zyx", angles = ["90 deg", 0, 0] }"#),
        optional(
            "axes",
            Kind::Word(&["own", "ground"]),
            "Axes in which the twist, Jacobian and accelerations of the frame are expressed.",
        )
        .default(r#""own""#)
        .example(r#""ground""#),
        optional("contact", Kind::Flag, "If true, the point is a contact of `contact_dynamics`.")
            .default("false")
            .example("true"),
    ]],
};

/// Keys of the table `rotation = { … }`.
pub(crate) static ROTATION: TableShape = TableShape {
    keys: &[&[
        optional(
            "sequence",
            Kind::Word(SEQUENCES),
            "Intrinsic rotations: about the first axis, then about the rotated second axis, then about the rotated third axis.",
        )
        .example(r#""zyx""#),
        optional("angles", Kind::Triple, "Angles of the three rotations of the sequence.")
            .unit("rad")
            .example(r#"["90 deg", 0, 0]"#),
        optional(
            "matrix",
            Kind::Matrix,
            "Rows of the rotation matrix, as an alternative to angles. The matrix converts components in this frame to components in body axes.",
        )
        .example("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"),
    ]],
};

/// The twelve sequences of Euler and Bryant angles that the key `sequence` permits.
pub(crate) const SEQUENCES: &[&str] =
    &["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"];

/// Keys of an entry `name = { … }` of `[inputs]`.
pub(crate) static INPUT: TableShape = TableShape {
    keys: &[&[
        UNIT,
        optional("limits", Kind::Pair, "Lowest and highest value of the input, at which it saturates.")
            .unit("the unit of the input")
            .default("none")
            .example("[-5, 5]"),
        optional("default", Kind::Value, "Value of the input if no other value is specified.")
            .unit("the unit of the input")
            .default("0")
            .example("0"),
        DESCRIPTION,
    ]],
};

/// Keys of a table `[states.name]`.
pub(crate) static STATE: TableShape = TableShape {
    keys: &[&[
        required(
            "rate",
            Kind::Value,
            "Derivative of the state with respect to time; its formula may use any name of the spec.",
        )
        .example(r#""(voltage - R*current)/L""#),
        optional("start", Kind::Value, "Initial value.")
            .unit("the unit of the state")
            .default("0")
            .example("0"),
        UNIT,
        DESCRIPTION,
    ]],
};

/// Keys of a point with an offset: `at = { point = …, offset = … }`.
pub static OFFSET: TableShape = TableShape {
    keys: &[&[
        required("point", Kind::Name, "A point of the body, or \"com\".").example(r#""tip""#),
        required("offset", Kind::Triple, "Offset from the point, in body axes.")
            .unit("m")
            .example("[0, 0, 0.1]"),
    ]],
};

/// Keys of an end of a spring, or of the axes of a vector: a body and a point on it.
pub static SPOT: TableShape = TableShape {
    keys: &[&[
        required("body", Kind::Name, "A body, or \"ground\".").example(r#""rod""#),
        optional(
            "at",
            Kind::Point,
            "Origin of the frame: \"com\", a point of the body, [x, y, z], or { point, offset }.",
        )
        .default("the origin of the body frame")
        .example(r#""tip""#),
    ]],
};

/// Keys of a frame on a body, as for the ends of a joint: `parent = { … }`, `child = { … }`.
pub static FRAME: TableShape = TableShape {
    keys: &[&[
        required("body", Kind::Name, "A body, or \"ground\".").example(r#""rod""#),
        optional(
            "at",
            Kind::Point,
            "Origin of the frame: a point of the body, [x, y, z], or { point, offset }.",
        )
        .default("the origin of the body frame")
        .example(r#""tip""#),
        optional("rotation", Kind::Table(&ROTATION), "Rotation of the axes of the joint frame.")
            .example(r#"{ sequence = "zyx", angles = ["90 deg", 0, 0] }"#),
    ]],
};
