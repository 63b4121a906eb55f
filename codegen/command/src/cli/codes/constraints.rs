//! Message codes about constraints and assembly.

use super::code::{Code, from_description, from_pendulum};

pub(super) const CODES: &[Code] = &[
    from_pendulum(
        "no-coordinate",
        "The formula of a position constraint contains no coordinate.",
        "Use a coordinate of a joint that moves: the constraint keeps the formula at zero.",
        "[constraints.c]\ntype = \"position\"\nformula = \"l - 0.5 [m]\"",
    ),
    from_pendulum(
        "no-point",
        "The formula of a surface contains no x, y or z.",
        "Use x, y and z, the components of the point in the frame of `from`.",
        "[constraints.c]\ntype = \"point_on_surface\"\nfrom = \"ground\"\nto = \"rod\"\nformulas = [\"l - 0.5\"]",
    ),
    from_pendulum(
        "not-linear",
        "A speed constraint is not linear in the speeds, or forces are not linear in the input that enforces a program constraint.",
        "Divide out a factor, or differentiate the constraint by hand; use the force or moment itself as the input.",
        "[constraints.c]\ntype = \"velocity\"\nformula = \"theta_dot^2 - 1 [rad^2/s^2]\"",
    ),
    from_pendulum(
        "not-positive",
        "A length or a radius is not positive.",
        "Check the sign and the defaults of the parameters.",
        "[constraints.c]\ntype = \"distance\"\nfrom = \"ground\"\nto = \"rod\"\nlength = 0",
    ),
    from_pendulum(
        "zero-pitch",
        "The pitch of a helical constraint is zero.",
        "Use the type `revolute` if there is no pitch.",
        "[bodies.nut]\nmass = 1\ninertia = [1, 1, 1]\n[joints.loose]\ntype = \"free\"\nparent = \"ground\"\nchild = \"nut\"\n[constraints.c]\ntype = \"helical\"\nfrom = \"ground\"\nto = \"nut\"\naxis = \"z\"\npitch = 0",
    ),
    from_pendulum(
        "same-coordinate",
        "A gear couples a coordinate to itself.",
        "Name two different coordinates.",
        "[constraints.c]\ntype = \"gear\"\nfirst = \"theta\"\nsecond = \"theta\"\nratio = 2",
    ),
    from_pendulum(
        "redundant-constraint",
        "A row follows from the others in every pose, or constrains something that cannot move; the motion of rigid bodies does not determine its reaction.",
        "Write `accept = [\"redundant-constraint\"]` in the spec if this is intended: the row is dropped and the motion is correct. Otherwise remove the constraint, or use one with fewer rows, such as `planar_revolute` for a pin in a plane.",
        "[constraints.plane]\ntype = \"point_on_plane\"\nfrom = \"ground\"\nto = \"rod\"",
    ),
    from_pendulum(
        "no-freedom",
        "The constraints leave no degree of freedom.",
        "Remove a constraint; `dqdt assemble` counts rows and degrees of freedom.",
        "[constraints.c]\ntype = \"position\"\nformula = \"theta - 0.5\"",
    ),
    from_description(
        "not-assembled",
        "No pose that satisfies the constraints was found in 24 attempts from starts near that of the spec.",
        "Set starts nearer to an assembled pose, check lengths, or hold fewer coordinates.",
        "A closed loop whose rods are too short to meet.",
    ),
    from_pendulum(
        "inconsistent-constraints",
        "Two constraints contradict each other: no pose or no speeds satisfy both.",
        "Compare their lengths and right-hand sides, and remove one.",
        "[constraints.a]\ntype = \"velocity\"\nformula = \"theta_dot\"\n[constraints.b]\ntype = \"velocity\"\nformula = \"2*theta_dot - 1 [rad/s]\"",
    ),
    from_pendulum(
        "no-slope",
        "A constraint has no derivative where it is satisfied, such as a distance that must be zero: no force can enforce it.",
        "Use a constraint of type `spherical` to keep two points together; rewrite a formula so that it has a derivative.",
        "[constraints.a]\ntype = \"position\"\nformula = \"abs(theta)\"",
    ),
    from_pendulum(
        "singular-start",
        "The mechanism starts in a singular pose, in which more constraints are dependent than elsewhere.",
        "Start slightly away from this pose, because accelerations are not determined in it.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [2] }\n[joints.hinge.coordinates]\nstart = [1]\n[constraints.c]\ntype = \"position\"\nformula = \"(theta - 1)*(phi - 2)\"",
    ),
    from_pendulum(
        "contradicting-coordinates",
        "Held coordinates do not satisfy the constraints for any values of the other coordinates.",
        "Change one of them, or hold fewer; the message states how they are related and by how much they differ.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [1], hold = true }\n[joints.hinge.coordinates]\nstart = [1]\nhold = true\n[constraints.gear]\ntype = \"gear\"\nfirst = \"theta\"\nsecond = \"phi\"\nratio = 2",
    ),
    from_pendulum(
        "contradicting-speeds",
        "Speeds given in the spec contradict each other under the constraints.",
        "Change one of them, or set `free = true` for one; the message states how they are related.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\nspeeds = { start = [1] }\n[joints.hinge]\nspeeds = { start = [1] }\n[constraints.gear]\ntype = \"velocity\"\nformula = \"theta_dot - 2*phi_dot\"",
    ),
    from_pendulum(
        "not-dependent",
        "A speed named in `dependent` does not follow from the constraints.",
        "Name another speed, or omit `dependent` so that the speed is chosen automatically.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\n[constraints.c]\ntype = \"velocity\"\nformula = \"theta_dot - 1 [rad/s]\"\ntreatment = \"elimination\"\ndependent = [\"phi_dot\"]",
    ),
    from_description(
        "dependent-speeds-vanish",
        "The dependent speeds do not follow from the others in some pose, where the equations are singular.",
        "Use speeds in axes that rotate with the body (`velocity_frame = \"body\"` of a `planar` or `free` joint), name other dependent speeds, or omit `treatment`.",
        "`treatment = \"elimination\"` for the wheel of a cart with an arbitrary heading, and speeds in ground axes.",
    ),
    from_description(
        "dependent-driven",
        "A speed in `driven` follows from other driven speeds by the constraints.",
        "Drive as many speeds as there are degrees of freedom, all independent of each other.",
        "`driven` with two speeds of `examples/specs/four_bar.toml`, and `emit --functions kinetostatics`.",
    ),
    from_pendulum(
        "limited-input",
        "An input that enforces a program constraint has limits, beyond which it cannot satisfy the constraint.",
        "Remove `limits`; compute the required input with `program_inputs` and compare it with the capability of the drive.",
        "[inputs]\ntorque = { unit = \"N*m\", limits = [-1, 1] }\n[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"torque\"\n[constraints.c]\ntype = \"position\"\nformula = \"theta - sin(t*1 [1/s])\"\nrealised_by = [\"torque\"]",
    ),
    from_pendulum(
        "not-decoupled",
        "The inputs of program constraints cannot change a row at the start: the decoupling matrix is singular.",
        "Choose other inputs, or another start.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\n[inputs]\nu1 = \"N*m\"\nu2 = \"N*m\"\n[loads.a]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"u1\"\n[loads.b]\ntype = \"actuator\"\njoint = \"elbow\"\neffort = \"u2\"\n[constraints.a]\ntype = \"position\"\nformula = \"theta - 1\"\nrealised_by = [\"u1\"]\n[constraints.b]\ntype = \"position\"\nformula = \"2*theta + sin(theta)\"\nrealised_by = [\"u2\"]",
    ),
    from_description(
        "quick-stabilisation",
        "Baumgarte's terms are too fast for the fixed step: α times the step is above 1.",
        "Choose a smaller `alpha`, a larger `time_constant` or a shorter `--step`; by default, motions are projected and do not need such terms.",
        "`time_constant = 0.001` and `dqdt simulate --step 0.01`.",
    ),
];
