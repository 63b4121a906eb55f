//! Message codes about formulas and the names in them, parameters, tables, and files of
//! `prove --against`.

use super::code::{Code, added, told};

pub(super) const CODES: &[Code] = &[
    added(
        "formula-syntax",
        "The formula cannot be read.",
        "Mend the place that is marked. Factors are joined by `*`, units of numbers stand in brackets, `2 [rad/s]`.",
        "[outputs]\nheight = \"2 l\"",
    ),
    added(
        "unknown-name",
        "A formula or a list names what is not there.",
        "Take the name that the message proposes, or declare it: parameters, inputs, coordinates and speeds have names.",
        "[outputs]\nheight = \"l*sin(thta)\"",
    ),
    added(
        "name-not-allowed",
        "The name exists, but not for this place: a mass cannot depend on a coordinate.",
        "The message says what the place may use. A value that changes with the motion is a load, an output or a user state.",
        "[bodies.rod]\nmass = \"m*theta\"",
    ),
    added(
        "unknown-function",
        "There is no such function and no such table.",
        "The reference lists all functions. The natural logarithm is `ln`; a product needs its `*`.",
        "[outputs]\nheight = \"sine(theta)\"",
    ),
    added(
        "wrong-arguments",
        "A function has more or fewer arguments than it takes.",
        "Give as many as the message says.",
        "[outputs]\nheight = \"atan2(theta)\"",
    ),
    added(
        "dimension-mismatch",
        "Units do not fit: sides of a sum, arguments of a function, or the whole formula and its place.",
        "Look at the two units that the message shows. A bare number takes the unit of its neighbour in a sum; a constant with a unit is written `2 [N]`.",
        "[bodies.rod]\nmass = \"m*l\"",
    ),
    added(
        "division-by-zero",
        "A formula divides by a number that is zero.",
        "Look at the divisor that is marked.",
        "[outputs]\nheight = \"theta/(1 - 1)\"",
    ),
    added(
        "exponent-too-large",
        "A whole exponent is above 1000.",
        "Write it by `exp` and `ln`, or choose another unit.",
        "[outputs]\nheight = \"theta^2000\"",
    ),
    told(
        "formula-too-long",
        "A formula has too many operations once its definitions are put in.",
        "Make parts of it derived parameters, which are computed once, or use a table.",
        "Thirty definitions each of which uses the one before twice.",
    ),
    told(
        "spec-too-long",
        "The definitions stand for too many operations in all their uses together.",
        "Make parts of them derived parameters, or use tables.",
        "Twenty thousand outputs that use a definition of thousands of operations.",
    ),
    added(
        "formula-cycle",
        "Formulas need each other in a circle.",
        "Break the circle: one of them must be a number or use others.",
        "[parameters]\na = \"b + 1\"\nb = \"a - 1\"",
    ),
    added(
        "formula-in-unit",
        "A parameter is a formula and has a unit that is not SI: formulas give SI values.",
        "Give the SI unit that the message names, or leave `unit` out.",
        "[parameters]\nd = { value = \"2*l\", unit = \"mm\" }",
    ),
    added(
        "frame-as-value",
        "A point of a body stands where a number is expected.",
        "Say what is meant of it: `position_x(rod.tip)`, `velocity_y(rod.tip)`.",
        "[bodies.rod]\npoints = { tip = [1, 0, 0] }\n[outputs]\nheight = \"rod.tip\"",
    ),
    added(
        "no-frame",
        "A function of frames has an argument that is no frame.",
        "A frame is a body, a point of one such as `arm.tip` or `arm.com`, or `ground`.",
        "[outputs]\nheight = \"position_y(2)\"",
    ),
    added(
        "not-finite",
        "A value is infinite or not a number with the defaults of the parameters.",
        "Look for a division by zero or a root of a negative number; check the defaults.",
        "[parameters]\nzero = 0\nq = \"1/zero\"",
    ),
    added(
        "table-order",
        "The arguments of a table do not increase.",
        "Sort the points by `x`; no two may have the same.",
        "[tables.drag]\nx = [0, 2, 1]\ny = [0, 1, 2]\n[outputs]\ndrag_now = \"drag(theta)\"",
    ),
    added(
        "table-without-argument",
        "A table is named without an argument.",
        "Write `name(x)`.",
        "[tables.drag]\nx = [0, 1]\ny = [0, 1]\n[outputs]\ndrag_now = \"2*drag\"",
    ),
    added(
        "unused",
        "A parameter, a table or an input is used by no formula.",
        "Remove it, or use it.",
        "[parameters]\nlength = 1",
    ),
    added(
        "limits-crossed",
        "The lowest value of an input is above its highest, or the limits of a joint leave it no room.",
        "Write `limits = [lowest, highest]`, of a joint `limits = { position = [lowest, highest] }`.",
        "[inputs]\ntorque = { unit = \"N*m\", limits = [5, -5] }\n[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"torque\"",
    ),
    told(
        "realised-input",
        "An input is given that realises a constraint, or the formula of another input names such a one.",
        "What holds the constraint is found with the accelerations: look at it with `--signals inputs`, and use coordinates and speeds in formulas.",
        "`--input force=0` for a spec with a program constraint whose `treatment` is `inputs` and that `force` realises.",
    ),
    told(
        "fixed-parameter",
        "`-p` sets a parameter that is constant, or computed from others.",
        "Set the parameters it is computed from; or write its number in the spec.",
        "`dqdt simulate examples/specs/cart_pole.toml -p J=0.1`, where `J` is a formula of others.",
    ),
    told(
        "bad-option",
        "An option is not of the form NAME=VALUE.",
        "Write the name, `=`, and a number or a formula, in quotes where it has blanks.",
        "`dqdt simulate examples/specs/cart_pole.toml -p m_pole`",
    ),
    added(
        "default-beyond-limits",
        "The default of an input is beyond its limits.",
        "Set `default` to a value within them.",
        "[inputs]\ntorque = { unit = \"N*m\", limits = [1, 5] }\n[loads.motor]\ntype = \"actuator\"\njoint = \"hinge\"\neffort = \"torque\"",
    ),
    told(
        "internal-error",
        "The generator found itself at fault: something that cannot be is so. No code is written.",
        "Send the message and the spec to the issues of the project; the place in the message is one in the sources of the generator.",
        "No spec is known that leads to it.",
    ),
    told(
        "joint-call",
        "Several functions are asked for in one call, and the mechanism has not all of them.",
        "Leave out those that the message names.",
        "`dqdt emit examples/specs/cart_pole.toml --joint dqdt+multipliers`",
    ),
    told(
        "no-independent-states",
        "Which states are independent changes with the pose, so that rows and columns of the function have no names.",
        "Give the joint that moves freely its velocity in the axes of its body (`velocity_frame = \"body\"`); `dqdt linearize` \
         chooses independent states at each state.",
        "`dqdt emit examples/specs/chaplygin_sleigh.toml --functions linearize`, if its speeds are along the axes of the ground.",
    ),
    told(
        "no-independent-speeds",
        "Which speeds are independent changes with the pose, so that the arguments of the function have no names.",
        "Give the joint that moves freely its velocity in the axes of its body (`velocity_frame = \"body\"`), or use `mass_matrix`, `bias` and `velocity_constraints`.",
        "`dqdt emit examples/specs/snakeboard.toml --functions inverse_dynamics_constrained`, where a wheel may head anywhere in ground axes.",
    ),
    told(
        "too-large",
        "The equations would outgrow memory by the form that is asked for.",
        "Take the form that the message names: those of O(n) fit.",
        "`dqdt emit examples/specs/families/chain_spherical.toml --set n=400 --formalism lagrange`",
    ),
    told(
        "nothing-claimed",
        "In a file for `prove --against` no element is left: `[equal]` is empty, or its repeats have no member.",
        "Write an element and its formula, or give the size that repeats use a value above zero.",
        "`[equal]` with nothing below it.",
    ),
    told(
        "bad-element",
        "In a file for `prove --against` the bracket of an element is not closed.",
        "Write `\"M[x, phi1]\" = \"…\"`.",
        "`\"M[x\" = \"m\"` under `[equal]`.",
    ),
    told(
        "bad-equation",
        "In a file for `prove --against` an equation does not have one sign `=`.",
        "Write `\"equation[x]\" = \"m*x_ddot + k*x = F\"`.",
        "`\"equation[x]\" = \"m*x_ddot\"` under `[equal]`.",
    ),
    told(
        "unknown-element",
        "In a file for `prove --against` an element is not one of the equations.",
        "The message lists the elements: `M`, `c`, `Q`, `A`, `equation` and others, with names of speeds in the bracket.",
        "`\"N[x, x]\" = \"1\"` under `[equal]`.",
    ),
    told(
        "unknown-speed",
        "In a file for `prove --against` a bracket or `eliminate` names no speed.",
        "Speeds have the names of the spec, such as `theta_dot`; in a bracket the coordinate's name is enough.",
        "`eliminate = [\"speed\"]`",
    ),
    told(
        "eliminated-speed",
        "An element is asked for by a speed that is eliminated: it has no row and no column.",
        "Its row is added to the rows of the speeds that give it: name one of these.",
        "`eliminate = [\"y_dot\"]` and `\"M[y, y]\"`.",
    ),
    told(
        "nothing-to-eliminate",
        "Speeds are eliminated, but the spec has no constraints.",
        "Remove `eliminate`, or add the constraint to the spec.",
        "`eliminate = [\"x_dot\"]` with `examples/specs/cart_pole.toml`.",
    ),
    told(
        "bad-elimination",
        "The constraints do not give the speeds that are to be eliminated.",
        "Name one speed for each row of the constraints, such that the rows give these speeds.",
        "Two names under `eliminate` where there is one row.",
    ),
];
