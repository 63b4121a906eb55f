//! Inputs that stand at their limits, where they act no more than the limit does.

use crate::algebra::Number;
use crate::ir::Arguments;
use crate::kinematics;
use crate::mechanism::{Environment, Formula, Mechanism};

/// An input at or beyond a limit.
pub(crate) struct AtLimit {
    pub name: String,
    pub value: f64,
    pub limits: [f64; 2],
}

impl std::fmt::Display for AtLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [low, high] = self.limits;
        write!(f, "`{}` = {:.6} at its limits [{low}, {high}]", self.name, self.value)
    }
}

/// The inputs that are at a limit or beyond it.
pub(crate) fn at_limits(m: &Mechanism, a: &Arguments) -> Vec<AtLimit> {
    let p = kinematics::parameters(m, &Number::to_f64, &a.p);
    let value = |f: &Formula| {
        f.eval(&Environment {
            number: &|n: Number| n.to_f64(),
            t: a.t,
            q: &a.q,
            v: &a.v,
            z: &a.z,
            u: &a.u,
            p: &p,
            measures: &[],
            regrouped: &[],
        })
    };
    let inputs = m.inputs.iter().zip(&a.u).filter_map(|(input, x)| {
        let (low, high) = input.limits.as_ref()?;
        let limits = [value(low), value(high)];
        let beyond = *x <= limits[0] || *x >= limits[1];
        beyond.then(|| AtLimit { name: input.name.clone(), value: *x, limits })
    });
    inputs.collect()
}
