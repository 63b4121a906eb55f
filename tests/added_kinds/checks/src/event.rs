//! The event `count`.

use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Crossing, Effect, Machine};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::EventKind;
use dqdt_spec::spec::event_keys;

use crate::build;

fn pendulum(counter: &str) -> String {
    crate::pendulum("type = \"revolute\"\naxis = \"z\"")
        + "[states]\nturns = { rate = 0 }\n[events.turn]\ntype = \"count\"\nwhen = \"sin(pin/2)\"\ndirection = \"both\"\n"
        + counter
}

#[test]
fn its_counter_grows_by_one_and_nothing_else_changes() {
    let spec = build(&pendulum("counter = \"turns\"\n"));
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let event = &program.layout.events[0];
    assert!((event.crossing, event.effect) == (Crossing::Both, Effect::Passes));
    let mut at = Arguments::defaults(&program);
    at.q[0] = 0.4;
    at.v[0] = 1.5;
    at.z[0] = 6.0;
    let value = Machine::new(&program, functions::EVENTS).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
    assert_eq!(value.unwrap_or_else(|| panic!("no events")), Ok(vec![0.2f64.sin()]));
    let after = Machine::new(&program, functions::AFTER_EVENTS).map(|mut m| m.call(&at).map(<[f64]>::to_vec));
    let expected = [&at.q[..], &at.v[..], &[7.0]].concat();
    assert_eq!(after.unwrap_or_else(|| panic!("no states after events")), Ok(expected));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("turn"), "{module}");
}

#[test]
fn a_counter_that_is_not_there_is_an_error_and_keys_and_kinds_have_the_same_words() {
    let text = pendulum("counter = \"turn\"\n");
    let spec = dqdt_import::read::parse("test.toml", text.as_str()).unwrap_or_else(|e| panic!("{e}"));
    let errors = pipeline::build(&spec, "test.toml").expect_err("there is no such state").to_string();
    assert!(errors.contains("there is no user state `turn`") && errors.contains("`turns`"), "{errors}");
    assert_eq!(EventKind::WORDS, event_keys::kinds());
}
