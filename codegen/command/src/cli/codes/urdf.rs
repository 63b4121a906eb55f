//! Message codes about robots in URDF and their closure files, and those common to URDF and MJCF.

use super::code::{Code, from_description, from_robot};

pub(super) const CODES: &[Code] = &[
    from_robot(
        "urdf-syntax",
        "The file is not valid XML.",
        "Correct the XML at the marked position.",
        "<robot name=\"r\"><link name=\"a\"></robot>",
    ),
    from_description(
        "urdf-root",
        "The root element is not `<robot>`.",
        "Enclose the contents of the URDF file in a single element `<robot name=\"…\">`.",
        "A URDF file whose root element is `<robots>`.",
    ),
    from_robot(
        "urdf-empty",
        "The robot has no links.",
        "Write a link as `<link name=\"…\">` inside `<robot>`.",
        "<robot name=\"r\"/>",
    ),
    from_robot(
        "urdf-misplaced",
        "A part of a link or a joint is inside an element where it would be ignored.",
        "Put links and joints in `<robot>`, `<inertial>` in a `<link>`, and the other parts in `<inertial>` or in a `<joint>`.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"-1\" upper=\"1\"><axis xyz=\"0 1 0\"/></limit></joint></robot>",
    ),
    from_robot(
        "urdf-xacro",
        "The file is a xacro file, which must be converted to URDF first.",
        "Run `xacro robot.urdf.xacro > robot.urdf`.",
        "<robot name=\"r\"><link name=\"${prefix}a\"/></robot>",
    ),
    from_robot(
        "urdf-missing",
        "A required element or attribute is missing.",
        "Add the element or attribute that the message names.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/></joint></robot>",
    ),
    from_robot(
        "urdf-attribute",
        "An attribute is unknown but resembles a supported one.",
        "Write the name that the message suggests.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0 0\" rpi=\"0 0 0\"/></joint></robot>",
    ),
    from_robot(
        "urdf-number",
        "A number cannot be read or is not finite, or there are not three numbers.",
        "Write finite decimal numbers with a decimal point and without a unit.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0\"/></joint></robot>",
    ),
    from_robot(
        "urdf-joint-type",
        "The type of a joint is unknown.",
        "Use one of revolute, continuous, prismatic, fixed, floating and planar.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"hinge\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-mass",
        "A mass or a moment of inertia is negative.",
        "Check the signs of the mass and of the moments of inertia.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-friction",
        "The damping or friction of a joint is negative.",
        "Check the sign: positive values oppose the motion.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><dynamics damping=\"-1\"/></joint></robot>",
    ),
    from_robot(
        "urdf-mimic",
        "A `<mimic>` names a joint that does not exist, that does not have exactly one coordinate, or that mimics this joint in a cycle.",
        "Name a revolute or prismatic joint that does not itself follow the mimicking joint.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><mimic joint=\"k\"/></joint></robot>",
    ),
    from_robot(
        "urdf-loop",
        "The joints of the file close a loop, but a URDF is a tree.",
        "Remove one joint of the loop, and close the loop with an element `<loop>`, a file for `--loops`, or an entry of `[constraints]` in a spec that has the robot as `template`.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint><joint name=\"k\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-loop-type",
        "A loop is closed by a joint of an unknown type.",
        "Use one of revolute, continuous, prismatic, cylindrical, planar, spherical, ball, fixed and weld; in a file for `--loops`, use 3d or 6d.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><loop name=\"l\" type=\"hinge\"><predecessor link=\"a\"/><successor link=\"b\"/></loop></robot>",
    ),
    from_robot(
        "urdf-closure",
        "The two links of a loop closure have no moving joint between them.",
        "Name two links with a moving joint between them.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><loop name=\"l\" type=\"fixed\"><predecessor link=\"b\"/><successor link=\"b\"/></loop></robot>",
    ),
    from_robot(
        "urdf-coupling",
        "A coupling refers to a link that has no angle relative to the other link, or the ratio of the coupling is zero.",
        "Couple two links, each of which is connected to their common ancestor by parallel revolute joints or by one prismatic joint.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><coupling name=\"c\"><predecessor link=\"a\"/><successor link=\"b\"/><ratio value=\"6\"/></coupling></robot>",
    ),
    from_description(
        "yaml-syntax",
        "A file for `--loops` is not valid YAML, or contains references, several documents or too many levels.",
        "Write `key: value`, and lists as `[a, b]` or as lines that begin with `- `.",
        "`dqdt import robot.urdf --loops robot.yaml` with an open bracket in `robot.yaml`.",
    ),
    from_description(
        "side-file",
        "A file for `--loops` does not match the robot: lists have different lengths, a pair does not have two entries, or a motor is on a fixed joint.",
        "Correct the entry that the message names; the page about URDF explains the keys.",
        "`dqdt import robot.urdf --loops robot.yaml` with `type: [6d, 6d]` for one closure.",
    ),
    from_robot(
        "urdf-roots",
        "Several links are not the child of any joint.",
        "Connect the links with joints, which may be fixed: a robot must have exactly one root link.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>",
    ),
    from_robot(
        "robot-structural",
        "A part of a robot file is not read and may change the equations: a loop, a tendon that wraps, or an unknown name.",
        "Remove the part, or describe its effect in a spec that has the file as `template`. To drop it with a warning, use `--accept NAME`, or `accept = [\"NAME\"]` in a spec.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint><bushing/></robot>",
    ),
    from_description(
        "robot-accepted",
        "A part of a robot file that may affect the equations is dropped, because `--accept` or `accept` lists it.",
        "Check that you intend the mechanism without this part; no other change is needed.",
        "`dqdt eval robot.xml --accept tendon` if the file contains a tendon that wraps around a geom.",
    ),
    from_robot(
        "robot-idealised",
        "A robot file contains contacts, dry friction, limits, softness, a fluid or similar effects, which the equations do not include.",
        "Run `dqdt import` to list these effects, and check that you intend the ideal mechanism; `accept = [\"robot-idealised\"]` in a spec that has the file as `template` suppresses the warning.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision/></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "robot-snapped",
        "Angles and axes of a robot file that differ from a right angle by less than 0.001 rad, the default of `snap`, are treated as right angles.",
        "Set `snap = 0` under `[urdf]` or `[mjcf]` in a spec that has the file as `template` to keep the values. If the file contains rounded numbers, no change is needed; `accept = [\"robot-snapped\"]` suppresses the note.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin rpy=\"0 0 1.57\"/></joint></robot>",
    ),
    from_robot(
        "urdf-rigid",
        "The robot has no moving joint.",
        "Use `--base free`, or `[urdf] base = \"free\"` in a spec, to make the robot a single moving body.",
        "<robot name=\"r\"><link name=\"a\"/></robot>",
    ),
];
