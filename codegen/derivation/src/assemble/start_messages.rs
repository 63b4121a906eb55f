//! Diagnostics about starts: contradicting values, and guesses that assembly moved.

mod moves;
mod violations;

use super::{Finding, Relation};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::kinematics::quaternion_starts;
use dqdt_mechanics::mechanism::{CoordinateId, Given, Mechanism, SpeedId};
pub use moves::{has_changed, note_start_changes};
pub use violations::note_violations;

/// Maximum number of start values that a message about a start lists individually; the others are
/// counted.
const SHOWN: usize = 8;

/// A value with nine significant digits and its unit, as text.
pub(crate) fn format_quantity(x: f64, unit: &str) -> String {
    format_significant_digits(x, 9, unit)
}

/// A value rounded to `digits` significant digits, with its unit, as text.
fn format_significant_digits(x: f64, digits: usize, unit: &str) -> String {
    let rounded = format!("{x:.*e}", digits - 1).parse::<f64>().unwrap_or(x);
    let plain = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    let number = if plain { rounded.to_string() } else { format!("{rounded:e}") };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A difference with three significant digits and its unit, as text.
pub fn format_difference(x: f64, unit: &str) -> String {
    format_significant_digits(x, 3, unit)
}

/// Unit of a coordinate or speed as text; angles are in `rad` and `rad/s`.
fn dimension_unit(dimension: Dimension) -> String {
    match dimension.to_string().as_str() {
        "1" => "rad".to_owned(),
        "1/s" => "rad/s".to_owned(),
        text => text.to_owned(),
    }
}

/// Unit of a coordinate; empty for the components of a quaternion.
fn coordinate_unit(m: &Mechanism, coordinate: CoordinateId) -> String {
    let in_quaternion =
        quaternion_starts(m).iter().any(|e| e.quaternion_range().contains(&coordinate.index()));
    if in_quaternion {
        String::new()
    } else {
        m.coordinates.get(coordinate.index()).map_or(String::new(), |c| dimension_unit(c.dimension))
    }
}

/// Items as text, such as "`a`, `b` and `c`"; items beyond [`SHOWN`] are counted.
fn list_in_words(mut items: Vec<String>) -> String {
    if let Some(more) = items.len().checked_sub(SHOWN).filter(|n| *n > 0) {
        items.truncate(SHOWN);
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The error about contradicting kept or held values; `None` for other findings.
pub fn contradiction_error(
    m: &Mechanism,
    (coordinates, speeds): (&[Given], &[Given]),
    finding: &Finding,
    constraint_span: Option<Span>,
) -> Option<Diagnostic> {
    match finding {
        Finding::ContradictingSpeeds { relation, singular } => {
            Some(contradicting_speeds(m, speeds, relation, *singular))
        }
        Finding::ContradictingCoordinates { row, residual, moved, .. } => {
            Some(contradicting_coordinates(m, coordinates, (row, *residual), moved, constraint_span))
        }
        _ => None,
    }
}

/// Place in the spec of the start value with index `i`.
fn start_span(starts: &[Given], i: usize) -> Option<Span> {
    starts.get(i).and_then(|start| start.span)
}

/// The error about start speeds that violate `relation`, with the value that the others require.
fn contradicting_speeds(m: &Mechanism, starts: &[Given], relation: &Relation, singular: bool) -> Diagnostic {
    let name = |i: SpeedId| m.speeds.get(i.index()).map_or("", |s| s.name.as_str());
    let unit = |i: SpeedId| m.speeds.get(i.index()).map_or(String::new(), |s| dimension_unit(s.dimension));
    let value = |i: SpeedId| starts.get(i.index()).map_or(0.0, |g| g.value);
    let assignment = |i: SpeedId| format!("`{}` = {}", name(i), format_quantity(value(i), &unit(i)));
    let i = relation.speed;
    // Enough digits to copy the value into the spec.
    let (expected, u) = (format_significant_digits(relation.expected, 13, &unit(i)), unit(i));
    let by = format_difference(value(i) - relation.expected, &u);
    let all = std::iter::once(i).chain(relation.from.iter().map(|f| f.0));
    let message = match relation.from.is_empty() {
        true => format!("the start speed {} contradicts the constraints", assignment(i)),
        false => {
            format!("the start speeds {} contradict each other", list_in_words(all.map(assignment).collect()))
        }
    };
    let from =
        if relation.from.is_empty() { "the constraints require" } else { "the other start speeds require" };
    let mut d = Diagnostic::error("contradicting-speeds", message)
        .at(start_span(starts, i.index()), format!("{from} {expected}; the specified value differs by {by}"));
    for (j, _) in relation.from.iter().take(SHOWN) {
        d = d.also(start_span(starts, j.index()), assignment(*j));
    }
    if singular {
        d = d.help("the start pose is singular and leaves the speeds less freedom than nearby poses: choose a start slightly away from it");
    }
    d.help(format!(
        "start speeds in the spec are kept, including zeros, and the others require `{}` = {expected}: correct a \
                 value, or let one be computed by omitting it or by adding `free = [\"{}\"]` next to `start`",
        name(i),
        name(i)
    ))
}

/// The error about held coordinates without an assembled pose, with the nearby values `moved`.
fn contradicting_coordinates(
    m: &Mechanism,
    starts: &[Given],
    (row, residual): (&str, f64),
    moved: &[(CoordinateId, f64)],
    constraint_span: Option<Span>,
) -> Diagnostic {
    let name = |i: CoordinateId| m.coordinates.get(i.index()).map_or("", |c| c.name.as_str());
    let value = |i: CoordinateId| starts.get(i.index()).map_or(0.0, |g| g.value);
    let assignment =
        |i: CoordinateId| format!("`{}` = {}", name(i), format_quantity(value(i), &coordinate_unit(m, i)));
    let all: Vec<String> = moved.iter().map(|(i, _)| assignment(*i)).collect();
    let message = format!("no pose with {} satisfies the constraints", list_in_words(all));
    let near_by = (moved.iter())
        .map(|(i, x)| {
            let (u, by) = (coordinate_unit(m, *i), x - value(*i));
            format!("`{}` = {} (by {})", name(*i), format_quantity(*x, &u), format_difference(by, &u))
        })
        .collect();
    let mut d = Diagnostic::error("contradicting-coordinates", message);
    for (k, (i, _)) in moved.iter().take(SHOWN).enumerate() {
        let (at, text) = (start_span(starts, i.index()), format!("held: {}", assignment(*i)));
        d = if k == 0 { d.at(at.or(constraint_span), text) } else { d.also(at, text) };
    }
    d.help(format!(
        "row `{row}` has a residual of {residual:.3e}; if no coordinates are held, a nearby pose that satisfies the constraints is {}",
        list_in_words(near_by)
    ))
    .help("hold fewer coordinates, or correct the held values or the lengths")
}
