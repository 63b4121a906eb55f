//! Message codes about constraints and assembly.

use super::code::{Code, described, from_pendulum};

pub(super) const CODES: &[Code] = &[
    from_pendulum(
        "no-coordinate",
        "The formula of a constraint of positions names no coordinate.",
        "It holds a formula of coordinates at zero: name what moves.",
        "[constraints.c]\ntype = \"position\"\nformula = \"l - 0.5 [m]\"",
    ),
    from_pendulum(
        "no-point",
        "A formula of a surface has no x, y or z.",
        "x, y and z are the components of the point in the frame of `from`.",
        "[constraints.c]\ntype = \"point_on_surface\"\nfrom = \"ground\"\nto = \"rod\"\nformulas = [\"l - 0.5\"]",
    ),
    from_pendulum(
        "not-linear",
        "A constraint of speeds is not linear in them, or forces are not linear in the input that realises a program.",
        "Divide it out or differentiate by hand; let the input be the force or moment itself.",
        "[constraints.c]\ntype = \"velocity\"\nformula = \"theta_dot^2 - 1 [rad^2/s^2]\"",
    ),
    from_pendulum(
        "not-positive",
        "A length or a radius is not positive.",
        "Check the sign, and the defaults of the parameters.",
        "[constraints.c]\ntype = \"distance\"\nfrom = \"ground\"\nto = \"rod\"\nlength = 0",
    ),
    from_pendulum(
        "zero-pitch",
        "A helical constraint has the pitch zero.",
        "Without a pitch it is `revolute`.",
        "[bodies.nut]\nmass = 1\ninertia = [1, 1, 1]\n[joints.loose]\ntype = \"free\"\nparent = \"ground\"\nchild = \"nut\"\n[constraints.c]\ntype = \"helical\"\nfrom = \"ground\"\nto = \"nut\"\naxis = \"z\"\npitch = 0",
    ),
    from_pendulum(
        "same-coordinate",
        "A gear couples a coordinate to itself.",
        "Name two coordinates.",
        "[constraints.c]\ntype = \"gear\"\nfirst = \"theta\"\nsecond = \"theta\"\nratio = 2",
    ),
    from_pendulum(
        "redundant-constraint",
        "A row follows from the others in every pose, or holds what cannot move: a reaction is not determined by rigid bodies.",
        "Nothing: it is left out and the motion is right; `accept = [\"redundant-constraint\"]` in the spec says that you know. If it was not meant, remove it or take a closure with fewer rows: `planar_revolute` for a pin in a plane.",
        "[constraints.plane]\ntype = \"point_on_plane\"\nfrom = \"ground\"\nto = \"rod\"",
    ),
    from_pendulum(
        "no-freedom",
        "The constraints leave nothing to move.",
        "Remove a constraint; `dqdt assemble` counts rows and degrees of freedom.",
        "[constraints.c]\ntype = \"position\"\nformula = \"theta - 0.5\"",
    ),
    described(
        "not-assembled",
        "No pose was found that fulfils the constraints, from 24 starts around that of the spec.",
        "Give starts nearer to an assembled pose, check lengths, or hold fewer coordinates.",
        "A closed loop whose rods are too short to meet.",
    ),
    from_pendulum(
        "inconsistent-constraints",
        "Two constraints ask for different things: no pose or no speeds fulfil both.",
        "Compare their lengths and right sides; remove one.",
        "[constraints.a]\ntype = \"velocity\"\nformula = \"theta_dot\"\n[constraints.b]\ntype = \"velocity\"\nformula = \"2*theta_dot - 1 [rad/s]\"",
    ),
    from_pendulum(
        "no-slope",
        "A constraint has no slope where it holds, as a distance that is to be zero: no force could hold it.",
        "Hold two points together by a constraint of the type `spherical`; write a formula by what has a slope.",
        "[constraints.a]\ntype = \"position\"\nformula = \"abs(theta)\"",
    ),
    from_pendulum(
        "singular-start",
        "The mechanism starts in a pose in which the constraints depend on each other more than elsewhere.",
        "Start a little aside: there accelerations are not determined.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [2] }\n[joints.hinge.coordinates]\nstart = [1]\n[constraints.c]\ntype = \"position\"\nformula = \"(theta - 1)*(phi - 2)\"",
    ),
    from_pendulum(
        "contradicting-coordinates",
        "Coordinates that are held do not fulfil the constraints, whatever the others are.",
        "The message says what relates them and by how much they differ: change one, or hold fewer.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"], start = [1], hold = true }\n[joints.hinge.coordinates]\nstart = [1]\nhold = true\n[constraints.gear]\ntype = \"gear\"\nfirst = \"theta\"\nsecond = \"phi\"\nratio = 2",
    ),
    from_pendulum(
        "contradicting-speeds",
        "Speeds that the spec gives contradict each other by the constraints.",
        "The message says what relates them: change one, or let one be `free = true`.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\nspeeds = { start = [1] }\n[joints.hinge]\nspeeds = { start = [1] }\n[constraints.gear]\ntype = \"velocity\"\nformula = \"theta_dot - 2*phi_dot\"",
    ),
    from_pendulum(
        "not-dependent",
        "A speed that is named as dependent does not follow from the constraints.",
        "Name another, or leave `dependent` out: it is then chosen.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\n[constraints.c]\ntype = \"velocity\"\nformula = \"theta_dot - 1 [rad/s]\"\ntreatment = \"elimination\"\ndependent = [\"phi_dot\"]",
    ),
    described(
        "dependent-speeds-vanish",
        "In some pose the dependent speeds do not follow from the others: there the equations are singular.",
        "Take speeds that turn with the body (`velocity_frame = \"body\"` of a `planar` or `free` joint), name other dependent ones, or leave `treatment` out.",
        "`treatment = \"elimination\"` for the wheel of a cart that may head anywhere, with speeds in ground axes.",
    ),
    described(
        "dependent-driven",
        "A speed of `driven` follows from other driven ones by the constraints.",
        "Drive as many speeds as there are degrees of freedom, none of which follows from the others.",
        "`driven` with two speeds of `examples/specs/four_bar.toml`, and `emit --functions kinetostatics`.",
    ),
    from_pendulum(
        "limited-input",
        "An input with limits realises a program constraint, which it could not beyond them.",
        "Remove `limits`; `program_inputs` tells what is needed, compare that with what the drive can do.",
        "[inputs]\ntorque = { unit = \"N*m\", limits = [-1, 1] }\n[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"torque\"\n[constraints.c]\ntype = \"position\"\nformula = \"theta - sin(t*1 [1/s])\"\nrealised_by = [\"torque\"]",
    ),
    from_pendulum(
        "not-decoupled",
        "The inputs of program constraints cannot move a row at the start: the decoupling matrix has no inverse.",
        "Choose other inputs, or another start.",
        "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joints.elbow]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"rod\"\nchild = \"arm\"\ncoordinates = { names = [\"phi\"] }\n[inputs]\nu1 = \"N*m\"\nu2 = \"N*m\"\n[loads.a]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"u1\"\n[loads.b]\ntype = \"actuator\"\njoint = \"elbow\"\neffort = \"u2\"\n[constraints.a]\ntype = \"position\"\nformula = \"theta - 1\"\nrealised_by = [\"u1\"]\n[constraints.b]\ntype = \"position\"\nformula = \"2*theta + sin(theta)\"\nrealised_by = [\"u2\"]",
    ),
    described(
        "quick-stabilisation",
        "Baumgarte's terms are too quick for the fixed step: α times the step is above 1.",
        "Take a smaller `alpha`, a larger `time_constant`, or a shorter `--step`; by default motions are projected and need no such terms.",
        "`time_constant = 0.001` and `dqdt simulate --step 0.01`.",
    ),
];
