//! Inputs at or beyond their limits, where a further change has no effect.

use dqdt_algebra::Number;
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Formula, Mechanism, Partition};

/// An input whose value at the point of a linearisation is at or beyond a limit; used in warnings.
pub struct AtLimit {
    pub name: String,
    pub value: f64,
    pub limits: [f64; 2],
}

impl AtLimit {
    /// True if the input is beyond a limit, so that changes have no effect. At the limit they still
    /// have one in one direction.
    pub fn is_beyond(&self) -> bool {
        let [low, high] = self.limits;
        let margin = limit_margin(self.limits);
        self.value < low - margin || self.value > high + margin
    }
}

impl std::fmt::Display for AtLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [low, high] = self.limits;
        let place = if self.is_beyond() { "beyond" } else { "at one of" };
        write!(f, "input `{}` = {:.6} is {place} its limits [{low}, {high}]", self.name, self.value)
    }
}

/// Distance to a limit, as a fraction of the range of the input, below which an input counts as at
/// the limit.
const LIMIT_MARGIN: f64 = 1e-9;

/// Lower and upper limit of each input at the time and parameters of `a`; ±∞ if unlimited.
pub(crate) fn input_limits(m: &Mechanism, a: &Arguments) -> Vec<[f64; 2]> {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &a.p);
    let value = |f: &Formula| {
        f.eval(&Environment {
            number: &|n: Number| n.to_f64(),
            t: a.t,
            q: &a.q,
            v: &a.v,
            z: &a.z,
            u: &a.u,
            p: &p,
            named: &[],
            measures: &[],
            regrouped: &[],
            formulation: None,
            partition: Partition::ALL_ROWS,
        })
    };
    m.inputs
        .iter()
        .map(|input| match &input.limits {
            Some((low, high)) => [value(low), value(high)],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        })
        .collect()
}

/// Distance to a limit below which an input counts as at that limit; zero for an unlimited input.
fn limit_margin([low, high]: [f64; 2]) -> f64 {
    let range = high - low;
    if range.is_finite() { LIMIT_MARGIN * range } else { 0.0 }
}

/// Clamps an input to its limits, narrowed at both ends by the fraction `part` of their range. Used
/// by trims.
pub(crate) fn clamp_inside_limits(x: f64, limits: [f64; 2], part: f64) -> f64 {
    let [low, high] = limits;
    let inside = part * (high - low);
    if inside.is_finite() && high > low { x.clamp(low + inside, high - inside) } else { x }
}

/// Inputs that are at or beyond a limit, where a change has no effect in some direction.
#[doc(hidden)]
pub fn find_inputs_at_limits(m: &Mechanism, a: &Arguments) -> Vec<AtLimit> {
    let inputs = m.inputs.iter().zip(&a.u).zip(input_limits(m, a)).filter_map(|((input, x), limits)| {
        let near = limit_margin(limits);
        let is_at_limit = *x <= limits[0] + near || *x >= limits[1] - near;
        is_at_limit.then(|| AtLimit { name: input.name.clone(), value: *x, limits })
    });
    inputs.collect()
}
