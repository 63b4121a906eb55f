//! Eigenvalues over a varied parameter, input or state.
//!
//! Problem: how eigenvalues at a steady state depend on a speed, a gain or a length, and where
//! stability changes.
//! Method:  a linearisation, with a trim if requested, at each value, from the value nearest to the
//! start outwards. A trim starts from the state found at the neighbouring value. Eigenvalues of
//! neighbouring values are joined to branches by distance to a linear extrapolation. Where the
//! number of growing motions changes, the value is found by bisection; so is a leap of the trim to
//! another steady state, where results do not converge as values do.
//! Limits:  eigenvalues below a hundred-thousandth of the largest count as zero, since multiple
//! zeros are off by roots of rounding. A change that reverses within one step is missed.

use super::{LinearizeError, LinearizeRequest, Linearized, derivatives::Derivatives, linearize_around};
use crate::simulate::Start;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Arguments, Layout, Slot};
use dqdt_mechanics::mechanism::StartRole;

/// Eigenvalues below this fraction of the largest count as zero, so that their signs mean nothing.
pub const ZERO_TOLERANCE: f64 = 1e-5;
/// Bisection steps to locate a change of stability between two values of a sweep.
const HALVINGS: usize = 44;

/// The parameter, input or state that a sweep varies.
#[derive(Clone, Copy)]
pub struct VariedQuantity {
    /// Index of its group of arguments: coordinates, speeds, user states, inputs, parameters (0 to
    /// 4).
    group: usize,
    /// Index of the quantity within its group.
    index: usize,
}

impl VariedQuantity {
    /// Finds the varied quantity by its name, with its slot in the layout.
    pub fn find_by_name<'l>(layout: &'l Layout, name: &str) -> Option<(Self, &'l Slot)> {
        let groups = [&layout.q, &layout.v, &layout.z, &layout.u, &layout.p];
        groups.into_iter().enumerate().find_map(|(group, slots)| {
            let index = slots.iter().position(|s| s.name == name)?;
            Some((VariedQuantity { group, index }, &slots[index]))
        })
    }

    /// Index of the varied quantity among the coordinates, if it is one.
    pub fn coordinate_index(self) -> Option<usize> {
        (self.group == 0).then_some(self.index)
    }

    fn varied_value_mut(self, a: &mut Arguments) -> &mut f64 {
        let group = match self.group {
            0 => &mut a.q,
            1 => &mut a.v,
            2 => &mut a.z,
            3 => &mut a.u,
            _ => &mut a.p,
        };
        &mut group[self.index]
    }
}

/// Start arguments of a sweep, and flags of the coordinates, speeds, user states and inputs that
/// the caller set.
pub(crate) type SweepBase = (Arguments, [Vec<bool>; 4]);

/// Real and imaginary part of an eigenvalue.
pub(crate) type Root = [f64; 2];

/// A change of stability: a value of the varied quantity at which the number of growing motions
/// changes.
pub struct Change {
    /// Value of the varied quantity at which stability changes.
    pub value: f64,
    /// Angular frequency of the motion that begins to grow or to decay [rad/s]; zero if it does not
    /// oscillate.
    pub frequency: f64,
    /// Number of growing motions below and above that value.
    pub growing: [usize; 2],
    /// True if the trim leaps to another steady state at this value, so that no eigenvalue crosses
    /// zero.
    pub leaps: bool,
}

/// Result of a sweep: linearisations over the values of a varied quantity.
pub struct Sweep {
    /// Values of the varied quantity at which the mechanism was linearised.
    pub values: Vec<f64>,
    /// Linearisation at each value, or the reason why it failed.
    pub points: Vec<Result<Linearized, LinearizeError>>,
    /// Eigenvalues by branch, then by value of the varied quantity; NaN where a branch is missing.
    pub branches: Vec<Vec<Root>>,
    /// Changes of stability between neighbouring values.
    pub changes: Vec<Change>,
}

/// Linearises at each value of the varied quantity, from the value nearest to the start outwards.
pub fn sweep(
    loaded: &Assembled,
    derivatives: &mut Derivatives,
    base: &SweepBase,
    varied: VariedQuantity,
    values: Vec<f64>,
    request: &LinearizeRequest,
) -> Sweep {
    let layout = derivatives.program().layout.clone();
    let mut linearize_from = |value: f64,
                              (mut arguments, mut named): SweepBase|
     -> Result<Linearized, LinearizeError> {
        *varied.varied_value_mut(&mut arguments) = value;
        if let Some(named) = named.get_mut(varied.group) {
            named[varied.index] = true;
        }
        let mut start = Start::from_arguments(loaded, arguments, named);
        // Keep this coordinate: assembly would otherwise move it away from the value.
        if let Some(coordinate) = varied.coordinate_index().and_then(|i| start.starts.coordinates.get_mut(i))
        {
            coordinate.role = StartRole::Kept;
        }
        start.normalise_quaternions(&layout, |_, _| ())?;
        linearize_around(loaded, derivatives, start, request)
    };
    let mut linearize_at =
        |value: f64, neighbour: Option<&Linearized>| -> Result<Linearized, LinearizeError> {
            // Without a trim, everything else stays as given, so no neighbour is used.
            match neighbour.filter(|_| !request.trim.is_empty()) {
                Some(solution) => {
                    linearize_from(value, start_from_neighbour(solution, &base.1, &layout, request))
                        .or_else(|_| linearize_from(value, base.clone()))
                }
                None => linearize_from(value, base.clone()),
            }
        };
    let start_value = *varied.varied_value_mut(&mut base.0.clone());
    let distance = |k: &usize| (values[*k] - start_value).abs();
    let first = (0..values.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let mut points: Vec<Option<Result<Linearized, LinearizeError>>> = values.iter().map(|_| None).collect();
    let mut run = |order: &mut dyn Iterator<Item = usize>| {
        let mut last = None;
        for k in order {
            if points[k].is_none() {
                let neighbour = last.and_then(|l: usize| points[l].as_ref()).and_then(|p| p.as_ref().ok());
                points[k] = Some(linearize_at(values[k], neighbour));
            }
            if points[k].as_ref().is_some_and(Result::is_ok) {
                last = Some(k);
            }
        }
    };
    run(&mut (first..values.len()));
    run(&mut (0..=first).rev());
    let points: Vec<_> = points.into_iter().flatten().collect();
    let mut changes = find_stability_changes(&values, &points, &mut linearize_at);
    if !request.trim.is_empty() {
        changes.extend(find_other_steady_states(&values, &points, &mut linearize_at));
        changes.sort_by(|a, b| a.value.total_cmp(&b.value));
    }
    let leaps: Vec<f64> = changes.iter().filter(|c| c.leaps).map(|c| c.value).collect();
    let branches = join_eigenvalue_branches(&values, &points, &leaps);
    Sweep { values, points, branches, changes }
}

/// The solution at a neighbouring value as a start for the next linearisation: its pose, and those
/// speeds that were set or trimmed.
fn start_from_neighbour(
    solution: &Linearized,
    named: &[Vec<bool>; 4],
    layout: &Layout,
    request: &LinearizeRequest,
) -> SweepBase {
    let [_, speeds, ..] = named;
    let trimmed = layout.v.iter().map(|s| request.trim.contains(&s.name));
    let speeds = speeds.iter().zip(trimmed).map(|(named, trimmed)| *named || trimmed).collect();
    let (coordinates, states) = (vec![true; layout.q.len()], vec![true; layout.z.len()]);
    (solution.at.clone(), [coordinates, speeds, states, vec![true; layout.u.len()]])
}

/// Eigenvalues of a linearisation.
fn mode_eigenvalues(linearized: &Linearized) -> Vec<Root> {
    linearized.modes.iter().map(|m| m.value).collect()
}

/// Absolute value of an eigenvalue.
fn eigenvalue_magnitude([x, y]: Root) -> f64 {
    x.hypot(y)
}

/// Absolute value of the largest eigenvalue of a linearisation.
fn largest_eigenvalue_magnitude(linearized: &Linearized) -> f64 {
    linearized.modes.iter().map(|m| eigenvalue_magnitude(m.value)).fold(0.0, f64::max)
}

/// Number of growing motions: eigenvalues whose real part exceeds `times` the threshold of zero.
pub fn count_growing_modes(linearized: &Linearized, times: f64) -> usize {
    let limit = times * ZERO_TOLERANCE * largest_eigenvalue_magnitude(linearized);
    linearized.modes.iter().filter(|m| m.value[0] > limit).count()
}

/// Number of eigenvalues of a linearisation that count as zero by [`ZERO_TOLERANCE`].
pub fn count_zero_eigenvalues(linearized: &Linearized) -> usize {
    let limit = ZERO_TOLERANCE * largest_eigenvalue_magnitude(linearized);
    linearized.modes.iter().filter(|m| eigenvalue_magnitude(m.value) <= limit).count()
}

/// Changes of stability: values between neighbouring linearisations at which the number of growing
/// motions changes.
fn find_stability_changes(
    values: &[f64],
    points: &[Result<Linearized, LinearizeError>],
    linearize_at: &mut impl FnMut(f64, Option<&Linearized>) -> Result<Linearized, LinearizeError>,
) -> Vec<Change> {
    let known: Vec<(f64, &Linearized)> =
        values.iter().zip(points).filter_map(|(x, p)| p.as_ref().ok().map(|p| (*x, p))).collect();
    let mut out = Vec::new();
    for pair in known.windows(2) {
        let ((a, low), (b, high)) = (pair[0], pair[1]);
        let counts = [count_growing_modes(low, 1.0), count_growing_modes(high, 1.0)];
        if counts[0] == counts[1] {
            continue;
        }
        // Extrapolates to zero growth from the values at which growth reaches once and twice the
        // threshold.
        let once = bisect_stability_change((a, b), low, counts, 1.0, linearize_at);
        let counts_at_twice = [count_growing_modes(low, 2.0), count_growing_modes(high, 2.0)];
        let twice = if counts_at_twice == counts {
            bisect_stability_change((a, b), low, counts, 2.0, linearize_at).0
        } else {
            once.0
        };
        let [below, above] = &once.1;
        let sides = [below.as_ref().unwrap_or(low), above.as_ref().unwrap_or(high)];
        let leaps = has_eigenvalue_jump([low, high], sides);
        let value = if leaps { once.0 } else { (2.0 * once.0 - twice).clamp(a.min(b), a.max(b)) };
        // At the change itself all eigenvalues may vanish.
        let scale =
            ZERO_TOLERANCE * largest_eigenvalue_magnitude(low).max(largest_eigenvalue_magnitude(high));
        let frequency = above.as_ref().or(below.as_ref()).map_or(0.0, |linearized| {
            let limit = ZERO_TOLERANCE * largest_eigenvalue_magnitude(linearized);
            let distance = |r: &Root| (r[0] - limit).abs();
            let crossing =
                mode_eigenvalues(linearized).into_iter().min_by(|x, y| distance(x).total_cmp(&distance(y)));
            crossing.map_or(0.0, |r| if r[1].abs() > 10.0 * scale { r[1].abs() } else { 0.0 })
        });
        out.push(Change { value, frequency, growing: counts, leaps });
    }
    out
}

/// True if the eigenvalues on the two sides of a change of stability differ by more than a
/// thousandth of the largest. On one branch they would be continuous.
fn has_eigenvalue_jump(ends: [&Linearized; 2], sides: [&Linearized; 2]) -> bool {
    let [below, above] = sides.map(mode_eigenvalues);
    let limit = 1e-3 * largest_eigenvalue_magnitude(ends[0]).max(largest_eigenvalue_magnitude(ends[1]));
    below.iter().any(|r| distance_to_nearest_eigenvalue(r, &above) > limit)
        || above.iter().any(|r| distance_to_nearest_eigenvalue(r, &below) > limit)
}

/// Distance in the complex plane from an eigenvalue to the nearest of others.
fn distance_to_nearest_eigenvalue(root: &Root, others: &[Root]) -> f64 {
    others
        .iter()
        .map(|o| eigenvalue_magnitude([o[0] - root[0], o[1] - root[1]]))
        .fold(f64::INFINITY, f64::min)
}

/// Ratio of distances between solutions at neighbouring values above which a leap of the trim is
/// suspected.
const FAR: f64 = 4.0;
/// Bisection steps to confirm a leap of the trim. On one branch the distance falls with each step,
/// at a fold by √½.
const CLOSER: usize = 14;

/// Values of the freed states and inputs of the trim of a linearisation.
fn trimmed_values(linearized: &Linearized) -> impl Iterator<Item = f64> + '_ {
    linearized.trim.iter().flat_map(|t| t.free.iter().map(|(_, x)| *x))
}

/// Leaps to another steady state with the same number of growing motions. They are found by trimmed
/// values that do not converge as the varied value does.
fn find_other_steady_states(
    values: &[f64],
    points: &[Result<Linearized, LinearizeError>],
    linearize_at: &mut impl FnMut(f64, Option<&Linearized>) -> Result<Linearized, LinearizeError>,
) -> Vec<Change> {
    let known: Vec<&Linearized> = points.iter().flatten().collect();
    let Some(first) = known.first() else { return Vec::new() };
    // Normalise each trimmed quantity by its range over the sweep.
    let ranges: Vec<f64> = (0..trimmed_values(first).count())
        .map(|i| {
            let all = || known.iter().filter_map(|p| trimmed_values(p).nth(i));
            all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
        })
        .collect();
    let distance = |a: &Linearized, b: &Linearized| {
        let varying =
            trimmed_values(a).zip(trimmed_values(b)).zip(&ranges).filter(|(_, range)| **range > 0.0);
        varying.fold(0.0f64, |most, ((x, y), range)| most.max((x - y).abs() / range))
    };
    let pairs: Vec<(usize, [&Linearized; 2])> = points
        .windows(2)
        .enumerate()
        .filter_map(|(k, pair)| Some((k, [pair[0].as_ref().ok()?, pair[1].as_ref().ok()?])))
        .collect();
    let far: Vec<f64> = pairs.iter().map(|(_, [a, b])| distance(a, b)).collect();
    let mut out = Vec::new();
    for (i, (k, [low, high])) in pairs.iter().enumerate() {
        let counts = [count_growing_modes(low, 1.0), count_growing_modes(high, 1.0)];
        let distance_at = |j: Option<usize>| j.and_then(|j| far.get(j)).copied().unwrap_or(0.0);
        let usual = distance_at(i.checked_sub(1)).max(distance_at(Some(i + 1)));
        if counts[0] != counts[1] || far[i] < 0.05 || far[i] < FAR * usual {
            continue;
        }
        let (mut a, mut b) = (values[*k], values[k + 1]);
        let mut ends: [Option<Linearized>; 2] = [None, None];
        for _ in 0..CLOSER {
            let middle = 0.5 * (a + b);
            let [below, above] = [ends[0].as_ref().unwrap_or(low), ends[1].as_ref().unwrap_or(high)];
            let Ok(here) = linearize_at(middle, Some(below)) else { break };
            if distance(below, &here) > distance(&here, above) {
                (b, ends[1]) = (middle, Some(here));
            } else {
                (a, ends[0]) = (middle, Some(here));
            }
        }
        if distance(ends[0].as_ref().unwrap_or(low), ends[1].as_ref().unwrap_or(high)) > 0.25 * far[i] {
            out.push(Change { value: 0.5 * (a + b), frequency: 0.0, growing: counts, leaps: true });
        }
    }
    out
}

/// Bisects for the value at which the number of growing motions differs from `counts[0]`. Also
/// returns the linearisations found on both sides of it, `None` where that is the end of the
/// interval.
fn bisect_stability_change(
    (mut a, mut b): (f64, f64),
    low: &Linearized,
    counts: [usize; 2],
    times: f64,
    linearize_at: &mut impl FnMut(f64, Option<&Linearized>) -> Result<Linearized, LinearizeError>,
) -> (f64, [Option<Linearized>; 2]) {
    let mut sides = [None, None];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (a + b);
        let Ok(here) = linearize_at(middle, Some(sides[0].as_ref().unwrap_or(low))) else { break };
        if count_growing_modes(&here, times) == counts[0] {
            a = middle;
            sides[0] = Some(here);
        } else {
            b = middle;
            sides[1] = Some(here);
        }
    }
    (0.5 * (a + b), sides)
}

/// Joins the eigenvalues at neighbouring values to branches for plots. New branches begin after a
/// gap and after a leap.
fn join_eigenvalue_branches(
    values: &[f64],
    points: &[Result<Linearized, LinearizeError>],
    leaps: &[f64],
) -> Vec<Vec<Root>> {
    let most = points.iter().flatten().map(|p| p.modes.len()).max().unwrap_or(0);
    let mut out: Vec<Vec<Root>> = Vec::new();
    // The last two values of each branch, for extrapolation.
    let mut last: Vec<Option<(Root, Option<Root>)>> = vec![None; most];
    for (k, point) in points.iter().enumerate() {
        let leap = k > 0 && leaps.iter().any(|x| (*x - values[k - 1]) * (*x - values[k]) <= 0.0);
        if leap || point.is_err() {
            last.fill(None);
        }
        let Ok(linearized) = point else { continue };
        if last.iter().all(Option::is_none) {
            out.extend(vec![vec![[f64::NAN; 2]; points.len()]; most]);
        }
        let first = out.len() - most;
        let eigenvalues = mode_eigenvalues(linearized);
        let expected: Vec<Option<Root>> = last
            .iter()
            .map(|l| {
                l.map(|(now, before)| before.map_or(now, |b| [2.0 * now[0] - b[0], 2.0 * now[1] - b[1]]))
            })
            .collect();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (branch, expected) in expected.iter().enumerate() {
            for (i, root) in eigenvalues.iter().enumerate() {
                // A branch without history takes the remaining eigenvalues in order.
                let far = expected
                    .map_or(f64::INFINITY, |e| eigenvalue_magnitude([e[0] - root[0], e[1] - root[1]]));
                pairs.push((far, branch, i));
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let (mut branch_taken, mut root_taken) = (vec![false; most], vec![false; eigenvalues.len()]);
        for (_, branch, i) in pairs {
            if branch_taken[branch] || root_taken[i] {
                continue;
            }
            (branch_taken[branch], root_taken[i]) = (true, true);
            out[first + branch][k] = eigenvalues[i];
            last[branch] = Some((eigenvalues[i], last[branch].map(|l| l.0)));
        }
    }
    out
}
