//! `dqdt simulate`: the motion by the interpreter under an adaptive integrator.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use dqdt::integrate::Seconds;
use indicatif::ProgressBar;

use super::fixed_step::quick_stabilisation;
use super::output;
use super::source::{Failure, FormalismName, Source, load};
use super::start::{no_start, read, tell_moves};
use crate::error::Errors;
use crate::ir::{Arguments, Program};
use crate::print::animation;
use crate::print::figure::{self, Panel, Series};
use crate::print::report::Math;
use crate::scene;
use crate::simulate::{self, Constraints, Method, Motion, Signal, SignalGroup, Signals, Span, stiffness};

/// How steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// Dormand and Prince, order 8, explicit
    Dop853,
    /// Radau IIA, order 5, implicit: for stiff motions
    Radau,
}

impl MethodName {
    fn method(self) -> Method {
        match self {
            MethodName::Dop853 => Method::Dop853,
            MethodName::Radau => Method::Radau,
        }
    }

    fn title(self) -> &'static str {
        match self {
            MethodName::Dop853 => "DOP853",
            MethodName::Radau => "Radau IIA",
        }
    }
}

#[derive(Args)]
pub(super) struct Simulate {
    #[command(flatten)]
    source: Source,
    /// Formalism that derives the equations; if absent, kane up to 12 speeds, above it the one of the least cost that solves in every pose
    #[arg(long, value_enum)]
    formalism: Option<FormalismName>,
    /// End of the motion \[s\]; it starts at 0
    #[arg(long, default_value_t = 10.0)]
    t_end: f64,
    /// How steps are taken; `radau` where something stiff makes those of `dop853` short
    #[arg(long, value_enum, default_value_t = MethodName::Dop853)]
    method: MethodName,
    /// Relative tolerance
    #[arg(long, default_value_t = 1e-9)]
    rtol: f64,
    /// Absolute tolerance
    #[arg(long, default_value_t = 1e-9)]
    atol: f64,
    /// Time between two rows of the table \[s\]; a five-hundredth of the motion if absent
    #[arg(long)]
    step: Option<f64>,
    /// State to start from, as for `eval --at`; `-` is not allowed here. Where it does not fulfil the constraints it is
    /// assembled first, which `eval` does not do; a note tells what moved
    #[arg(long)]
    at: Option<PathBuf>,
    /// Table of states, energies, the work of loads and outputs; `-` for standard output
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Plot (SVG)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Animation (HTML)
    #[arg(long)]
    animate: Option<PathBuf>,
    /// What table and plot also show, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    with: Vec<SignalGroup>,
}

impl Simulate {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let positive = |option: &'static str, x: f64| {
            if x.is_finite() && x > 0.0 {
                return Ok(x);
            }
            Err(Failure::Option { option, message: format!("a positive number is wanted, not {x:?}") })
        };
        let outputs = [
            ("--csv", self.csv.as_deref()),
            ("--plot", self.plot.as_deref()),
            ("--animate", self.animate.as_deref()),
        ];
        output::apart(&self.source, &[self.at.as_deref()], &outputs)?;
        let t_end = positive("--t-end", self.t_end)?;
        let (rtol, atol) = (positive("--rtol", self.rtol)?, positive("--atol", self.atol)?);
        let step = positive("--step", self.step.unwrap_or(t_end / 500.0))?;
        if t_end / step > 1e7 {
            let message = "more than ten million rows; take a longer step".to_owned();
            return Err(Failure::Option { option: "--step", message });
        }
        let loaded = load(&self.source)?;
        let choice = FormalismName::choice(self.formalism);
        let program = simulate::derive(&loaded, choice, &self.with, self.method.method())
            .map_err(Failure::Spec)?
            .program;
        let mut start = read(&loaded, &program.layout, Arguments::defaults(&program), self.at.as_deref())?;
        super::senseless::warn(&program, &start.arguments);
        start.assemble(&loaded).map_err(|e| no_start(e, self.at.as_deref().unwrap_or(&self.source.spec)))?;
        tell_moves(&loaded, &start);
        let arguments = start.arguments;
        if let Some(step) = self.step {
            let diagnostics = quick_stabilisation(&loaded, &arguments, step);
            if !diagnostics.is_empty() {
                let warnings = Errors { diagnostics, ..Errors::default() };
                eprint!("{}", warnings.render(std::io::stderr().is_terminal()));
            }
        }
        let method = self.method.method();
        let bar = ProgressBar::new(1000);
        let progress = |part: f64| bar.set_position((1000.0 * part) as u64);
        let mut motion =
            simulate::integrate(&program, &arguments, &Span { t_end, step, rtol, atol, method }, &progress);
        bar.finish_and_clear();
        let stopped = motion.stopped.take().map(Failure::Stopped);
        if motion.times.is_empty() {
            return stopped.map_or(Ok(ExitCode::SUCCESS), Err);
        }
        let signals = Signals::of(&loaded, &program, &arguments, &motion, &self.with);
        report(&program, &arguments, &motion, &signals, (self.method.title(), rtol, atol));
        if method == Method::Dop853
            && let Some(found) = stiffness(&program, &arguments, &motion)
        {
            eprintln!("{found}");
        }
        if let Some(path) = &self.csv {
            let path = Some(path.as_path()).filter(|p| p.as_os_str() != "-");
            output::product(path, &table(&program, &motion, &signals))?;
        }
        if let Some(path) = &self.plot {
            output::write(path, &figure::plot(&self.plot(&program, &motion, &signals)))?;
        }
        if let Some(path) = &self.animate {
            let parameters = &arguments.p;
            let animation = scene::animation(
                &loaded.mechanism,
                &program.layout,
                parameters,
                &motion.times,
                &motion.states,
            );
            output::write(path, &animation::animation(&animation))?;
        }
        let written = [("table", &self.csv), ("plot", &self.plot), ("animation", &self.animate)];
        let written: Vec<&str> = written.iter().filter(|(_, path)| path.is_some()).map(|(n, _)| *n).collect();
        match stopped {
            None => Ok(ExitCode::SUCCESS),
            Some(failure) => {
                if !written.is_empty() {
                    let end = Seconds(motion.times.last().copied().unwrap_or(0.0));
                    eprintln!("{}: up to t = {end} s, where the motion stops", written.join(", "));
                }
                Err(failure)
            }
        }
    }

    fn plot(&self, program: &Program, motion: &Motion, signals: &Signals) -> figure::Plot {
        let (name, l) = (&program.name, &program.layout);
        let mut plot = scene::plot(name, l, &motion.times, &motion.states, &signals.energy);
        if let Some(panel) = plot.panels.last_mut() {
            let closure = signals.energy.iter().zip(&motion.work).map(|(e, w)| e[0] + e[1] - w).collect();
            panel.series.push(Series { name: "work".to_owned(), values: motion.work.clone() });
            panel.series.push(Series { name: "total − work".to_owned(), values: closure });
        }
        panels(&signals.columns, &self.with, &mut plot);
        plot
    }
}

/// What a group is called in a plot.
fn label(group: SignalGroup) -> &'static str {
    match group {
        SignalGroup::Outputs => "outputs",
        SignalGroup::Inputs => "inputs",
        SignalGroup::Multipliers => "multipliers",
        SignalGroup::Reactions => "reactions",
    }
}

/// Adds panels for the groups asked for, one a unit.
fn panels(signals: &[Signal], groups: &[SignalGroup], plot: &mut figure::Plot) {
    for group in groups {
        let own: Vec<&Signal> = signals.iter().filter(|s| s.group == *group).collect();
        let mut units: Vec<&str> = Vec::new();
        for signal in &own {
            if !units.contains(&signal.unit.as_str()) {
                units.push(&signal.unit);
            }
        }
        for unit in units {
            let series = own
                .iter()
                .filter(|s| s.unit == unit)
                .map(|s| Series { name: Math::identifier(&s.name).text(), values: s.values.clone() });
            let (label, unit, series) = (label(*group).to_owned(), unit.to_owned(), series.collect());
            plot.panels.push(Panel { label, unit, series });
        }
    }
}

/// So many events are told one by one.
const EVENTS: usize = 12;

/// A short account on standard error.
fn report(
    program: &Program,
    arguments: &Arguments,
    motion: &Motion,
    signals: &Signals,
    (method, rtol, atol): (&str, f64, f64),
) {
    let closed: Vec<f64> =
        signals.energy.iter().zip(&motion.work).map(|(e, work)| e[0] + e[1] - work).collect();
    let peak = signals.energy.iter().map(|e| e[0]).fold(0.0, f64::max);
    let start = closed.first().copied().unwrap_or(0.0);
    let error = closed.iter().map(|e| (e - start).abs()).fold(0.0, f64::max);
    let jacobians = match motion.jacobians {
        0 => String::new(),
        count => format!(", {count} of the derivatives"),
    };
    eprintln!(
        "{}: {} s, {method} at rtol {rtol:e}, atol {atol:e}: {} steps, {} evaluations{jacobians}",
        program.name,
        Seconds(motion.times.last().copied().unwrap_or(0.0)),
        motion.steps,
        motion.evaluations
    );
    let work = motion.work.last().copied().unwrap_or(0.0);
    let events = match motion.taken {
        0.0 => String::new(),
        taken => format!(" (events took {taken:.6} J of it)"),
    };
    let relative =
        if peak > 0.0 { format!(", {:.3e} of the peak kinetic energy", error / peak) } else { String::new() };
    eprintln!(
        "energy: T + V starts at {start:.6} J; loads, drives and constraints do {work:.6} J of work{events}\n\
         balance: T + V - W is constant within {error:.3e} J{relative}"
    );
    if !motion.events.is_empty() {
        let shown = motion.events.iter().take(EVENTS).map(|(name, t)| format!("{name} at {} s", Seconds(*t)));
        let more = motion.events.len().saturating_sub(EVENTS);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        let end = if motion.ended { "; the last one ends the motion" } else { "" };
        eprintln!("events: {}{rest}{end}", shown.collect::<Vec<_>>().join(", "));
    }
    if !signals.undetermined.is_empty() {
        let rows = signals.undetermined.join(", ");
        eprintln!("multipliers: the motion does not determine those of {rows}; they have no column");
    }
    if !signals.open_reactions.is_empty() {
        let components = signals.open_reactions.join(", ");
        eprintln!("reactions: the motion does not determine {components}; they have no column");
    }
    if !program.layout.velocity_rows.is_empty() {
        let mut constraints = Constraints::new(program, arguments);
        let [position, velocity] =
            (motion.times.iter().zip(&motion.states)).fold([0.0f64; 2], |worst, (t, x)| {
                let now = constraints.violation(*t, x);
                [worst[0].max(now[0]), worst[1].max(now[1])]
            });
        eprintln!(
            "constraints: projected after each step; violated by at most {position:.1e} (positions), \
             {velocity:.1e} (speeds)"
        );
    }
}

fn table(program: &Program, motion: &Motion, signals: &Signals) -> String {
    let l = &program.layout;
    let state = l.q.iter().chain(&l.v).chain(&l.z).map(|s| s.name.as_str());
    let energies = ["kinetic_energy", "potential_energy", "work"];
    let others = signals.columns.iter().map(|s| s.name.as_str());
    let mut names: Vec<String> = vec!["t".to_owned()];
    for name in state.chain(energies).chain(others) {
        // A name in two roles is two columns.
        let mut name = name.to_owned();
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    let mut text = names.join(",");
    text.push('\n');
    for (k, (t, x)) in motion.times.iter().zip(&motion.states).enumerate() {
        cell(&mut text, *t);
        let others = signals.columns.iter().map(|s| s.values[k]);
        let energies = signals.energy[k].into_iter().chain([motion.work[k]]);
        for value in x.iter().copied().chain(energies).chain(others) {
            text.push(',');
            cell(&mut text, value);
        }
        text.push('\n');
    }
    text
}

/// The shortest text that reads back as the number, with an exponent where there would be many zeros.
fn cell(text: &mut String, x: f64) {
    let written = match x.abs() {
        size if size != 0.0 && size.is_finite() && !(1e-5..1e15).contains(&size) => write!(text, "{x:e}"),
        _ => write!(text, "{x}"),
    };
    // Writing to a string cannot fail.
    debug_assert!(written.is_ok());
}
