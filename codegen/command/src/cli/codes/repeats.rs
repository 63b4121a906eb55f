//! Message codes about repeated parts and templates.

use super::code::{Code, from_description, from_pendulum, from_spec};

pub(super) const CODES: &[Code] = &[
    from_pendulum(
        "repeat-syntax",
        "Braces or `[repeat]` contain something that is not an index, a size or a condition.",
        "Write a size as `n = 3`, an index as `i = \"1 to n\"`, a name with an index as `rod{i-1}`, and a condition as `\"if i = 1\" = { … }`.",
        "[repeat]\nn = 2.5",
    ),
    from_pendulum(
        "repeat-range",
        "The first value of a range is greater than its last value.",
        "Write the smaller value first; `1 to 0` is allowed as an empty range.",
        "[repeat]\nn = 3\ni = \"3 to 1\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "repeat-cycle",
        "A size depends on itself.",
        "Replace one of the sizes in the cycle with a number.",
        "[repeat]\nn = \"k + 1\"\nk = \"n - 1\"\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "repeat-too-long",
        "An index has too many values, or the text after expansion is too long.",
        "Choose a smaller size, or build the spec in Rust with `spec::SpecBuilder`.",
        "[repeat]\nn = 100000000\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "index-range",
        "Index arithmetic divides by zero or overflows 64 bits.",
        "Correct the formula in the braces.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[bodies.\"b{i/0}\"]\nmass = 1",
    ),
    from_pendulum(
        "index-without-value",
        "An index is used in an entry that is not repeated over this index.",
        "Put the index into the name of the entry, or sum over it: `sum{k}(m{k})`.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[outputs]\nheight = \"q{i}\"",
    ),
    from_pendulum(
        "index-out-of-range",
        "A name with an index refers to an entry that does not exist, such as a body before the first one.",
        "Treat this value of the index as an exception in the entry, with `\"if i = 1\" = { … }`.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1\ninertia = [1, 1, 1]\n[joints.\"j{i}\"]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"b{i-1}\"\nchild = \"b{i}\"",
    ),
    from_pendulum(
        "unknown-index",
        "A name in braces is neither an index nor a size of `[repeat]`.",
        "Declare the name in `[repeat]`, or correct it.",
        "[repeat]\nn = 2\n[bodies.\"b{j}\"]\nmass = 1",
    ),
    from_description(
        "unknown-size",
        "A size that `--set` or `set` refers to does not exist, or is an index.",
        "Set one of the sizes that the message lists.",
        "`dqdt inspect examples/specs/families/chain.toml --set m=3`",
    ),
    from_spec(
        "set-without-template",
        "`set` specifies sizes of a template, but the spec has no template.",
        "In a spec without a `template`, write the sizes in `[repeat]`, as in `n = 3`.",
        "name = \"a\"\nset = { n = 3 }",
    ),
    from_spec(
        "remove-without-template",
        "`remove` deletes entries of a template, but the spec has no template.",
        "Delete the entries themselves, or name the file that contains them as `template`.",
        "name = \"a\"\nremove = [\"loads.motor\"]",
    ),
    from_description(
        "removed-twice",
        "`remove` names an entry of the template twice, or a part of an entry that is removed as a whole.",
        "List each entry only once.",
        "`remove = [\"loads.motor\", \"loads.motor.effort\"]` in a spec whose template has the load `motor`.",
    ),
    from_spec(
        "urdf-without-robot",
        "The spec has a section `[urdf]` or `[mjcf]` that specifies how to read a robot, but names no robot.",
        "Name the file of the robot: `template = \"robot.urdf\"`, or `\"robot.xml\"` for MJCF.",
        "name = \"a\"\n[urdf]\nbase = \"free\"",
    ),
    from_description(
        "nested-template",
        "The file that `template` names contains the key `template` or `set` itself.",
        "Set `template` to the template of that file instead.",
        "A spec whose template is `examples/specs/snowboarder1.toml`, which has a template itself.",
    ),
    from_spec(
        "unreadable-template",
        "The file that `template` names cannot be read.",
        "Check the path, which is relative to the folder of the spec.",
        "name = \"a\"\ntemplate = \"no_such_file.toml\"",
    ),
];
