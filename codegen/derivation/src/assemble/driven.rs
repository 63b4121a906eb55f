//! Speeds that inputs drive. Dependent speeds are preferably chosen among the others.

use dqdt_algebra::{Number, pivot_order};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Mechanism, SpeedId};

/// Speeds on which no input acts at the start. Dependent speeds should be among these, since a
/// controller prescribes the accelerations of the speeds that it drives.
pub(super) fn undriven_speeds(m: &Mechanism) -> Vec<SpeedId> {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let s = kinematics::initial_instant(m, &Number::to_f64, &p);
    let still = vec![0.0; m.nv()];
    let bias =
        |u: &[f64]| formalism::inverse_dynamics(m, &s.environment_with_inputs(&Number::to_f64, u), &still);
    let rest = bias(&vec![0.0; m.inputs.len()]);
    let mut driven = vec![false; m.nv()];
    for i in 0..m.inputs.len() {
        let unit: Vec<f64> = (0..m.inputs.len()).map(|j| f64::from(u8::from(i == j))).collect();
        let changed = bias(&unit).into_iter().zip(&rest).map(|(a, b)| (a - b).abs() > 1e-9);
        driven.iter_mut().zip(changed).for_each(|(d, c)| *d |= c);
    }
    m.speed_ids().filter(|s| !driven[*s]).collect()
}

/// If all usable entries of a row are below this fraction of its largest entry, the row determines
/// none of their speeds accurately. Used in the choice of dependent speeds.
const MIN_SHARE: f64 = 0.05;

/// Preferred dependent speeds: `first`, extended by those of `wanted` that the rows determine
/// without other speeds.
pub(super) fn extend_preferred_dependent(
    rows: &[Vec<f64>],
    mut first: Vec<usize>,
    wanted: &[SpeedId],
) -> Vec<usize> {
    if wanted.is_empty() {
        return first;
    }
    let restricted: Vec<Vec<f64>> =
        rows.iter().map(|row| restrict_row_to_speeds(row, &first, wanted)).collect();
    for (_, speed) in pivot_order(&restricted, &first) {
        if !first.contains(&speed) {
            first.push(speed);
        }
    }
    first
}

/// A row with zeros for all speeds but those of `first` and `wanted`; all zeros if these entries
/// are too small.
fn restrict_row_to_speeds(row: &[f64], first: &[usize], wanted: &[SpeedId]) -> Vec<f64> {
    let entries = row.iter().enumerate();
    let usable: Vec<f64> = entries
        .map(|(i, x)| if first.contains(&i) || wanted.contains(&SpeedId(i)) { *x } else { 0.0 })
        .collect();
    if largest_entry(&usable) < MIN_SHARE * largest_entry(row) { vec![0.0; row.len()] } else { usable }
}

fn largest_entry(row: &[f64]) -> f64 {
    row.iter().fold(0.0f64, |m, x| m.max(x.abs()))
}
