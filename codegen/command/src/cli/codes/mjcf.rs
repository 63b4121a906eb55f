//! Message codes about robots in MJCF.

use super::code::{Code, from_description, from_robot};

pub(super) const CODES: &[Code] = &[
    from_robot(
        "mjcf-syntax",
        "The file is not valid XML.",
        "Correct the marked place.",
        "<mujoco><worldbody></mujoco>",
    ),
    from_description(
        "mjcf-root",
        "The root element is not `<mujoco>`.",
        "Name the main file, whose root is `<mujoco model=\"…\">`; an included file is read through the file that includes it.",
        "A `<mujocoinclude>` file that is named as the robot.",
    ),
    from_description(
        "mjcf-depth",
        "Elements are nested too deeply.",
        "Check whether a loop in a script generated the file.",
        "A thousand nested bodies.",
    ),
    from_robot(
        "mjcf-element",
        "An element is not supported and would change the model, or resembles a supported element.",
        "Write the name that the message suggests; let MuJoCo expand generated bodies (`mj_saveLastXML`).",
        "<mujoco><worldbody><body><geom size=\"0.1\"/><joint/><boddy/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-attribute",
        "An attribute is unknown but resembles a supported one.",
        "Write the name that the message suggests.",
        "<mujoco><worldbody><body><joint axs=\"0 0 1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-number",
        "A number cannot be read or is not finite, or there are too many or too few numbers.",
        "Write finite decimal numbers with a decimal point and without a unit.",
        "<mujoco><worldbody><body><joint axis=\"0 0\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-word",
        "The value of an attribute is not one of the allowed words.",
        "Use one of the words that the message lists.",
        "<mujoco><worldbody><body><joint type=\"hing\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-missing",
        "A required attribute is missing.",
        "Add the attribute that the message names.",
        "<mujoco><worldbody><body><inertial pos=\"0 0 0\"/><joint/></body></worldbody></mujoco>",
    ),
    from_description(
        "mjcf-include",
        "An included file cannot be read, or is included twice.",
        "Check the path, which is relative to the main file of the robot, and include each file only once, as MuJoCo requires.",
        "`<include file=\"missing.xml\"/>`",
    ),
    from_robot(
        "mjcf-orientation",
        "An orientation is given twice, or together with `fullinertia`.",
        "Keep one of `quat`, `euler`, `axisangle`, `xyaxes` and `zaxis`; with `fullinertia`, omit all of them.",
        "<mujoco><worldbody><body quat=\"1 0 0 0\" euler=\"0 0 0\"><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-mass",
        "A mass or a moment of inertia is negative.",
        "Check the sign.",
        "<mujoco><worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-geom",
        "The size or the end points of a geom do not define a solid.",
        "Use sizes above zero and two different points in `fromto`, without `pos`.",
        "<mujoco><worldbody><body><joint/><geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 0 0 0\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-mesh",
        "The inertia of a body depends on a mesh, whose mass is not computed.",
        "Give the body an `<inertial>`, which MuJoCo writes with `saveinertial=\"true\"`, or give the geom `mass=\"0\"`.",
        "<mujoco><asset><mesh name=\"m\" file=\"m.stl\"/></asset><worldbody><body><joint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-joint",
        "Joints are in a place where MuJoCo allows none: in the world, or next to a free joint.",
        "Put each joint in a body; a free joint must be the only joint of a body of the world.",
        "<mujoco><worldbody><joint/><body><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-friction",
        "Damping, stiffness, armature or friction is negative.",
        "Write zero or a positive number.",
        "<mujoco><worldbody><body><joint damping=\"-1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-spring",
        "A spring has `springyield`, which is not supported, or a time constant that cannot be converted because a joint moves no inertia.",
        "Write `stiffness` and `damping` as numbers.",
        "<mujoco><worldbody><body><joint springyield=\"1 1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-equality",
        "An equality names joints with several coordinates, or is a polynomial whose coefficients would need units.",
        "Name hinges or slides; write polynomials of slides as a constraint of type `position` in a spec that has the file as `template`.",
        "<mujoco><worldbody><body><joint name=\"a\" type=\"ball\"/><geom size=\"0.1\"/></body></worldbody><equality><joint joint1=\"a\"/></equality></mujoco>",
    ),
    from_robot(
        "mjcf-range",
        "A range has no width, or its upper end is written first.",
        "Write `\"lower upper\"`.",
        "<mujoco><worldbody><body><joint name=\"j\"/><geom size=\"0.1\"/></body></worldbody><actuator><motor joint=\"j\" ctrllimited=\"true\" ctrlrange=\"1 -1\"/></actuator></mujoco>",
    ),
    from_description(
        "mjcf-actuator",
        "The classes of an actuator mix gains of several kinds of actuators in an unsupported way.",
        "Write the gains in a separate class, under the kind of this actuator.",
        "`<default><muscle force=\"5\"/></default>` and `<velocity joint=\"j\"/>`.",
    ),
    from_robot(
        "mjcf-align",
        "Free bodies are aligned with their principal axes, which is not supported: coordinates would refer to another frame.",
        "Write `\"false\"`.",
        "<mujoco><compiler alignfree=\"true\"/><worldbody><body><freejoint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-global",
        "Coordinates are global, which MuJoCo itself has not supported since 2.3.4.",
        "Save the file with an older MuJoCo, which writes local coordinates.",
        "<mujoco><compiler coordinate=\"global\"/><worldbody><body><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-misplaced",
        "A body, a joint or another part of the robot is inside an element in which it is not read.",
        "Close the preceding element: put bodies in `<worldbody>` or in a `<body>`, and all other parts in a `<body>`.",
        "<mujoco><worldbody><body><geom size=\"0.1\"><joint/></geom></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-rigid",
        "No joint of the robot moves.",
        "Add a `<joint>` or a `<freejoint/>` to each body that moves.",
        "<mujoco><worldbody><body><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
];
