//! What a load is, as a formula.
//!
//! Problem: a reader who knows that there is friction at a joint asks which.
//! Method:  the formulas of the spec put together as the load does; in the equations they stand among all others.

use super::definitions::{math, with_tables};
use crate::inspect::lines;
use crate::symbolic::{Closed, Function};
use dqdt_algebra::Func;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::{Formula, Load, LoadKind, Mechanism, SpeedId, VectorFrame};

/// Longer than that nobody reads it in a table.
const LONGEST: usize = 80;

/// The value of a load; `None` if it has no short formula.
pub(in crate::inspect) fn value(m: &Mechanism, load: &Load) -> Option<Prose> {
    let of = |f: &Formula| with_tables(m, f);
    let speed = |i: SpeedId| {
        let (kind, name) = (SymbolKind::Speed(i.index()), m.speeds.get(i.index())?.name.clone());
        Some(Closed::Symbol { kind, name })
    };
    let times = |a: Closed, b: Closed| Closed::product(vec![a, b]);
    let minus = |terms: Vec<Closed>| Closed::sum(terms.into_iter().map(Closed::negated).collect());
    let form = match &load.kind {
        LoadKind::Force { value, frame, .. } | LoadKind::Torque { value, frame, .. } => {
            let parts: Option<Vec<Math>> = value.iter().map(|f| of(f).map(|c| math(m, &c))).collect();
            let axes = match frame {
                VectorFrame::Ground => ", axes of the ground".to_owned(),
                VectorFrame::Body { body, .. } => format!(", axes on {}", m.bodies.get(body.index())?.name),
            };
            return short(Prose::from("(") + Prose::list(parts?, ", ") + ")" + axes);
        }
        LoadKind::Actuator { effort: f, .. }
        | LoadKind::GeneralisedForce { value: f, .. }
        | LoadKind::LineForce { tension: f, .. } => of(f)?,
        LoadKind::JointSpring { coordinate, speed: v, stiffness, damping, rest } => {
            let name = m.coordinates.get(coordinate.index())?.name.clone();
            let q = Closed::Symbol { kind: SymbolKind::Coordinate(coordinate.index()), name };
            let turned = Closed::sum(vec![q, of(rest)?.negated()]);
            minus(present([times(of(stiffness)?, turned), times(of(damping)?, speed(*v)?)]))
        }
        LoadKind::Friction { speed: v, viscous, coulomb, transition } => {
            let ratio = Closed::Quotient(Box::new(speed(*v)?), Box::new(of(transition)?));
            let smooth = Closed::Function(Function::Func(Func::Tanh), vec![ratio]);
            minus(present([times(of(viscous)?, speed(*v)?), times(of(coulomb)?, smooth)]))
        }
        LoadKind::LineSpring { stiffness, damping, rest_length, .. } => {
            let letter = |name: &str| {
                let name = name.to_owned();
                Closed::Symbol { kind: SymbolKind::Length(0), name }
            };
            let length = letter(&lines::name(m, &load.name));
            let longer = Closed::sum(vec![length.clone(), of(rest_length)?.negated()]);
            let rate = letter(&format!("{}_dot", lines::name(m, &load.name)));
            let tension = present([times(of(stiffness)?, longer), times(of(damping)?, rate)]);
            let text = Prose::from("tension ")
                + math(m, &Closed::sum(tension))
                + " at the length "
                + math(m, &length);
            return short(text);
        }
    };
    short(math(m, &form).into())
}

/// Those that are not zero.
fn present(terms: [Closed; 2]) -> Vec<Closed> {
    let zero = |c: &Closed| match c {
        Closed::Number(n) => n.is_zero(),
        Closed::Product(factors) => factors.iter().any(|f| matches!(f, Closed::Number(n) if n.is_zero())),
        _ => false,
    };
    terms.into_iter().filter(|t| !zero(t)).collect()
}

fn short(text: Prose) -> Option<Prose> {
    (text.text().chars().count() <= LONGEST).then_some(text)
}
