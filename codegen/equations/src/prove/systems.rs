//! Claims about the sparse systems (extended, Lagrange of the first kind, Maggi) against Kane's
//! equations.
//!
//! Problem: these formalisms have more unknowns than `v̇`: accelerations of the bodies, reactions,
//!          multipliers of the joints. The `v̇` of their solution must be that of Kane's equations.
//! Method:  the system, by components. With `v̇` as symbols, the accelerations of the bodies are
//!          replaced by partial velocities and bias, `V̇ = J v̇ + bias`; reactions and multipliers
//!          are symbols. The rows of kinematics must then vanish. The rows of motion, summed along
//!          the partial velocities (with the row of the speed, if there is one), must be
//!          `M v̇ + c − Q − Aᵀ λ` of Kane: the reactions of all joints cancel. The rows of the
//!          constraints must be `A v̇ − γ`. So every solution of the system solves Kane's
//!          equations.
//! Frames:  body axes, about the pole.
//! Cost:    polynomials in `v̇`, the reactions and the state; no division.
//! Limits:  the order of elimination is not covered; accelerations are another claim (`programs`).

use super::claim::{
    Claim, FormalismPart, acceleration_symbols, auxiliary_symbols, implicit_equations, node_ids,
    nonzero_dot_product, with_symbols,
};
use crate::symbolic::{Expressions, Query};
use dqdt_algebra::{Scalar, Twist};
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{self, Equations, Extended, Formalism, SolvedSystem};
use dqdt_mechanics::kinematics::{self, BodyMotion};
use dqdt_mechanics::mechanism::{Environment, Mechanism};

/// One claim for each formalism with a sparse system.
pub(super) fn sparse_system_claims(loaded: &Assembled) -> Vec<Claim> {
    Formalism::ALL.into_iter().filter_map(|f| sparse_system_claim(loaded, f)).collect()
}

/// The claim about a formalism's sparse system; `None` if it has none.
fn sparse_system_claim(loaded: &Assembled, f: Formalism) -> Option<Claim> {
    let SolvedSystem::System { reactions } = f.facts().solves else { return None };
    let what = if reactions { "kinematics and reactions" } else { "kinematics" };
    let title =
        format!("{}: for the {what} of any motion, the sparse system reduces to Kane's equations", f.name());
    equivalent_system_claim(loaded, f, &title, |env| match formalism::equations(f, &loaded.mechanism, env) {
        Equations::Extended(system) => Some(system),
        _ => None,
    })
}

/// Claim that a system with the unknowns of `formalism` is equivalent to Kane's equations in every
/// motion. `None` if the formalism has no such system, or there are no speeds.
pub fn equivalent_system_claim(
    loaded: &Assembled,
    formalism: Formalism,
    title: &str,
    system: impl for<'g> Fn(&Environment<'_, Tracer<'g>>) -> Option<Extended<Tracer<'g>>>,
) -> Option<Claim> {
    let m = &loaded.mechanism;
    let graph = Graph::new();
    let ComparedSides { left, right, entries } =
        with_symbols(&graph, m, &loaded.partition, |env| compare_with_kane(&graph, m, &system(env)?, env))?;
    Some(Claim {
        title: title.to_owned(),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(&graph, &node_ids(&graph, &left)),
            right: Expressions::new(&graph, &node_ids(&graph, &right)),
        },
        assumptions: super::claim::equation_assumptions(m),
        about: Some((formalism, FormalismPart::Equations)),
    })
}

/// Pairs of values that must be equal, with their descriptions.
struct ComparedSides<'g> {
    left: Vec<Tracer<'g>>,
    right: Vec<Tracer<'g>>,
    entries: Vec<String>,
}

/// Rows of a sparse system in an arbitrary motion, beside Kane's equations; `None` if their numbers
/// do not match.
fn compare_with_kane<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    system: &Extended<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<ComparedSides<'g>> {
    let n = m.nv();
    let layout = &system.layout;
    let k = kinematics::kinematics(m, env);
    let constraints = kinematics::active_stabilised_rows(m, env);
    let v_dot = acceleration_symbols(graph, m);
    let lambda = auxiliary_symbols(graph, "lambda", 0, constraints.len());
    let lambda_of_form = if layout.constraints.is_some() { &lambda[..] } else { &[] };

    let mut x: Vec<Tracer<'g>> =
        k.bodies.iter().flat_map(|body| twist_entries(body_acceleration(body, &v_dot))).collect();
    x.extend(auxiliary_symbols(graph, "R", constraints.len(), layout.joint_unknowns));
    x.extend(v_dot.iter().filter(|_| layout.with_speeds));
    x.extend(lambda_of_form);
    if x.len() != system.unknowns.len() || system.rows.right().len() != x.len() {
        return None;
    }
    let residual = system.rows.residual(&x);

    let mut left = match layout.speeds {
        Some(first) => residual[first..first + n].to_vec(),
        None => vec![Tracer::ZERO; n],
    };
    if layout.motion {
        for (body_residual, body) in residual.chunks(6).zip(&k.bodies) {
            for (speed, column) in &body.partial {
                left[*speed] = left[*speed] + nonzero_dot_product(&twist_entries(*column), body_residual);
            }
        }
    }
    let e = implicit_equations(m, Formalism::Kane, env);
    let mut right: Vec<Tracer<'g>> =
        (0..n).map(|i| nonzero_dot_product(&e.mass[i], &v_dot) + e.c[i] - e.force[i]).collect();
    for (row, lambda) in constraints.iter().zip(lambda_of_form) {
        for (right, a) in right.iter_mut().zip(&row.jacobian).filter(|(_, a)| !a.is_zero()) {
            *right = *right - *a * *lambda;
        }
    }
    let mut names: Vec<String> = m.speeds.iter().map(|s| format!("equation of `{}`", s.name)).collect();
    for row in layout.kinematics.clone() {
        left.push(residual[row]);
        right.push(Tracer::ZERO);
        names.push(format!("row {} of the kinematic equations", row + 1));
    }
    for (row, first) in
        constraints.iter().enumerate().filter_map(|(r, row)| Some((row, layout.constraints? + r)))
    {
        left.push(residual[first]);
        right.push(nonzero_dot_product(&row.jacobian, &v_dot) - row.gamma);
        names.push(format!("row `{}`", row.name));
    }
    Some(ComparedSides { left, right, entries: names })
}

/// Acceleration of a body, `V̇ = J v̇ + bias`.
fn body_acceleration<'g>(body: &BodyMotion<Tracer<'g>>, v_dot: &[Tracer<'g>]) -> Twist<Tracer<'g>> {
    body.partial.iter().fold(body.bias, |sum, (speed, column)| sum + column.scale(v_dot[*speed]))
}

/// Entries of a twist, linear first.
fn twist_entries<'g>(t: Twist<Tracer<'g>>) -> [Tracer<'g>; 6] {
    std::array::from_fn(|a| if a < 3 { t.v[a] } else { t.w[a - 3] })
}
