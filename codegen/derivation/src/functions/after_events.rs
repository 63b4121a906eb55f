//! The emitted function `after_events`: the state right after an event.
//!
//! Problem: `M Δv = Gᵀ Λ + Aᵀ μ`, `G Δv = −(1 + e) ġ`, `A Δv = 0` for each impact; new user states
//!          for each switch.
//! Method:  the Schur complement of `formalism::dynamics::saddle`, which is factored from the last
//!          row up, so the row of the impact precedes the rows of the constraints. All impacts
//!          share the factors of M and of the constraints. The divisor of one impact is not a pivot
//!          of the function, since it must not make the results of other events fail. Where such a
//!          divisor vanishes, the speeds after that impact are not finite, which a caller can
//!          detect. Where the constraints lose rank, the function fails for all events.

use std::sync::Arc;

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::formalism::{self, Factorised, Pivot, Projected, StopRow};
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

/// Speeds right after each event, and the pivots by which they are divided.
fn speeds_after_events<'g>(d: &Derivation<'g, '_>) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let m = d.mechanism();
    let mass = d.equations().mass;
    let env = d.environment(d.saturated_inputs());
    let impacts: Vec<Option<StopRow<Tracer<'g>>>> =
        m.events.iter().map(|e| formalism::stop_row(m, &env, e)).collect();
    let mut speeds = vec![env.v.to_vec(); m.events.len()];
    if impacts.iter().all(Option::is_none) {
        return (speeds, Vec::new());
    }
    if d.partition().tree_is_singular {
        return project_speeds_after_events(d, &mass, &impacts, speeds);
    }
    let factored = d.factor_mass_matrix(&mass);
    let mut pivots = factored.pivots(m);
    let Factorised { order, factors, .. } = factored;
    let placed = |row: &[Tracer<'g>]| order.iter().map(|speed| row[*speed]).collect::<Vec<_>>();
    let rows = d.active_constraint_rows();
    let held: Vec<Vec<_>> = rows.iter().map(|r| placed(&r.jacobian)).collect();
    let still = vec![Tracer::ZERO; m.nv()];
    for ((impact, v), event) in impacts.iter().zip(&mut speeds).zip(&m.events) {
        let Some(impact) = impact else { continue };
        let all: Vec<Vec<_>> = std::iter::once(placed(&impact.row)).chain(held.iter().cloned()).collect();
        let mut right = vec![required_jump(impact)];
        right.resize(all.len(), Tracer::ZERO);
        let row = |i: usize| i.checked_sub(1).and_then(|i| rows.get(i));
        let names = formalism::RowNames {
            row: &|i| row(i).map_or(&event.name, |r| &r.name).clone(),
            speed: &|k| m.speeds[order[k]].name.clone(),
        };
        let solution = formalism::solve_constrained(&factors, &still, &all, &right, &names);
        let section: Arc<str> = Arc::from(format!("impact: {}", event.name).as_str());
        for (jump, speed) in solution.accelerations.iter().zip(&order) {
            d.label_value(*jump, &format!("jump_{}_{}", event.name, m.speeds[*speed].name), &section);
            v[*speed] = v[*speed] + *jump;
        }
        // Pivots of the constraints, equal for all impacts.
        let of_rows = rows.iter().zip(solution.lengths.iter().zip(&solution.independence).skip(1));
        let lost_rank = of_rows.flat_map(|(row, (length, independence))| {
            [
                Pivot::row_length_pivot(&row.name, *length),
                Pivot::row_independence_pivot(&row.name, *independence),
            ]
        });
        pivots.extend(lost_rank);
    }
    (speeds, pivots)
}

/// Right-hand side of `G Δv = −(1 + e) ġ`.
fn required_jump<'g>(impact: &StopRow<Tracer<'g>>) -> Tracer<'g> {
    -((Tracer::ONE + impact.restitution) * impact.gap[1])
}

/// Speeds after each event, by projection on the motions that the constraints allow. Used where M
/// of the tree is singular.
fn project_speeds_after_events<'g>(
    d: &Derivation<'g, '_>,
    mass: &[Vec<Tracer<'g>>],
    impacts: &[Option<StopRow<Tracer<'g>>>],
    mut speeds: Vec<Vec<Tracer<'g>>>,
) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let m = d.mechanism();
    let projected = Projected::new(m, d.partition(), d.active_constraint_rows(), mass);
    let basis = projected.permitted_motions();
    let still = vec![Tracer::ZERO; basis.len()];
    for ((impact, v), event) in impacts.iter().zip(&mut speeds).zip(&m.events) {
        let Some(impact) = impact else { continue };
        let along = basis.iter().map(|b| dot(b, &impact.row)).collect();
        let names = formalism::RowNames { row: &|_| event.name.clone(), speed: &|k| k.to_string() };
        let solution = formalism::solve_constrained(
            &projected.factors,
            &still,
            &[along],
            &[required_jump(impact)],
            &names,
        );
        for (b, u) in basis.iter().zip(&solution.accelerations) {
            v.iter_mut().zip(b).filter(|(_, b)| !b.is_zero()).for_each(|(v, b)| *v = *v + *b * *u);
        }
    }
    (speeds, projected.pivots())
}
