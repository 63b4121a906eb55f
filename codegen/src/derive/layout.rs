//! The vectors of emitted functions: which slots there are, their units, and what they start from.

use super::events;
use crate::algebra::{Dimension, Number};
use crate::ir::{Layout, Slot};
use crate::kinematics::{self, ConstraintRow};
use crate::mechanism::{Instant, Mechanism, ParameterKind};

/// Initial state and default inputs at the default parameters.
pub fn start(m: &Mechanism) -> Instant<f64> {
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    kinematics::start(m, &Number::to_f64, &p)
}

/// Names of the speeds that elimination computes from the others.
fn dependent_speeds(m: &Mechanism) -> Vec<String> {
    m.partition.dependent.iter().map(|(_, s)| m.speeds[*s].name.clone()).collect()
}

/// Names of the rows of all constraints, whether they hold positions, and whether the motion leaves their multipliers open.
fn row_names(m: &Mechanism, start: &Instant<f64>) -> Vec<(String, bool, bool)> {
    let rows = kinematics::constraint_rows(m, &start.environment(&Number::to_f64));
    let open = |row: &ConstraintRow<f64>| m.partition.is_undetermined(row.place());
    rows.into_iter().map(|row| (row.name.clone(), row.position.is_some(), open(&row))).collect()
}

/// The vectors of emitted functions, with defaults and initial values in doubles.
pub fn layout(m: &Mechanism) -> Layout {
    let start = start(m);
    let slot = |name: &str, unit: String, description: &str, value: f64| Slot {
        name: name.to_owned(),
        unit: if unit.is_empty() { "1".to_owned() } else { unit },
        description: description.to_owned(),
        value,
    };
    // Angles have no dimension; readers want to see them all the same.
    let unit = |dimension: Dimension| match dimension.to_string().as_str() {
        "1" => "rad".to_owned(),
        "1/s" => "rad/s".to_owned(),
        text => text.to_owned(),
    };
    let quaternions = kinematics::quaternions(m);
    let in_quaternion = |i: usize| quaternions.iter().any(|s| (*s..*s + 4).contains(&i));
    let rows = row_names(m, &start);
    Layout {
        position_rows: rows.iter().filter(|r| r.1).map(|r| r.0.clone()).collect(),
        velocity_rows: rows.iter().map(|r| r.0.clone()).collect(),
        dependent_speeds: dependent_speeds(m),
        independent_speeds: Vec::new(),
        undetermined_rows: rows.into_iter().filter(|r| r.2).map(|r| r.0).collect(),
        events: events::slots(m),
        q: (m.coordinates.iter().zip(&start.q).enumerate())
            .map(|(i, (c, x))| {
                let unit = if in_quaternion(i) { "1".to_owned() } else { unit(c.dimension) };
                slot(&c.name, unit, &c.description, *x)
            })
            .collect(),
        v: (m.speeds.iter().zip(&start.v))
            .map(|(c, x)| slot(&c.name, unit(c.dimension), &c.description, *x))
            .collect(),
        z: m.states
            .iter()
            .zip(&start.z)
            .map(|(c, x)| slot(&c.name, c.unit.clone(), &c.description, *x))
            .collect(),
        u: m.inputs
            .iter()
            .zip(&start.u)
            .map(|(c, x)| slot(&c.name, c.unit.clone(), &c.description, *x))
            .collect(),
        p: (m.parameters.iter())
            .filter_map(|p| match &p.kind {
                ParameterKind::Free(n) => Some(slot(&p.name, p.unit.clone(), &p.description, n.to_f64())),
                ParameterKind::Constant(_) | ParameterKind::Derived(_) => None,
            })
            .collect(),
        quaternions,
    }
}
