//! The added output `power`.

use dqdt_algebra::Number;
use dqdt_derivation::derive::{Request, start_at_defaults};
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::{Formalism, evaluate_outputs};
use dqdt_mechanics::mechanism::{Environment, OutputKind};
use dqdt_spec::spec::output_keys;

use crate::{assert_close, build};

/// A double pendulum with a motor and a damped spring.
fn pendulum(outputs: &str) -> String {
    crate::pendulum("type = \"revolute\"\naxis = \"z\"")
        + "[loads.motor]\ntype = \"actuator\"\njoint = \"pin\"\neffort = \"3 [N*m] + 2 [N*m]*sin(pin)\"\n\
           [loads.coil]\ntype = \"joint_spring\"\njoint = \"pin\"\nstiffness = 5\ndamping = 0.4\nrest = 0.1\n[outputs]\n"
        + outputs
}

#[test]
fn it_is_effort_times_speed_also_of_a_spring_with_its_damping() {
    let spec = build(&pendulum(
        "given = { type = \"power\", load = \"motor\" }\nlost = { type = \"power\", load = \"coil\" }\n",
    ));
    let (q, v) = ([0.3, -0.5, 0.8], [0.7, -0.4, 1.1]);
    let start = start_at_defaults(&spec.mechanism);
    let env = Environment { t: 0.3, q: &q, v: &v, ..start.as_environment(&Number::to_f64) };
    let outputs = evaluate_outputs(&spec.mechanism, &env, &[0.0; 3], (&[], &[]));
    let values: Vec<f64> = outputs.iter().flat_map(|o| o.values.clone()).collect();
    let motor = (3.0 + 2.0 * 0.3f64.sin()) * 0.7;
    let coil = -(5.0 * (0.3 - 0.1) + 0.4 * 0.7) * 0.7;
    assert_close(&values, &[motor, coil], "power");
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("given") && module.contains("lost"), "{module}");
}

#[test]
fn a_load_that_is_not_there_is_an_error_and_keys_and_kinds_have_the_same_words() {
    let text = pendulum("given = { type = \"power\", load = \"engine\" }\n");
    let spec = dqdt_import::read::parse("test.toml", text.as_str()).unwrap_or_else(|e| panic!("{e}"));
    let errors = pipeline::build(&spec, "test.toml").expect_err("there is no such load").to_string();
    assert!(errors.contains("unknown load `engine`") && errors.contains("motor"), "{errors}");
    assert_eq!(OutputKind::WORDS, output_keys::kinds());
}
