//! Loads as wrenches on bodies and efforts on speeds.
//!
//! Problem: what each load, and gravity, does to the bodies and to the speeds of a mechanism.
//! Method:  a force at `r` from the pole is the wrench `(f; r × f)`; its opposite acts on another body at the same
//! place. A line spring pulls along the vector between its points, seen from one of the two bodies, so that nothing
//! that both share enters; with no rest length the elastic part is `k d` and needs no length. An effort on a joint
//! speed is conjugate to it; of a joint with absolute angles, an actuator's moment has its opposite on the parent as a
//! moment of its own, since the speed does not contain the parent's motion. Springs and friction act
//! on the speed itself, then from the ground; a spec that writes them in such a joint is refused.
//! Frames:  wrenches in body axes about the pole.
//! Units:   N, N·m; efforts in the unit of power per unit of the speed.
//! Cost:    O(loads · depth).
//! Not handled: contact, and loads that depend on accelerations.

use crate::kinematics::{Kinematics, Relative, measures, relative, rotation, vector};
use crate::mechanism::{
    BodyId, Ends, Environment, Formula, Load, LoadKind, Mechanism, ParameterKind, Placement, SpeedId,
    Variable, VectorFrame,
};
use dqdt_algebra::{Func, Scalar, Vec3, Wrench};

/// What one load does.
#[derive(Clone, Debug)]
pub(crate) struct Action<S> {
    pub name: String,
    /// The force has a potential, which is part of the potential energy.
    pub potential: bool,
    /// On bodies, in body axes about the pole.
    pub wrenches: Vec<(BodyId, Wrench<S>)>,
    /// On free speeds.
    pub efforts: Vec<(SpeedId, S)>,
}

impl<S> Action<S> {
    fn new(name: String) -> Self {
        Action { name, potential: false, wrenches: Vec::new(), efforts: Vec::new() }
    }

    fn elastic(name: String) -> Self {
        Action { potential: true, ..Action::new(name) }
    }
}

/// Wrenches of all actions together on each body, and efforts on each speed.
pub(crate) fn total<S: Scalar>(m: &Mechanism, actions: &[Action<S>]) -> (Vec<Wrench<S>>, Vec<S>) {
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    let mut efforts = vec![S::ZERO; m.nv()];
    for action in actions {
        for (body, w) in &action.wrenches {
            w.named(&action.name, &|| m.bodies[*body].name.clone());
            wrenches[*body] = wrenches[*body] + *w;
        }
        for (speed, effort) in &action.efforts {
            effort.named(&|| format!("{}_on_{}", action.name, m.stem_of_speed(*speed)));
            efforts[*speed] = efforts[*speed] + *effort;
        }
    }
    for (body, w) in m.bodies.iter().zip(&wrenches) {
        w.named("load", &|| body.name.clone());
    }
    (wrenches, efforts)
}

/// True if a formula is zero whatever the free parameters are: asked where a zero decides the method.
pub(crate) fn vanishes(m: &Mechanism, f: &Formula) -> bool {
    match f {
        Formula::Variable(Variable::Parameter(i)) => {
            matches!(m.parameters.get(i.index()).map(|p| &p.kind), Some(ParameterKind::Constant(f)) if f.is_zero())
        }
        _ => f.is_zero(),
    }
}

/// Gravity on every body.
pub(crate) fn gravity<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Action<S> {
    let g = vector(&m.gravity, env);
    let mut action = Action::elastic("gravity".to_owned());
    for (i, body) in BodyId::enumerate(&k.bodies) {
        let g = body.to_body(g).named(&|| format!("g_{}", m.bodies[i].name));
        let wrench = Wrench { f: g.scale(body.inertia.mass), m: body.inertia.first.cross(g) };
        action.wrenches.push((i, wrench));
    }
    action
}

/// What the loads of the spec do. Springs with damping are two actions, the elastic one first.
pub(crate) fn loads<S: Scalar>(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>) -> Vec<Action<S>> {
    loads_where(m, k, env, &|_| true)
}

/// The same for some loads.
pub(crate) fn loads_where<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    wanted: &dyn Fn(&LoadKind) -> bool,
) -> Vec<Action<S>> {
    let measures = measures(m, k, env);
    let env = &Environment { measures: &measures, ..*env };
    m.loads.iter().filter(|load| wanted(&load.kind)).flat_map(|load| of_load(m, k, env, load)).collect()
}

fn of_load<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    load: &Load,
) -> Vec<Action<S>> {
    let name = load.name.clone();
    let mut action = Action::new(name.clone());
    match &load.kind {
        LoadKind::Force { body, point, frame, value, reaction } => {
            let f = in_axes_of(m, k, env, frame, value, *body);
            let r = vector(&point.origin, env) - k.bodies[*body].pole;
            action.wrenches.push((*body, Wrench::force_at(f, r)));
            if let Some(other) = reaction {
                let seen = seen_from(m, k, Some(*body), Some(*other));
                action.wrenches.push((*other, -Wrench::force_at(seen.rotation.apply(f), seen.point(r))));
            }
        }
        LoadKind::Torque { body, frame, value, reaction } => {
            let moment = in_axes_of(m, k, env, frame, value, *body);
            action.wrenches.push((*body, Wrench { f: Vec3::ZERO, m: moment }));
            if let Some(other) = reaction {
                let seen = seen_from(m, k, Some(*body), Some(*other));
                let opposite = -seen.rotation.apply(moment);
                action.wrenches.push((*other, Wrench { f: Vec3::ZERO, m: opposite }));
            }
        }
        LoadKind::LineSpring { ends, stiffness, damping, rest_length } => {
            return line_spring(m, k, env, &name, ends, [stiffness, damping, rest_length]);
        }
        LoadKind::LineForce { ends, tension } => {
            let line = Line::between(m, k, env, &name, ends);
            let factor = tension.eval(env) / line.length(&name);
            return vec![line.pull(ends, action, factor)];
        }
        LoadKind::JointSpring { coordinate, speed, stiffness, damping, rest } => {
            let mut elastic = Action::elastic(name.clone());
            let stretch = env.q[*coordinate] - rest.eval(env);
            elastic.efforts.push((*speed, -(stiffness.eval(env) * stretch)));
            if vanishes(m, damping) {
                return vec![elastic];
            }
            let mut viscous = Action::new(damping_of(&name));
            viscous.efforts.push((*speed, -(damping.eval(env) * env.v[*speed])));
            return vec![elastic, viscous];
        }
        LoadKind::Actuator { speed, effort } => {
            let effort = effort.eval(env);
            action.efforts.push((*speed, effort));
            if let Some((parent, moment)) = opposite_moment(m, k, *speed) {
                action.wrenches.push((parent, Wrench { f: Vec3::ZERO, m: -moment.scale(effort) }));
            }
        }
        LoadKind::GeneralisedForce { speed, value } => action.efforts.push((*speed, value.eval(env))),
        LoadKind::Friction { speed, viscous, coulomb, transition } => {
            let v = env.v[*speed];
            let mut effort = viscous.eval(env) * v;
            if !vanishes(m, coulomb) {
                effort = effort + coulomb.eval(env) * (v / transition.eval(env)).func(Func::Tanh);
            }
            action.efforts.push((*speed, -effort));
        }
    }
    vec![action]
}

/// Name of the dissipative part of a spring.
pub(crate) fn damping_of(name: &str) -> String {
    format!("{name}_damping")
}

/// For a speed measured from the ground: the body that takes the opposite of an effort, and the moment on the child of
/// one unit of it, in the axes of that body.
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

/// Body `a` as seen from body `b`.
pub(crate) fn seen_from<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    a: Option<BodyId>,
    b: Option<BodyId>,
) -> Relative<S> {
    relative(m, &|i| k.bodies[i].pose(), a, b)
}

/// A vector that is written in `frame`, in the axes of a body.
fn in_axes_of<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    frame: &VectorFrame,
    value: &[Formula; 3],
    body: BodyId,
) -> Vec3<S> {
    let value = vector(value, env);
    match frame {
        VectorFrame::Ground => k.bodies[body].to_body(value),
        VectorFrame::Body { body: of, rotation: turn } => {
            let value = rotation(turn, env).apply(value);
            if *of == body { value } else { seen_from(m, k, Some(*of), Some(body)).rotation.apply(value) }
        }
    }
}

/// A point of a body (or the ground) from its pole, in its axes.
fn from_pole<S: Scalar>(
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    (body, point): &(Option<BodyId>, Placement),
) -> Vec3<S> {
    vector(&point.origin, env) - body.map_or(Vec3::ZERO, |b| k.bodies[b].pole)
}

/// The squared lengths of the springs that divide by their length, with the names of the loads, in m²: where one vanishes
/// the direction of its force is not defined.
pub fn line_denominators<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<(String, S)> {
    let squared = |load: &Load| {
        let (ends, divides) = match &load.kind {
            LoadKind::LineSpring { ends, stiffness, damping, rest_length } => {
                (ends, !vanishes(m, damping) || !(vanishes(m, stiffness) || vanishes(m, rest_length)))
            }
            LoadKind::LineForce { ends, tension } => (ends, !vanishes(m, tension)),
            _ => return None,
        };
        let seen = seen_from(m, k, ends.from.0, ends.to.0);
        let d = from_pole(k, env, &ends.to) - seen.point(from_pole(k, env, &ends.from));
        divides.then(|| (load.name.clone(), d.dot(d)))
    };
    m.loads.iter().filter_map(squared).collect()
}

/// The line between two points.
struct Line<S> {
    /// Where it begins and ends, from the poles of the two bodies in their axes.
    r_from: Vec3<S>,
    r_to: Vec3<S>,
    /// The first body as seen from the second.
    seen: Relative<S>,
    /// From the first point to the second, in the axes of the second body.
    span: Vec3<S>,
}

impl<S: Scalar> Line<S> {
    fn between(m: &Mechanism, k: &Kinematics<S>, env: &Environment<'_, S>, name: &str, ends: &Ends) -> Self {
        let (r_from, r_to) = (from_pole(k, env, &ends.from), from_pole(k, env, &ends.to));
        let seen = seen_from(m, k, ends.from.0, ends.to.0);
        let span = (r_to - seen.point(r_from)).named(&|| format!("{name}_span"));
        Line { r_from, r_to, seen, span }
    }

    fn length(&self, name: &str) -> S {
        let squared = self.span.dot(self.span).named(&|| format!("{name}_length_sq"));
        squared.sqrt().named(&|| format!("{name}_length"))
    }

    /// A tension, given over the length, on both bodies.
    fn pull(&self, ends: &Ends, mut action: Action<S>, tension_by_length: S) -> Action<S> {
        let f = self.span.scale(tension_by_length);
        if let Some(body) = ends.to.0 {
            action.wrenches.push((body, -Wrench::force_at(f, self.r_to)));
        }
        if let Some(body) = ends.from.0 {
            action
                .wrenches
                .push((body, Wrench::force_at(self.seen.rotation.apply_transposed(f), self.r_from)));
        }
        action
    }
}

fn line_spring<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    name: &str,
    ends: &Ends,
    [stiffness, damping, rest_length]: [&Formula; 3],
) -> Vec<Action<S>> {
    let line = Line::between(m, k, env, name, ends);
    let d = line.span;
    let mut actions = Vec::new();
    if !vanishes(m, stiffness) {
        let k = stiffness.eval(env);
        let tension_by_length = if vanishes(m, rest_length) {
            k
        } else {
            let length = line.length(name);
            k * (length - rest_length.eval(env)) / length
        };
        actions.push(line.pull(ends, Action::elastic(name.to_owned()), tension_by_length));
    }
    if !vanishes(m, damping) {
        let velocity = |body: Option<BodyId>, r| body.map_or(Vec3::ZERO, |b| k.bodies[b].twist.at(r));
        let rate =
            velocity(ends.to.0, line.r_to) - line.seen.rotation.apply(velocity(ends.from.0, line.r_from));
        let factor = damping.eval(env) * d.dot(rate.named(&|| format!("{name}_rate"))) / d.dot(d);
        actions.push(line.pull(ends, Action::new(damping_of(name)), factor));
    }
    actions
}
