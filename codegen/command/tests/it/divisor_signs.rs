//! Divisors are checked at either sign, also where the graph contains the negative of the divisor.

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions, read};
use dqdt_graph::ir::{Arguments, Machine, Program};

fn program(text: &str, formalism: Formalism) -> Program {
    let loaded = pipeline::build(&read::parse("test.toml", text).unwrap(), "test.toml")
        .unwrap_or_else(|e| panic!("{e}"));
    pipeline::program(&loaded, &Request::all(formalism))
}

/// Two links whose tip is constrained to height zero; the second angle depends on the first.
fn two_links(formula: &str) -> String {
    format!(
        r#"
name = "links"
[bodies.a]
mass = 1
inertia = [0.1, 0.1, 0.1]
[bodies.b]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.A]
type = "revolute"
axis = "z"
parent = "ground"
child = "a"
coordinates = {{ names = ["phi"], start = ["60 deg"], hold = true }}
[joints.B]
type = "revolute"
axis = "z"
parent = {{ body = "a", at = [1, 0, 0] }}
child = "b"
coordinates = {{ names = ["beta"], start = ["-120 deg"] }}
[constraints.c]
type = "position"
formula = "{formula}"
treatment = "elimination"
dependent = ["beta_dot"]
[outputs]
w = {{ type = "angular_rate", body = "b" }}
"#
    )
}

#[test]
fn a_dependent_speed_is_refused_where_it_does_not_follow_whatever_the_sign_of_the_formula() {
    for formula in ["sin(phi) + sin(phi + beta)", "-sin(phi) - sin(phi + beta)"] {
        for formalism in Formalism::ALL {
            let p = program(&two_links(formula), formalism);
            let mut a = Arguments::defaults(&p);
            (a.q, a.v) = (vec![std::f64::consts::FRAC_PI_2, std::f64::consts::PI], vec![1.0, 0.0]);
            for f in [functions::DQDT, functions::RATES, functions::OUTPUTS] {
                let mut machine = Machine::new(&p, f).unwrap();
                let answer = machine.call(&a).map(<[f64]>::to_vec);
                let place = format!("{formula} by {}: {}", formalism.name(), f.name);
                let name = answer.as_ref().err().map(|e| e.name().to_owned());
                assert_eq!(name.as_deref(), Some("pivot of constraint c"), "{place}: {answer:?}");
            }
        }
    }
}

#[test]
fn after_an_impact_there_is_no_state_where_the_constraints_lose_rank() {
    let stop = "[events.stop]\ntype = \"joint_stop\"\njoint = \"A\"\nside = \"lower\"\n\
                at = \"-170 deg\"\nrestitution = 0.5\n";
    let text = two_links("sin(phi) + sin(phi + beta)") + stop;
    for treatment in ["elimination", "multipliers"] {
        let mut text = text.replace("elimination", treatment);
        if treatment == "multipliers" {
            text = text.replace("dependent = [\"beta_dot\"]\n", "");
        }
        for formalism in [Formalism::Kane, Formalism::ArticulatedBody] {
            let p = program(&text, formalism);
            let mut machine = Machine::new(&p, functions::AFTER_EVENTS).unwrap();
            let mut a = Arguments::defaults(&p);
            // Folded links: the constraint row vanishes.
            (a.q, a.v) = (vec![std::f64::consts::FRAC_PI_2, std::f64::consts::PI], vec![1.0, 0.0]);
            let answer = machine.call(&a).map(<[f64]>::to_vec);
            let name = answer.as_ref().err().map(|e| e.name().to_owned()).unwrap_or_default();
            assert!(name.contains("of constraint c"), "{treatment} by {}: {answer:?}", formalism.name());
            // A nearby pose has a solution.
            (a.q, a.v) = (vec![1.0, -2.0], vec![-1.0, 2.0]);
            let after = machine.call(&a).unwrap_or_else(|e| panic!("{}", e.name())).to_vec();
            assert!((after[2] - 0.5).abs() < 1e-12 && (after[3] + 1.0).abs() < 1e-12, "{after:?}");
        }
    }
}

#[test]
fn outputs_of_accelerations_say_that_a_spring_has_no_direction() {
    let spring = r#"
name = "spring"
[parameters]
k = { value = 3, unit = "N/m" }
rest = { value = 0.1, unit = "m" }
[bodies.a]
mass = 1
inertia = [1, 1, 1]
[joints.j]
type = "planar"
parent = "ground"
child = "a"
coordinates = { names = ["x", "y", "th"], start = [1, 0.5, 0] }
[loads.s]
type = "spring"
from = "ground"
to = "a"
stiffness = "k"
rest_length = "rest"
[outputs]
felt = { type = "specific_force", body = "a" }
"#;
    for formalism in Formalism::ALL {
        let p = program(spring, formalism);
        let mut a = Arguments::defaults(&p);
        a.q = vec![0.0; 3];
        for f in [functions::DQDT, functions::OUTPUTS] {
            let answer = Machine::new(&p, f).unwrap().call(&a).map(<[f64]>::to_vec);
            let name = answer.as_ref().err().map(|e| e.name().to_owned());
            let place = format!("{}: {}", formalism.name(), f.name);
            assert_eq!(name.as_deref(), Some("squared length of s"), "{place}: {answer:?}");
        }
    }
}

/// A ball joint with angle rates as speeds; its first angle is prescribed.
fn prescribed_ball(theta: &str) -> String {
    format!(
        r#"
name = "ball"
gravity = [0, 0, -9.81]
[bodies.a]
mass = 1
center_of_mass = [0.2, 0.1, -0.3]
inertia = [0.1, 0.2, 0.15]
[joints.ball]
type = "spherical"
parent = "ground"
child = "a"
coordinates = {{ sequence = "zxz", names = ["phi", "theta", "psi"], start = ["{theta}", 0.4], prescribed = {{ phi = "0.3 [rad/s^2]*t^2" }} }}
speeds = {{ kind = "rates" }}
"#
    )
}

#[test]
fn a_method_that_divides_by_a_sine_of_an_angle_says_so_and_the_others_go_on() {
    for (theta, regular) in [("0 deg", false), ("40 deg", true)] {
        let (mut right, mut refused) = (Vec::new(), 0);
        for formalism in Formalism::ALL {
            let p = program(&prescribed_ball(theta), formalism);
            let a = Arguments::defaults(&p);
            match Machine::new(&p, functions::DQDT).unwrap().call(&a) {
                Ok(dx) => right.push(dx.to_vec()),
                Err(e) => {
                    assert_eq!(e.name(), "angles of ball", "{}", formalism.name());
                    refused += 1;
                }
            }
        }
        assert_eq!(refused == 0, regular, "{theta}");
        assert!(right.len() >= 8, "{theta}: {}", right.len());
        for dx in &right {
            assert!(dx.iter().zip(&right[0]).all(|(a, b)| (a - b).abs() < 1e-12), "{right:?}");
        }
    }
}

/// Mechanisms with parametric masses or moments of inertia: a parameter value that leaves a motion
/// without inertia, and a value that does not.
const GIVES_WAY: [(&str, &str, &str, &str); 4] = [
    (
        "a moment of inertia of a free body",
        r#"
[parameters]
A = { value = 0.1 }
B = { value = 0.2 }
C = { value = 0.25 }
[bodies.a]
mass = 2
inertia = ["A", "B", "C"]
[joints.J]
type = "free"
parent = "ground"
child = "a"
coordinates = { quaternion = true }
"#,
        "C",
        "",
    ),
    (
        "the mass of the last of two carts",
        r#"
[parameters]
M = { value = 2 }
m = { value = 1 }
[bodies.a]
mass = "M"
[bodies.b]
mass = "m"
[joints.A]
type = "prismatic"
axis = "x"
parent = "ground"
child = "a"
[joints.B]
type = "prismatic"
axis = "x"
parent = "a"
child = "b"
[inputs]
F = { default = 3 }
[loads.push]
type = "actuator"
joint = "B"
effort = "F"
"#,
        "m",
        "",
    ),
    (
        "the mass of a pendulum",
        r#"
gravity = [0, -9.81, 0]
[parameters]
m = { value = 1 }
l = { value = 0.5 }
[bodies.a]
mass = "m"
center_of_mass = ["l", 0, 0]
[joints.A]
type = "revolute"
axis = "z"
parent = "ground"
child = "a"
"#,
        "m",
        "",
    ),
    (
        "the ring of a joint of two axes",
        r#"
[parameters]
ring = { value = 0.01 }
J = { value = 0.2 }
[bodies.r]
mass = 0
inertia = ["ring", "ring", "ring"]
[bodies.a]
mass = 1
inertia = [0.3, "J", 0.25]
[joints.A]
type = "revolute"
axis = "x"
parent = "ground"
child = "r"
[joints.B]
type = "revolute"
axis = "y"
parent = "r"
child = "a"
"#,
        "J",
        "ring",
    ),
];

#[test]
fn what_gives_way_where_a_parameter_is_zero_is_refused_and_what_does_not_is_not() {
    for (what, text, takes_away, leaves) in GIVES_WAY {
        let text = format!("name = \"given\"\n{text}");
        for formalism in Formalism::ALL {
            let p = program(&text, formalism);
            let at_zero = |name: &str, spin: f64| {
                let mut a = Arguments::defaults(&p);
                a.v.iter_mut().enumerate().for_each(|(i, v)| *v = spin * (1.0 + i as f64));
                if let Some(i) = p.layout.p.iter().position(|x| x.name == name) {
                    a.p[i] = 0.0;
                }
                Machine::new(&p, functions::DQDT).unwrap().call(&a).map(<[f64]>::to_vec)
            };
            let place = format!("{what} by {}", formalism.name());
            for spin in [0.0, 0.3, 1.0] {
                let refused = at_zero(takes_away, spin);
                assert!(refused.is_err(), "{place}: {refused:?}");
                let answer = at_zero(leaves, spin);
                assert!(
                    answer.as_ref().is_ok_and(|x| x.iter().all(|x| x.is_finite())),
                    "{place}: {answer:?}"
                );
            }
        }
    }
}
