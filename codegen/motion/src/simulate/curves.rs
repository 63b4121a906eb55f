//! All quantities along a motion as named curves: state, signals, energies.

use super::signals::Signals;
use dqdt_graph::ir::Layout;

/// A quantity along a motion.
#[derive(Clone, PartialEq, Debug)]
#[doc(hidden)]
pub struct Curve {
    /// Name of the quantity.
    pub name: String,
    /// SI unit of the values; empty if it is not known.
    pub unit: String,
    /// Plural noun of the kind of quantity, the label of a panel.
    pub kind: &'static str,
    /// Value at each time of the motion.
    pub values: Vec<f64>,
}

/// An energy from the kinetic and the potential one, and the work.
type EnergyOf = fn([f64; 2], f64) -> f64;

/// Energies of a motion, from kinetic energy, potential energy and work.
const ENERGIES: [(&str, EnergyOf); 5] = [
    ("kinetic_energy", |[kinetic, _], _| kinetic),
    ("potential_energy", |[_, potential], _| potential),
    ("total_energy", |[kinetic, potential], _| kinetic + potential),
    ("work", |_, work| work),
    ("balance", |[kinetic, potential], work| kinetic + potential - work),
];

/// All quantities along a motion, given by its states and the work until each of its times.
#[doc(hidden)]
pub fn motion_curves(
    layout: &Layout,
    (states, work): (&[Vec<f64>], &[f64]),
    signals: &Signals,
) -> Vec<Curve> {
    let groups = [("coordinates", &layout.q), ("speeds", &layout.v), ("states", &layout.z)];
    let slots = groups.iter().flat_map(|(kind, slots)| slots.iter().map(move |s| (*kind, s)));
    let mut all: Vec<Curve> = slots
        .enumerate()
        .map(|(i, (kind, s))| Curve {
            name: s.name.clone(),
            unit: s.unit.clone(),
            kind,
            values: states.iter().map(|x| x[i]).collect(),
        })
        .collect();
    all.extend(signals.columns.iter().map(|s| Curve {
        name: s.name.clone(),
        unit: s.unit.clone(),
        kind: "signals",
        values: s.values.clone(),
    }));
    all.extend(ENERGIES.into_iter().map(|(name, value)| Curve {
        name: name.to_owned(),
        unit: "J".to_owned(),
        kind: "energies",
        values: signals.energy.iter().zip(work).map(|(e, w)| value(*e, *w)).collect(),
    }));
    all
}
