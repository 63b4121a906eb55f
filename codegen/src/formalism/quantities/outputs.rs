//! Named outputs of the spec.
//!
//! Problem: positions, velocities, accelerations of points, sensor readings, efforts, energy, formulas, by name.
//! Method:  a point at `r` from the pole has `v + ω × r` and `a = v̇ + ω × v + ω̇ × r + ω × (ω × r)` (`v̇` is the
//! component-wise rate). A specific force is `a − g`; it is formed from accelerations relative to free fall, so that
//! gravity cancels exactly for what falls.
//! Frames:  as each output says; a vector goes from one body's axes to another's by the nearest common ancestor.
//! Units:   SI; a formula has the unit of its dimension.
//! Cost:    O(bodies + outputs · depth).
//! Not handled: reactions in joints.

use super::energy::energy;
use super::inverse::accelerations as body_accelerations;
use crate::algebra::{Dimension, Scalar, Twist, Vec3};
use crate::formalism::dynamics::actions::{self, seen_from};
use crate::kinematics::{Kinematics, kinematics, rotation, value_of, vector};
use crate::mechanism::{Environment, JointVariable, LoadKind, Mechanism, OutputKind, Placement, VectorFrame};

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
    /// One entry a label, or one.
    pub values: Vec<S>,
}

/// What outputs are computed from.
struct State<'a, S> {
    m: &'a Mechanism,
    k: Kinematics<S>,
    /// `V̇` of every body.
    rates: Vec<Twist<S>>,
    /// The same relative to free fall.
    felt: Vec<Twist<S>>,
}

impl<S: Scalar> State<'_, S> {
    fn arm(&self, body: usize, point: &Placement, env: &Environment<'_, S>) -> Vec3<S> {
        vector(&point.origin, env) - self.k.bodies[body].pole
    }

    fn acceleration(&self, body: usize, rate: Twist<S>, r: Vec3<S>) -> Vec3<S> {
        let w = self.k.bodies[body].twist.w;
        rate.at(r) + w.cross(w.cross(r))
    }

    /// A vector in axes of `body`, in the axes that an output asks for.
    fn body_to_frame(
        &self,
        x: Vec3<S>,
        body: usize,
        frame: &VectorFrame,
        env: &Environment<'_, S>,
    ) -> Vec3<S> {
        match frame {
            VectorFrame::Ground => self.k.bodies[body].rotation.apply(x),
            VectorFrame::Body(of, turn) => {
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
            VectorFrame::Body(of, turn) => {
                rotation(turn, env).apply_transposed(self.k.bodies[*of].to_body(x))
            }
        }
    }
}

/// The outputs of the mechanism at given accelerations.
pub fn outputs<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
) -> Vec<OutputValue<S>> {
    let k = kinematics(m, env);
    let rates = body_accelerations(m, &k, accelerations, Vec3::ZERO, "rate_");
    let felt = body_accelerations(m, &k, accelerations, -vector(&m.gravity, env), "felt_");
    let state = State { m, k, rates, felt };
    let value = |output: &crate::mechanism::Output| {
        let (labels, unit, values) = value(&state, &output.kind, env);
        let shape = if labels.is_empty() { OutputShape::Scalar } else { OutputShape::Vector(values.len()) };
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

fn value<S: Scalar>(
    state: &State<'_, S>,
    kind: &OutputKind,
    env: &Environment<'_, S>,
) -> (Vec<String>, String, Vec<S>) {
    let vector_of =
        |unit: &str, x: Vec3<S>| (["x", "y", "z"].map(str::to_owned).to_vec(), unit.to_owned(), x.0.to_vec());
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
            let labels = ["kinetic", "potential", "total"].map(str::to_owned).to_vec();
            (labels, "J".to_owned(), vec![e.kinetic, e.potential, e.kinetic + e.potential])
        }
        OutputKind::Formula(f, dimension) => {
            let unit = dimension.map_or(String::new(), |d| d.to_string());
            (Vec::new(), unit, vec![value_of(state.m, env, f)])
        }
    }
}

/// Sum of the efforts of actuators, springs and friction on each free speed of a joint.
fn joint_effort<S: Scalar>(
    state: &State<'_, S>,
    joint: usize,
    env: &Environment<'_, S>,
) -> (Vec<String>, String, Vec<S>) {
    let m = state.m;
    let at_joint = |kind: &LoadKind| {
        !matches!(kind, LoadKind::GeneralisedForce { .. })
            && !matches!(kind, LoadKind::Force { .. } | LoadKind::Torque { .. })
            && !matches!(kind, LoadKind::LineSpring { .. } | LoadKind::LineForce { .. })
    };
    let mut efforts = vec![S::ZERO; m.nv()];
    let acting = actions::loads_where(m, &state.k, env, &at_joint);
    for (speed, effort) in acting.iter().flat_map(|a| &a.efforts) {
        efforts[*speed] = efforts[*speed] + *effort;
    }
    let speeds: Vec<usize> = m.joints[joint]
        .speeds
        .iter()
        .filter_map(|slot| match slot {
            JointVariable::Free(s) => Some(*s),
            JointVariable::Prescribed(_) => None,
        })
        .collect();
    let unit = |s: &usize| {
        let linear = m.speeds[*s].dimension == Dimension::VELOCITY;
        if linear { "N" } else { "N*m" }
    };
    let mut units: Vec<&str> = speeds.iter().map(unit).collect();
    if units.windows(2).all(|pair| pair[0] == pair[1]) {
        units.truncate(1);
    }
    let labels = speeds.iter().map(|s| m.speeds[*s].name.clone()).collect();
    (labels, units.join(","), speeds.iter().map(|s| efforts[*s]).collect())
}
