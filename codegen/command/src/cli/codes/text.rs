//! Message codes about the text of a spec: syntax, keys, names, units and axes.

use super::code::{Code, from_description, from_pendulum, from_spec};

pub(super) const CODES: &[Code] = &[
    from_spec(
        "toml-syntax",
        "The text is not valid TOML: a quote, a bracket, a comma or a value is missing, or a key occurs twice.",
        "Correct the marked line. Enclose text in quotes and a list in `[ ]`; write a table in `{ }` on one line, or below `[name]`.",
        "name = pendulum",
    ),
    from_spec(
        "not-utf8",
        "The file contains a byte that is not valid UTF-8.",
        "Save the file as UTF-8; if the mechanism is in another format, convert it first.",
        "name = \"\u{fffd}\"",
    ),
    from_spec(
        "not-a-spec",
        "The file contains no key of a spec and is not a robot file. Messages do not quote its contents.",
        "Pass a spec, a URDF file or an MJCF file.",
        "root:x:0:0",
    ),
    from_description(
        "not-formulas",
        "The file that `--against` names has no table `[equal]`. Messages do not quote its contents.",
        "Write elements below `[equal]`, such as \"M[x, phi1]\", each with the formula to which it should be equal.",
        "`dqdt prove pendulum.toml --against pendulum.toml`",
    ),
    from_spec(
        "empty-spec",
        "The spec file contains no entries.",
        "Run `dqdt new NAME` to write a commented spec as a starting point.",
        "",
    ),
    from_description(
        "file-too-long",
        "The spec file is larger than 4 MiB.",
        "Write repeated parts with `[repeat]`, or build the mechanism in Rust with `spec::SpecBuilder`; a spec describes a single mechanism.",
        "A spec of five million bytes.",
    ),
    from_description(
        "unreadable-file",
        "The file cannot be opened.",
        "Check the path, which is relative to the folder in which the command runs.",
        "`dqdt inspect no/such/file.toml`",
    ),
    from_pendulum(
        "unknown-key",
        "A table has an unknown key, usually because of a typing error.",
        "Use the key that the message suggests, or one from the reference.",
        "[bodies.rod]\nmas = 1",
    ),
    from_pendulum(
        "missing-key",
        "A required key is missing, or none of several alternative keys is present.",
        "Add the key; the message explains its meaning.",
        "[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"",
    ),
    from_pendulum(
        "key-not-for-type",
        "A key is not allowed for the `type` of its entry, although other types allow it.",
        "Remove the key, or choose a type that allows it.",
        "[joints.hinge]\npitch = 0.1",
    ),
    from_pendulum(
        "unknown-type",
        "The `type` of a joint, a load, a constraint, an event or an output is unknown.",
        "Use one of the types that the message lists.",
        "[joints.hinge]\ntype = \"hinge\"",
    ),
    from_pendulum(
        "unknown-word",
        "The value of a key is not one of the allowed words.",
        "Use one of the words that the message lists.",
        "[joints.hinge.coordinates]\nmeasured_from = \"earth\"",
    ),
    from_pendulum(
        "wrong-type",
        "A value has the wrong form for its key, such as a number where text is expected, or vice versa.",
        "Write the value in the form that the message names.",
        "[bodies.rod]\npoints = 3",
    ),
    from_pendulum(
        "wrong-length",
        "A list has too many or too few entries for its key.",
        "Write three entries for a vector and two for limits.",
        "[bodies.rod]\ncenter_of_mass = [0, 0]",
    ),
    from_pendulum(
        "wrong-count",
        "A list does not have one entry for each coordinate, speed, row or point that it describes.",
        "Write as many entries as the message states, or name them: `start = { theta = 1 }`.",
        "[joints.hinge.coordinates]\nnames = [\"theta\", \"phi\"]",
    ),
    from_pendulum(
        "conflict",
        "Two entries exclude each other, or one has no effect because of the other.",
        "Keep one of the two marked entries.",
        "[joints.hinge.coordinates]\nstart = [0]\n[bodies.cart]\nmass = 1\n[joints.rail]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"cart\"\ncoordinates = { sequence = \"xyz\", quaternion = true }",
    ),
    from_pendulum(
        "duplicate",
        "Two entries have the same name, or a list contains the same name twice.",
        "Rename or remove one of the two. Parameters, tables, definitions, coordinates, speeds, user states and inputs must all have different names.",
        "[inputs]\ntheta = \"N*m\"",
    ),
    from_pendulum(
        "bad-name",
        "A name contains characters that are not allowed in code, or is too long.",
        "Use letters, digits and `_`, and do not begin with a digit; put longer text in `description`.",
        "[bodies.\"left arm\"]\nmass = 1",
    ),
    from_pendulum(
        "reserved-name",
        "A name is reserved: it is a Rust keyword, the name of a function, `t`, `pi`, `ground` or `com`.",
        "Choose another name.",
        "[parameters]\nsin = 1",
    ),
    from_pendulum(
        "bad-unit",
        "A unit cannot be read as a product of powers of known units.",
        "Write a product of powers such as `kg*m^2/s`; the reference lists all units.",
        "[parameters]\nm = { value = 1, unit = \"kilo\" }",
    ),
    from_pendulum(
        "bad-axis",
        "The value of an axis is neither a coordinate axis nor a list of three numbers.",
        "Write `\"x\"`, `\"-y\"` or three numbers such as `[0, 0.6, 0.8]`.",
        "[joints.hinge]\naxis = \"w\"",
    ),
    from_pendulum(
        "zero-axis",
        "The length of an axis vector is zero, so its direction is undefined.",
        "Write an axis vector of any length other than zero.",
        "[joints.hinge]\naxis = [0, 0, 0]",
    ),
    from_pendulum(
        "axis-not-constant",
        "An axis depends on a parameter that can be set at run time.",
        "Set `constant = true` for the parameter, or rotate the frame of the joint with `rotation`.",
        "[joints.hinge]\naxis = [\"l\", 0, 1]",
    ),
    from_description(
        "number-out-of-range",
        "A number is too large for a double, or too small to be distinguished from zero.",
        "Choose another unit, or check the exponent.",
        "The axis `[1e400, 0, 0]`: no double is that large.",
    ),
    from_pendulum(
        "inexact-number",
        "A number, or the value of a formula, cannot be represented as an exact fraction and is rounded.",
        "Write fewer digits, or set `constant = true` to keep the formula itself; no change is needed if the rounded value is acceptable.",
        "[parameters]\nm = \"sqrt(2)\"",
    ),
    from_pendulum(
        "power-of-quantity",
        "An exponent after a number with a unit applies to the number as well.",
        "Write `(2 [m])^2` to raise both the number and the unit to the power; otherwise put the exponent inside the brackets: `2 [m^2]`.",
        "[outputs]\narea = \"2 [m]^2\"",
    ),
    from_description(
        "other-format",
        "The format of the robot file does not match the section of the spec: `[urdf]` for an MJCF file, or vice versa.",
        "Use the section for the format of the file, which is evident from its root element.",
        "`[urdf]` in a spec whose `template` is an MJCF file.",
    ),
];
