//! Families of mechanisms, written out for each n.

use std::fmt::Write;

use dqdt_codegen::indexed::{Member, member};
use dqdt_codegen::mechanism::{self, Mechanism};
use dqdt_codegen::spec;

pub fn build(name: &str, text: &str) -> Mechanism {
    let parsed = spec::parse(&format!("{name}.toml"), text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    mechanism::build(&parsed).unwrap_or_else(|e| panic!("{e}\n{text}")).mechanism
}

/// The members 1 to `last`.
pub fn members(last: i64, make: impl Fn(i64) -> Mechanism) -> Vec<Member> {
    (1..=last).map(|n| member(&make(n), n).unwrap()).collect()
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

/// A planar chain on the ground; rod i has mass m_i, length l_i, centre of mass at r_i l_i, central inertia J_i.
pub fn chain(n: i64, absolute: bool) -> Mechanism {
    let mut text = format!("name = \"chain{n}\"\ngravity = [0, \"-g\", 0]\n");
    text += &parameters(&["g"], &["m", "l", "r", "J"], n);
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.rod{i}]\nmass = \"m{i}\"\ninertia = [0, \"J{i}\", \"J{i}\"]\npoints = {{ start = [\"-r{i}*l{i}\", 0, 0], \
             end = [\"l{i} - r{i}*l{i}\", 0, 0] }}"
        );
    }
    let measured = if absolute { ", measured_from = \"ground\"" } else { "" };
    let angle = if absolute { "phi" } else { "q" };
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
pub fn equal_chain(n: i64, absolute: bool) -> Mechanism {
    let mut text = format!("name = \"chain{n}\"\ngravity = [0, \"-g\", 0]\n");
    text += &parameters(&["g", "m", "l"], &[], n);
    text += "J = { value = \"m*l^2/12\" }\n";
    for i in 1..=n {
        let _ = writeln!(
            text,
            "[bodies.rod{i}]\nmass = \"m\"\ninertia = [0, \"J\", \"J\"]\npoints = {{ start = [\"-l/2\", 0, 0], \
             end = [\"l/2\", 0, 0] }}"
        );
    }
    let measured = if absolute { ", measured_from = \"ground\"" } else { "" };
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
