//! Layout of the vectors of emitted functions: entries, units and initial values.

use super::events;
use dqdt_algebra::{Dimension, Number, Unit};
use dqdt_graph::ir::{Layout, Limits, Row, Slot};
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{
    CoordinateId, Formula, Instant, JointLimits, JointVariable, Mechanism, ParameterKind, Partition, Variable,
};

/// Initial state and default inputs, at the default parameters.
pub fn start_at_defaults(m: &Mechanism) -> Instant<f64> {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    kinematics::initial_instant(m, &Number::to_f64, &p)
}

/// Names of the speeds that elimination computes from the independent ones.
pub(super) fn dependent_speed_names(m: &Mechanism, partition: &Partition) -> Vec<String> {
    partition.dependent.iter().map(|d| m.speeds[d.speed].name.clone()).collect()
}

/// Name of a constraint row and units of its residuals, for the layout.
struct ConstraintSlot {
    name: String,
    /// Units of the position residual, if there is one, and of the velocity residual.
    units: (Option<String>, String),
}

/// Layout entries of all constraint rows. Their units follow from the multiplier's: multiplier
/// times position residual is work, times velocity residual is power.
fn constraint_slots(m: &Mechanism, start: &Instant<f64>) -> Vec<ConstraintSlot> {
    let rows = kinematics::constraint_rows(m, &start.as_environment(&Number::to_f64));
    rows.into_iter().map(|row| constraint_slot(m, row)).collect()
}

/// Layout entry of one constraint row, with the units of its residuals.
fn constraint_slot(m: &Mechanism, row: ConstraintRow<f64>) -> ConstraintSlot {
    let multipliers = m.constraints[row.constraint].describe_multipliers(&m.bodies);
    let unit = multipliers.get(row.index).and_then(|multiplier| Unit::parse(&multiplier.unit).ok());
    let residual_unit = |work: Dimension| unit.map_or(String::new(), |u| work.over(u.dimension).to_string());
    ConstraintSlot {
        units: (
            row.position.map(|_| residual_unit(Dimension::MOMENT)),
            residual_unit(Dimension::MOMENT.over(Dimension::TIME)),
        ),
        name: row.name,
    }
}

/// A limit of an input as text for the emitted documentation.
fn input_limit_text(m: &Mechanism, f: &Formula) -> String {
    match f {
        Formula::Number(n) => n.to_f64().to_string(),
        Formula::Variable(Variable::Parameter(i)) => m.parameters[*i].name.clone(),
        Formula::Neg(x) if matches!(**x, Formula::Number(_) | Formula::Variable(_)) => {
            format!("-{}", input_limit_text(m, x))
        }
        _ => "formula".to_owned(),
    }
}

/// Layout entry of a coordinate, speed, state, input or parameter; an empty unit becomes `1`.
fn layout_slot(name: &str, unit: String, description: &str, value: f64) -> Slot {
    Slot {
        name: name.to_owned(),
        unit: if unit.is_empty() { "1".to_owned() } else { unit },
        description: description.to_owned(),
        value,
        limits: None,
    }
}

/// Layout entry of a constraint row: its name and the unit of its residual.
fn layout_row(name: &str, unit: &str) -> Row {
    Row { name: name.to_owned(), unit: unit.to_owned() }
}

/// Layout of the vectors of emitted functions, with default and initial values. Lists that depend
/// on the request are empty here; [`derive()`](super::derive()) fills them.
pub fn vector_layout(m: &Mechanism) -> Layout {
    let start = start_at_defaults(m);
    let quaternions = kinematics::quaternion_starts(m);
    let rows = constraint_slots(m, &start);
    Layout {
        bodies: m.bodies.iter().map(|b| b.name.clone()).collect(),
        non_rotating_bodies: Vec::new(),
        level: Vec::new(),
        position_rows: rows.iter().filter_map(|r| Some(layout_row(&r.name, r.units.0.as_deref()?))).collect(),
        velocity_rows: rows.iter().map(|r| layout_row(&r.name, &r.units.1)).collect(),
        dependent_speeds: Vec::new(),
        independent_speeds: Vec::new(),
        driven_speeds: Vec::new(),
        independent_differences: Vec::new(),
        undetermined_rows: Vec::new(),
        contacts: contact_point_names(m)
            .into_iter()
            .map(|(body, point)| layout_slot(&format!("{body}_{point}"), String::new(), "", 1.0))
            .collect(),
        events: events::event_slots(m),
        q: (m.coordinates.iter().zip(&start.q).enumerate())
            .map(|(i, (c, x))| {
                let in_quaternion = quaternions.iter().any(|s| s.quaternion_range().contains(&i));
                let unit = if in_quaternion { "1".to_owned() } else { c.dimension.of_motion() };
                layout_slot(&c.name, unit, &c.description, *x)
            })
            .collect(),
        v: (m.speeds.iter().zip(&start.v))
            .map(|(c, x)| layout_slot(&c.name, c.dimension.of_motion(), &c.description, *x))
            .collect(),
        z: m.states
            .iter()
            .zip(&start.z)
            .map(|(c, x)| layout_slot(&c.name, c.unit.clone(), &c.description, *x))
            .collect(),
        u: m.inputs
            .iter()
            .zip(&start.u)
            .map(|(c, x)| Slot {
                limits: c.limits.as_ref().map(|(low, high)| [low, high].map(|f| input_limit_text(m, f))),
                ..layout_slot(&c.name, c.unit.clone(), &c.description, *x)
            })
            .collect(),
        p: (m.parameters.iter())
            .filter_map(|p| match &p.kind {
                ParameterKind::Free(n) => {
                    Some(layout_slot(&p.name, p.unit.clone(), &p.description, n.to_f64()))
                }
                ParameterKind::Constant(_) | ParameterKind::Derived(_) => None,
            })
            .collect(),
        quaternions: quaternions.into_iter().map(CoordinateId::index).collect(),
        limits: joint_limits(m, &start.p),
    }
}

/// Names of all contact points, each with its body.
fn contact_point_names(m: &Mechanism) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    for body in &m.bodies {
        let points = body.points.iter().filter(|p| p.contact);
        out.extend(points.map(|p| (body.name.as_str(), p.name.as_str())));
    }
    out
}

/// Joint limits, ±∞ if unspecified; `None` if no joint has any. Only joints with one coordinate and
/// one speed have limits.
fn joint_limits(m: &Mechanism, p: &[f64]) -> Option<Limits> {
    let none = JointLimits::default();
    if m.joints.iter().all(|joint| joint.limits == none) {
        return None;
    }
    let mut out = Limits {
        position: vec![[f64::NEG_INFINITY, f64::INFINITY]; m.nq()],
        speed: vec![f64::INFINITY; m.nv()],
        effort: vec![f64::INFINITY; m.nv()],
    };
    let env = Instant { p: p.to_vec(), ..Instant::default() };
    let value = |f: &Formula| f.eval(&env.as_environment(&Number::to_f64));
    for joint in &m.joints {
        let limits = &joint.limits;
        if let (Some(ends), Some(JointVariable::Free(i))) = (&limits.position, joint.coordinates.first()) {
            out.position[*i] = [0, 1].map(|k| value(&ends[k]));
        }
        let Some(JointVariable::Free(i)) = joint.speeds.first() else { continue };
        for (limit, all) in [(&limits.speed, &mut out.speed), (&limits.effort, &mut out.effort)] {
            if let Some(limit) = limit {
                all[*i] = value(limit);
            }
        }
    }
    Some(out)
}
