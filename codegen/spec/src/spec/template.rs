//! The spec that `dqdt new NAME` writes.

/// The file of the schema that a new spec names, beside it.
pub const SCHEMA_FILE: &str = "dqdt.schema.json";

/// A commented spec to start from: a pendulum on a cart. `name` should be a valid name.
pub fn template(name: &str) -> String {
    TEMPLATE.replace("NAME", name)
}

const TEMPLATE: &str = r#"#:schema ./dqdt.schema.json
# A mechanism for dqdt. Everything is in SI units and radians; `45 deg` is understood as well.
# Text behind `#` is a comment. A value is a number or, in quotes, a formula such as "m*l^2/12".

name = "NAME"
description = "a pendulum on a cart"
gravity = [0, "-g", 0]                  # in the axes of the ground: here y points up

# A parameter that is a number can be set at run time; this value is its default. `constant = true` bakes it in.
# A parameter that is a formula of others is computed from them. With units, dimensions are checked.
[parameters]
g = { value = 9.81, unit = "m/s^2", description = "acceleration of gravity", constant = true }
m_cart = { value = 2, unit = "kg" }
m_rod = { value = 0.5, unit = "kg" }
l = { value = 0.8, unit = "m", description = "length of the rod" }
J = { value = "m_rod*l^2/12", unit = "kg*m^2", description = "inertia of a slender rod about its middle" }
d = { value = 0.01, unit = "N*m*s/rad", description = "friction of the hinge" }

# Bodies. Points are given in the body's own frame; you choose where that frame sits.
[bodies.cart]
mass = "m_cart"

[bodies.rod]
mass = "m_rod"
center_of_mass = [0, "-l/2", 0]
inertia = ["J", 0, "J"]                 # about the centre of mass: xx, yy, zz
points = { tip = [0, "-l", 0] }

# Joints. Each body is the child of one joint. Types: fixed, revolute, prismatic, helical, cylindrical, universal,
# planar, spherical, free, direction.
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "cart"
coordinates = { names = ["x"] }         # its speed is called x_dot

[joints.hinge]
type = "revolute"
axis = "z"
parent = "cart"                         # the frame of the cart; a point of it: { body = "cart", at = "A" }
child = "rod"
coordinates = { names = ["theta"], start = ["30 deg"] }

# What a controller sets.
[inputs]
force = { unit = "N", limits = [-20, 20], description = "push on the cart" }

# What acts besides gravity. Types: force, torque, spring, line_force, joint_spring, actuator, generalised_force, friction.
[loads.motor]
type = "actuator"
joint = "rail"
effort = "force"

[loads.hinge_friction]
type = "friction"
joint = "hinge"
viscous = "d"

# What should be computed beside the motion: a formula, or what a sensor would show.
[outputs]
energy = { type = "energy" }
tip = { type = "position", body = "rod", at = "tip" }
height = "-l*cos(theta)"

# Chains and trees are not written out. With
#   [repeat]
#   n = 3                               # `dqdt inspect NAME.toml --set n=10` takes another
#   i = "1 to n"
# a name with {i} is there once for each i, in its place in the file: [bodies."rod{i}"], names = ["q{i}"], and {i-1}
# {2*i} {i/2} (rounded down) are replaced by numbers. In an entry, "if i = 1" = { parent = "ground" } says what stands
# there for one i; sum{i}(m{i}) is the sum over all i; [loads."each i"."motor{i}"] groups entries by i.
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_builds_without_a_warning() {
        let spec = crate::read::parse("new.toml", template("my_robot")).unwrap();
        let built = crate::resolve::resolve(&spec).unwrap();
        assert_eq!(built.mechanism.name, "my_robot");
        assert_eq!(built.render(false), "");
        // It names every type of load and of joint.
        for family in [&crate::spec::joint_keys::JOINT, &crate::spec::load_keys::LOAD] {
            for (word, ..) in family.members {
                assert!(TEMPLATE.contains(word), "{word}");
            }
        }
    }
}
