//! Events in a program: their functions, and the state right after each.
//!
//! Problem: `M Δv = Gᵀ Λ + Aᵀ μ`, `G Δv = −(1 + e) ġ`, `A Δv = 0` for each impact; new user states for each switch.
//! Method:  the Schur complement of `formalism::saddle`, with the row of the impact after those of the constraints. All
//! impacts share the factors of M. What an impact divides by is no pivot of the function: another event must not suffer
//! from it. Where it vanishes the speeds after that one impact are not finite, and who applies them sees it.

use std::sync::Arc;

use super::super::graph::Graph;
use super::super::program::{Crossing, Effect, EventSlot, Output, Shape};
use super::super::tracer::Tracer;
use crate::algebra::Scalar;
use crate::formalism::{self, Factorised, ImpactRow, Pivot};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{self, Environment, EventAction, EventFunction, Mechanism};

/// The events of a layout.
pub(super) fn slots(m: &Mechanism) -> Vec<EventSlot> {
    let slot = |e: &mechanism::Event| EventSlot {
        name: e.name.clone(),
        description: e.description.clone(),
        crossing: match e.crossing {
            mechanism::Crossing::Falling => Crossing::Falling,
            mechanism::Crossing::Rising => Crossing::Rising,
            mechanism::Crossing::Both => Crossing::Both,
        },
        effect: match e.action {
            EventAction::End => Effect::Ends,
            EventAction::Impact(_) => Effect::Bounces,
            EventAction::Switch(_) => Effect::Passes,
        },
    };
    m.events.iter().map(slot).collect()
}

fn output(name: &str, unit: &str, description: String, shape: Shape, nodes: Vec<super::NodeId>) -> Output {
    Output { name: name.to_owned(), unit: unit.to_owned(), description, shape, nodes }
}

/// The values of the event functions, one scalar an event.
pub(super) fn values<'g>(graph: &'g Graph, m: &Mechanism, env: &Environment<'_, Tracer<'g>>) -> Vec<Output> {
    let values = formalism::event_values(m, env);
    m.events
        .iter()
        .zip(values)
        .map(|(e, value)| {
            let (unit, what) = match e.function {
                EventFunction::Gap(_) => ("m", "gap"),
                EventFunction::Formula(_) => ("", "function"),
            };
            let about = if e.description.is_empty() { &e.name } else { &e.description };
            output(&e.name, unit, format!("{what} of {about}"), Shape::Scalar, vec![value.id(graph)])
        })
        .collect()
}

/// The whole state right after each event, one vector an event, from the state right before it. `rows`: those that take
/// part at the pose.
pub(super) fn after<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    env: &Environment<'_, Tracer<'g>>,
    mass: &[Vec<Tracer<'g>>],
    rows: &[ConstraintRow<Tracer<'g>>],
) -> (Vec<Output>, Vec<Pivot<Tracer<'g>>>) {
    let impacts: Vec<Option<ImpactRow<Tracer<'g>>>> =
        m.events.iter().map(|e| formalism::impact_row(m, env, e)).collect();
    let mut pivots = Vec::new();
    let mut speeds = vec![env.v.to_vec(); m.events.len()];
    if impacts.iter().any(Option::is_some) {
        let factored = super::solution::tree_factors(graph, m, mass);
        pivots = factored.pivots(m);
        let Factorised { order, factors, .. } = factored;
        let placed = |row: &[Tracer<'g>]| order.iter().map(|speed| row[*speed]).collect::<Vec<_>>();
        let held: Vec<Vec<_>> = rows.iter().map(|r| placed(&r.jacobian)).collect();
        let still = vec![Tracer::ZERO; m.nv()];
        for ((impact, v), event) in impacts.iter().zip(&mut speeds).zip(&m.events) {
            let Some(impact) = impact else { continue };
            let mut all = held.clone();
            all.push(placed(&impact.row));
            let mut right = vec![Tracer::ZERO; held.len()];
            right.push(impact.jump);
            let names = formalism::RowNames {
                row: &|i| rows.get(i).map_or_else(|| event.name.clone(), |r| r.name.clone()),
                speed: &|k| m.speeds[order[k]].name.clone(),
            };
            let found = formalism::solve_constrained(&factors, &still, &all, &right, &names);
            let section: Arc<str> = Arc::from(format!("impact: {}", event.name).as_str());
            for (jump, speed) in found.accelerations.iter().zip(&order) {
                let name = format!("jump_{}_{}", event.name, m.speeds[*speed].name);
                graph.label(jump.id(graph), &name, &section);
                v[*speed] = v[*speed] + *jump;
            }
        }
    }
    let outputs = m.events.iter().zip(&speeds).map(|(event, v)| {
        let mut z = env.z.to_vec();
        if let EventAction::Switch(set) = &event.action {
            for (state, formula) in set {
                z[*state] = formula.eval(env);
            }
        }
        let state = env.q.iter().chain(v).chain(&z);
        let nodes: Vec<_> = state.map(|x| x.id(graph)).collect();
        let what = format!("state [q, v, z] right after {}", event.name);
        output(&event.name, "", what, Shape::Vector(nodes.len()), nodes)
    });
    (outputs.collect(), pivots)
}
