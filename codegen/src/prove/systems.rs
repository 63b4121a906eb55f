//! The sparse systems of the extended form, of Lagrange of the first kind and of Maggi against Kane's equations.
//!
//! Problem: these forms have more unknowns than `v̇`: accelerations of the bodies, reactions, multipliers of the joints.
//!          Is the `v̇` of their solution that of Kane's equations?
//! Method:  the system as it is printed, by components. With `v̇` as symbols the accelerations of the bodies are put in
//!          by partial velocities and bias, `V̇ = J v̇ + bias`; reactions and multipliers are symbols.
//!          The rows of kinematics must then vanish; the rows of motion, summed along the partial velocities
//!          (with the row of the speed, where there is one), must be `M v̇ + c − Q − Aᵀ λ` of Kane: the reactions of all
//!          joints leave by themselves; the rows of the constraints must be `A v̇ − γ`. So whatever solves
//!          the system solves Kane's equations.
//! Frames:  body axes, about the pole.
//! Cost:    polynomials in `v̇`, the reactions and the state; no division.
//! Not handled: the order in which a form eliminates; its accelerations are another claim (`programs`).

use super::{Claim, Part, accelerations, dot, ids, implicit, unknowns, with_symbols};
use crate::algebra::{Scalar, Twist};
use crate::formalism::{self, Equations, Extended, Formalism};
use crate::ir::{Graph, Tracer};
use crate::kinematics::{self, BodyMotion};
use crate::mechanism::{Environment, Mechanism};
use crate::symbolic::{Expressions, Task};

/// The forms that are sparse systems.
const FORMS: [Formalism; 3] = [Formalism::Extended, Formalism::LagrangeFirst, Formalism::Maggi];

/// One claim a form.
pub(super) fn claims(m: &Mechanism) -> Vec<Claim> {
    let claim = |f: Formalism| {
        let what = if f == Formalism::Maggi { "kinematics" } else { "kinematics and reactions" };
        let title = format!("{}: its system, with {what} of any motion, is Kane's equations", f.name());
        same_motion(m, f, &title, |env| match formalism::equations(f, m, env) {
            Equations::Extended(system) => Some(system),
            _ => None,
        })
    };
    FORMS.into_iter().filter_map(claim).collect()
}

/// The claim that a system with the unknowns of `formalism` is Kane's equations in every motion. `None` if the
/// formalism has no such system, or there are no speeds.
pub fn same_motion(
    m: &Mechanism,
    formalism: Formalism,
    title: &str,
    system: impl for<'g> Fn(&Environment<'_, Tracer<'g>>) -> Option<Extended<Tracer<'g>>>,
) -> Option<Claim> {
    let graph = Graph::new();
    let Compared { left, right, entries } =
        with_symbols(&graph, m, |env| compared(&graph, m, formalism, &system(env)?, env))?;
    Some(Claim {
        title: title.to_owned(),
        entries,
        task: Task::ProveEqual {
            left: Expressions::new(&graph, &ids(&graph, &left)),
            right: Expressions::new(&graph, &ids(&graph, &right)),
        },
        assumptions: super::assumptions(m),
        about: Some((formalism, Part::Equations)),
    })
}

struct Compared<'g> {
    left: Vec<Tracer<'g>>,
    right: Vec<Tracer<'g>>,
    entries: Vec<String>,
}

/// Where the rows of a form stand.
struct Rows {
    /// First row of a body's equations of motion, by body; none where the rows of the speeds hold them already.
    motion: bool,
    /// First row of the speeds, if there are any.
    speeds: Option<usize>,
    /// Rows that must vanish in every motion.
    kinematics: std::ops::Range<usize>,
    /// First row of the constraints, if the system has them.
    constraints: Option<usize>,
}

/// The rows of a form, and its unknowns after the accelerations of the bodies: how many there are of joints, and whether
/// those of the speeds follow.
fn layout(formalism: Formalism, bodies: usize, speeds: usize) -> Option<(Rows, usize, bool)> {
    let all = 6 * bodies;
    Some(match formalism {
        Formalism::Extended => {
            let rows = Rows {
                motion: true,
                speeds: Some(2 * all),
                kinematics: all..2 * all,
                constraints: Some(2 * all + speeds),
            };
            (rows, all, true)
        }
        Formalism::LagrangeFirst => {
            let end = 2 * all - speeds;
            (
                Rows { motion: true, speeds: None, kinematics: all..end, constraints: Some(end) },
                all - speeds,
                false,
            )
        }
        Formalism::Maggi => {
            let rows = Rows { motion: false, speeds: Some(0), kinematics: speeds..all, constraints: None };
            (rows, 0, false)
        }
        _ => return None,
    })
}

fn compared<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    formalism: Formalism,
    system: &Extended<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<Compared<'g>> {
    let n = m.nv();
    let (rows, of_joints, with_speeds) = layout(formalism, m.bodies.len(), n)?;
    let k = kinematics::kinematics(m, env);
    let constraints = kinematics::active_rows(m, env);
    let v_dot = accelerations(graph, m);
    let lambda = unknowns(graph, "lambda", 0, constraints.len());
    let lambda_of_form = if rows.constraints.is_some() { &lambda[..] } else { &[] };

    let mut x: Vec<Tracer<'g>> = k.bodies.iter().flat_map(|body| entries(rate(body, &v_dot))).collect();
    x.extend(unknowns(graph, "R", constraints.len(), of_joints));
    x.extend(v_dot.iter().filter(|_| with_speeds));
    x.extend(lambda_of_form);
    if x.len() != system.unknowns.len() || system.rows.right().len() != x.len() {
        return None;
    }
    let residual = system.rows.residual(&x);

    let mut left = match rows.speeds {
        Some(first) => residual[first..first + n].to_vec(),
        None => vec![Tracer::ZERO; n],
    };
    if rows.motion {
        for (own, body) in residual.chunks(6).zip(&k.bodies) {
            for (speed, column) in &body.partial {
                left[*speed] = left[*speed] + dot(&entries(*column), own);
            }
        }
    }
    let e = implicit(m, Formalism::Kane, env);
    let mut right: Vec<Tracer<'g>> = (0..n).map(|i| dot(&e.mass[i], &v_dot) + e.c[i] - e.force[i]).collect();
    for (row, lambda) in constraints.iter().zip(lambda_of_form) {
        for (right, a) in right.iter_mut().zip(&row.jacobian).filter(|(_, a)| !a.is_zero()) {
            *right = *right - *a * *lambda;
        }
    }
    let mut names: Vec<String> = m.speeds.iter().map(|s| format!("row of {}", s.name)).collect();
    for row in rows.kinematics {
        left.push(residual[row]);
        right.push(Tracer::ZERO);
        names.push(format!("row {} of kinematics", row + 1));
    }
    for (row, first) in
        constraints.iter().enumerate().filter_map(|(r, row)| Some((row, rows.constraints? + r)))
    {
        left.push(residual[first]);
        right.push(dot(&row.jacobian, &v_dot) - row.gamma);
        names.push(format!("row of {}", row.name));
    }
    Some(Compared { left, right, entries: names })
}

/// `V̇ = J v̇ + bias`
fn rate<'g>(body: &BodyMotion<Tracer<'g>>, v_dot: &[Tracer<'g>]) -> Twist<Tracer<'g>> {
    body.partial.iter().fold(body.bias, |sum, (speed, column)| sum + column.scale(v_dot[*speed]))
}

/// Entries of a twist, linear first.
fn entries<'g>(t: Twist<Tracer<'g>>) -> [Tracer<'g>; 6] {
    std::array::from_fn(|a| if a < 3 { t.v[a] } else { t.w[a - 3] })
}
