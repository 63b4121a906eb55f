//! Panels of a plot, from the signals of one or several motions.

use super::chosen::{Chosen, ENERGIES, Kind};
use super::runs::Run;
use crate::cli::source::Failure;
use dqdt_document::report::Math;
use dqdt_graph::ir::Slot;
use dqdt_motion::simulate::SignalGroup;
use dqdt_view::animation::Signal;
use dqdt_view::figure::{Panel, Phase, Plot, Series};
use dqdt_view::scene;

/// A signal along one motion.
struct Curve {
    kind: Kind,
    name: String,
    /// Name for display.
    shown: String,
    unit: String,
    values: Vec<f64>,
}

/// Maximum number of panels in a plot of several motions, which has one panel per signal.
const PANELS: usize = 24;

/// Checks that every selected name is a signal of the motion.
///
/// # Errors
/// If a selected name has no curve.
pub(super) fn known(first: &Run, chosen: &Chosen) -> Result<(), Failure> {
    let all = curves(first);
    let missing = chosen.missing(&all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>());
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the motion has no signal `{}`\n\nhelp: the names are those of the table (`--csv`); forces that the motion does not determine have none",
        missing.join("`, `")
    );
    Err(Failure::Option { option: chosen.option, message })
}

/// A plot of one motion with a panel per kind and unit, or of several motions with a panel per
/// signal.
///
/// # Errors
/// If there are more signals than a plot of several motions can show.
pub(super) fn plot(
    runs: &[Run],
    chosen: &Chosen,
    groups: &[SignalGroup],
    title: &str,
) -> Result<Plot, Failure> {
    let several = runs.len() > 1;
    let of_runs: Vec<Vec<Curve>> = runs.iter().map(curves).collect();
    let Some(first) = of_runs.first() else { return Ok(Plot::default()) };
    let usual = |kind: Kind| match kind {
        Kind::Of(group) => groups.contains(&group),
        Kind::Energies => !several,
        _ => true,
    };
    let shown: Vec<usize> = (0..first.len())
        .filter(|i| {
            let c = &first[*i];
            // In a planar mechanism most components of reactions are zero.
            let of_many = c.kind == Kind::Of(SignalGroup::Reactions) && !chosen.names(&c.name);
            let wanted = if chosen.is_usual() { usual(c.kind) } else { chosen.shows(c.kind, &c.name) };
            wanted && !(of_many && is_nothing(c, first))
        })
        .collect();
    let longest = runs.iter().max_by_key(|r| r.motion.times.len());
    let x = longest.map(|r| r.motion.times.clone()).unwrap_or_default();
    let panels = if several { by_signal(runs, &of_runs, &shown, &x)? } else { by_unit(first, &shown) };
    Ok(Plot { title: title.to_owned(), x_label: "t".to_owned(), x_unit: "s".to_owned(), x, panels })
}

/// A phase plot: one signal over another, with one curve per motion.
///
/// # Errors
/// If a name is not a single signal.
pub(super) fn phase(runs: &[Run], names: &[String; 2], title: &str) -> Result<Phase, Failure> {
    let mut axes = Vec::new();
    let mut drawn = Vec::new();
    for run in runs {
        let all = curves(run);
        let find = |name: &String| {
            all.iter().find(|c| c.name == *name).ok_or_else(|| {
                let near = all.iter().filter(|c| c.name.starts_with(name.as_str())).map(|c| c.name.as_str());
                let parts: Vec<&str> = near.collect();
                let help = match parts.is_empty() {
                    true => "the names are those of the table (`--csv`)".to_owned(),
                    false => format!("single signals are {}", parts.join(", ")),
                };
                let message = format!("`{name}` is no single signal\n\nhelp: {help}");
                Failure::Option { option: "--plot-xy", message }
            })
        };
        let [x, y] = [find(&names[0])?, find(&names[1])?];
        axes = [x, y].map(|c| (c.shown.clone(), shown_unit(&c.unit))).to_vec();
        let points = x.values.iter().zip(&y.values).map(|(x, y)| [*x, *y]).collect();
        drawn.push((if runs.len() > 1 { run.label.clone() } else { String::new() }, points));
    }
    let axes = <[(String, String); 2]>::try_from(axes).unwrap_or_default();
    Ok(Phase { title: title.to_owned(), axes, curves: drawn })
}

/// Curves below an animation: the selected signals, by default coordinates and inputs with laws. At
/// most [`BESIDE`].
pub(super) fn beside(run: &Run, chosen: &Chosen, groups: &[SignalGroup]) -> Vec<Signal> {
    let frames = scene::frames(run.motion.times.len());
    let usual = |c: &Curve| match c.kind {
        Kind::Coordinates => true,
        Kind::Of(SignalGroup::Inputs) => groups.contains(&SignalGroup::Inputs),
        _ => false,
    };
    let shown = |c: &Curve| if chosen.is_usual() { usual(c) } else { chosen.shows(c.kind, &c.name) };
    let signal = |c: Curve| Signal {
        values: frames.iter().map(|k| c.values[*k]).collect(),
        name: c.shown,
        unit: c.unit,
    };
    let all: Vec<Curve> = curves(run).into_iter().filter(shown).collect();
    // If there are too many curves, drop those that are zero except for rounding.
    let moves: Vec<bool> = all.iter().map(|c| all.len() <= BESIDE || !is_nothing(c, &all)).collect();
    let kept = all.into_iter().zip(moves).filter(|(_, moves)| *moves).map(|(c, _)| c);
    kept.take(BESIDE).map(signal).collect()
}

/// True if a curve is at rounding level of the largest curve of the same unit.
fn is_nothing(c: &Curve, all: &[Curve]) -> bool {
    let size =
        |c: &Curve| c.values.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
    let largest = all.iter().filter(|other| other.unit == c.unit).map(size).fold(0.0, f64::max);
    size(c) <= 1e-9 * largest
}

/// Maximum number of curves below an animation.
const BESIDE: usize = 12;

/// Ratio of curve sizes above which curves get separate panels.
const APART: f64 = 20.0;
/// Curves below this fraction of the largest are ignored when panels are split.
const TINY: f64 = 1e-6;

/// Size up to which curves get a panel of their own, since larger ones would flatten them: the
/// angle of a body next to those of its wheels. `None` if sizes are similar.
fn small(sizes: &[f64]) -> Option<f64> {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let mut sizes: Vec<f64> = sizes.iter().copied().filter(|x| *x > TINY * largest).collect();
    sizes.sort_by(f64::total_cmp);
    let gaps = sizes.windows(2).map(|w| (w[1] / w[0], w[0]));
    gaps.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(ratio, _)| *ratio > APART).map(|(_, size)| size)
}

/// Splits a panel in two if its curves differ much in size.
fn by_size(panel: Panel) -> Vec<Panel> {
    let size =
        |s: &Series| s.values.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
    let sizes: Vec<f64> = panel.series.iter().map(size).collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let Some(limit) = small(&sizes) else { return vec![panel] };
    let is_small = |s: &Series| size(s) <= limit && size(s) > TINY * largest;
    let (small, large): (Vec<Series>, Vec<Series>) = panel.series.into_iter().partition(is_small);
    let of = |series: Vec<Series>| Panel { label: panel.label.clone(), unit: panel.unit.clone(), series };
    vec![of(large), of(small)]
}

/// One panel per kind and unit.
fn by_unit(curves: &[Curve], shown: &[usize]) -> Vec<Panel> {
    let mut panels: Vec<(Kind, Panel)> = Vec::new();
    for c in shown.iter().map(|i| &curves[*i]) {
        let series = Series { name: c.shown.clone(), values: c.values.clone() };
        match panels.iter_mut().find(|(kind, p)| *kind == c.kind && p.unit == c.unit) {
            Some((_, panel)) => panel.series.push(series),
            None => {
                let (label, unit) = (c.kind.noun().to_owned(), c.unit.clone());
                panels.push((c.kind, Panel { label, unit, series: vec![series] }));
            }
        }
    }
    let apart =
        |(kind, panel): (Kind, Panel)| if kind == Kind::Energies { vec![panel] } else { by_size(panel) };
    panels.into_iter().flat_map(apart).map(|p| Panel { unit: shown_unit(&p.unit), ..p }).collect()
}

/// Unit for display; empty for a pure number.
fn shown_unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.to_owned() }
}

/// One panel per signal, with one curve per motion; the first panel has the legend.
fn by_signal(runs: &[Run], all: &[Vec<Curve>], shown: &[usize], x: &[f64]) -> Result<Vec<Panel>, Failure> {
    if shown.len() > PANELS {
        let message = format!(
            "{} signals of {} motions are more than a plot can show; choose up to {PANELS}, such as `--signals coordinates`",
            shown.len(),
            runs.len()
        );
        return Err(Failure::Option { option: "--signals", message });
    }
    let panel = |(row, i): (usize, &usize)| {
        let own = &all[0][*i];
        let series = runs.iter().zip(all).map(|(run, curves)| {
            // A motion that ended early has a last row at a time of its own.
            let together = run.motion.times.iter().zip(x).take_while(|(a, b)| a == b).count();
            let found = curves.iter().find(|c| c.kind == own.kind && c.name == own.name);
            let values = found.map(|c| c.values[..together].to_vec()).unwrap_or_default();
            Series { name: if row == 0 { run.label.clone() } else { String::new() }, values }
        });
        Panel { label: own.shown.clone(), unit: shown_unit(&own.unit), series: series.collect() }
    };
    Ok(shown.iter().enumerate().map(panel).collect())
}

/// All signals of a motion, in the order of panels.
fn curves(run: &Run) -> Vec<Curve> {
    let (l, motion, signals) = (&run.program.layout, &run.motion, &run.signals);
    let mut out = Vec::new();
    let states: [(Kind, &[Slot], usize); 3] = [
        (Kind::Coordinates, &l.q, 0),
        (Kind::Speeds, &l.v, l.q.len()),
        (Kind::States, &l.z, l.q.len() + l.v.len()),
    ];
    for (kind, slots, offset) in states {
        out.extend(slots.iter().enumerate().map(|(i, s)| Curve {
            kind,
            name: s.name.clone(),
            shown: Math::identifier(&s.name).text(),
            unit: s.unit.clone(),
            values: motion.states.iter().map(|x| x[offset + i]).collect(),
        }));
    }
    let groups = [
        SignalGroup::Inputs,
        SignalGroup::Definitions,
        SignalGroup::Outputs,
        SignalGroup::Multipliers,
        SignalGroup::Reactions,
    ];
    for group in groups {
        out.extend(signals.columns.iter().filter(|s| s.group == group).map(|s| Curve {
            kind: Kind::Of(group),
            name: s.name.clone(),
            shown: Math::identifier(&s.name).text(),
            unit: s.unit.clone(),
            values: s.values.clone(),
        }));
    }
    let energies = signals.energy.iter().zip(&motion.work);
    let energy: Vec<[f64; 5]> = energies
        .map(|([kinetic, potential], work)| {
            let total = kinetic + potential;
            [*kinetic, *potential, total, *work, total - work]
        })
        .collect();
    let shown = ["kinetic", "potential", "total", "work", "total − work"];
    out.extend(ENERGIES.iter().zip(shown).enumerate().map(|(i, (name, shown))| Curve {
        kind: Kind::Energies,
        name: (*name).to_owned(),
        shown: shown.to_owned(),
        unit: "J".to_owned(),
        values: energy.iter().map(|e| e[i]).collect(),
    }));
    out.iter_mut().for_each(|c| flatten_noise(&mut c.values));
    out
}

/// Size below which a value counts as rounding of zero, in SI: a thousandth of the default
/// tolerance.
const NOISE: f64 = 1e-12;

/// Sets a curve that consists of rounding to zero. Only the plot is changed, the table has the
/// original values.
fn flatten_noise(values: &mut [f64]) {
    if values.iter().all(|x| !x.is_finite() || x.abs() <= NOISE) {
        values.iter_mut().filter(|x| x.is_finite()).for_each(|x| *x = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{flatten_noise, small};

    #[test]
    fn rounding_is_drawn_as_zero() {
        let mut noise = [1e-17, -3e-16, f64::NAN, 2e-13];
        flatten_noise(&mut noise);
        assert!(noise[0] == 0.0 && noise[1] == 0.0 && noise[2].is_nan() && noise[3] == 0.0);
        let mut curve = [1e-17, 1e-9];
        flatten_noise(&mut curve);
        assert_eq!(curve, [1e-17, 1e-9]);
    }

    #[test]
    fn curves_of_other_sizes_have_a_panel_of_their_own() {
        assert_eq!(small(&[0.1, 46.0, 0.3, 40.0]), Some(0.3));
        assert_eq!(small(&[0.1, 1.0, 10.0]), None);
        // Rounding-level values do not count as a size.
        assert_eq!(small(&[1e-15, 1.0, 0.0]), None);
        assert_eq!(small(&[]), None);
    }
}
