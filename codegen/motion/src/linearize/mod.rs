//! A mechanism linearised around a state, with its constraints; equilibria and steady motions.
//!
//! Problem: `δẋ = A δx + B δu + f₀`, `δy = C δx + D δu + y₀` at any state, in differences that are
//!          independent; states at which nothing accelerates.
//! Method:  the derivatives of the motion are recorded in a graph and interpreted (`derivatives`);
//!          what the constraints leave free is a basis with names (`reduce`); a trim is Newton's
//!          method with the same derivatives (`trim`); zero eigenvalues are split off by null spaces
//!          (`zeros`), the others follow from the real Schur form (`modes`).
//! States:  `δx` counts plain differences of coordinates, speeds and user states; of a unit quaternion `e` three angles δ,
//!          `e ⊗ (1, δ/2)`, in the axes of the child, with `δ̇ = δω − ω × δ`.
//!
//! ```
//! use dqdt_codegen::linearize::{LinearizeRequest, linearize};
//! use dqdt_codegen::{pipeline, read};
//!
//! let text = r#"
//!     name = "pendulum"
//!     gravity = [0, 0, -9.81]
//!     [bodies.bob]
//!     mass = 1
//!     center_of_mass = [0, 0, -0.5]
//!     [joints.pivot]
//!     type = "revolute"
//!     axis = "y"
//!     parent = "ground"
//!     child = "bob"
//!     coordinates = { names = ["angle"] }
//! "#;
//! let loaded = pipeline::build(&read::parse("pendulum.toml", text)?, "pendulum.toml")?;
//! let found = linearize(&loaded, &LinearizeRequest::default())?;
//! assert_eq!(found.states, ["angle", "angle_dot"]);
//! assert_eq!(found.a, [[0.0, 1.0], [-9.81 / 0.5, 0.0]]);
//! let frequency = found.modes[0].value[1].abs();
//! assert!((frequency - (9.81f64 / 0.5).sqrt()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod derivatives;
mod error;
mod limits;
mod modes;
mod names;
mod reduce;
mod residual;
mod slopes;
#[doc(hidden)]
pub mod sweep;
mod trim;
mod zeros;

pub use error::LinearizeError;
#[doc(hidden)]
pub use limits::at_limits;
#[doc(hidden)]
pub use modes::MOST_STATES;
pub use modes::Mode;
pub use trim::Trimmed;

use crate::simulate::{Start, Values};
use derivatives::{Derivatives, Point};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::mechanism::{Mechanism, SpeedId};
use names::Names;
use residual::Residual;

/// Where to linearise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinearizeRequest {
    /// Values instead of those of the spec. A state that does not fulfil the constraints is brought onto them.
    pub at: Values,
    /// What may change so that nothing accelerates: names of coordinates, speeds, user states and inputs. Nothing: the state stays.
    pub trim: Vec<String>,
    /// States that are to be independent, as far as the constraints allow.
    pub independent: Vec<String>,
}

/// What kind of state it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Nothing moves.
    Equilibrium,
    /// Independent speeds stay as they are; coordinates run on.
    SteadyMotion,
    /// Nothing accelerates at this instant, but the accelerations change as the coordinates run on.
    Instant,
    /// Independent speeds stay as they are, but `A` changes as the coordinates run on, as where speeds are counted in axes that spin: its
    /// eigenvalues do not tell whether the motion is stable.
    Turning,
    /// Something accelerates.
    Moving,
}

/// An entry of the outputs that has no finite derivative at the point.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WithoutSlope {
    /// The entry of the outputs.
    pub output: String,
    /// The state or input by which its derivative is not finite, the first of them.
    pub by: String,
}

/// `δẋ = A δx + B δu + f₀`, `δy = C δx + D δu + y₀`. Matrices are lists of rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Linearized {
    /// The independent entries of `δx`.
    pub states: Vec<String>,
    /// The inputs.
    pub inputs: Vec<String>,
    /// The entries of the outputs.
    pub outputs: Vec<String>,
    /// `A`
    pub a: Vec<Vec<f64>>,
    /// `B`
    pub b: Vec<Vec<f64>>,
    /// `C`; rows of [`Linearized::without_slope`] have entries that are not finite.
    pub c: Vec<Vec<f64>>,
    /// `D`, likewise.
    pub d: Vec<Vec<f64>>,
    /// Entries of the outputs whose rows of C or D are not finite.
    pub without_slope: Vec<WithoutSlope>,
    /// `f₀`: the rates of the states at the point; of an attitude its angular velocity.
    pub drift: Vec<f64>,
    /// What kind of state it is, the time standing still.
    pub kind: Kind,
    /// Places in `drift` of the rates that are more than rounding.
    pub moving: Vec<usize>,
    /// `y₀`
    pub output: Vec<f64>,
    /// The point: time, state, inputs and parameters.
    pub at: Arguments,
    /// States that follow from the others by the constraints.
    pub dependent: Vec<String>,
    /// The smallest pivot by which they follow, over the largest entry of its row; one without constraints. Where it is small the
    /// pose is close to one at which the constraints lose rank, and as many digits are lost.
    pub smallest_pivot: f64,
    /// The mechanism depends on time: it stands still here.
    pub depends_on_time: bool,
    /// Eigenvalues of `A` with their vectors, the least damped first; none of more than 400 states, which would take minutes.
    pub modes: Vec<Mode>,
    /// What the trim found, if one was asked for.
    pub trim: Option<Trimmed>,
}

/// Linearises a mechanism.
///
/// # Errors
/// If there is no such state, no unique accelerations there, or no steady state near by; if equations or matrices would outgrow memory.
pub fn linearize(loaded: &Assembled, request: &LinearizeRequest) -> Result<Linearized, LinearizeError> {
    pipeline::check_functions(loaded, &[functions::DQDT])?;
    let mut derivatives = Derivatives::of(loaded)?;
    let start = Start::of_values(loaded, derivatives.program(), &request.at)?;
    around(loaded, &mut derivatives, start, request)
}

/// The same from a state that was read before.
#[doc(hidden)]
pub fn around(
    loaded: &Assembled,
    derivatives: &mut Derivatives,
    mut start: Start,
    request: &LinearizeRequest,
) -> Result<Linearized, LinearizeError> {
    start.assemble(loaded)?;
    let mut at = start.arguments;
    let independent = match request.independent.is_empty() {
        true => independent_by_spec(loaded, derivatives.names()),
        false => request.independent.clone(),
    };
    let (trim, held) = if request.trim.is_empty() {
        (None, independent)
    } else {
        let limits = limits::limits(&loaded.mechanism, &at);
        let found = trim::trim(derivatives, &mut at, (&request.trim, &independent), &limits);
        let (trim, held) = found.map_err(|e| limited(e, &loaded.mechanism, &at, &request.trim))?;
        (Some(trim), [&independent[..], &held].concat())
    };
    let point = derivatives.at(&at)?;
    let names = derivatives.names();
    let chosen = reduce::independent(&point, names, &held)?;
    if let Some(trimmed) = &trim
        && let Some(left) = accelerating(derivatives, (&point, &at), &chosen.states)
    {
        return Err(left.not_steady(trimmed.steps));
    }
    let rows = |m: &[Vec<f64>]| chosen.states.iter().map(|i| m[*i].clone()).collect::<Vec<_>>();
    let a = reduce::product(&rows(&point.a), &chosen.basis);
    let drift: Vec<f64> = chosen.states.iter().map(|i| point.rates[*i]).collect();
    let modes = modes::modes(&a);
    let (mut kind, moving) = kind(derivatives, (&point, &at), &chosen.states, &a, &modes);
    if kind == Kind::SteadyMotion && turns(derivatives, (&point, &at), &chosen.states, &a, &modes) {
        kind = Kind::Turning;
    }
    let names = derivatives.names();
    let name = |list: &[usize]| -> Vec<String> { list.iter().map(|i| names.states[*i].clone()).collect() };
    let (c, d) = (reduce::product(&point.c, &chosen.basis), point.d.clone());
    Ok(Linearized {
        without_slope: without_slope(&names.outputs, [(&c, &name(&chosen.states)), (&d, &names.inputs)]),
        states: name(&chosen.states),
        inputs: names.inputs.clone(),
        outputs: names.outputs.clone(),
        b: rows(&point.b),
        c,
        d,
        drift,
        kind,
        moving,
        output: point.outputs.clone(),
        dependent: name(&chosen.dependent),
        smallest_pivot: chosen.smallest_pivot,
        depends_on_time: derivatives.depends_on_time(),
        modes,
        a,
        at,
        trim,
    })
}

/// Entries of the outputs whose rows of these matrices, each with the names of its columns, are not finite.
fn without_slope(outputs: &[String], matrices: [(&[Vec<f64>], &[String]); 2]) -> Vec<WithoutSlope> {
    let by = |i: usize| {
        matrices.into_iter().find_map(|(rows, columns)| {
            let j = rows.get(i)?.iter().position(|x| !x.is_finite())?;
            columns.get(j).cloned()
        })
    };
    let outputs = outputs.iter().enumerate();
    outputs.filter_map(|(i, name)| Some(WithoutSlope { output: name.clone(), by: by(i)? })).collect()
}

/// With the inputs that a trim drove beyond their limits, where they act no more.
fn limited(e: LinearizeError, m: &Mechanism, reached: &Arguments, free: &[String]) -> LinearizeError {
    match e {
        LinearizeError::NotSteady { name, quantity, residual, unit, tolerance, steps, .. } => {
            let inputs = limits::at_limits(m, reached).into_iter().filter(|u| free.contains(&u.name));
            let beyond = inputs.map(|u| u.to_string()).collect();
            LinearizeError::NotSteady { name, quantity, residual, unit, tolerance, steps, beyond }
        }
        e => e,
    }
}

/// The speeds that the spec drives, then those that it does not eliminate, with the coordinates of the driven ones where both are
/// counted alike.
fn independent_by_spec(loaded: &Assembled, names: &Names) -> Vec<String> {
    let m = &loaded.mechanism;
    let eliminated: Vec<SpeedId> = loaded.partition.eliminated.iter().map(|p| p.speed()).collect();
    let others =
        m.speed_ids().filter(|s| !eliminated.is_empty() && !eliminated.contains(s) && !m.driven.contains(s));
    let speeds = m.driven.iter().copied().chain(others).map(|s| m.speeds[s].name.clone());
    let alike = names.coordinates == names.speeds;
    let coordinates = m.driven.iter().filter(|_| alike).filter_map(|s| names.states.get(s.index()).cloned());
    speeds.chain(coordinates).collect()
}

/// A trim that ended where something accelerates by more than this share of what the state does to it found no steady state: where the
/// constraints lose rank speeds that were independent at the start say nothing of the others.
const FOUND: f64 = 1e-6;

/// The independent speed or user state that still changes most, beyond the tolerance.
fn accelerating(
    derivatives: &Derivatives,
    (point, at): (&Point, &Arguments),
    states: &[usize],
) -> Option<Residual> {
    let scales = derivatives.scales(point, at);
    let share = |i: usize| point.rates[i].abs() / scales.rates[i].max(f64::MIN_POSITIVE);
    let of_speeds = states.iter().copied().filter(|i| *i >= point.coordinates);
    let worst = of_speeds.max_by(|a, b| share(*a).total_cmp(&share(*b)))?;
    let tolerance = FOUND * scales.rates[worst];
    (share(worst) > FOUND).then(|| Residual::of_rate(derivatives, worst, point.rates[worst], tolerance))
}

/// Below this share of what the state does to it a rate is none.
const STILL: f64 = 1e-9;

/// What kind of state it is, and which of its rates are more than rounding.
fn kind(
    derivatives: &Derivatives,
    (point, at): (&Point, &Arguments),
    states: &[usize],
    a: &[Vec<f64>],
    modes: &[Mode],
) -> (Kind, Vec<usize>) {
    let scales = derivatives.scales(point, &derivatives.within_a_turn(at));
    let pace = modes::largest(a, modes);
    let moves = |i: usize| {
        let scale = match derivatives.units()[i] {
            // A speed is compared with that of the mechanism's own motions.
            unit if unit > 0.0 => 0.1 * unit * pace,
            _ => scales.rates[i],
        };
        point.rates[i].abs() > STILL * scale
    };
    let moving: Vec<usize> = (0..states.len()).filter(|k| moves(states[*k])).collect();
    let is_coordinate = |k: usize| states[k] < point.coordinates;
    if moving.is_empty() {
        return (Kind::Equilibrium, moving);
    }
    if moving.iter().any(|k| !is_coordinate(*k)) {
        return (Kind::Moving, moving);
    }
    // The accelerations along the motion.
    let changes = (0..states.len()).filter(|k| !is_coordinate(*k)).any(|k| {
        let terms = moving.iter().map(|j| a[k][*j] * point.rates[states[*j]]);
        let size: f64 = terms.clone().map(f64::abs).sum();
        terms.sum::<f64>().abs() > 1e-8 * size
    });
    (if changes { Kind::Instant } else { Kind::SteadyMotion }, moving)
}

/// By which part of the pace of a motion it is followed to see whether `A` changes, in radians or sizes of the mechanism.
const FOLLOWED: f64 = 1e-4;
/// Below this share of its largest entry `A` does not change: a straight step leaves curved constraints by the square of its length.
const UNCHANGED: f64 = 1e-7;

/// True if `A` changes as coordinates run on.
fn turns(
    derivatives: &mut Derivatives,
    (point, at): (&Point, &Arguments),
    states: &[usize],
    a: &[Vec<f64>],
    modes: &[Mode],
) -> bool {
    let coordinates = point.rates.iter().zip(derivatives.units()).take(point.coordinates);
    let quickest = coordinates.map(|(rate, unit)| if *unit > 0.0 { rate.abs() / unit } else { 0.0 });
    let pace = quickest.chain([modes::largest(a, modes)]).fold(0.0, f64::max);
    if pace == 0.0 {
        return false;
    }
    let mut dx: Vec<f64> = point.rates.iter().map(|rate| rate * FOLLOWED / pace).collect();
    dx[point.coordinates..].fill(0.0);
    let further = derivatives.moved(at, &dx, &[]);
    let Ok(next) = derivatives.at(&further) else { return false };
    let names = derivatives.names();
    let held: Vec<String> = states.iter().map(|i| names.states[*i].clone()).collect();
    let Ok(chosen) = reduce::independent(&next, names, &held) else { return false };
    if chosen.states != states {
        return false;
    }
    let rows: Vec<Vec<f64>> = chosen.states.iter().map(|i| next.a[*i].clone()).collect();
    let after = reduce::product(&rows, &chosen.basis);
    // In units in which rows and columns have about the same size.
    let n = a.len();
    let mut sizes = nalgebra::DMatrix::from_fn(n, n, |i, j| a[i][j].abs().max(after[i][j].abs()));
    let scale = modes::balanced(&mut sizes);
    let largest = sizes.iter().fold(0.0f64, |m, x| m.max(*x));
    let change = |i: usize, j: usize| (after[i][j] - a[i][j]).abs() * scale[j] / scale[i];
    (0..n).any(|i| (0..n).any(|j| change(i, j) > UNCHANGED * largest))
}

/// What a command needs beside [`around`].
#[doc(hidden)]
pub fn derivatives(loaded: &Assembled) -> Result<Derivatives, LinearizeError> {
    Derivatives::of(loaded)
}
