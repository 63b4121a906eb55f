//! Named outputs of the spec.
//!
//! Problem: the values of all outputs of a spec, by name; `mechanism/output` defines each kind.
//! Method:  a point at `r` from the pole has `v + ω × r` and
//!          `a = v̇ + ω × v + ω̇ × r + ω × (ω × r)` (`v̇` is the component-wise rate).
//! Frames:  as each output specifies; a vector is transformed from one body's axes to another's by
//!          the nearest common ancestor.
//! Units:   SI; a formula has the unit of its dimension.
//! Cost:    O(bodies + outputs · depth). The effort of a joint along a prescribed coordinate is
//!          that of its drive (`drives`), to which constraints contribute.
//!
//! Not handled: reactions in joints.

use super::drives::{Drives, drive_efforts, has_prescribed_speed};
use super::energy::energy;
use super::inverse::body_accelerations_with_ground as body_accelerations;
use super::power::evaluate_powers;
use super::reactions::add_constraint_forces;
use crate::formalism::dynamics::actions::{self, relative_pose_in_motion};
use crate::kinematics::{
    ConstraintRow, Kinematics, evaluate_formula, evaluate_rotation, evaluate_vector, kinematics,
};
use crate::mechanism::joint::SpeedComponent;
use crate::mechanism::load::damping_part_name;
use crate::mechanism::output::{JointEntry, OutputContext, OutputEntries, ValueWithUnit};
use crate::mechanism::{
    BodyId, Environment, Formula, Joint, JointId, JointVariable, Mechanism, Output, OutputKind, Placement,
    VectorFrame,
};
use dqdt_algebra::{Dimension, Mat3, Scalar, Twist, Vec3};

/// Shape of an output: scalar or vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputShape {
    /// A single value, without labels.
    Scalar,
    /// Several values or a vector, with this number of entries.
    Vector(usize),
}

/// A named output of the spec with its values at a state.
#[derive(Clone, Debug)]
pub struct OutputValue<S> {
    /// Name of the output in the spec.
    pub name: String,
    /// SI unit of the output as text; units that differ between entries are separated by commas.
    pub unit: String,
    /// Description of the output in one line, from the spec.
    pub description: String,
    /// Shape of `values`: scalar or vector.
    pub shape: OutputShape,
    /// Label of each entry, such as `x`, `kinetic` or the name of a speed; empty for a scalar.
    pub labels: Vec<String>,
    /// Values of the output, one for each label; a single one for a scalar.
    pub values: Vec<S>,
}

impl<S> OutputValue<S> {
    /// Full names of the output's entries, one for each value, such as `tip_x`.
    pub fn entry_names(&self) -> Vec<String> {
        match self.shape {
            OutputShape::Scalar => vec![self.name.clone()],
            OutputShape::Vector(_) => self.labels.iter().map(|l| format!("{}_{l}", self.name)).collect(),
        }
    }
}

/// Context in which outputs are evaluated: motion, accelerations and drives.
struct OutputState<'a, S> {
    /// The mechanism.
    m: &'a Mechanism,
    /// Values of the variables.
    env: &'a Environment<'a, S>,
    /// Motion of the bodies.
    k: Kinematics<S>,
    /// Accelerations `v̇` of the speeds.
    accelerations: &'a [S],
    /// Acceleration `V̇` of each body, in body axes.
    rates: Vec<Twist<S>>,
    /// Acceleration of each body relative to free fall, in body axes, for accelerometers.
    felt: Vec<Twist<S>>,
    /// Efforts of the drives of prescribed speeds, if an output needs them.
    drives: Option<Drives<S>>,
}

impl<S: Scalar> OutputState<'_, S> {
    /// Acceleration of the point at `r` of a body whose pole and angular acceleration are `rate`.
    fn acceleration_at_point(&self, body: BodyId, rate: Twist<S>, r: Vec3<S>) -> Vec3<S> {
        let w = self.k.bodies[body].twist.w;
        rate.velocity_at(r) + w.cross(w.cross(r))
    }
}

impl<S: Scalar> OutputContext<S> for OutputState<'_, S> {
    fn evaluate_formula(&self, f: &Formula) -> S {
        evaluate_formula(self.m, self.env, f)
    }

    fn arm_to_point(&self, body: BodyId, point: &Placement) -> Vec3<S> {
        evaluate_vector(&point.origin, self.env) - self.k.bodies[body].pole
    }

    fn frame_rotation(&self, frame: &Placement) -> Mat3<S> {
        evaluate_rotation(&frame.rotation, self.env)
    }

    fn point_position(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S> {
        let body = &self.k.bodies[body];
        body.origin + body.rotation.apply(arm)
    }

    fn point_velocity(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S> {
        self.k.bodies[body].twist.velocity_at(arm)
    }

    fn point_acceleration(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S> {
        self.acceleration_at_point(body, self.rates[body], arm)
    }

    fn specific_force(&self, body: BodyId, arm: Vec3<S>) -> Vec3<S> {
        self.acceleration_at_point(body, self.felt[body], arm)
    }

    fn angular_velocity(&self, body: BodyId) -> Vec3<S> {
        self.k.bodies[body].twist.w
    }

    fn rotate_ground_to_frame(&self, x: Vec3<S>, frame: &VectorFrame) -> Vec3<S> {
        match frame {
            VectorFrame::Ground => x,
            VectorFrame::Body { body: frame_body, rotation: turn } => evaluate_rotation(turn, self.env)
                .apply_transposed(self.k.bodies[*frame_body].rotate_to_body_axes(x)),
        }
    }

    fn rotate_body_to_frame(&self, x: Vec3<S>, body: BodyId, frame: &VectorFrame) -> Vec3<S> {
        match frame {
            VectorFrame::Ground => self.k.bodies[body].rotation.apply(x),
            VectorFrame::Body { body: frame_body, rotation: turn } => {
                let x = if *frame_body == body {
                    x
                } else {
                    relative_pose_in_motion(self.m, &self.k, Some(body), Some(*frame_body)).rotation.apply(x)
                };
                evaluate_rotation(turn, self.env).apply_transposed(x)
            }
        }
    }

    fn kinetic_and_potential_energy(&self) -> [S; 2] {
        let e = energy(self.m, self.env);
        [e.kinetic, e.potential]
    }

    fn load_power(&self, load: &str) -> S {
        let all = evaluate_powers(self.m, self.env, self.accelerations);
        let damping = damping_part_name(load);
        let parts = all.iter().filter(|p| p.name == load || p.name == damping);
        parts.fold(S::ZERO, |sum, part| sum + part.value)
    }

    fn joint_effort(&self, joint: JointId) -> Vec<JointEntry<S>> {
        let m = self.m;
        let mut efforts = vec![S::ZERO; m.nv()];
        let acting =
            actions::selected_load_actions(m, &self.k, self.env, &|kind| kind.form().acts_in_joint());
        for (speed, effort) in acting.iter().flat_map(|a| &a.efforts) {
            efforts[*speed] = efforts[*speed] + *effort;
        }
        let slots = m.joints[joint].speeds.iter().enumerate();
        slots
            .map(|(i, slot)| match slot {
                JointVariable::Free(s) => {
                    let speed = &m.speeds[*s];
                    let is_force = speed.dimension == Dimension::VELOCITY;
                    JointEntry { label: speed.name.clone(), is_force, effort: efforts[*s] }
                }
                JointVariable::Prescribed(_) => {
                    let (label, is_force) = prescribed_rate_name(&m.joints[joint], i);
                    let drive = self.drives.as_ref().and_then(|all| all[joint][i]);
                    JointEntry { label, is_force, effort: drive.unwrap_or(S::ZERO) }
                }
            })
            .collect()
    }
}

/// True if the output's value depends on accelerations.
pub fn depends_on_accelerations(m: &Mechanism, kind: &OutputKind) -> bool {
    kind.form().needs_accelerations(&|joint| has_prescribed_speed(m, joint))
}

/// True if the output's value depends on the multipliers of the constraints.
pub fn depends_on_multipliers(m: &Mechanism, kind: &OutputKind) -> bool {
    needs_drives(m, kind) && !m.constraints.is_empty()
}

/// True if the output's value includes efforts of drives of prescribed coordinates.
fn needs_drives(m: &Mechanism, kind: &OutputKind) -> bool {
    kind.form().joint_with_drives().is_some_and(|joint| has_prescribed_speed(m, joint))
}

/// Values of all outputs of the spec, for given accelerations and constraint forces; `held` are the
/// constraint rows with their multipliers.
pub fn evaluate_outputs<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
    held: (&[ConstraintRow<S>], &[S]),
) -> Vec<OutputValue<S>> {
    let k = kinematics(m, env);
    let rates = body_accelerations(m, &k, accelerations, Vec3::ZERO, "rate_");
    let felt = body_accelerations(m, &k, accelerations, -evaluate_vector(&m.gravity, env), "felt_");
    let drives = m.outputs.iter().any(|o| needs_drives(m, &o.kind)).then(|| {
        let mut acting = vec![actions::gravity_action(m, &k, env)];
        acting.extend(actions::load_actions(m, &k, env));
        let (mut applied, mut efforts) = actions::sum_actions(m, &acting);
        add_constraint_forces(m, env, held, &mut applied, &mut efforts);
        drive_efforts(m, &k, accelerations, &rates, applied)
    });
    let state = OutputState { m, env, k, accelerations, rates, felt, drives };
    m.outputs.iter().map(|output| evaluate_output(output, &state)).collect()
}

/// Value of one output with its name, unit and labels.
fn evaluate_output<S: Scalar>(output: &Output, state: &OutputState<'_, S>) -> OutputValue<S> {
    let ValueWithUnit { unit, entries } = output.kind.value(state);
    let (shape, labels, values) = match entries {
        OutputEntries::One(x) => (OutputShape::Scalar, Vec::new(), vec![x]),
        OutputEntries::Each(entries) => {
            let (labels, values): (Vec<String>, Vec<S>) = entries.into_iter().unzip();
            (OutputShape::Vector(values.len()), labels, values)
        }
    };
    OutputValue {
        name: output.name.clone(),
        unit,
        description: output.description.clone(),
        shape,
        labels,
        values,
    }
}

/// Name of the rate of a joint's prescribed coordinate, and true if it is a velocity.
fn prescribed_rate_name(joint: &Joint, speed: usize) -> (String, bool) {
    let form = joint.kind.form();
    let coordinate = match form.speed_components().get(speed) {
        Some(SpeedComponent::RateOf(c)) => Some(*c),
        _ => None,
    };
    let linear = coordinate
        .and_then(|c| form.coordinate_components().get(c).map(|part| part.dimension == Dimension::LENGTH))
        .unwrap_or(false);
    let name = coordinate.and_then(|c| joint.names.get(c));
    (name.map_or_else(|| format!("{}_{speed}_dot", joint.name), |name| format!("{name}_dot")), linear)
}
