//! The added event `count`.

use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Effect, EventCrossing, Machine};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::EventKind;
use dqdt_spec::spec::event_keys;

use crate::{assert_close, build};

/// A pendulum whose event `turn` counts in a state with the unit kg.
fn pendulum(counter: &str, step: &str) -> String {
    let pendulum = crate::pendulum("type = \"revolute\"\naxis = \"z\"");
    format!(
        "{pendulum}[states]\nturns = {{ rate = 0, unit = \"kg\" }}\n\
         [events.turn]\ntype = \"count\"\nwhen = \"sin(pin/2)\"\ndirection = \"both\"\n\
         counter = \"{counter}\"\nstep = \"{step}\"\n"
    )
}

/// The error messages of a bad spec.
fn errors(text: &str) -> String {
    let spec = dqdt_import::read::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    pipeline::build(&spec, "test.toml").expect_err("the spec has errors").to_string()
}

#[test]
fn its_counter_grows_by_the_step_and_nothing_else_changes() {
    let spec = build(&pendulum("turns", "turns*pin + 2 [kg*s/rad]*pin_dot"));
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let event = &program.layout.events[0];
    assert!((event.crossing, event.effect) == (EventCrossing::Both, Effect::Passes));
    let mut at = Arguments::defaults(&program);
    at.q[0] = 0.4;
    at.v[0] = 1.5;
    at.z[0] = 6.0;
    let value = Machine::new(&program, functions::EVENTS).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
    assert_eq!(value.unwrap_or_else(|| panic!("no events")), Ok(vec![0.2f64.sin()]));
    let after = Machine::new(&program, functions::AFTER_EVENTS).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
    let after = after.unwrap_or_else(|| panic!("no states after events"));
    let after = after.unwrap_or_else(|e| panic!("{e:?}"));
    assert_close(&after, &[&at.q[..], &at.v[..], &[6.0 + 6.0 * 0.4 + 2.0 * 1.5]].concat(), "after the event");
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("turn"), "{module}");
}

#[test]
fn a_wrong_counter_or_step_is_an_error_and_keys_and_kinds_have_the_same_words() {
    let unknown = errors(&pendulum("turn", "1"));
    assert!(unknown.contains("unknown user state `turn`") && unknown.contains("`turns`"), "{unknown}");
    let length = errors(&pendulum("turns", "2 [m]"));
    assert!(length.contains("the step of event `turn` must be in kg, but is in m"), "{length}");
    assert_eq!(EventKind::WORDS, event_keys::kinds());
}
