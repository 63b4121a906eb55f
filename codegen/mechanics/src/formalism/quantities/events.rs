//! Events: functions that cross zero, and jumps of the speeds in an impact.
//!
//! Problem: the value of each event function; the direction of the impulse of an impact, and the
//!          required jump of the speeds.
//! Method:  an event function `g(q, t)` is differentiated by jets along `q̇ = N e_j` for its row
//!          `G`. The impulse `Λ` acts along it, without friction: `M Δv = Gᵀ Λ + Aᵀ μ`,
//!          `G Δv = −(1 + e) ġ`, `A Δv = 0` with the constraints `A` of the mechanism (Wittenburg
//!          2008, section 6.3; mechanics 1.5, impact). A gap between two bodies is expressed in one
//!          of them, so that their common motion cancels.
//! Shapes:  one value for each event; nv in a row.
//! Units:   those of the function; a coefficient of restitution is dimensionless.
//! Cost:    O(nv) evaluations of the poses for a row.
//!
//! Not handled: friction. Which stops act is decided along a motion (`dqdt::integrate`).

use crate::kinematics::{
    body_poses, coordinate_rates, evaluate_formula, evaluate_rotation, evaluate_vector, relative_pose,
};
use crate::mechanism::event::{EventContext, Outcome};
use crate::mechanism::{Environment, Event, Formula, Gap, Mechanism, joint};
use dqdt_algebra::Scalar;

/// Context in which event functions are evaluated: a mechanism at a state.
struct EventState<'a, 'e, S> {
    /// The mechanism.
    mechanism: &'a Mechanism,
    /// Values of the variables.
    env: &'a Environment<'e, S>,
}

impl<S: Scalar> EventContext<S> for EventState<'_, '_, S> {
    fn evaluate_formula(&self, f: &Formula) -> S {
        evaluate_formula(self.mechanism, self.env, f)
    }

    fn gap_distance(&self, gap: &Gap) -> S {
        evaluate_gap_distance(self.mechanism, self.env, gap)
    }
}

/// Value of an event function at a state.
pub fn evaluate_event_function<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, event: &Event) -> S {
    event.kind.value(&EventState { mechanism: m, env })
}

/// Distance of a gap's point or ball from its plane \[m\].
fn evaluate_gap_distance<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, gap: &Gap) -> S {
    let poses = body_poses(m, env);
    let pose = relative_pose(m, &|b| poses[b], Some(gap.body), gap.plane);
    let at = pose.point_in_other_body(evaluate_vector(&gap.point.origin, env) - poses[gap.body].pole);
    let origin = evaluate_vector(&gap.origin.origin, env);
    let origin = gap.plane.map_or(origin, |b| origin - poses[b].pole);
    let normal =
        evaluate_rotation(&gap.origin.rotation, env).apply(joint::unit_vector_along(gap.normal, env.number));
    normal.dot(at - origin) - gap.radius.eval(env)
}

/// Row along which the force of a stop acts, and how its gap changes.
#[derive(Clone, Debug)]
pub struct StopRow<S> {
    /// Row `W`: derivative of the event function along each speed.
    pub row: Vec<S>,
    /// The event function `g`, a gap, and its rate `ġ`.
    pub gap: [S; 2],
    /// Second derivative `g̈` at zero accelerations of the speeds.
    pub bias: S,
    /// Coefficient of restitution e.
    pub restitution: S,
}

/// Row and rates of the stop of an impact event; `None` if the event is not an impact.
pub fn stop_row<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, event: &Event) -> Option<StopRow<S>> {
    let Outcome::Bounces(restitution) = event.kind.form().outcome() else { return None };
    let (qdot, n) = coordinate_rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    let row = m.speed_ids().map(|j| {
        let along: Vec<S> = n.iter().map(|r| r[j]).collect();
        env.with_jets(S::ZERO, &along, &still, |env| evaluate_event_function(m, env, event)).d
    });
    let row = row.collect();
    let gap = [evaluate_event_function(m, env, event), gap_rate(m, env, event)];
    let bias = env.with_jets(S::ONE, &qdot, &still, |env| gap_rate(m, env, event)).d;
    Some(StopRow { row, gap, bias, restitution: restitution.eval(env) })
}

/// Rate of an event function at a state.
fn gap_rate<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, event: &Event) -> S {
    let (qdot, _) = coordinate_rates(m, env);
    env.with_jets(S::ONE, &qdot, &vec![S::ZERO; m.nv()], |env| evaluate_event_function(m, env, event)).d
}
