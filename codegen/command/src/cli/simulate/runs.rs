//! The motions of one command: one, or one per value of `--vary`.

use std::io::IsTerminal;
use std::rc::Rc;

use indicatif::ProgressBar;

use super::given_motion;
use super::options::Simulate;
use super::vary::Vary;
use crate::cli::at::At;
use crate::cli::fixed_step::quick_stabilisation;
use crate::cli::source::Failure;
use crate::cli::start::{no_start, read, tell_moves};
use crate::cli::{given, senseless};
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{Arguments, Program, Slot};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{Formula, Mechanism, ParameterKind};
use dqdt_motion::simulate::{self, Motion, SignalGroup, Signals, Span, Stop};
pub use dqdt_spec::read::{Series, overrides};
use dqdt_spec::spec::Spec;

/// One motion, with the program and arguments that it was computed from.
pub(super) struct Run {
    /// Value of `--vary` in SI units; `label` shows it as the user wrote it.
    pub value: Option<f64>,
    pub label: String,
    pub loaded: Assembled,
    pub program: Rc<Program>,
    pub arguments: Arguments,
    pub motion: Motion,
    pub signals: Signals,
    /// Number of times at which steps end because an input has a kink or a jump.
    pub stops: usize,
    pub stopped: Option<Stop>,
}

/// An assembled mechanism, for one value of `--vary`.
pub(super) struct Prepared {
    value: Option<f64>,
    label: String,
    loaded: Assembled,
}

impl Prepared {
    pub(super) fn mechanism(&self) -> &Mechanism {
        &self.loaded.mechanism
    }
}

/// Assembles the spec for each value of `--vary`.
///
/// # Errors
/// All mistakes in the spec and in the overrides of the command line.
pub(super) fn prepare(command: &Simulate, motion: Option<&Series>) -> Result<Vec<Prepared>, Failure> {
    let mut base = given::spec(&command.source, &command.parameters, &command.inputs)?;
    if let Some(table) = motion {
        overrides::set_inputs_from_motion(&mut base, table);
    }
    let Some(vary) = &command.vary else {
        let loaded = given::build(&command.source, &base)?;
        return Ok(vec![Prepared { value: None, label: String::new(), loaded }]);
    };
    let is_input = base.inputs.iter().any(|u| u.name.value == vary.name);
    let specs: Vec<Spec> = vary
        .values
        .iter()
        .map(|value| {
            let (mut spec, text) = (base.clone(), [format!("{}={value}", vary.name)]);
            if is_input {
                overrides::set_inputs(&mut spec, "--vary", &text, false);
            } else {
                overrides::override_parameters(&mut spec, "--vary", &text);
            }
            spec
        })
        .collect();
    let mut prepared = Vec::new();
    for (spec, text) in specs.iter().zip(&vary.values) {
        let loaded = given::build(&command.source, spec)?;
        let value = value_of(&loaded.mechanism, vary).ok_or_else(|| Failure::Option {
            option: "--vary",
            message: format!("`{text}` is not a number: inputs take numbers here"),
        })?;
        // A number without a unit is in the unit of the spec.
        let unit = unit_of(spec, &vary.name);
        prepared.push(Prepared { value: Some(value), label: label(&vary.name, text, &unit), loaded });
    }
    Ok(prepared)
}

/// Value of the varied parameter or input, in SI units.
fn value_of(m: &Mechanism, vary: &Vary) -> Option<f64> {
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

/// Unit of a parameter or an input in the spec.
fn unit_of(spec: &Spec, name: &str) -> String {
    let parameters = spec.parameters.iter().map(|p| (&p.name, &p.unit));
    let mut all = parameters.chain(spec.inputs.iter().map(|u| (&u.name, &u.unit)));
    let found = all.find(|(n, _)| n.value == name).and_then(|(_, unit)| unit.as_ref());
    found.map_or_else(String::new, |u| u.text.value.clone())
}

fn label(name: &str, text: &str, unit: &str) -> String {
    let bare = text.parse::<f64>().is_ok() && !matches!(unit, "" | "1");
    let shown = text.replace('-', "−");
    if bare { format!("{name} = {shown} {unit}") } else { format!("{name} = {shown}") }
}

/// Integrates each mechanism, from the state of `--at` if given, and evaluates the signals of
/// `groups`.
///
/// # Errors
/// If a mechanism cannot be derived or its start cannot be assembled. A motion that stops early is
/// no error.
pub(super) fn run(
    command: &Simulate,
    (at, motion): (Option<&At>, Option<&Series>),
    prepared: Vec<Prepared>,
    groups: &[SignalGroup],
    span: &Span,
) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    for Prepared { value, label, loaded } in prepared {
        let known = runs.first().filter(|first| same_equations(&first.loaded, &loaded));
        let program = match known {
            Some(first) => Rc::clone(&first.program),
            None => {
                let choice = command.formalism.unwrap_or(FormalismChoice::Quick);
                let derived =
                    simulate::derive(&loaded, choice, groups, span.method).map_err(Failure::Spec)?;
                Rc::new(derived.program)
            }
        };
        let mut start = read(&loaded, &program.layout, defaults(&program, &loaded), at)?;
        senseless::warn(&program, &start.arguments);
        start.assemble(&loaded).map_err(|e| no_start(e, at.map_or(&command.source.spec, |at| &at.place)))?;
        if motion.is_none() {
            let place = at.map_or(&command.source.spec, |at| &at.place);
            start.check_stops(&program).map_err(|e| no_start(e, place))?;
            tell_moves(&loaded, &start);
        }
        let arguments = start.arguments;
        if let Some(step) = command.step {
            let diagnostics = quick_stabilisation(&loaded, &arguments, step);
            if !diagnostics.is_empty() {
                let warnings = Errors { diagnostics, ..Errors::default() };
                dqdt_diagnostics::tell_on!("{}", warnings.render(std::io::stderr().is_terminal()));
            }
        }
        let bar = ProgressBar::new(1000);
        let progress = |part: f64| bar.set_position((1000.0 * part) as u64);
        let stops = simulate::breaks(&loaded.mechanism, &arguments, span.t_end);
        let other_form = || {
            let taken = Formalism::ALL.into_iter().find(|f| f.name() == program.formalism)?;
            pipeline::form_that_keeps_digits(&loaded, taken)
        };
        let mut motion = match (&command.motion, motion) {
            (Some(path), Some(table)) => {
                let made = given_motion::read(path, table, &program.layout)?;
                given_motion::tell(path, table, &program.layout, &loaded.mechanism);
                made
            }
            _ => simulate::integrate(&program, &arguments, span, &stops, &progress, &other_form),
        };
        bar.finish_and_clear();
        let stopped = motion.stopped.take();
        let signals = Signals::of(&loaded, &program, &arguments, &motion, groups);
        let stops = simulate::different(&stops);
        runs.push(Run { value, label, loaded, program, arguments, motion, signals, stops, stopped });
    }
    Ok(runs)
}

/// True if two mechanisms differ only in defaults of free parameters and in start values, so that
/// one program serves both.
fn same_equations(a: &Assembled, b: &Assembled) -> bool {
    let neutral = |m: &Mechanism| {
        let mut m = m.clone();
        let free = m.parameters.iter_mut().filter(|p| matches!(p.kind, ParameterKind::Free(_)));
        free.for_each(|p| p.kind = ParameterKind::Free(Number::ZERO));
        m.coordinates.iter_mut().for_each(|c| c.start = Formula::ZERO);
        m.speeds.iter_mut().for_each(|s| s.start = Formula::ZERO);
        m
    };
    a.partition == b.partition && neutral(&a.mechanism) == neutral(&b.mechanism)
}

/// Default arguments and start of this mechanism, for a program that may have been derived from
/// another one with the same equations.
fn defaults(program: &Program, loaded: &Assembled) -> Arguments {
    let own = dqdt_derivation::derive::layout(&loaded.mechanism);
    let values = |slots: &[Slot]| slots.iter().map(|s| s.value).collect::<Vec<_>>();
    let [q, v, z, u, p] = [&own.q, &own.v, &own.z, &own.u, &own.p].map(|slots| values(slots));
    Arguments { q, v, z, u, p, ..Arguments::defaults(program) }
}
