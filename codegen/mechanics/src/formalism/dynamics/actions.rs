//! Loads as wrenches on bodies and efforts on speeds.
//!
//! Problem: the wrenches and efforts that each load, and gravity, exerts on a mechanism.
//! Method:  a force at `r` from the pole is the wrench `(f; r × f)`; its opposite acts on another
//!          body at the same place. A line spring pulls along the vector between its points,
//!          expressed in one of the two bodies, so that the motion common to both cancels. Without
//!          a rest length, the elastic part is `k d` and needs no length. An effort on a joint
//!          speed is conjugate to it. For a joint with absolute angles, an actuator's reaction on
//!          the parent is a separate moment, since the speed does not include the parent's motion.
//!          Springs and friction on such a speed act relative to the ground; a spec that places
//!          them in such a joint is refused.
//! Frames:  wrenches in body axes about the pole.
//! Units:   N, N·m; efforts in the unit of power per unit of the speed.
//! Cost:    O(loads · depth).
//!
//! Not handled: contact, and loads that depend on accelerations.

use crate::kinematics::{Kinematics, evaluate_measures, evaluate_rotation, evaluate_vector, relative_pose};
use crate::mechanism::load::{
    Action, LoadContext, LoadState, PoseContext, RelativePose, vector_between_ends,
};
use crate::mechanism::{
    BodyId, Environment, Formula, Load, LoadKind, Mechanism, ParameterKind, Placement, SpeedId, Variable,
    VectorFrame,
};
use dqdt_algebra::{Mat3, Scalar, Vec3, Wrench};

/// Sums the actions of all loads: a wrench on each body (body axes, about the pole), and an effort
/// on each speed.
pub(crate) fn sum_actions<S: Scalar>(m: &Mechanism, actions: &[Action<S>]) -> (Vec<Wrench<S>>, Vec<S>) {
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    let mut efforts = vec![S::ZERO; m.nv()];
    for action in actions {
        for (body, w) in &action.wrenches {
            w.name_parts(&action.name, &|| m.bodies[*body].name.clone());
            wrenches[*body] = wrenches[*body] + *w;
        }
        for (speed, effort) in &action.efforts {
            effort.suggest_name(&|| format!("{}_on_{}", action.name, m.speed_name_stem(*speed)));
            efforts[*speed] = efforts[*speed] + *effort;
        }
    }
    for (body, w) in m.bodies.iter().zip(&wrenches) {
        w.name_parts("load", &|| body.name.clone());
    }
    (wrenches, efforts)
}

/// True if a formula is zero for all values of the free parameters. Used where a zero selects a
/// simpler expression.
pub(crate) fn is_identically_zero(m: &Mechanism, f: &Formula) -> bool {
    match f {
        Formula::Variable(Variable::Parameter(i)) => {
            matches!(m.parameters.get(i.index()).map(|p| &p.kind), Some(ParameterKind::Constant(f)) if f.is_zero())
        }
        _ => f.is_zero(),
    }
}

/// Gravity as a wrench on each body, in body axes about the pole; a load like those of the spec.
pub(crate) fn gravity_action<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Action<S> {
    let g = evaluate_vector(&m.gravity, env);
    let mut action = Action::with_potential("gravity".to_owned());
    for (i, body) in BodyId::enumerate(&k.bodies) {
        let g = body.rotate_to_body_axes(g).name_components(&|| format!("g_{}", m.bodies[i].name));
        let wrench = Wrench { f: g.scale(body.inertia.mass), m: body.inertia.first.cross(g) };
        action.wrenches.push((i, wrench));
    }
    action
}

/// Actions of all loads of the spec. A spring with damping has two actions, the elastic one first.
pub(crate) fn load_actions<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<Action<S>> {
    selected_load_actions(m, k, env, &|_| true)
}

/// Actions of those loads whose kind `is_selected`, such as actuators only.
pub(crate) fn selected_load_actions<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    is_selected: &dyn Fn(&LoadKind) -> bool,
) -> Vec<Action<S>> {
    let measures = evaluate_measures(m, k, env);
    let env = &Environment { measures: &measures, ..*env };
    let context = LoadMotion { m, k, env };
    let loads = m.loads.iter().filter(|load| is_selected(&load.kind));
    loads.flat_map(|load| load.kind.actions(&load.name, &context)).collect()
}

/// Actions of one load: wrenches on bodies and efforts on speeds.
pub(crate) fn single_load_actions<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    load: &Load,
) -> Vec<Action<S>> {
    let measures = evaluate_measures(m, k, env);
    let env = &Environment { measures: &measures, ..*env };
    load.kind.actions(&load.name, &LoadMotion { m, k, env })
}

/// Context in which loads are evaluated: a mechanism with its motion and environment.
struct LoadMotion<'a, S> {
    /// The mechanism.
    m: &'a Mechanism,
    /// Motion of its bodies.
    k: &'a Kinematics<S>,
    /// Values of the variables.
    env: &'a Environment<'a, S>,
}

impl<S: Scalar> LoadState<S> for LoadMotion<'_, S> {
    fn environment(&self) -> &Environment<'_, S> {
        self.env
    }

    fn is_identically_zero(&self, f: &Formula) -> bool {
        is_identically_zero(self.m, f)
    }
}

impl<S: Scalar> PoseContext<S> for LoadMotion<'_, S> {
    fn arm_to_point(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S> {
        evaluate_vector(&point.origin, self.env) - body.map_or(Vec3::ZERO, |b| self.k.bodies[b].pole)
    }

    fn frame_rotation(&self, frame: &Placement) -> Mat3<S> {
        evaluate_rotation(&frame.rotation, self.env)
    }

    fn relative_pose(&self, a: Option<BodyId>, b: Option<BodyId>) -> RelativePose<S> {
        relative_pose_in_motion(self.m, self.k, a, b)
    }
}

impl<S: Scalar> LoadContext<S> for LoadMotion<'_, S> {
    fn vector_in_body_axes(&self, body: BodyId, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S> {
        let value = evaluate_vector(value, self.env);
        match frame {
            VectorFrame::Ground => self.k.bodies[body].rotate_to_body_axes(value),
            VectorFrame::Body { body: frame_body, rotation: turn } => {
                let value = evaluate_rotation(turn, self.env).apply(value);
                if *frame_body == body {
                    value
                } else {
                    self.relative_pose(Some(*frame_body), Some(body)).rotation.apply(value)
                }
            }
        }
    }

    fn point_velocity(&self, body: Option<BodyId>, arm: Vec3<S>) -> Vec3<S> {
        body.map_or(Vec3::ZERO, |b| self.k.bodies[b].twist.velocity_at(arm))
    }

    fn angular_velocity(&self, body: Option<BodyId>) -> Vec3<S> {
        body.map_or(Vec3::ZERO, |b| self.k.bodies[b].twist.w)
    }

    fn opposite_moment(&self, speed: SpeedId) -> Option<(BodyId, Vec3<S>)> {
        opposite_moment(self.m, self.k, speed)
    }
}

/// Reaction of an effort on a speed measured from the ground: the parent, and the moment on the
/// child for a unit effort, in parent axes. `None` for other speeds.
pub(crate) fn opposite_moment<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    speed: SpeedId,
) -> Option<(BodyId, Vec3<S>)> {
    let joint = m.speeds[speed].joint;
    let parent = m.joints[joint].parent?;
    let body = &k.bodies[joint.child()];
    let column = body.columns.iter().find(|c| c.speed == Some(speed))?;
    body.absolute.then(|| (parent, body.relative_rotation.apply(column.dual.m)))
}

/// Pose of body `a` relative to body `b` in the motion `k`; `None` is the ground.
pub(crate) fn relative_pose_in_motion<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    a: Option<BodyId>,
    b: Option<BodyId>,
) -> RelativePose<S> {
    relative_pose(m, &|i| k.bodies[i].pose(), a, b)
}

/// Squared lengths \[m²\] of the springs and cables that divide by their length, with the names of
/// the loads. Where one vanishes, the direction of the force is undefined.
pub fn squared_line_lengths<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<(String, S)> {
    let context = LoadMotion { m, k, env };
    m.loads
        .iter()
        .filter_map(|load| {
            let ends = load.kind.form().divides_by_length(&|f| is_identically_zero(m, f))?;
            let d = vector_between_ends(&context, ends);
            Some((load.name.clone(), d.dot(d)))
        })
        .collect()
}
