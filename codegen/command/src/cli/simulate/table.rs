//! Tables of motions, as CSV.

use super::runs::MotionRun;
use dqdt_motion::simulate::Signal;
use dqdt_motion::sweep::push_csv_number;

/// CSV of states, energies, work and the signals selected by `shown`, one row per time. Several
/// motions follow each other, with the value of the `varied` quantity in the first column.
pub(super) fn motions_as_csv(
    runs: &[MotionRun],
    varied: Option<&str>,
    shown: &dyn Fn(&Signal) -> bool,
) -> String {
    let mut text = String::new();
    let Some(first) = runs.first() else { return text };
    text.push_str(&column_names(first, varied, shown).join(","));
    text.push('\n');
    for run in runs {
        let (motion, signals) = (&run.motion, &run.signals);
        for (k, (t, x)) in motion.times.iter().zip(&motion.states).enumerate() {
            if varied.is_some() {
                push_csv_number(&mut text, run.value.unwrap_or(f64::NAN));
                text.push(',');
            }
            push_csv_number(&mut text, *t);
            let others = signals.columns.iter().filter(|s| shown(s)).map(|s| s.values[k]);
            let energies = signals.energy[k].into_iter().chain([motion.work[k]]);
            for value in x.iter().copied().chain(energies).chain(others) {
                text.push(',');
                push_csv_number(&mut text, value);
            }
            text.push('\n');
        }
    }
    text
}

fn column_names(run: &MotionRun, varied: Option<&str>, shown: &dyn Fn(&Signal) -> bool) -> Vec<String> {
    let l = &run.program.layout;
    let state = l.q.iter().chain(&l.v).chain(&l.z).map(|s| s.name.as_str());
    let energies = ["kinetic_energy", "potential_energy", "work"];
    let others = run.signals.columns.iter().filter(|s| shown(s)).map(|s| s.name.as_str());
    let mut names: Vec<String> = varied.map(str::to_owned).into_iter().chain(["t".to_owned()]).collect();
    for name in state.chain(energies).chain(others) {
        // A repeated name gets underscores appended, since column names must be unique.
        let mut name = name.to_owned();
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}
