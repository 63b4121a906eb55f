//! Message codes about constraints and assembly.

use super::code::{Code, from_description, from_pendulum};

pub(super) const CODES: &[Code] = &[
    from_pendulum(
        "no-coordinate",
        "The formula of a position constraint contains no coordinate.",
        "Use the coordinate of a moving joint in the formula, which the constraint keeps at zero.",
        "[constraints.c]\ntype = \"position\"\nformula = \"l - 0.5 [m]\"",
    ),
    from_pendulum(
        "no-point",
        "The formula of a surface contains no x, y or z.",
        "Write the formula in terms of x, y and z, the components of the point in the frame of `from`.",
        "[constraints.c]\ntype = \"point_on_surface\"\nfrom = \"ground\"\nto = \"rod\"\nformulas = [\"l - 0.5\"]",
    ),
    from_pendulum(
        "not-linear",
        "A velocity constraint is not linear in the speeds, or the forces are not linear in the input that enforces a program constraint.",
        "Make a velocity constraint linear by dividing out a factor or by differentiating it by hand; to enforce a program constraint, use the force or moment itself as the input.",
        "[constraints.c]\ntype = \"velocity\"\nformula = \"theta_dot^2 - 1 [rad^2/s^2]\"",
    ),
    from_pendulum(
        "not-positive",
        "A length or a radius is not positive.",
        "Check the sign of the length or radius, and the default values of the parameters in it.",
        "[constraints.c]\ntype = \"distance\"\nfrom = \"ground\"\nto = \"rod\"\nlength = 0",
    ),
    from_pendulum(
        "zero-pitch",
        "The pitch of a helical constraint is zero.",
        "For a joint without pitch, use a constraint of type `revolute`.",
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
        "A constraint row follows from the other rows in every pose, or constrains something that cannot move; the motion of rigid bodies does not determine the reaction of this row.",
        "If the redundant row is intended, write `accept = [\"redundant-constraint\"]` in the spec: the row is dropped, and the motion is correct. Otherwise remove the constraint, or use one with fewer rows, such as `planar_revolute` for a pin in a plane.",
        "[constraints.plane]\ntype = \"point_on_plane\"\nfrom = \"ground\"\nto = \"rod\"",
    ),
    from_pendulum(
        "no-freedom",
        "The constraints leave no degree of freedom.",
        "Remove a constraint; `dqdt assemble` prints the numbers of constraint rows and degrees of freedom.",
        "[constraints.c]\ntype = \"position\"\nformula = \"theta - 0.5\"",
    ),
    from_description(
        "not-assembled",
        "In 24 attempts from start values near those of the spec, no pose was found that satisfies the constraints.",
        "Choose start values closer to an assembled pose, check the lengths of the bodies, or hold fewer coordinates.",
        "A closed loop whose rods are too short to meet.",
    ),
    from_pendulum(
        "inconsistent-constraints",
        "Two constraints contradict each other: no pose or no speeds satisfy both.",
        "Compare the lengths and right-hand sides of the two constraints, and remove one of them.",
        "[constraints.a]\ntype = \"velocity\"\nformula = \"theta_dot\"\n[constraints.b]\ntype = \"velocity\"\nformula = \"2*theta_dot - 1 [rad/s]\"",
    ),
    from_pendulum(
        "no-slope",
        "A constraint, such as a distance that must be zero, is not differentiable where it is satisfied, so no force can enforce it.",
        "To keep two points together, use a constraint of type `spherical`; rewrite any other constraint so that its formula is differentiable.",
        "[constraints.a]\ntype = \"position\"\nformula = \"abs(theta)\"",
    ),
    from_pendulum(
        "singular-start",
        "The mechanism starts in a singular pose, in which more constraints are dependent than elsewhere.",
        "Start slightly away from the singular pose, in which the accelerations are not determined.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [2] }\n[joints.hinge.coordinates]\nstart = [1]\n[constraints.c]\ntype = \"position\"\nformula = \"(theta - 1)*(phi - 2)\"",
    ),
    from_pendulum(
        "contradicting-coordinates",
        "Held coordinates do not satisfy the constraints for any values of the other coordinates.",
        "Change one of the held coordinates, or hold fewer of them; the message states how they are related and by how much they violate the relation.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [1], hold = true }\n[joints.hinge.coordinates]\nstart = [1]\nhold = true\n[constraints.gear]\ntype = \"gear\"\nfirst = \"theta\"\nsecond = \"phi\"\nratio = 2",
    ),
    from_pendulum(
        "contradicting-speeds",
        "The start speeds in the spec do not satisfy the constraints for any values of the other speeds.",
        "Change one of these speeds, or set `free = true` for one of them; the message states how they are related.",
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
        "In some pose, the dependent speeds do not follow from the others, so the equations are singular there.",
        "Use speeds in axes that rotate with the body (`velocity_frame = \"body\"` of a `planar` or `free` joint), name other dependent speeds, or omit `treatment`.",
        "A cart with speeds in ground axes and an arbitrary heading, where the constraint of a wheel has `treatment = \"elimination\"`.",
    ),
    from_description(
        "dependent-driven",
        "By the constraints, a speed listed in `driven` follows from the other driven speeds.",
        "List as many speeds in `driven` as there are degrees of freedom, and make sure that they are independent of each other.",
        "`dqdt emit examples/specs/four_bar.toml --functions kinetostatics`, if `driven` lists two speeds.",
    ),
    from_pendulum(
        "limited-input",
        "An input that enforces a program constraint has limits, beyond which it cannot satisfy the constraint.",
        "Remove `limits`; compute the required input with `program_inputs`, and check that the drive can supply it.",
        "[inputs]\ntorque = { unit = \"N*m\", limits = [-1, 1] }\n[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"torque\"\n[constraints.c]\ntype = \"position\"\nformula = \"theta - sin(t*1 [1/s])\"\nrealised_by = [\"torque\"]",
    ),
    from_pendulum(
        "not-decoupled",
        "In the start state, the inputs that enforce the program constraints cannot affect one of the constraint rows: the decoupling matrix is singular.",
        "Choose other inputs, or another start state.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\n[inputs]\nu1 = \"N*m\"\nu2 = \"N*m\"\n[loads.a]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"u1\"\n[loads.b]\ntype = \"actuator\"\njoint = \"elbow\"\neffort = \"u2\"\n[constraints.a]\ntype = \"position\"\nformula = \"theta - 1\"\nrealised_by = [\"u1\"]\n[constraints.b]\ntype = \"position\"\nformula = \"2*theta + sin(theta)\"\nrealised_by = [\"u2\"]",
    ),
    from_description(
        "quick-stabilisation",
        "Baumgarte's stabilisation is too fast for the fixed step: α times the step is greater than 1.",
        "Choose a smaller `alpha`, a larger `time_constant` or a shorter `--step`; by default, `dqdt` projects motions onto the constraints, so they need no stabilisation.",
        "A constraint with `time_constant = 0.001`, and `dqdt simulate --step 0.01`.",
    ),
];
