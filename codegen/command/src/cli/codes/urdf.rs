//! Message codes about robots in URDF and their closure files, and those common to URDF and MJCF.

use super::code::{Code, described, from_robot};

pub(super) const CODES: &[Code] = &[
    from_robot(
        "urdf-syntax",
        "The file is not XML.",
        "Mend the place that is marked.",
        "<robot name=\"r\"><link name=\"a\"></robot>",
    ),
    described(
        "urdf-root",
        "The root element is not `<robot>`.",
        "A URDF is one element `<robot name=\"…\">`.",
        "A URDF whose root element is `<robots>`.",
    ),
    from_robot(
        "urdf-empty",
        "The robot has no links.",
        "A link is written `<link name=\"…\">` inside of `<robot>`.",
        "<robot name=\"r\"/>",
    ),
    from_robot(
        "urdf-misplaced",
        "A part of a link or a joint stands where none is read.",
        "Links and joints stand in `<robot>`, `<inertial>` in a `<link>`, the others in `<inertial>` or in a `<joint>`.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"-1\" upper=\"1\"><axis xyz=\"0 1 0\"/></limit></joint></robot>",
    ),
    from_robot(
        "urdf-xacro",
        "The file is xacro, which is turned into URDF first.",
        "Run `xacro robot.urdf.xacro > robot.urdf`.",
        "<robot name=\"r\"><link name=\"${prefix}a\"/></robot>",
    ),
    from_robot(
        "urdf-missing",
        "An element or an attribute is missing.",
        "Write what the message names.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/></joint></robot>",
    ),
    from_robot(
        "urdf-attribute",
        "An attribute looks like one that is read and is none.",
        "Write the name that the message proposes.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0 0\" rpi=\"0 0 0\"/></joint></robot>",
    ),
    from_robot(
        "urdf-number",
        "A number cannot be read, is not finite, or there are not three.",
        "Write finite decimal numbers with a point and without a unit.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0\"/></joint></robot>",
    ),
    from_robot(
        "urdf-joint-type",
        "There is no joint of this type.",
        "Types are revolute, continuous, prismatic, fixed, floating and planar.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"hinge\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-mass",
        "A mass or a moment of inertia is negative.",
        "Check the sign.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-friction",
        "Damping or friction of a joint is negative.",
        "Check the sign; it brakes where it is positive.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><dynamics damping=\"-1\"/></joint></robot>",
    ),
    from_robot(
        "urdf-mimic",
        "A `<mimic>` names a joint that is not there, that has not one coordinate, or that follows it in a circle.",
        "Name a revolute or prismatic joint that does not follow this one.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><mimic joint=\"k\"/></joint></robot>",
    ),
    from_robot(
        "urdf-loop",
        "The joints of the file close a ring; a URDF is a tree.",
        "Leave one joint of the ring out and close the loop by an element `<loop>`, a file for `--loops`, or an entry of `[constraints]` in a spec over the robot.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint><joint name=\"k\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "urdf-loop-type",
        "A loop is closed by a joint of a type that is not known.",
        "Types are revolute, continuous, prismatic, cylindrical, planar, spherical, ball, fixed and weld; in a side file 3d and 6d.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><loop name=\"l\" type=\"hinge\"><predecessor link=\"a\"/><successor link=\"b\"/></loop></robot>",
    ),
    from_robot(
        "urdf-closure",
        "No joint moves between the two links of a closure.",
        "Name links on both sides of a joint that moves.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><loop name=\"l\" type=\"fixed\"><predecessor link=\"b\"/><successor link=\"b\"/></loop></robot>",
    ),
    from_robot(
        "urdf-coupling",
        "A coupling names a link that has no angle against the other one, or its ratio is zero.",
        "Couple links that parallel revolute joints, or one prismatic joint each, carry from the link on which both chains stand.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint><coupling name=\"c\"><predecessor link=\"a\"/><successor link=\"b\"/><ratio value=\"6\"/></coupling></robot>",
    ),
    described(
        "yaml-syntax",
        "A file of closures is not YAML, or has references, several documents or too many levels.",
        "Write `key: value`, lists as `[a, b]` or as lines that begin with `- `.",
        "`dqdt import robot.urdf --loops robot.yaml` with an open bracket in `robot.yaml`.",
    ),
    described(
        "side-file",
        "A file of closures does not fit the robot: lists of different lengths, a pair that is none, a motor that does not move.",
        "The message says what; the keys are explained on the page about URDF.",
        "`dqdt import robot.urdf --loops robot.yaml` with `type: [6d, 6d]` for one closure.",
    ),
    from_robot(
        "urdf-roots",
        "Several links are the child of no joint.",
        "Connect them by joints, fixed perhaps: a robot has one root.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>",
    ),
    from_robot(
        "robot-structural",
        "A part of a robot's file is not read and may change the equations: a loop, a tendon that wraps, a name that no table has.",
        "Remove it, or write what it does into a spec over the file; `--accept NAME`, in a spec `accept = [\"NAME\"]`, leaves it out with a warning.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint><bushing/></robot>",
    ),
    described(
        "robot-accepted",
        "A structural part of a robot's file is left out, since its name is accepted.",
        "Nothing, if the mechanism without this part is meant.",
        "`dqdt eval robot.xml --accept tendon` where the file has a tendon that wraps.",
    ),
    from_robot(
        "robot-idealised",
        "A robot's file has contacts, dry friction, limits, softness, a fluid or the like, which the equations do not have.",
        "Nothing, if the ideal mechanism is meant; `dqdt import` lists each, `accept = [\"robot-idealised\"]` in a spec over the file ends the warning.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision/></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
    ),
    from_robot(
        "robot-snapped",
        "Angles and axes of a robot's file that miss a right angle by less than 0.001 rad, the default of `snap`, are taken as right angles.",
        "Nothing, if the file has rounded numbers; `snap = 0` under `[urdf]` or `[mjcf]` in a spec over the file keeps them, `accept = [\"robot-snapped\"]` ends the note.",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin rpy=\"0 0 1.57\"/></joint></robot>",
    ),
    from_robot(
        "urdf-rigid",
        "No joint of the robot moves.",
        "With `--base free`, in a spec `[urdf] base = \"free\"`, it is one body that moves.",
        "<robot name=\"r\"><link name=\"a\"/></robot>",
    ),
];
