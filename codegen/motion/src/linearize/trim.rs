//! Trim: search for equilibria and steady motions.
//!
//! Problem: a state on the constraints at which independent speeds and user states are constant,
//! found by changing the freed states and inputs.
//! Method:  Newton's method with exact derivatives; minimum-norm steps by singular values, halved
//! until they improve. Free inputs stay within their limits, where their derivatives are non-zero.
//! Not handled: orbits and limit cycles; several solutions (only the one to which the start leads
//! is found).

use nalgebra::{DMatrix, DVector, Dyn, SVD};

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

/// Linearised residuals of one Newton step, with rows and columns scaled so that units do not
/// affect the rank.
struct NewtonSystem {
    svd: SVD<f64, Dyn, Dyn>,
    row_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    /// Singular values up to this bound count as zero.
    tolerance: f64,
}

impl NewtonSystem {
    fn new(mut jacobian: DMatrix<f64>) -> NewtonSystem {
        let row_sizes: Vec<f64> = jacobian.row_iter().map(|row| positive_or_one(row.amax())).collect();
        row_sizes.iter().enumerate().for_each(|(i, size)| jacobian.row_mut(i).unscale_mut(*size));
        let column_sizes: Vec<f64> = jacobian.column_iter().map(|c| positive_or_one(c.norm())).collect();
        column_sizes.iter().enumerate().for_each(|(k, size)| jacobian.column_mut(k).unscale_mut(*size));
        let svd = jacobian.svd(true, true);
        let largest = svd.singular_values.iter().fold(0.0f64, |m, x| m.max(*x));
        NewtonSystem { svd, row_sizes, column_sizes, tolerance: 1e-10 * largest }
    }

    fn rank(&self) -> usize {
        self.svd.singular_values.iter().filter(|s| **s > self.tolerance).count()
    }

    /// Shortest correction for these residuals, in scaled columns.
    fn scaled_correction(&self, residuals: &[f64]) -> Result<DVector<f64>, &'static str> {
        let scaled = residuals.iter().zip(&self.row_sizes).map(|(x, size)| -x / size);
        self.svd.solve(&DVector::from_iterator(residuals.len(), scaled), self.tolerance)
    }

    /// Correction in the units of the columns.
    fn unscale(&self, mut correction: DVector<f64>) -> DVector<f64> {
        self.column_sizes.iter().enumerate().for_each(|(k, size)| correction[k] /= size);
        correction
    }
}

/// Quantities that a trim changes, and those that it brings to zero. Columns are states, then
/// inputs.
struct TrimProblem<'a> {
    /// Columns of the freed states and inputs, then of the dependent states that change with them.
    columns: Vec<usize>,
    /// Independent speeds and user states: their rates vanish in a steady motion.
    steady: Vec<usize>,
    input_limits: InputLimits<'a>,
}

/// Limits of the freed inputs.
struct InputLimits<'a> {
    /// Indices of the freed inputs.
    inputs: Vec<usize>,
    /// Limits of all inputs.
    limits: &'a [[f64; 2]],
}

impl InputLimits<'_> {
    /// Moves freed inputs at least this fraction of their range away from their limits. At a limit
    /// an input has no two-sided derivative, and beyond it a zero one, so Newton could not leave
    /// it.
    fn clamp_inputs(&self, at: &mut Arguments, margin: f64) {
        for k in &self.inputs {
            if let (Some(u), Some(limits)) = (at.u.get_mut(*k), self.limits.get(*k)) {
                *u = clamp_inside_limits(*u, *limits, margin);
            }
        }
    }
}

/// A Newton step that improves the residuals.
struct AcceptedStep {
    factor: f64,
    at: Arguments,
    point: PointValues,
}

impl TrimProblem<'_> {
    /// Halves a Newton step until it improves the residuals; `None` if no length does.
    ///
    /// A step is accepted if the next Newton correction would be shorter than `length` (Deuflhard
    /// 1974), or if the residuals are smaller than `size`. Both use `scales`, those of the current
    /// state: those of a distant state could make any residual look small.
    fn find_improving_step(
        &self,
        derivatives: &mut Derivatives,
        at: &Arguments,
        system: &NewtonSystem,
        (step, length): (&DVector<f64>, f64),
        (size, scales): (f64, &Scales),
    ) -> Option<AcceptedStep> {
        let (nx, nu) = (derivatives.names().states.len(), derivatives.names().inputs.len());
        let mut factor = 1.0;
        loop {
            let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; nu]);
            for (k, j) in self.columns.iter().enumerate() {
                if *j < nx { dx[*j] = factor * step[k] } else { du[*j - nx] = factor * step[k] }
            }
            let mut next = derivatives.displaced_point(at, &dx, &du);
            self.input_limits.clamp_inputs(&mut next, EDGE);
            if let Ok(point) = derivatives.evaluate(&next)
                && let residuals = trim_residuals(&point, &self.steady)
                && (max_norm(&residuals) == 0.0
                    || largest_relative_residual(&residuals, scales, &self.steady) < size
                    || system
                        .scaled_correction(&residuals)
                        .is_ok_and(|next| next.norm() < (1.0 - 1e-3) * length))
            {
                return Some(AcceptedStep { factor, at: next, point });
            }
            factor /= 2.0;
            if factor < 1e-6 {
                return None;
            }
        }
    }
}

/// The names in their order, each once.
fn remove_duplicates(names: &[String]) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if !unique.contains(name) {
            unique.push(name.clone());
        }
    }
    unique
}

/// Names of the states to choose as independent if possible: `independent`, freed states, and the
/// speeds of these coordinates where coordinates and speeds correspond.
fn choose_preferred_states(
    point: &PointValues,
    states: &[String],
    free: &[String],
    independent: &[String],
) -> Vec<String> {
    let freed = free.iter().filter(|n| states.contains(n) && !independent.contains(n)).cloned();
    let mut preferred: Vec<String> = independent.iter().cloned().chain(freed).collect();
    if point.coordinates == point.speeds {
        let speeds: Vec<String> = preferred
            .iter()
            .filter_map(|name| states[..point.coordinates].iter().position(|s| s == name))
            .map(|i| states[point.coordinates + i].clone())
            .collect();
        preferred.extend(speeds);
    }
    preferred
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
    let free = remove_duplicates(wanted);
    let mut columns = find_freed_columns(&free, &states, &inputs)?;
    let freed_inputs = columns.iter().filter_map(|j| j.checked_sub(nx)).collect();
    let input_limits = InputLimits { inputs: freed_inputs, limits };
    input_limits.clamp_inputs(at, INSIDE);
    let mut point = derivatives.evaluate(at)?;
    let preferred = choose_preferred_states(&point, &states, &free, independent);
    let choice = reduce::choose_independent_states(&point, derivatives.names(), &preferred)?;
    let steady_names: Vec<String> = choice.states.iter().map(|i| states[*i].clone()).collect();
    // Dependent speeds may vary in a steady motion, for example while turning, in ground axes.
    let mut steady = choice.states;
    steady.retain(|i| *i >= point.coordinates);
    // Dependent states change along with the freed ones.
    let following: Vec<usize> = choice.dependent.into_iter().filter(|j| !columns.contains(j)).collect();
    columns.extend(&following);
    let mut rotations = vec![0.0; columns.len()];
    let problem = TrimProblem { columns, steady, input_limits };
    let TrimProblem { columns, steady, .. } = &problem;
    let mut steps = 0;
    loop {
        let r = trim_residuals(&point, steady);
        let scales = derivatives.reference_scales(&point, at);
        let system = NewtonSystem::new(residual_jacobian(&point, steady, columns, nx));
        let size = largest_relative_residual(&r, &scales, steady);
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
            let rank = system.rank().saturating_sub(following.len());
            return Ok((Trimmed { free, residual: max_norm(&r), rank, steps }, steady_names));
        }
        let Ok(correction) = system.scaled_correction(&r) else { break };
        let length = correction.norm();
        let step = system.unscale(correction);
        let improved =
            problem.find_improving_step(derivatives, at, &system, (&step, length), (size, &scales));
        steps += 1;
        match improved {
            Some(accepted) => {
                rotations.iter_mut().enumerate().for_each(|(k, t)| *t += accepted.factor * step[k]);
                (*at, point) = (accepted.at, accepted.point);
            }
            // No step improves: the rest is rounding, or there is no such state.
            None => {
                if size > NEARLY {
                    break;
                }
                steps = STEPS;
            }
        }
    }
    Err(find_worst_residual(derivatives, (&point, at), steady).into_error(steps))
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
