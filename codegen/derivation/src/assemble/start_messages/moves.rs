//! Notes on start values that assembly moved or chose, for the command line.

use super::{SHOWN, coordinate_unit, dimension_unit, format_difference, format_quantity, list_in_words};
use crate::assemble::{self, Manifold};
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_mechanics::mechanism::{CoordinateId, Mechanism, SpeedId, StartRole, Starts};

/// True if a value changed by more than rounding of a value written with nine digits.
pub fn has_changed(old: f64, new: f64) -> bool {
    (old - new).abs() > 1e-9 * (1.0 + old.abs())
}

/// Notes on unexpected changes that assembly made to a start; `None` if there are none.
pub fn note_start_changes(
    manifold: &Manifold<'_>,
    starts: &Starts,
    (t, q, v): (f64, &[f64], &[f64]),
    sources: &Sources,
) -> Option<Errors> {
    let m = manifold.mechanism;
    let notes = [note_moved_values(m, starts, (q, v)), note_chosen_speeds(manifold, starts, (t, q, v))];
    let diagnostics: Vec<Diagnostic> = notes.into_iter().flatten().collect();
    (!diagnostics.is_empty()).then(|| Errors { sources: sources.clone(), diagnostics })
}

/// Note on values that assembly moved: guesses, and kept values if a state file overrides the spec.
fn note_moved_values(m: &Mechanism, starts: &Starts, (q, v): (&[f64], &[f64])) -> Option<Diagnostic> {
    let coordinates = CoordinateId::enumerate(starts.coordinates.iter().zip(q))
        .map(|(i, (g, x))| (g, *x, m.coordinates[i].name.as_str(), coordinate_unit(m, i)));
    let speeds = SpeedId::enumerate(starts.speeds.iter().zip(v))
        .map(|(i, (g, x))| (g, *x, m.speeds[i].name.as_str(), dimension_unit(m.speeds[i].dimension)));
    let all: Vec<_> = coordinates
        .chain(speeds)
        .filter(|(g, x, ..)| g.role != StartRole::Open && has_changed(g.value, *x))
        .map(|(g, x, name, u)| {
            let by = format_difference(x - g.value, &u);
            (
                g.span,
                format!(
                    "`{name}`: {} becomes {}, a change of {by}",
                    format_quantity(g.value, &u),
                    format_quantity(x, &u)
                ),
            )
        })
        .collect();
    let (first, others) = all.split_first()?;
    let noun = if others.is_empty() { "a value" } else { "values" };
    let mut d = Diagnostic::note(
        "start-moved",
        format!("assembly changed {noun} in the start state to satisfy the constraints"),
    )
    .at(first.0, first.1.clone());
    // Values from a state file have no location in the spec.
    if first.0.is_none() {
        d = d.help(list_in_words(all.iter().map(|one| one.1.clone()).collect()));
    }
    for (span, text) in others.iter().take(SHOWN - 1) {
        d = d.also(*span, text.clone());
    }
    if all.len() > SHOWN {
        d = d.help(format!("and {} more values; run `dqdt assemble` for the full list", all.len() - SHOWN));
    }
    Some(d.help(
        "write `hold = true` or `hold = [\"name\"]` next to `start` to keep start coordinates; otherwise they are only initial guesses",
    ))
}

/// Note on speeds that neither the spec nor the constraints determine. The smallest change of all
/// speeds determined them. Speeds that follow from the given ones are not mentioned.
fn note_chosen_speeds(
    manifold: &Manifold<'_>,
    starts: &Starts,
    (t, q, v): (f64, &[f64], &[f64]),
) -> Option<Diagnostic> {
    let m = manifold.mechanism;
    let open: Vec<SpeedId> = SpeedId::enumerate(starts.speeds.iter().zip(v))
        .filter(|(_, (start, x))| start.role == StartRole::Open && has_changed(0.0, **x))
        .map(|(i, _)| i)
        .collect();
    if open.is_empty() {
        return None;
    }
    let kept: Vec<bool> = starts.speeds.iter().map(|start| start.role == StartRole::Kept).collect();
    let follows = assemble::find_determined_speeds(manifold, t, q, &kept);
    let changes: Vec<String> = (open.iter().filter(|i| !follows[**i]))
        .map(|i| {
            let unit = dimension_unit(m.speeds[*i].dimension);
            format!("`{}` becomes {}", m.speeds[*i].name, format_difference(v[*i], &unit))
        })
        .collect();
    if changes.is_empty() {
        return None;
    }
    let which = if changes.len() == 1 { "this speed" } else { "one of these speeds" };
    Some(
        Diagnostic::note(
            "start-chosen",
            format!("assembly chose speeds that neither the spec nor the constraints determine: {}", list_in_words(changes)),
        )
        .help(format!(
            "give {which} a `start` to set another value; otherwise assembly uses the smallest change of all speeds that satisfies the constraints"
        )),
    )
}
