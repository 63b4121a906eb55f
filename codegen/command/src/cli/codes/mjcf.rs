//! Message codes about robots in MJCF.

use super::code::{Code, described, from_robot};

pub(super) const CODES: &[Code] = &[
    from_robot(
        "mjcf-syntax",
        "The file is not XML.",
        "Mend the place that is marked.",
        "<mujoco><worldbody></mujoco>",
    ),
    described(
        "mjcf-root",
        "The root element is not `<mujoco>`.",
        "An MJCF is one element `<mujoco model=\"…\">`; a file to include is named by the one that includes it.",
        "A file `<mujocoinclude>` as the robot.",
    ),
    described(
        "mjcf-depth",
        "Elements stand in one another too deep.",
        "Look for a file that was written by a loop.",
        "A thousand bodies in one another.",
    ),
    from_robot(
        "mjcf-element",
        "An element is not read and would change the model, or looks like one that is read.",
        "Write the name that the message proposes; let MuJoCo write generated bodies out (`mj_saveLastXML`).",
        "<mujoco><worldbody><body><geom size=\"0.1\"/><joint/><boddy/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-attribute",
        "An attribute looks like one that is read and is none.",
        "Write the name that the message proposes.",
        "<mujoco><worldbody><body><joint axs=\"0 0 1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-number",
        "A number cannot be read, is not finite, or there are too many or too few.",
        "Write finite decimal numbers with a point and without a unit.",
        "<mujoco><worldbody><body><joint axis=\"0 0\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-word",
        "A word is not one of those that the attribute takes.",
        "Take one of the words that the message lists.",
        "<mujoco><worldbody><body><joint type=\"hing\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-missing",
        "An attribute is missing.",
        "Write what the message names.",
        "<mujoco><worldbody><body><inertial pos=\"0 0 0\"/><joint/></body></worldbody></mujoco>",
    ),
    described(
        "mjcf-include",
        "A file to include cannot be read, or is included twice.",
        "The path is relative to the robot's own file; MuJoCo takes each file once.",
        "`<include file=\"missing.xml\"/>`",
    ),
    from_robot(
        "mjcf-orientation",
        "An attitude is given twice, or `fullinertia` has one.",
        "Keep one of `quat`, `euler`, `axisangle`, `xyaxes`, `zaxis`.",
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
        "The size or the ends of a geom make no body.",
        "Sizes are above zero, the two points of `fromto` differ, and `pos` does not stand beside it.",
        "<mujoco><worldbody><body><joint/><geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 0 0 0\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-mesh",
        "The inertia of a body depends on a mesh, which is not weighed.",
        "Give the body an `<inertial>`, which MuJoCo writes with `saveinertial=\"true\"`, or the geom `mass=\"0\"`.",
        "<mujoco><asset><mesh name=\"m\" file=\"m.stl\"/></asset><worldbody><body><joint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-joint",
        "Joints stand where MuJoCo allows none: in the world, or beside a free joint.",
        "A free joint is the only one of a body of the world.",
        "<mujoco><worldbody><joint/><body><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-friction",
        "Damping, stiffness, armature or friction is negative.",
        "Write zero or more.",
        "<mujoco><worldbody><body><joint damping=\"-1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-spring",
        "A spring yields, which is not read, or its time constant finds no inertia that the joint moves.",
        "Write `stiffness` and `damping` as numbers.",
        "<mujoco><worldbody><body><joint springyield=\"1 1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-equality",
        "An equality names joints of several coordinates, or is a polynomial whose coefficients would need units.",
        "Name hinges or slides; write polynomials of slides as a constraint of type `position` in a spec over the file.",
        "<mujoco><worldbody><body><joint name=\"a\" type=\"ball\"/><geom size=\"0.1\"/></body></worldbody><equality><joint joint1=\"a\"/></equality></mujoco>",
    ),
    from_robot(
        "mjcf-range",
        "A range has its upper end first.",
        "Write `\"lower upper\"`.",
        "<mujoco><worldbody><body><joint name=\"j\"/><geom size=\"0.1\"/></body></worldbody><actuator><motor joint=\"j\" ctrllimited=\"true\" ctrlrange=\"1 -1\"/></actuator></mujoco>",
    ),
    described(
        "mjcf-actuator",
        "The classes of an actuator mix gains of several kinds of actuators in a way that is not read.",
        "Write the gains in a class of its own, by the kind that it is.",
        "`<default><muscle force=\"5\"/></default>` and `<velocity joint=\"j\"/>`.",
    ),
    from_robot(
        "mjcf-align",
        "Free bodies are moved to their principal axes, which is not read: coordinates would be those of another frame.",
        "Write `\"false\"`.",
        "<mujoco><compiler alignfree=\"true\"/><worldbody><body><freejoint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-global",
        "Coordinates are global, which MuJoCo itself does not read since 2.3.4.",
        "Save the file by an older MuJoCo, which writes local ones.",
        "<mujoco><compiler coordinate=\"global\"/><worldbody><body><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-misplaced",
        "A body, a joint or another part of the robot stands where none is read.",
        "Bodies stand in `<worldbody>` or in a `<body>`, all else in a `<body>`: close the element before it.",
        "<mujoco><worldbody><body><geom size=\"0.1\"><joint/></geom></body></worldbody></mujoco>",
    ),
    from_robot(
        "mjcf-rigid",
        "No joint of the robot moves.",
        "A body that moves has a `<joint>` or a `<freejoint/>`.",
        "<mujoco><worldbody><body><geom size=\"0.1\"/></body></worldbody></mujoco>",
    ),
];
