//! Families of mechanisms built for each size n.

#![allow(dead_code)]

use std::fmt::Write;

use dqdt_codegen::read;
use dqdt_families::indexed::{Member, derive_member};
use dqdt_mechanics::mechanism::{Mechanism, Partition};
use dqdt_spec::resolve;

pub fn build(name: &str, text: &str) -> Mechanism {
    let parsed = read::parse(&format!("{name}.toml"), text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    resolve::resolve(&parsed).unwrap_or_else(|e| panic!("{e}\n{text}")).mechanism
}

/// The members of a family for n = 1 to `last`.
pub fn members(last: i64, make: impl Fn(i64) -> Mechanism) -> Vec<Member> {
    (1..=last).map(|n| derive_member(&make(n), Partition::ALL_ROWS, n).unwrap()).collect()
}

fn parameters(scalars: &[&str], indexed: &[&str], n: i64) -> String {
    let mut text = "[parameters]\n".to_owned();
    for name in scalars {
        let _ = writeln!(text, "{name} = {{ value = 1 }}");
    }
    for i in 1..=n {
        for stem in indexed {
            let _ = writeln!(text, "{stem}{i} = {{ value = 1 }}");
        }
    }
    text
}

/// A planar chain on the ground; rod i has mass m_i, length l_i, centre of mass at r_i l_i,
/// central inertia J_i.
pub fn chain(n: i64, has_absolute_angles: bool) -> Mechanism {
    let mut text = format!("name = \"chain{n}\"\ngravity = [0, \"-g\", 0]\n");
    text += &parameters(&["g"], &["m", "l", "r", "J"], n);
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.rod{i}]\nmass = \"m{i}\"\ninertia = [0, \"J{i}\", \"J{i}\"]\npoints = {{ start = [\"-r{i}*l{i}\", 0, 0], \
             end = [\"l{i} - r{i}*l{i}\", 0, 0] }}"
        );
    }
    let measured = if has_absolute_angles { ", measured_from = \"ground\"" } else { "" };
    let angle = if has_absolute_angles { "phi" } else { "q" };
    for i in 1..=n {
        let parent = match i {
            1 => "\"ground\"".to_owned(),
            _ => format!("{{ body = \"rod{}\", at = \"end\" }}", i - 1),
        };
        let _ = writeln!(
            text,
            "[joints.hinge{i}]\ntype = \"revolute\"\naxis = \"z\"\nparent = {parent}\n\
             child = {{ body = \"rod{i}\", at = \"start\" }}\ncoordinates = {{ names = [\"{angle}{i}\"]{measured} }}"
        );
    }
    build("chain", &text)
}

/// A planar chain of equal rods.
pub fn equal_chain(n: i64, has_absolute_angles: bool) -> Mechanism {
    rods(n, has_absolute_angles, |_| "m".to_owned())
}

/// A planar chain of rods whose masses follow no formula in i.
pub fn lawless_chain(n: i64) -> Mechanism {
    rods(n, true, |i| ["1", "4", "9", "16", "25", "49"][i as usize - 1].to_owned())
}

fn rods(n: i64, has_absolute_angles: bool, mass: impl Fn(i64) -> String) -> Mechanism {
    let mut text = format!("name = \"chain{n}\"\ngravity = [0, \"-g\", 0]\n");
    text += &parameters(&["g", "m", "l"], &[], n);
    text += "J = { value = \"m*l^2/12\" }\n";
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.rod{i}]\nmass = \"{}\"\ninertia = [0, \"J\", \"J\"]\npoints = {{ start = [\"-l/2\", 0, 0], \
             end = [\"l/2\", 0, 0] }}",
            mass(i)
        );
    }
    let measured = if has_absolute_angles { ", measured_from = \"ground\"" } else { "" };
    for i in 1..=n {
        let parent = match i {
            1 => "\"ground\"".to_owned(),
            _ => format!("{{ body = \"rod{}\", at = \"end\" }}", i - 1),
        };
        let _ = writeln!(
            text,
            "[joints.hinge{i}]\ntype = \"revolute\"\naxis = \"z\"\nparent = {parent}\n\
             child = {{ body = \"rod{i}\", at = \"start\" }}\ncoordinates = {{ names = [\"q{i}\"]{measured} }}"
        );
    }
    build("chain", &text)
}

/// A cart on a rail with n pendulums at angles from the vertical; rod i has mass m_i, central
/// inertia J_i and its centre of mass at the distance r_i.
pub fn pendulums_on_a_cart(n: i64) -> Mechanism {
    let mut text = format!("name = \"pendulums{n}\"\ngravity = [0, \"-g\", 0]\n");
    text += &parameters(&["g", "m0", "k"], &["m", "r", "J"], n);
    text += "[bodies.cart]\nmass = \"m0\"\n[joints.rail]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\n\
             child = \"cart\"\ncoordinates = { names = [\"x\"] }\n";
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.rod{i}]\nmass = \"m{i}\"\ninertia = [\"J{i}\", 0, \"J{i}\"]\npoints = {{ pivot = [0, \"r{i}\", 0] }}\n\
             [joints.pivot{i}]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"cart\"\n\
             child = {{ body = \"rod{i}\", at = \"pivot\" }}\ncoordinates = {{ names = [\"theta{i}\"] }}"
        );
    }
    build("pendulums", &text)
}

/// A hub in planar motion with n arms on its rim; arm i is hinged at the point
/// (a_i, b_i) of the hub.
pub fn star(n: i64) -> Mechanism {
    let mut text = format!("name = \"star{n}\"\ngravity = [0, 0, 0]\n");
    text += &parameters(&["m0", "J0"], &["m", "r", "J", "a", "b"], n);
    let mut points = Vec::new();
    for i in 1..=n {
        points.push(format!("rim{i} = [\"a{i}\", \"b{i}\", 0]"));
    }
    let _ = writeln!(
        text,
        "[bodies.hub]\nmass = \"m0\"\ninertia = [\"J0\", 0, \"J0\"]\npoints = {{ {} }}\n[joints.plane]\ntype = \"planar\"\n\
         parent = \"ground\"\nchild = \"hub\"\ncoordinates = {{ names = [\"x\", \"y\", \"q0\"] }}",
        points.join(", ")
    );
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.arm{i}]\nmass = \"m{i}\"\ninertia = [0, \"J{i}\", \"J{i}\"]\npoints = {{ hinge = [\"-r{i}\", 0, 0] }}\n\
             [joints.hinge{i}]\ntype = \"revolute\"\naxis = \"z\"\nparent = {{ body = \"hub\", at = \"rim{i}\" }}\n\
             child = {{ body = \"arm{i}\", at = \"hinge\" }}\ncoordinates = {{ names = [\"q{i}\"] }}"
        );
    }
    build("star", &text)
}

/// The snowboarder: a ski with an edge on a slope, and n slender links on it, with azimuth φ_i and
/// elevation ψ_i. The edge constrains ẏ = ẋ tan φ₀. Gravity is g₁ along x and −g₂ along z.
pub fn snowboarder(n: i64) -> Mechanism {
    let mut text = format!("name = \"snowboarder{n}\"\ngravity = [\"g1\", 0, \"-g2\"]\n");
    text += &parameters(&["g1", "g2", "m0", "I0"], &["m", "l", "n", "I"], n);
    text += "[bodies.ski]\nmass = \"m0\"\ninertia = [\"I0\", 0, \"I0\"]\n[joints.slope]\ntype = \"planar\"\nparent = \"ground\"\n\
             child = \"ski\"\ncoordinates = { names = [\"x\", \"y\", \"phi0\"] }\n";
    for i in 1..=n {
        let parent = match i {
            1 => "\"ski\"".to_owned(),
            _ => format!("{{ body = \"link{}\", at = \"end\" }}", i - 1),
        };
        let _ = writeln!(
            text,
            "[bodies.link{i}]\nmass = \"m{i}\"\ninertia = [0, \"I{i}\", \"I{i}\"]\n\
             points = {{ start = [\"-l{i}*n{i}\", 0, 0], end = [\"l{i} - l{i}*n{i}\", 0, 0] }}\n\
             [joints.joint{i}]\ntype = \"direction\"\nparent = {parent}\nchild = {{ body = \"link{i}\", at = \"start\" }}\n\
             coordinates = {{ names = [\"phi{i}\", \"psi{i}\"] }}"
        );
    }
    text += "[constraints.edge]\ntype = \"velocity\"\nformula = \"x_dot*tan(phi0) - y_dot\"\n";
    build("snowboarder", &text)
}
