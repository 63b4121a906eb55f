//! Points, axes and events in words, for the tables of loads, outputs and events.
//!
//! Problem: a reader needs to know where a force acts, what an output measures, and what ends or
//!          switches a motion.
//! Method:  a point is given by its name if it has one, else by its position on the body; axes are
//!          named unless they are those of the ground.

use super::short_formulas::{round_digits, short_formula};
use dqdt_algebra::Number;
use dqdt_document::report::{Cell, Math, Prose};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::event::{EventFunction, Outcome};
use dqdt_mechanics::mechanism::{BodyId, Crossing, Ends, Event, Mechanism, Placement, Point, VectorFrame};

/// A point on a body in words: `bar`, `bar.tip`, or `bar at (0.1, 0, l)`.
pub(super) fn point_in_words(m: &Mechanism, body: Option<BodyId>, at: &Placement) -> Prose {
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
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let s = kinematics::initial_instant(m, &Number::to_f64, &p);
    let env = s.as_environment(&Number::to_f64);
    let components = (at.origin.iter())
        .map(|f| short_formula(m, f).unwrap_or_else(|| Math::number(round_digits(f.eval(&env)))));
    Prose::from(format!("{name} at (")) + Prose::join_texts(components, ", ") + ")"
}

/// The two points between which a load or constraint acts.
pub(super) fn ends_in_words(m: &Mechanism, ends: &Ends) -> Prose {
    point_in_words(m, ends.from.0, &ends.from.1) + ", " + point_in_words(m, ends.to.0, &ends.to.1)
}

/// The frame in whose axes the components of a vector are given.
pub(super) fn axes_in_words(m: &Mechanism, frame: &VectorFrame) -> String {
    match frame {
        VectorFrame::Ground => "in ground axes".to_owned(),
        VectorFrame::Body { body, .. } => format!("in axes of {}", m.bodies[*body].name),
    }
}

/// Table row of an event: name, trigger, effect, description.
pub(super) fn event_cells(m: &Mechanism, event: &Event) -> Vec<Cell> {
    let form = event.kind.form();
    let falls = match form.trigger().crossing {
        Crossing::Falling => "falls through zero",
        Crossing::Rising => "rises through zero",
        Crossing::Both => "crosses zero",
    };
    let when = match form.trigger().function {
        EventFunction::Formula(f) => {
            short_formula(m, f).map_or_else(|| "the formula of the event ".into(), |f| Prose::from(f) + " ")
        }
        EventFunction::Gap(gap) => {
            let over = gap.plane.map_or("the ground", |b| m.bodies[b].name.as_str());
            Prose::from("the gap between ")
                + point_in_words(m, Some(gap.body), &gap.point)
                + format!(" and a plane on {over} ")
        }
    };
    let then = match form.outcome() {
        Outcome::Ends => "the motion ends".into(),
        Outcome::Passes(states) if states.is_empty() => "is reported".into(),
        Outcome::Passes(states) => {
            let assignments = states.iter().map(|(state, value)| {
                let name = Prose::from(Math::identifier(&m.states[*state].name));
                name + " = "
                    + short_formula(m, value).map_or_else(|| "a formula too long to show".into(), Prose::from)
            });
            Prose::join_texts(assignments, ", ")
        }
        Outcome::Bounces(share) => {
            let share = short_formula(m, share).map_or_else(|| "a formula".into(), Prose::from);
            Prose::from("impact with coefficient of restitution ") + share
        }
    };
    vec![event.name.clone().into(), (when + falls).into(), then.into(), event.description.clone().into()]
}
