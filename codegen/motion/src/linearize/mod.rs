//! Linearisation of a mechanism around a state, with its constraints; search for equilibria and
//! steady motions.
//!
//! Problem: `δẋ = A δx + B δu + f₀`, `δy = C δx + D δu + y₀` at any state, in independent
//! differences; states without accelerations (trim).
//! Method:  the derivatives of the motion are recorded in a graph and interpreted (`derivatives`).
//! The constraints leave a null space, whose basis consists of named states (`reduce`). A trim is
//! Newton's method with the same derivatives (`trim`). Zero eigenvalues are split off by null
//! spaces (`zeros`), the others follow from the real Schur form (`modes`).
//! States:  `δx` has plain differences of coordinates, speeds and user states. A unit quaternion
//! `e` contributes three angles δ, `e ⊗ (1, δ/2)`, in child axes, with `δ̇ = δω − ω × δ`.
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
pub use limits::find_inputs_at_limits;
#[doc(hidden)]
pub use modes::MOST_STATES;
pub use modes::Mode;
pub use trim::Trimmed;

use crate::simulate::{Start, Values};
use derivatives::{Derivatives, PointValues};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::mechanism::{Mechanism, SpeedId};
use names::MatrixNames;
use residual::Residual;

/// State at which to linearise, and options of the linearisation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinearizeRequest {
    /// Overrides of the start state and the parameters of the spec, at which to linearise. A state
    /// that violates the constraints is projected onto them.
    pub at: Values,
    /// Names of the states and inputs that the trim may change to remove accelerations. No trim if
    /// empty.
    pub trim: Vec<String>,
    /// Names of the states that should be independent, in order of preference, as far as the
    /// constraints allow.
    pub independent: Vec<String>,
}

/// Kind of the state at which a mechanism was linearised; it decides if eigenvalues of `A` say
/// something about stability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Equilibrium: all states are constant.
    Equilibrium,
    /// Steady motion: independent speeds are constant, coordinates change.
    SteadyMotion,
    /// Independent accelerations vanish at this instant only; they change as the coordinates do.
    Instant,
    /// Independent speeds are constant, but `A` changes with the coordinates, for example if speeds
    /// are components in spinning axes. The eigenvalues of `A` then do not decide stability.
    Turning,
    /// Some independent speed or user state has a rate that is not zero.
    Moving,
}

impl Kind {
    /// The kind in words, such as `steady motion`.
    #[doc(hidden)]
    pub fn description(self) -> &'static str {
        match self {
            Kind::Equilibrium => "equilibrium",
            Kind::SteadyMotion => "steady motion",
            Kind::Instant => "steady at this instant only",
            Kind::Turning => "steady motion along which A changes",
            Kind::Moving => "moving",
        }
    }
}

/// An output entry whose derivative is not finite at the point of linearisation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WithoutSlope {
    /// Name of the output entry, a row of C and D.
    pub output: String,
    /// Name of the first state or input by which its derivative is not finite.
    pub by: String,
}

/// Linearised equations `δẋ = A δx + B δu + f₀`, `δy = C δx + D δu + y₀`. Matrices are lists of
/// rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Linearized {
    /// Names of the independent entries of `δx`.
    pub states: Vec<String>,
    /// Names of the inputs, the columns of B and D.
    pub inputs: Vec<String>,
    /// Names of the output entries, the rows of C and D.
    pub outputs: Vec<String>,
    /// Matrix `A`: states × states.
    pub a: Vec<Vec<f64>>,
    /// Matrix `B`: states × inputs.
    pub b: Vec<Vec<f64>>,
    /// Matrix `C`: outputs × states. The rows of [`Linearized::without_slope`] may have entries
    /// that are not finite.
    pub c: Vec<Vec<f64>>,
    /// Matrix `D`: outputs × inputs. The rows of [`Linearized::without_slope`] may have entries
    /// that are not finite.
    pub d: Vec<Vec<f64>>,
    /// Output entries whose rows of C or D are not finite.
    pub without_slope: Vec<WithoutSlope>,
    /// `f₀`: rates of the independent states at the point; for an attitude, its angular velocity.
    pub drift: Vec<f64>,
    /// Kind of the state at which the linearisation was made, at fixed time.
    pub kind: Kind,
    /// Indices into `drift` of the states that move: their rates exceed rounding.
    pub moving: Vec<usize>,
    /// `y₀`: output values at the point.
    pub output: Vec<f64>,
    /// The point: time, state, inputs and parameters.
    pub at: Arguments,
    /// Names of the states that depend on the independent ones through the constraints.
    pub dependent: Vec<String>,
    /// Smallest pivot of the elimination, relative to the largest entry of its row; 1 without
    /// constraints. A small value means that the constraints nearly lose rank, which costs as many
    /// digits.
    pub smallest_pivot: f64,
    /// True if the equations depend explicitly on time; the linearisation is at fixed time.
    pub depends_on_time: bool,
    /// Eigenvalues and eigenvectors of `A`, largest real part first. Empty for more than 400
    /// states, which would take minutes.
    pub modes: Vec<Mode>,
    /// Result of the trim, if one was requested.
    pub trim: Option<Trimmed>,
    /// Start values that the constraints moved, as a text in lines; none after a trim, to which
    /// they are only guesses.
    pub start_note: Option<String>,
}

/// Linearises a mechanism around a state, after a trim if requested.
///
/// # Errors
/// If the start cannot be assembled, accelerations are not unique, or the trim finds no steady
/// state; if equations or matrices would exceed the memory.
pub fn linearize(loaded: &Assembled, request: &LinearizeRequest) -> Result<Linearized, LinearizeError> {
    pipeline::check_functions(loaded, &[functions::DQDT])?;
    let mut derivatives = Derivatives::new(loaded)?;
    let start = Start::from_values(loaded, &derivatives.program().layout, &request.at)?;
    linearize_around(loaded, &mut derivatives, start, request)
}

/// Variant of [`linearize`] with functions that are already derived and a start state that was
/// already read. Used by the command and by sweeps.
#[doc(hidden)]
pub fn linearize_around(
    loaded: &Assembled,
    derivatives: &mut Derivatives,
    mut start: Start,
    request: &LinearizeRequest,
) -> Result<Linearized, LinearizeError> {
    let is_assembled = start.assemble(loaded)?.is_some();
    let start_note = match is_assembled && request.trim.is_empty() {
        true => start.note_changes(loaded).map(|note| note.render(false)),
        false => None,
    };
    let mut at = start.arguments;
    let independent = match request.independent.is_empty() {
        true => preferred_independent_states(loaded, derivatives.names()),
        false => request.independent.clone(),
    };
    let (trim, preferred) = if request.trim.is_empty() {
        (None, independent)
    } else {
        let limits = limits::input_limits(&loaded.mechanism, &at);
        let (trimmed, steady) = trim::trim(derivatives, &mut at, (&request.trim, &independent), &limits)
            .map_err(|e| add_reached_limits(e, &loaded.mechanism, &at, &request.trim))?;
        (Some(trimmed), [&independent[..], &steady].concat())
    };
    let point = derivatives.evaluate(&at)?;
    let names = derivatives.names();
    let choice = reduce::choose_independent_states(&point, names, &preferred)?;
    if let Some(trimmed) = &trim
        && let Some(residual) = largest_acceleration(derivatives, (&point, &at), &choice.states)
    {
        return Err(residual.into_error(trimmed.steps));
    }
    let rows = |m: &[Vec<f64>]| choice.states.iter().map(|i| m[*i].clone()).collect::<Vec<_>>();
    let a = reduce::matrix_product(&rows(&point.a), &choice.basis);
    let drift: Vec<f64> = choice.states.iter().map(|i| point.rates[*i]).collect();
    let modes = modes::compute_modes(&a);
    let (mut kind, moving) = classify_state(derivatives, (&point, &at), &choice.states, &a, &modes);
    if kind == Kind::SteadyMotion
        && do_matrices_change_along_motion(derivatives, (&point, &at), &choice.states, &a, &modes)
    {
        kind = Kind::Turning;
    }
    let names = derivatives.names();
    let name = |list: &[usize]| -> Vec<String> { list.iter().map(|i| names.states[*i].clone()).collect() };
    let (c, d) = (reduce::matrix_product(&point.c, &choice.basis), point.d.clone());
    Ok(Linearized {
        without_slope: outputs_without_slope(
            &names.outputs,
            [(&c, &name(&choice.states)), (&d, &names.inputs)],
        ),
        states: name(&choice.states),
        inputs: names.inputs.clone(),
        outputs: names.outputs.clone(),
        b: rows(&point.b),
        c,
        d,
        drift,
        kind,
        moving,
        output: point.outputs.clone(),
        dependent: name(&choice.dependent),
        smallest_pivot: choice.smallest_pivot,
        depends_on_time: derivatives.depends_on_time(),
        modes,
        a,
        at,
        trim,
        start_note,
    })
}

/// Output entries whose row in one of these matrices is not finite. Each matrix comes with the
/// names of its columns.
fn outputs_without_slope(outputs: &[String], matrices: [(&[Vec<f64>], &[String]); 2]) -> Vec<WithoutSlope> {
    let outputs = outputs.iter().enumerate();
    outputs
        .filter_map(|(i, name)| {
            let by = matrices.into_iter().find_map(|(rows, columns)| {
                let j = rows.get(i)?.iter().position(|x| !x.is_finite())?;
                columns.get(j).cloned()
            })?;
            Some(WithoutSlope { output: name.clone(), by })
        })
        .collect()
}

/// Adds to the error of a trim the free inputs that reached their limits, where they have no
/// further effect.
fn add_reached_limits(
    mut e: LinearizeError,
    m: &Mechanism,
    reached: &Arguments,
    free: &[String],
) -> LinearizeError {
    if let LinearizeError::NotSteady { beyond, .. } = &mut e {
        let inputs = limits::find_inputs_at_limits(m, reached).into_iter().filter(|u| free.contains(&u.name));
        *beyond = inputs.map(|u| u.to_string()).collect();
    }
    e
}

/// Preferred independent states of a linearisation if the request names none: the driven speeds of
/// the spec, then speeds that it does not eliminate, then the coordinates of all these if
/// coordinates and speeds correspond one to one.
fn preferred_independent_states(loaded: &Assembled, names: &MatrixNames) -> Vec<String> {
    let m = &loaded.mechanism;
    let eliminated: Vec<SpeedId> = loaded.partition.eliminated.iter().map(|p| p.speed()).collect();
    let others =
        m.speed_ids().filter(|s| !eliminated.is_empty() && !eliminated.contains(s) && !m.driven.contains(s));
    let speeds: Vec<SpeedId> = m.driven.iter().copied().chain(others).collect();
    let is_one_to_one = names.coordinates == names.speeds;
    let coordinates =
        speeds.iter().filter(|_| is_one_to_one).filter_map(|s| names.states.get(s.index()).cloned());
    speeds.iter().map(|s| m.speeds[*s].name.clone()).chain(coordinates).collect()
}

/// Relative acceleration above which the result of a trim is rejected. Where the constraints lose
/// rank, speeds that were independent at the start no longer determine the others.
const MOST_ACCELERATION: f64 = 1e-6;

/// The independent speed or user state with the largest relative rate after a trim, if it exceeds
/// [`MOST_ACCELERATION`].
fn largest_acceleration(
    derivatives: &Derivatives,
    (point, at): (&PointValues, &Arguments),
    states: &[usize],
) -> Option<Residual> {
    let scales = derivatives.reference_scales(point, at);
    let share = |i: usize| point.rates[i].abs() / scales.rates[i].max(f64::MIN_POSITIVE);
    let of_speeds = states.iter().copied().filter(|i| *i >= point.coordinates);
    let worst = of_speeds.max_by(|a, b| share(*a).total_cmp(&share(*b)))?;
    let tolerance = MOST_ACCELERATION * scales.rates[worst];
    (share(worst) > MOST_ACCELERATION)
        .then(|| Residual::from_rate(derivatives, worst, point.rates[worst], tolerance))
}

/// Relative rate below which a state counts as constant, to classify the point of a linearisation.
const STILL: f64 = 1e-9;

/// Kind of the state at the point of linearisation, and the indices of the independent states whose
/// rates exceed rounding.
fn classify_state(
    derivatives: &Derivatives,
    (point, at): (&PointValues, &Arguments),
    states: &[usize],
    a: &[Vec<f64>],
    modes: &[Mode],
) -> (Kind, Vec<usize>) {
    let scales = derivatives.reference_scales(point, &derivatives.limit_angles(at));
    let pace = modes::largest_eigenvalue(a, modes);
    let moving: Vec<usize> = (0..states.len())
        .filter(|k| {
            let i = states[*k];
            let scale = match derivatives.typical_sizes()[i] {
                // The rate of a coordinate is compared with the pace of the mechanism's own
                // motions.
                size if size > 0.0 => 0.1 * size * pace,
                _ => scales.rates[i],
            };
            point.rates[i].abs() > STILL * scale
        })
        .collect();
    let is_coordinate = |k: usize| states[k] < point.coordinates;
    if moving.is_empty() {
        return (Kind::Equilibrium, moving);
    }
    if moving.iter().any(|k| !is_coordinate(*k)) {
        return (Kind::Moving, moving);
    }
    // Rate of change of the accelerations along the motion: speed rows of `A` times the rates of
    // the coordinates.
    let changes = (0..states.len()).filter(|k| !is_coordinate(*k)).any(|k| {
        let terms = moving.iter().map(|j| a[k][*j] * point.rates[states[*j]]);
        let size: f64 = terms.clone().map(f64::abs).sum();
        terms.sum::<f64>().abs() > 1e-8 * size
    });
    (if changes { Kind::Instant } else { Kind::SteadyMotion }, moving)
}

/// Length of the step along the motion by which the test that `A` changes is made, in radians or
/// sizes of the mechanism.
const FOLLOWED: f64 = 1e-4;
/// Relative change of `A` along the motion below which it counts as constant. It cannot be smaller,
/// because a straight step leaves curved constraints by the square of its length.
const UNCHANGED: f64 = 1e-7;

/// True if the matrix `A` changes along the motion, so that its eigenvalues do not decide
/// stability.
fn do_matrices_change_along_motion(
    derivatives: &mut Derivatives,
    (point, at): (&PointValues, &Arguments),
    states: &[usize],
    a: &[Vec<f64>],
    modes: &[Mode],
) -> bool {
    let coordinates = point.rates.iter().zip(derivatives.typical_sizes()).take(point.coordinates);
    let paces = coordinates.map(|(rate, size)| if *size > 0.0 { rate.abs() / size } else { 0.0 });
    let pace = paces.chain([modes::largest_eigenvalue(a, modes)]).fold(0.0, f64::max);
    if pace == 0.0 {
        return false;
    }
    let mut dx: Vec<f64> = point.rates.iter().map(|rate| rate * FOLLOWED / pace).collect();
    dx[point.coordinates..].fill(0.0);
    let further = derivatives.displaced_point(at, &dx, &[]);
    let Ok(next) = derivatives.evaluate(&further) else { return false };
    let names = derivatives.names();
    let preferred: Vec<String> = states.iter().map(|i| names.states[*i].clone()).collect();
    let Ok(choice) = reduce::choose_independent_states(&next, names, &preferred) else { return false };
    if choice.states != states {
        return false;
    }
    let rows: Vec<Vec<f64>> = choice.states.iter().map(|i| next.a[*i].clone()).collect();
    let after = reduce::matrix_product(&rows, &choice.basis);
    // Balance rows and columns, so that their units do not matter.
    let n = a.len();
    let mut sizes = nalgebra::DMatrix::from_fn(n, n, |i, j| a[i][j].abs().max(after[i][j].abs()));
    let scale = modes::balance_matrix(&mut sizes);
    let largest = sizes.iter().fold(0.0f64, |m, x| m.max(*x));
    (0..n).any(|i| (0..n).any(|j| (after[i][j] - a[i][j]).abs() * scale[j] / scale[i] > UNCHANGED * largest))
}

/// Derives the functions that a linearisation evaluates, for several linearisations or a sweep.
#[doc(hidden)]
pub fn derive_derivatives(loaded: &Assembled) -> Result<Derivatives, LinearizeError> {
    Derivatives::new(loaded)
}
