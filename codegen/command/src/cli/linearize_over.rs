//! `dqdt linearize --over`: eigenvalues over a varied parameter, input or state; as text, JSON or a
//! figure.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::output;
use super::source::Failure;
use super::state_file::StateFile;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Arguments, Layout, Program, Slot};
use dqdt_mechanics::kinematics::quaternion_starts;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::linearize::sweep::{self, Change, Sweep, VariedQuantity, ZERO_TOLERANCE};
use dqdt_motion::linearize::{
    Kind, LinearizeError, LinearizeRequest, Linearized, MOST_STATES, derive_derivatives,
    find_inputs_at_limits,
};
pub use dqdt_view::figure::{self, Locus};

/// Argument of `--over`: name of the varied parameter, input or state, and its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepArgument {
    /// Name of the varied parameter, input or state.
    name: String,
    values: Vec<f64>,
}

/// Number of values of `--over NAME=FROM:TO` without a count.
const DEFAULT_COUNT: usize = 41;
const MAX_COUNT: usize = 2001;

/// Parses the argument of `--over`: `NAME=FROM:TO` or `NAME=FROM:TO:COUNT`.
pub(super) fn parse_sweep(text: &str) -> Result<SweepArgument, String> {
    let (name, range) = text.split_once('=').ok_or_else(range_syntax_message)?;
    let parts: Vec<&str> = range.split(':').map(str::trim).collect();
    let (from, to, count) = match parts[..] {
        [from, to] => (parse_finite(from)?, parse_finite(to)?, DEFAULT_COUNT),
        [from, to, count] => {
            (parse_finite(from)?, parse_finite(to)?, count.parse().map_err(|_| range_syntax_message())?)
        }
        _ => return Err(range_syntax_message()),
    };
    let name = name.trim().to_owned();
    match count {
        _ if name.is_empty() => Err(range_syntax_message()),
        _ if from == to => Err("the range contains only a single value: omit `--over`".to_owned()),
        2..=MAX_COUNT => {
            let values = (0..count).map(|i| match i {
                i if i + 1 == count => to,
                i => from + (to - from) * i as f64 / (count - 1) as f64,
            });
            Ok(SweepArgument { name, values: values.collect() })
        }
        _ => Err(format!("the count must be a whole number from 2 to {MAX_COUNT}")),
    }
}

fn parse_finite(text: &str) -> Result<f64, String> {
    text.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(range_syntax_message)
}

fn range_syntax_message() -> String {
    "expected a name and a range, such as m_pole=0.1:2, or a range with a count, such as m_pole=0.1:2:101"
        .to_owned()
}

fn sweep_failure(message: String) -> Failure {
    Failure::Option { option: "--over", message }
}

/// Options of `dqdt linearize` that apply to a sweep with `--over`.
pub(super) struct SweepOptions<'a> {
    pub over: SweepArgument,
    pub at: Option<&'a StateFile>,
    pub plot: Option<&'a Path>,
    pub is_json: bool,
}

/// The quantity to vary, with its slot. It must be free, not trimmed, and no component of a
/// quaternion.
fn find_varied_quantity<'l>(
    loaded: &Assembled,
    layout: &'l Layout,
    name: &str,
    trim: &[String],
) -> Result<(VariedQuantity, &'l Slot), Failure> {
    let Some((varied, slot)) = VariedQuantity::find_by_name(layout, name) else {
        let groups = [&layout.p, &layout.u, &layout.q, &layout.v, &layout.z];
        let known: Vec<&str> = groups.into_iter().flatten().map(|s| s.name.as_str()).collect();
        return Err(sweep_failure(format!(
            "there is no free parameter, input or state `{name}`; the available names are {}\n\nhelp: a \
             parameter that the spec declares `constant` cannot be varied",
            known.join(", ")
        )));
    };
    // Only the direction of a quaternion matters. Varying one component would mostly change its
    // length.
    let is_attitude = varied.coordinate_index().is_some_and(|i| {
        quaternion_starts(&loaded.mechanism).iter().any(|e| e.quaternion_range().contains(&i))
    });
    if is_attitude {
        return Err(sweep_failure(format!(
            "`{name}` is one of the four components of a quaternion, which cannot be varied \
             separately\n\nhelp: use joint angles (`coordinates = {{ sequence = \"xyz\" }}`), and vary one \
             of them"
        )));
    }
    if trim.iter().any(|trimmed| trimmed == name) {
        return Err(sweep_failure(format!(
            "`{name}` cannot be both varied and trimmed: remove it from `--over` or from `--trim`"
        )));
    }
    Ok((varied, slot))
}

pub(super) fn run_sweep(
    loaded: &Assembled,
    place: &Path,
    options: &SweepOptions<'_>,
    request: &LinearizeRequest,
) -> Result<(), Failure> {
    let mut derivatives =
        derive_derivatives(loaded).map_err(|e| Failure::from_linearisation_error(&e, place))?;
    let layout = derivatives.program().layout.clone();
    let mut arguments = Arguments::defaults(derivatives.program());
    let mut named = [&layout.q, &layout.v, &layout.z, &layout.u].map(|slots| vec![false; slots.len()]);
    if let Some(StateFile { place, text, .. }) = options.at {
        super::eval::read_state_arguments(text, &layout, &mut arguments)
            .map_err(|message| Failure::Input { place: place.display().to_string(), message })?;
        named = super::start::named_entry_flags(text, &layout);
    }
    let name = &options.over.name;
    let names = derivatives.names();
    let independent = names.states.len().saturating_sub(names.residuals.len());
    if independent > MOST_STATES {
        return Err(sweep_failure(format!(
            "the mechanism has {independent} states, but eigenvalues are computed for at most \
             {MOST_STATES}: omit --over, or linearise a part of the mechanism"
        )));
    }
    let (varied, slot) = find_varied_quantity(loaded, &layout, name, &request.trim)?;
    let values = options.over.values.clone();
    let sweep = sweep::sweep(loaded, &mut derivatives, &(arguments, named), varied, values, request);
    if sweep.points.iter().all(Result::is_err) {
        let first = sweep.points.into_iter().find_map(Result::err);
        return Err(match first {
            Some(LinearizeError::Start(e)) => {
                super::start::start_failure(e, options.at.map_or(place, |at| &at.place))
            }
            Some(e) => Failure::from_linearisation_error(&e, place),
            None => Failure::Input { place: place.display().to_string(), message: String::new() },
        });
    }
    if let Some(path) = options.plot {
        output::write_picture(
            path,
            &figure::locus_svg(&root_locus_figure(&loaded.mechanism.name, slot, &sweep)),
        )?;
    }
    let text = if options.is_json {
        format!("{:#}\n", sweep_as_json(slot, &sweep))
    } else {
        sweep_as_text(slot, &sweep)
    };
    output::print_to_stdout(&text)?;
    print_sweep_warnings(&sweep, slot, (&loaded.mechanism, derivatives.program()), !request.trim.is_empty());
    Ok(())
}

/// Prints warnings and notes about a sweep of `--over` to standard error.
fn print_sweep_warnings(sweep: &Sweep, slot: &Slot, (m, program): (&Mechanism, &Program), is_trimmed: bool) {
    let senseless: Vec<(f64, String)> = (sweep.values.iter().zip(&sweep.points))
        .filter_map(|(x, p)| {
            let at = &p.as_ref().ok()?.at;
            Some((*x, program.violated_conditions(at).into_iter().next()?))
        })
        .collect();
    if let Some((x, fault)) = senseless.first() {
        dqdt_diagnostics::tell!(
            "warning: at {} of {} values, a parameter is not physically meaningful, first at {}: {fault}",
            senseless.len(),
            sweep.values.len(),
            format_with_unit(*x, slot)
        );
    }
    let moving = sweep.points.iter().flatten().filter(|p| !is_steady(p)).count();
    if moving > 0 {
        let count = sweep.values.len();
        let help = if is_trimmed { "" } else { " (use `--trim` to find a steady motion)" };
        dqdt_diagnostics::tell!(
            "warning: at {moving} of {count} values, the state is not a steady motion{help}, or A changes \
             along the motion, so the eigenvalues mean little there"
        );
    }
    let beyond: Vec<(f64, String)> = (sweep.values.iter().zip(&sweep.points))
        .filter_map(|(x, p)| Some((*x, find_inputs_at_limits(m, &p.as_ref().ok()?.at).first()?.to_string())))
        .collect();
    if let Some((x, limit)) = beyond.first() {
        dqdt_diagnostics::tell!(
            "note: at {} of {} values, an input is at its limit, first at {}: {limit}; inputs are clamped \
             to their limits",
            beyond.len(),
            sweep.values.len(),
            format_with_unit(*x, slot)
        );
    }
    if let Some((x, e)) =
        sweep.values.iter().zip(&sweep.points).find_map(|(x, p)| Some((x, p.as_ref().err()?)))
    {
        let failed = sweep.points.iter().filter(|p| p.is_err()).count();
        let first = e.to_string();
        let first = first.lines().next().unwrap_or_default();
        dqdt_diagnostics::tell!(
            "warning: the linearisation failed at {failed} of {} values, first at {}: {first}",
            sweep.values.len(),
            format_with_unit(*x, slot)
        );
    }
}

fn is_steady(linearized: &Linearized) -> bool {
    matches!(linearized.kind, Kind::Equilibrium | Kind::SteadyMotion)
}

fn format_with_unit(x: f64, slot: &Slot) -> String {
    let unit = if matches!(slot.unit.as_str(), "" | "1") { String::new() } else { format!(" {}", slot.unit) };
    format!("{} = {}{unit}", slot.name, format_rounded(x, 6))
}

/// Text of a number rounded to this many significant digits, without trailing zeros.
fn format_rounded(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits - 1).parse().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".to_owned(),
        size if (1e-4..1e7).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

fn root_locus_figure(mechanism: &str, slot: &Slot, sweep: &Sweep) -> Locus {
    Locus {
        title: format!("{mechanism}: eigenvalues as a function of {}", slot.name),
        label: slot.name.clone(),
        unit: if slot.unit == "1" { String::new() } else { slot.unit.clone() },
        values: sweep.values.clone(),
        branches: sweep.branches.clone(),
        changes: sweep.changes.iter().filter(|c| !c.leaps).map(|c| c.value).collect(),
    }
}

/// Maximum line width of the table of a sweep, in columns.
const WIDE: usize = 98;

fn sweep_as_text(slot: &Slot, sweep: &Sweep) -> String {
    let mut out = String::new();
    let head =
        if slot.unit.is_empty() { slot.name.clone() } else { format!("{} [{}]", slot.name, slot.unit) };
    let width = head.chars().count().max(10);
    let _ = writeln!(out, "{head:>width$}  growing  zero  other eigenvalues [1/s], fastest growing first");
    for (x, point) in sweep.values.iter().zip(&sweep.points) {
        let _ = write!(out, "{:>width$}  ", format_rounded(*x, 6));
        let Ok(point) = point else {
            let _ = writeln!(out, "no linearisation");
            continue;
        };
        let _ = write!(
            out,
            "{:>7}  {:>4} ",
            sweep::count_growing_modes(point, 1.0),
            sweep::count_zero_eigenvalues(point)
        );
        let indent = width + 16;
        let mut column = indent;
        for root in nonzero_eigenvalues(point) {
            let length = root.chars().count() + 1;
            if column + length > WIDE {
                let _ = write!(out, "\n{:indent$}", "");
                column = indent;
            }
            let _ = write!(out, " {root}");
            column += length;
        }
        out.push('\n');
    }
    write_trim_table(&mut out, &head, width, sweep);
    let _ = writeln!(
        out,
        "\nzero: eigenvalues whose magnitude is below {ZERO_TOLERANCE:e} times that of the largest \
         eigenvalue"
    );
    if sweep.changes.is_empty() {
        let _ = writeln!(out, "the number of growing modes is the same at all values of the sweep");
    }
    for change in &sweep.changes {
        let _ = writeln!(out, "{}", describe_stability_change(slot, change));
    }
    out
}

/// Appends a table of the trimmed states and inputs at each value of a sweep.
fn write_trim_table(out: &mut String, head: &str, width: usize, sweep: &Sweep) {
    let Some(first) = sweep.points.iter().flatten().find_map(|p| p.trim.as_ref()) else { return };
    let names: Vec<&str> = first.free.iter().map(|(n, _)| n.as_str()).collect();
    let wide: Vec<usize> = names.iter().map(|n| n.chars().count().max(12)).collect();
    let heads: String = names.iter().zip(&wide).map(|(n, w)| format!("  {n:>w$}")).collect();
    let _ = writeln!(out, "\n{head:>width$}{heads}   trimmed values");
    for (x, point) in sweep.values.iter().zip(&sweep.points) {
        let Some(trim) = point.as_ref().ok().and_then(|p| p.trim.as_ref()) else { continue };
        let row: String = trim
            .free
            .iter()
            .zip(&wide)
            .map(|((_, x), w)| format!("  {:>w$}", format_rounded(*x, 6)))
            .collect();
        let _ = writeln!(out, "{:>width$}{row}", format_rounded(*x, 6));
    }
}

/// Non-zero eigenvalues of a linearisation as texts; a complex conjugate pair is one entry.
fn nonzero_eigenvalues(linearized: &Linearized) -> Vec<String> {
    let limit = ZERO_TOLERANCE * linearized.modes.iter().map(|m| m.frequency()).fold(0.0, f64::max);
    let nonzero = linearized.modes.iter().filter(|m| m.frequency() > limit && m.value[1] >= 0.0);
    nonzero
        .map(|m| {
            let [re, im] = m.value;
            let re = if re.abs() <= limit * 1e-4 { 0.0 } else { re };
            match im > 0.0 {
                true => format!("{}±{}i", format_rounded(re, 5), format_rounded(im, 5)),
                false => format_rounded(re, 5),
            }
        })
        .collect()
}

fn describe_stability_change(slot: &Slot, change: &Change) -> String {
    let [below, above] = change.growing;
    if change.leaps {
        let place = format_with_unit(change.value, slot);
        return format!(
            "at {place}, the steady state jumps to another one (growing modes: {below} before, {above} \
             after)"
        );
    }
    let motion = match change.frequency {
        0.0 => "without oscillation".to_owned(),
        w => format!("oscillating at {} rad/s", format_rounded(w, 6)),
    };
    let what = if above > below { "begins to grow" } else { "ceases to grow" };
    format!(
        "at {}, a mode {what}, {motion} (growing modes: {below} before, {above} after)",
        format_with_unit(change.value, slot)
    )
}

fn sweep_as_json(slot: &Slot, sweep: &Sweep) -> Value {
    let points = sweep.values.iter().zip(&sweep.points).map(|(x, point)| match point {
        Ok(p) => json!({
            "value": x,
            "eigenvalues": p.modes.iter().map(|m| m.value).collect::<Vec<_>>(),
            "growing": sweep::count_growing_modes(p, 1.0),
            "steady": is_steady(p),
            "trim": p.trim.as_ref().map(|t| t.free.iter().map(|(n, x)| (n.clone(), json!(x))).collect::<serde_json::Map<_, _>>()),
        }),
        Err(e) => json!({ "value": x, "error": e.to_string() }),
    });
    let changes = sweep.changes.iter().map(|c| {
        json!({ "value": c.value, "frequency": c.frequency, "growing_before": c.growing[0], "growing_after": c.growing[1], "leaps": c.leaps })
    });
    json!({
        "over": slot.name,
        "unit": slot.unit,
        "points": points.collect::<Vec<_>>(),
        // Real and imaginary part at each value, by branch as in the figure; `null` where there is
        // none.
        "branches": sweep.branches,
        "changes": changes.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_refused() {
        let all = parse_sweep("k = 1 : 3 : 5").map(|o| o.values);
        assert_eq!(all, Ok(vec![1.0, 1.5, 2.0, 2.5, 3.0]));
        assert_eq!(parse_sweep("k=-1:1").map(|o| o.values.len()), Ok(DEFAULT_COUNT));
        for wrong in
            ["k", "k=1", "=1:2", "k=1:2:1", "k=1:2:9999999", "k=1:inf", "k=1:1", "k=a:b", "k=1:2:3:4"]
        {
            assert!(parse_sweep(wrong).is_err(), "{wrong}");
        }
    }
}
