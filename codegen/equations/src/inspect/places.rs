//! Points and what happens at them, in words.
//!
//! Problem: a reader asks where a force acts, what an output is measured of, and what ends or turns a motion.
//! Method:  the name of a point where it has one, else where it lies on its body; axes where they are not those of the ground.

use super::written::{rounded, written};
use dqdt_algebra::Number;
use dqdt_document::report::{Cell, Math, Prose};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::event::{Condition, Outcome};
use dqdt_mechanics::mechanism::{BodyId, Crossing, Ends, Event, Mechanism, Placement, Point, VectorFrame};

/// `bar`, `bar.tip`, `bar at (0.1, 0, l)`.
pub(super) fn point(m: &Mechanism, body: Option<BodyId>, at: &Placement) -> Prose {
    let (name, points): (&str, &[Point]) = match body {
        Some(b) => (&m.bodies[b].name, &m.bodies[b].points),
        None => ("ground", &m.ground_points),
    };
    if at.origin.iter().all(dqdt_mechanics::mechanism::Formula::is_zero) {
        return name.into();
    }
    if let Some(known) = points.iter().find(|p| p.placement.origin == at.origin) {
        return format!("{name}.{}", known.name).into();
    }
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    let s = kinematics::start(m, &Number::to_f64, &p);
    let env = s.environment(&Number::to_f64);
    let shown = |f| written(m, f).unwrap_or_else(|| Math::number(rounded(f.eval(&env))));
    Prose::from(format!("{name} at (")) + Prose::list(at.origin.iter().map(shown), ", ") + ")"
}

/// Both ends of what acts between points.
pub(super) fn ends(m: &Mechanism, ends: &Ends) -> Prose {
    point(m, ends.from.0, &ends.from.1) + ", " + point(m, ends.to.0, &ends.to.1)
}

/// In which axes components are.
pub(super) fn axes(m: &Mechanism, frame: &VectorFrame) -> String {
    match frame {
        VectorFrame::Ground => "axes of the ground".to_owned(),
        VectorFrame::Body { body, .. } => format!("axes on {}", m.bodies[*body].name),
    }
}

/// Name, when it happens, what happens then.
pub(super) fn event(m: &Mechanism, event: &Event) -> Vec<Cell> {
    let form = event.kind.form();
    let falls = match form.trigger().crossing {
        Crossing::Falling => "falls through zero",
        Crossing::Rising => "rises through zero",
        Crossing::Both => "crosses zero",
    };
    let when = match form.trigger().condition {
        Condition::Formula(f) => {
            written(m, f).map_or_else(|| "its formula ".into(), |f| Prose::from(f) + " ")
        }
        Condition::Gap(gap) => {
            let over = gap.plane.map_or("the ground", |b| m.bodies[b].name.as_str());
            Prose::from("the gap between ")
                + point(m, Some(gap.body), &gap.point)
                + format!(" and a plane on {over} ")
        }
    };
    let then = match form.outcome() {
        Outcome::Ends => "the motion ends".into(),
        Outcome::Passes(states) if states.is_empty() => "is reported".into(),
        Outcome::Passes(states) => {
            let one = |(state, value): &(usize, _)| {
                let name = Prose::from(Math::identifier(&m.states[*state].name));
                name + " = " + written(m, value).map_or_else(|| "a longer formula".into(), Prose::from)
            };
            Prose::list(states.iter().map(one), ", ")
        }
        Outcome::Bounces(share) => {
            let share = written(m, share).map_or_else(|| "a formula".into(), Prose::from);
            Prose::from("an impact, restitution ") + share
        }
    };
    vec![event.name.clone().into(), (when + falls).into(), then.into(), event.description.clone().into()]
}
