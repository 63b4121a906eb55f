//! Values of parameters and inputs.

use dqdt_algebra::Number;
use dqdt_mechanics::kinematics::{evaluate_parameters, initial_instant, saturate_inputs};
use dqdt_mechanics::mechanism::{
    Environment, Formula, Parameter, ParameterId, ParameterKind, Partition, Variable,
};
use dqdt_samples::random::random_mechanism;

/// An environment with numbers and parameters only.
fn at<'a>(number: &'a dyn Fn(Number) -> f64, p: &'a [f64]) -> Environment<'a, f64> {
    Environment {
        number,
        t: 0.0,
        q: &[],
        v: &[],
        z: &[],
        u: &[],
        p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    }
}

fn two() -> Formula {
    Formula::from_integer(2)
}

fn double_parameter(i: usize) -> Formula {
    Formula::Mul(Box::new(two()), Box::new(Formula::Variable(Variable::Parameter(ParameterId(i)))))
}

#[test]
fn parameters_see_those_before_them_and_inputs_stop_at_their_limits() {
    let mut m = random_mechanism(1, 1).mechanism;
    let kinds = [
        ParameterKind::Free(Number::integer(3)),
        ParameterKind::Constant(two()),
        ParameterKind::Derived(double_parameter(0)),
        ParameterKind::Free(Number::integer(5)),
    ];
    m.parameters = kinds
        .into_iter()
        .map(|kind| Parameter {
            name: "p".to_owned(),
            unit: String::new(),
            dimension: None,
            description: String::new(),
            kind,
        })
        .collect();
    assert_eq!(evaluate_parameters(&m, &Number::to_f64, &[]), [3.0, 2.0, 6.0, 5.0]);
    assert_eq!(evaluate_parameters(&m, &Number::to_f64, &[7.0]), [7.0, 2.0, 14.0, 5.0]);

    m.inputs[0].limits = Some((Formula::Neg(Box::new(two())), double_parameter(0)));
    m.inputs[1].limits = None;
    m.inputs[1].default = double_parameter(3);
    let p = evaluate_parameters(&m, &Number::to_f64, &[]);
    assert_eq!(initial_instant(&m, &Number::to_f64, &p).u[1], 10.0);
    for (u, expected) in [(-9.0, -2.0), (1.0, 1.0), (9.0, 6.0)] {
        let env = Environment { u: &[u, u], ..at(&Number::to_f64, &p) };
        assert_eq!(saturate_inputs(&m, &env), [expected, u]);
    }
}
