//! The emitted function `stops`: how each stop is approached, and what its force does.
//!
//! Problem: for each impact event the gap g, its rate, the row W by which its force acts on the
//!          speeds, the second derivative of the gap without accelerations, and the response Y of
//!          the mechanism: `M Y = Wᵀ + Aᵀ μ`, `A Y = 0`.
//! Method:  the Schur complement of `formalism::dynamics::saddle` with one right-hand side for each
//!          stop. By `D = W Y` a caller decides which stops act (`dqdt::integrate`).

use std::sync::Arc;

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves};
use dqdt_mechanics::formalism::{self, Factorised, Pivot, Projected, StopRow};
use dqdt_mechanics::kinematics::coordinate_rates;

/// The emitted function `stops`: for each impact event gap, rate, bias, restitution, the row of its
/// force and the response of coordinates and speeds to its impulse. With constraints, the response
/// obeys them.
pub const STOPS: &Definition = &Definition {
    declaration: Declaration {
        name: "stops",
        summary: "Gaps of the stops, their rates, and the effect of their forces, for impacts and rest. \
                  `dqdt::integrate::integrate_events` calls this function.",
        constraints: Some(ConstraintNote::new("The responses satisfy the constraints.")),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Stops", about: "Gaps, rates, rows and responses of the stops." },
        entries: EntryNames::Numbered,
        solves: Solves::Impacts,
        checked: true,
        role: Some(Role::Stops),
        by_default: true,
        in_eval: false,
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    let stops = stop_rows(d);
    if stops.is_empty() || m.nv() == 0 {
        return Quotients::default();
    }
    let (responses, divisors) = responses_to_stops(d, &stops);
    let (_, rates_by_speeds) = coordinate_rates(m, &d.environment(d.saturated_inputs()));
    let mut outputs = Vec::with_capacity(6 * stops.len());
    for ((event, stop), response) in stops.iter().zip(&responses) {
        let event = &m.events[*event];
        let [name, unit] = [&event.name, &crate::derive::event_unit(event)];
        let scalar = |suffix: &str, unit: &str, about: &str, value| {
            FunctionOutput::scalar(
                format!("{name}_{suffix}"),
                unit,
                format!("{about} {name}"),
                d.node_id(value),
            )
        };
        outputs.push(scalar("gap", unit, "gap of", stop.gap[0]));
        outputs.push(scalar("rate", &format!("{unit}/s"), "rate of the gap of", stop.gap[1]));
        let about = "second derivative of the gap, without accelerations of the speeds, of";
        outputs.push(scalar("bias", &format!("{unit}/s^2"), about, stop.bias));
        outputs.push(scalar("restitution", "1", "coefficient of restitution of", stop.restitution));
        let vector = |suffix: &str, about: &str, values: &[Tracer<'g>]| {
            FunctionOutput::vector(
                format!("{name}_{suffix}"),
                "",
                format!("{about} {name}"),
                d.node_ids(values),
            )
        };
        outputs.push(vector("row", "row W of", &stop.row));
        let displacement: Vec<Tracer<'g>> = rates_by_speeds.iter().map(|row| dot(row, response)).collect();
        let about = "displacements N Y of the coordinates and jumps Y of the speeds per unit of impulse of";
        outputs.push(vector("response", about, &[&displacement[..], response].concat()));
    }
    Quotients { outputs, divisors }
}

/// Rows of the impact events, with the positions of these events.
pub(super) fn stop_rows<'g>(d: &Derivation<'g, '_>) -> Vec<(usize, StopRow<Tracer<'g>>)> {
    let m = d.mechanism();
    let env = d.environment(d.saturated_inputs());
    m.events.iter().enumerate().filter_map(|(i, e)| Some((i, formalism::stop_row(m, &env, e)?))).collect()
}

/// Responses `Y` of the speeds to a unit impulse of each stop, and the pivots by which they are
/// divided.
pub(super) fn responses_to_stops<'g>(
    d: &Derivation<'g, '_>,
    stops: &[(usize, StopRow<Tracer<'g>>)],
) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let m = d.mechanism();
    let mass = d.equations().mass;
    if d.partition().tree_is_singular {
        return projected_responses(d, &mass, stops);
    }
    let factored = d.factor_mass_matrix(&mass);
    let mut pivots = factored.pivots(m);
    let Factorised { order, factors, .. } = factored;
    let placed = |row: &[Tracer<'g>]| order.iter().map(|speed| row[*speed]).collect::<Vec<_>>();
    let rows = d.active_constraint_rows();
    let held: Vec<Vec<_>> = rows.iter().map(|r| placed(&r.jacobian)).collect();
    let unchanged = vec![Tracer::ZERO; held.len()];
    let mut responses = Vec::with_capacity(stops.len());
    for (k, (event, stop)) in stops.iter().enumerate() {
        let event = &m.events[*event];
        for (entry, speed) in stop.row.iter().zip(&m.speeds) {
            entry.suggest_name(&|| format!("row_{}_{}", event.name, speed.name));
        }
        let names = formalism::RowNames {
            row: &|i| rows[i].name.clone(),
            speed: &|k| format!("{}_{}", event.name, m.speeds[order[k]].name),
        };
        let solution = formalism::solve_constrained(&factors, &placed(&stop.row), &held, &unchanged, &names);
        let section: Arc<str> = Arc::from(format!("stop: {}", event.name).as_str());
        let mut response = vec![Tracer::ZERO; m.nv()];
        for (jump, speed) in solution.accelerations.iter().zip(&order) {
            d.label_value(*jump, &format!("response_{}_{}", event.name, m.speeds[*speed].name), &section);
            response[*speed] = *jump;
        }
        responses.push(response);
        if k == 0 {
            // Pivots of the constraints, equal for all stops.
            for (row, (length, independence)) in
                rows.iter().zip(solution.lengths.iter().zip(&solution.independence))
            {
                pivots.push(Pivot::row_length_pivot(&row.name, *length));
                pivots.push(Pivot::row_independence_pivot(&row.name, *independence));
            }
        }
    }
    (responses, pivots)
}

/// Responses by projection on the motions that the constraints allow. Used where M of the tree is
/// singular.
fn projected_responses<'g>(
    d: &Derivation<'g, '_>,
    mass: &[Vec<Tracer<'g>>],
    stops: &[(usize, StopRow<Tracer<'g>>)],
) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let m = d.mechanism();
    let projected = Projected::new(m, d.partition(), d.active_constraint_rows(), mass);
    let basis = projected.permitted_motions();
    let responses = stops.iter().map(|(event, stop)| {
        let along: Vec<Tracer<'g>> = basis.iter().map(|b| dot(b, &stop.row)).collect();
        let names =
            formalism::RowNames { row: &|_| m.events[*event].name.clone(), speed: &|k| k.to_string() };
        let solution = formalism::solve_constrained(&projected.factors, &along, &[], &[], &names);
        let mut response = vec![Tracer::ZERO; m.nv()];
        for (b, u) in basis.iter().zip(&solution.accelerations) {
            response.iter_mut().zip(b).filter(|(_, b)| !b.is_zero()).for_each(|(y, b)| *y = *y + *b * *u);
        }
        response
    });
    (responses.collect(), projected.pivots())
}
