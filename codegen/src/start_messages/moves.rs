//! What assembly moved, for the command.

use super::{SHOWN, difference, list, quantity, unit, unit_of};
use crate::base::Sources;
use crate::error::{Diagnostic, Errors};
use crate::mechanism::{Mechanism, Role, Starts};

/// True if a value changed by more than what its digits may leave open.
pub(crate) fn changed(old: f64, new: f64) -> bool {
    (old - new).abs() > 1e-9 * (1.0 + old.abs())
}

/// A note on values that assembly moved: guesses, and kept ones where a file beside the spec decides; none if nothing
/// moved.
pub(crate) fn moved(
    m: &Mechanism,
    starts: &Starts,
    (q, v): (&[f64], &[f64]),
    sources: &Sources,
) -> Option<Errors> {
    let coordinates = (starts.coordinates.iter().zip(q).enumerate())
        .map(|(i, (g, x))| (g, *x, m.coordinates[i].name.as_str(), unit_of(m, i)));
    let speeds = (starts.speeds.iter().zip(v).enumerate())
        .map(|(i, (g, x))| (g, *x, m.speeds[i].name.as_str(), unit(m.speeds[i].dimension)));
    let all: Vec<_> = coordinates
        .chain(speeds)
        .filter(|(g, x, ..)| g.role != Role::Open && changed(g.value, *x))
        .map(|(g, x, name, u)| {
            let by = difference(x - g.value, &u);
            (
                g.span,
                format!("`{name}`: {} becomes {}, a change of {by}", quantity(g.value, &u), quantity(x, &u)),
            )
        })
        .collect();
    let (first, others) = all.split_first()?;
    let noun = if others.is_empty() { "a value" } else { "values" };
    let mut d =
        Diagnostic::note("start-moved", format!("assembly moved {noun} of the start onto the constraints"))
            .at(first.0, first.1.clone());
    // Values of a file beside the spec have no place in it.
    if first.0.is_none() {
        d = d.help(list(all.iter().map(|one| one.1.clone()).collect()));
    }
    for (span, text) in others.iter().take(SHOWN - 1) {
        d = d.also(*span, text.clone());
    }
    if all.len() > SHOWN {
        d = d.help(format!("and {} more; `dqdt assemble` lists all", all.len() - SHOWN));
    }
    d = d.help(
        "coordinates are guesses unless they are held: `hold = true`, or `hold = [\"name\"]` beside `start`",
    );
    Some(Errors { sources: sources.clone(), diagnostics: vec![d] })
}
