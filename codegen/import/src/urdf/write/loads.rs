//! Damping and dry friction of the joints of a URDF: as entries of `[loads]`, or as losses.

use super::super::robot::UrdfJoint;
use crate::robot::decimal::Decimal;
use crate::robot::relevance::Relevance;
use dqdt_diagnostics::base::Span;

/// Part of a joint that the spec lacks: relevance, path in the file, text, place.
pub(super) type LostPart = (Relevance, &'static str, String, Span);

/// Damping, friction and mimic of a joint with several coordinates, which a spec cannot express.
pub(super) fn find_lost_joint_parts(joint: &UrdfJoint) -> Vec<LostPart> {
    let dynamics = !joint.damping.is_zero() || !joint.friction.is_zero();
    let lost = [
        (dynamics, "damping and friction", "joint/dynamics"),
        (joint.mimic.is_some(), "mimic", "joint/mimic"),
    ];
    lost.into_iter()
        .filter(|(is, _, _)| *is)
        .map(|(_, what, path)| {
            let text = format!("{what} of joint `{}` (a joint with several coordinates)", joint.name);
            (Relevance::Structural, path, text, joint.span)
        })
        .collect()
}

/// Entry of `[loads]` for the friction of a joint, with viscous damping, and with dry friction if
/// the speed of its transition is known.
pub(super) fn write_friction_entry(
    joint: &UrdfJoint,
    (name, stem): (&str, &str),
    is_viscous: bool,
    transition_speed: Option<f64>,
) -> String {
    let mut entry = format!("friction_{stem} = {{ type = \"friction\", joint = \"{name}\"");
    if is_viscous {
        entry.push_str(&format!(", viscous = {}", joint.damping.text));
    }
    if let Some(speed) = transition_speed {
        let speed = Decimal::from_f64(speed).text;
        entry.push_str(&format!(", coulomb = {}, transition = {speed}", joint.friction.text));
    }
    entry.push_str(" }\n");
    entry
}
