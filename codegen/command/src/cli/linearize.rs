//! `dqdt linearize`: linearisation around a state, with eigenvalues; as text or JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::eval::named_values;
use super::output;
use super::overrides::{self, Parameters};
use super::source::{Failure, SpecSource};
use super::start::{print_move_note, read_start_state};
use super::state_file::StateFile;
use dqdt_graph::ir::{Arguments, Slot};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::linearize::{
    Kind, LinearizeError, LinearizeRequest, Linearized, MOST_STATES, Mode, derive_derivatives,
    find_inputs_at_limits, linearize_around,
};

#[derive(Args)]
pub(super) struct Linearize {
    #[command(flatten)]
    source: SpecSource,
    #[command(flatten)]
    parameters: Parameters,
    /// JSON file with the state, as for `eval --at`. If it violates the constraints, it is
    /// assembled first
    #[arg(long)]
    at: Option<PathBuf>,
    /// States and inputs that the trim may change until all accelerations are zero, separated by
    /// commas; the result is an equilibrium, or a steady motion at the speeds that remain
    #[arg(long, value_delimiter = ',')]
    trim: Vec<String>,
    /// States to keep independent where constraints leave a choice, separated by commas
    #[arg(long, value_delimiter = ',')]
    independent: Vec<String>,
    /// Eigenvalues over a range of a free parameter, an input or a part of the state: NAME=FROM:TO
    /// or NAME=FROM:TO:COUNT, in SI units. The state is assembled and trimmed again at each value
    #[arg(long, value_name = "NAME=FROM:TO", value_parser = super::linearize_over::parse_sweep)]
    over: Option<super::linearize_over::SweepArgument>,
    /// Write the root locus of --over as SVG, or as PNG with the feature `png`
    #[arg(long, requires = "over", value_name = "FILE", value_parser = output::parse_plot_path)]
    plot: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = LinearizeFormat::Text)]
    format: LinearizeFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LinearizeFormat {
    /// Tables to read
    Text,
    /// All digits, with the argument names of python-control's `StateSpace`
    Json,
}

impl Linearize {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let at = StateFile::read_state_file(self.at.as_deref())?;
        let at = overrides::resolve_conflicts(at, &self.parameters.parameters, &[])?;
        let loaded = overrides::load_with_overrides(&self.source, &self.parameters)?;
        dqdt_generate::pipeline::check_functions(&loaded, &[dqdt_derivation::functions::DQDT])
            .map_err(Failure::Spec)?;
        let (trim, independent) = (names_without_blanks(&self.trim), names_without_blanks(&self.independent));
        let preferred = independent.clone();
        let request = LinearizeRequest { trim, independent, ..LinearizeRequest::default() };
        if let Some(over) = self.over {
            let (at, plot) = (at.as_ref(), self.plot.as_deref());
            let options = super::linearize_over::SweepOptions {
                over,
                at,
                plot,
                is_json: self.format == LinearizeFormat::Json,
            };
            super::linearize_over::run_sweep(&loaded, &self.source.spec, &options, &request)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut derivatives = derive_derivatives(&loaded)
            .map_err(|e| Failure::from_linearisation_error(&e, &self.source.spec))?;
        let program = derivatives.program();
        let start = read_start_state(&loaded, &program.layout, Arguments::defaults(program), at.as_ref())?;
        let mut assembled = start.clone();
        if request.trim.is_empty() && assembled.assemble(&loaded).is_ok_and(|state| state.is_some()) {
            print_move_note(&loaded, &assembled);
        }
        let place = at.as_ref().map_or(&self.source.spec, |at| &at.place);
        let linearized =
            linearize_around(&loaded, &mut derivatives, start, &request).map_err(|e| match e {
                LinearizeError::Start(e) => super::start::start_failure(e, place),
                e => Failure::from_linearisation_error(&e, place),
            })?;
        let l = &derivatives.program().layout;
        let a = &linearized.at;
        let groups = [("q", &l.q, &a.q), ("v", &l.v, &a.v), ("z", &l.z, &a.z), ("u", &l.u, &a.u)];
        let text = match self.format {
            LinearizeFormat::Json => {
                let p =
                    overrides::overridden_parameters(at.as_ref(), &self.parameters.parameters, &l.p, &a.p);
                format!("{:#}\n", linearisation_as_json(&linearized, &groups, p))
            }
            LinearizeFormat::Text => linearisation_as_text(&linearized, &groups),
        };
        print_linearisation_warnings(&linearized, &loaded.mechanism, &preferred, self.format);
        output::print_to_stdout(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints warnings and notes about a linearisation to standard error. `preferred` are the states
/// that the user wants to be independent.
fn print_linearisation_warnings(
    linearized: &Linearized,
    m: &Mechanism,
    preferred: &[String],
    format: LinearizeFormat,
) {
    let dependent: Vec<&str> =
        preferred.iter().filter(|n| linearized.dependent.contains(n)).map(String::as_str).collect();
    if !dependent.is_empty() {
        dqdt_diagnostics::tell!(
            "warning: in this pose, these states listed after `--independent` depend on the other states: {}",
            dependent.join(", ")
        );
    }
    for slope in &linearized.without_slope {
        dqdt_diagnostics::tell!(
            "warning: the derivative of output `{}` with respect to `{}` is not finite here: the rows of C \
             and D for this output are {}; A and B are not affected",
            slope.output,
            slope.by,
            if format == LinearizeFormat::Json {
                "replaced by null where they are not finite"
            } else {
                "marked where they are not finite"
            }
        );
    }
    for limit in find_inputs_at_limits(m, &linearized.at) {
        let columns = match limit.is_beyond() {
            true => "the input is clamped to the limit, so its columns of B and D are zero",
            false => {
                "the columns of B and D for this input are one-sided derivatives, valid only on one side of \
                 the limit"
            }
        };
        dqdt_diagnostics::tell!(
            "note: {limit}: {columns}; use `--at` to set the input to a value between its limits"
        );
    }
    if linearized.states.len() > MOST_STATES {
        dqdt_diagnostics::tell!(
            "note: eigenvalues are omitted, because there are {} states and at most {MOST_STATES} are \
             supported; `--format json` prints A",
            linearized.states.len()
        );
    }
    if linearized.smallest_pivot < NEARLY_SINGULAR {
        dqdt_diagnostics::tell!(
            "warning: the state is close to a pose in which the constraints lose rank: a pivot is {:.1e} of \
             its row, and accuracy is reduced by that factor",
            linearized.smallest_pivot
        );
    }
}

/// Names of a comma-separated option, without blanks around them and without empty ones.
fn names_without_blanks(list: &[String]) -> Vec<String> {
    list.iter().map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect()
}

type Groups<'a> = [(&'static str, &'a Vec<Slot>, &'a Vec<f64>); 4];

fn linearisation_as_json(
    linearized: &Linearized,
    groups: &Groups<'_>,
    parameters: Map<String, Value>,
) -> Value {
    let mut at = Map::new();
    at.insert("t".to_owned(), json!(linearized.at.t));
    for (key, slots, values) in groups {
        at.insert((*key).to_owned(), named_values(slots, values));
    }
    if !parameters.is_empty() {
        at.insert("p".to_owned(), Value::Object(parameters));
    }
    json!({
        "states": linearized.states,
        "inputs": linearized.inputs,
        "outputs": linearized.outputs,
        "dependent": linearized.dependent,
        "smallest_pivot": linearized.smallest_pivot,
        "kind": linearized.kind.description(),
        "depends_on_time": linearized.depends_on_time,
        "A": linearized.a,
        "B": linearized.b,
        "C": finite_rows(&linearized.c),
        "D": finite_rows(&linearized.d),
        "f0": linearized.drift,
        "y0": linearized.output,
        "modes": linearized.modes.iter().map(mode_as_json).collect::<Vec<_>>(),
        "trim": linearized.trim.as_ref().map(|t| json!({
            "free": t.free.iter().map(|(n, x)| (n.clone(), json!(x))).collect::<Map<_, _>>(),
            "residual": t.residual,
            "rank": t.rank,
            "steps": t.steps,
        })),
        "at": at,
    })
}

fn mode_as_json(m: &Mode) -> Value {
    json!({
        "value": m.value,
        "frequency": m.frequency(),
        "damping": m.damping(),
        "shape": m.shape,
    })
}

/// Rows of a matrix for JSON; `None`, printed as `null`, for a row with an entry that is not
/// finite.
fn finite_rows(rows: &[Vec<f64>]) -> Vec<Option<&Vec<f64>>> {
    rows.iter().map(|row| is_finite(row).then_some(row)).collect()
}

fn is_finite(row: &[f64]) -> bool {
    row.iter().all(|x| x.is_finite())
}

/// Relative pivot of the constraint rows below which `dqdt linearize` warns of a nearly singular
/// pose.
const NEARLY_SINGULAR: f64 = 1e-4;
/// Number of matrix columns per block of the text output of `dqdt linearize`.
const PER_BLOCK: usize = 6;
/// Maximum number of columns of a matrix that `dqdt linearize` prints in full. Wider matrices are
/// printed without their zeros.
const MOST_COLUMNS: usize = 100;
/// Fraction of the largest entry of a matrix below which `dqdt linearize` prints an entry as zero.
const PRINTED_AS_ZERO: f64 = 1e-14;
/// Size below which `dqdt linearize` prints a value of a trimmed state as zero: Newton's method
/// leaves rounding errors.
const TRIM_ROUNDING: f64 = 1e-14;

fn linearisation_as_text(linearized: &Linearized, groups: &Groups<'_>) -> String {
    let mut out = String::new();
    // Newton's method converges to a zero only within rounding.
    let value = |x: f64| {
        if linearized.trim.is_some() && x.abs() < TRIM_ROUNDING { "0".to_owned() } else { format_value(x) }
    };
    let _ = writeln!(out, "around");
    for (_, slots, values) in groups {
        for (slot, x) in slots.iter().zip(values.iter()) {
            let _ = writeln!(out, "  {:24} {:>22} {}", slot.name, value(*x), slot.unit);
        }
    }
    if let Some(t) = &linearized.trim {
        let free: Vec<String> = t.free.iter().map(|(n, x)| format!("{n} = {}", value(*x))).collect();
        let undetermined = t.free.len() - t.rank.min(t.free.len());
        write_wrapped_list(&mut out, "trimmed values:", &free);
        let _ = writeln!(out, "  residual {:.1e}, rank {}", t.residual, t.rank);
        if undetermined > 0 {
            let _ = writeln!(
                out,
                "  {undetermined} of the trimmed values are arbitrary, so this is one of many solutions"
            );
        }
    }
    if !linearized.dependent.is_empty() {
        write_wrapped_list(
            &mut out,
            "dependent states, determined by the constraints:",
            &linearized.dependent,
        );
    }
    write_state_rates(&mut out, linearized);
    write_matrix(&mut out, "A = ∂ẋ/∂x", &linearized.a, &linearized.states, &linearized.states);
    write_matrix(&mut out, "B = ∂ẋ/∂u", &linearized.b, &linearized.states, &linearized.inputs);
    write_matrix(&mut out, "C = ∂y/∂x", &linearized.c, &linearized.outputs, &linearized.states);
    write_matrix(&mut out, "D = ∂y/∂u", &linearized.d, &linearized.outputs, &linearized.inputs);
    write_eigenvalues(&mut out, linearized);
    out
}

/// Formats a number with at most twelve significant digits; very small and large ones with an
/// exponent.
fn format_value(x: f64) -> String {
    let x: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    match x.abs() {
        0.0 => "0".to_owned(),
        size if (1e-4..1e9).contains(&size) => format!("{x}"),
        _ => format!("{x:e}"),
    }
}

/// Appends a titled, comma-separated list to a text, broken before column 100.
fn write_wrapped_list(out: &mut String, title: &str, entries: &[String]) {
    let mut line = title.to_owned();
    for (i, entry) in entries.iter().enumerate() {
        let comma = if i + 1 < entries.len() { "," } else { "" };
        if line.chars().count() + entry.chars().count() + 2 > 98 {
            let _ = writeln!(out, "{line}");
            line = " ".to_owned();
        }
        let _ = write!(line, " {entry}{comma}");
    }
    let _ = writeln!(out, "{line}");
}

/// Appends the kind of the linearised state (equilibrium, steady motion or neither) and its
/// non-zero rates.
fn write_state_rates(out: &mut String, linearized: &Linearized) {
    let title = match (linearized.kind, linearized.depends_on_time) {
        (Kind::Equilibrium, false) => "an equilibrium",
        (Kind::Equilibrium, true) => "accelerations and rates of coordinates are zero",
        (Kind::SteadyMotion, _) => "a steady motion: accelerations are zero; non-zero rates f₀:",
        (Kind::Instant, _) => {
            "not a steady motion: accelerations are zero at this instant only; non-zero rates f₀:"
        }
        (Kind::Turning, _) => {
            "accelerations are zero, but A changes along the motion:\n\
             its eigenvalues do not determine stability; non-zero rates f₀:"
        }
        _ => "neither an equilibrium nor a steady motion; non-zero rates f₀:",
    };
    let _ = writeln!(out, "\n{title}");
    for k in &linearized.moving {
        let _ = writeln!(out, "  {:24} {:14.6e}", linearized.states[*k], linearized.drift[*k]);
    }
    if linearized.depends_on_time {
        let _ =
            writeln!(out, "the equations depend on time, which is fixed here at t = {} s", linearized.at.t);
    }
}

fn write_matrix(out: &mut String, title: &str, rows: &[Vec<f64>], names: &[String], columns: &[String]) {
    if rows.is_empty() || columns.is_empty() {
        return;
    }
    if rows.iter().flatten().all(|x| *x == 0.0) {
        let _ = writeln!(out, "\n{title} = 0");
        return;
    }
    let _ = writeln!(out, "\n{title}");
    if columns.len() > MOST_COLUMNS {
        return write_sparse_rows(out, rows, names, columns);
    }
    let finite = rows.iter().flatten().filter(|x| x.is_finite());
    let largest = finite.fold(0.0f64, |m, x| m.max(x.abs()));
    let starts = (0..columns.len()).step_by(PER_BLOCK);
    for from in starts {
        let to = (from + PER_BLOCK).min(columns.len());
        let heads = columns[from..to].iter().map(|c| format!(" {:>11}", shorten_name(c, 11)));
        let _ = writeln!(out, "  {:24}{}", "", heads.collect::<String>());
        for (name, row) in names.iter().zip(rows) {
            if !is_finite(row) {
                let marks = row[from..to].iter().map(|_| format!(" {:>11}", "not finite"));
                let _ = writeln!(out, "  {:24}{}", shorten_name(name, 24), marks.collect::<String>());
                continue;
            }
            let entries = row[from..to].iter().map(|x| match x.abs() > PRINTED_AS_ZERO * largest {
                true => format!(" {x:11.4e}"),
                false => format!(" {:>11}", "0"),
            });
            let _ = writeln!(out, "  {:24}{}", shorten_name(name, 24), entries.collect::<String>());
        }
    }
}

/// Appends each row of a wide matrix as a list of its non-zero entries with their column names.
fn write_sparse_rows(out: &mut String, rows: &[Vec<f64>], names: &[String], columns: &[String]) {
    for (name, row) in names.iter().zip(rows) {
        let entries = row.iter().zip(columns).filter(|(x, _)| **x != 0.0);
        let entries: Vec<String> = entries.map(|(x, column)| format!("{x:.4e} {column}")).collect();
        match entries.is_empty() {
            true => write_wrapped_list(out, &format!("  {name}: 0"), &[]),
            false => write_wrapped_list(out, &format!("  {name}:"), &entries),
        }
    }
}

/// Shortens a column name to `width` characters by cutting its beginning.
fn shorten_name(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    // Names of one joint differ at their ends, so the beginning is cut.
    let end: Vec<char> = name.chars().rev().take(width - 1).collect();
    format!("…{}", end.into_iter().rev().collect::<String>())
}

fn write_eigenvalues(out: &mut String, linearized: &Linearized) {
    if linearized.modes.is_empty() {
        return;
    }
    let head = ["real [1/s]", "imaginary [1/s]", "ω₀ [rad/s]", "damping"];
    let _ = writeln!(out, "\neigenvalues of A");
    let _ =
        writeln!(out, "  {:>20} {:>20} {:>12} {:>9}  dominant states", head[0], head[1], head[2], head[3]);
    let largest = linearized.a.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    // Rounding moves a double zero by its square root, hence the wide tolerance.
    let quickest = linearized.modes.iter().map(Mode::frequency).fold(0.0, f64::max);
    let is_zero = |m: &Mode| m.frequency() <= (1e-9 * largest).max(1e-7 * quickest);
    let zeros = linearized.modes.iter().filter(|m| is_zero(m)).count();
    let mut zeros_are_printed = false;
    // One of each complex conjugate pair: the one with positive imaginary part.
    for mode in linearized.modes.iter().filter(|m| is_zero(m) || m.value[1] >= 0.0) {
        if is_zero(mode) {
            let times = if zeros > 1 { format!("{zeros} times") } else { String::new() };
            if !std::mem::replace(&mut zeros_are_printed, true) {
                let _ = writeln!(out, "  {:>20} {:20} {:>12} {:>9}  {times}", "0", "", "0", "");
            }
            continue;
        }
        let [re, im] = mode.value;
        let pair = if im > 0.0 { "±" } else { " " };
        let mut by_size: Vec<(usize, f64)> =
            mode.shape.iter().map(|[x, y]| x.hypot(*y)).enumerate().collect();
        // States of equal amplitude differ only by rounding. Comparing eight digits and then
        // indices keeps the order reproducible.
        let most = by_size.iter().fold(0.0, |m: f64, x| m.max(x.1));
        let rounded = |size: f64| (size / most * 1e8).round();
        by_size.sort_by(|a, b| rounded(b.1).total_cmp(&rounded(a.1)).then(a.0.cmp(&b.0)));
        let main: Vec<&str> =
            by_size.iter().take(2).filter(|x| x.1 > 0.1).map(|x| linearized.states[x.0].as_str()).collect();
        let (frequency, damping) = (mode.frequency(), mode.damping());
        // Rounding may leave a tiny negative number, which would print as `-0.0000`.
        let damping = if damping.abs() < 5e-5 { 0.0 } else { damping };
        let main = main.join(", ");
        let [re, im] = [re, im].map(|x| format_eigenvalue_part(x, frequency));
        let _ = writeln!(out, "  {re:>20} {pair}{im:>19} {frequency:12.6} {damping:9.4}  {main}");
    }
}

/// Text of the real or imaginary part of an eigenvalue. A part at rounding level of `frequency` is
/// zero.
fn format_eigenvalue_part(x: f64, frequency: f64) -> String {
    match x.abs() {
        size if size <= 1e-12 * frequency => "0".to_owned(),
        size if size < 1e-3 => format!("{x:.8e}"),
        _ => format!("{x:.12}"),
    }
}
