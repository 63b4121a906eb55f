//! Check that a constraint formula is linear in the speeds.
//!
//! Problem: a constraint at velocity level must be `A(q, t) v + a₀(q, t)`.
//! Method:  first by structure: degrees in the speeds are bounded; functions, conditions and tables
//!          of speeds have no degree. If the bound exceeds one, terms may still cancel, as in `(v +
//!          1)² − v²`. Then the second derivatives are evaluated by nested jets at random points:
//!          an analytic function that is zero at all of them is zero everywhere, with probability
//!          one.
//! Limits:  a formula that is linear only where a condition on the speeds holds is rejected.

use dqdt_algebra::{Jet, Number};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Formula, Partition, SpeedId, Variable};

/// Number of random points at which second derivatives of a constraint formula are evaluated.
const POINTS: usize = 8;
/// Second derivatives of a constraint formula smaller than this, relative to the terms, are taken
/// as zero.
const TOLERANCE: f64 = 1e-9;

/// True if a formula depends on a speed or on a measured velocity.
fn mentions_speeds(f: &Formula) -> bool {
    f.any_variable(&|v| matches!(v, Variable::Speed(_) | Variable::Velocity(_)))
}

/// Upper bound of the degree of a formula in the speeds; `None` if it is not polynomial in them.
fn degree_in_speeds(f: &Formula) -> Option<u32> {
    if !mentions_speeds(f) {
        return Some(0);
    }
    match f {
        Formula::Variable(_) => Some(1),
        Formula::Neg(a) => degree_in_speeds(a),
        Formula::Named(named) => degree_in_speeds(&named.formula),
        Formula::Add(a, b) | Formula::Sub(a, b) => Some(degree_in_speeds(a)?.max(degree_in_speeds(b)?)),
        Formula::Mul(a, b) => degree_in_speeds(a)?.checked_add(degree_in_speeds(b)?),
        Formula::Div(a, b) if !mentions_speeds(b) => degree_in_speeds(a),
        Formula::Power(a, n) => degree_in_speeds(a)?.checked_mul(u32::try_from(*n).ok()?),
        Formula::Select(_, args) if !mentions_speeds(&args[0]) && !mentions_speeds(&args[1]) => {
            Some(degree_in_speeds(&args[2])?.max(degree_in_speeds(&args[3])?))
        }
        _ => None,
    }
}

/// Speeds and measured velocities in which a constraint formula is not linear; `None` if it is
/// linear. `nq`, `nv`, `measures`: numbers of coordinates, speeds and measures.
pub(super) fn find_nonlinear_variables(
    f: &Formula,
    nq: usize,
    nv: usize,
    measures: usize,
) -> Option<Vec<Variable>> {
    if degree_in_speeds(f).is_some_and(|d| d <= 1) {
        return None;
    }
    // Measures become additional coordinates and speeds: a measured velocity is itself linear in
    // the speeds.
    let f = &f.replace_variables(&|v| match v {
        Variable::Position(i) => Variable::Coordinate(CoordinateId(nq + i)),
        Variable::Velocity(i) => Variable::Speed(SpeedId(nv + i)),
        v => v,
    });
    let speeds = nonlinear_speeds(f, nq + measures, nv + measures)?;
    let variables = speeds.into_iter().map(|i| match i.index().checked_sub(nv) {
        None => Variable::Speed(i),
        Some(measure) => Variable::Velocity(measure),
    });
    Some(variables.collect())
}

/// Speeds in which a formula is not linear, by second derivatives at random points; `None` if there
/// are none.
fn nonlinear_speeds(f: &Formula, nq: usize, nv: usize) -> Option<Vec<SpeedId>> {
    let used: Vec<SpeedId> =
        SpeedId::range(nv).filter(|i| f.any_variable(&|v| v == Variable::Speed(*i))).collect();
    // Quotients, roots and functions of speeds are analytic, so derivatives decide. Conditions and
    // the like are not.
    if has_kink_in_speeds(f) {
        return Some(used);
    }
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.2 + (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut nonlinear: Vec<SpeedId> = Vec::new();
    for _ in 0..POINTS {
        let t = draw();
        let q: Vec<f64> = (0..nq).map(|_| draw()).collect();
        let v: Vec<f64> = (0..nv).map(|_| draw()).collect();
        let p: Vec<f64> = (0..count_parameters(f)).map(|_| draw()).collect();
        let env = Environment {
            number: &Number::to_f64,
            t,
            q: &q,
            v: &v,
            z: &[],
            u: &[],
            p: &p,
            named: &[],
            measures: &[],
            regrouped: &[],
            formulation: None,
            partition: Partition::ALL_ROWS,
        };
        for a in &used {
            for b in used.iter().filter(|b| *b >= a) {
                let unit =
                    |k: SpeedId| SpeedId::range(nv).map(|i| f64::from(u8::from(i == k))).collect::<Vec<_>>();
                let lifted: Vec<Jet<f64>> = unit(*b).into_iter().map(Jet::constant).collect();
                let (dq, ldq) = (vec![0.0; nq], vec![Jet::constant(0.0); nq]);
                let y = env.with_jets(0.0, &dq, &unit(*a), |env| {
                    env.with_jets(Jet::constant(0.0), &ldq, &lifted, |env| f.eval(env))
                });
                let size = 1.0 + y.v.v.abs() + y.v.d.abs() + y.d.v.abs();
                // A value that is not finite does not count against the formula.
                if y.d.d.is_finite() && y.d.d.abs() > TOLERANCE * size {
                    nonlinear.extend([*a, *b]);
                }
            }
        }
    }
    nonlinear.sort_unstable();
    nonlinear.dedup();
    (!nonlinear.is_empty()).then_some(nonlinear)
}

/// True if a constraint formula has a kink or a jump in the speeds, so that derivatives at points
/// prove nothing.
fn has_kink_in_speeds(f: &Formula) -> bool {
    use dqdt_algebra::{Func, Func2};
    let here = match f {
        Formula::Func(Func::Abs | Func::Sign, a) | Formula::Table(_, a) => mentions_speeds(a),
        Formula::Func2(Func2::Min | Func2::Max, a, b) => mentions_speeds(a) || mentions_speeds(b),
        Formula::Select(_, args) => mentions_speeds(&args[0]) || mentions_speeds(&args[1]),
        _ => false,
    };
    here || f.operands().into_iter().any(has_kink_in_speeds)
}

/// One more than the largest index of a parameter in the formula: the length of a vector of
/// parameters for it.
fn count_parameters(f: &Formula) -> usize {
    match f {
        Formula::Variable(Variable::Parameter(i)) => i.index() + 1,
        _ => f.operands().into_iter().map(count_parameters).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed_variable(i: usize) -> Variable {
        Variable::Speed(SpeedId(i))
    }

    fn speed_formula(i: usize) -> Formula {
        Formula::Variable(speed_variable(i))
    }

    fn binary_formula(f: fn(Box<Formula>, Box<Formula>) -> Formula, a: Formula, b: Formula) -> Formula {
        f(Box::new(a), Box::new(b))
    }

    #[test]
    fn powers_and_products_of_speeds_are_found() {
        let q = Formula::Variable(Variable::Coordinate(CoordinateId(0)));
        let sum = binary_formula(
            Formula::Add,
            speed_formula(0),
            binary_formula(Formula::Mul, Formula::Sin(Box::new(q.clone())), speed_formula(1)),
        );
        assert_eq!(find_nonlinear_variables(&sum, 1, 2, 0), None);
        assert_eq!(
            find_nonlinear_variables(
                &binary_formula(Formula::Mul, speed_formula(0), speed_formula(1)),
                1,
                2,
                0
            ),
            Some(vec![speed_variable(0), speed_variable(1)])
        );
        let square = Formula::Power(Box::new(speed_formula(1)), 2);
        assert_eq!(
            find_nonlinear_variables(&binary_formula(Formula::Add, speed_formula(0), square), 1, 2, 0),
            Some(vec![speed_variable(1)])
        );
        assert_eq!(
            find_nonlinear_variables(&Formula::Sin(Box::new(speed_formula(0))), 1, 2, 0),
            Some(vec![speed_variable(0)])
        );
        let abs = Formula::Func(dqdt_algebra::Func::Abs, Box::new(speed_formula(0)));
        assert_eq!(find_nonlinear_variables(&abs, 1, 2, 0), Some(vec![speed_variable(0)]));
    }

    #[test]
    fn what_cancels_counts_as_linear() {
        // Example: (v + 1)² − v² = 2 v + 1.
        let shifted = binary_formula(Formula::Add, speed_formula(0), Formula::ONE);
        let squares = binary_formula(
            Formula::Sub,
            Formula::Power(Box::new(shifted), 2),
            Formula::Power(Box::new(speed_formula(0)), 2),
        );
        assert_eq!(find_nonlinear_variables(&squares, 0, 1, 0), None);
        let quotient =
            binary_formula(Formula::Div, Formula::Power(Box::new(speed_formula(0)), 2), speed_formula(0));
        assert_eq!(find_nonlinear_variables(&quotient, 0, 1, 0), None);
    }
}
