//! Values of parameters, initial states and inputs.
//!
//! Problem: evaluate the parameters, start values, defaults and input limits of a spec, over any
//! scalar.
//! Method:  formulas in spec order; a parameter may use only those before it.
//! Units:   SI.
//! Not handled: formulas that use variables not allowed to them; the spec's check rejects them.

use crate::mechanism::{
    CoordinateId, Environment, Formula, Instant, Mechanism, ParameterKind, Partition, Variable, joint,
};
use dqdt_algebra::{Func2, Number, Scalar};

/// Values of all parameters of the spec, in its order. Constant and derived ones are computed from
/// `free`, the free parameters in spec order. Those missing at the end of `free` have their
/// defaults.
pub fn evaluate_parameters<S: Scalar>(m: &Mechanism, number: &dyn Fn(Number) -> S, free: &[S]) -> Vec<S> {
    let mut free = free.iter();
    let mut p = Vec::with_capacity(m.parameters.len());
    for parameter in &m.parameters {
        let value = match &parameter.kind {
            ParameterKind::Free(default) => free.next().copied().unwrap_or_else(|| number(*default)),
            ParameterKind::Constant(f) | ParameterKind::Derived(f) => {
                f.eval(&parameters_only_environment(number, &p))
            }
        };
        p.push(value);
    }
    p
}

/// An environment with parameters only, at `t = 0`.
fn parameters_only_environment<'a, S: Scalar>(
    number: &'a dyn Fn(Number) -> S,
    p: &'a [S],
) -> Environment<'a, S> {
    Environment {
        number,
        t: S::ZERO,
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

/// Initial state and default inputs of the spec for the values `p` of all parameters, at `t = 0`.
pub fn initial_instant<S: Scalar>(m: &Mechanism, number: &dyn Fn(Number) -> S, p: &[S]) -> Instant<S> {
    let env = parameters_only_environment(number, p);
    let value = |f: &Formula| f.eval(&env);
    Instant {
        t: S::ZERO,
        p: p.to_vec(),
        q: m.coordinates.iter().map(|c| value(&c.start)).collect(),
        v: m.speeds.iter().map(|s| value(&s.start)).collect(),
        z: m.states.iter().map(|s| value(&s.start)).collect(),
        u: m.inputs.iter().map(|i| value(&i.default)).collect(),
        named: Vec::new(),
    }
}

/// Inputs `env.u` limited to their bounds. An input with a law is set to the saturated value of its
/// law, evaluated after the inputs that the law uses.
pub fn saturate_inputs<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let limit = |u: S, limits: &Option<(Formula, Formula)>| match limits {
        None => u,
        Some((lower, upper)) => {
            u.apply_function2(Func2::Max, lower.eval(env)).apply_function2(Func2::Min, upper.eval(env))
        }
    };
    let mut values: Vec<S> = m.inputs.iter().zip(env.u).map(|(i, u)| limit(*u, &i.limits)).collect();
    let mut open: Vec<usize> = (0..m.inputs.len()).filter(|i| m.inputs[*i].law.is_some()).collect();
    // The spec's check excludes cyclic laws.
    for _ in 0..open.len() {
        let ready = open.iter().position(|i| {
            let Some(law) = &m.inputs[*i].law else { return true };
            !law.any_variable(&|v| matches!(v, Variable::Input(used) if open.contains(&used)))
        });
        let Some(next) = ready else { break };
        let input = &m.inputs[open.remove(next)];
        let Some(law) = &input.law else { continue };
        let value = super::evaluate_formula(m, &Environment { u: &values, ..*env }, law);
        let i = m.inputs.iter().position(|other| std::ptr::eq(other, input)).unwrap_or(0);
        values[i] = limit(value, &input.limits);
    }
    values
}

/// Index in `q` of the scalar part of every unit quaternion of the joints.
pub fn quaternion_starts(m: &Mechanism) -> Vec<CoordinateId> {
    m.joints.iter().filter_map(joint::free_quaternion).collect()
}
