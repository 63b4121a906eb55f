//! Rotors behind gears: the bodies that carry them, and whether their inertia is sufficient.

use super::Build;
use super::checks::TOLERANCE;
use super::formulas::PermittedNames;
use super::inertia::central_inertia;
use super::joints::is_effort_a_force;
use super::numeric;
use super::turns::{Turns, find_body_rotations};
use crate::spec;
use dqdt_algebra::{Dimension, Mat3, Vec3};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::joint::JointKind;
use dqdt_mechanics::mechanism::{AxisVector, BodyId, Carrier, JointId, Mechanism, Rotor};

/// True if a body has less inertia about the axis of a rotor that it carries than the rotor.
fn lacks_rotor_inertia(m: &Mechanism, carrier: BodyId, axis: Vec3<f64>, inertia: f64, p: &[f64]) -> bool {
    let body = &m.bodies[carrier];
    let tensor = Mat3(central_inertia(body, numeric::evaluate_formula(&body.mass, p), p));
    match find_body_rotations(m, carrier, p) {
        Turns::Not => false,
        Turns::About(e) => {
            let along = axis.dot(e);
            e.dot(tensor.apply(e)) < inertia * along * along * (1.0 - TOLERANCE)
        }
        Turns::Freely => axis.dot(tensor.apply(axis)) < inertia * (1.0 - TOLERANCE),
    }
}

impl Build<'_> {
    /// Resolves the rotor of a joint: inertia, gear ratio, axis, and the body that carries it.
    pub(super) fn resolve_rotor(
        &mut self,
        joint: &spec::Joint,
        rotor: &spec::Rotor,
        kind: &JointKind,
        what: &str,
    ) -> Option<Rotor> {
        let text = format!("the rotor inertia of {what}");
        let inertia =
            self.resolve_formula(&rotor.inertia, &text, PermittedNames::Parameters, Some(Dimension::INERTIA));
        let axis = kind.form().default_rotor_axis()?;
        let unit = if is_effort_a_force(kind) { Dimension::LENGTH.power(-1) } else { Dimension::NONE };
        let text = format!("the gear ratio of {what}");
        let ratio = self.resolve_formula(&rotor.ratio, &text, PermittedNames::Parameters, Some(unit));
        let axis = rotor.axis.as_ref().map_or(axis, |a| AxisVector(a.value));
        let Some(on) = &rotor.on else {
            let (j, n) = (&rotor.inertia.text, &rotor.ratio.text);
            self.report(
                Diagnostic::error(
                    "rotor-without-body",
                    format!("the rotor of {what} requires a body that carries it"),
                )
                .at(Some(rotor.span), "`on` is missing")
                .help(format!(
                    "name the body to which the motor is fixed, such as `on = \"{}\"`; the reaction of the \
                         rotor acts on this body. Alternatively, replace `rotor` with `armature = \
                         \"({j})*({n})^2\"`, which only adds this value to the diagonal of M, as `rotor` \
                         without a body did in earlier versions",
                    joint.parent.body.value
                )),
            );
            return None;
        };
        let carrier = if on.value == joint.child.body.value {
            Carrier::Child
        } else if on.value == joint.parent.body.value {
            Carrier::Parent
        } else {
            let known = on.value == "ground" || self.body_names.contains_key(&on.value);
            let label = if known {
                "this body is neither the parent nor the child of the joint"
            } else {
                "there is no body of this name"
            };
            self.report(
                Diagnostic::error("rotor-body", format!("the rotor of {what} cannot be on `{}`", on.value))
                    .at(on.span, label)
                    .also(joint.name.span, format!("from `{}` to `{}`", joint.parent.body.value, joint.child.body.value))
                    .help("name the parent or the child of the joint; model a rotor on any other body as a body with its own revolute joint and a constraint of type `gear` between the two angles"),
            );
            return None;
        };
        let from_ground = joint.coordinates.from_ground.as_ref().is_some_and(|g| g.value);
        if from_ground && joint.parent.body.value != "ground" {
            self.report(
                Diagnostic::error("rotor-angle", format!("{what} has a rotor, but its angle is measured from the ground"))
                    .at(Some(rotor.span), "the rotor is driven by the angle between parent and child")
                    .also(joint.coordinates.from_ground.as_ref().and_then(|g| g.span), "the angle is measured from the ground")
                    .help("measure the angle from the parent (remove `measured_from`), or use `armature` if the rotor follows the angle from the ground"),
            );
            return None;
        }
        Some(Rotor { inertia, ratio, axis, carrier })
    }

    /// Checks that the inertia of the body that carries a rotor includes that of the rotor at rest;
    /// otherwise the kinetic energy could be negative.
    pub(super) fn check_rotors(&mut self, m: &Mechanism, p: &[f64]) {
        for (id, joint) in JointId::enumerate(&m.joints) {
            let Some(rotor) = &joint.rotor else { continue };
            let carrier = match rotor.carrier {
                Carrier::Child => Some(id.child()),
                Carrier::Parent => joint.parent,
            };
            let spec = self.spec.joints.iter().find(|j| j.name.value == joint.name);
            let spec_rotor = spec.and_then(|j| j.rotor.as_ref());
            let (inertia, ratio) =
                (numeric::evaluate_formula(&rotor.inertia, p), numeric::evaluate_formula(&rotor.ratio, p));
            if inertia < 0.0 || inertia.is_nan() {
                self.problems.push(
                    Diagnostic::error(
                        "negative-inertia",
                        format!(
                            "the rotor inertia of joint `{}` is {inertia} kg*m^2, but must not be negative",
                            joint.name
                        ),
                    )
                    .at(spec_rotor.and_then(|r| r.inertia.span), "negative inertia")
                    .help("check the sign; the value is computed with the default parameters"),
                );
            }
            let Some(carrier) = carrier else { continue };
            let name = &m.bodies[carrier].name;
            let span = spec_rotor.and_then(|r| r.on.as_ref()).and_then(|on| on.span);
            if m.joints[carrier.inboard_joint()].kind.form().leaves_roll_undefined() {
                self.problems.push(
                    Diagnostic::error(
                        "line-body",
                        format!("the rotor of joint `{}` cannot be on body `{name}`", joint.name),
                    )
                    .at(span, "the rotation of this body about its axis is undefined")
                    .help("use a spherical joint for the body: a direction joint can only carry a line body"),
                );
                continue;
            }
            if ratio == 0.0 || inertia == 0.0 {
                continue;
            }
            let frame = match rotor.carrier {
                Carrier::Child => &joint.child_frame,
                Carrier::Parent => &joint.parent_frame,
            };
            let axis = numeric::rotation_matrix(&frame.rotation, p).apply(numeric::unit_axis(&rotor.axis));
            if lacks_rotor_inertia(m, carrier, axis, inertia, p) {
                self.problems.push(
                    Diagnostic::warning(
                        "rotor-inertia",
                        format!("body `{name}` has less inertia than the rotor of joint `{}` that it carries", joint.name),
                    )
                    .at(span, format!("the inertia of the rotor about its axis is {inertia} kg*m^2"))
                    .help("add the inertia of the rotor to that of the body: the mass and inertia of a body must include the rotors that it carries, as if they were at rest"),
                );
            }
        }
    }
}
