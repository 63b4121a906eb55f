//! Named outputs of the spec.
//!
//! Problem: positions, velocities, accelerations of points, sensor readings, efforts, energy, formulas, by name.
//! Method:  a point at `r` from the pole has `v + ω × r` and `a = v̇ + ω × v + ω̇ × r + ω × (ω × r)` (`v̇` is the
//! component-wise rate). A specific force is `a − g`; it is formed from accelerations relative to free fall, so that
//! gravity cancels exactly for what falls.
//! Frames:  as each output says; a vector goes from one body's axes to another's by the nearest common ancestor.
//! Units:   SI; a formula has the unit of its dimension.
//! Cost:    O(bodies + outputs · depth).
//! The effort of a joint along a prescribed coordinate is that of its drive (`drives`), which constraints have a part in.
//! Not handled: reactions in joints.

use super::drives::{Drives, drives, is_driven};
use super::energy::energy;
use super::inverse::accelerations as body_accelerations;
use super::reactions::add_constraints;
use crate::formalism::dynamics::actions::{self, seen_from};
use crate::kinematics::{ConstraintRow, Kinematics, kinematics, rotation, value_of, vector};
use crate::mechanism::joint::SpeedComponent;
use crate::mechanism::{
    BodyId, Environment, Joint, JointId, JointVariable, LoadKind, Mechanism, Output, OutputKind, Placement,
    VectorFrame,
};
use dqdt_algebra::{Dimension, Scalar, Twist, Vec3};

/// Shape of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputShape {
    /// One value.
    Scalar,
    /// A vector.
    Vector(usize),
}

/// A named output and its value.
#[derive(Clone, Debug)]
pub struct OutputValue<S> {
    /// As the spec has it.
    pub name: String,
    /// Unit text, SI; one that differs between entries is given for each, with commas.
    pub unit: String,
    /// One line for people.
    pub description: String,
    /// Shape.
    pub shape: OutputShape,
    /// What each entry is: `x`, `kinetic`, the name of a speed; empty for a scalar.
    pub labels: Vec<String>,
    /// One entry a label; of a scalar one.
    pub values: Vec<S>,
}

impl<S> OutputValue<S> {
    /// The names of the entries, as many as there are values.
    pub fn entry_names(&self) -> Vec<String> {
        match self.shape {
            OutputShape::Scalar => vec![self.name.clone()],
            OutputShape::Vector(_) => self.labels.iter().map(|l| format!("{}_{l}", self.name)).collect(),
        }
    }
}

/// The value of an output, with its unit.
struct Measured<S> {
    unit: String,
    entries: Entries<S>,
}

/// Values, each with what it is.
enum Entries<S> {
    /// One value, called as the output.
    One(S),
    /// Values with their labels.
    Each(Vec<(String, S)>),
}

/// What outputs are computed from.
struct State<'a, S> {
    m: &'a Mechanism,
    k: Kinematics<S>,
    /// `V̇` of every body.
    rates: Vec<Twist<S>>,
    /// The same relative to free fall.
    felt: Vec<Twist<S>>,
    /// Where an output needs them.
    drives: Option<Drives<S>>,
}

impl<S: Scalar> State<'_, S> {
    fn arm(&self, body: BodyId, point: &Placement, env: &Environment<'_, S>) -> Vec3<S> {
        vector(&point.origin, env) - self.k.bodies[body].pole
    }

    fn acceleration(&self, body: BodyId, rate: Twist<S>, r: Vec3<S>) -> Vec3<S> {
        let w = self.k.bodies[body].twist.w;
        rate.at(r) + w.cross(w.cross(r))
    }

    /// A vector in axes of `body`, in the axes that an output asks for.
    fn body_to_frame(
        &self,
        x: Vec3<S>,
        body: BodyId,
        frame: &VectorFrame,
        env: &Environment<'_, S>,
    ) -> Vec3<S> {
        match frame {
            VectorFrame::Ground => self.k.bodies[body].rotation.apply(x),
            VectorFrame::Body { body: of, rotation: turn } => {
                let x = if *of == body {
                    x
                } else {
                    seen_from(self.m, &self.k, Some(body), Some(*of)).rotation.apply(x)
                };
                rotation(turn, env).apply_transposed(x)
            }
        }
    }

    /// A vector in ground axes, likewise.
    fn ground_to_frame(&self, x: Vec3<S>, frame: &VectorFrame, env: &Environment<'_, S>) -> Vec3<S> {
        match frame {
            VectorFrame::Ground => x,
            VectorFrame::Body { body: of, rotation: turn } => {
                rotation(turn, env).apply_transposed(self.k.bodies[*of].to_body(x))
            }
        }
    }
}

/// True if the output depends on accelerations.
pub fn depends_on_accelerations(m: &Mechanism, kind: &OutputKind) -> bool {
    match kind {
        OutputKind::Acceleration { .. } | OutputKind::SpecificForce { .. } => true,
        OutputKind::JointEffort { joint } => is_driven(m, *joint),
        OutputKind::Position { .. }
        | OutputKind::Velocity { .. }
        | OutputKind::AngularRate { .. }
        | OutputKind::Energy
        | OutputKind::Formula { .. } => false,
    }
}

/// True if the output depends on the multipliers of the constraints.
pub fn depends_on_multipliers(m: &Mechanism, kind: &OutputKind) -> bool {
    matches!(kind, OutputKind::JointEffort { joint } if is_driven(m, *joint)) && !m.constraints.is_empty()
}

/// The outputs of the mechanism at given accelerations and forces of the constraints: rows with their multipliers.
pub fn outputs<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
    held: (&[ConstraintRow<S>], &[S]),
) -> Vec<OutputValue<S>> {
    let k = kinematics(m, env);
    let rates = body_accelerations(m, &k, accelerations, Vec3::ZERO, "rate_");
    let felt = body_accelerations(m, &k, accelerations, -vector(&m.gravity, env), "felt_");
    let asked = |o: &Output| matches!(o.kind, OutputKind::JointEffort { joint } if is_driven(m, joint));
    let drives = m.outputs.iter().any(asked).then(|| {
        let mut acting = vec![actions::gravity(m, &k, env)];
        acting.extend(actions::loads(m, &k, env));
        let (mut applied, mut efforts) = actions::total(m, &acting);
        add_constraints(m, env, held, &mut applied, &mut efforts);
        drives(m, &k, accelerations, &rates, applied)
    });
    let state = State { m, k, rates, felt, drives };
    let value = |output: &Output| {
        let Measured { unit, entries } = value(&state, &output.kind, env);
        let (shape, labels, values) = match entries {
            Entries::One(x) => (OutputShape::Scalar, Vec::new(), vec![x]),
            Entries::Each(entries) => {
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
    };
    m.outputs.iter().map(value).collect()
}

fn value<S: Scalar>(state: &State<'_, S>, kind: &OutputKind, env: &Environment<'_, S>) -> Measured<S> {
    let each = |unit: &str, labels: [&str; 3], x: [S; 3]| Measured {
        unit: unit.to_owned(),
        entries: Entries::Each(labels.map(str::to_owned).into_iter().zip(x).collect()),
    };
    let vector_of = |unit: &str, x: Vec3<S>| each(unit, ["x", "y", "z"], x.0);
    let bodies = &state.k.bodies;
    match kind {
        OutputKind::Position { body, point, frame } => {
            let r = state.arm(*body, point, env);
            let x = bodies[*body].origin + bodies[*body].rotation.apply(r);
            vector_of("m", state.ground_to_frame(x, frame, env))
        }
        OutputKind::Velocity { body, point, frame } => {
            let x = bodies[*body].twist.at(state.arm(*body, point, env));
            vector_of("m/s", state.body_to_frame(x, *body, frame, env))
        }
        OutputKind::Acceleration { body, point, frame } => {
            let x = state.acceleration(*body, state.rates[*body], state.arm(*body, point, env));
            vector_of("m/s^2", state.body_to_frame(x, *body, frame, env))
        }
        OutputKind::SpecificForce { body, point } => {
            let x = state.acceleration(*body, state.felt[*body], state.arm(*body, point, env));
            vector_of("m/s^2", rotation(&point.rotation, env).apply_transposed(x))
        }
        OutputKind::AngularRate { body, point } => {
            let w = bodies[*body].twist.w;
            vector_of("rad/s", rotation(&point.rotation, env).apply_transposed(w))
        }
        OutputKind::JointEffort { joint } => joint_effort(state, *joint, env),
        OutputKind::Energy => {
            let e = energy(state.m, env);
            let labels = ["kinetic", "potential", "total"];
            each("J", labels, [e.kinetic, e.potential, e.kinetic + e.potential])
        }
        OutputKind::Formula { formula: f, dimension } => {
            let unit = dimension.map_or(String::new(), |d| d.to_string());
            Measured { unit, entries: Entries::One(value_of(state.m, env, f)) }
        }
    }
}

/// Sum of the efforts of actuators, springs and friction on each free speed of a joint, and the effort of the drive along each
/// prescribed one. Of a joint with one speed it is one value.
fn joint_effort<S: Scalar>(state: &State<'_, S>, joint: JointId, env: &Environment<'_, S>) -> Measured<S> {
    let m = state.m;
    let at_joint = |kind: &LoadKind| kind.form().is_in_joint();
    let mut efforts = vec![S::ZERO; m.nv()];
    let acting = actions::loads_where(m, &state.k, env, &at_joint);
    for (speed, effort) in acting.iter().flat_map(|a| &a.efforts) {
        efforts[*speed] = efforts[*speed] + *effort;
    }
    let (mut entries, mut units) = (Vec::new(), Vec::new());
    for (i, slot) in m.joints[joint].speeds.iter().enumerate() {
        let (label, linear, effort) = match slot {
            JointVariable::Free(s) => {
                let speed = &m.speeds[*s];
                (speed.name.clone(), speed.dimension == Dimension::VELOCITY, efforts[*s])
            }
            JointVariable::Prescribed(_) => {
                let (name, linear) = prescribed_rate(&m.joints[joint], i);
                let drive = state.drives.as_ref().and_then(|all| all[joint][i]);
                (name, linear, drive.unwrap_or(S::ZERO))
            }
        };
        entries.push((label, effort));
        units.push(if linear { "N" } else { "N*m" });
    }
    if units.windows(2).all(|pair| pair[0] == pair[1]) {
        units.truncate(1);
    }
    let entries = match entries.len() {
        1 => Entries::One(entries.remove(0).1),
        _ => Entries::Each(entries),
    };
    Measured { unit: units.join(","), entries }
}

/// Name of the rate of a prescribed coordinate, and true if it is a velocity.
fn prescribed_rate(joint: &Joint, speed: usize) -> (String, bool) {
    let form = joint.kind.form();
    let coordinate = match form.speeds().get(speed) {
        Some(SpeedComponent::RateOf(c)) => Some(*c),
        _ => None,
    };
    let linear = coordinate
        .and_then(|c| form.coordinates().get(c).map(|part| part.dimension == Dimension::LENGTH))
        .unwrap_or(false);
    let name = coordinate.and_then(|c| joint.names.get(c));
    (name.map_or_else(|| format!("{}_{speed}_dot", joint.name), |name| format!("{name}_dot")), linear)
}
