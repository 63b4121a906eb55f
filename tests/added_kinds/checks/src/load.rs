//! The added load `bushing`.

use dqdt_algebra::Number;
use dqdt_derivation::derive::{Request, start_at_defaults};
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::{Formalism, energy, evaluate_powers};
use dqdt_mechanics::mechanism::{Environment, LoadKind};
use dqdt_samples::random::random_mechanism;
use dqdt_spec::spec::load_keys;

use crate::{assert_close, build, forward_at};

const Q: &[f64] = &[0.3, -0.5, 0.8];
const V: &[f64] = &[0.7, -0.4, 1.1];

/// A double pendulum with an additional load.
fn pendulum(load: &str) -> String {
    crate::pendulum("type = \"revolute\"\naxis = \"z\"") + load
}

#[test]
fn equal_stiffnesses_are_those_of_a_spring_without_a_rest_length() {
    let ends =
        "from = { body = \"a\", at = [0.2, 0.1, 0.4] }\nto = { body = \"b\", at = [0.5, 0.3, -0.2] }\n";
    let bushing = pendulum(&format!("[loads.l]\ntype = \"bushing\"\nkx = 40\nky = 40\nkz = 40\n{ends}"));
    let spring = pendulum(&format!("[loads.l]\ntype = \"spring\"\nstiffness = 40\n{ends}"));
    let [bushing, spring] = [bushing, spring].map(|text| build(&text));
    for f in Formalism::ALL {
        let [a, b] = [&bushing, &spring].map(|spec| forward_at(f, spec, Q, V));
        assert_close(&a.accelerations, &b.accelerations, f.name());
    }
}

#[test]
fn about_the_axis_of_a_joint_it_damps_like_friction_and_holds_like_a_sine() {
    let bushing = "[loads.l]\ntype = \"bushing\"\nfrom = \"ground\"\nto = \"a\"\nktz = 30\ndtz = 4\n";
    let motor = "[loads.l]\ntype = \"actuator\"\njoint = \"pin\"\n\
                 effort = \"-30 [N*m]*sin(pin)*cos(pin) - 4 [N*m*s]*pin_dot\"\n";
    let [bushing, motor] = [bushing, motor].map(|load| build(&pendulum(load)));
    for f in Formalism::ALL {
        let [a, b] = [&bushing, &motor].map(|spec| forward_at(f, spec, Q, V));
        assert_close(&a.accelerations, &b.accelerations, f.name());
    }
}

const WHOLE: &str = "[loads.l]\ntype = \"bushing\"\n\
    from = { body = \"a\", at = [0.2, 0.1, 0.4], rotation = { sequence = \"zyx\", angles = [0.3, 0.5, -0.2] } }\n\
    to = { body = \"b\", at = [0.5, 0.3, -0.2], rotation = { sequence = \"xyz\", angles = [0.1, -0.4, 0.6] } }\n\
    kx = 40\nky = 30\nkz = 20\ndx = 3\ndy = 2\ndz = 1\nktx = 5\nkty = 6\nktz = 7\ndtx = 0.5\ndty = 0.6\ndtz = 0.7\n";

#[test]
fn all_formalisms_agree_on_it_and_its_potential_is_stored_energy() {
    let spec = build(&pendulum(WHOLE));
    let kane = forward_at(Formalism::Kane, &spec, Q, V);
    for f in Formalism::ALL {
        assert_close(&forward_at(f, &spec, Q, V).accelerations, &kane.accelerations, f.name());
    }
    // T + V changes by the power of the forces without a potential.
    let m = &spec.mechanism;
    let start = start_at_defaults(m);
    let at = |t: f64, power: bool| {
        let q: Vec<f64> = Q.iter().zip(V).map(|(q, v)| q + t * v).collect();
        let v: Vec<f64> = V.iter().zip(&kane.accelerations).map(|(v, a)| v + t * a).collect();
        let env = Environment { t: 0.3, q: &q, v: &v, ..start.as_environment(&Number::to_f64) };
        if power {
            let all = evaluate_powers(m, &env, &kane.accelerations);
            all.iter().filter(|p| !p.potential).map(|p| p.value).sum()
        } else {
            let e = energy(m, &env);
            e.kinetic + e.potential
        }
    };
    let h = 1e-5;
    let rate = (at(h, false) - at(-h, false)) / (2.0 * h);
    let power: f64 = at(0.0, true);
    assert!((rate - power).abs() < 1e-7 * power.abs().max(1.0), "{rate} against {power}");
}

#[test]
fn it_is_emitted_reported_and_drawn_at_random() {
    let spec = build(&pendulum(WHOLE));
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("potential energy of gravity and springs"), "{module}");
    let drawn = (0..60).any(|seed| {
        let m = random_mechanism(seed, 4).mechanism;
        m.loads.iter().any(|l| l.kind.form().kind_name() == "bushing")
    });
    assert!(drawn, "no random mechanism has a bushing");
    let [mut kinds, mut words] = [load_keys::kinds(), LoadKind::WORDS.to_vec()];
    kinds.sort_unstable();
    words.sort_unstable();
    assert_eq!(kinds, words, "the kinds of `load_types!` are those of `load_kinds!`");
}
