//! Simulation of a mechanism by the interpreter: no code is emitted or compiled.
//!
//! Problem: the motion from a start over a span of time, with events and constraints, and signals
//! evaluated along it. Input and output are data; presentation is left to the command line.
//! Method:  the functions are derived as for emission and interpreted (`ir::Machine`). `start`
//! assembles the start state, `motion` integrates (DOP853, or Radau IIA for stiff equations),
//! `signals` evaluates the other quantities along the motion.
//!
//! ```
//! use dqdt_codegen::simulate::{SimulationRequest, simulate};
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
//!     coordinates = { names = ["angle"], start = ["10 deg"] }
//! "#;
//! let loaded = pipeline::build(&read::parse("pendulum.toml", text)?, "pendulum.toml")?;
//! let found = simulate(&loaded, &SimulationRequest::until(2.0))?;
//! assert_eq!(found.layout.q[0].name, "angle");
//! // Half a metre swings within 1.42 s: after one period it is where it was.
//! let period = found.motion.times.iter().position(|t| *t > 1.42).unwrap();
//! assert!((found.motion.states[period][0] - 10f64.to_radians()).abs() < 0.01);
//! // Nothing does work, so the energy stays.
//! let total = |e: &[f64; 2]| e[0] + e[1];
//! let energy = &found.signals.energy;
//! assert!((total(energy.last().unwrap()) - total(&energy[0])).abs() < 1e-7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrows;
mod constraints;
mod control;
mod curves;
mod discontinuities;
mod discontinuous_formulas;
mod effective_inputs;
mod events;
mod feedback;
mod jacobian;
mod motion;
mod output_times;
mod projection;
mod runnable;
mod signals;
mod start;
mod stiffness;
mod stop_loads;

#[doc(hidden)]
pub use arrows::{ArrowGroup, motion_arrows};
#[doc(hidden)]
pub use constraints::Constraints;
#[doc(hidden)]
pub use control::{Control, ControlSource};
#[doc(hidden)]
pub use curves::{Curve, motion_curves};
#[doc(hidden)]
pub use discontinuities::{count_distinct_times, discontinuity_times};
pub use dqdt::integrate::Method;
#[doc(hidden)]
pub use feedback::{Feedback, FeedbackLaw, GainError, InputSetting, read_feedback_file};
pub use motion::{Motion, Span, SpanError, Stop};
#[doc(hidden)]
pub use motion::{integrate_controlled_motion, integrate_motion, integrate_prepared_motion};
#[doc(hidden)]
pub use projection::speeds_by_kinetic_energy;
#[doc(hidden)]
pub use runnable::RunnableProgram;
pub use signals::{Signal, SignalGroup, Signals};
#[doc(hidden)]
pub use start::Start;
pub use start::{NoStart, Values};
#[doc(hidden)]
pub use start::{complete_from_spec, constraint_manifold};
#[doc(hidden)]
pub use stiffness::detect_stiffness;

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, Derived, FormalismChoice};
use dqdt_graph::ir::{Evaluation, Layout};
use dqdt_mechanics::formalism::Formalism;

/// Options of a simulation by [`simulate`].
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationRequest {
    /// Choice of the formalism for the simulation. The default, [`FormalismChoice::Quick`], avoids
    /// the search for the cheapest one, since no code is printed.
    pub formalism: FormalismChoice,
    /// Time span, output step, tolerances and integration method.
    pub span: Span,
    /// Overrides of the start state, inputs and parameters of the spec.
    pub values: Values,
    /// Groups of signals to evaluate along the motion, in addition to energies and outputs.
    pub with: Vec<SignalGroup>,
    /// Evaluation of the equations; the motion is the same to the last bit.
    #[doc(hidden)]
    pub evaluation: Evaluation,
}

impl Default for SimulationRequest {
    fn default() -> Self {
        SimulationRequest {
            formalism: FormalismChoice::Quick,
            span: Span::default(),
            values: Values::default(),
            with: Vec::new(),
            evaluation: Evaluation::default(),
        }
    }
}

impl SimulationRequest {
    /// Request with default options: from the start of the spec to the time `t_end` \[s\].
    pub fn until(t_end: f64) -> Self {
        SimulationRequest { span: Span::until(t_end), ..SimulationRequest::default() }
    }
}

/// Result of a simulation: a motion, its layout, and the signals along it.
#[derive(Debug)]
pub struct Simulated {
    /// The formalism that derived the equations.
    pub formalism: Formalism,
    /// Names and units of the state entries: coordinates, speeds, then user states.
    pub layout: Layout,
    /// The simulated motion; [`Motion::stopped`] is the reason if it ended early.
    pub motion: Motion,
    /// Energies, outputs and the other requested signals along the motion.
    pub signals: Signals,
}

/// Reason why a simulation could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// The equations cannot be derived: they would exceed the memory.
    #[error("{0}")]
    Spec(Errors),
    /// The start state cannot be assembled onto the constraints.
    #[error("{0}")]
    Start(#[from] NoStart),
    /// The time span of the request is invalid.
    #[error("{0}")]
    Span(#[from] SpanError),
}

/// Simulates a mechanism by interpretation: integrates its motion and evaluates signals.
///
/// # Errors
/// If the equations cannot be derived or the start cannot be assembled. A motion that ends early is
/// no error.
pub fn simulate(loaded: &Assembled, request: &SimulationRequest) -> Result<Simulated, SimulateError> {
    request.span.check()?;
    let Derived { formalism, mut program } =
        derive_simulation_functions(loaded, request.formalism, &request.with, request.span.method)
            .map_err(SimulateError::Spec)?;
    program.evaluation = request.evaluation;
    let mut start = Start::from_values(loaded, &program.layout, &request.values)?;
    start.assemble(loaded)?;
    start.check_stops(&program)?;
    let stops = discontinuity_times(&loaded.mechanism, &start.arguments, request.span.t_end);
    let runnable = RunnableProgram::new(&program);
    let motion = integrate_prepared_motion(
        &runnable,
        &start.arguments,
        (&request.span, &[]),
        &stops,
        (&|_| (), &|| pipeline::form_that_keeps_digits(loaded, formalism)),
        None,
    );
    let signals = Signals::evaluate_prepared(loaded, &runnable, &start.arguments, &motion, &request.with);
    Ok(Simulated { formalism, layout: program.layout, motion, signals })
}

/// Derives the functions that a simulation calls: rates, constraints, events, energies and
/// requested signals.
///
/// # Errors
/// If the equations would exceed the memory.
#[doc(hidden)]
pub fn derive_simulation_functions(
    loaded: &Assembled,
    choice: FormalismChoice,
    with: &[SignalGroup],
    method: Method,
) -> Result<Derived, Errors> {
    // The formalism is chosen for the default functions only; power and reactions do not affect the
    // choice.
    let formalism = pipeline::choose(loaded, choice, &functions::defaults())?;
    let mut all = functions::defaults();
    all.push(functions::POWER);
    if with.contains(&SignalGroup::Reactions) {
        all.push(functions::REACTIONS);
    }
    if with.contains(&SignalGroup::Inputs) || with.contains(&SignalGroup::Definitions) {
        all.push(effective_inputs::EFFECTIVE_INPUTS);
    }
    if method == Method::Radau {
        all.push(jacobian::RATES_BY_STATE);
    }
    Ok(Derived { formalism, program: pipeline::program_to_run(loaded, formalism, &all)? })
}
