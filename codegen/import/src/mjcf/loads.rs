//! Writes inputs, motors, springs, friction and coupled joints to the text of the spec.

use super::frame::negate_decimal;
use super::model::{Actuator, Drive, Equality, MjcfJoint, MjcfJointKind};
use super::names::JointName;
use super::tendon_forces;
use super::writer::SpecWriter;
use crate::robot::decimal::Decimal;
use crate::robot::names::UniqueNames;
use crate::robot::relevance::Relevance;
use crate::robot::turn::format_triple;
use dqdt_diagnostics::error::Diagnostic;

/// Actuators that act on the joint of the link with index `at`, each with its index in the model.
pub(super) fn joint_actuators<'w>(
    w: &'w SpecWriter<'_>,
    at: usize,
) -> impl Iterator<Item = (usize, &'w Actuator)> {
    let joint = w.tree.links.get(at).map(|l| (l.body, l.joint));
    w.model
        .actuators
        .iter()
        .enumerate()
        .filter(move |(_, a)| joint.is_some_and(|j| a.drive == Drive::Joint(j)))
}

/// Writes the sections `[inputs]` and `[loads]` of the spec.
pub(super) fn write_inputs_and_loads(w: &mut SpecWriter<'_>) {
    let mut loads = UniqueNames::default();
    w.names.actuators.iter().for_each(|name| _ = loads.unique_name(name));
    let (inputs, mut text) = write_actuator_entries(w, &mut loads);
    let mut damped = 0;
    let (model, tree) = (w.model, w.tree);
    for (at, link) in tree.links.iter().enumerate() {
        let Some(joint) = model.joint_at_indices((link.body, link.joint)) else { continue };
        let Some(names) = w.names.joints.get(at).cloned() else { continue };
        let damping = sum_joint_damping(w, at, joint);
        damped += usize::from(!damping.is_zero() && w.options.damping);
        text.push_str(&match joint.kind {
            MjcfJointKind::Hinge | MjcfJointKind::Slide => {
                write_single_joint_loads(w, joint, &names, &damping, &mut loads)
            }
            MjcfJointKind::Ball | MjcfJointKind::Free => {
                report_lost_joint_forces(w, joint, &names.name);
                write_rate_damping_loads(w, joint, &names, &damping, &mut loads)
            }
        });
    }
    text.push_str(&gravity_compensation_loads(w, &mut loads));
    text.push_str(&tendon_forces::write_tendons(w, &mut loads));
    if !inputs.is_empty() {
        w.push_line(&format!("\n[inputs]\n{}", inputs.trim_end()));
    }
    if !text.is_empty() {
        w.push_line(&format!("\n[loads]\n{}", text.trim_end()));
    }
    if damped > 0 {
        let text = format!(
            "the damping of {damped} joints is converted to loads; use --no-damping to drop this damping"
        );
        w.report.add_note(text, None);
    }
}

/// Entries of `[inputs]` for the actuators, and entries of `[loads]` for those of joints.
fn write_actuator_entries(w: &mut SpecWriter<'_>, loads: &mut UniqueNames) -> (String, String) {
    let (mut inputs, mut motors) = (String::new(), String::new());
    let (model, tree) = (w.model, w.tree);
    for (i, actuator) in model.actuators.iter().enumerate() {
        let joint = match actuator.drive {
            Drive::Joint(joint) => joint,
            Drive::Tendon(tendon) => {
                inputs.push_str(&input_entry(w, i, actuator, tendon_forces::tendon_force_unit(w, tendon)));
                continue;
            }
        };
        let at = tree.links.iter().position(|l| (l.body, l.joint) == joint);
        let (Some(at), Some(joint)) = (at, model.joint_at_indices(joint)) else { continue };
        let unit = if joint.kind == MjcfJointKind::Slide { "N" } else { "N*m" };
        inputs.push_str(&input_entry(w, i, actuator, unit));
        let Some(name) = w.names.joints.get(at).map(|j| j.name.clone()) else { continue };
        motors.push_str(&motor_load_entry(w, i, actuator, &name, loads));
    }
    (inputs, motors)
}

/// Damping of the joint of the link with index `at`, with that of its actuators.
fn sum_joint_damping(w: &SpecWriter<'_>, at: usize, joint: &MjcfJoint) -> Decimal {
    let geared: f64 =
        joint_actuators(w, at).map(|(_, a)| a.gear.value * a.gear.value * a.damping.value).sum();
    if geared == 0.0 { joint.damping.clone() } else { Decimal::from_f64(joint.damping.value + geared) }
}

/// Entries of `[loads]` for the spring, damping and friction of a joint with one coordinate.
fn write_single_joint_loads(
    w: &mut SpecWriter<'_>,
    joint: &MjcfJoint,
    JointName { name, stem }: &JointName,
    damping: &Decimal,
    loads: &mut UniqueNames,
) -> String {
    let mut text = String::new();
    if !joint.stiffness.is_zero() {
        let key = loads.unique_name(&format!("spring_{stem}"));
        let rest = if joint.rest.is_zero() { String::new() } else { format!(", rest = {}", joint.rest.text) };
        let stiffness = &joint.stiffness.text;
        text.push_str(&format!(
            "{key} = {{ type = \"joint_spring\", joint = \"{name}\", stiffness = {stiffness}{rest} }}\n"
        ));
    }
    let keys = friction_load_keys(w, joint, damping, name);
    if !keys.is_empty() {
        let key = loads.unique_name(&format!("friction_{stem}"));
        text.push_str(&format!("{key} = {{ type = \"friction\", joint = \"{name}\"{keys} }}\n"));
    }
    text
}

/// Reports the stiffness, armature and dry friction of a joint with several coordinates, which a
/// spec cannot express.
fn report_lost_joint_forces(w: &mut SpecWriter<'_>, joint: &MjcfJoint, name: &str) {
    let values = [
        (&joint.stiffness, "stiffness"),
        (&joint.armature, "armature"),
        (&joint.dry_friction, "frictionloss"),
    ];
    for (value, what) in values.into_iter().filter(|(x, _)| !x.is_zero()) {
        let relevance = match what {
            "frictionloss" => Relevance::Idealised("dry friction"),
            _ => Relevance::Structural,
        };
        let made = joint.spring_damper.is_some() && what == "stiffness";
        let what_is = if made { "`springdamper`".into() } else { format!("{what} {}", value.text) };
        let message = format!("{what_is} of joint `{name}` (a joint with several coordinates)");
        w.report.record_loss(relevance, format!("joint@{what}"), Some(message), joint.span);
    }
}

/// Entries of `[loads]` for the damping of a joint with several coordinates: one for each speed.
fn write_rate_damping_loads(
    w: &mut SpecWriter<'_>,
    joint: &MjcfJoint,
    JointName { name, stem }: &JointName,
    damping: &Decimal,
    loads: &mut UniqueNames,
) -> String {
    let mut text = String::new();
    if damping.is_zero() {
        return text;
    }
    if !w.options.damping {
        let loss = format!("damping {} of joint `{name}`", damping.text);
        w.report.record_loss(Relevance::Harmless, "joint@damping", Some(loss), joint.span);
        return text;
    }
    let linear: &[&str] = if joint.kind == MjcfJointKind::Free { &["x_dot", "y_dot", "z_dot"] } else { &[] };
    for part in linear.iter().chain(&["omega_x", "omega_y", "omega_z"]) {
        let key = loads.unique_name(&format!("friction_{stem}_{part}"));
        let damping = &damping.text;
        text.push_str(&format!(
            "{key} = {{ type = \"friction\", speed = \"{name}_{part}\", viscous = {damping} }}\n"
        ));
    }
    text
}

/// Entry of `[inputs]` for an actuator, with unit and limits.
fn input_entry(w: &SpecWriter<'_>, i: usize, actuator: &Actuator, unit: &str) -> String {
    let name = w.names.inputs.get(i).map_or("u", String::as_str);
    let mut keys = Vec::new();
    if actuator.gear.value * actuator.gain.value == 1.0 && actuator.bias.iter().all(Decimal::is_zero) {
        // The input is the effort itself.
        keys.push(format!("unit = \"{unit}\""));
    }
    if let Some([low, high]) = &actuator.limits {
        keys.push(format!("limits = [{}, {}]", low.text, high.text));
    }
    format!("{name} = {{ {} }}\n", keys.join(", ")).replace("{  }", "{}")
}

/// Entries of `[loads]` for an actuator on a joint: the actuator itself, and a joint spring if its
/// bias depends on length or speed.
fn motor_load_entry(
    w: &mut SpecWriter<'_>,
    i: usize,
    a: &Actuator,
    joint: &str,
    loads: &mut UniqueNames,
) -> String {
    let (Some(input), Some(name)) = (w.names.inputs.get(i).cloned(), w.names.actuators.get(i).cloned())
    else {
        return String::new();
    };
    let square = a.gear.value * a.gear.value;
    let gain = multiply_decimals(&a.gear, &a.gain);
    let [constant, length, speed] = &a.bias;
    let constant = multiply_decimals(&a.gear, constant);
    let values = [gain.value, constant.value, square * length.value, square * speed.value];
    w.check_finite(&values, "the gain of an actuator", a.span);
    let mut effort = if gain.value == 1.0 { input } else { format!("{}*{input}", gain.text) };
    if !constant.is_zero() {
        let sign = if constant.value < 0.0 { "-" } else { "+" };
        effort = format!("{effort} {sign} {}", constant.text.trim_start_matches('-'));
    }
    let mut text =
        format!("{name} = {{ type = \"actuator\", joint = \"{joint}\", effort = \"{effort}\" }}\n");
    let mut keys = String::new();
    for (key, bias) in [("stiffness", length), ("damping", speed)] {
        if !bias.is_zero() {
            let value =
                if square == 1.0 { negate_decimal(bias) } else { Decimal::from_f64(-square * bias.value) };
            keys.push_str(&format!(", {key} = {}", value.text));
        }
    }
    if !keys.is_empty() {
        let key = loads.unique_name(&format!("servo{}", name.strip_prefix("motor").unwrap_or(&name)));
        text.push_str(&format!("{key} = {{ type = \"joint_spring\", joint = \"{joint}\"{keys} }}\n"));
    }
    text
}

/// Product of two numbers for the text of the spec; the text is kept if a factor is 1.
fn multiply_decimals(a: &Decimal, b: &Decimal) -> Decimal {
    match (a.value, b.value) {
        (1.0, _) => b.clone(),
        (_, 1.0) => a.clone(),
        (x, y) => Decimal::from_f64(x * y),
    }
}

/// Keys of the load `friction` for the damping and dry friction of a joint with one coordinate.
fn friction_load_keys(w: &mut SpecWriter<'_>, joint: &MjcfJoint, damping: &Decimal, name: &str) -> String {
    let mut keys = String::new();
    if !damping.is_zero() {
        if w.options.damping {
            keys.push_str(&format!(", viscous = {}", damping.text));
        } else {
            let text = format!("damping {} of joint `{name}`", damping.text);
            w.report.record_loss(Relevance::Harmless, "joint@damping", Some(text), joint.span);
        }
    }
    if !joint.dry_friction.is_zero() {
        match w.options.dry_friction {
            Some(speed) => {
                let (force, speed) = (&joint.dry_friction.text, Decimal::from_f64(speed).text);
                keys.push_str(&format!(", coulomb = {force}, transition = {speed}"));
            }
            None => {
                let text = format!(
                    "dry friction {} of joint `{name}` (use --dry-friction to include it)",
                    joint.dry_friction.text
                );
                let relevance = Relevance::Idealised("dry friction");
                w.report.record_loss(relevance, "joint@frictionloss", Some(text), joint.span);
            }
        }
    }
    keys
}

/// Loads that compensate a fraction of the weight of bodies (`gravcomp`).
fn gravity_compensation_loads(w: &mut SpecWriter<'_>, loads: &mut UniqueNames) -> String {
    let mut text = String::new();
    let (model, tree) = (w.model, w.tree);
    let gravity = [0, 1, 2].map(|i| model.gravity[i].value);
    for (i, body) in model.bodies.iter().enumerate() {
        let Some(inertia) =
            body.inertia.as_ref().filter(|_| body.gravity_compensation != 0.0 && gravity != [0.0; 3])
        else {
            continue;
        };
        let Some((Some(link), pose)) = tree.places.get(i) else { continue };
        let Some(name) = w.names.bodies.get(*link).cloned() else { continue };
        let center = [0, 1, 2].map(|k| inertia.center[k].value);
        let (at, moved) = (pose.position_values(), pose.turn.rotate_vector(center));
        let point = [0, 1, 2].map(|k| Decimal::from_f64(at[k] + moved[k]));
        let force = gravity.map(|g| Decimal::from_f64(-g * body.gravity_compensation * inertia.mass.value));
        w.check_finite(&force.clone().map(|x| x.value), "the force of `gravcomp`", body.span);
        let key = loads.unique_name(&format!("gravcomp_{}", body.name.as_deref().unwrap_or(&name)));

        text.push_str(&format!(
            "{key} = {{ type = \"force\", body = \"{name}\", at = {}, value = {} }}\n",
            format_triple(&point),
            format_triple(&force)
        ));
    }
    text
}

/// Keys of the position constraint for an equality of two joint coordinates, or of one with a
/// constant.
pub(super) fn joint_equality_keys(
    w: &mut SpecWriter<'_>,
    equality: &Equality,
    (first, second): ((usize, usize), Option<(usize, usize)>),
    polynomial: &[Decimal; 5],
) -> Option<String> {
    let symbol = |at: (usize, usize)| {
        let link = w.tree.links.iter().position(|l| (l.body, l.joint) == at)?;
        Some((format!("q_{}", w.names.joints.get(link)?.stem), w.model.joint_at_indices(at)?))
    };
    let (y, of_y) = symbol(first)?;
    let [a, ratio, rest @ ..] = polynomial;
    let offset = of_y.reference.value + a.value;

    let Some((x, of_x)) = second.and_then(symbol) else {
        let text = format!("{y}{}", if offset == 0.0 { String::new() } else { subtracted_term(offset) });
        return Some(position_constraint_keys(&text));
    };
    if x == y {
        let text = "an equality constraint between a joint and itself".to_owned();
        w.report.record_loss(Relevance::Harmless, "equality/joint", Some(text), equality.span);
        return None;
    }
    if rest.iter().all(Decimal::is_zero) {
        let offset = offset - ratio.value * of_x.reference.value;
        let offset = if offset == 0.0 {
            String::new()
        } else {
            format!(", offset = {}", Decimal::from_f64(offset).text)
        };
        return Some(format!(
            "type = \"gear\", first = \"{y}\", second = \"{x}\", ratio = {}{offset}",
            ratio.text
        ));
    }
    if of_x.kind == MjcfJointKind::Slide || of_y.kind == MjcfJointKind::Slide {
        let d = Diagnostic::error("mjcf-equality", "the polynomial of an equality constraint on a slide joint has coefficients with units")
            .at(Some(equality.span), "here")
            .help("remove this constraint, and define it in a spec based on this file, with type = \"position\" and parameters that have units");
        w.report.add_problem(d);
        return None;
    }
    let shift = if of_x.reference.is_zero() { String::new() } else { subtracted_term(of_x.reference.value) };
    let base = if shift.is_empty() { x } else { format!("({x}{shift})") };
    let mut text = y;
    if offset != 0.0 {
        text.push_str(&subtracted_term(offset));
    }
    for (power, coefficient) in [ratio].into_iter().chain(rest).enumerate().filter(|(_, c)| !c.is_zero()) {
        let power = if power == 0 { String::new() } else { format!("^{}", power + 1) };
        text.push_str(&format!("{}*{base}{power}", subtracted_term(coefficient.value)));
    }
    Some(position_constraint_keys(&text))
}

/// Formula text ` - x`, or ` + |x|` for a negative number, that is appended to a formula.
fn subtracted_term(x: f64) -> String {
    let sign = if x < 0.0 { "+" } else { "-" };
    format!(" {sign} {}", Decimal::from_f64(x.abs()).text)
}

/// Keys of a constraint that keeps a formula at zero.
fn position_constraint_keys(formula: &str) -> String {
    format!("type = \"position\", formula = \"{formula}\"")
}
