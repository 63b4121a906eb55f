//! Panels of a plot, from the signals of one or several motions.

use super::runs::MotionRun;
use super::signal_selection::{ENERGIES, SignalKind, SignalSelection};
use crate::cli::source::Failure;
use dqdt_document::report::Math;
use dqdt_graph::ir::Slot;
use dqdt_motion::simulate::SignalGroup;
use dqdt_view::animation::Signal;
use dqdt_view::figure::{Panel, Phase, Plot, Series};
use dqdt_view::scene;

/// A signal (coordinate, energy, output …) along one motion, for plots and animations.
struct SignalCurve {
    kind: SignalKind,
    name: String,
    /// Name for display in legends, with mathematical letters and signs.
    shown: String,
    unit: String,
    values: Vec<f64>,
}

/// Maximum number of panels in a plot of several motions, which has one panel per signal.
const PANELS: usize = 24;

/// Checks that every name in `--signals` is a signal of the motion.
///
/// # Errors
/// If a selected name has no curve.
pub(super) fn check_signal_names(first: &MotionRun, selection: &SignalSelection) -> Result<(), Failure> {
    let all = list_curves(first);
    let missing = selection.names_without_signal(&all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>());
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the motion has no signal `{}`\n\nhelp: use the name of a column of the table (`--csv`); a force \
         that the motion does not determine has no column",
        missing.join("`, `")
    );
    Err(Failure::Option { option: selection.option, message })
}

/// Plot of the selected signals: of one motion with a panel per kind and unit, or of several
/// motions with a panel per signal.
///
/// # Errors
/// If there are more signals than a plot of several motions can show.
pub(super) fn signal_plot(
    runs: &[MotionRun],
    selection: &SignalSelection,
    groups: &[SignalGroup],
    title: &str,
) -> Result<Plot, Failure> {
    let several = runs.len() > 1;
    let curves_of_runs: Vec<Vec<SignalCurve>> = runs.iter().map(list_curves).collect();
    let Some(first) = curves_of_runs.first() else { return Ok(Plot::default()) };
    let shown: Vec<usize> = (0..first.len())
        .filter(|i| {
            let c = &first[*i];
            // In a planar mechanism most components of reactions are zero.
            let is_one_of_many =
                c.kind == SignalKind::Group(SignalGroup::Reactions) && !selection.has_exact_name(&c.name);
            let is_selected = match c.kind {
                _ if !selection.is_default() => selection.includes_signal(c.kind, &c.name),
                SignalKind::Group(group) => groups.contains(&group),
                SignalKind::Energies => !several,
                _ => true,
            };
            is_selected && !(is_one_of_many && is_negligible(c, first))
        })
        .collect();
    let longest = runs.iter().max_by_key(|r| r.motion.times.len());
    let x = longest.map(|r| r.motion.times.clone()).unwrap_or_default();
    let panels = if several {
        panels_by_signal(runs, &curves_of_runs, &shown, &x)?
    } else {
        panels_by_unit(first, &shown)
    };
    Ok(Plot { title: title.to_owned(), x_label: "t".to_owned(), x_unit: "s".to_owned(), x, panels })
}

/// Phase plot: one signal over another, with one curve per motion; for `--plot-xy`.
///
/// # Errors
/// If a name is not a single signal.
pub(super) fn phase_plot(runs: &[MotionRun], names: &[String; 2], title: &str) -> Result<Phase, Failure> {
    let mut axes = Vec::new();
    let mut drawn = Vec::new();
    for run in runs {
        let all = list_curves(run);
        let find = |name: &String| {
            all.iter().find(|c| c.name == *name).ok_or_else(|| {
                let near = all.iter().filter(|c| c.name.starts_with(name.as_str())).map(|c| c.name.as_str());
                let parts: Vec<&str> = near.collect();
                let help = match parts.is_empty() {
                    true => "use the name of a column of the table (`--csv`)".to_owned(),
                    false => format!("use one of the signals {}", parts.join(", ")),
                };
                let message = format!("`{name}` is not a single signal\n\nhelp: {help}");
                Failure::Option { option: "--plot-xy", message }
            })
        };
        let [x, y] = [find(&names[0])?, find(&names[1])?];
        axes = [x, y].map(|c| (c.shown.clone(), display_unit(&c.unit))).to_vec();
        let points = x.values.iter().zip(&y.values).map(|(x, y)| [*x, *y]).collect();
        drawn.push((if runs.len() > 1 { run.label.clone() } else { String::new() }, points));
    }
    let axes = <[(String, String); 2]>::try_from(axes).unwrap_or_default();
    Ok(Phase { title: title.to_owned(), axes, curves: drawn })
}

/// Curves below an animation: the selected signals, by default coordinates and inputs with laws. At
/// most [`MAX_ANIMATION_CURVES`].
pub(super) fn animation_signals(
    run: &MotionRun,
    selection: &SignalSelection,
    groups: &[SignalGroup],
) -> Vec<Signal> {
    let frames = scene::frame_rows(run.motion.times.len());
    let selected = list_curves(run).into_iter().filter(|c| match c.kind {
        _ if !selection.is_default() => selection.includes_signal(c.kind, &c.name),
        SignalKind::Coordinates => true,
        SignalKind::Group(SignalGroup::Inputs) => groups.contains(&SignalGroup::Inputs),
        _ => false,
    });
    let all: Vec<SignalCurve> = selected.collect();
    // If there are too many curves, drop those that are zero except for rounding.
    let moves: Vec<bool> =
        all.iter().map(|c| all.len() <= MAX_ANIMATION_CURVES || !is_negligible(c, &all)).collect();
    let kept = all.into_iter().zip(moves).filter(|(_, moves)| *moves).map(|(c, _)| c);
    let signals = kept.take(MAX_ANIMATION_CURVES).map(|c| Signal {
        values: frames.iter().map(|k| c.values[*k]).collect(),
        name: c.shown,
        unit: c.unit,
    });
    signals.collect()
}

/// True if a curve is at rounding level of the largest curve of the same unit, so that the plot
/// omits it.
fn is_negligible(c: &SignalCurve, all: &[SignalCurve]) -> bool {
    let same_unit = all.iter().filter(|other| other.unit == c.unit);
    let largest = same_unit.map(|other| largest_finite_magnitude(&other.values)).fold(0.0, f64::max);
    largest_finite_magnitude(&c.values) <= 1e-9 * largest
}

/// Largest absolute value among the finite values of a curve.
fn largest_finite_magnitude(values: &[f64]) -> f64 {
    values.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()))
}

/// Maximum number of signal curves below an animation.
const MAX_ANIMATION_CURVES: usize = 12;

/// Ratio of the sizes of two curves above which they get separate panels.
const SPLIT_RATIO: f64 = 20.0;
/// Curves below this fraction of the largest are ignored when panels are split by size.
const TINY: f64 = 1e-6;

/// Size up to which the curves of a panel get a separate panel, since larger ones would flatten
/// them: the angle of a body next to those of its wheels. `None` if sizes are similar.
fn small_curve_limit(sizes: &[f64]) -> Option<f64> {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let mut sizes: Vec<f64> = sizes.iter().copied().filter(|x| *x > TINY * largest).collect();
    sizes.sort_by(f64::total_cmp);
    let gaps = sizes.windows(2).map(|w| (w[1] / w[0], w[0]));
    gaps.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(ratio, _)| *ratio > SPLIT_RATIO).map(|(_, size)| size)
}

/// Splits a panel of a plot in two if its curves differ much in size.
fn split_by_size(panel: Panel) -> Vec<Panel> {
    let sizes: Vec<f64> = panel.series.iter().map(|s| largest_finite_magnitude(&s.values)).collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let Some(limit) = small_curve_limit(&sizes) else { return vec![panel] };
    let (small, large): (Vec<Series>, Vec<Series>) = panel.series.into_iter().partition(|s| {
        let size = largest_finite_magnitude(&s.values);
        size <= limit && size > TINY * largest
    });
    let with_series =
        |series: Vec<Series>| Panel { label: panel.label.clone(), unit: panel.unit.clone(), series };
    vec![with_series(large), with_series(small)]
}

/// Panels of a plot of one motion: one per kind and unit of the signals, split by size.
fn panels_by_unit(curves: &[SignalCurve], shown: &[usize]) -> Vec<Panel> {
    let mut panels: Vec<(SignalKind, Panel)> = Vec::new();
    for c in shown.iter().map(|i| &curves[*i]) {
        let series = Series { name: c.shown.clone(), values: c.values.clone() };
        match panels.iter_mut().find(|(kind, p)| *kind == c.kind && p.unit == c.unit) {
            Some((_, panel)) => panel.series.push(series),
            None => {
                let (label, unit) = (c.kind.plural_noun().to_owned(), c.unit.clone());
                panels.push((c.kind, Panel { label, unit, series: vec![series] }));
            }
        }
    }
    let panels = panels.into_iter().flat_map(|(kind, panel)| match kind {
        SignalKind::Energies => vec![panel],
        _ => split_by_size(panel),
    });
    panels.map(|p| Panel { unit: display_unit(&p.unit), ..p }).collect()
}

/// Unit for display in a plot; empty for a pure number.
fn display_unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.to_owned() }
}

/// Panels of a plot of several motions: one per signal, with one curve per motion; the first panel
/// has the legend.
fn panels_by_signal(
    runs: &[MotionRun],
    all: &[Vec<SignalCurve>],
    shown: &[usize],
    x: &[f64],
) -> Result<Vec<Panel>, Failure> {
    if shown.len() > PANELS {
        let message = format!(
            "{} signals of {} motions are too many for one plot; choose at most {PANELS} signals, for \
             example with `--signals coordinates`",
            shown.len(),
            runs.len()
        );
        return Err(Failure::Option { option: "--signals", message });
    }
    let panels = shown.iter().enumerate().map(|(row, i)| {
        let first = &all[0][*i];
        let series = runs.iter().zip(all).map(|(run, curves)| {
            // A motion that ended early has a last row at a time of its own.
            let together = run.motion.times.iter().zip(x).take_while(|(a, b)| a == b).count();
            let curve = curves.iter().find(|c| c.kind == first.kind && c.name == first.name);
            let values = curve.map(|c| c.values[..together].to_vec()).unwrap_or_default();
            Series { name: if row == 0 { run.label.clone() } else { String::new() }, values }
        });
        Panel { label: first.shown.clone(), unit: display_unit(&first.unit), series: series.collect() }
    });
    Ok(panels.collect())
}

/// All signals of a motion as curves, in the order of panels.
fn list_curves(run: &MotionRun) -> Vec<SignalCurve> {
    let (l, motion, signals) = (&run.program.layout, &run.motion, &run.signals);
    let mut out = Vec::new();
    let states: [(SignalKind, &[Slot], usize); 3] = [
        (SignalKind::Coordinates, &l.q, 0),
        (SignalKind::Speeds, &l.v, l.q.len()),
        (SignalKind::States, &l.z, l.q.len() + l.v.len()),
    ];
    for (kind, slots, offset) in states {
        out.extend(slots.iter().enumerate().map(|(i, s)| SignalCurve {
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
        out.extend(signals.columns.iter().filter(|s| s.group == group).map(|s| SignalCurve {
            kind: SignalKind::Group(group),
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
    out.extend(ENERGIES.iter().zip(shown).enumerate().map(|(i, (name, shown))| SignalCurve {
        kind: SignalKind::Energies,
        name: (*name).to_owned(),
        shown: shown.to_owned(),
        unit: "J".to_owned(),
        values: energy.iter().map(|e| e[i]).collect(),
    }));
    out.iter_mut().for_each(|c| flatten_noise(&mut c.values));
    out
}

/// Size in SI units below which a plotted value counts as rounding of zero: a thousandth of the
/// default tolerance.
const NOISE: f64 = 1e-12;

/// Sets a curve that consists of rounding errors to zero. Only the plot is changed, the table has
/// the original values.
fn flatten_noise(values: &mut [f64]) {
    if values.iter().all(|x| !x.is_finite() || x.abs() <= NOISE) {
        values.iter_mut().filter(|x| x.is_finite()).for_each(|x| *x = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{flatten_noise, small_curve_limit};

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
        assert_eq!(small_curve_limit(&[0.1, 46.0, 0.3, 40.0]), Some(0.3));
        assert_eq!(small_curve_limit(&[0.1, 1.0, 10.0]), None);
        // Rounding-level values do not count as a size.
        assert_eq!(small_curve_limit(&[1e-15, 1.0, 0.0]), None);
        assert_eq!(small_curve_limit(&[]), None);
    }
}
