//! The commented spec that `dqdt new NAME` writes. Its lists of types are generated from the
//! registries.

use super::joint_keys::JOINT;
use super::key::Family;
use super::load_keys::LOAD;

/// Name of the schema file that a new spec refers to, in the same folder.
pub const SCHEMA_FILE: &str = "dqdt.schema.json";

/// The commented spec that `dqdt new` writes to start from: a pendulum on a cart. `name` should be
/// a valid name.
pub fn template(name: &str) -> String {
    TEMPLATE
        .replace(ABOUT_JOINTS, &types_comment("Joints. Each body is the child of one joint.", &JOINT))
        .replace(ABOUT_LOADS, &types_comment("Forces other than gravity.", &LOAD))
        .replace("NAME", name)
}

/// Placeholder in [`TEMPLATE`] for the comment on types of joints.
const ABOUT_JOINTS: &str = "# ABOUT_JOINTS";
/// Placeholder in [`TEMPLATE`] for the comment on types of loads.
const ABOUT_LOADS: &str = "# ABOUT_LOADS";

/// Column after which a line of a comment in the new spec is broken.
const COLUMN: usize = 114;

/// A TOML comment that lists the types of a family, for the new spec.
fn types_comment(about: &str, family: &Family) -> String {
    let types: Vec<&str> = family.members.iter().map(|(word, ..)| *word).collect();
    let text = format!("{about} Types: {}.", types.join(", "));
    let mut lines = vec!["#".to_owned()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() < COLUMN => line.push_str(&format!(" {word}")),
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n")
}

/// The spec that `dqdt new` writes, with placeholders.
const TEMPLATE: &str = r#"#:schema ./dqdt.schema.json
# A mechanism for dqdt. Everything is in SI units and radians; `45 deg` is accepted too.
# Text after `#` is a comment. A value is a number or, in quotes, a formula such as "m*l^2/12".

name = "NAME"
description = "a pendulum on a cart"
gravity = [0, "-g", 0]                  # in the axes of the ground: here y points up

# A parameter that is a number can be set at run time; this value is its default. `constant = true` bakes it in.
# A parameter that is a formula of others is computed from them. With units, dimensions are checked.
[parameters]
g = { value = 9.81, unit = "m/s^2", description = "acceleration of gravity" }
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

# ABOUT_JOINTS
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

# Quantities that a controller sets.
[inputs]
force = { unit = "N", limits = [-20, 20], description = "push on the cart" }

# ABOUT_LOADS
[loads.motor]
type = "actuator"
joint = "rail"
effort = "force"

[loads.hinge_friction]
type = "friction"
joint = "hinge"
viscous = "d"

# Quantities to compute besides the motion: formulas, or readings of sensors.
[outputs]
energy = { type = "energy" }
tip = { type = "position", body = "rod", at = "tip" }
height = "-l*cos(theta)"

# Links of chains and trees are written once. With
#   [repeat]
#   n = 3                               # `dqdt inspect NAME.toml --set n=10` overrides it
#   i = "1 to n"
# a name with {i} is repeated for each i, in its place in the file: [bodies."rod{i}"], names = ["q{i}"], and {i-1}
# {2*i} {i/2} (rounded down) are replaced by numbers. In an entry, "if i = 1" = { parent = "ground" } overrides keys
# for one i; sum{i}(m{i}) is the sum over all i; [loads."each i"."motor{i}"] groups entries by i.
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::key::TableShape;

    #[test]
    fn the_template_builds_without_a_warning() {
        let spec = crate::read::parse("new.toml", template("my_robot")).unwrap();
        let built = crate::resolve::resolve(&spec).unwrap();
        assert_eq!(built.mechanism.name, "my_robot");
        assert_eq!(built.render_warnings(false), "");
    }

    #[test]
    fn it_lists_the_types_of_joints_and_loads_in_comments() {
        let text = template("my_robot");
        assert!(!text.contains("ABOUT") && !text.contains("NAME"));
        for family in [&JOINT, &LOAD] {
            let types: Vec<&str> = family.members.iter().map(|(word, ..)| *word).collect();
            let list = format!("Types: {}.", types.join(", "));
            assert!(text.replace("\n# ", " ").contains(&list), "{list}");
        }
    }

    #[test]
    fn a_long_list_goes_on_in_comments() {
        const PART: (&str, TableShape, &str) = ("gyroscope", TableShape { keys: &[] }, "");
        static MANY: Family = Family { noun: "part", members: &[PART; 30] };
        let text = types_comment("Parts.", &MANY);
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.starts_with("# ")), "{text}");
        assert!(text.lines().all(|line| line.len() < COLUMN + 12), "{text}");
        assert_eq!(text.matches("gyroscope").count(), 30);
    }
}
