//! Events: the functions that cross zero, and jumps of the speeds in an impact.
//!
//! Problem: the value of every event function; along what an impact acts, and by how much the speeds must jump there.
//! Method:  an event function `g(q, t)` is differentiated by jets along `q̇ = N e_j` for its row `G`. The impulse `Λ` acts along
//! it, without friction: `M Δv = Gᵀ Λ + Aᵀ μ`, `G Δv = −(1 + e) ġ`, `A Δv = 0` with the constraints `A` of the mechanism
//! (Wittenburg 2008, section 6.3; mechanics 1.5, impact). A gap between two bodies is seen from one of them, so what
//! both share never enters.
//! Shapes:  one value an event; nv in a row.
//! Units:   those of the function; a restitution is a pure number.
//! Cost:    O(nv) evaluations of the poses for a row.
//! Not handled: friction in the impact; several impacts at once (they follow each other); rest in contact.

use crate::kinematics::{poses, rates, relative, rotation, value_of, vector};
use crate::mechanism::event::{EventContext, Outcome};
use crate::mechanism::{Environment, Event, Formula, Gap, Mechanism, joint};
use dqdt_algebra::Scalar;

/// The values of all event functions.
pub fn event_values<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    m.events.iter().map(|e| value(m, env, e)).collect()
}

struct State<'a, 'e, S> {
    mechanism: &'a Mechanism,
    env: &'a Environment<'e, S>,
}

impl<S: Scalar> EventContext<S> for State<'_, '_, S> {
    fn value_of(&self, f: &Formula) -> S {
        value_of(self.mechanism, self.env, f)
    }

    fn distance(&self, gap: &Gap) -> S {
        distance(self.mechanism, self.env, gap)
    }
}

fn value<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, event: &Event) -> S {
    event.kind.value(&State { mechanism: m, env })
}

fn distance<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, gap: &Gap) -> S {
    let poses = poses(m, env);
    let seen = relative(m, &|b| poses[b], Some(gap.body), gap.plane);
    let at = seen.point(vector(&gap.point.origin, env) - poses[gap.body].pole);
    let origin = vector(&gap.origin.origin, env);
    let origin = gap.plane.map_or(origin, |b| origin - poses[b].pole);
    let normal = rotation(&gap.origin.rotation, env).apply(joint::unit(gap.normal, env.number));
    normal.dot(at - origin) - gap.radius.eval(env)
}

/// What the impulse of an impact acts along, and what it must reach.
#[derive(Clone, Debug)]
pub struct ImpactRow<S> {
    /// `G`: derivative of the event function along each speed.
    pub row: Vec<S>,
    /// `G Δv = −(1 + e) ġ`
    pub jump: S,
}

/// The impact of an event, from the state right before it; `None` if the event is no impact.
pub fn impact_row<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, event: &Event) -> Option<ImpactRow<S>> {
    let Outcome::Bounces(restitution) = event.kind.form().outcome() else { return None };
    let (qdot, n) = rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    let along = |dt: S, dq: &[S]| env.with_jets(dt, dq, &still, |env| value(m, env, event)).d;
    let row = m.speed_ids().map(|j| along(S::ZERO, &n.iter().map(|r| r[j]).collect::<Vec<S>>())).collect();
    let rate = along(S::ONE, &qdot);
    Some(ImpactRow { row, jump: -((S::ONE + restitution.eval(env)) * rate) })
}
