//! The emitted function `after_events`: the state right after an event.
//!
//! Problem: `M Δv = Wᵀ Λ + Aᵀ μ`, `W Δv = −(1 + e) ġ`, `A Δv = 0` for each impact; new user states
//!          for each switch.
//! Method:  `Δv = Y Λ` with the responses Y of the function `stops`, and `Λ = −(1 + e) ġ / (W Y)`.
//!          `W Y` is not a pivot of the function, since it must not make the results of other
//!          events fail. Where it vanishes, the speeds after that impact are not finite, which a
//!          caller can detect. Where the constraints lose rank, the function fails for all events.

use std::sync::Arc;

use super::stops::{responses_to_stops, stop_rows};
use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::formalism::Pivot;
use dqdt_mechanics::kinematics::evaluate_formula;
use dqdt_mechanics::mechanism::event::Outcome;

/// The emitted function `after_events`: state right after each event, NX values for each, from the
/// state right before it. Impacts obey the constraints. Speeds are not finite where an impact
/// cannot change its gap function.
pub const AFTER_EVENTS: &Definition = &Definition {
    declaration: Declaration {
        name: "after_events",
        summary: "Computes the state immediately after each event from the state immediately before it. Call \
                  this function when an event occurs, and use the result for that event.",
        constraints: Some(ConstraintNote::new(
            "Impacts satisfy the constraints; the impulses of the constraints are not returned.",
        )),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "AfterEvents",
            about: "The state immediately after each event; speeds are not finite if an impact cannot change its gap function.",
        },
        entries: EntryNames::Numbered,
        solves: Solves::Impacts,
        checked: true,
        role: Some(Role::AfterEvents),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.events.is_empty() {
        return Quotients::default();
    }
    let (speeds, divisors) = speeds_after_events(d);
    let env = d.environment(d.saturated_inputs());
    let mut outputs = Vec::with_capacity(m.events.len());
    for (event, v) in m.events.iter().zip(&speeds) {
        let mut z = env.z.to_vec();
        if let Outcome::Passes(new_states) = event.kind.form().outcome() {
            for (state, formula) in &new_states {
                z[*state] = evaluate_formula(m, &env, formula);
            }
        }
        let state = d.node_ids(&[env.q, v, &z].concat());
        let about = format!("state [q, v, z] immediately after {}", event.name);
        outputs.push(FunctionOutput::vector(event.name.clone(), "", about, state));
    }
    Quotients { outputs, divisors }
}

/// Speeds immediately after each event, and the pivots by which they are divided.
fn speeds_after_events<'g>(d: &Derivation<'g, '_>) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let m = d.mechanism();
    let mut speeds = vec![d.environment(d.saturated_inputs()).v.to_vec(); m.events.len()];
    let stops = stop_rows(d);
    if stops.is_empty() {
        return (speeds, Vec::new());
    }
    let (responses, pivots) = responses_to_stops(d, &stops);
    for ((event, stop), response) in stops.iter().zip(&responses) {
        let name = &m.events[*event].name;
        let section: Arc<str> = Arc::from(format!("impact: {name}").as_str());
        let effect = dot(&stop.row, response);
        let impulse = -((Tracer::ONE + stop.restitution) * stop.gap[1]) / effect;
        d.label_value(effect, &format!("rate_per_impulse_{name}"), &section);
        d.label_value(impulse, &format!("impulse_{name}"), &section);
        for ((v, y), speed) in speeds[*event].iter_mut().zip(response).zip(&m.speeds) {
            let jump = impulse * *y;
            d.label_value(jump, &format!("jump_{name}_{}", speed.name), &section);
            *v = *v + jump;
        }
    }
    (speeds, pivots)
}
