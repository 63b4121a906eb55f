//! Message codes about repeated parts and templates.

use super::code::{Code, described, from_pendulum, from_spec};

pub(super) const CODES: &[Code] = &[
    from_pendulum(
        "repeat-syntax",
        "What stands in braces or in `[repeat]` is no index, size or condition.",
        "A size is `n = 3`, an index runs over a range, `i = \"1 to n\"`; a name has an index in braces, `rod{i-1}`; a condition is `\"if i = 1\" = { … }`.",
        "[repeat]\nn = 2.5",
    ),
    from_pendulum(
        "repeat-range",
        "A range goes downwards.",
        "Write it upwards; `1 to 0` is empty.",
        "[repeat]\nn = 3\ni = \"3 to 1\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "repeat-cycle",
        "A size needs itself.",
        "Give one of the sizes of the circle as a number.",
        "[repeat]\nn = \"k + 1\"\nk = \"n - 1\"\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "repeat-too-long",
        "An index has too many values, or the repeats make too long a text.",
        "Set a smaller size, or build the spec in Rust with `spec::SpecBuilder`.",
        "[repeat]\nn = 100000000\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1",
    ),
    from_pendulum(
        "index-range",
        "The arithmetic of an index divides by zero or goes beyond 64 bits.",
        "Look at the formula in the braces.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[bodies.\"b{i/0}\"]\nmass = 1",
    ),
    from_pendulum(
        "index-without-value",
        "An index stands where nothing is repeated over it.",
        "Put it into the name of the entry, or sum over it: `sum{k}(m{k})`.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[outputs]\nheight = \"q{i}\"",
    ),
    from_pendulum(
        "index-out-of-range",
        "A name with an index is that of an entry that is not there, such as the body before the first.",
        "Say what stands there instead, with `\"if i = 1\" = { … }` in the entry.",
        "[repeat]\nn = 2\ni = \"1 to n\"\n[bodies.\"b{i}\"]\nmass = 1\ninertia = [1, 1, 1]\n[joints.\"j{i}\"]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"b{i-1}\"\nchild = \"b{i}\"",
    ),
    from_pendulum(
        "unknown-index",
        "What stands in braces is neither an index nor a size of `[repeat]`.",
        "Add it to `[repeat]`, or correct the name.",
        "[repeat]\nn = 2\n[bodies.\"b{j}\"]\nmass = 1",
    ),
    described(
        "unknown-size",
        "A size that is set does not exist, or is an index.",
        "Set one of the sizes that the message lists.",
        "`dqdt inspect examples/specs/families/chain.toml --set m=3`",
    ),
    from_spec(
        "set-without-template",
        "`set` gives sizes to a template, and there is none.",
        "In a spec without `template` give sizes in `[repeat]`: `n = 3`.",
        "name = \"a\"\nset = { n = 3 }",
    ),
    from_spec(
        "remove-without-template",
        "`remove` takes entries of a template away, and there is none.",
        "Delete the entries themselves, or name the template that has them.",
        "name = \"a\"\nremove = [\"loads.motor\"]",
    ),
    described(
        "removed-twice",
        "An entry of the template is named twice in `remove`, or a part of one that goes as a whole.",
        "Name it once.",
        "`remove = [\"loads.motor\", \"loads.motor.effort\"]` over a robot that has this load.",
    ),
    from_spec(
        "urdf-without-robot",
        "A section says how a robot is read, and no robot is named.",
        "Name its file: `template = \"robot.urdf\"`, or `\"robot.xml\"` of MJCF.",
        "name = \"a\"\n[urdf]\nbase = \"free\"",
    ),
    described(
        "nested-template",
        "The file that `template` names has a `template` or a `set` itself.",
        "Name the other template directly.",
        "A spec whose template is `examples/specs/snowboarder1.toml`, which has one.",
    ),
    from_spec(
        "unreadable-template",
        "The file that `template` names cannot be read.",
        "Check the path; it is relative to the spec.",
        "name = \"a\"\ntemplate = \"no_such_file.toml\"",
    ),
];
