//! `dqdt simulate`: the motion by the interpreter under an adaptive integrator (DOP853), or a fixed step.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;

use super::constraints::{self, Constraints};
use super::events::Events;
use super::start::{Asked, assemble};
use super::{Failure, FormalismName, Source, load, output};
use crate::emit::animation;
use crate::emit::figure;
use crate::error::Errors;
use crate::ir::lower::Request;
use crate::ir::{Arguments, FunctionKind, Machine, Program};
use crate::pipeline;
use crate::scene;

#[derive(Args)]
pub(super) struct Simulate {
    #[command(flatten)]
    source: Source,
    /// Formalism that derives the equations; if absent, kane up to 12 speeds and auto above
    #[arg(long, value_enum)]
    formalism: Option<FormalismName>,
    /// End of the motion \[s\]; it starts at 0
    #[arg(long, default_value_t = 10.0)]
    t_end: f64,
    /// Relative tolerance
    #[arg(long, default_value_t = 1e-9)]
    rtol: f64,
    /// Absolute tolerance
    #[arg(long, default_value_t = 1e-9)]
    atol: f64,
    /// Time between two rows of the table \[s\]; a five-hundredth of the motion if absent
    #[arg(long)]
    step: Option<f64>,
    /// State to start from, as for `eval --at`; `-` is not allowed here
    #[arg(long)]
    at: Option<PathBuf>,
    /// Table of states and outputs; `-` for standard output
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Plot (SVG)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Animation (HTML)
    #[arg(long)]
    animate: Option<PathBuf>,
}

/// A motion: times, states, and what is known of its energy.
pub(super) struct Motion {
    pub(super) times: Vec<f64>,
    pub(super) states: Vec<Vec<f64>>,
    /// Names and times of the events on the way.
    events: Vec<(String, f64)>,
    /// An event ended the motion.
    ended: bool,
    evaluations: usize,
    steps: usize,
}

impl Simulate {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let positive = |option: &'static str, x: f64| {
            if x.is_finite() && x > 0.0 {
                return Ok(x);
            }
            Err(Failure::Option { option, message: format!("a positive number is wanted, not {x}") })
        };
        let t_end = positive("--t-end", self.t_end)?;
        let (rtol, atol) = (positive("--rtol", self.rtol)?, positive("--atol", self.atol)?);
        let step = positive("--step", self.step.unwrap_or(t_end / 500.0))?;
        if t_end / step > 1e7 {
            let message = "more than ten million rows; take a longer step".to_owned();
            return Err(Failure::Option { option: "--step", message });
        }
        let loaded = load(&self.source)?;
        let formalism = FormalismName::choose(self.formalism, &loaded, &FunctionKind::ALL);
        let program = pipeline::program(&loaded, &Request::all(formalism));
        let mut arguments = Arguments::defaults(&program);
        let asked = Asked::read(&loaded, &program.layout, &mut arguments, self.at.as_deref())?;
        let place = self.at.as_deref().unwrap_or(&self.source.spec);
        assemble(&loaded, &asked, &mut arguments, place)?;
        asked.tell_moves(&loaded, &arguments);
        if let Some(step) = self.step {
            let diagnostics = constraints::quick_stabilisation(&loaded, &arguments, step);
            if !diagnostics.is_empty() {
                let warnings = Errors { diagnostics, ..Errors::default() };
                eprint!("{}", warnings.render(std::io::stderr().is_terminal()));
            }
        }
        let motion = integrate(&program, &arguments, t_end, step, rtol, atol)?;
        let signals = Signals::of(&program, &arguments, &motion);
        report(&program, &arguments, &motion, &signals, rtol, atol);
        if let Some(path) = &self.csv {
            let path = Some(path.as_path()).filter(|p| p.as_os_str() != "-");
            output::product(path, &table(&program, &motion, &signals))?;
        }
        if let Some(path) = &self.plot {
            output::write(
                path,
                &figure::plot(&scene::plot(
                    &program.name,
                    &program.layout,
                    &motion.times,
                    &motion.states,
                    &signals.energy,
                )),
            )?;
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
        Ok(ExitCode::SUCCESS)
    }
}

/// Integrates from the state in `arguments` at `t = 0`. Quaternions are normalised in what is returned.
pub(super) fn integrate(
    program: &Program,
    arguments: &Arguments,
    t_end: f64,
    step: f64,
    rtol: f64,
    atol: f64,
) -> Result<Motion, Failure> {
    let x0 = arguments.state();
    let rows = (t_end / step).round().max(1.0) as usize;
    let times: Vec<f64> = (0..=rows).map(|i| (i as f64 * step).min(t_end)).collect();
    let Some(machine) = Machine::new(program, FunctionKind::Dqdt) else {
        let states = vec![x0; times.len()];
        return Ok(Motion { times, states, events: Vec::new(), ended: false, evaluations: 0, steps: 0 });
    };
    let (machine, arguments) = (RefCell::new(machine), RefCell::new(arguments.clone()));
    // The integrator knows pivots by number; people know them by name.
    let reason = RefCell::new(String::new());
    let progress = ProgressBar::new(1000);
    let dynamics = |t: f64, x: &[f64], dx: &mut [f64]| {
        let mut a = arguments.borrow_mut();
        a.t = t;
        a.set_state(x);
        progress.set_position((1000.0 * t / t_end) as u64);
        match machine.borrow_mut().call(&a) {
            Ok(values) => {
                dx.copy_from_slice(values);
                Ok(())
            }
            Err(e) => {
                *reason.borrow_mut() = e.to_string();
                Err(dqdt::Singular { lanes: true, pivot: 0 })
            }
        }
    };
    let constraints = RefCell::new(Constraints::new(program, &arguments.borrow()));
    let project = |t: f64, x: &mut [f64]| constraints.borrow_mut().project(t, x);
    let options = dqdt::integrate::Options { rtol, atol, ..Default::default() };
    let events = &program.layout.events;
    let machine = RefCell::new(Events::new(program, &arguments.borrow()));
    let run = dqdt::integrate::integrate_events_vec(
        dynamics,
        project,
        |t, x, rows| constraints.borrow_mut().rows(t, x, rows),
        |t, x, out| machine.borrow_mut().values(t, x, out),
        &super::events::rules(events),
        |event, t, x| {
            machine.borrow_mut().jump(event, t, x).map_err(|e| {
                *reason.borrow_mut() = e;
                dqdt::Singular { lanes: true, pivot: 0 }
            })
        },
        0.0,
        &x0,
        &times,
        &options,
    );
    progress.finish_and_clear();
    let run = run.map_err(|e| match e {
        dqdt::integrate::IntegrateError::Singular { t, .. } => Failure::Stopped { t, reason: reason.take() },
        dqdt::integrate::IntegrateError::NotAssembled { t, residual } => {
            let reason = format!("the constraints cannot be fulfilled any more, {residual:.3e} is left");
            Failure::Stopped { t, reason }
        }
        dqdt::integrate::IntegrateError::SingularPose { t, row } => {
            let name = program.layout.velocity_rows.get(row).map_or("", String::as_str);
            let reason = format!(
                "a singular pose, or one nearer to it than the tolerance can tell. The constraints lose rank here, row \
                 `{name}` follows from the others; the mechanism can go on along more than one branch, and the \
                 equations do not say which\n\nhelp: end the motion before with `--t-end`; or let a constraint of its \
                 own decide, such as a gear between two links, listed ahead of the others; or change lengths or start \
                 so that the motion does not come here. Where the links only nearly fit, smaller `--rtol` and `--atol` \
                 tell the branches apart"
            );
            Failure::Stopped { t, reason }
        }
        dqdt::integrate::IntegrateError::EventsAccumulate { t, event } => {
            let name = events.get(event).map_or("", |e| e.name.as_str());
            let reason = format!(
                "event `{name}` happens ever faster, as where a ball comes to rest; what follows is not described. End \
                 the motion before, with `--t-end` or an event of type \"end\""
            );
            Failure::Stopped { t, reason }
        }
        e => Failure::Integration(e),
    })?;
    let mut motion = Motion {
        times: run.t,
        states: run.x,
        events: run.events.iter().map(|e| (events[e.event].name.clone(), e.t)).collect(),
        ended: run.ended,
        evaluations: run.statistics.evaluations,
        steps: run.statistics.accepted + run.statistics.rejected,
    };
    if let Some(last) = run.events.last().filter(|_| run.ended) {
        motion.times.push(last.t);
        motion.states.push(last.after.clone());
    }
    Ok(motion)
}

/// What is computed along the motion besides the state.
struct Signals {
    /// Kinetic and potential energy.
    energy: Vec<[f64; 2]>,
    /// Names and values of outputs, one row a time.
    names: Vec<String>,
    outputs: Vec<Vec<f64>>,
}

impl Signals {
    fn of(program: &Program, arguments: &Arguments, motion: &Motion) -> Self {
        let mut energy_machine = Machine::new(program, FunctionKind::Energy);
        let mut output_machine = Machine::new(program, FunctionKind::Outputs);
        let mut names = Vec::new();
        for o in program.functions.iter().filter(|f| f.kind == FunctionKind::Outputs).flat_map(|f| &f.outputs)
        {
            match o.nodes.len() {
                1 => names.push(o.name.clone()),
                n => names.extend((1..=n).map(|i| format!("{}_{i}", o.name))),
            }
        }
        let mut a = arguments.clone();
        let (mut energy, mut outputs) = (Vec::new(), Vec::new());
        for (t, x) in motion.times.iter().zip(&motion.states) {
            a.t = *t;
            a.set_state(x);
            let value = |m: &mut Option<Machine>, n: usize| match m {
                Some(m) => m.call(&a).map_or_else(|_| vec![f64::NAN; n], <[f64]>::to_vec),
                None => vec![0.0; n],
            };
            let e = value(&mut energy_machine, 2);
            energy.push([e[0], e[1]]);
            outputs.push(value(&mut output_machine, names.len()));
        }
        Signals { energy, names, outputs }
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
    rtol: f64,
    atol: f64,
) {
    let total: Vec<f64> = signals.energy.iter().map(|e| e[0] + e[1]).collect();
    let peak = signals.energy.iter().map(|e| e[0]).fold(0.0, f64::max);
    let start = total.first().copied().unwrap_or(0.0);
    let drift = total.iter().map(|e| (e - start).abs()).fold(0.0, f64::max);
    eprintln!(
        "{}: {} s, DOP853 at rtol {rtol:e}, atol {atol:e}: {} steps, {} evaluations",
        program.name,
        motion.times.last().copied().unwrap_or(0.0),
        motion.steps,
        motion.evaluations
    );
    if peak > 0.0 {
        eprintln!(
            "energy: starts at {start:.6} J; changes by at most {drift:.3e} J, {:.3e} of the peak kinetic energy\n\
             (a drift of the integrator where nothing dissipates or drives; else what loads and drives did)",
            drift / peak
        );
    }
    if !motion.events.is_empty() {
        let shown = motion.events.iter().take(EVENTS).map(|(name, t)| format!("{name} at {t:.6} s"));
        let more = motion.events.len().saturating_sub(EVENTS);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        let end = if motion.ended { "; the last one ends the motion" } else { "" };
        eprintln!("events: {}{rest}{end}", shown.collect::<Vec<_>>().join(", "));
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
    let mut text = String::from("t");
    for s in l.q.iter().chain(&l.v).chain(&l.z) {
        text.push(',');
        text.push_str(&s.name);
    }
    text.push_str(",kinetic_energy,potential_energy");
    for name in &signals.names {
        text.push(',');
        text.push_str(name);
    }
    text.push('\n');
    for (k, (t, x)) in motion.times.iter().zip(&motion.states).enumerate() {
        let _ = write!(text, "{t}");
        for value in x.iter().chain(&signals.energy[k]).chain(&signals.outputs[k]) {
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    text
}
