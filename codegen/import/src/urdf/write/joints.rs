//! Keys of a joint in the text of the spec: start value, limits, axes of a plane.

use std::collections::BTreeMap;

use super::super::closures::cross;
use super::super::robot::{Robot, UrdfJoint, UrdfJointKind};
use crate::robot::decimal::Decimal;
use crate::robot::turn::format_triple;

/// Initial value of the coordinate of a joint: zero, or the middle of limits that exclude zero.
/// Mimic joints follow others.
pub(super) fn start_value(robot: &Robot, by_name: &BTreeMap<&str, usize>, joint: usize) -> f64 {
    // `q = a q_leader + b` along the chain of mimic joints, which has been checked to end.
    let (mut joint, mut a, mut b) = (&robot.joints[joint], 1.0, 0.0);
    for _ in 0..robot.joints.len() {
        let Some(mimic) = &joint.mimic else { break };
        let Some(other) = by_name.get(mimic.joint.as_str()).map(|j| &robot.joints[*j]) else { break };
        b += a * mimic.offset.value;
        a *= mimic.multiplier.value;
        joint = other;
    }
    let middle = match (&joint.limits.lower, &joint.limits.upper) {
        (Some(low), Some(high))
            if joint.kind != UrdfJointKind::Continuous
                && low.value <= high.value
                && low.value * high.value > 0.0 =>
        {
            0.5 * low.value + 0.5 * high.value
        }
        _ => 0.0,
    };
    a * middle + b
}

/// Value of the key `limits` of a joint in the spec; empty ranges are omitted.
pub(super) fn limits_text(joint: &UrdfJoint) -> Option<String> {
    let limits = &joint.limits;
    let mut parts = Vec::new();
    if let (Some(a), Some(b)) = (&limits.lower, &limits.upper)
        && joint.kind != UrdfJointKind::Continuous
        && a.value < b.value
    {
        parts.push(format!("position = [{}, {}]", a.text, b.text));
    }
    let single = [("speed", &limits.velocity), ("effort", &limits.effort)];
    let single = single.into_iter().filter_map(|(key, x)| Some((key, x.as_ref()?)));
    parts.extend(single.filter(|(_, x)| x.value >= 0.0).map(|(key, x)| format!("{key} = {}", x.text)));
    (!parts.is_empty()).then(|| format!("limits = {{ {} }}", parts.join(", ")))
}

/// Value of the key `axes` of a planar joint: two axes that span the plane normal to `axis`; the
/// three form a right-handed frame.
pub(super) fn plane_axes_text(joint: &UrdfJoint, axis: &str) -> String {
    match axis {
        "\"x\"" => return "[\"y\", \"z\"]".into(),
        "\"y\"" => return "[\"z\", \"x\"]".into(),
        "\"z\"" => return "[\"x\", \"y\"]".into(),
        "\"-x\"" => return "[\"z\", \"y\"]".into(),
        "\"-y\"" => return "[\"x\", \"z\"]".into(),
        "\"-z\"" => return "[\"y\", \"x\"]".into(),
        _ => {}
    }
    // Orthogonality is checked exactly, so the components are integers whose products are exact.
    const LARGEST: f64 = 6e7;
    let axis_vector = [0, 1, 2].map(|i| joint.axis[i].value);
    let largest = axis_vector.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let whole = (0..=7).map(|k| 10.0_f64.powi(k)).find_map(|scale| {
        let n = axis_vector.map(|x| (x * scale).round());
        let exact = (0..3).all(|i| (n[i] - axis_vector[i] * scale).abs() <= 1e-15 * n[i].abs());
        (exact && largest * scale <= LARGEST).then_some(n)
    });
    let n = whole.unwrap_or_else(|| axis_vector.map(|x| (x / largest * LARGEST).round()));
    let least = (0..3).min_by(|a, b| n[*a].abs().total_cmp(&n[*b].abs())).unwrap_or(0);
    let e = [0, 1, 2].map(|i| if i == least { 1.0 } else { 0.0 });

    let first = cross(e, n);
    let second = cross(n, first);
    format!(
        "[{}, {}]",
        format_triple(&first.map(Decimal::from_f64)),
        format_triple(&second.map(Decimal::from_f64))
    )
}
