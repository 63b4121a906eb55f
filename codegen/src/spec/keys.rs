//! Every key of the format, but for those of joints, loads, constraints and outputs.

use super::key::{Key, Kind, TableShape, optional, required};
use super::{constraint_keys, event_keys, joint_keys, load_keys};

const DESCRIPTION: Key = optional("description", Kind::Text, "One line for people.");
const UNIT: Key = optional("unit", Kind::Unit, "Unit, such as `kg*m^2`. With it, dimensions are checked.");

/// The whole file.
pub(crate) static SPEC: TableShape = TableShape {
    keys: &[&[
        required("name", Kind::Name, "Name of the mechanism; the generated module bears it."),
        DESCRIPTION,
        optional(
            "repeat",
            Kind::Named(&Kind::Value),
            "Sizes (n = 3) and indices (i = \"1 to n\"): a name with {i} is there once for each i.",
        ),
        optional(
            "template",
            Kind::Text,
            "Another spec or a robot (URDF, MJCF), relative to this file: this one is that one with other sizes or entries.",
        ),
        optional("set", Kind::Named(&Kind::Value), "Sizes of the template: { n = 3 }."),
        optional("urdf", Kind::Table(&URDF), "How the robot is read that `template` names, if it is a URDF."),
        optional(
            "mjcf",
            Kind::Table(&MJCF),
            "How the robot is read that `template` names, if it is an MJCF.",
        ),
        optional(
            "gravity",
            Kind::Triple,
            "Acceleration of gravity in ground axes [m/s^2], of numbers, parameters and t. Left out: no gravity.",
        ),
        optional(
            "parameters",
            Kind::Named(&Kind::Either(&[Kind::Value, Kind::Table(&PARAMETER)])),
            "Named constants. A number can be set at run time; a formula of other parameters is derived from them.",
        ),
        optional(
            "tables",
            Kind::Named(&Kind::Table(&TABLE)),
            "Functions given by points, called as name(x).",
        ),
        optional(
            "definitions",
            Kind::Named(&Kind::Value),
            "Named formulas; each use stands for the formula itself.",
        ),
        optional("ground", Kind::Table(&GROUND), "Points of the ground."),
        optional("bodies", Kind::Named(&Kind::Table(&BODY)), "Rigid bodies."),
        optional(
            "joints",
            Kind::Named(&Kind::Typed(&joint_keys::JOINT)),
            "Joints; each connects a frame on its parent to a frame on its child.",
        ),
        optional(
            "inputs",
            Kind::Named(&Kind::Either(&[Kind::Unit, Kind::Table(&INPUT)])),
            "What a controller sets.",
        ),
        optional(
            "states",
            Kind::Named(&Kind::Table(&STATE)),
            "States of your own, such as a motor current, given by their rates.",
        ),
        optional("loads", Kind::Named(&Kind::Typed(&load_keys::LOAD)), "Forces, springs, motors, friction."),
        optional(
            "constraints",
            Kind::Named(&Kind::Typed(&constraint_keys::CONSTRAINT)),
            "What holds coordinates or speeds together: closed loops, rolling, formulas.",
        ),
        optional(
            "driven",
            Kind::Names,
            "Speeds whose accelerations are given to `kinetostatics`; the others are free. Left out: all independent speeds.",
        ),
        optional(
            "events",
            Kind::Named(&Kind::Typed(&event_keys::EVENT)),
            "Where the motion ends or jumps: joint stops, impacts, switches.",
        ),
        optional(
            "outputs",
            Kind::Named(&Kind::Either(&[Kind::Value, Kind::Typed(&load_keys::OUTPUT)])),
            "Named results: a formula, or what a sensor would show.",
        ),
    ]],
};

const SNAP: Key = optional(
    "snap",
    Kind::Value,
    "Angles and axes so near to a right angle are made one [rad]. Default 0.001.",
);
const DAMPING: Key =
    optional("damping", Kind::Flag, "Whether the damping of joints is a load. Default true.");
const DRY_FRICTION: Key = optional(
    "dry_friction",
    Kind::Value,
    "The speed at which the dry friction of joints has reached 76 % [rad/s or m/s]. Default: none is taken.",
);

/// `[urdf]`
pub(crate) static URDF: TableShape = TableShape {
    keys: &[&[
        optional(
            "base",
            Kind::Word(&["fixed", "free"]),
            "What carries the root: the ground (default), or nothing.",
        ),
        SNAP,
        DAMPING,
        DRY_FRICTION,
    ]],
};

/// `[mjcf]`
pub(crate) static MJCF: TableShape = TableShape { keys: &[&[SNAP, DAMPING, DRY_FRICTION]] };

/// `[parameters]` name = { … }
pub(crate) static PARAMETER: TableShape = TableShape {
    keys: &[&[
        required(
            "value",
            Kind::Value,
            "A number in `unit` (SI if there is none), or a formula of other parameters.",
        ),
        UNIT,
        DESCRIPTION,
        optional("constant", Kind::Flag, "true: baked into the generated code. Default false."),
    ]],
};

/// `[tables.name]`
pub(crate) static TABLE: TableShape = TableShape {
    keys: &[&[
        required("x", Kind::Values, "Arguments, increasing, at least two."),
        required("y", Kind::Values, "Values, as many as x."),
        optional(
            "interpolation",
            Kind::Word(&["linear", "cubic"]),
            "Between the points: straight lines (default) or the natural cubic spline. Outside: the end values.",
        ),
        optional("x_unit", Kind::Unit, "Unit of the arguments; SI and unchecked if left out."),
        optional("y_unit", Kind::Unit, "Unit of the values; SI and unchecked if left out."),
    ]],
};

/// `[ground]`
pub(crate) static GROUND: TableShape =
    TableShape { keys: &[&[optional("points", POINTS, "Named points and frames, in ground axes.")]] };

const POINTS: Kind = Kind::Named(&Kind::Either(&[Kind::Triple, Kind::Table(&POINT)]));

/// `[bodies.name]`
pub(crate) static BODY: TableShape = TableShape {
    keys: &[&[
        optional("mass", Kind::Value, "Mass [kg]. Left out: a massless intermediate body."),
        optional(
            "center_of_mass",
            Kind::Triple,
            "Centre of mass in the body frame [m]. Default: the frame's origin.",
        ),
        optional(
            "inertia",
            Kind::Either(&[Kind::Triple, Kind::Table(&INERTIA)]),
            "Inertia [kg*m^2], about the centre of mass in body axes: three principal values or a table.",
        ),
        optional("points", POINTS, "Named points and frames, in body axes from the frame's origin [m]."),
        optional(
            "shapes",
            Kind::Named(&Kind::Table(&SHAPE)),
            "What the body looks like in animations. Default: the ellipsoid of its inertia.",
        ),
    ]],
};

/// `shapes = { hull = { … } }`
pub(crate) static SHAPE: TableShape = TableShape {
    keys: &[&[
        optional("box", Kind::Triple, "A box: its sides along x, y and z [m]."),
        optional("cylinder", Kind::Pair, "A cylinder: its radius and its length along `axis` [m]."),
        optional("sphere", Kind::Value, "A sphere: its radius [m]."),
        optional(
            "at",
            Kind::Point,
            "Its middle: \"com\", a point of the body or [x, y, z]. Default: the frame's origin.",
        ),
        optional(
            "rotation",
            Kind::Table(&ROTATION),
            "Turns the axes of the shape. Default: those of the point.",
        ),
        optional("axis", Kind::Axis, "Axis of a cylinder. Default: z."),
    ]],
};

/// `inertia = { … }`
pub(crate) static INERTIA: TableShape = TableShape {
    keys: &[&[
        required("xx", Kind::Value, "Moment of inertia about x."),
        required("yy", Kind::Value, "Moment of inertia about y."),
        required("zz", Kind::Value, "Moment of inertia about z."),
        optional("xy", Kind::Value, "Tensor component, minus the integral of x*y dm. Default 0."),
        optional("xz", Kind::Value, "Tensor component, minus the integral of x*z dm. Default 0."),
        optional("yz", Kind::Value, "Tensor component, minus the integral of y*z dm. Default 0."),
        optional(
            "about",
            Kind::Point,
            "\"com\" (default), a point of the body, or [x, y, z]; axes stay the body's.",
        ),
    ]],
};

/// `points = { A = { … } }`
pub(crate) static POINT: TableShape = TableShape {
    keys: &[&[
        required("at", Kind::Triple, "Position [m]."),
        optional("rotation", Kind::Table(&ROTATION), "Turns the axes of the frame."),
    ]],
};

/// `rotation = { … }`
pub(crate) static ROTATION: TableShape = TableShape {
    keys: &[&[
        optional(
            "sequence",
            Kind::Word(SEQUENCES),
            "Intrinsic rotations: about the first axis, then the turned second, then the turned third.",
        ),
        optional("angles", Kind::Triple, "Angles of the sequence."),
        optional(
            "matrix",
            Kind::Matrix,
            "Instead: rows of the matrix from components in this frame to components in body axes.",
        ),
    ]],
};

/// The twelve Euler and Bryant sequences.
pub(crate) const SEQUENCES: &[&str] =
    &["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"];

/// `[inputs]` name = { … }
pub(crate) static INPUT: TableShape = TableShape {
    keys: &[&[
        UNIT,
        optional("limits", Kind::Pair, "Lowest and highest value; beyond them the input saturates."),
        optional("default", Kind::Value, "Value where none is given. Default 0."),
        DESCRIPTION,
    ]],
};

/// `[states.name]`
pub(crate) static STATE: TableShape = TableShape {
    keys: &[&[
        required("rate", Kind::Value, "Its derivative with respect to time, a formula of anything."),
        optional("start", Kind::Value, "Initial value. Default 0."),
        UNIT,
        DESCRIPTION,
    ]],
};

/// Ends of a spring, axes of a vector.
pub(crate) static SPOT: TableShape = TableShape {
    keys: &[&[
        required("body", Kind::Name, "A body, or \"ground\"."),
        optional(
            "at",
            Kind::Point,
            "\"com\", a point of the body or [x, y, z]. Default: the frame's origin.",
        ),
    ]],
};

/// `parent = { … }`, `child = { … }`
pub(crate) static FRAME: TableShape = TableShape {
    keys: &[&[
        required("body", Kind::Name, "A body, or \"ground\"."),
        optional("at", Kind::Point, "A point of the body or [x, y, z]. Default: the frame's origin."),
        optional("rotation", Kind::Table(&ROTATION), "Turns the axes of the joint frame."),
    ]],
};
