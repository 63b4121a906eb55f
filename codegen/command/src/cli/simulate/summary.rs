//! Summary of a simulated motion, on standard error.

use dqdt::integrate::Seconds;
use dqdt_graph::ir::{Arguments, Program};
pub use dqdt_motion::simulate::{Constraints, Motion, Signals};

/// Maximum number of events that the summary of a motion lists one by one.
const EVENTS: usize = 12;

/// Prints the summary of a motion to standard error: the integrator's effort, the energy balance,
/// events and constraint violations.
///
/// `how`: the method and its tolerances. `stops`: number of times at which steps end because an
/// input has a kink or a jump.
pub(super) fn print_motion_summary(
    program: &Program,
    arguments: &Arguments,
    motion: &Motion,
    signals: &Signals,
    (how, stops): (&str, usize),
) {
    let jacobians = match motion.jacobians {
        0 => String::new(),
        count => format!(", {count} Jacobian evaluations"),
    };
    dqdt_diagnostics::tell!(
        "{}: {} s, {how}: {} steps, {} evaluations{jacobians}",
        program.name,
        Seconds(motion.times.last().copied().unwrap_or(0.0)),
        motion.steps,
        motion.evaluations
    );
    if stops > 0 {
        let s = if stops == 1 { "" } else { "s" };
        dqdt_diagnostics::tell!(
            "inputs: integration steps end at {stops} time{s} at which an input has a kink or a jump"
        );
    }
    print_energy_balance(motion, signals);
    print_events(motion);
    print_rests(motion);
    warn_not_finite_signals(motion, signals);
    if !signals.undetermined.is_empty() {
        let rows = signals.undetermined.join(", ");
        dqdt_diagnostics::tell!(
            "multipliers: the motion does not determine those of {rows}, which therefore have no column"
        );
    }
    if !signals.open_reactions.is_empty() {
        let components = signals.open_reactions.join(", ");
        dqdt_diagnostics::tell!(
            "reactions: the motion does not determine {components}, which therefore have no column"
        );
    }
    print_largest_violation(program, arguments, motion, "projected after each step; ");
}

/// Prints the largest error of the energy balance along a motion to standard error.
fn print_energy_balance(motion: &Motion, signals: &Signals) {
    let balance: Vec<f64> =
        signals.energy.iter().zip(&motion.work).map(|(e, work)| e[0] + e[1] - work).collect();
    let peak = signals.energy.iter().map(|e| e[0]).fold(0.0, f64::max);
    let start = balance.first().copied().unwrap_or(0.0);
    let error = balance.iter().map(|e| (e - start).abs()).fold(0.0, f64::max);
    // The column `work` contains what events remove.
    let work = motion.work.last().copied().unwrap_or(0.0) + motion.taken;
    let events = match motion.taken {
        0.0 => String::new(),
        taken => format!("; events remove {taken:.6} J"),
    };
    // Rounding may leave a tiny negative number, which would print as `-0.000000`.
    let work = if work.abs() < 5e-7 { 0.0 } else { work };
    // At rest the kinetic energy is only rounding, so a ratio to it is meaningless.
    let size = signals.energy.iter().zip(&motion.work).map(|(e, work)| e[1].abs() + work.abs());
    let moves = peak > f64::EPSILON * size.fold(start.abs(), f64::max);
    let relative =
        if moves { format!(", {:.3e} of the peak kinetic energy", error / peak) } else { String::new() };
    dqdt_diagnostics::tell!(
        "energy: T + V starts at {start:.6} J; loads, drives and constraints do {work:.6} J of work{events}\n\
         balance: T + V - W is constant to within {error:.3e} J{relative}"
    );
}

/// Prints names and times of the first [`EVENTS`] events of a motion to standard error.
fn print_events(motion: &Motion) {
    if !motion.events.is_empty() {
        let shown = motion.events.iter().take(EVENTS).map(|(name, t)| format!("{name} at {} s", Seconds(*t)));
        let more = motion.events.len().saturating_sub(EVENTS);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        let end = if motion.ended { "; the last one ends the motion" } else { "" };
        dqdt_diagnostics::tell!("events: {}{rest}{end}", shown.collect::<Vec<_>>().join(", "));
    }
}

/// Prints the first [`EVENTS`] rests on stops of a motion to standard error, and the stops whose
/// forces it does not determine.
fn print_rests(motion: &Motion) {
    if motion.rests.is_empty() {
        return;
    }
    let shown = motion.rests.iter().take(EVENTS).map(|(name, rest)| {
        let until = rest.until.map_or_else(String::new, |t| format!(" to {} s", Seconds(t)));
        format!("{name} from {} s{until}", Seconds(rest.from))
    });
    let more = motion.rests.len().saturating_sub(EVENTS);
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    dqdt_diagnostics::tell!("rests: {}{rest}", shown.collect::<Vec<_>>().join(", "));
    let at_end: Vec<String> = (motion.rests.iter().filter(|(_, rest)| rest.until.is_none()))
        .map(|(name, rest)| format!("{name} since {} s", Seconds(rest.from)))
        .collect();
    if more > 0 && !at_end.is_empty() {
        dqdt_diagnostics::tell!("rests: at the end on {}", at_end.join(", "));
    }
    let mut open: Vec<&str> = Vec::new();
    for (name, _) in motion.rests.iter().filter(|(_, rest)| !rest.determined) {
        if !open.contains(&name.as_str()) {
            open.push(name);
        }
    }
    if !open.is_empty() {
        dqdt_diagnostics::tell!(
            "rests: the motion does not always determine the forces of {}; they are left out then, and \
             other reactions are those of one choice",
            open.join(", ")
        );
    }
}

/// Warns about signals of a motion with values that are not finite.
fn warn_not_finite_signals(motion: &Motion, signals: &Signals) {
    for column in &signals.columns {
        let event = column.name.strip_prefix("reaction_");
        if motion.rests.iter().any(|(name, rest)| !rest.determined && event == Some(name)) {
            continue;
        }
        let without: Vec<usize> =
            (0..column.values.len()).filter(|k| !column.values[*k].is_finite()).collect();
        if let Some(first) = without.first() {
            let (name, at) = (&column.name, Seconds(motion.times[*first]));
            let more = if without.len() > 1 {
                format!(" and at {} more times", without.len() - 1)
            } else {
                String::new()
            };
            dqdt_diagnostics::tell!(
                "warning: `{name}` is not a finite number at {at} s{more}: a square root or a distance is \
                 not differentiable at zero"
            );
        }
    }
}

/// Prints the largest violation of the constraints along a motion to standard error. `how` states
/// how they were enforced.
pub(super) fn print_largest_violation(program: &Program, arguments: &Arguments, motion: &Motion, how: &str) {
    if program.layout.velocity_rows.is_empty() {
        return;
    }
    let mut constraints = Constraints::new(program, arguments);
    let [position, velocity] =
        (motion.times.iter().zip(&motion.states)).fold([0.0f64; 2], |worst, (t, x)| {
            let now = constraints.largest_violations(*t, x);
            [worst[0].max(now[0]), worst[1].max(now[1])]
        });
    dqdt_diagnostics::tell!(
        "constraints: {how}violated by at most {position:.1e} (positions), {velocity:.1e} (speeds)"
    );
}
