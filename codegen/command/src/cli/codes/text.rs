//! Message codes about the text of a spec: syntax, keys, names, units and axes.

use super::code::{Code, described, from_pendulum, from_spec};

pub(super) const CODES: &[Code] = &[
    from_spec(
        "toml-syntax",
        "The text is not TOML: a quote, a bracket, a comma or a value is missing, or a line stands twice.",
        "Mend the line that is marked. Text stands in quotes, a list in `[ ]`, a table in `{ }` on one line or under `[name]`.",
        "name = pendulum",
    ),
    from_spec(
        "not-utf8",
        "The file holds a byte that is no UTF-8 text.",
        "Save it as UTF-8; a mechanism in another format has to be converted first.",
        "name = \"\u{fffd}\"",
    ),
    from_spec(
        "not-a-spec",
        "The file has no key of a spec, and is no robot. Messages show nothing of it.",
        "Name the file of a spec, a URDF or an MJCF.",
        "root:x:0:0",
    ),
    described(
        "not-formulas",
        "The file after `--against` has no table `[equal]`. Messages show nothing of it.",
        "Write elements below `[equal]`, such as \"M[x, phi1]\", and what each should be equal to.",
        "`dqdt prove pendulum.toml --against pendulum.toml`",
    ),
    from_spec(
        "empty-spec",
        "The file has no entry.",
        "`dqdt new NAME` writes a commented spec to start from.",
        "",
    ),
    described(
        "file-too-long",
        "The file is longer than 4 MiB.",
        "A spec describes one mechanism: write repeated parts with `[repeat]`, or build it in Rust with `spec::SpecBuilder`.",
        "A spec of five million bytes.",
    ),
    described(
        "unreadable-file",
        "The file cannot be opened.",
        "Check the path; it is relative to the folder in which the command runs.",
        "`dqdt inspect no/such/file.toml`",
    ),
    from_pendulum(
        "unknown-key",
        "A table has a key that it does not know; most are slips of the pen.",
        "Take the key that the message proposes, or one of the reference.",
        "[bodies.rod]\nmas = 1",
    ),
    from_pendulum(
        "missing-key",
        "A key is missing that must be there, or one of several of which one must be.",
        "Add the key; the message says what it means.",
        "[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"",
    ),
    from_pendulum(
        "key-not-for-type",
        "The key exists, but not for this type.",
        "Remove it, or choose the type that has it.",
        "[joints.hinge]\npitch = 0.1",
    ),
    from_pendulum(
        "unknown-type",
        "There is no joint, load, constraint, event or output of this type.",
        "Take one of the types that the message lists.",
        "[joints.hinge]\ntype = \"hinge\"",
    ),
    from_pendulum(
        "unknown-word",
        "The key takes one of a few words, and this is none of them.",
        "Take one of the words that the message lists.",
        "[joints.hinge.coordinates]\nmeasured_from = \"earth\"",
    ),
    from_pendulum(
        "wrong-type",
        "The value has another form than the key takes: a number where a text is expected, or the reverse.",
        "Write the form that the message names.",
        "[bodies.rod]\npoints = 3",
    ),
    from_pendulum(
        "wrong-length",
        "A list has more or fewer entries than the key takes.",
        "A vector has three entries, limits have two.",
        "[bodies.rod]\ncenter_of_mass = [0, 0]",
    ),
    from_pendulum(
        "wrong-count",
        "A list does not have one entry for each coordinate, speed, row or point that it is about.",
        "Give as many entries as the message says, or name them: `start = { theta = 1 }`.",
        "[joints.hinge.coordinates]\nnames = [\"theta\", \"phi\"]",
    ),
    from_pendulum(
        "conflict",
        "Two entries exclude each other, or one has no effect beside the other.",
        "Keep one of the two places that are marked.",
        "[joints.hinge.coordinates]\nstart = [0]\n[bodies.cart]\nmass = 1\n[joints.rail]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"cart\"\ncoordinates = { sequence = \"xyz\", quaternion = true }",
    ),
    from_pendulum(
        "duplicate",
        "A name stands for two things, or a list names one thing twice.",
        "Rename or remove one. Parameters, tables, definitions, coordinates, speeds, user states and inputs share their names.",
        "[inputs]\ntheta = \"N*m\"",
    ),
    from_pendulum(
        "bad-name",
        "A name has letters that code cannot have, or is too long.",
        "Names are words of letters, digits and `_` that do not begin with a digit; `description` has room for more.",
        "[bodies.\"left arm\"]\nmass = 1",
    ),
    from_pendulum(
        "reserved-name",
        "The name has a meaning already: a word of Rust, `t`, `pi`, a function, `ground`, `com`.",
        "Choose another name.",
        "[parameters]\nsin = 1",
    ),
    from_pendulum(
        "bad-unit",
        "The text is not a unit.",
        "A unit is a product of powers such as `kg*m^2/s`; the reference lists all units.",
        "[parameters]\nm = { value = 1, unit = \"kilo\" }",
    ),
    from_pendulum(
        "bad-axis",
        "The value is not an axis.",
        "Write `\"x\"`, `\"-y\"` or three numbers such as `[0, 0.6, 0.8]`.",
        "[joints.hinge]\naxis = \"w\"",
    ),
    from_pendulum(
        "zero-axis",
        "The axis has length zero and so no direction.",
        "Give it any length but zero.",
        "[joints.hinge]\naxis = [0, 0, 0]",
    ),
    from_pendulum(
        "axis-not-constant",
        "An axis depends on a parameter that can be set at run time.",
        "Make the parameter `constant = true`, or turn the frame of the joint by a `rotation`.",
        "[joints.hinge]\naxis = [\"l\", 0, 1]",
    ),
    described(
        "number-out-of-range",
        "A number is too large for a double, or too small to be told from zero.",
        "Choose another unit, or look at the exponent.",
        "The axis `[1e400, 0, 0]`: no double is as large.",
    ),
    from_pendulum(
        "inexact-number",
        "A number does not fit in an exact fraction and is rounded; or a value that is a formula is.",
        "Nothing, or fewer digits, or `constant = true`, with which the formula itself is kept.",
        "[parameters]\nm = \"sqrt(2)\"",
    ),
    from_pendulum(
        "power-of-quantity",
        "A power stands behind a number with a unit; it takes the number too.",
        "Write `(2 [m])^2` if that is meant, or the power inside of the unit, `2 [m^2]`, if it is not.",
        "[outputs]\narea = \"2 [m]^2\"",
    ),
    described(
        "other-format",
        "The robot is in another format than its section says: `[urdf]` over an MJCF, or the reverse.",
        "Name the section after the format of the file; that is what its root element says.",
        "`[urdf]` in a spec whose `template` is an MJCF.",
    ),
];
