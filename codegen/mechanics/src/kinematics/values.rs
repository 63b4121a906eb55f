//! Values of parameters, initial states and inputs.
//!
//! Problem: turn what a spec gives (defaults, constants, derived values, limits) into values over any scalar.
//! Method:  formulas in spec order; a parameter sees only those before it.
//! Units:   SI.
//! Not handled: whether a formula uses what it may; the spec's check has seen to it.

use crate::mechanism::{
    CoordinateId, Environment, Formula, Instant, Mechanism, ParameterKind, Partition, Variable, joint,
};
use dqdt_algebra::{Func2, Number, Scalar};

/// Values of all parameters: constants and derived ones are computed from the free ones, which stand in `free` in spec
/// order. A free parameter beyond the end of `free` has its default.
pub fn parameters<S: Scalar>(m: &Mechanism, number: &dyn Fn(Number) -> S, free: &[S]) -> Vec<S> {
    let mut free = free.iter();
    let mut p = Vec::with_capacity(m.parameters.len());
    for parameter in &m.parameters {
        let value = match &parameter.kind {
            ParameterKind::Free(default) => free.next().copied().unwrap_or_else(|| number(*default)),
            ParameterKind::Constant(f) | ParameterKind::Derived(f) => f.eval(&constants(number, &p)),
        };
        p.push(value);
    }
    p
}

/// An environment with parameters alone, at `t = 0`.
fn constants<'a, S: Scalar>(number: &'a dyn Fn(Number) -> S, p: &'a [S]) -> Environment<'a, S> {
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

/// The start: initial state and default inputs for parameters `p` (all of them), at `t = 0`.
pub fn start<S: Scalar>(m: &Mechanism, number: &dyn Fn(Number) -> S, p: &[S]) -> Instant<S> {
    let env = constants(number, p);
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

/// Inputs after saturation; `env.u` holds them before. Those with a law are what it says, in the order in which they need each
/// other.
pub fn saturate_inputs<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let limited = |u: S, limits: &Option<(Formula, Formula)>| match limits {
        None => u,
        Some((lower, upper)) => u.func2(Func2::Max, lower.eval(env)).func2(Func2::Min, upper.eval(env)),
    };
    let mut found: Vec<S> = m.inputs.iter().zip(env.u).map(|(i, u)| limited(*u, &i.limits)).collect();
    let mut open: Vec<usize> = (0..m.inputs.len()).filter(|i| m.inputs[*i].law.is_some()).collect();
    // The check of the spec has seen to it that they do not need themselves.
    for _ in 0..open.len() {
        let waits = |f: &Formula| f.mentions(&|v| matches!(v, Variable::Input(i) if open.contains(&i)));
        let ready = |i: &usize| m.inputs[*i].law.as_ref().is_none_or(|law| !waits(law));
        let Some(next) = open.iter().position(ready) else { break };
        let input = &m.inputs[open.remove(next)];
        let Some(law) = &input.law else { continue };
        let value = super::value_of(m, &Environment { u: &found, ..*env }, law);
        let i = m.inputs.iter().position(|other| std::ptr::eq(other, input)).unwrap_or(0);
        found[i] = limited(value, &input.limits);
    }
    found
}

/// Index in `q` of the scalar part of every unit quaternion.
pub fn quaternions(m: &Mechanism) -> Vec<CoordinateId> {
    m.joints.iter().filter_map(joint::quaternion).collect()
}
