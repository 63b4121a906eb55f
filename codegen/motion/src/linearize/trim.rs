//! Trim: search for equilibria and steady motions.
//!
//! Problem: a state on the constraints at which independent speeds and user states are constant,
//! found by changing the freed states and inputs.
//! Method:  Newton's method with exact derivatives; minimum-norm steps by singular values, halved
//! until they improve. Free inputs stay within their limits, where their derivatives are non-zero.
//! Not handled: orbits and limit cycles; several solutions (only the one to which the start leads
//! is found).

use nalgebra::{DMatrix, DVector};

use super::derivatives::{Derivatives, Point, Scales};
use super::error::{LinearizeError, listed};
use super::limits::within;
use super::reduce;
use super::residual::Residual;
use dqdt_graph::ir::Arguments;

/// Result of a trim.
#[derive(Clone, PartialEq, Debug)]
pub struct Trimmed {
    /// Names and values of the freed states and inputs; for an angle of a quaternion, the rotation
    /// made.
    pub free: Vec<(String, f64)>,
    /// Largest remaining acceleration, rate or constraint residual, in SI units.
    pub residual: f64,
    /// Rank of the derivative by the freed quantities. If it is below their number, the solution is
    /// not unique.
    pub rank: usize,
    /// Number of Newton steps.
    pub steps: usize,
}

const STEPS: usize = 60;
/// Relative residual at which the iteration stops.
const ENOUGH: f64 = 1e-11;
/// Relative residual that is accepted as rounding if no step improves it.
const NEARLY: f64 = 1e-8;

/// Distance from its limits at which a free input starts, as a fraction of the range; [`EDGE`] is
/// the distance that it keeps later.
const INSIDE: f64 = 1e-3;
const EDGE: f64 = 1e-10;

/// Residuals: accelerations of independent speeds, rates of user states, then constraints.
fn residuals(point: &Point, still: &[usize]) -> Vec<f64> {
    let mut out: Vec<f64> = still.iter().map(|i| point.rates[*i]).collect();
    out.extend(&point.residuals);
    out
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0f64, |m, x| m.max(x.abs()))
}

/// Largest relative residual; infinite if a residual has reference size zero.
fn share(r: &[f64], scales: &Scales, still: &[usize]) -> f64 {
    let scales = still.iter().map(|i| scales.rates[*i]).chain(scales.residuals.iter().copied());
    let of = |(x, s): (&f64, f64)| match (x.abs(), s) {
        (0.0, _) => 0.0,
        (x, s) if s > 0.0 => x / s,
        _ => f64::INFINITY,
    };
    r.iter().zip(scales).map(of).fold(0.0, f64::max)
}

/// Changes the freed states and inputs until nothing accelerates.
///
/// `independent`: states that should be independent. Also returns the names of the states chosen as
/// independent: only these are steady. On failure, `at` is the last iterate.
pub fn trim(
    derivatives: &mut Derivatives,
    at: &mut Arguments,
    (wanted, independent): (&[String], &[String]),
    limits: &[[f64; 2]],
) -> Result<(Trimmed, Vec<String>), LinearizeError> {
    let (nx, inputs) = (derivatives.names().states.len(), derivatives.names().inputs.clone());
    let states = derivatives.names().states.clone();
    let mut free: Vec<String> = Vec::new();
    for name in wanted {
        if !free.contains(name) {
            free.push(name.clone());
        }
    }
    let mut columns = Vec::new();
    for name in &free {
        let column = states.iter().chain(&inputs).position(|s| s == name);
        columns.push(column.ok_or_else(|| LinearizeError::Unknown {
            purpose: "free",
            name: name.clone(),
            known: listed(&[&states[..], &inputs].concat()),
        })?);
    }
    // At a limit an input has no two-sided derivative, and beyond it a zero one, so Newton could
    // not leave it.
    let of_inputs: Vec<usize> = columns.iter().filter_map(|j| j.checked_sub(nx)).collect();
    let bounded = |at: &mut Arguments, part: f64| {
        for k in &of_inputs {
            if let (Some(u), Some(limits)) = (at.u.get_mut(*k), limits.get(*k)) {
                *u = within(*u, *limits, part);
            }
        }
    };
    bounded(at, INSIDE);
    let mut point = derivatives.at(at)?;
    // Freed states are independent if possible.
    let leading = free.iter().filter(|n| states.contains(n) && !independent.contains(n)).cloned();
    let mut leading: Vec<String> = independent.iter().cloned().chain(leading).collect();
    // If a freed coordinate is independent, so is its speed, where the two correspond.
    if point.coordinates == point.speeds {
        let of = |name: &String| states[..point.coordinates].iter().position(|s| s == name);
        let speeds: Vec<String> =
            leading.iter().filter_map(of).map(|i| states[point.coordinates + i].clone()).collect();
        leading.extend(speeds);
    }
    let chosen = reduce::independent(&point, derivatives.names(), &leading)?;
    let held: Vec<String> = chosen.states.iter().map(|i| states[*i].clone()).collect();
    // Dependent speeds may vary in a steady motion, for example while turning, in ground axes.
    let mut still = chosen.states;
    still.retain(|i| *i >= point.coordinates);
    // Dependent states change along with the freed ones.
    let following: Vec<usize> = chosen.dependent.into_iter().filter(|j| !columns.contains(j)).collect();
    columns.extend(&following);
    let mut turned = vec![0.0; columns.len()];
    let mut steps = 0;
    loop {
        let r = residuals(&point, &still);
        let rows = still.iter().map(|i| (&point.a[*i], &point.b[*i]));
        let scales = derivatives.scales(&point, at);
        let mut jacobian = DMatrix::zeros(r.len(), columns.len());
        for (i, (a, b)) in rows.enumerate() {
            for (k, j) in columns.iter().enumerate() {
                jacobian[(i, k)] = if *j < nx { a[*j] } else { b[*j - nx] };
            }
        }
        let first = still.len();
        for (i, g) in point.g.iter().enumerate() {
            for (k, j) in columns.iter().enumerate().filter(|(_, j)| **j < nx) {
                jacobian[(first + i, k)] = g[*j];
            }
        }
        // Scale rows and columns, so that units do not affect the rank.
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let row_sizes: Vec<f64> = jacobian.row_iter().map(|row| or_one(row.amax())).collect();
        row_sizes.iter().enumerate().for_each(|(i, size)| jacobian.row_mut(i).unscale_mut(*size));
        let column_sizes: Vec<f64> = jacobian.column_iter().map(|c| or_one(c.norm())).collect();
        column_sizes.iter().enumerate().for_each(|(k, size)| jacobian.column_mut(k).unscale_mut(*size));
        let svd = jacobian.clone().svd(true, true);
        let top = svd.singular_values.iter().fold(0.0f64, |m, x| m.max(*x));
        let rank = svd.singular_values.iter().filter(|s| **s > 1e-10 * top).count();
        let size = share(&r, &scales, &still);
        if size <= ENOUGH || steps >= STEPS {
            if size > NEARLY {
                break;
            }
            let values = free.iter().zip(columns.iter().zip(&turned));
            let value = |(name, (j, turned)): (&String, (&usize, &f64))| {
                (name.clone(), named_value(derivatives, at, *j).unwrap_or(*turned))
            };
            let rank = rank.saturating_sub(following.len());
            let trimmed = Trimmed { free: values.map(value).collect(), residual: largest(&r), rank, steps };
            return Ok((trimmed, held));
        }
        let correction = |r: &[f64]| {
            let scaled = r.iter().zip(&row_sizes).map(|(x, size)| -x / size);
            svd.solve(&DVector::from_iterator(r.len(), scaled), 1e-10 * top)
        };
        let Ok(mut step) = correction(&r) else { break };
        let length = step.norm();
        column_sizes.iter().enumerate().for_each(|(k, size)| step[k] /= size);
        // Accept a step if the next Newton correction would be shorter (Deuflhard 1974) or the
        // residuals are smaller. Both use the scales of the current state: those of a distant state
        // could make any residual look small.
        let nearer = |found: &[f64]| {
            largest(found) == 0.0
                || share(found, &scales, &still) < size
                || correction(found).is_ok_and(|next| next.norm() < (1.0 - 1e-3) * length)
        };
        let mut factor = 1.0;
        let improved = loop {
            let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; inputs.len()]);
            for (k, j) in columns.iter().enumerate() {
                if *j < nx { dx[*j] = factor * step[k] } else { du[*j - nx] = factor * step[k] }
            }
            let mut next = derivatives.moved(at, &dx, &du);
            bounded(&mut next, EDGE);
            if let Ok(found) = derivatives.at(&next)
                && nearer(&residuals(&found, &still))
            {
                turned.iter_mut().enumerate().for_each(|(k, t)| *t += factor * step[k]);
                *at = next;
                break Some(found);
            }
            factor /= 2.0;
            if factor < 1e-6 {
                break None;
            }
        };
        steps += 1;
        match improved {
            Some(found) => point = found,
            // No step improves: the rest is rounding, or there is no such state.
            None => {
                if size > NEARLY {
                    break;
                }
                steps = STEPS;
            }
        }
    }
    Err(worst_residual(derivatives, (&point, at), &still).not_steady(steps))
}

/// The residual that exceeds its tolerance most.
fn worst_residual(derivatives: &Derivatives, (point, at): (&Point, &Arguments), still: &[usize]) -> Residual {
    let r = residuals(point, still);
    let scales = derivatives.scales(point, at);
    let of_each: Vec<f64> =
        still.iter().map(|i| scales.rates[*i]).chain(scales.residuals.iter().copied()).collect();
    let excess = |k: usize| if r[k] == 0.0 { 0.0 } else { r[k].abs() / of_each[k] };
    let worst = (0..r.len()).max_by(|a, b| excess(*a).total_cmp(&excess(*b))).unwrap_or(0);
    let (value, tolerance) =
        (r.get(worst).copied().unwrap_or(0.0), of_each.get(worst).map_or(0.0, |s| NEARLY * s));
    match worst.checked_sub(still.len()) {
        Some(row) => Residual::of_row(derivatives, row, value, tolerance),
        None => Residual::of_rate(derivatives, still[worst], value, tolerance),
    }
}

/// Current value of a state or an input; `None` for an angle of a quaternion, which is no state
/// entry.
fn named_value(derivatives: &Derivatives, at: &Arguments, column: usize) -> Option<f64> {
    let l = &derivatives.program().layout;
    let names = derivatives.names();
    let name = names.states.iter().chain(&names.inputs).nth(column)?;
    let groups = [(&l.q, &at.q), (&l.v, &at.v), (&l.z, &at.z), (&l.u, &at.u)];
    groups.into_iter().find_map(|(slots, values)| {
        slots.iter().position(|s| s.name == *name).and_then(|i| values.get(i).copied())
    })
}
