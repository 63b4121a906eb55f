//! Claims about the final graphs, after every pass, and the solves in them.
//!
//! Problem: the emitted code is a graph that passes have rewritten; the computed accelerations
//!          must still solve the derived equations.
//! Method:  for formalisms with a mass matrix, `M`, bias and q̇ of the final graph must equal
//!          Kane's. For every formalism the accelerations and multipliers of the final graph are
//!          inserted into Kane's `M v̇ − Aᵀ λ = Q − c` and `A v̇ = γ`. Eliminated speeds are
//!          replaced by `B v_i + b` (`projection`).
//! Limits:  accelerations are quotients of large polynomials: beyond the limit of terms they are
//!          compared at random points with 100 digits, and the claim is called checked.

use super::claim::{
    Claim, FormalismPart, constant_converter, implicit_equations, matrix_entry_names, node_ids,
    nonzero_dot_product, with_symbols,
};
use super::projection::eliminate_at_start;
use crate::inspect;
use crate::symbolic::{Assumptions, Expressions, Query};
use dqdt_algebra::Scalar;
use dqdt_derivation::assemble::{Assembled, repartition};
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{self, Definition};
use dqdt_derivation::symbols::mechanism_symbols;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Declaration, Graph, NodeId, Program, Tracer};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Mechanism, PivotPlace, SpeedId, Treatment};

/// Largest number of speeds for which claims about accelerations are proved exactly, with the usual
/// limit of terms.
const EXACT_SOLVE: usize = 2;
/// Largest number of speeds for which an exact proof about all accelerations together is tried
/// before random points.
const TRIED_SOLVE: usize = 6;

/// Claims about the final graphs of all formalisms. `bare` is the mechanism without stabilisation,
/// `spec` the one of the spec.
pub(super) fn final_graph_claims(bare: &Assembled, spec: &Assembled) -> Vec<Claim> {
    let m = &bare.mechanism;
    let mut claims = Vec::new();
    for f in Formalism::stating_equations() {
        let kinds = [functions::RATES, functions::MASS_MATRIX, functions::BIAS];
        claims.push(final_graph_claim(m, f, &derive_program(bare, f, &kinds)));
    }
    let kinds = [functions::DQDT, functions::MULTIPLIERS];
    for f in Formalism::ALL
        .into_iter()
        .filter(|f| dqdt_generate::inertia::supports_massless_tree(&bare.partition, *f))
    {
        claims.push(solved_accelerations_claim(bare, f, &derive_program(bare, f, &kinds)));
    }
    if let Some(loaded) = with_eliminated_speeds(bare, &spec.partition.basis.at_start) {
        for f in [Formalism::Kane, Formalism::Lagrange] {
            claims.push(solved_accelerations_claim(&loaded, f, &derive_program(&loaded, f, &kinds)));
        }
    }
    claims
}

/// The final program of these functions by a formalism, after all passes.
fn derive_program(loaded: &Assembled, formalism: Formalism, functions: &[&'static Definition]) -> Program {
    pipeline::program(loaded, &Request::new(formalism, functions.to_vec()))
}

/// The mechanism with every constraint eliminating as many speeds as it has independent rows;
/// `None` for a tree, if the pose selects the rows, or if some row determines no speed.
fn with_eliminated_speeds(bare: &Assembled, pairs: &[PivotPlace]) -> Option<Assembled> {
    if !bare.partition.groups.is_empty() {
        // The pose selects the rows that determine the speeds.
        return None;
    }
    let mut loaded = bare.clone();
    let mut row = 0;
    for (k, c) in loaded.mechanism.constraints.iter_mut().enumerate() {
        let count = c.row_count() - bare.partition.redundant.iter().filter(|r| r.constraint == k).count();
        let speeds: Option<Vec<SpeedId>> =
            (row..row + count).map(|row| pairs.iter().find(|p| p.row.0 == row).map(|p| p.speed())).collect();
        c.treatment = Treatment::Elimination(speeds?);
        row += count;
    }
    if loaded.mechanism.constraints.is_empty() {
        return None;
    }
    loaded.partition = repartition(&loaded.mechanism, &loaded.partition);
    Some(loaded)
}

/// Output nodes of a function of the program, in order.
fn function_nodes(program: &Program, kind: &Declaration) -> Vec<NodeId> {
    let function = program.functions.iter().filter(|f| f.is(kind));
    function.flat_map(|f| &f.outputs).flat_map(|o| o.nodes.iter().copied()).collect()
}

/// Claim that `q̇`, `M` and the bias of a final graph equal Kane's (which equal those of the other
/// formalisms by [`equal_equations_claim`](super::equal_equations_claim)).
pub fn final_graph_claim(m: &Mechanism, formalism: Formalism, program: &Program) -> Claim {
    let graph = Graph::new();
    let number = constant_converter(&graph);
    let symbols = mechanism_symbols(&graph, m);
    let zeros = vec![Tracer::ZERO; m.inputs.len()];
    let env = symbols.environment_with_inputs(&number, &zeros);
    let e = implicit_equations(m, Formalism::Kane, &env);
    let rates = kinematics::kinematics(m, &env).rates;
    let bias: Vec<_> = e.c.iter().zip(&e.force).map(|(c, q)| *c - *q).collect();
    let left = node_ids(&graph, e.mass.iter().flatten().chain(&bias).chain(&rates));
    let kinds = [functions::MASS_MATRIX, functions::BIAS, functions::RATES];
    let right: Vec<NodeId> = kinds.iter().flat_map(|k| function_nodes(program, k)).collect();
    let mut entries = matrix_entry_names(m, &["bias"]);
    entries.extend(m.coordinates.iter().map(|c| format!("rate of {}", c.name)));
    Claim {
        title: format!(
            "{}: the final graph, after all passes, reproduces Kane's M, bias and q̇",
            formalism.name()
        ),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(&graph, &left),
            right: Expressions::new(&program.graph, &right),
        },
        assumptions: super::claim::equation_assumptions(m),
        about: Some((formalism, FormalismPart::Equations)),
    }
}

/// Claim that the accelerations and multipliers of a final graph solve Kane's equations.
pub fn solved_accelerations_claim(loaded: &Assembled, formalism: Formalism, program: &Program) -> Claim {
    let (m, partition) = (&loaded.mechanism, &loaded.partition);
    let n = m.nv();
    let g = &program.graph;
    let at = |id: &NodeId| Tracer::new(g, *id);
    let v_dot: Vec<Tracer<'_>> =
        function_nodes(program, functions::DQDT).iter().skip(m.nq()).take(n).map(at).collect();
    let lambda: Vec<Tracer<'_>> = function_nodes(program, functions::MULTIPLIERS).iter().map(at).collect();
    let eliminates = m.constraints.iter().any(|c| matches!(c.treatment, Treatment::Elimination(_)));
    // Where the pose selects rows, Maggi's formalisms project on all rows. Off the constraints more
    // rows are independent than on them, so there the selected rows are not satisfied.
    let selects = !partition.groups.is_empty() && formalism.keeps_all_rows(partition);
    let (left, right, entries) = with_symbols(g, m, partition, |env| {
        // The program computes eliminated speeds from the others.
        let eliminated = if eliminates { eliminate_at_start(m, env) } else { None };
        let v = eliminated.map_or_else(|| env.v.to_vec(), |(_, e)| e.complete_speeds(env.v));
        let env = Environment { v: &v, ..*env };
        let e = implicit_equations(m, Formalism::Kane, &env);
        let mut left: Vec<Tracer<'_>> = e.mass.iter().map(|row| nonzero_dot_product(row, &v_dot)).collect();
        let mut right: Vec<Tracer<'_>> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
        let mut entries: Vec<String> = m.speeds.iter().map(|s| format!("equation of `{}`", s.name)).collect();
        let rows = kinematics::constraint_rows(m, &env);
        for (row, lambda) in rows.iter().zip(&lambda) {
            for (left, a) in left.iter_mut().zip(&row.jacobian).filter(|(_, a)| !a.is_zero()) {
                *left = *left - *a * *lambda;
            }
        }
        let selected = kinematics::Selection::new(m, partition, &rows).rows;
        for row in selected.into_iter().filter(|_| !selects) {
            left.push(nonzero_dot_product(&row.jacobian, &v_dot));
            right.push(row.gamma);
            entries.push(format!("A v̇ = γ: row `{}`", row.name));
        }
        (left, right, entries)
    });
    let system = match (m.constraints.is_empty(), eliminates) {
        _ if selects => "the computed accelerations and multipliers solve M v̇ = Q − c + Aᵀ λ",
        (true, _) => "the computed accelerations solve M v̇ = Q − c",
        (false, false) => "the computed accelerations solve M v̇ = Q − c + Aᵀ λ, A v̇ = γ",
        (false, true) => {
            "with eliminated speeds, the computed accelerations solve M v̇ = Q − c + Aᵀ λ, A v̇ = γ"
        }
    };
    let assumptions = acceleration_proof_limits(m);
    Claim {
        title: format!("{}: {system}", formalism.name()),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(g, &node_ids(g, &left)),
            right: Expressions::new(g, &node_ids(g, &right)),
        },
        assumptions,
        about: Some((formalism, FormalismPart::Accelerations)),
    }
}

/// Limits of proofs about accelerations, by the number of speeds.
pub(super) fn acceleration_proof_limits(m: &Mechanism) -> Assumptions {
    let assumptions = inspect::engine_assumptions(m);
    match m.nv() {
        n if n <= EXACT_SOLVE => assumptions,
        n if n <= TRIED_SOLVE => Assumptions { together: true, ..assumptions },
        _ => Assumptions { limit: 1, together: true, ..assumptions },
    }
}
