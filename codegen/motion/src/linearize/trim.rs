//! Trim: search for equilibria and steady motions.
//!
//! Problem: a state on the constraints at which independent speeds and user states are constant,
//! found by changing the freed states and inputs.
//! Method:  Newton's method with exact derivatives; minimum-norm steps by singular values, halved
//! until they improve. Free inputs stay within their limits, where their derivatives are non-zero.
//! Not handled: orbits and limit cycles; several solutions (only the one to which the start leads
//! is found).

use nalgebra::{DMatrix, DVector};

use super::derivatives::{Derivatives, PointValues, Scales};
use super::error::{LinearizeError, join_names};
use super::limits::clamp_inside_limits;
use super::modes::max_norm;
use super::reduce;
use super::residual::Residual;
use dqdt_graph::ir::Arguments;

/// Result of a trim: the steady state found by changing freed states and inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Trimmed {
    /// Names of the freed states and inputs, with the values found; for an angle of a quaternion,
    /// the rotation made.
    pub free: Vec<(String, f64)>,
    /// Largest remaining acceleration, rate or constraint residual, in SI units.
    pub residual: f64,
    /// Rank of the derivative by the freed quantities. If it is below their number, the solution is
    /// not unique.
    pub rank: usize,
    /// Number of Newton steps that the trim took.
    pub steps: usize,
}

/// Maximum number of Newton steps of a trim.
const STEPS: usize = 60;
/// Largest relative residual of a trim at which its iteration stops.
const ENOUGH: f64 = 1e-11;
/// Largest relative residual of a trim that is accepted as rounding if no step improves it.
const NEARLY: f64 = 1e-8;

/// Distance from its limits at which a free input starts, as a fraction of the range; [`EDGE`] is
/// the distance that it keeps later.
const INSIDE: f64 = 1e-3;
/// Distance from its limits that a free input keeps, as a fraction of the range.
const EDGE: f64 = 1e-10;

/// Residuals that a trim brings to zero: accelerations of independent speeds and rates of user
/// states (`steady`), then constraints.
fn trim_residuals(point: &PointValues, steady: &[usize]) -> Vec<f64> {
    let mut out: Vec<f64> = steady.iter().map(|i| point.rates[*i]).collect();
    out.extend(&point.residuals);
    out
}

/// Largest residual of a trim, relative to its reference size; infinite if that size is zero.
fn largest_relative_residual(r: &[f64], scales: &Scales, steady: &[usize]) -> f64 {
    let scales = steady.iter().map(|i| scales.rates[*i]).chain(scales.residuals.iter().copied());
    r.iter()
        .zip(scales)
        .map(|(x, scale)| match x.abs() {
            0.0 => 0.0,
            x if scale > 0.0 => x / scale,
            _ => f64::INFINITY,
        })
        .fold(0.0, f64::max)
}

/// Columns of the freed states and inputs with these names: states, then inputs. An unknown name is
/// an error.
fn find_freed_columns(
    free: &[String],
    states: &[String],
    inputs: &[String],
) -> Result<Vec<usize>, LinearizeError> {
    free.iter()
        .map(|name| {
            let column = states.iter().chain(inputs).position(|s| s == name);
            column.ok_or_else(|| LinearizeError::Unknown {
                purpose: "free",
                name: name.clone(),
                known: join_names(&[states, inputs].concat()),
            })
        })
        .collect()
}

/// Derivatives of the residuals of a trim by the freed states and inputs with these columns; `nx`
/// is the number of states.
fn residual_jacobian(point: &PointValues, steady: &[usize], columns: &[usize], nx: usize) -> DMatrix<f64> {
    let first = steady.len();
    let mut jacobian = DMatrix::zeros(first + point.residuals.len(), columns.len());
    for (i, (a, b)) in steady.iter().map(|i| (&point.a[*i], &point.b[*i])).enumerate() {
        for (k, j) in columns.iter().enumerate() {
            jacobian[(i, k)] = if *j < nx { a[*j] } else { b[*j - nx] };
        }
    }
    for (i, g) in point.g.iter().enumerate() {
        for (k, j) in columns.iter().enumerate().filter(|(_, j)| **j < nx) {
            jacobian[(first + i, k)] = g[*j];
        }
    }
    jacobian
}

/// The number, or one if it is not positive: a divisor for scaling.
fn positive_or_one(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}

/// Changes the freed states and inputs by Newton's method until nothing accelerates.
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
    let mut columns = find_freed_columns(&free, &states, &inputs)?;
    // At a limit an input has no two-sided derivative, and beyond it a zero one, so Newton could
    // not leave it.
    let free_inputs: Vec<usize> = columns.iter().filter_map(|j| j.checked_sub(nx)).collect();
    let clamp_inputs = |at: &mut Arguments, part: f64| {
        for k in &free_inputs {
            if let (Some(u), Some(limits)) = (at.u.get_mut(*k), limits.get(*k)) {
                *u = clamp_inside_limits(*u, *limits, part);
            }
        }
    };
    clamp_inputs(at, INSIDE);
    let mut point = derivatives.evaluate(at)?;
    // Freed states are independent if possible.
    let preferred = free.iter().filter(|n| states.contains(n) && !independent.contains(n)).cloned();
    let mut preferred: Vec<String> = independent.iter().cloned().chain(preferred).collect();
    // If a freed coordinate is independent, so is its speed, where the two correspond.
    if point.coordinates == point.speeds {
        let speeds: Vec<String> = preferred
            .iter()
            .filter_map(|name| states[..point.coordinates].iter().position(|s| s == name))
            .map(|i| states[point.coordinates + i].clone())
            .collect();
        preferred.extend(speeds);
    }
    let choice = reduce::choose_independent_states(&point, derivatives.names(), &preferred)?;
    let steady_names: Vec<String> = choice.states.iter().map(|i| states[*i].clone()).collect();
    // Dependent speeds may vary in a steady motion, for example while turning, in ground axes.
    let mut steady = choice.states;
    steady.retain(|i| *i >= point.coordinates);
    // Dependent states change along with the freed ones.
    let following: Vec<usize> = choice.dependent.into_iter().filter(|j| !columns.contains(j)).collect();
    columns.extend(&following);
    let mut rotations = vec![0.0; columns.len()];
    let mut steps = 0;
    loop {
        let r = trim_residuals(&point, &steady);
        let scales = derivatives.reference_scales(&point, at);
        let mut jacobian = residual_jacobian(&point, &steady, &columns, nx);
        // Scale rows and columns, so that units do not affect the rank.
        let row_sizes: Vec<f64> = jacobian.row_iter().map(|row| positive_or_one(row.amax())).collect();
        row_sizes.iter().enumerate().for_each(|(i, size)| jacobian.row_mut(i).unscale_mut(*size));
        let column_sizes: Vec<f64> = jacobian.column_iter().map(|c| positive_or_one(c.norm())).collect();
        column_sizes.iter().enumerate().for_each(|(k, size)| jacobian.column_mut(k).unscale_mut(*size));
        let svd = jacobian.clone().svd(true, true);
        let top = svd.singular_values.iter().fold(0.0f64, |m, x| m.max(*x));
        let rank = svd.singular_values.iter().filter(|s| **s > 1e-10 * top).count();
        let size = largest_relative_residual(&r, &scales, &steady);
        if size <= ENOUGH || steps >= STEPS {
            if size > NEARLY {
                break;
            }
            let values = free.iter().zip(columns.iter().zip(&rotations));
            let free = values
                .map(|(name, (j, rotation))| {
                    (name.clone(), current_value(derivatives, at, *j).unwrap_or(*rotation))
                })
                .collect();
            let rank = rank.saturating_sub(following.len());
            return Ok((Trimmed { free, residual: max_norm(&r), rank, steps }, steady_names));
        }
        let correction = |r: &[f64]| {
            let scaled = r.iter().zip(&row_sizes).map(|(x, size)| -x / size);
            svd.solve(&DVector::from_iterator(r.len(), scaled), 1e-10 * top)
        };
        let Ok(mut step) = correction(&r) else { break };
        let length = step.norm();
        column_sizes.iter().enumerate().for_each(|(k, size)| step[k] /= size);
        let mut factor = 1.0;
        let improved = loop {
            let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; inputs.len()]);
            for (k, j) in columns.iter().enumerate() {
                if *j < nx { dx[*j] = factor * step[k] } else { du[*j - nx] = factor * step[k] }
            }
            let mut next = derivatives.displaced_point(at, &dx, &du);
            clamp_inputs(&mut next, EDGE);
            // Accept a step if the next Newton correction would be shorter (Deuflhard 1974) or the
            // residuals are smaller. Both use the scales of the current state: those of a distant
            // state could make any residual look small.
            if let Ok(trial) = derivatives.evaluate(&next)
                && let next_residuals = trim_residuals(&trial, &steady)
                && (max_norm(&next_residuals) == 0.0
                    || largest_relative_residual(&next_residuals, &scales, &steady) < size
                    || correction(&next_residuals).is_ok_and(|next| next.norm() < (1.0 - 1e-3) * length))
            {
                rotations.iter_mut().enumerate().for_each(|(k, t)| *t += factor * step[k]);
                *at = next;
                break Some(trial);
            }
            factor /= 2.0;
            if factor < 1e-6 {
                break None;
            }
        };
        steps += 1;
        match improved {
            Some(trial) => point = trial,
            // No step improves: the rest is rounding, or there is no such state.
            None => {
                if size > NEARLY {
                    break;
                }
                steps = STEPS;
            }
        }
    }
    Err(find_worst_residual(derivatives, (&point, at), &steady).into_error(steps))
}

/// The residual of a failed trim that exceeds its tolerance most.
fn find_worst_residual(
    derivatives: &Derivatives,
    (point, at): (&PointValues, &Arguments),
    steady: &[usize],
) -> Residual {
    let r = trim_residuals(point, steady);
    let scales = derivatives.reference_scales(point, at);
    let reference_sizes: Vec<f64> =
        steady.iter().map(|i| scales.rates[*i]).chain(scales.residuals.iter().copied()).collect();
    let excess = |k: usize| if r[k] == 0.0 { 0.0 } else { r[k].abs() / reference_sizes[k] };
    let worst = (0..r.len()).max_by(|a, b| excess(*a).total_cmp(&excess(*b))).unwrap_or(0);
    let (value, tolerance) =
        (r.get(worst).copied().unwrap_or(0.0), reference_sizes.get(worst).map_or(0.0, |s| NEARLY * s));
    match worst.checked_sub(steady.len()) {
        Some(row) => Residual::from_constraint_row(derivatives, row, value, tolerance),
        None => Residual::from_rate(derivatives, steady[worst], value, tolerance),
    }
}

/// Current value of the state or input with this column; `None` for an angle of a quaternion, which
/// is no state entry.
fn current_value(derivatives: &Derivatives, at: &Arguments, column: usize) -> Option<f64> {
    let l = &derivatives.program().layout;
    let names = derivatives.names();
    let name = names.states.iter().chain(&names.inputs).nth(column)?;
    let groups = [(&l.q, &at.q), (&l.v, &at.v), (&l.z, &at.z), (&l.u, &at.u)];
    groups.into_iter().find_map(|(slots, values)| {
        slots.iter().position(|s| s.name == *name).and_then(|i| values.get(i).copied())
    })
}
