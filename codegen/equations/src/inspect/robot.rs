//! The equations of motion in the form used in robotics: `M q̈ + C(q, q̇) q̇ + g(q) = B u + f`.
//!
//! Problem: a controller is written in terms of M, C, g and B; `M v̇ + c = Q` has C in c, and g and
//!          B in Q.
//! Method:  C is `formalism::coriolis_matrix`; g is minus the conservative part of Q; B is the
//!          derivative of Q by the inputs (after their limits, if any); f is the rest: dampers,
//!          other loads, the part of c due to prescribed motion.
//! Shapes:  nv × nv, nv, nv × nu, nv.
//! Limits:  if Q is not linear in the inputs (tested at random points) there is no B, and f
//!          contains the inputs.

use super::equations::{EquationsOfMotion, numbered_letters, speed_names};
use super::forces::{Forces, gravity_is_conservative, split_forces};
use super::groups::{Arrangement, GroupRole, Recorder};
use super::letters;
use super::view::{Form, Part};
use dqdt_algebra::Scalar;
use dqdt_derivation::derive::input_force_column;
use dqdt_diagnostics::base::Random;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::{NodeId, SymbolKind, Tracer, evaluate};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::mechanism::{Environment, Mechanism, SpeedId};

/// Heading of the section with the robotics form.
const HEADING: &str = "Equations of motion in robotics form";
/// Number of random points at which the linearity of Q in the inputs is tested.
const POINTS: u64 = 3;

/// Adds the equations of the robotics form, with M, C, g, B and f, to the report.
pub(super) fn record_robot_form<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    formalism: Formalism,
    system: &EquationsOfMotion<'g>,
    env: &Environment<'_, Tracer<'g>>,
    e: &Implicit<Tracer<'g>>,
    parts: &Forces<Tracer<'g>>,
) {
    let n = m.nv();
    if n == 0 {
        return;
    }
    r.set_part(Part::Equations, &[Form::Robot]);
    let coriolis = formalism::coriolis_matrix(m, env);
    let zero_inputs = vec![Tracer::ZERO; m.inputs.len()];
    let without_inputs = Environment { u: &zero_inputs, ..*env };
    let columns: Vec<Vec<Tracer<'g>>> =
        (0..m.inputs.len()).map(|k| input_force_column(m, &without_inputs, k)).collect();
    let undriven = split_forces(m, formalism, &without_inputs).other;
    let gaps: Vec<NodeId> = (0..n)
        .map(|i| {
            let driven = parts.other[i] - undriven[i];
            let linear = columns.iter().zip(env.u).fold(Tracer::ZERO, |sum, (c, u)| sum + c[i] * *u);
            (driven - linear).id(r.graph)
        })
        .collect();
    let is_linear = all_vanish(r, &gaps);
    let mut rest = if is_linear { undriven } else { parts.other.clone() };
    let has_prescribed =
        m.joints.iter().flat_map(|j| &j.coordinates).any(|c| c.prescribed_formula().is_some());
    if has_prescribed {
        rest = (0..n)
            .map(|i| {
                let velocity_terms = (0..n).fold(Tracer::ZERO, |sum, j| sum + coriolis[i][j] * env.v[j]);
                rest[i] - (e.c[i] - velocity_terms)
            })
            .collect();
    }
    let with_inputs = is_linear && !columns.is_empty();
    let terms = RightSide {
        inputs: with_inputs,
        rest: rest.iter().any(|x| !x.is_zero()),
        multipliers: !system.active_rows(env.partition).is_empty(),
    };
    push_robot_equation(r, m, terms);
    let columns = if with_inputs { columns } else { Vec::new() };
    push_robot_groups(r, m, e, &RobotTerms { coriolis, conservative: &parts.conservative, columns, rest });
}

/// Terms of the equations of the robotics form, except the mass matrix.
struct RobotTerms<'a, 'g> {
    coriolis: Vec<Vec<Tracer<'g>>>,
    /// Conservative forces, the opposite of g.
    conservative: &'a [Tracer<'g>],
    /// Columns of B; empty if B is not shown.
    columns: Vec<Vec<Tracer<'g>>>,
    /// The other forces f.
    rest: Vec<Tracer<'g>>,
}

/// Adds M, C, g, B and f to the report, each with its meaning.
fn push_robot_groups<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    e: &Implicit<Tracer<'g>>,
    terms: &RobotTerms<'_, 'g>,
) {
    let n = m.nv();
    let RobotTerms { coriolis, conservative, columns, rest } = terms;
    let all: Vec<SpeedId> = m.speed_ids().collect();
    let speeds = speed_names(m, &all);
    let square = |letter: &str| Arrangement::Matrix(letters::bold_letter(letter), n);
    let note = Prose::from("mass matrix; rows and columns: ") + speeds;
    r.push_group(HEADING, note, GroupRole::Other, square("M"), &e.mass.concat());
    let text = "Coriolis matrix $C$, for which $Ṁ − 2 C$ is skew-symmetric; computed from Christoffel \
                symbols where the speeds are rates of coordinates";
    let note = letters::prose_with_formulas(text);
    r.push_group(HEADING, note, GroupRole::Coriolis, square("C"), &coriolis.concat());
    let g: Vec<Tracer<'g>> = conservative.iter().map(|x| -*x).collect();
    let names = |letter: &str| Arrangement::Equations(numbered_letters(&letters::entry_letter(m, letter), n));
    let text = match gravity_is_conservative(m) {
        true => "forces of gravity and springs, $g(q)$",
        false => "forces of springs, $g(q)$; gravity is part of $f$, since some loads depend on it",
    };
    let note = letters::prose_with_formulas(text);
    r.push_group(HEADING, note, GroupRole::Potential, names("g"), &g);
    if !columns.is_empty() {
        let entries: Vec<Tracer<'g>> = (0..n).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        let list = letters::typeset_names(m.inputs.iter().map(|u| u.name.as_str()));
        let note = letters::prose_with_formulas("$B = ∂Q/∂u$; columns: ") + list;
        let layout = Arrangement::Matrix(letters::bold_letter("B"), columns.len());
        r.push_group(HEADING, note, GroupRole::Inputs, layout, &entries);
    }
    if rest.iter().any(|x| !x.is_zero()) {
        r.push_group(
            HEADING,
            letters::prose_with_formulas("all other forces, $f$"),
            GroupRole::Rest,
            names("f"),
            rest,
        );
    }
}

/// Terms that occur on the right side of the robotics equation `M q̈ + C q̇ + g = B u + f + Aᵀ λ`.
struct RightSide {
    /// True if the equation has the term `B u`.
    inputs: bool,
    /// True if the equation has the term `f`, all other forces.
    rest: bool,
    /// True if the equation has the term `Aᵀ λ`.
    multipliers: bool,
}

/// Adds `M q̈ + C q̇ + g = B u + f + Aᵀ λ`, without the terms that the mechanism does not have.
fn push_robot_equation(r: &mut Recorder<'_>, m: &Mechanism, terms: RightSide) {
    let are_rates = m.nq() == m.nv()
        && m.coordinates.iter().zip(&m.speeds).all(|(q, v)| v.name == format!("{}_dot", q.name));
    let (v, v_dot) = match are_rates {
        true => (letters::bold_letter("q").with_dot(), letters::bold_letter("q").with_two_dots()),
        false => (letters::bold_letter("v"), letters::bold_letter("v").with_dot()),
    };
    let bold = letters::bold_letter;
    let left = letters::typeset_sum([
        letters::typeset_product([bold("M"), v_dot]),
        letters::typeset_product([bold("C"), v]),
        bold("g"),
    ]);
    let mut right = Vec::new();
    if terms.inputs {
        let limited = m.inputs.iter().any(|u| u.limits.is_some());
        let u = if limited {
            Math::function_call(Math::Function("sat".to_owned()), [bold("u")])
        } else {
            bold("u")
        };
        right.push(letters::typeset_product([bold("B"), u]));
    }
    if terms.rest {
        right.push(bold("f"));
    }
    if terms.multipliers {
        right.push(letters::typeset_product([bold("A").transposed(), letters::bold_lambda()]));
    }
    let right =
        right.into_iter().reduce(|a, b| letters::typeset_sum([a, b])).unwrap_or_else(|| Math::integer(0));
    let text = if are_rates {
        "In terms of the coordinates $q$ and their rates:"
    } else {
        "In terms of the speeds $v$:"
    };
    r.push_relations(HEADING, letters::prose_with_formulas(text), vec![(left, right)]);
}

/// True if all of these values are zero at random points.
fn all_vanish(r: &Recorder<'_>, nodes: &[NodeId]) -> bool {
    (1..=POINTS).all(|seed| {
        let values = evaluate(r.graph, nodes, |kind| {
            let mut random = Random::new(seed ^ symbol_seed(kind));
            random.next_between(0.3, 1.3)
        });
        values.iter().all(|x| x.abs() < 1e-9)
    })
}

/// Number that differs for each symbol, as a random seed.
fn symbol_seed(kind: SymbolKind) -> u64 {
    let (class, index) = match kind {
        SymbolKind::Parameter(i) => (1, i),
        SymbolKind::Coordinate(i) => (2, i),
        SymbolKind::Speed(i) => (3, i),
        SymbolKind::Input(i) => (4, i),
        SymbolKind::State(i) => (5, i),
        _ => (6, 0),
    };
    (class * 1_000_003 + index as u64) << 8
}

#[cfg(test)]
mod tests {
    use super::super::record_quantities_with_names;
    use super::*;
    use dqdt_generate::pipeline;
    use std::path::Path;

    fn test_value(kind: SymbolKind) -> f64 {
        match kind {
            // Angles away from singular poses.
            SymbolKind::Coordinate(i) => 0.4 + 0.1 * i as f64,
            kind => 0.5 + (symbol_seed(kind) >> 8) as f64 % 7.0 / 10.0,
        }
    }

    /// The parts add up to `M v̇ + c = Q`, numerically, for any v̇.
    #[test]
    fn the_parts_make_up_the_implicit_form() {
        for name in ["cart_pole", "furuta_pendulum", "double_pendulum", "swing", "gyroscope", "quadrotor"] {
            let path =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
            let loaded = pipeline::load(&path).unwrap();
            let (q, m) = (record_quantities_with_names(&loaded, Formalism::Kane), loaded.mechanism);
            let values_of = |role: GroupRole| {
                let nodes = q.groups.iter().find(|g| g.role == role).map_or(&[][..], |g| &g.nodes[..]);
                evaluate(&q.graph, nodes, test_value)
            };
            let n = m.nv();
            let (c, g, force) = (
                values_of(GroupRole::Inertial),
                values_of(GroupRole::Potential),
                values_of(GroupRole::Applied),
            );
            let (coriolis, b, rest) =
                (values_of(GroupRole::Coriolis), values_of(GroupRole::Inputs), values_of(GroupRole::Rest));
            let inputs: Vec<f64> = (m.inputs.iter().enumerate())
                .map(|(k, input)| {
                    let place = if input.limits.is_some() { m.inputs.len() + k } else { k };
                    test_value(SymbolKind::Input(place))
                })
                .collect();
            assert_eq!(b.len(), n * m.inputs.len(), "{name}");
            for i in 0..n {
                let cv: f64 = (0..n).map(|j| coriolis[i * n + j] * test_value(SymbolKind::Speed(j))).sum();
                let bu: f64 = (0..m.inputs.len()).map(|k| b[i * m.inputs.len() + k] * inputs[k]).sum();
                let rest = rest.get(i).copied().unwrap_or(0.0);
                let gap = (cv + g[i] - bu - rest) - (c[i] - force[i]);
                assert!(gap.abs() < 1e-9, "{name}, row {i}: {gap}");
            }
        }
    }
}
