//! Motions of the points of a sweep, with equations that are derived and prepared once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::fingerprint::{SweepFingerprint, hash_mechanism, hash_of};
use super::points::Points;
use super::row::{FIRST_COLUMNS, PointResult, PointStatus, join_lines};
use crate::simulate::{
    Control, ControlSource, Motion, RunnableProgram, SignalGroup, Signals, Span, Start, Values,
    derive_simulation_functions, discontinuity_times, integrate_prepared_motion,
};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{Arguments, Evaluation, ParameterConditions};
use dqdt_mechanics::formalism::Formalism;

/// Options of a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct PointSweepOptions {
    /// End time, interval of the rows from which extrema are taken, tolerances, method.
    pub span: Span,
    /// Further times at which quantities are results \[s\].
    pub times: Vec<f64>,
    /// Groups of signals that can be shown, besides outputs.
    pub groups: Vec<SignalGroup>,
    /// Choice of the formalism.
    pub formalism: FormalismChoice,
    /// Evaluation of the equations; it has no effect on the results.
    pub evaluation: Evaluation,
}

/// Kind of a quantity along a motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurveKind {
    /// A coordinate.
    Coordinate,
    /// A speed.
    Speed,
    /// A user state.
    State,
    /// An energy, or the work of loads.
    Energy,
    /// A signal of a group.
    Signal(SignalGroup),
}

impl CurveKind {
    /// True if a sweep shows the quantity by default: not for energies.
    pub fn is_shown_by_default(self) -> bool {
        self != CurveKind::Energy
    }
}

/// Source of the values of a shown quantity in a motion.
#[derive(Clone, PartialEq, Debug)]
enum ShownQuantity {
    /// An entry of the state.
    State(usize),
    /// An entry of [`ENERGIES`].
    Energy(usize),
    /// The signal of this group and name.
    Signal(SignalGroup, String),
}

/// Names of the energies, in the order of [`energy_values`].
const ENERGIES: [&str; 5] = ["kinetic_energy", "potential_energy", "total_energy", "work", "balance"];

/// Energies from the kinetic and the potential one, and the work.
fn energy_values([kinetic, potential]: [f64; 2], work: f64) -> [f64; 5] {
    [kinetic, potential, kinetic + potential, work, kinetic + potential - work]
}

/// A mechanism and options, ready for the motions of points on any thread.
#[derive(Debug)]
pub struct PointSweep {
    loaded: Arc<Assembled>,
    program: RunnableProgram,
    conditions: Option<ParameterConditions>,
    options: PointSweepOptions,
    formalism: Formalism,
    /// A formalism that loses fewer digits; searched for at the first motion that asks for it.
    other_formalism: OnceLock<Option<Formalism>>,
    shown: Vec<ShownQuantity>,
    /// Names of the results.
    columns: Vec<String>,
    name: String,
    mechanism_hash: String,
}

/// Text of a motion that the caller ends; never shown.
const INTERRUPTED: &str = "interrupted";

impl PointSweep {
    /// Derives and prepares the equations. `is_shown` selects quantities by kind and name.
    ///
    /// # Errors
    /// If the equations cannot be derived.
    pub fn new(
        loaded: Arc<Assembled>,
        options: PointSweepOptions,
        is_shown: &dyn Fn(CurveKind, &str) -> bool,
    ) -> Result<Self, Errors> {
        let derivation =
            derive_simulation_functions(&loaded, options.formalism, &options.groups, options.span.method)?;
        let (formalism, mut program) = (derivation.formalism, derivation.program);
        program.evaluation = options.evaluation;
        let start = Start::from_spec(&loaded, Arguments::from_layout(&program.layout));
        let mechanism_hash = hash_mechanism(&program, &start);
        let runnable = RunnableProgram::new(&program);
        let (shown, names) = shown_quantities(&loaded, &runnable, &options.groups, is_shown);
        let mut sweep = PointSweep {
            conditions: program.parameter_checks.as_ref().and_then(|checks| ParameterConditions::new(checks)),
            name: program.name.clone(),
            program: runnable,
            loaded,
            options,
            formalism,
            other_formalism: OnceLock::new(),
            shown,
            columns: Vec::new(),
            mechanism_hash,
        };
        sweep.columns = sweep.result_names(&names);
        Ok(sweep)
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Assembled {
        &self.loaded
    }

    /// The prepared functions.
    pub fn program(&self) -> &RunnableProgram {
        &self.program
    }

    /// Names of the results: end time, final state, extrema, values at the further times.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Hash of the derived equations and of the start.
    pub fn mechanism_hash(&self) -> &str {
        &self.mechanism_hash
    }

    /// Names of the results for shown quantities of these names.
    fn result_names(&self, shown: &[String]) -> Vec<String> {
        let l = &self.program.layout;
        let state = l.q.iter().chain(&l.v).chain(&l.z).map(|s| format!("{}_final", s.name));
        let extrema = shown.iter().flat_map(|name| [format!("{name}_min"), format!("{name}_max")]);
        let times = self.options.times.iter();
        let at_times = times.flat_map(|t| shown.iter().map(move |name| format!("{name}_at_{t}")));
        let mut names: Vec<String> = FIRST_COLUMNS.map(str::to_owned).to_vec();
        for mut name in std::iter::once("t_final".to_owned()).chain(state).chain(extrema).chain(at_times) {
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        names.split_off(FIRST_COLUMNS.len())
    }

    /// SweepFingerprint of the sweep over these points.
    pub fn fingerprint(&self, points: &Points) -> SweepFingerprint {
        let Span { t_end, step, rtol, atol, method, rest_speed } = self.options.span;
        let options = format!(
            "{t_end:?} {step:?} {rtol:?} {atol:?} {method:?} {rest_speed:?} {:?}",
            self.options.times
        );
        SweepFingerprint {
            name: self.name.clone(),
            mechanism: self.mechanism_hash.clone(),
            options: hash_of([options.into_bytes(), self.columns.join(",").into_bytes()]),
            points: points.hash(),
            count: points.count(),
        }
    }

    /// The first two lines of a results file: fingerprint and names of the columns.
    pub fn head(&self, fingerprint: &SweepFingerprint) -> String {
        let names: Vec<&str> =
            FIRST_COLUMNS.into_iter().chain(self.columns.iter().map(String::as_str)).collect();
        format!("{fingerprint}\n{}\n", names.join(","))
    }

    /// Simulates the motion of a point; `None` if `stop` became true before its end.
    pub fn run_point(&self, points: &Points, index: usize, stop: &AtomicBool) -> Option<PointResult> {
        let result = match self.start(&points.overrides(index)) {
            Err(reason) => PointResult::failed(&reason, self.columns.len()),
            Ok(start) => self.results_from(&start, stop),
        };
        (!stop.load(Ordering::Relaxed)).then_some(result)
    }

    /// Start of the motion with these overrides.
    ///
    /// # Errors
    /// The reason why there is none.
    fn start(&self, values: &Values) -> Result<Start, String> {
        let mut start =
            Start::from_values(&self.loaded, &self.program.layout, values).map_err(|e| e.to_string())?;
        let violated =
            self.conditions.as_ref().map(|c| c.violated_conditions(&start.arguments.p)).unwrap_or_default();
        if !violated.is_empty() {
            return Err(violated.join("; "));
        }
        start.assemble(&self.loaded).map_err(|e| e.to_string())?;
        if let Some(events) = self.program.machine(functions::EVENTS) {
            start.check_events(events, &self.program.layout.events).map_err(|e| e.to_string())?;
        }
        Ok(start)
    }

    /// Values of the start that the constraints moved, in one line; empty if there are none.
    fn describe_moved_start(&self, start: &Start) -> String {
        let Some(note) = start.note_changes(&self.loaded) else { return String::new() };
        let texts = note.diagnostics.iter().map(|d| match d.help.first() {
            Some(changes) => format!("{}: {changes}", d.message),
            None => d.message.clone(),
        });
        join_lines(&texts.collect::<Vec<_>>().join("; "))
    }

    /// Results of the motion from a start.
    fn results_from(&self, start: &Start, stop: &AtomicBool) -> PointResult {
        let PointSweepOptions { span, times, groups, .. } = &self.options;
        let arguments = &start.arguments;
        let stops = discontinuity_times(&self.loaded.mechanism, arguments, span.t_end);
        let motion = integrate_prepared_motion(
            &self.program,
            arguments,
            (span, times),
            &stops,
            (&|_| (), &|| {
                *self
                    .other_formalism
                    .get_or_init(|| pipeline::form_that_keeps_digits(&self.loaded, self.formalism))
            }),
            Some(Control {
                inputs: &|_, _, _| match stop.load(Ordering::Relaxed) {
                    true => Err(INTERRUPTED.to_owned()),
                    false => Ok(()),
                },
                source: ControlSource::Interruption,
            }),
        );
        let (Some(t), Some(x)) = (motion.times.last(), motion.states.last()) else {
            let reason = motion.stopped.map_or_else(String::new, |s| s.to_string());
            return PointResult::failed(&reason, self.columns.len());
        };
        let signals = Signals::evaluate_prepared(&self.loaded, &self.program, arguments, &motion, groups);
        let mut values = vec![*t];
        values.extend(x);
        let curves: Vec<Vec<f64>> = self.shown.iter().map(|s| s.values(&motion, &signals)).collect();
        values.extend(curves.iter().flat_map(|curve| extrema(curve)));
        for time in times {
            let row = motion.times.iter().position(|t| t == time);
            values.extend(curves.iter().map(|curve| row.map_or(f64::NAN, |row| curve[row])));
        }
        PointResult {
            status: if motion.stopped.is_some() { PointStatus::Stopped } else { PointStatus::Ok },
            message: match motion.stopped {
                Some(stopped) => join_lines(&stopped.to_string()),
                None => self.describe_moved_start(start),
            },
            values,
        }
    }
}

impl ShownQuantity {
    /// Values of the quantity along a motion; NaN where it is not determined.
    fn values(&self, motion: &Motion, signals: &Signals) -> Vec<f64> {
        match self {
            ShownQuantity::State(i) => motion.states.iter().map(|x| x[*i]).collect(),
            ShownQuantity::Energy(i) => {
                let rows = signals.energy.iter().zip(&motion.work);
                rows.map(|(energy, work)| energy_values(*energy, *work)[*i]).collect()
            }
            ShownQuantity::Signal(group, name) => {
                let column = signals.columns.iter().find(|s| s.group == *group && s.name == *name);
                column.map_or_else(|| vec![f64::NAN; motion.times.len()], |s| s.values.clone())
            }
        }
    }
}

/// The quantities that are shown, and their names.
fn shown_quantities(
    loaded: &Assembled,
    program: &RunnableProgram,
    groups: &[SignalGroup],
    is_shown: &dyn Fn(CurveKind, &str) -> bool,
) -> (Vec<ShownQuantity>, Vec<String>) {
    let l = &program.layout;
    let kinds = [(CurveKind::Coordinate, &l.q), (CurveKind::Speed, &l.v), (CurveKind::State, &l.z)];
    let states =
        kinds.into_iter().flat_map(|(kind, slots)| slots.iter().map(move |s| (kind, s.name.clone())));
    let states = states.enumerate().map(|(i, (kind, name))| (kind, ShownQuantity::State(i), name));
    let energies = ENERGIES.into_iter().enumerate();
    let energies = energies.map(|(i, name)| (CurveKind::Energy, ShownQuantity::Energy(i), name.to_owned()));
    let signals = Signals::names(loaded, program, groups);
    let signals = signals
        .into_iter()
        .map(|(group, name)| (CurveKind::Signal(group), ShownQuantity::Signal(group, name.clone()), name));
    let all = states.chain(energies).chain(signals);
    all.filter(|(kind, _, name)| is_shown(*kind, name)).map(|(_, values, name)| (values, name)).unzip()
}

/// Smallest and largest value; values that are not numbers are ignored.
fn extrema(values: &[f64]) -> [f64; 2] {
    let smallest = values.iter().fold(f64::NAN, |m, x| if *x < m || m.is_nan() { *x } else { m });
    let largest = values.iter().fold(f64::NAN, |m, x| if *x > m || m.is_nan() { *x } else { m });
    [smallest, largest]
}
