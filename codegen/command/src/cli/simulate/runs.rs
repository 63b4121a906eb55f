//! The motions of one command: one, or one per value of `--vary`.

use std::cell::Cell;
use std::io::IsTerminal;
use std::rc::Rc;

use indicatif::ProgressBar;

use super::options::{MethodName, Simulate};
use super::recorded_motion;
use super::vary::Vary;
use crate::cli::fixed_step::stabilisation_warnings;
use crate::cli::overrides;
use crate::cli::source::Failure;
use crate::cli::start::{
    default_values, print_move_note, read_start_state, start_failure, warn_violated_conditions,
};
use crate::cli::state_file::StateFile;
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{Arguments, Program};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{Formula, Mechanism, ParameterKind};
use dqdt_motion::simulate::{
    self, Control, ControlSource, Feedback, Motion, SignalGroup, Signals, Span, Stop,
};
pub use dqdt_spec::read::Series;
use dqdt_spec::read::overrides as spec_overrides;
use dqdt_spec::spec::Spec;

/// One simulated motion, with the program and arguments that it was computed from.
pub(super) struct MotionRun {
    /// Value of the quantity that `--vary` changes, in SI units; `label` shows it as the user wrote
    /// it.
    pub value: Option<f64>,
    pub label: String,
    pub loaded: Assembled,
    pub program: Rc<Program>,
    pub arguments: Arguments,
    pub motion: Motion,
    pub signals: Signals,
    /// Number of times at which integration steps end because an input has a kink or a jump.
    pub stops: usize,
    pub stopped: Option<Stop>,
    /// Message about stiffness, if it limited the steps of an explicit method.
    pub stiffness: Option<String>,
}

/// An assembled mechanism for one value of `--vary`, before its motion is computed.
pub(super) struct VariedMechanism {
    value: Option<f64>,
    label: String,
    loaded: Assembled,
}

impl VariedMechanism {
    pub(super) fn mechanism(&self) -> &Mechanism {
        &self.loaded.mechanism
    }
}

/// Assembles the spec of `dqdt simulate` for each value of `--vary`.
///
/// # Errors
/// All mistakes in the spec and in the overrides of the command line.
pub(super) fn assemble_mechanisms(
    command: &Simulate,
    motion: Option<&Series>,
) -> Result<Vec<VariedMechanism>, Failure> {
    let mut base = overrides::read_spec(&command.source, &command.parameters, &command.inputs)?;
    if let Some(table) = motion {
        spec_overrides::set_inputs_from_motion_table(&mut base, table);
    }
    let Some(vary) = &command.vary else {
        let loaded = overrides::assemble_spec(&command.source, &base)?;
        return Ok(vec![VariedMechanism { value: None, label: String::new(), loaded }]);
    };
    let is_input = base.inputs.iter().any(|u| u.name.value == vary.name);
    let specs: Vec<Spec> = vary
        .values
        .iter()
        .map(|value| {
            let (mut spec, text) = (base.clone(), [format!("{}={value}", vary.name)]);
            if is_input {
                spec_overrides::set_input_laws(&mut spec, "--vary", &text, false);
            } else {
                spec_overrides::override_parameters(&mut spec, "--vary", &text);
            }
            spec
        })
        .collect();
    let mut mechanisms = Vec::new();
    for (spec, text) in specs.iter().zip(&vary.values) {
        let loaded = overrides::assemble_spec(&command.source, spec)?;
        let value = varied_value(&loaded.mechanism, vary).ok_or_else(|| Failure::Option {
            option: "--vary",
            message: format!("`{text}` is not a number: `--vary` requires numbers as the values of an input"),
        })?;
        // A number without a unit is in the unit of the spec.
        let unit = declared_unit(spec, &vary.name);
        mechanisms.push(VariedMechanism {
            value: Some(value),
            label: run_label(&vary.name, text, &unit),
            loaded,
        });
    }
    Ok(mechanisms)
}

/// Value of the parameter or input that `--vary` changes, in SI units; `None` if it is no number.
fn varied_value(m: &Mechanism, vary: &Vary) -> Option<f64> {
    let parameter = m.parameters.iter().find(|p| p.name == vary.name).and_then(|p| match &p.kind {
        ParameterKind::Free(x) => Some(x.to_f64()),
        _ => None,
    });
    let input = || {
        let input = m.inputs.iter().find(|u| u.name == vary.name)?;
        Some(input.law.as_ref()?.as_number()?.to_f64())
    };
    parameter.or_else(input)
}

/// Unit of a parameter or an input as the spec declares it; empty without one.
fn declared_unit(spec: &Spec, name: &str) -> String {
    let parameters = spec.parameters.iter().map(|p| (&p.name, &p.unit));
    let mut all = parameters.chain(spec.inputs.iter().map(|u| (&u.name, &u.unit)));
    let unit = all.find(|(n, _)| n.value == name).and_then(|(_, unit)| unit.as_ref());
    unit.map_or_else(String::new, |u| u.text.value.clone())
}

fn run_label(name: &str, text: &str, unit: &str) -> String {
    let needs_unit = text.parse::<f64>().is_ok() && !matches!(unit, "" | "1");
    let shown = text.replace('-', "−");
    if needs_unit { format!("{name} = {shown} {unit}") } else { format!("{name} = {shown}") }
}

/// Integrates the motion of each mechanism, from the state of `--at` and with the feedback of
/// `--feedback` if given, and evaluates the signals of `groups`.
///
/// # Errors
/// If a mechanism cannot be derived or its start cannot be assembled. A motion that stops early is
/// no error.
pub(super) fn integrate_mechanisms(
    command: &Simulate,
    (at, motion, feedback): (Option<&StateFile>, Option<&Series>, Option<&Feedback>),
    mechanisms: Vec<VariedMechanism>,
    groups: &[SignalGroup],
    span: &Span,
) -> Result<Vec<MotionRun>, Failure> {
    let mut runs: Vec<MotionRun> = Vec::new();
    for VariedMechanism { value, label, loaded } in mechanisms {
        let same = runs.first().filter(|first| has_same_equations(&first.loaded, &loaded));
        let program = match same {
            Some(first) => Rc::clone(&first.program),
            None => {
                let choice = command.formalism.unwrap_or(FormalismChoice::Quick);
                let derivation = simulate::derive_simulation_functions(&loaded, choice, groups, span.method);
                let mut program = derivation.map_err(Failure::Spec)?.program;
                program.evaluation = command.evaluate.evaluation()?;
                Rc::new(program)
            }
        };
        let mut start = read_start_state(&loaded, &program.layout, default_arguments(&program, &loaded), at)?;
        warn_violated_conditions(&program, &start.arguments);
        start
            .assemble(&loaded)
            .map_err(|e| start_failure(e, at.map_or(&command.source.spec, |at| &at.place)))?;
        if motion.is_none() {
            let place = at.map_or(&command.source.spec, |at| &at.place);
            start.check_stops(&program).map_err(|e| start_failure(e, place))?;
            print_move_note(&loaded, &start);
        }
        let arguments = start.arguments;
        if let Some(step) = command.step {
            let diagnostics = stabilisation_warnings(&loaded, &arguments, step);
            if !diagnostics.is_empty() {
                let warnings = Errors { diagnostics, ..Errors::default() };
                dqdt_diagnostics::tell_on!("{}", warnings.render(std::io::stderr().is_terminal()));
            }
        }
        let bar = ProgressBar::new(1000);
        let shown = Cell::new(0);
        let stops = simulate::discontinuity_times(&loaded.mechanism, &arguments, span.t_end);
        let law = feedback.map(|f| f.build_law(&program, &arguments)).transpose().map_err(Failure::Spec)?;
        let control = Control {
            inputs: &|t, x, u| law.as_ref().map_or(Ok(()), |law| law.write_inputs(t, x, u)),
            source: ControlSource::Law,
        };
        let control = law.is_some().then_some(control);
        let mut motion = match (&command.motion, motion) {
            (Some(path), Some(table)) => {
                let motion = recorded_motion::motion_from_table(path, table, &program.layout)?;
                recorded_motion::print_column_notes(path, table, &program.layout, &loaded.mechanism);
                motion
            }
            _ => simulate::integrate_controlled_motion(
                &program,
                &arguments,
                span,
                &stops,
                (&|part| show_progress(&bar, &shown, part), &|| {
                    let formalism = Formalism::ALL.into_iter().find(|f| f.name() == program.formalism)?;
                    pipeline::form_that_keeps_digits(&loaded, formalism)
                }),
                control,
            ),
        };
        bar.finish_and_clear();
        let stopped = motion.stopped.take();
        // A motion that stopped states its reason; at a jump, differences would show decay.
        let is_explicit = command.method == MethodName::Dop853;
        let stiffness = (is_explicit && stopped.is_none())
            .then(|| simulate::detect_stiffness(&program, &arguments, &motion, control))
            .flatten()
            .map(|stiffness| stiffness.to_string());
        let signals = Signals::evaluate(&loaded, &program, &arguments, &motion, groups);
        let stops = simulate::count_distinct_times(&stops);
        runs.push(MotionRun {
            value,
            label,
            loaded,
            program,
            arguments,
            motion,
            signals,
            stops,
            stopped,
            stiffness,
        });
    }
    Ok(runs)
}

/// True if two mechanisms differ only in defaults of free parameters and in start values, so that
/// one program serves both.
fn has_same_equations(a: &Assembled, b: &Assembled) -> bool {
    a.partition == b.partition && without_defaults(&a.mechanism) == without_defaults(&b.mechanism)
}

/// The mechanism with zero for all defaults of free parameters and all start values, to compare
/// equations.
fn without_defaults(m: &Mechanism) -> Mechanism {
    let mut m = m.clone();
    let free = m.parameters.iter_mut().filter(|p| matches!(p.kind, ParameterKind::Free(_)));
    free.for_each(|p| p.kind = ParameterKind::Free(Number::ZERO));
    m.coordinates.iter_mut().for_each(|c| c.start = Formula::ZERO);
    m.speeds.iter_mut().for_each(|s| s.start = Formula::ZERO);
    m
}

/// Default arguments and start of this mechanism, for a program that may have been derived from
/// another one with the same equations.
fn default_arguments(program: &Program, loaded: &Assembled) -> Arguments {
    let l = dqdt_derivation::derive::vector_layout(&loaded.mechanism);
    let [q, v, z, u, p] = [&l.q, &l.v, &l.z, &l.u, &l.p].map(|slots| default_values(slots));
    Arguments { q, v, z, u, p, ..Arguments::defaults(program) }
}

/// Moves the bar to the completed part of a motion. The bar reads the clock, and the equations are
/// evaluated more often than it could show, so it is told only of a new position.
fn show_progress(bar: &ProgressBar, shown: &Cell<u64>, part: f64) {
    let position = (1000.0 * part) as u64;
    if shown.replace(position) != position {
        bar.set_position(position);
    }
}
