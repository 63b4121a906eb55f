//! A divisor is checked whatever its sign, and whichever of a value and its opposite a function is made of.

use dqdt_codegen::internal::ir::{Arguments, Machine, Program};
use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions, read};

fn program(text: &str, formalism: Formalism) -> Program {
    let loaded = pipeline::build(&read::parse("test.toml", text).unwrap(), "test.toml")
        .unwrap_or_else(|e| panic!("{e}"));
    pipeline::program(&loaded, &Request::all(formalism))
}

/// Two links whose end shall stay at the height zero; the second angle follows from the first.
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
                let found = machine.call(&a).map(<[f64]>::to_vec);
                let place = format!("{formula} by {}: {}", formalism.name(), f.name);
                let name = found.as_ref().err().map(|e| e.name().to_owned());
                assert_eq!(name.as_deref(), Some("pivot of constraint c"), "{place}: {found:?}");
            }
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
            let found = Machine::new(&p, f).unwrap().call(&a).map(<[f64]>::to_vec);
            let name = found.as_ref().err().map(|e| e.name().to_owned());
            let place = format!("{}: {}", formalism.name(), f.name);
            assert_eq!(name.as_deref(), Some("squared length of s"), "{place}: {found:?}");
        }
    }
}
