//! Efforts of the drives of prescribed coordinates, as equations in a report.

use super::equations::EquationsOfMotion;
use super::groups::{Arrangement, GroupRole, Recorder};
use super::letters;
use super::view::Part;
use dqdt_algebra::Scalar;
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism;
use dqdt_mechanics::mechanism::output::kinds::JointEffort;
use dqdt_mechanics::mechanism::{Environment, JointId, Mechanism, Output};

/// Heading of the equations for the efforts of drives of prescribed coordinates.
const DRIVES: &str = "Drives of prescribed coordinates";

/// Adds one equation for each drive with a non-zero effort, in symbols of accelerations and
/// multipliers.
pub(super) fn record_drives<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    system: &EquationsOfMotion<'g>,
    env: &Environment<'_, Tracer<'g>>,
) {
    let joints: Vec<JointId> = JointId::range(m.joints.len())
        .filter(|j| m.joints[*j].speeds.iter().any(|slot| slot.prescribed_formula().is_some()))
        .collect();
    if joints.is_empty() {
        return;
    }
    let outputs = joints.iter().map(|joint| Output {
        name: String::new(),
        description: String::new(),
        kind: JointEffort { joint: *joint }.into(),
    });
    let measured = Mechanism { outputs: outputs.collect(), ..m.clone() };
    let multipliers = (&system.rows[..], &system.multipliers[..]);
    let efforts = formalism::evaluate_outputs(&measured, env, &system.accelerations, multipliers);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for (joint, output) in joints.iter().map(|j| &m.joints[*j]).zip(efforts) {
        for (i, (slot, value)) in joint.speeds.iter().zip(output.values).enumerate() {
            if slot.prescribed_formula().is_some() && !value.is_zero() {
                // A single value has no label.
                let label = output.labels.get(i).map(|rate| rate.trim_end_matches("_dot"));
                let name = label.or_else(|| joint.names.get(i).map(String::as_str));
                names.push(letters::row_symbol("Q", name.unwrap_or_default()));
                values.push(value);
            }
        }
    }
    if !names.is_empty() {
        r.set_part(Part::Equations, &[]);
        let note = "effort of each drive along its coordinate [N, N·m]";
        r.push_group(DRIVES, note, GroupRole::Other, Arrangement::Equations(names), &values);
    }
}
