//! Formulas of parameters at their default values.

use crate::algebra::Number;
use crate::mechanism::{Environment, Formula, Parameter, ParameterKind, Variable};

/// The value of a formula of parameters.
pub(super) fn evaluate(f: &Formula, p: &[f64]) -> f64 {
    let unknown = f.mentions(&|v| !matches!(v, Variable::Parameter(i) if i < p.len()));
    if unknown {
        return f64::NAN;
    }
    let number = |n: Number| n.to_f64();
    f.eval(&Environment { number: &number, t: 0.0, q: &[], v: &[], z: &[], u: &[], p })
}

pub(super) fn evaluate3(v: &[Formula; 3], p: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|i| evaluate(&v[i], p))
}

/// The value of every parameter; `free` may change the default of a free one.
pub(super) fn parameters(list: &[Parameter], free: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut p = Vec::with_capacity(list.len());
    for (i, parameter) in list.iter().enumerate() {
        let value = match &parameter.kind {
            ParameterKind::Free(n) => free(i, n.to_f64()),
            ParameterKind::Constant(f) | ParameterKind::Derived(f) => evaluate(f, &p),
        };
        p.push(value);
    }
    p
}
